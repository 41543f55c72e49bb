"""Words side by side, one for each of four lanes: what is done to one is done to all, in one instruction.

Compiled, the four words are one value; not compiled, they are a NumPy array `uint64[4]`. Either takes ``&``, ``|``,
``~``, ``<<`` and ``>>``, also with one word for all lanes.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, overload, register_model

LANES = 4

_WORDS = ir.VectorType(ir.IntType(64), LANES)


class _Lanes(types.Type):
    def __init__(self) -> None:
        super().__init__("lanes")


@register_model(_Lanes)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Any, lanes: Any) -> None:
        super().__init__(manager, lanes, _WORDS)


_LANES = _Lanes()


def load(rows: npt.NDArray[np.uint64], row: int) -> Any:
    """The four words of one row of `rows`, uint64[n, 4]."""
    return rows[row].copy()


def store(rows: npt.NDArray[np.uint64], row: int, lanes: Any) -> None:
    """Write four words, or one into all lanes, to a row of `uint64[n, 4]`. Mutates: rows."""
    rows[row] = lanes


def some(lanes: Any) -> int:
    """The lanes whose word is not 0, as four bits."""
    return sum(1 << lane for lane in range(LANES) if lanes[lane])


def _as_lanes(builder: Any, value: Any) -> Any:
    # One word goes into all lanes.
    if value.type == _WORDS:
        return value
    first = builder.insert_element(_WORDS(ir.Undefined), value, ir.IntType(32)(0))
    return builder.shuffle_vector(first, _WORDS(ir.Undefined), ir.VectorType(ir.IntType(32), LANES)([0] * LANES))


def _place(context: Any, builder: Any, array: Any, rows: Any, row: Any) -> Any:
    first = builder.bitcast(context.make_array(array)(context, builder, rows).data, _WORDS.as_pointer())
    return builder.gep(first, [row])


@intrinsic
def _load(_typing: Any, rows: Any, row: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        lanes = builder.load(_place(context, builder, signature.args[0], *values), typ=_WORDS)
        lanes.align = 8
        return lanes

    return _LANES(rows, types.int64), generate


@intrinsic
def _store(_typing: Any, rows: Any, row: Any, lanes: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        index = _place(context, builder, signature.args[0], *values[:2])
        builder.store(_as_lanes(builder, values[2]), index).align = 8
        return context.get_dummy_value()

    return types.void(rows, types.int64, lanes), generate


@intrinsic
def _some(_typing: Any, lanes: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        flags = builder.icmp_unsigned("!=", values[0], _WORDS(None))
        return builder.zext(builder.bitcast(flags, ir.IntType(LANES)), ir.IntType(64))

    return types.int64(lanes), generate


@overload(load, strict=False)
def _loaded(rows: Any, row: Any) -> Callable[..., Any]:
    return lambda rows, row: _load(rows, np.int64(row))


@overload(store, strict=False)
def _stored(rows: Any, row: Any, lanes: Any) -> Callable[..., None]:
    return lambda rows, row, lanes: _store(rows, np.int64(row), lanes)


@overload(some, strict=False)
def _marked(lanes: Any) -> Callable[..., int]:
    return lambda lanes: _some(lanes)


def _define(function: Any, instruction: str) -> None:
    @intrinsic
    def generated(_typing: Any, left: Any, right: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return getattr(builder, instruction)(*(_as_lanes(builder, value) for value in values))

        return _LANES(left, right), generate

    @overload(function, strict=False)
    def typed(left: Any, right: Any) -> Callable[..., Any] | None:
        return (lambda left, right: generated(left, right)) if _LANES in (left, right) else None


for _function, _instruction in {"and_": "and_", "or_": "or_", "lshift": "shl", "rshift": "lshr"}.items():
    _define(getattr(operator, _function), _instruction)


@intrinsic
def _inverse(_typing: Any, lanes: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.not_(values[0])

    return lanes(lanes), generate


@overload(operator.invert, strict=False)
def _inverted(lanes: Any) -> Callable[..., Any] | None:
    return (lambda lanes: _inverse(lanes)) if lanes == _LANES else None
