"""How numba is switched on: one decorator, a cache that notices edits, typed constants.

Knows no game. Every kernel of the project is made by :func:`kernel`; with the environment variable
``NUMBA_DISABLE_JIT=1`` the same functions run as plain Python, which CI uses as a second opinion.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from platformdirs import user_cache_path

F = TypeVar("F", bound=Callable[..., Any])

# A plain literal would turn an unsigned word signed (or a float) inside numba.
ZERO = np.uint64(0)
ONE = np.uint64(1)

PACKAGE = Path(__file__).resolve().parents[1]

if numba.config.DISABLE_JIT:
    np.seterr(over="ignore")  # words wrap around silently when compiled


def kernel(function: F) -> F:
    """Compile `function` on first use: no interpreter lock, no exceptions, cached on disk.

    numba's own cache notices an edit only in the function's own file. Here the folder's name is a
    hash of all sources that a kernel may be built from, so an edit anywhere starts a fresh folder.
    """
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    folder = cache_folder(Path(function.__code__.co_filename).resolve().parent)
    if folder is None:
        return cast(F, numba.njit(**options)(function))
    config: Any = numba.config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        return cast(F, numba.njit(cache=True, **options)(function))
    finally:
        config.CACHE_DIR = before


@cache
def cache_folder(beside: Path) -> Path | None:
    """The folder for compiled kernels of the sources in `beside`; None where nothing may be written."""
    root = os.environ.get("NUMBA_CACHE_DIR")
    base = Path(root) if root else user_cache_path("saboteur_env", ensure_exists=False)
    folder = base / f"kernels-{sources_key(beside)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None


def sources_key(beside: Path) -> str:
    """A hash of numba's version and of every source in the package and in the folder `beside`."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__}".encode())
    for path in sorted({*PACKAGE.rglob("*.py"), *beside.glob("*.py")}):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
