"""Seeds of matches: which values are valid, and the seed of a game of a batch."""

from __future__ import annotations

import secrets
from enum import IntEnum
from typing import Any

import numpy as np

from .checks import INDICES, SEEDS, as_int, checked_int
from .prng import key
from .schema import shown
from .versions import ACTION_VERSION as ACTION_VERSION


def checked_seed(seed: Any) -> int:
    """A seed, drawn by the system where it is None.

    Raises: ValueError for anything but a whole number from 0 below 2**64.
    """
    if seed is None:
        return secrets.randbits(64)
    number = as_int(seed)
    if number is None or number not in SEEDS:
        raise ValueError(f"a seed is a whole number from 0 below 2**64, not {shown(seed)}")
    return number


class Purpose(IntEnum):
    """The purpose of deals. No two purposes share a deal, so every evaluation uses deals that no fit has used."""

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
    EXPLOIT = 12  # what a best response gains
    BENCHMARK = 13  # the frozen tasks of the benchmark
    TALK = 14  # what talk is worth


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
