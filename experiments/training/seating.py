"""Who plays which seat of self-play, fixed for a whole round: the learner everywhere, or one side against an opponent.

Controller 0 is the learner, k > 0 the snapshot of that number, below 0 a dwarf of the roster inside the batch.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.engine.cards import MINER, SABOTEUR
from saboteur_env.engine.state import MAX_PLAYERS
from saboteur_env.environment.privileged import next_roles, roles_dealt

from .opponents import League, Opponents
from .rollout import LEARNER
from .snapshots import Snapshots


class Seating:
    """Draws who plays, round by round.

    Args:
        vec: the batch, whose games are begun anew.
        snapshots: of the learner; none and no rounds against them if not given.
    """

    def __init__(
        self, opponents: Opponents, vec: Any, rng: np.random.Generator, snapshots: Snapshots | None = None
    ) -> None:
        self.opponents, self.rng = opponents, rng
        self.snapshots = snapshots or Snapshots(League())
        games = np.arange(vec.num_games)
        self._seat(vec, games, roles_dealt(vec.records))
        vec.begin(vec.episode)
        self.after_step(vec, games)

    def after_step(self, vec: Any, games: npt.NDArray[np.int64]) -> None:
        """Draw for the next rounds of these games, whose present ones have just been dealt."""
        if len(games):
            self._seat(vec, games, next_roles(vec.records, games, vec.seed, vec.episode))

    def _seat(self, vec: Any, games: npt.NDArray[np.int64], roles: npt.NDArray[np.int8]) -> None:
        limits = np.cumsum([*self.opponents.each, *self.snapshots.league.each])
        kind = np.searchsorted(limits, self.rng.random((len(games), 1)), "right")  # 6: self-play of all seats
        coin = self.rng.random((len(games), MAX_PLAYERS)) < 0.5
        scripted, past = (self.rng.choice(pool, (len(games), 1)) for pool in self._pools())
        rival = np.where(kind < 3, scripted, past)
        learns = np.select([kind == 6, kind % 3 == 0, kind % 3 == 1], [True, roles == MINER, roles == SABOTEUR], coin)
        seated = np.arange(MAX_PLAYERS) < vec.players[games, None]
        learns |= ~(learns & seated).any(1, keepdims=True)
        controller = vec.controller.copy()
        controller[games] = np.where(learns, LEARNER, rival)
        vec.control(controller)

    def _pools(self) -> tuple[list[int], list[int]]:
        return self.opponents.controllers or [LEARNER], list(self.snapshots.taken) or [LEARNER]
