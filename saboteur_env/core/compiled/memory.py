"""Records, scratch of threads, and five things about memory that compiled Python has no words for.

Each of the five stands with what it means when it is not compiled.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

T = TypeVar("T")

LINE = 64  # bytes of a cache line
TO_WRITE, KEEP_NEAR, DATA = 1, 3, 1  # how llvm.prefetch counts
_ADDING = threading.Lock()


def record_dtype(
    *fields: tuple[str, npt.DTypeLike] | tuple[str, npt.DTypeLike, int | tuple[int, ...]],
) -> np.dtype[np.void]:
    """A dtype whose fields can be read as attributes, compiled or not."""
    return np.dtype((np.record, list(fields)))


class Record:
    """What kernels take of an array of records: a base of names for readers and mypy, of which nothing is made."""

    if TYPE_CHECKING:

        def __getattribute__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...
        def __getitem__(self, name: str) -> Any: ...
        def __setitem__(self, name: str, value: Any) -> None: ...


def padded_dtype(
    *fields: tuple[str, npt.DTypeLike] | tuple[str, npt.DTypeLike, int | tuple[int, ...]],
) -> np.dtype[np.void]:
    """A record of whole cache lines: in an array of `lines`, a field lies in the same lines of each."""
    size = record_dtype(*fields).itemsize
    return record_dtype(*fields, ("padding", "u1", -size % LINE))


def offset(dtype: Any, field: str) -> int:
    """Where a field of a record begins, in bytes."""
    return int(dtype.fields[field][1])


def aligned_zeros(shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """An array of zeros that begins where a cache line does."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    room = np.zeros(size + LINE, np.uint8)
    first = -room.ctypes.data % LINE
    return room[first : first + size].view(dtype).reshape(shape)


class PerThread(threading.local, Generic[T]):
    """Scratch that each thread has for itself, so that threads may share the object that works with it.

    Args:
        make: makes the scratch of a thread, the first time that the thread asks. A copy or a pickle calls it too.

    Attributes:
        local: the scratch of the thread that asks.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make, self.local = make, make()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._make,)


def in_place(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A copy of an array that begins where a cache line does; pickles do not keep it there.

    Args:
        array: of any dtype and shape [...].
    """
    copied = aligned_zeros(array.shape, array.dtype)
    copied[...] = array
    return copied


def without_refcount(value: T) -> T:
    """The same array, or tuple of arrays and numbers, without an owner, inside kernels.

    A kernel that passes an array on counts its owners up and down, in two atomic operations; this one costs none.
    Requires: somebody else keeps the arrays, as every caller of a kernel does with what it passes.
    """
    return value


def fetch_add(number: Any, added: int) -> int:
    """Add to a number that threads share, int64[1], and return what it was before: no two threads get the same.

    Mutates: number.
    """
    with _ADDING:
        before = int(number[0])
        number[0] += added
        return before


def store_bytes(array: Any, at: int, word: np.uint64) -> None:
    """Write a word into an int8 array as eight bytes, the lowest first, wherever they begin. Mutates: array."""
    array[at : at + 8] = np.array([word], "<u8").view(np.int8)


def prefetch_game(game: Any, at: int) -> None:
    """Ask for the cache line with byte `at` of a record that is soon to be read; nothing changes but the time."""


def copy_record(target: Any, source: Any) -> None:
    """Copy a record of any kind; compiled, one block of memory. Mutates: target."""
    for name in target.dtype.names:
        target[name] = source[name]


@intrinsic
def _without_owner(_typing: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return _disowned(context, builder, signature.return_type, values[0])

    return value(value), generate


def _disowned(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    if isinstance(kind, types.BaseTuple):
        for i, item in enumerate(kind):
            part = _disowned(context, builder, item, builder.extract_value(value, i))
            value = builder.insert_value(value, part, i)
    elif isinstance(kind, types.Array):
        view = context.make_array(kind)(context, builder, value)
        view.meminfo = cgutils.get_null_value(view.meminfo.type)
        value = view._getvalue()
    return value


@overload(without_refcount)
def _borrowed(value: Any) -> Callable[..., Any]:
    def same(value: Any) -> Any:
        return _without_owner(value)

    return same


@intrinsic
def _fetch_add(_typing: Any, number: Any, added: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        first = context.make_array(signature.args[0])(context, builder, values[0]).data
        return builder.atomic_rmw("add", first, values[1], "monotonic")

    return types.int64(number, types.int64), generate


@overload(fetch_add)
def _fetched_before(number: Any, added: Any) -> Callable[..., int]:
    def add(number: Any, added: Any) -> int:
        return _fetch_add(number, np.int64(added))

    return add


@intrinsic
def _store_word(_typing: Any, array: Any, at: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        first = context.make_array(signature.args[0])(context, builder, values[0]).data
        index = builder.bitcast(builder.gep(first, [values[1]]), ir.IntType(64).as_pointer())
        builder.store(values[2], index).align = 1
        return context.get_dummy_value()

    return types.void(array, types.int64, types.uint64), generate


@overload(store_bytes)
def _stored(array: Any, at: Any, word: Any) -> Callable[..., None]:
    def store(array: Any, at: Any, word: Any) -> None:
        _store_word(array, np.int64(at), np.uint64(word))

    return store


@intrinsic
def _prefetch(_typing: Any, game: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        word, byte = ir.IntType(32), ir.IntType(8).as_pointer()
        index = builder.gep(builder.bitcast(values[0], byte), [values[1]])
        asked = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", [byte], asked)
        builder.call(prefetch, [index, word(TO_WRITE), word(KEEP_NEAR), word(DATA)])
        return context.get_dummy_value()

    return types.void(game, types.int64), generate


@overload(prefetch_game)
def _fetched(game: Any, at: Any) -> Callable[..., None]:
    def ask(game: Any, at: Any) -> None:
        _prefetch(game, np.int64(at))

    return ask


@intrinsic
def _copy_memory(_typing: Any, target: Any, source: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        cgutils.raw_memcpy(builder, *values, context.get_constant(types.intp, target.size), 1)
        return context.get_dummy_value()

    return types.none(target, source), generate


@overload(copy_record)
def _copied(target: Any, source: Any) -> Callable[..., None]:
    def block(target: Any, source: Any) -> None:
        _copy_memory(target, source)

    return block
