"""How numba is switched on: one decorator, a cache that notices edits, typed constants.

Knows no game. Every kernel of the project is made by :func:`kernel`; with the environment variable
``NUMBA_DISABLE_JIT=1`` the same functions run as plain Python, which CI uses as a second opinion.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from platformdirs import user_cache_path

F = TypeVar("F", bound=Callable[..., Any])

# A plain literal would turn an unsigned word signed (or a float) inside numba.
ZERO = np.uint64(0)
ONE = np.uint64(1)

ENGINE = Path(__file__).resolve().parent
KEPT = 24  # folders of compiled kernels, a few for each version of the sources
LOCKS: Any = import_module("fcntl") if os.name == "posix" else None

if numba.config.DISABLE_JIT:
    np.seterr(over="ignore")  # words wrap around silently when compiled


def kernel(function: F, **options: Any) -> F:
    """Compile `function` on first use: no interpreter lock, no exceptions, cached on disk.

    numba's own cache notices an edit only in the function's own file. Here the folder's name is a
    hash of all sources that a kernel may be built from, so an edit anywhere starts a fresh folder.
    """
    if numba.config.DISABLE_JIT:
        return function
    options |= {"nogil": True, "error_model": "numpy"}
    folder = cache_folder(Path(function.__code__.co_filename).resolve().parent)
    if folder is None:
        return cast(F, numba.njit(**options)(function))
    config: Any = numba.config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        compiled = numba.njit(cache=True, **options)(function)
    finally:
        config.CACHE_DIR = before
    _guard(compiled._cache, folder / "lock")
    return cast(F, compiled)


def inlined(function: F) -> F:
    """A kernel that is written out wherever it is called: for tuples of arrays, which a call would copy each time."""
    return kernel(function, forceinline=True)


def _guard(files: Any, lock: Path) -> None:
    """Make numba's cache files safe to share, and a bad or unwritable one count as none.

    numba names a data file in its index and writes it in a second step, so that two processes that
    compile different signatures of one function at once can leave each other's code under their own.
    """
    load, save = files.load_overload, files.save_overload

    def load_overload(signature: Any, context: Any) -> Any:
        try:
            with _locked(lock, alone=False):
                return load(signature, context)
        except Exception:
            with suppress(OSError), _locked(lock):
                files.flush()
            return None

    def save_overload(signature: Any, compiled: Any) -> None:
        with suppress(OSError), _locked(lock):
            save(signature, compiled)

    files.load_overload, files.save_overload = load_overload, save_overload


@contextmanager
def _locked(path: Path, alone: bool = True) -> Iterator[None]:
    with path.open("a") as file:
        if LOCKS:
            LOCKS.flock(file, LOCKS.LOCK_EX if alone else LOCKS.LOCK_SH)
        yield


@cache
def cache_folder(beside: Path) -> Path | None:
    """The folder for compiled kernels of the sources in `beside`; None where nothing may be written."""
    root = os.environ.get("NUMBA_CACHE_DIR")
    base = Path(root) if root else user_cache_path("saboteur_env", ensure_exists=False)
    folder = base / f"kernels-{sources_key(beside)}"
    try:
        if not folder.exists():
            folder.mkdir(parents=True, exist_ok=True)
            _drop_old(base)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None


def _drop_old(base: Path) -> None:
    with suppress(OSError):
        folders = sorted(base.glob("kernels-*"), key=lambda folder: folder.stat().st_mtime)
        for folder in folders[:-KEPT]:
            shutil.rmtree(folder, ignore_errors=True)


def sources_key(beside: Path) -> str:
    """A hash of the versions of numba and NumPy and of every source that a kernel in `beside` may be built from.

    The engine's kernels know the engine alone; others may know the whole package, the agents (which lie beside
    experiments and tests in a checkout) and their own folder too.
    """
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {numba.config.BOUNDSCHECK}".encode())
    sources = {*beside.glob("*.py")}
    if beside != ENGINE:
        sources |= {*ENGINE.parent.rglob("*.py"), *(beside.parent / "agents").glob("*.py")}
    for path in sorted(sources):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
