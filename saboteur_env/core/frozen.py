"""Immutable settings: equal by value, with a hash, and still plain JSON."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields
from typing import Any, NoReturn

import numpy as np


class FrozenDict(dict[str, Any]):
    """A dict that stays as it was made, and all within it; the order of its keys does not count.

    >>> options = FrozenDict({"goal_cells": [[3, 0]], "draft": True})
    >>> options
    {'goal_cells': [[3, 0]], 'draft': True}
    >>> options == FrozenDict({"draft": True, "goal_cells": ((3, 0),)})
    True
    """

    def __init__(self, items: Mapping[str, Any] | Iterable[tuple[str, Any]] = ()) -> None:
        super().__init__({name: frozen(value) for name, value in dict(items).items()})

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and super().__eq__(FrozenDict(other))

    __ne__ = object.__ne__

    def __repr__(self) -> str:
        return repr(thawed(self))

    def __copy__(self) -> FrozenDict:
        return self

    def __deepcopy__(self, memo: object) -> FrozenDict:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("settings cannot be changed; dataclasses.replace() makes others from them")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse


def freeze(settings: Any) -> None:
    """Freeze what the caller gave to a frozen dataclass; call it in `__post_init__`. Mutates: settings."""
    for field in fields(settings):
        object.__setattr__(settings, field.name, frozen(getattr(settings, field.name)))


def frozen(value: Any) -> Any:
    """The same value, immutable: mappings as `FrozenDict`s, lists and arrays as tuples."""
    if isinstance(value, FrozenDict | str | bytes):
        return value
    if isinstance(value, Mapping):
        return FrozenDict(value)
    if isinstance(value, np.generic | np.ndarray):
        return frozen(value.tolist())
    is_many = isinstance(value, Collection) and getattr(value, "ndim", 1) > 0  # a tensor may have no dimension
    return tuple(map(frozen, value)) if is_many else value


def thawed(value: Any) -> Any:
    """The same value as plain dicts and lists."""
    if isinstance(value, Mapping):
        return {name: thawed(part) for name, part in value.items()}
    return [*map(thawed, value)] if isinstance(value, tuple) else value
