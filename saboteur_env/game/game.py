"""The validated single game, played with move texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..core.checks import as_int
from ..core.compiled.jit import kernel
from ..core.errors import IllegalMove
from ..core.schema import shown
from ..core.seeds import checked_seed
from ..engine.deal import start_match
from ..engine.editions import Rules
from ..engine.gold import VALUE
from ..engine.legal import MAX_MOVES, legal_moves
from ..engine.moves import parse, text_of
from ..engine.play import next_round_unchecked, play_unchecked
from ..engine.state import WINNERS, Games, blank
from ..inference.resample import resampled
from ..inference.worlds import checked_roles, checked_treasure
from .illegal import explain_illegal
from .messages import Message, checked_message
from .notation import Map
from .positions import from_data, from_json, position_of, to_json
from .transcript import Chapter, Said, read_transcript, transcript_of, turns_of
from .view import View, mine_of


class Game:
    """A whole match on one board, all secrets included.

    Args:
        players: 3 to 10.
        edition: `lv`, `lt`, `uk`, `ru` or `fa` (Rules 8).
        seed: whole number from 0 below 2**64; drawn by the system where missing.
        rounds: 1 to 10.
        options: what differs from the edition (docs/rules.md, section 8).

    Raises: ValueError naming every impossible setting.

    >>> game = Game(players=3, seed=7)
    >>> game.play(game.legal_moves()[0])
    >>> print(Game(players=3, seed=7))
     . . . . . . . . ?
    <BLANKLINE>
     . . . . . . . . .
     |
    -S-. . . . . . . ?
     |
     . . . . . . . . .
    <BLANKLINE>
     . . . . . . . . ?
    """

    def __init__(
        self,
        players: int = 5,
        edition: str = "lv",
        seed: int | None = None,
        rounds: int = 3,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self._rules = Rules.make(players, edition, rounds, options)
        self._games = blank()
        self._rules.write(self._games[0].public.rules)
        start(self._games, np.uint64(checked_seed(seed)))
        self._chapters = [Chapter(self._games.copy())]

    @classmethod
    def of_records(cls, records: Games, rules: Rules, messages: Sequence[Message] = ()) -> Game:
        """The game of a record `STATE[1]`, which it takes over; its transcript begins here.

        Args:
            messages: the texts said in this round.
        """
        return cls._of(records, rules, messages)

    @classmethod
    def of_view(cls, view: View, seed: int, roles: Sequence[str] | None = None, treasure: int | None = None) -> Game:
        """A whole game that fits a view (`View.resample`)."""
        known = view.info_state
        given = checked_roles(known, roles), checked_treasure(known, treasure)
        return cls._of(resampled(known, checked_seed(seed), *given), view.rules, view.messages)

    def resample(self, seat: int, seed: int) -> Game:
        """`view(seat).resample(seed)`: another game, sampled from what that seat knows.

        Raises: ValueError for an unknown seat and for a bad seed.
        """
        return self.view(seat).resample(seed)

    @classmethod
    def _of(cls, games: Games, rules: Rules, messages: Sequence[Message] = ()) -> Game:
        game = cls.__new__(cls)
        game._games, game._rules = games, rules
        game._chapters = [Chapter(games.copy(), [], list(messages), len(messages))]
        return game

    @property
    def _public(self) -> Any:
        return self._games[0].public

    @property
    def rules(self) -> Rules:
        """The settings of the match."""
        return self._rules

    @property
    def records(self) -> Games:
        """The record itself, `STATE[1]` with all secrets, for kernels; changing it is at your own risk."""
        return self._games

    @property
    def seat(self) -> int:
        """The seat to move; after the round the one that took the last turn."""
        return int(self._public.seat)

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return int(self._public.round_number)

    @property
    def round_over(self) -> bool:
        """Whether the round is over, including its gold."""
        return bool(self._public.over)

    @property
    def over(self) -> bool:
        """Whether the last round is over."""
        return self.round_over and self.round == self._rules.rounds

    @property
    def winner(self) -> str | None:
        """`miners`, `saboteurs` or `nobody` once the round has a winner."""
        return WINNERS[self._public.winner]

    @property
    def nuggets(self) -> list[int]:
        """The sum of every seat's gold."""
        held = self._games["private"][0]["gold"][: self._rules.players] & VALUE
        return held.sum(axis=1).tolist()

    @property
    def mine(self) -> Map:
        """The mine as it lies on the table."""
        return mine_of(self._public)

    def legal_moves(self) -> list[str]:
        """The legal moves of the seat to move, in plain string order; none once the round is over."""
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
        self._chapters[-1].moves.append((self.seat, number))
        _play(self._games, number)

    @property
    def messages(self) -> tuple[Message, ...]:
        """The texts said in this round."""
        return tuple(self._chapters[-1].messages)

    def say(self, seat: int, text: str) -> None:
        """Let a seat say a text to all: at any time, at a table with `talk: free` (Rules 9.4).

        Raises: ValueError that says why not; the game is as it was.
        """
        said = self._chapters[-1].messages
        said.append(checked_message(self._rules, said, int(self._public.event_count), seat, text))

    def next_round(self) -> None:
        """Deal the next round.

        Raises: ValueError while the round runs, and after the last one.
        """
        if not self.round_over:
            raise ValueError(f"round {self.round} is not over yet")
        if self.over:
            raise ValueError(f"the match is over after {self.round} rounds")
        _next_round(self._games)
        self._chapters.append(Chapter(self._games.copy()))

    def copy(self) -> Game:
        """An independent copy."""
        game = Game.__new__(Game)
        game._games, game._rules = self._games.copy(), self._rules
        game._chapters = [chapter.copy() for chapter in self._chapters]
        return game

    __copy__ = copy

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._key() == other._key()

    def _key(self) -> tuple[Any, ...]:
        return self._rules, self.messages, self._games.tobytes()

    __hash__ = None  # type: ignore[assignment]

    def view(self, seat: int) -> View:
        """The view of a seat: what it may know, and nothing else.

        Raises: ValueError for an unknown seat.
        """
        number = as_int(seat)
        if number is None or number not in range(self._rules.players):
            raise ValueError(f"seats go from 0 to {self._rules.players - 1}; there is no seat {shown(seat)}")
        return View.of(self._games, self._rules, number, self.messages)

    def to_json(self) -> str:
        """The whole position as JSON, secrets included; a game loaded from it continues exactly."""
        return to_json(self._games, self._rules, self.messages)

    @classmethod
    def from_json(cls, text: str | bytes, seed: int | None = None) -> Game:
        """The game of a position.

        Args:
            seed: fresh chance for the rounds to come; without it the stored one, or one drawn by the system.

        Raises: ValueError that names every fault of the position.
        """
        return cls._of(*from_json(text, None if seed is None else checked_seed(seed)))

    @classmethod
    def of_position(cls, data: Any, seed: int | None = None) -> Game:
        """The game of a position that is read already, as `json.loads` gives it; see `from_json`."""
        return cls._of(*from_data(data, None if seed is None else checked_seed(seed)))

    def transcript(self) -> str:
        """The match so far, move by move, as JSON (docs/positions.md); `replay` plays it again."""
        return transcript_of(self._chapters, self._games, self._rules)

    @classmethod
    def replay(cls, text: str | bytes) -> Game:
        """Play a transcript again, to the same end.

        Raises: ValueError that names the round and move at which the transcript departs from the rules.
        """
        data = read_transcript(text)
        try:
            game = cls.of_position(data["rounds"][0]["deal"])
        except ValueError as error:
            raise ValueError(f"bad transcript: the deal of round 1 is a {error}") from None
        for number, chapter in enumerate(data["rounds"], 1):
            if number > 1:
                game._deal_again(number)
            game._expect(chapter["deal"], f"the deal of round {number}")
            for i, (said, played) in enumerate(turns_of(chapter)):
                try:
                    game._go_on(said, played)
                except ValueError as error:
                    raise ValueError(f"bad transcript: round {number}, move {i}: {error}") from None
        game._expect(data["end"], "the end")
        return game

    def _go_on(self, said: list[Said], played: Said | None) -> None:
        for message in said:
            self.say(*message)
        if played and played[0] != self.seat:
            raise ValueError(f"seat {self.seat} is to move, not {played[0]}")
        if played:
            self.play(played[1])

    def _deal_again(self, number: int) -> None:
        try:
            self.next_round()
        except ValueError as error:
            raise ValueError(f"bad transcript: round {number} cannot begin: {error}") from None

    def _expect(self, position: dict[str, Any], what: str) -> None:
        here = position_of(self._games, self._rules, self.messages)
        wrong = [name for name in here if here[name] != position.get(name)]
        if wrong:
            raise ValueError(f"bad transcript: {what} differs from what was played in {', '.join(wrong)}")

    def __str__(self) -> str:
        return str(self.mine)

    def _repr_svg_(self) -> str:
        """The picture in a notebook."""
        from ..render.drawing.svg import draw

        return draw(self)

    def __repr__(self) -> str:
        rules = self._rules
        state = f"won by {self.winner}" if self.winner else f"seat {self.seat} to move"
        return f"<Game of {rules.players}, edition {rules.edition}, round {self.round} of {rules.rounds}, {state}>"


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
def _next_round(games: Games) -> None:
    next_round_unchecked(games[0])
