"""Kernels that are compiled when they are first called, apart from their callers.

numba links the code of all functions that a kernel calls into it, down to the last, and optimises and translates that
whole again. So the cost of compiling grows with the depth of calls, and whoever plays one move waits for the code that
shares out the gold. A caller of a separate kernel knows its signature alone, and a slot in memory with the address of
its code. While the slot is empty, a call fills it: Python compiles the kernel, or loads it from the cache.
"""

from __future__ import annotations

import ctypes
from _thread import interrupt_main
from hashlib import sha256
from importlib import import_module
from threading import Timer
from typing import Any, NamedTuple

from llvmlite import binding, ir
from numba.core import cgutils, imputils

GRACE = 0.02  # seconds: time for a callback to end
_slots: dict[Load, Slot] = {}  # of this process


class Load(NamedTuple):
    """A separate kernel and its signature. Called before code is loaded that names it: it makes its slot known.

    Attributes:
        module, name: of the kernel.
        arguments: the types of its signature.
    """

    module: str
    name: str
    arguments: tuple[Any, ...]

    @property
    def symbol(self) -> str:
        """Of the slot."""
        digest = sha256(repr(self.arguments).encode()).hexdigest()[:16]
        return f"{self.module}.{self.name}.{digest}"

    def __call__(self) -> None:
        if self not in _slots:
            _slots[self] = Slot(self)

    def compile(self) -> int:
        """Load or compile the kernel; returns the address of its code."""
        kernel = getattr(import_module(self.module), self.name).within
        kernel.compile(self.arguments)
        compiled = kernel.overloads[self.arguments]
        address: int = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
        return address


class Slot:
    """Memory that has the address of a kernel's code, or 0, and a function without arguments that fills it."""

    def __init__(self, load: Load) -> None:
        self._load, self._address = load, ctypes.c_void_p()
        self._fill, symbol = ctypes.CFUNCTYPE(None)(self.fill), load.symbol
        binding.add_symbol(symbol, ctypes.addressof(self._address))
        binding.add_symbol(_filling(symbol), ctypes.cast(self._fill, ctypes.c_void_p).value)

    @property
    def is_empty(self) -> bool:
        """Whether the kernel was not called yet."""
        return not self._address.value

    def fill(self) -> None:
        """Compile the kernel. Ctrl-C waits until the kernel that calls goes on, as it cannot be left in the middle."""
        interrupted = False
        while self.is_empty:
            try:
                self._address.value = self._load.compile()
            except KeyboardInterrupt:
                interrupted = True
        if interrupted:
            Timer(GRACE, interrupt_main).start()


def fill_slots() -> None:
    """Compile all separate kernels that the loaded code may call, and those that these may call."""
    while empty := [slot for slot in _slots.values() if slot.is_empty]:
        for slot in empty:
            slot.fill()


def _filling(symbol: str) -> str:
    return f"{symbol}.fill"


class Call:
    """What numba writes where a kernel calls a separate one.

    Args:
        load: the kernel that is called.
    """

    libs: tuple[Any, ...] = ()  # nothing is linked

    def __init__(self, load: Load) -> None:
        self._load, self.signature = load, load.arguments

    def __call__(self, context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        self._load()
        library = context.active_code_library
        library.needs = getattr(library, "needs", frozenset()) | {self._load}
        kind = context.call_conv.get_function_type(signature.return_type, self.signature).as_pointer()
        code = self._code(context, builder, kind)
        status, result = context.call_conv.call_function(
            builder, code, signature.return_type, self.signature, arguments
        )
        with cgutils.if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return imputils.fix_returning_optional(context, builder, signature, status, result)

    def _code(self, context: Any, builder: Any, kind: Any) -> Any:
        # The address in the slot, which is filled before where it is empty.
        symbol = self._load.symbol
        slot = builder.module.globals.get(symbol) or ir.GlobalVariable(builder.module, kind, symbol)
        with cgutils.if_unlikely(builder, cgutils.is_null(builder, builder.load(slot))):
            fill = ir.FunctionType(ir.VoidType(), ())
            builder.call(cgutils.get_or_insert_function(builder.module, fill, _filling(symbol)), ())
            with cgutils.if_unlikely(builder, cgutils.is_null(builder, builder.load(slot))):
                said = f"{self._load.module}.{self._load.name} could not be compiled"
                context.call_conv.return_user_exc(builder, RuntimeError, (said,))
        return builder.load(slot)


def needs_of(library: Any) -> frozenset[Load]:
    """The slots that the code of a library names. It holds the code of all libraries linked into it."""
    result: frozenset[Load] = frozenset()
    waiting, known = [library], set()
    while waiting:
        one = waiting.pop()
        if id(one) not in known:
            known.add(id(one))
            result |= getattr(one, "needs", frozenset())
            waiting += one._linking_libraries
    return result
