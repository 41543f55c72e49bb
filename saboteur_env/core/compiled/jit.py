"""The settings of numba: one decorator, a cache that notices edits, typed constants.

It does not depend on a game. :func:`kernel` makes every kernel of the project. With the environment variable
``NUMBA_DISABLE_JIT=1`` the same functions run as plain Python. CI uses this as a second check.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import literal_unroll as literal_unroll  # a loop over names, written out
from numba import types
from numba.core import caching
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher

from .kernel_cache import cache_folder, place_of
from .notice import give_notice

F = TypeVar("F", bound=Callable[..., Any])

# A plain literal would turn an unsigned word signed (or a float) inside numba.
ZERO = np.uint64(0)
ONE = np.uint64(1)

NUMBA_OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy"}
WITHOUT_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
LOCKS: Any = import_module("fcntl") if os.name == "posix" else None

if numba.config.DISABLE_JIT:
    np.seterr(over="ignore")  # words wrap around silently when compiled
else:
    give_notice()


class _Locator(caching.UserProvidedCacheLocator):
    """Where numba keeps a kernel: by its place in its package, so that all checkouts of the same sources share it."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """The folder within that of the cache."""
        return place_of(Path(py_file).resolve()).as_posix()

    def get_source_stamp(self) -> str:
        """Nothing more, as the name of the cache's folder is a hash of all sources."""
        return ""


class _Files(caching.FunctionCache):
    class _impl_class(caching.CompileResultCacheImpl):
        _locator_classes = [_Locator]


class _Kept(CPUDispatcher):
    """A kernel whose compiled code is kept in a folder.

    The folder is looked into when the kernel is first needed, because few of those that are imported are called.
    """

    folder: Path | None = None

    def compile(self, sig: Any) -> Any:
        """Load or compile the kernel for a signature."""
        with global_compiler_lock:
            folder, self.folder = self.folder, None
            if folder is not None:
                _keep(self, folder)
        return super().compile(sig)


class _Kernel(_Kept):
    """A kernel as Python calls it. Kernels that call it are given `within`: the same without a way in from Python.

    Most kernels are called by kernels alone. The two wrappers that numba gives every function took a sixth of the
    time to compile.
    """

    of_kernels: Path | None = None

    @cached_property
    def within(self) -> Any:
        """The same for kernels."""
        result = _Kept(_twin(self.py_func), self.locals, {**self.targetoptions, **WITHOUT_WRAPPERS})
        result.folder = self.of_kernels
        return result

    @property
    def _numba_type_(self) -> Any:
        return types.Dispatcher(self.within)


def _twin(function: Any) -> Any:
    """The same function as another object: numba takes a call of the same object for a recursion."""
    twin = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    twin.__qualname__, twin.__kwdefaults__ = function.__qualname__, function.__kwdefaults__
    return twin


def kernel(function: F, **options: Any) -> F:
    """Compile `function` on first use: no interpreter lock, no exceptions, cached on disk.

    numba's own cache notices an edit only in the function's own file. Here the folder's name is a
    hash of all sources that a kernel may be built from (kernel_cache.py), so an edit anywhere starts a fresh folder.
    """
    if numba.config.DISABLE_JIT:
        return function
    compiled: Any = _Kernel(function, targetoptions={**NUMBA_OPTIONS, **options})
    folder = cache_folder(Path(function.__code__.co_filename).resolve())
    if folder is not None:
        compiled.folder, compiled.of_kernels = folder, folder / "within"
    return cast(F, compiled)


def _keep(compiled: Any, folder: Path) -> None:
    """Keep what is compiled in a folder."""
    config: Any = numba.config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        compiled._cache = _Files(compiled.py_func)
    finally:
        config.CACHE_DIR = before
    _guard(compiled._cache, folder / "lock")


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
