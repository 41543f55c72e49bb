"""Controllers of the seats in self-play, fixed for a round: the learner everywhere, or one side against an opponent.

Controller 0 is the learner, k > 0 the snapshot of that number, below 0 a preset dwarf inside the batch.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.batch.seats import LEARNER
from saboteur_env.engine.cards import MINER, SABOTEUR
from saboteur_env.engine.state import MAX_PLAYERS

from .opponents import League, Opponents, Snapshots
from .priorities import Priorities


class Rival(IntEnum):
    """Against whom a round is played."""

    SCRIPTED = 0
    PAST = 1
    NOBODY = 2


class Learns(IntEnum):
    """Which seats of a round are the learner's."""

    MINERS = 0
    SABOTEURS = 1
    MIXED = 2
    SEAT = 3
    ALL = 4


# The kinds of rounds in the order of their shares (opponents.py); what these leave of 1 is the last.
ROUND_KINDS = np.array(
    [
        (rival, side)
        for rival in (Rival.SCRIPTED, Rival.PAST)
        for side in (Learns.MINERS, Learns.SABOTEURS, Learns.MIXED, Learns.SEAT)
    ]
    + [(Rival.NOBODY, Learns.ALL)]
)
ROLE = np.array([[MINER], [SABOTEUR]])


class Seating:
    """Draws who plays, round by round.

    Args:
        vec: the batch, whose games are begun again.
        snapshots: of the learner; none and no rounds against them if not given.

    Attributes:
        priorities: what opponents have won against the learner on this batch; None where they are drawn evenly.
    """

    def __init__(
        self, opponents: Opponents, vec: Any, rng: np.random.Generator, snapshots: Snapshots | None = None
    ) -> None:
        self.opponents, self.rng, self._pool = opponents, rng, vec.enroll(opponents.specs)
        self.snapshots = snapshots or Snapshots(League())
        self.priorities = Priorities(self._pool, opponents.priority) if opponents.priority and self._pool else None
        games = np.arange(vec.num_games)
        self._draw(vec, games)
        vec.begin(vec.episode)
        self._draw(vec, games)
        if self.priorities:
            self.priorities.see(vec)

    def after_step(self, vec: Any, games: npt.NDArray[np.int64]) -> None:
        """Draw for the next rounds of these games, whose present ones have just been dealt.

        Args:
            vec: the batch; games: int64[k], indices of its games.
        """
        if len(games) == 0:
            return
        if self.priorities:
            self.priorities.after_step(vec)
        self._draw(vec, games)

    def _draw(self, vec: Any, games: npt.NDArray[np.int64]) -> None:
        # A side is the learner's by role, as roles are not dealt yet; the batch lets it play the other one where a
        # table has nobody of that role.
        limits = np.cumsum([*self.opponents.each, *self.snapshots.league.each])
        kind = np.searchsorted(limits, self.rng.random((len(games), 1, 1)), "right")
        coin = self.rng.random((len(games), 1, MAX_PLAYERS)) < 0.5
        against, side = np.moveaxis(ROUND_KINDS[kind], -1, 0)
        scripted = self._opponents_of(side)
        past = self.rng.choice(list(self.snapshots.taken) or [LEARNER], side.shape)
        sides = [side == learns for learns in (Learns.ALL, Learns.MINERS, Learns.SABOTEURS, Learns.SEAT)]
        learns = np.select(sides, [np.True_, ROLE == MINER, ROLE == SABOTEUR, self._one_seat(vec, games, side)], coin)
        seated = np.arange(MAX_PLAYERS) < vec.players[games, None, None]
        learns |= ~(learns & seated).any((1, 2), keepdims=True)
        controller = vec.controller.copy()
        controller[games] = np.where(learns, LEARNER, np.where(against == Rival.SCRIPTED, scripted, past))
        vec.control(controller)

    def _one_seat(self, vec: Any, games: npt.NDArray[np.int64], side: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        # bool[k, 1, 10]; nothing is drawn in runs without such rounds, so that their curves stay as they were.
        if not (side == Learns.SEAT).any():
            return np.zeros((len(games), 1, MAX_PLAYERS), np.bool_)
        return np.arange(MAX_PLAYERS) == self.rng.integers(vec.players[games])[:, None, None]

    def _opponents_of(self, side: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        # One for each round, [k, 1, 1], by which seats are the learner's.
        if self.priorities is None:
            return self.rng.choice(self._pool or [LEARNER], side.shape)
        chances = self.priorities.chances
        by_role = [chances[SABOTEUR], chances[MINER], chances.mean(0)]
        saboteurs, miners, both = (self.rng.choice(self._pool, side.shape, p=chance) for chance in by_role)
        return np.select([side == Learns.MINERS, side == Learns.SABOTEURS], [saboteurs, miners], both)
