"""The legal actions of a batch as rows of numbers, and choices from them: by number, by place, at random."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..engine.cards import KINDS, LIE_OF_KIND, PATH_KINDS, ROCKFALL
from ..engine.editions import Rules
from .chance import below
from .jit import kernel
from .memory import LINE

PER_LINE = LINE // np.dtype(np.int32).itemsize


def whole_numbers(name: str, values: npt.ArrayLike, games: int) -> npt.NDArray[np.int64]:
    """One number for each game as int64[games]. Raises: ValueError for anything but whole numbers [games]."""
    try:
        given = np.asarray(values)
    except ValueError as error:  # lists of several lengths
        raise ValueError(f"{name} must be {games} whole numbers: {error}") from None
    if given.shape != (games,) or given.dtype.kind not in "iu":
        raise ValueError(f"{name} must be {games} whole numbers, not {given.dtype} of shape {given.shape}")
    return np.ascontiguousarray(given, np.int64)


@kernel
def places_of(actions: Any, legal: Any, counts: Any) -> Any:
    """The place of each game's action among its legal ones: int64[n], -1 where it is none of them."""
    places = np.empty(len(actions), np.int64)
    for i in range(len(actions)):
        action, found = actions[i], -1
        for j in range(counts[i]):
            found = max(found, j if legal[i, j] == action else -1)  # a way out of the loop would be mispredicted
        places[i] = found
    return places


@kernel
def all_listed(places: Any, counts: Any) -> bool:
    """Whether every game has a legal action at its place."""
    listed = True
    for i in range(len(places)):
        listed &= (places[i] >= 0) & (places[i] < counts[i])
    return listed


@kernel
def random_places(counts: Any, seed: np.uint64) -> Any:
    """A random place among the legal actions of every game: int64[n]."""
    places = np.empty(len(counts), np.int64)
    for i in range(len(counts)):
        places[i], _ = below(seed, np.uint64(i), np.int64(counts[i]))
    return places


@kernel
def sample(legal: Any, counts: Any, seed: np.uint64) -> Any:
    """The legal action at a random place of every game: int64[n]."""
    actions = random_places(counts, seed)
    for i in range(len(actions)):
        actions[i] = legal[i, actions[i]]
    return actions


def row_length(rules: Rules) -> int:
    """Room for more legal actions than any position of these rules has.

    In whole cache lines, and an odd number of them: rows an even number apart fight for the same places in a cache.
    """
    most = open_sides(rules) * min(26, 2 * rules.hand_size)
    most += sum(rules.deck[:PATH_KINDS]) + 12 * rules.players + 3 + len(KINDS)
    return (-(-most // PER_LINE) | 1) * PER_LINE


def open_sides(rules: Rules) -> int:
    """No mine has more open sides towards empty cells.

    The start has four, a stone two. A card of n sides covers one of them and adds n - 1 at most; a rockfall opens the
    sides around it, four at most.
    """
    sides = [int(lie & 15).bit_count() for lie in LIE_OF_KIND]
    laid = sum(copies * max(0, n - 2) for copies, n in zip(rules.deck, sides, strict=False))
    return 4 + 2 * len(rules.goal_cells) + 4 * rules.deck[ROCKFALL] + laid
