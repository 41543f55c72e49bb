"""numba's files of compiled code, safe to share between processes and checkouts; an unsound one counts as none.

numba names a data file in its index and writes it in a second step, so that two processes that compile different
signatures of one function at once can leave each other's code under their own.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import numba
from numba.core import caching

from .kernel_cache import subfolder_of

LOCKS: Any = import_module("fcntl") if os.name == "posix" else None


class _Locator(caching.UserProvidedCacheLocator):
    """Where numba keeps a kernel: by its place in its package, so that all checkouts of the same sources share it."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """The folder within that of the cache."""
        return subfolder_of(Path(py_file).resolve()).as_posix()

    def get_source_stamp(self) -> str:
        """Nothing more, as the name of the cache's folder is a hash of all sources."""
        return ""


class KeptCode(caching.FunctionCache):
    """The compiled code of a kernel in a folder.

    Args:
        function: of the kernel.
        folder: of all kernels.
    """

    class _impl_class(caching.CompileResultCacheImpl):
        _locator_classes = (_Locator,)

    _cache_file: Any

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        config: Any = numba.config
        before = config.CACHE_DIR
        config.CACHE_DIR = str(folder)
        try:
            super().__init__(function)
        finally:
            config.CACHE_DIR = before
        self._cache_file = _Locked(self._cache_file, folder / "lock")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was compiled for a signature; None where nothing sound is kept."""
        try:
            compiled = super().load_overload(sig, target_context)
        except Exception:
            with suppress(OSError):
                self.flush()
            return None
        if compiled is not None:
            compiled.library._reload_init.update(compiled.reload_init)  # its callers need it loaded as well
        return compiled

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled, where that can be written."""
        with suppress(OSError):
            super().save_overload(sig, data)


class _Locked:
    """An index and its data files, which a process writes alone."""

    def __init__(self, file: Any, lock: Path) -> None:
        self._file, self._lock = file, lock

    def load(self, key: Any) -> Any:
        with _locked(self._lock, alone=False):
            return self._file.load(key)

    def save(self, key: Any, data: Any) -> None:
        with _locked(self._lock):
            self._file.save(key, data)

    def flush(self) -> None:
        with _locked(self._lock):
            self._file.flush()


@contextmanager
def _locked(path: Path, alone: bool = True) -> Iterator[None]:
    with path.open("a") as file:
        if LOCKS:
            LOCKS.flock(file, LOCKS.LOCK_EX if alone else LOCKS.LOCK_SH)
        yield
