"""Chance without state: numbers counted off from a key, the same on every machine, thread and process.

The numbers are SplitMix64's (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
OOPSLA 2014): the n-th number of a key is a mix of ``key + n * GOLDEN``. Keys come from (seed, round,
purpose), so no deal depends on how many numbers an earlier round or another purpose used.

All purposes stand here, by name: what chance settles inside a match, and what whole deals are played for.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
import numpy.typing as npt

from .checks import INDICES, SEEDS, checked_int
from .jit import ONE, ZERO, kernel

ROLES, GOALS, DECK, GOLD, FIRST_SEAT, FRESH = range(6)  # FRESH: the seed of a resampled game's later rounds

# These stand in a key where a deal has its round; AGENTS, EMBEDDED and SUBSTITUTES are added to the round.
RESAMPLED, IMAGINED = 64, 65
AGENTS, EMBEDDED, SUBSTITUTES = 100, 200, 300
CASTING, SAMPLED, WHIMS = 400, 500, 501


class Purpose(IntEnum):
    """What deals are played for. No two purposes share a deal: what was fitted is judged on deals it has not seen."""

    LEARNING = 0  # batches, training runs and all that is fitted: the deals of `game_seed` itself
    HELD_OUT = 1  # the log loss of a fitted evaluation
    BELIEFS = 2  # scores of beliefs
    TELLS = 3  # beliefs by kind of saboteur and by kind of act
    TRAINING = 4  # how a run does on the way and at its end
    LEARNED = 5  # learned teams beside scripted ones
    SEARCH = 6  # what searching is worth
    TOURNAMENT = 7
    WIN_RATES = 8
    SCRIPTED = 9  # win rates of all counts in all editions
    FIRST_SEAT = 10
    WINDOWS = 11  # what a smaller board window loses


GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MUL1, _MUL2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_27, _30, _31, _32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@kernel
def mix(word: np.uint64) -> np.uint64:
    """A bijection of 64-bit words in which every output bit hangs on every input bit."""
    word = (word ^ (word >> _30)) * _MUL1
    word = (word ^ (word >> _27)) * _MUL2
    return word ^ (word >> _31)


@kernel
def key(seed: np.uint64, first: int, second: int) -> np.uint64:
    """The key of a stream of numbers, from a seed and two small numbers such as round and purpose."""
    return mix(mix(mix(seed + GOLDEN) + np.uint64(first) + GOLDEN) + np.uint64(second) + GOLDEN)


@kernel
def number(stream: np.uint64, counter: np.uint64) -> np.uint64:
    """The number at place `counter` of a stream: 64 even bits."""
    return mix(stream + counter * GOLDEN)


@kernel
def below(stream: np.uint64, counter: np.uint64, bound: int) -> tuple[int, np.uint64]:
    """An even choice of 0 … bound-1, and the counter to go on with. Requires: 0 < bound < 2**32.

    Lemire's multiplication with rejection ("Fast random integer generation in an interval", 2019).
    """
    size = np.uint64(bound)
    product = (number(stream, counter) >> _32) * size
    counter += ONE
    if product & _LOW < size:  # rare, and the only case that needs the slow remainder
        threshold = (_LOW + ONE) % size
        while product & _LOW < threshold:
            product = (number(stream, counter) >> _32) * size
            counter += ONE
    return np.int64(product >> _32), counter


@kernel
def shuffle(cards: npt.NDArray[np.int8], size: int, stream: np.uint64) -> None:
    """Fisher-Yates on the first `size` entries. Mutates: cards."""
    counter = ZERO
    for last in range(size - 1, 0, -1):
        pick, counter = below(stream, counter, last + 1)
        held = cards[last]
        cards[last] = cards[pick]
        cards[pick] = held


def game_seed(seed: int, index: int, episode: int = 0) -> int:
    """The seed of game `index` of a batch in its `episode`-th episode.

    Raises: ValueError for anything but whole numbers from 0 below 2**64 (the seed) and 2**63 (the others).

    >>> game_seed(3, 0) != game_seed(3, 1) != game_seed(3, 1, episode=1)
    True
    """
    root = np.uint64(checked_int("seed", seed, SEEDS))
    return int(key(root, checked_int("index", index, INDICES), checked_int("episode", episode, INDICES)))


_PURPOSES = (1 << 63) - 1  # in the place of a game's index, which no batch reaches


def deal_seed(seed: int, purpose: Purpose, index: int, cell: int = 0) -> int:
    """The seed of deal `index` among those played for a purpose; of a batch, if the deals are those of a batch.

    Args:
        cell: keeps deals of one purpose apart, as by the number of players.

    Raises: ValueError as `game_seed`.

    >>> deal_seed(3, Purpose.LEARNING, 5, 1) == game_seed(3, 5, episode=1) != deal_seed(3, Purpose.TOURNAMENT, 5, 1)
    True
    """
    return game_seed(game_seed(seed, _PURPOSES, purpose) if purpose else seed, index, cell)
