"""Who sits where in a batch: the part of `Vec` that says who plays, and keeps what they played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..engine.editions import Rules
from ..engine.state import MAX_PLAYERS, Games
from ..game.game import Game
from ..game.view import record_of
from .opponents import Lineup, Opponents, as_controllers, numbers_of
from .seats import LEARNER


class Seated:
    """The seats of a batch."""

    num_games: int
    players: npt.NDArray[np.int8]
    _opponents: Opponents
    _records: Games
    _rules: Mapping[int, Rules]
    _results: npt.NDArray[np.void]
    _deals: Games
    _embedded: bool

    if TYPE_CHECKING:

        def _bind(self) -> None: ...
        def close(self) -> None: ...

    def rules(self, index: int) -> Rules:
        """The settings of a game."""
        return self._rules[int(self.players[index])]

    @property
    def records(self) -> Games:
        """The games themselves, STATE[n], secrets included; for checks, not for agents."""
        return self._records

    def game(self, index: int) -> Game:
        """A copy of one game as a checked game, secrets included."""
        return Game.of_records(self._records[index : index + 1].copy(), self.rules(index))

    def transcript(self, index: int) -> str:
        """The running round of a game as a transcript, secrets included, from its deal on.

        It begins where the game stands now in a batch without players made in Python, which keeps no deals.
        """
        now, rules = self._records[index : index + 1], self.rules(index)
        game = Game.of_records((self._deals[index : index + 1] if len(self._deals) else now).copy(), rules)
        public, private = now[0].public, now[0].private
        moves = record_of(public, {seat: private[seat] for seat in range(rules.players)})
        for _, move in moves[int(game.records["public"]["event_count"][0]) :]:
            game.play(move)
        return game.transcript()

    def enroll(self, specs: Sequence[Any]) -> list[int]:
        """The controller of each opponent, by its spec, for arrays that `control` takes.

        Opponents enrolled before that play no seat now and are to play none leave.

        Args:
            specs: names, agents and mixtures as docs/opponents.md lists them; numbers are themselves.

        Raises: ValueError for specs that nobody understands; then nothing has changed.
        """
        in_use = np.union1d(self._results["playing"], self._results["controller"]).tolist()
        numbers = self._opponents.enroll(specs, in_use)
        if self._opponents.players and not len(self._deals):
            self._deals = self._records.copy()
            self.close()
            self._bind()
        return numbers

    def control(self, controller: Any, learner_role: int = -1) -> None:
        """Say who plays each seat from the next deal, or reset, of each game on.

        Args:
            controller: who plays all seats, a list of who plays each, or a dict of either for `miners` and
                `saboteurs`; a number from 0 on is a policy outside, which `step` waits for, all else a spec of an
                opponent inside (docs/opponents.md). Or numbers alone, [10], [n, 10] or by role as well
                (engine/cards.py) [n, 2, 10], those below 0 from `enroll`. A round whose roles leave no seat to
                controller 0 is played by the controllers of the other role, where that leaves it one.
            learner_role: controller 0 takes one seat of this role in every round, besides its own.

        Raises: ValueError for another shape, for an opponent there is not, and for games left without a decision.
        """
        given = numbers_of(controller)
        if given is None:
            lineup = Lineup.of(controller, int(self.players.max()), "controllers")
            given = as_controllers(self.enroll(lineup.specs), lineup)
            given = np.broadcast_to(given, (self.num_games, *given.shape))
        wanted = self._by_role(given)
        self._opponents.check(wanted)
        waits = (wanted == LEARNER).any(1) | self._opponents.outside(wanted).all(1) | (learner_role >= 0)
        if not (waits & (np.arange(MAX_PLAYERS) < self.players[:, None])).any(1).all():
            needed = "every game needs a seat with controller 0 for a role, or from 0 on for both"
            raise ValueError(f"{needed}: otherwise it would never wait for anyone")
        self._results["controller"] = wanted
        self._opponents.seating["learner_role"] = learner_role
        self.__dict__.pop("controller", None)
        self._embedded |= bool((wanted < 0).any())

    def _by_role(self, controller: npt.NDArray[Any]) -> npt.NDArray[Any]:
        n, given = self.num_games, list(controller.shape)
        whole = n, 2, MAX_PLAYERS
        if controller.shape not in ((MAX_PLAYERS,), (n, MAX_PLAYERS), whole):
            raise ValueError(f"controllers must be [10], [{n}, 10] or, by role, {list(whole)}, not {given}")
        return np.broadcast_to(controller if controller.ndim == 3 else controller[..., None, :], whole)
