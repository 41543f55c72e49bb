"""The legal actions of a batch as rows of numbers, and selections from them: by number, by index, at random."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .compiled.jit import kernel
from .prng import below


def as_int_array(name: str, values: npt.ArrayLike, games: int) -> npt.NDArray[np.int64]:
    """One number for each game as int64[games].

    Args:
        name: what the error calls them.
        values: whole numbers [games].

    Raises: ValueError for anything else.
    """
    try:
        given = np.asarray(values)
    except ValueError as error:  # lists of several lengths
        raise ValueError(f"{name} must be {games} whole numbers: {error}") from None
    if given.shape != (games,) or given.dtype.kind not in "iu":
        raise ValueError(f"{name} must be {games} whole numbers, not {given.dtype} of shape {given.shape}")
    return np.ascontiguousarray(given, np.int64)


@kernel
def indices_of(actions: Any, legal: Any, counts: Any) -> Any:
    """The index of each game's action among its legal ones: int64[n], -1 where it is none of them."""
    indices = np.empty(len(actions), np.int64)
    for i in range(len(actions)):
        action, result = actions[i], -1
        for j in range(counts[i]):
            result = max(result, j if legal[i, j] == action else -1)  # a way out of the loop would be mispredicted
        indices[i] = result
    return indices


@kernel
def all_legal(indices: Any, counts: Any) -> bool:
    """Whether every game has a legal action at its index."""
    listed = True
    for i in range(len(indices)):
        listed &= (indices[i] >= 0) & (indices[i] < counts[i])
    return listed


@kernel
def random_indices(counts: Any, seed: np.uint64) -> Any:
    """A random index into the legal actions of every game: int64[n]."""
    indices = np.empty(len(counts), np.int64)
    for i in range(len(counts)):
        indices[i], _ = below(seed, np.uint64(i), np.int64(counts[i]))
    return indices


@kernel
def sample(legal: Any, counts: Any, seed: np.uint64) -> Any:
    """The legal action at a random place of every game: int64[n]."""
    actions = random_indices(counts, seed)
    for i in range(len(actions)):
        actions[i] = legal[i, actions[i]]
    return actions
