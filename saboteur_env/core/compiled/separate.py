"""Kernels that their callers call by name, instead of holding a copy of their code.

numba links the code of all functions that a kernel calls into it, down to the last, and optimises and translates that
whole again. So the cost of compiling grows with the depth of calls. A separate kernel is compiled once. Its callers
name a symbol, and find the code in the process: they have it loaded before their own code, also when that comes
from the cache.
"""

from __future__ import annotations

from copy import copy
from functools import partial
from hashlib import sha256
from importlib import import_module
from typing import Any

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
    function = kernel.py_func
    load = partial(_load, function.__module__, function.__qualname__, compiled.signature.args)

    def call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        context.active_code_library._reload_init.add(load)
        return linked(context, builder, signature, arguments)

    call.signature, call.libs = linked.signature, ()  # type: ignore[attr-defined]
    return call


def _load(module: str, name: str, arguments: Any) -> None:
    # Runs before the code of a caller is loaded from the cache.
    getattr(import_module(module), name).within.compile(arguments)
