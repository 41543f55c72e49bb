"""Counter-based random numbers: a function of a key, the same on every machine, thread and process.

The numbers are SplitMix64's (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
OOPSLA 2014): the n-th number of a key is a mix of ``key + n * GOLDEN``. Keys come from (seed, round,
purpose), so no deal depends on how many numbers an earlier round or another purpose used.

This module names all purposes: those of random numbers inside a match, and those of whole deals.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .compiled.jit import ONE, ZERO, kernel

DEAL_ROLES, GOALS, DECK, GOLD, FIRST_SEAT, FRESH = range(6)  # FRESH: the seed of a resampled game's later rounds

# These stand in a key where a deal has its round; AGENTS to LEARNER_SEAT are added to the round.
RESAMPLED, IMAGINED = 64, 65
AGENTS, EMBEDDED, SUBSTITUTES, MIXTURES, LEARNER_SEAT = 100, 200, 300, 600, 700
SEAT_DRAWS, SAMPLED, RANDOM_MOVES = 400, 500, 501


GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MUL1, _MUL2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_27, _30, _31, _32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@kernel
def mix(word: np.uint64) -> np.uint64:
    """A bijection of 64-bit words in which every output bit depends on every input bit."""
    word = (word ^ (word >> _30)) * _MUL1
    word = (word ^ (word >> _27)) * _MUL2
    return word ^ (word >> _31)


@kernel
def key(seed: np.uint64, first: int, second: int) -> np.uint64:
    """The key of a stream of numbers, from a seed and two small numbers such as round and purpose."""
    return mix(mix(mix(seed + GOLDEN) + np.uint64(first) + GOLDEN) + np.uint64(second) + GOLDEN)


@kernel
def number(random_key: np.uint64, counter: np.uint64) -> np.uint64:
    """The number at place `counter` of a stream: 64 even bits."""
    return mix(random_key + counter * GOLDEN)


@kernel
def below(random_key: np.uint64, counter: np.uint64, bound: int) -> tuple[int, np.uint64]:
    """An even choice of 0 … bound-1, and the counter to go on with. Requires: 0 < bound < 2**32.

    Lemire's multiplication with rejection ("Fast random integer generation in an interval", 2019).
    """
    size = np.uint64(bound)
    product = (number(random_key, counter) >> _32) * size
    counter += ONE
    if product & _LOW < size:  # rare, and the only case that needs the slow remainder
        threshold = (_LOW + ONE) % size
        while product & _LOW < threshold:
            product = (number(random_key, counter) >> _32) * size
            counter += ONE
    return np.int64(product >> _32), counter


@kernel
def shuffle(cards: npt.NDArray[np.int8], size: int, random_key: np.uint64) -> None:
    """Fisher-Yates on the first `size` entries. Mutates: cards."""
    counter = ZERO
    for last in range(size - 1, 0, -1):
        pick, counter = below(random_key, counter, last + 1)
        held = cards[last]
        cards[last] = cards[pick]
        cards[pick] = held
