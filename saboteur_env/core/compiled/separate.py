"""Kernels that their callers call by name, instead of holding a copy of their code.

numba links the code of all functions that a kernel calls into it, down to the last, and optimises and translates that
whole again. So the cost of compiling grows with the depth of calls. A separate kernel is compiled once. Its callers
name a symbol, and find the code in the process: they have it loaded before their own code, also when that comes
from the cache.
"""

from __future__ import annotations

from copy import copy
from hashlib import sha256
from importlib import import_module
from typing import Any, NamedTuple

from llvmlite import binding
from numba.core.base import user_function


def publish(kernel: Any, compiled: Any) -> None:
    """Let callers reach a compiled kernel by its symbol, and no longer link its code.

    Args:
        kernel: the dispatcher that kernels call.
        compiled: what numba made of it for one signature.
    """
    symbol = _symbol(kernel, compiled.signature.args)
    binding.add_symbol(symbol, compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))
    context = kernel.targetctx
    context.remove_user_function(compiled.entry_point)
    call = _call(kernel, compiled, symbol)
    context._defns[compiled.entry_point].append(call, call.signature)


def _symbol(kernel: Any, arguments: Any) -> str:
    digest = sha256(repr(arguments).encode()).hexdigest()[:16]
    return f"{kernel.py_func.__module__}.{kernel.py_func.__qualname__}.{digest}"


def _call(kernel: Any, compiled: Any, symbol: str) -> Any:
    named = copy(compiled.fndesc)
    named.mangled_name = symbol
    linked = user_function(named, ())
    load = Load(kernel.py_func.__module__, kernel.py_func.__qualname__, compiled.signature.args)

    def call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        library = context.active_code_library
        library.needs = getattr(library, "needs", frozenset()) | {load}
        return linked(context, builder, signature, arguments)

    call.signature, call.libs = linked.signature, ()  # type: ignore[attr-defined]
    return call


class Load(NamedTuple):
    """Called before code is loaded that names a separate kernel: it loads or compiles that kernel.

    Attributes:
        module, name: of the kernel.
        arguments: the types of its signature.
    """

    module: str
    name: str
    arguments: tuple[Any, ...]

    def __call__(self) -> None:
        getattr(import_module(self.module), self.name).within.compile(self.arguments)


def needs_of(library: Any) -> frozenset[Load]:
    """What must be loaded before the code of a library, which holds that of all libraries linked into it."""
    result: frozenset[Load] = frozenset()
    waiting, known = [library], set()
    while waiting:
        one = waiting.pop()
        if id(one) not in known:
            known.add(id(one))
            result |= getattr(one, "needs", frozenset())
            waiting += one._linking_libraries
    return result
