"""A match as it goes on: the part of a state that moves change."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.compiled.jit import kernel
from ...engine.state import MAX_PLAYERS
from ...environment.rewards import pay_round
from ...extensive_form.information_state import information_state
from ...game.game import Game


class Match:
    """A dealt game, what its seats knew of the rounds before, and what these paid. OpenSpiel copies states deeply.

    Args:
        past: for every round before, the information state of each seat at its end.
        paid: float64[seats], or 0.
    """

    def __init__(self, game: Game, past: tuple[list[str], ...] = (), paid: Any = 0.0) -> None:
        self.game, self.past, self.paid = game, past, paid

    def __deepcopy__(self, memo: Any) -> Match:
        return self.of(self.game.copy())

    def of(self, game: Game) -> Match:
        """A match with the same past."""
        return Match(game, self.past, self.paid)

    def play(self, move: str, reward: int) -> None:
        """Take a move; after the last of a round all are paid, and the next round is dealt."""
        game = self.game
        game.play(move)
        if not game.round_over:
            return
        paid = np.zeros(MAX_PLAYERS)
        _pay(game.records, reward, paid)
        self.paid = self.paid + paid
        if not game.over:
            self.past = (*self.past, [information_state(game, seat) for seat in range(game.rules.players)])
            game.next_round()

    def information_state(self, seat: int) -> str:
        """All that a seat has known so far."""
        return "\n".join([*(texts[seat] for texts in self.past), information_state(self.game, seat)])


@kernel
def _pay(games: Any, reward: int, paid: Any) -> None:
    pay_round(games[0], reward, paid)
