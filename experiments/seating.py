"""Who plays which seat of self-play, fixed for a whole round: the learner everywhere, or one side against an opponent.

Controller 0 is the learner, k > 0 the k-th frozen network, below 0 a dwarf of the roster inside the batch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.agents.roster import number_of
from saboteur_env.engine.cards import MINER, SABOTEUR
from saboteur_env.engine.state import MAX_PLAYERS
from saboteur_env.privileged import next_roles, roles_dealt

from .rollout import LEARNER


@dataclass(frozen=True)
class Opponents:
    """How rounds are shared out. What is left of 1 is self-play of all seats.

    Args:
        miners: share of rounds in which the learner plays the miners against an opponent's saboteurs.
        saboteurs: share in which it plays the saboteurs.
        mixed: share in which every seat is the learner's or an opponent's by lot.
        pool: the opponents, drawn evenly: dwarfs of the roster.

    Raises: ValueError for shares that are none, and for opponents nobody knows.
    """

    miners: float = 0.0
    saboteurs: float = 0.0
    mixed: float = 0.0
    pool: tuple[str, ...] = ("scripted",)

    def __post_init__(self) -> None:
        shares = [self.miners, self.saboteurs, self.mixed]
        if min(shares) < 0 or sum(shares) > 1 or (max(shares) > 0 and not self.pool):
            raise ValueError(f"opponents: miners, saboteurs and mixed are shares of 1 with a pool, not {self}")
        for name in self.pool:
            number_of(name)

    @property
    def controllers(self) -> list[int]:
        """The pool as `Vec.control` knows it."""
        return [-1 - number_of(name) for name in self.pool]


class Seating:
    """Draws who plays, round by round.

    Args:
        vec: the batch, whose games are begun anew.
    """

    def __init__(self, opponents: Opponents, vec: Any, rng: np.random.Generator) -> None:
        self.opponents, self.rng = opponents, rng
        games = np.arange(vec.num_games)
        self._seat(vec, games, roles_dealt(vec.records))
        vec.begin(vec.episode)
        self.after_step(vec, games)

    def after_step(self, vec: Any, games: npt.NDArray[np.int64]) -> None:
        """Draw for the next rounds of these games, whose present ones have just been dealt."""
        if len(games):
            self._seat(vec, games, next_roles(vec.records, games, vec.seed, vec.episode))

    def _seat(self, vec: Any, games: npt.NDArray[np.int64], roles: npt.NDArray[np.int8]) -> None:
        one, lot = self.opponents, self.rng.random((len(games), 1))
        coin = self.rng.random((len(games), MAX_PLAYERS)) < 0.5
        rival = self.rng.choice([LEARNER, *one.controllers][-max(1, len(one.pool)) :], (len(games), 1))
        parts = np.cumsum([one.miners, one.saboteurs, one.mixed])
        learns = np.select(
            [lot < parts[0], lot < parts[1], lot < parts[2]], [roles == MINER, roles == SABOTEUR, coin], True
        )
        seated = np.arange(MAX_PLAYERS) < vec.players[games, None]
        learns |= ~(learns & seated).any(1, keepdims=True)
        controller = vec.controller.copy()
        controller[games] = np.where(learns, LEARNER, rival)
        vec.control(controller)
