"""Checks of integers that users pass in: is this a whole number in a range?

A whole number is anything with `__index__` and without dimensions: int, NumPy's integers, arrays and tensors of no
dimension. True and False are not numbers here, and neither are texts and floats.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from numbers import Real
from typing import Any

from .schema import shown
from .versions import ACTION_VERSION as ACTION_VERSION

SEEDS = range(1 << 64)
INDICES = range(1 << 63)
LARGEST = (1 << 31) - 1
COUNTS = range(1, LARGEST)  # of games, threads, deals: from 1


def as_int(value: Any) -> int | None:
    """A whole number as an int; None for anything else."""
    if isinstance(value, bool) or not _is_scalar(value, "int"):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def is_whole(value: Any, allowed: range) -> bool:
    """Whether a value is a whole number in a range of steps of 1."""
    number = as_int(value)
    return number is not None and number in allowed


def checked_int(name: str, value: Any, allowed: range) -> int:
    """A whole number as an int.

    Args:
        name: what the error calls it.
        allowed: a range of steps of 1.

    Raises: ValueError for anything but a whole number of the range.
    """
    number = as_int(value)
    if number is None or number not in allowed:
        raise ValueError(f"{name} must be a whole number {_described(allowed)}, not {shown(value)}")
    return number


def checked_real(name: str, value: Any, low: float, high: float) -> float:
    """A real number as a float.

    Raises: ValueError for anything but a number from `low` to `high`.
    """
    number: float | None = as_int(value)
    if number is None:
        is_real = isinstance(value, Real) and not isinstance(value, bool)
        number = float(value) if is_real or _is_scalar(value, "float") else None
    if number is None or not low <= number <= high:
        raise ValueError(f"{name} must be a number from {low} to {high}, not {shown(value)}")
    return float(number)


def with_ints(value: Any) -> Any:
    """The same data of mappings, lists and tuples, with an int for each whole number in it."""
    if isinstance(value, Mapping):
        return {name: with_ints(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [with_ints(part) for part in value]
    number = as_int(value)
    return value if number is None else number


def _is_scalar(value: Any, kind: str) -> bool:
    # Arrays and tensors name their type; a tensor of truth values would pass as an index.
    dtype = getattr(value, "dtype", None)
    return getattr(value, "ndim", 0) == 0 and (kind == "int" if dtype is None else kind in str(dtype))


def _described(allowed: range) -> str:
    if allowed in (SEEDS, INDICES):
        return f"from {allowed.start} below 2**{allowed.stop.bit_length() - 1}"
    return f"from {allowed.start}" + (f" to {allowed[-1]}" if allowed.stop < LARGEST else "")


def whole(action: Any, count: int) -> int:
    """The action as an int; -1 for anything that is not one of `count` actions."""
    number = action if type(action) is int else as_int(action)  # the first is checked at every step
    return number if number is not None and 0 <= number < count else -1
