"""Rewards: each seat gets its own, for the round, for the match, or for the way that is left.

Rewards of a round are paid to all seats in the step that ends it:

- `side`: +1 for the winning side's dwarfs, -1 for the others; without a saboteur at the table an unfound
  treasure is -1 for the miners.
- `zero_sum`: the same, divided by the size of the dwarf's side, so that the sides have equal weight; 0 for
  all if only one side sits at the table.
- `nuggets`: the nuggets that the seat took in the round.
- `match`: at the end of the match 1, shared by those with the most nuggets; 0 for the others.

Shaping adds ``gamma * potential(now) - potential(then)`` between two decisions of a seat, and the potential
of the end is 0, which keeps optimal play optimal (Ng, Harada, Russell, "Policy invariance under reward
transformations", ICML 1999). The potential is the number of path cards still needed to the nearest goal
face down (`public`), or to the treasure (`treasure`, which is privileged), against the miners and for the
saboteurs, as a part of FAR.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.compiled.jit import kernel, separate
from ..engine.cards import MINER, TREASURE
from ..engine.gold import VALUE, nuggets
from ..engine.state import MINERS, SABOTEURS, Private, Public, State
from ..heuristics.card_distance import Scratch, measure
from ..heuristics.flood import ALL_GOALS, FAR

REWARDS = ("side", "zero_sum", "nuggets", "match")
SIDE, ZERO_SUM, NUGGETS, MATCH = range(4)
SHAPINGS = (None, "public", "treasure")
NO_SHAPING, PUBLIC_SHAPING, PRIVILEGED_SHAPING = range(3)


class Wages(NamedTuple):
    """The reward settings: numbers of `REWARDS` and `SHAPINGS`, and the discount of the learner."""

    reward: int
    shaping: int
    gamma: float


@separate
def pay_round(game: State, reward: int, paid: npt.NDArray[np.float64]) -> None:
    """Pay all seats for a round that has just ended.

    Args:
        paid: float64[10], overwritten.
    """
    public, players = game.public, np.int64(game.public.rules.players)
    paid[:] = 0.0
    miners = 0
    for seat in range(players):
        miners += 1 - (np.int64(public.roles) >> seat & 1)
    for seat in range(players):
        private = game.private[seat]
        side = miners if private.role == MINER else players - miners
        won = public.winner == (MINERS if private.role == MINER else SABOTEURS)
        if reward == SIDE:
            paid[seat] = 1.0 if won else -1.0
        elif reward == ZERO_SUM:
            paid[seat] = (1.0 if won else -1.0) / side if side < players else 0.0
        elif reward == NUGGETS:
            paid[seat] = _gold_of_round(public, private, seat)
    if reward == MATCH and public.round_number == public.rules.rounds:
        _pay_match(game, paid)


@kernel
def _gold_of_round(public: Public, private: Private, seat: int) -> int:
    total, index = 0, np.int64(private.gold_count)
    for i in range(public.gold_count - 1, -1, -1):
        if public.gold_round[i] != public.round_number:
            break
        if public.gold_seat[i] == seat:
            index -= 1
            total += private.gold[index] & VALUE
    return total


@kernel
def _pay_match(game: State, paid: npt.NDArray[np.float64]) -> None:
    players, best, winners = np.int64(game.public.rules.players), -1, 0
    for seat in range(players):
        held = nuggets(game.private[seat])
        if held > best:
            best, winners = held, 0
        winners += held == best
    for seat in range(players):
        paid[seat] = 1.0 / winners if nuggets(game.private[seat]) == best else 0.0


@kernel
def potential(game: State, seat: int, shaping: int, scratch: Scratch) -> float:
    """The potential of a seat, from -1 (as bad as can be) to 1.

    Mutates: scratch, a SCRATCH record (heuristics/card_distance.py).
    """
    public = game.public
    measure(public, ALL_GOALS, scratch)
    nearest = FAR
    for goal in range(public.rules.goals):
        if shaping == PUBLIC_SHAPING or game.secret.face[goal] == TREASURE:
            nearest = min(nearest, scratch.now.needed[goal])
    return (-1.0 if game.private[seat].role == MINER else 1.0) * nearest / FAR
