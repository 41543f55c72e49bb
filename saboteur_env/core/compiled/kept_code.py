"""numba's files of compiled code, safe to share between processes and checkouts; an unsound one counts as none.

numba names a data file in its index and writes it in a second step, so that two processes that compile different
signatures of one function at once can leave each other's code under their own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from numba.core import caching

from .kernel_cache import subfolder_of
from .linked import is_linked, rebuilt
from .separate import needs_of

LOCKS: Any = import_module("fcntl") if os.name == "posix" else None


class _Locator(caching._CacheLocator):
    def __init__(self, folder: Path, line: int) -> None:
        self._folder, self._line = str(folder), str(line)

    def get_cache_path(self) -> str:
        return self._folder

    def get_source_stamp(self) -> str:
        return ""  # the name of the folder of all kernels is a hash of all sources

    def get_disambiguator(self) -> str:
        return self._line


class _Form(caching.CompileResultCacheImpl):
    """How numba keeps a kernel: by its place in its package, so that all checkouts of the same sources share it."""

    def __init__(self, function: Any, folder: Path) -> None:
        code = function.__code__
        source = Path(code.co_filename).resolve()
        self._locator = _Locator(folder / subfolder_of(source), code.co_firstlineno)
        name = f"{source.stem}.{function.__qualname__}"
        self._filename_base = self.get_filename_base(name, getattr(sys, "abiflags", ""))

    def reduce(self, data: Any) -> Any:
        """What is written of a compiled kernel: what it needs loaded is called before it is."""
        return super().reduce(data._replace(reload_init=list(needs_of(data.library))))

    def rebuild(self, target_context: Any, reduced_data: Any) -> Any:
        """A compiled kernel from what was written. Its callers need loaded what it needs."""
        rebuild = rebuilt if is_linked(reduced_data) else super().rebuild
        result = rebuild(target_context, reduced_data)
        result.library.needs = frozenset(result.reload_init)
        return result


class KeptCode(caching.FunctionCache):
    """The compiled code of a kernel in a folder.

    Args:
        function: of the kernel.
        folder: of all kernels.
    """

    _cache_file: Any

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._impl_class = partial(_Form, folder=folder)
        super().__init__(function)
        self._cache_file = _Locked(self._cache_file, folder / "lock")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was compiled for a signature; None where nothing sound is kept."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            with suppress(OSError):
                self.flush()
            return None

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
