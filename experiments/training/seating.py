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
    """

    def __init__(
        self, opponents: Opponents, vec: Any, rng: np.random.Generator, snapshots: Snapshots | None = None
    ) -> None:
        self.opponents, self.rng, self._pool = opponents, rng, vec.enroll(opponents.specs)
        self.snapshots = snapshots or Snapshots(League())
        games = np.arange(vec.num_games)
        self.after_step(vec, games)
        vec.begin(vec.episode)
        self.after_step(vec, games)

    def after_step(self, vec: Any, games: npt.NDArray[np.int64]) -> None:
        """Draw for the next rounds of these games, whose present ones have just been dealt.

        Args:
            vec: the batch; games: int64[k], indices of its games.

        A side is the learner's by role, as roles are not dealt yet; the batch lets it play the other one where a table
        has nobody of that role.
        """
        if len(games) == 0:
            return
        limits = np.cumsum([*self.opponents.each, *self.snapshots.league.each])
        kind = np.searchsorted(limits, self.rng.random((len(games), 1, 1)), "right")
        coin = self.rng.random((len(games), 1, MAX_PLAYERS)) < 0.5
        scripted, past = (self.rng.choice(pool, (len(games), 1, 1)) for pool in self._pools())
        against, side = np.moveaxis(ROUND_KINDS[kind], -1, 0)
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

    def _pools(self) -> tuple[list[int], list[int]]:
        return self._pool or [LEARNER], list(self.snapshots.taken) or [LEARNER]
