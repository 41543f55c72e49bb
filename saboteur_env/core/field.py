"""One array of an observation: its name, shape and range, and the flat vector that holds several."""

from __future__ import annotations

from dataclasses import dataclass
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
