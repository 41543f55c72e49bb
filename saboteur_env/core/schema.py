"""Schemas of JSON data, and all validation errors of a value, in words.

A shape is a dict (keys that must be there; a key ending in `?` may be missing; others are ignored), a
list with one shape (any number of these), a tuple of shapes (exactly these), or a `Kind`.
"""

from __future__ import annotations

import json
import reprlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Type:
    """A set of plain values: what they are called, and which they are."""

    name: str
    holds: Callable[[Any], bool]


def whole(low: int, high: int) -> Type:
    """A whole number from low to high."""
    return Type(f"a whole number from {low} to {high}", lambda value: type(value) is int and low <= value <= high)


def one_of(what: str, values: Iterable[Any]) -> Type:
    """One of a few values, of the same type."""
    allowed = list(values)
    return Type(what, lambda value: any(type(value) is type(other) and value == other for other in allowed))


def among(value: Any, names: Iterable[Any]) -> bool:
    """Whether a setting is one of a few names, None, True or False; what `==` would answer is not asked of others."""
    return any(value is name or (isinstance(value, str) and value == name) for name in names)


def either(*shapes: Any) -> Type:
    """What fits one of several shapes."""
    name = " or ".join(_describe(shape) for shape in shapes)
    return Type(name, lambda value: any(not validation_errors(value, shape) for shape in shapes))


def only(shape: dict[str, Any]) -> Type:
    """An object with these keys and no others."""
    return Type(_describe(shape), lambda value: not validation_errors(value, shape) and set(value) <= set(shape))


ANY_OBJECT = Type("an object", lambda value: isinstance(value, dict))
TEXT = Type("a text", lambda value: isinstance(value, str))
BOOLEAN = Type("true or false", lambda value: isinstance(value, bool))
NULL = Type("null", lambda value: value is None)


def validation_errors(value: Any, shape: Any, where: str = "") -> list[str]:
    """Every place where `value` departs from `shape`, in words."""
    if isinstance(shape, Type):
        return [] if shape.holds(value) else [f"{where or 'the value'} must be {shape.name}, not {shown(value)}"]
    if not isinstance(value, dict if isinstance(shape, dict) else list):
        return [f"{where or 'the whole'} must be {_describe(shape)}, not {shown(value)}"]
    if isinstance(shape, dict):
        return _keys(value, shape, where)
    if isinstance(shape, tuple) and len(value) != len(shape):
        return [f"{where} must be {_describe(shape)}, not {shown(value)}"]
    parts = shape if isinstance(shape, tuple) else shape * len(value)
    return [
        fault
        for i, (part, wanted) in enumerate(zip(value, parts, strict=True))
        for fault in validation_errors(part, wanted, f"{where}[{i}]")
    ]


def _keys(value: Any, shape: dict[str, Any], where: str) -> list[str]:
    faults = []
    for key, wanted in shape.items():
        name = key.removesuffix("?")
        path = f"{where}.{name}" if where else name
        if name in value:
            faults += validation_errors(value[name], wanted, path)
        elif name == key:
            faults.append(f"{path} is missing")
    return faults


def _describe(shape: Any) -> str:
    if isinstance(shape, Type):
        return shape.name
    if isinstance(shape, dict):
        return "an object with " + ", ".join(key.removesuffix("?") for key in shape)
    if isinstance(shape, tuple):
        return "a list of " + ", ".join(_describe(part) for part in shape)
    return "a list"


def shown(value: Any) -> str:
    """A value as messages show it: bounded in length and depth, and whatever it is."""
    try:
        return " ".join(reprlib.repr(value).split())
    except ValueError:  # a whole number of more digits than Python writes
        return f"a value of type {type(value).__name__}"


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 card`, `6 cards`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def read_json(text: str | bytes, what: str) -> Any:
    """The data of a JSON text. Raises: ValueError that calls it a bad `what`."""
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError(f"bad {what}: this is no JSON text ({error})") from None


def raise_if_any(result: list[str], what: str) -> None:
    """Raises: ValueError that names every fault found in a bad `what`; nothing where none is."""
    if result:
        raise ValueError(f"bad {what}: " + "; ".join(result))
