"""The folder of compiled kernels: in the user's data, named by a hash of all sources."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
import warnings
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numba
import numpy as np
from platformdirs import user_cache_path

NAME = "saboteur_env"
PACKAGES = (NAME, f"{NAME}.agents")  # no kernel of theirs may know the experiments
KEPT = 24  # folders of compiled kernels, a few for each version of the sources
HAS_SOURCES = __file__.endswith(".py") and Path(__file__).is_file()  # not in a zip, nor where only *.pyc came along


def cache_folder(source: Path) -> Path | None:
    """The folder for the compiled kernels of a source file; None where they cannot be kept.

    It lies in `NUMBA_CACHE_DIR`, else among the user's caches. Where neither can be written, a private temporary
    folder stands in, and one warning names the reason.
    """
    if not HAS_SOURCES:
        _warn_once(f"{NAME} comes without source files here, so its kernels are compiled again at every start")
        return None
    return _folder(_beside(source)) if source.is_file() else None


def subfolder_of(source: Path) -> Path:
    """The folder of a source file as it is named within its package, wherever that is installed."""
    root = _beside(source) or max(filter(source.is_relative_to, _roots()), key=lambda root: len(root.parts))
    return source.parent.relative_to(root.parent)


@cache
def _folder(beside: Path | None) -> Path | None:
    name = f"kernels-{sources_key(beside)}"
    try:
        return _made(_base() / name)
    except OSError as error:
        return _temporary(name, error)


def _base() -> Path:
    """Raises: OSError where the user has no home folder."""
    if root := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(root)
    try:
        base = user_cache_path(NAME, ensure_exists=False)
    except RuntimeError as error:
        raise OSError(str(error)) from None
    if not base.is_absolute():
        raise OSError("there is no home folder")
    return base


def _made(folder: Path) -> Path:
    """The folder, made where it is missing. Raises: OSError where it cannot be written."""
    if not folder.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _drop_old(folder.parent)
    with tempfile.TemporaryFile(dir=folder):
        return folder


def _temporary(name: str, error: OSError) -> Path | None:
    """A folder that stands in. It is announced when it is made, not when it is found again."""
    said = f"the compiled kernels of {NAME} cannot be kept in the usual place ({error}). "
    advice = "Set NUMBA_CACHE_DIR to a folder of yours"
    try:
        base = _private_base()
        result = (base / name).is_dir()
        folder = _made(base / name)
    except OSError as reason:
        _warn_once(
            f"{said}They are compiled again at every start, because there is no temporary one ({reason}). {advice}"
        )
        return None
    if not result:
        _warn_once(f"{said}They go to {base}, which may be emptied at any time. {advice}")
    return folder


def _private_base() -> Path:
    """A temporary folder of the user's own: what lies in it is run as machine code.

    Raises: OSError where there is none, or where another user could put something in.
    """
    user = os.getuid() if os.name == "posix" else None
    base = Path(tempfile.gettempdir()) / (NAME if user is None else f"{NAME}-{user}")
    base.mkdir(mode=0o700, exist_ok=True)
    result = base.lstat()
    if not stat.S_ISDIR(result.st_mode):
        raise OSError(f"{base} is no folder")
    if user is not None and (result.st_uid != user or result.st_mode & 0o077):
        raise OSError(f"{base} is open to others")
    return base


@cache
def _warn_once(text: str) -> None:
    warnings.warn(text, RuntimeWarning, stacklevel=2)


def _drop_old(base: Path) -> None:
    with suppress(OSError):
        folders = sorted(base.glob("kernels-*"), key=lambda folder: folder.stat().st_mtime)
        for folder in folders[:-KEPT]:
            shutil.rmtree(folder, ignore_errors=True)


def sources_key(beside: Path | None = None) -> str:
    """A hash of numba and NumPy, of whether indices are checked, and of every source that a kernel may be built from.

    These are the whole package and the agents, in all their folders.

    Args:
        beside: a folder besides, for kernels that lie elsewhere; with its folders where it is a package.
    """
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {numba.config.BOUNDSCHECK}".encode())
    for root in (*_roots(), *filter(None, [beside])):
        for path in _sources(root):
            digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _sources(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py") if _is_package(folder) else folder.glob("*.py"))


@cache
def _roots() -> tuple[Path, ...]:
    """The folders of the package and the agents, wherever they are installed."""
    result = [spec.submodule_search_locations for name in PACKAGES if (spec := find_spec(name))]
    return tuple(Path(folder).resolve() for folders in result for folder in folders or ())


def _beside(source: Path) -> Path | None:
    """The package of a source file, or its folder; None where `sources_key` has it already."""
    if any(source.is_relative_to(root) for root in _roots()):
        return None
    folder = source.parent
    while _is_package(folder) and _is_package(folder.parent):
        folder = folder.parent
    return folder


def _is_package(folder: Path) -> bool:
    return (folder / "__init__.py").is_file()
