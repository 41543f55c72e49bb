"""Arrays of an observation: their names, shapes, ranges and rows, and the flat vector that holds several."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Field:
    """One array of an observation: int8 of this shape, values from low to high."""

    name: str
    shape: tuple[int, ...]
    low: int
    high: int
    meaning: str
    parts: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


def named_rows(**rows: str | tuple[str, ...]) -> tuple[Any, tuple[str, ...]]:
    """Rows of an array, declared by name: where each begins, for kernels too, and what they mean, in order.

    >>> at, meanings = named_rows(seated="seated", broken=("broken pickaxe", "broken cart"), cards="cards in hand")
    >>> at.broken, at.cards, meanings[2]
    (1, 3, 'broken cart')
    """
    meanings = {name: (meaning,) if isinstance(meaning, str) else meaning for name, meaning in rows.items()}
    indices = _places({name: len(selected) for name, selected in meanings.items()})
    return indices, tuple(meaning for selected in meanings.values() for meaning in selected)


def first_places(fields: tuple[Field, ...]) -> Any:
    """Where each of these fields begins in their flat vector, by name, for kernels too."""
    return _places({field.name: field.size for field in fields})


def _places(sizes: Mapping[str, int]) -> Any:
    # A named tuple: compiled code takes its numbers for constants.
    named: Any = namedtuple("Places", sizes)  # type: ignore[misc]  # of names that are read from a table
    return named(*accumulate([0, *sizes.values()][:-1]))


def flat_space(fields: tuple[Field, ...]) -> Any:
    """The flat form of these fields as `gymnasium.spaces.Box`, int8[bytes]."""
    from gymnasium import spaces

    low, high = (
        np.concatenate([np.full(field.size, getattr(field, end), np.int8) for field in fields])
        for end in ("low", "high")
    )
    return spaces.Box(low, high, dtype=np.int8)


def split_fields(fields: tuple[Field, ...], flat: npt.NDArray[np.int8]) -> dict[str, npt.NDArray[np.int8]]:
    """The arrays of a flat vector `int8[..., bytes]` by name, without copying."""
    arrays, first = {}, 0
    for field in fields:
        arrays[field.name] = flat[..., first : first + field.size].reshape(*flat.shape[:-1], *field.shape)
        first += field.size
    return arrays
