"""The settings of numba: one decorator, a cache that notices edits, typed constants.

It does not depend on a game. :func:`kernel` makes every kernel of the project. With the environment variable
``NUMBA_DISABLE_JIT=1`` the same functions run as plain Python. CI uses this as a second check.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import literal_unroll as literal_unroll  # a loop over names, written out
from numba import types
from numba.core import typing
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher

from .kept_code import KeptCode
from .kernel_cache import cache_folder
from .linked import Linking
from .notice import give_notice
from .separate import Call, Load

F = TypeVar("F", bound=Callable[..., Any])

# A plain literal would turn an unsigned word signed (or a float) inside numba.
ZERO = np.uint64(0)
ONE = np.uint64(1)

# Inlining is said of every kernel: left open, a kernel took it from the first that called it, and from then on kept it.
NUMBA_OPTIONS = {
    "nopython": True,
    "nogil": True,
    "error_model": "numpy",
    "forceinline": False,
    "no_cfunc_wrapper": True,
}

if numba.config.DISABLE_JIT:
    np.seterr(over="ignore")  # words wrap around silently when compiled
else:
    give_notice()


class _Kept(CPUDispatcher):
    """A kernel whose compiled code is kept in a folder.

    The folder is looked into when the kernel is first needed, because few of those that are imported are called.
    """

    folder: Path | None = None

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """As kernels that call it see it: a constant is a number like any other, and has no code of its own."""
        return super().get_call_template(*_without_constants(args, kws))

    def compile(self, sig: Any) -> Any:
        """Load or compile the kernel for a signature."""
        with global_compiler_lock:
            folder, self.folder = self.folder, None
            if folder is not None:
                self._cache = KeptCode(self.py_func, folder)
        return super().compile(sig)


def _without_constants(args: Any, kws: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return tuple(map(_plain, args)), {name: _plain(kind) for name, kind in dict(kws).items()}


def _plain(kind: Any) -> Any:
    constant = isinstance(kind, types.IntegerLiteral | types.BooleanLiteral)
    return types.unliteral(kind) if constant else kind


class _Linked(_Kept):
    """A kernel whose code is linked into the kernels that call it (linked.py)."""

    def __init__(self, function: Any, targetoptions: Any) -> None:
        super().__init__(function, targetoptions=targetoptions, pipeline_class=Linking)


class _Separate(_Kept):
    """A kernel that kernels call by its slot, and that is compiled at the first call (separate.py)."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """As kernels that call it see it: by its arguments and the result that it is annotated with."""
        parameters, kinds = self._compiler.fold_argument_types(*_without_constants(args, kws))
        signature = typing.signature(_returned(self.py_func), *kinds)
        template = typing.make_concrete_template(self.__name__, key=self.__name__, signatures=[signature])
        return template, parameters, kinds, {}

    def get_overload(self, sig: Any) -> Any:
        """The key under which numba finds how the kernel is called."""
        load = Load(self.py_func.__module__, self.py_func.__qualname__, tuple(sig))
        if load not in self.targetctx._defns:
            self.targetctx._defns[load].append(Call(load), load.arguments)
        return load

    def compile(self, sig: Any) -> Any:
        """Load or compile the kernel for the types of its arguments."""
        return super().compile(typing.signature(_returned(self.py_func), *sig))


RETURNED = {
    "None": types.none,
    "bool": types.boolean,
    "float": types.float64,
    "int": types.int64,
    "np.uint64": types.uint64,
}


def _returned(function: Any) -> Any:
    """The type of a separate kernel's result. Raises: TypeError where it has no plain annotation."""
    said = str(function.__annotations__.get("return"))
    if "return" not in function.__annotations__ or said not in RETURNED:
        raise TypeError(f"a separate kernel returns {', '.join(RETURNED)}; {function.__qualname__} needs such a result")
    return RETURNED[said]


class _Kernel(_Kept):
    """A kernel as Python calls it. Kernels that call it are given `within`: the same without a way in from Python.

    Most kernels are called by kernels alone, and none by C. The two wrappers that numba gives every function for them
    took a sixth of the time to compile.
    """

    of_kernels: Path | None = None
    kind_within: type[_Kept] = _Linked

    @cached_property
    def within(self) -> Any:
        """The same for kernels."""
        result = self.kind_within(_twin(self.py_func), targetoptions={**self.targetoptions, "no_cpython_wrapper": True})
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
    for name in ("__qualname__", "__kwdefaults__", "__annotations__"):
        setattr(twin, name, getattr(function, name))
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


def inlined(function: F) -> F:
    """A kernel that is written out wherever it is called.

    For what every move and every view passes through, and for tuples of arrays, which a call would copy each time.
    """
    return kernel(function, forceinline=True)


def separate(function: F) -> F:
    """A kernel that is compiled when kernels first call it, apart from them: for long ones, and where few calls lead.

    Raises: TypeError where its result is not annotated.
    """
    result: Any = kernel(function)
    if not numba.config.DISABLE_JIT:
        _returned(function)
        result.kind_within = _Separate
    return cast(F, result)
