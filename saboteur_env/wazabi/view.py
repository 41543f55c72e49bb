"""The view of one seat: what it may know. Only this module removes secrets (Wazabi 5)."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.schema import counted
from .engine.cards import FACES, KINDS
from .engine.legal import MAX_MOVES, legal_moves
from .engine.moves import text_of
from .engine.rules import Rules
from .engine.state import Games

if TYPE_CHECKING:
    from .game import Game


class View:
    """The view of one seat: what it may know of a game at one moment, and nothing else.

    Attributes:
        rules: the settings of the match, known to all.
        seat: whose eyes these are.
        public: a copy of the `PUBLIC` record (state.py).
        private: a copy of this seat's `PRIVATE` record.
    """

    def __init__(self, rules: Rules, public: Any, private: Any, seat: int) -> None:
        self.rules, self.public, self.private, self.seat = rules, public, private, seat

    @classmethod
    def of(cls, games: Games, rules: Rules, seat: int) -> View:
        """The view of `seat` in the first game of an array."""
        return cls(rules, games[0].public.copy(), games[0].private[seat].copy(), seat)

    __copy__ = deepcopy  # records can be changed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.rules, self.seat, self.public.tobytes(), self.private.tobytes()

    def __str__(self) -> str:
        """A line for each seat: its dice, its cards, and those of them that this seat is sure of."""
        lines = [repr(self)]
        for seat, (dice, cards, known) in enumerate(zip(self.dice, self.hand_sizes, self.known, strict=True)):
            mark = ">" if seat == self.turn and not self.public.over else " "
            hidden = ["?"] * (cards - len(known))
            lines.append(f"{mark}{seat} {'o' * dice} [{' '.join([*known, *hidden])}]")
        return "\n".join(lines)

    def __repr__(self) -> str:
        held, dice = counted(len(self.hand), "card"), self.dice[self.seat]
        return f"<Wazabi view of seat {self.seat} of {self.rules.players}, {held}, {dice} dice>"

    @property
    def turn(self) -> int:
        """The seat that decides next."""
        return int(self.public.seat)

    @property
    def hand(self) -> list[str]:
        """The cards held, equal ones as often as held."""
        return self.known[self.seat]

    @property
    def known(self) -> list[list[str]]:
        """For each seat the cards that this one is sure of in its hand."""
        return [names_of(row) for row in self.private.known[: self.rules.players]]

    @property
    def hand_sizes(self) -> list[int]:
        """How many cards each seat holds."""
        return self.public.hand_count[: self.rules.players].tolist()

    @property
    def dice(self) -> list[int]:
        """How many dice each seat has."""
        return self.public.dice[: self.rules.players].tolist()

    @property
    def rolled(self) -> dict[str, int]:
        """How many dice of this turn's roll show each face."""
        return dict(zip(FACES, self.public.rolled.tolist(), strict=True))

    @property
    def discards(self) -> list[str]:
        """The discarded cards, sorted by kind."""
        return names_of(self.public.discards)

    def resample(self, seed: int) -> Game:
        """A whole game sampled from this view alone. Its seat cannot tell it from the real one (resample.py).

        Raises: ValueError for a bad seed.
        """
        from .game import Game

        return Game.of_view(self, seed)

    def legal_moves(self) -> list[str]:
        """The legal moves as texts in plain string order; empty unless this seat is to move."""
        return sorted(text_of(int(number)) for number in self.legal_numbers())

    def legal_numbers(self) -> np.ndarray[Any, np.dtype[np.int32]]:
        """The legal moves as numbers (moves.py), int32[count]; none unless this seat is to move."""
        moves = np.empty(MAX_MOVES, np.int32)
        return moves[: legal_moves(self.public, self.private, moves) if self.turn == self.seat else 0]


def names_of(counts: Any) -> list[str]:
    """The names of counted cards, each as often as counted."""
    return [name for name, copies in zip(KINDS, counts, strict=True) for _ in range(copies)]
