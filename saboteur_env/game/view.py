"""The view of one seat: what it may know. Only this module removes secrets (Rules 2.2, 3.6, 3.7, 6.5)."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.compiled.jit import ONE, ZERO, kernel
from ..core.schema import counted
from ..engine.bitboard import SIZE, coord_of, lowest
from ..engine.cards import FACES, KINDS, ROLES, TOOLS
from ..engine.editions import Rules
from ..engine.gold import VALUE, offered
from ..engine.legal import MAX_MOVES, legal_moves, path_cards, quiet_moves
from ..engine.moves import CLAIM, DISCARD, TAKE, move, move_of, seat_of, text_of, verb_of
from ..engine.state import CHOOSE_GOLD, RUNNING, WINNERS, Games, InfoState, Private, Public, known_face
from ..engine.tunnels import orientation_at
from .messages import Message, may_say
from .notation import Map

if TYPE_CHECKING:
    from .game import Game


EVENTS_PRINTED = 6  # the last events that `print(view)` shows


class View:
    """The view of one seat: what it may know of a game at one moment, and nothing else.

    Attributes:
        rules: the settings of the match, known to all.
        seat: whose eyes these are.
        public: a copy of the `PUBLIC` record (state.py).
        private: a copy of this seat's `PRIVATE` record.
        messages: the texts said in this round (Rules 9.4).
    """

    def __init__(
        self, rules: Rules, public: Public, private: Private, seat: int, messages: Sequence[Message] = ()
    ) -> None:
        self.rules, self.public, self.private, self.seat = rules, public, private, seat
        self.messages = tuple(messages)

    @classmethod
    def of(cls, games: Games, rules: Rules, seat: int, messages: Sequence[Message] = ()) -> View:
        """The view of `seat` in the first game of an array."""
        game = games[0]
        return cls(rules, game.public.copy(), game.private[seat].copy(), seat, messages)

    @property
    def info_state(self) -> InfoState:
        """The same for kernels."""
        return InfoState(self.public, self.private, self.seat)

    __copy__ = deepcopy  # records can be changed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.rules, self.seat, self.messages, self.public.tobytes(), self.private.tobytes()

    def __str__(self) -> str:
        """The mine, the hand and the last events, each on lines of its own."""
        last = ", ".join(f"seat {seat} {move}" for seat, move in self.record[-EVENTS_PRINTED:]) or "none yet"
        return f"{self.mine}\n\n{self!r}\nhand: {', '.join(self.hand) or 'empty'}\nlast events: {last}"

    def __repr__(self) -> str:
        held, events = counted(len(self.hand), "card"), counted(int(self.public.event_count), "event")
        return f"<View of seat {self.seat} of {self.rules.players}, {self.role}, {held}, {events}>"

    def _repr_svg_(self) -> str:
        """The picture in a notebook."""
        from ..render.drawing.svg import draw

        return draw(self)

    @property
    def role(self) -> str:
        """This seat's role: `miner` or `saboteur`."""
        return ROLES[self.private.role]

    @property
    def hand(self) -> list[str]:
        """The cards held, equal ones as often as held."""
        held = self.private.hand.tolist()
        return [name for name, copies in zip(KINDS, held, strict=True) for _ in range(copies)]

    @property
    def discards(self) -> list[str]:
        """The cards this seat laid face down in this round, in order."""
        return [KINDS[kind] for kind in self.private.discards[: self.private.discard_count]]

    @property
    def gold(self) -> list[int]:
        """The values of this seat's gold cards, in the order taken."""
        return [int(entry) & VALUE for entry in self.private.gold[: self.private.gold_count]]

    @property
    def offers(self) -> list[list[int]]:
        """For each gold card of this seat the offer it was picked from, the best first; empty outside a draft.

        While the seat picks, the present offer comes last.
        """
        picking = self.public.choice == CHOOSE_GOLD and self.public.seat == self.seat
        return [unpack_offer(int(entry)) for entry in self.private.gold[: self.private.gold_count + picking]]

    @property
    def faces(self) -> list[str | None]:
        """The face of each goal that is open or that this seat has read; None for the others."""
        goals = range(self.public.rules.goals)
        return [FACES[known_face(self.public, self.private, goal)] or None for goal in goals]

    @property
    def mine(self) -> Map:
        """The mine, with the goals that are face up."""
        return mine_of(self.public)

    @property
    def record(self) -> list[tuple[int, str]]:
        """This round's moves with their seats; what others laid face down or took is `discard` or `take`."""
        return record_of(self.public, {self.seat: self.private})

    @property
    def may_say(self) -> bool:
        """Whether this seat may say a text message."""
        return may_say(self.rules, self.messages, self.seat)

    @property
    def broken(self) -> list[list[str]]:
        """The broken tools in front of each seat."""
        return [
            [tool for i, tool in enumerate(TOOLS) if int(tools) >> i & 1]
            for tools in self.public.broken[: self.rules.players]
        ]

    @property
    def hand_sizes(self) -> list[int]:
        """How many cards each seat holds."""
        return self.public.hand_count[: self.rules.players].tolist()

    @property
    def deck_size(self) -> int:
        """How many cards are left to draw."""
        return int(self.public.deck_count)

    @property
    def turn(self) -> int:
        """The seat to move."""
        return int(self.public.seat)

    @property
    def gold_counts(self) -> list[int]:
        """How many gold cards each seat holds."""
        takers = self.public.gold_seat[: self.public.gold_count]
        return np.bincount(takers, minlength=self.rules.players).tolist()

    @property
    def winner(self) -> str | None:
        """Who won this round, None while it runs."""
        return WINNERS[self.public.winner]

    @property
    def roles(self) -> list[str] | None:
        """All roles at the table once the round has a winner, None before."""
        return (
            None
            if self.public.winner == RUNNING
            else [ROLES[int(self.public.roles) >> seat & 1] for seat in range(self.rules.players)]
        )

    def resample(self, seed: int, roles: Sequence[str] | None = None, treasure: int | None = None) -> Game:
        """A whole game sampled from this view alone. Its seat cannot tell it from the real one (resample.py).

        All deals that agree with what the seat knows are equally likely. Later rounds have new random numbers.

        Args:
            roles: a role for each seat; the one left over lies aside. Any that fit where missing.
            treasure: the goal that it lies at; any that fits where missing.

        Raises: ValueError for a bad seed, and for roles or a treasure that this seat knows to be otherwise.
        """
        from .game import Game

        return Game.of_view(self, seed, roles, treasure)

    def without_words(self) -> View:
        """The same view as an agent has it that knows no words: the record without them, and a table without talk.

        Requires: no claim is to be made.
        """
        if not self.rules.talks:
            return self
        public, events = self.public.copy(), self.public.events[: self.public.event_count].tolist()
        cards = [event for event in events if verb_of(move_of(event)) < CLAIM]
        public["rules"]["talk"], public["event_count"] = 0, len(cards)
        public["events"][:] = 0
        public["events"][: len(cards)] = cards
        return View(replace(self.rules, talk="none"), public, self.private, self.seat)

    def legal_moves(self) -> list[str]:
        """The legal moves as texts in plain string order; empty unless this seat is to move."""
        return sorted(text_of(int(number)) for number in self.legal_numbers())

    def quiet_moves(self) -> list[str]:
        """Of `legal_moves` those that say nothing (Rules 9)."""
        moves = np.empty(MAX_MOVES, np.int32)
        count = quiet_moves(self.public, self.private, moves) if self.turn == self.seat else 0
        return sorted(text_of(int(number)) for number in moves[:count])

    def legal_numbers(self) -> np.ndarray[Any, np.dtype[np.int32]]:
        """The legal moves as numbers (moves.py), int32[count]; none unless this seat is to move."""
        moves = np.empty(MAX_MOVES, np.int32)
        return moves[: legal_moves(self.public, self.private, moves) if self.turn == self.seat else 0]


def unpack_offer(entry: int) -> list[int]:
    """The gold cards of an offer (gold.py), the best first."""
    return [value for value in (3, 2, 1) for _ in range(offered(entry, value))]


def mine_of(public: Public) -> Map:
    """The mine as all see it."""
    cells, orientations = np.empty(SIZE * SIZE, np.int64), np.empty(SIZE * SIZE, np.int64)
    goals, count = int(public.rules.goals), lay_out(public, cells, orientations)
    coords = [coord_of(cell) for cell in cells[:count]]
    laid = list(zip(coords, orientations[:count].tolist(), strict=True))
    return Map(tunnels=dict(laid[goals:]), goals=dict(laid[:goals]))


@kernel
def lay_out(public: Public, cells: Any, orientations: Any) -> int:
    """Write the cells of the goals and then of the path cards, and how they lie; return their number.

    Args:
        cells, orientations: int64[4096], overwritten from the front.
    """
    count = 0
    for goal in range(public.rules.goals):
        cells[count] = public.rules.goal_cell[goal]
        count += 1
    for row in range(np.int64(public.low), np.int64(public.high) + 1):
        left = path_cards(public, row)
        while left != ZERO:
            cells[count] = row << 6 | lowest(left)
            left &= left - ONE
            count += 1
    for i in range(count):
        orientations[i] = orientation_at(public.board, cells[i])
    return count


def record_of(public: Public, known: dict[int, Any]) -> list[tuple[int, str]]:
    """This round's moves as texts, with the hidden cards of the seats whose private records are given."""
    shown = []
    discards = {seat: int(private.discard_count) for seat, private in known.items()}
    picks = {seat: int(private.gold_count) for seat, private in known.items()}
    for event in reversed(public.events[: public.event_count].tolist()):
        seat, number = seat_of(event), move_of(event)
        if seat in known and verb_of(number) == DISCARD:
            discards[seat] -= 1
            number = move(DISCARD, int(known[seat].discards[discards[seat]]), 0)
        elif seat in known and verb_of(number) == TAKE:
            picks[seat] -= 1
            number = move(TAKE, int(known[seat].gold[picks[seat]]) & VALUE, 0)
        shown.append((seat, text_of(number)))
    return shown[::-1]
