"""Where the learner sits: at a seat, at one seat of a role, or at all seats of a team."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..batch.opponents import TEAMS, Lineup, as_controllers
from ..batch.seats import LEARNER
from ..batch.vector import Vec
from ..core.checks import as_int
from ..core.schema import shown
from ..engine.cards import ROLES


class Learner(NamedTuple):
    """The seats of a learner.

    Attributes:
        seat: its seat in every round; -1 where roles say where it sits.
        role: the role of its one seat, or of its team; -1 for a seat.
        team: whether it plays all seats of that role.
    """

    seat: int = 0
    role: int = -1
    team: bool = False

    @classmethod
    def of(cls, said: Any, players: int) -> Learner:
        """The learner at a seat by its number, by a role (`miner`), or by a team (`miners`).

        Args:
            players: at the smallest table.

        Raises: ValueError for anything else.
        """
        if isinstance(said, str) and said in ROLES:
            return cls(-1, ROLES.index(said))
        if isinstance(said, str) and said in TEAMS:
            return cls(-1, TEAMS.index(said), True)
        seat = as_int(said)
        if seat is None or seat not in range(players):
            names = ", ".join([*ROLES, *TEAMS])
            raise ValueError(f"learner must be a seat from 0 to {players - 1}, or one of {names}, not {shown(said)}")
        return cls(seat)

    def seat_among(self, opponents: Any, vec: Vec) -> None:
        """Seat it and its opponents in a batch, from the next deal of each game on.

        Raises: ValueError for opponents that nobody understands, or named seat by seat where the learner has no seat.
        """
        lineup = Lineup.of(opponents, int(vec.players.max()) - 1 if self.seat >= 0 else 1)
        others = as_controllers(vec.enroll(lineup.specs), lineup)
        if self.seat >= 0:
            vec.control(np.array([self._clockwise(others, players) for players in vec.players.tolist()]))
            return
        if self.team:
            others[self.role] = LEARNER
        by_game = np.broadcast_to(others, (vec.num_games, *others.shape))
        vec.control(by_game, -1 if self.team else self.role)

    def _clockwise(self, others: npt.NDArray[np.int64], players: int) -> npt.NDArray[np.int64]:
        table = np.roll(others, 1, axis=1)
        table[:, 0] = LEARNER
        table[:, :players] = np.roll(table[:, :players], self.seat, axis=1)
        return table

    def reward(self, vec: Any) -> npt.NDArray[np.float32]:
        """What it was paid by the last step: float32[n]."""
        paid: npt.NDArray[np.float32] = vec.earned if self.seat < 0 else vec.reward[:, self.seat].copy()
        return paid
