"""The validated single game, played with move texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.checks import as_int
from ..core.compiled.jit import kernel
from ..core.schema import shown
from ..core.seeds import checked_seed
from .engine.legal import MAX_MOVES, legal_moves
from .engine.moves import IllegalMove, parse, text_of
from .engine.play import next_game, play_unchecked, start_match
from .engine.rules import Rules
from .engine.state import Games, blank
from .positions import from_json, to_json
from .refusals import explain_illegal
from .resample import resampled
from .view import View


class Game:
    """A whole match at one table, all secrets included.

    Args:
        players: 2 to 6.
        deck: `sheet` (its copies are assumed), `french`, or the copies of each kind.
        seed: whole number from 0 below 2**64; drawn by the system where missing.
        games: games of the tournament, 1 to 10.
        options: what differs from the sheet (docs/wazabi.md, section 4).

    Raises: ValueError naming every impossible setting.

    >>> game = Game(players=3, seed=7)
    >>> game.play(game.legal_moves()[0])
    """

    def __init__(
        self,
        players: int = 4,
        deck: str | Mapping[str, int] = "sheet",
        seed: int | None = None,
        games: int = 1,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self._rules = Rules.make(players, deck, games, options)
        self._games = blank()
        self._rules.write(self._games[0].public.rules)
        start(self._games, np.uint64(checked_seed(seed)))

    @classmethod
    def of_records(cls, records: Games, rules: Rules) -> Game:
        """The game of a record `STATE[1]`, which it takes over."""
        game = cls.__new__(cls)
        game._games, game._rules = records, rules
        return game

    @classmethod
    def of_view(cls, view: View, seed: int) -> Game:
        """A whole game that fits a view (`View.resample`)."""
        return cls.of_records(resampled(view.public, view.private, view.seat, checked_seed(seed)), view.rules)

    @property
    def rules(self) -> Rules:
        """The settings of the match."""
        return self._rules

    @property
    def records(self) -> Games:
        """The record itself, `STATE[1]` with all secrets, for kernels; changing it is at your own risk."""
        return self._games

    @property
    def _public(self) -> Any:
        return self._games[0].public

    @property
    def seat(self) -> int:
        """The seat that decides next; after the game the one that took the last turn."""
        return int(self._public.seat)

    @property
    def game_over(self) -> bool:
        """Whether nothing is left to be played in this game."""
        return bool(self._public.over)

    @property
    def over(self) -> bool:
        """Whether the last game is over."""
        return self.game_over and int(self._public.game_number) == self._rules.games

    @property
    def winner(self) -> int | None:
        """The first seat without dice in this game."""
        return None if self._public.winner < 0 else int(self._public.winner)

    @property
    def winners(self) -> list[int]:
        """The seats that have won this game: the winner and its team."""
        sides = self._rules.sides()
        return [seat for seat, side in enumerate(sides) if self.winner is not None and side == sides[self.winner]]

    @property
    def points(self) -> list[int]:
        """The points of every seat in the tournament (Wazabi 4.5)."""
        return self._public.points[: self._rules.players].tolist()

    @property
    def places(self) -> list[int]:
        """The place of every seat, 0 while it plays; those left at the end share the last."""
        return self._public.place[: self._rules.players].tolist()

    def legal_moves(self) -> list[str]:
        """The legal moves of the seat to move, in plain string order; none once the game is over."""
        return sorted(text_of(number) for number in self._legal_numbers())

    def _legal_numbers(self) -> list[int]:
        moves = np.empty(MAX_MOVES, np.int32)
        return moves[: _legal(self._games, moves)].tolist()

    def play(self, move: str) -> None:
        """Play a move.

        Raises: IllegalMove that says why; the game is as it was.
        """
        number = parse(move)
        if number not in self._legal_numbers():
            raise IllegalMove(f"{move} is not legal: {explain_illegal(self.view(self.seat), number)}")
        _play(self._games, number)

    def next_game(self) -> None:
        """Deal the next game of the tournament.

        Raises: ValueError while the game runs, and after the last one.
        """
        if not self.game_over:
            raise ValueError("this game is not over yet")
        if self.over:
            raise ValueError(f"the match is over after {self._rules.games} games")
        _next_game(self._games)

    def copy(self) -> Game:
        """An independent copy."""
        return Game.of_records(self._games.copy(), self._rules)

    __copy__ = copy

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Game) and self._rules == other._rules and self._games.tobytes() == other._games.tobytes()
        )

    __hash__ = None  # type: ignore[assignment]

    def view(self, seat: int) -> View:
        """The view of a seat: what it may know, and nothing else.

        Raises: ValueError for an unknown seat.
        """
        number = as_int(seat)
        if number is None or number not in range(self._rules.players):
            raise ValueError(f"seats go from 0 to {self._rules.players - 1}; there is no seat {shown(seat)}")
        return View.of(self._games, self._rules, number)

    def resample(self, seat: int, seed: int) -> Game:
        """`view(seat).resample(seed)`: another game, sampled from what that seat knows.

        Raises: ValueError for an unknown seat and for a bad seed.
        """
        return self.view(seat).resample(seed)

    def to_json(self) -> str:
        """The whole position as JSON (docs/wazabi.md, section 7); play goes on from it exactly."""
        return to_json(self._games, self._rules)

    @classmethod
    def from_json(cls, text: str | bytes, seed: int | None = None) -> Game:
        """The game of a position.

        Args:
            seed: fresh chance; without it the stored one, or one drawn by the system.

        Raises: ValueError that names every fault of the position.
        """
        return cls.of_records(*from_json(text, None if seed is None else checked_seed(seed)))

    def __str__(self) -> str:
        """A line for each seat: dice, cards that lie before it, hand."""
        public, lines = self._public, []
        for seat in range(self._rules.players):
            mark = ">" if seat == public.seat and not public.over else " "
            missing = " misses" * int(public.misses[seat])
            hand = " ".join(self.view(seat).hand)
            lines.append(f"{mark}{seat} {'o' * int(public.dice[seat])}{missing} [{hand}]")
        return "\n".join(lines)

    def __repr__(self) -> str:
        state = f"won by seat {self.winner}" if self.game_over else f"seat {self.seat} to move"
        return f"<Wazabi game of {self._rules.players}, {state}>"


@kernel
def start(games: Games, seed: np.uint64) -> None:
    """Begin a match in the first game of an array. Mutates: games."""
    start_match(games[0], seed)


@kernel
def _legal(games: Games, moves: Any) -> int:
    public = games[0].public
    return legal_moves(public, games[0].private[public.seat], moves)


@kernel
def _play(games: Games, number: int) -> None:
    play_unchecked(games[0], number)


@kernel
def _next_game(games: Games) -> None:
    next_game(games[0])
