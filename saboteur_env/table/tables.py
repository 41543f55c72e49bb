"""A table: its game, its players, and its events. It does not use the network."""

from __future__ import annotations

import sqlite3

from ..agents.base import Decision
from ..agents.matches.turns import carry_out
from ..game.game import Game
from .setup import PERSON
from .store import Event, Store

NEXT_ROUND = "next_round"


class Refused(ValueError):
    """The request is not possible now; the table is unchanged."""


class Table:
    """One table of a store. Every change is stored before it takes effect.

    Args:
        name: its id in the store.

    Raises: Refused where there is no such table.

    Attributes:
        game: the match so far.
        events: what has happened in it.
        sitting: for each seat `PERSON` or the name of the dwarf that plays it now.
    """

    def __init__(self, store: Store, name: str) -> None:
        kept = store.kept(name)
        if kept is None:
            raise Refused("there is no such table, or the link is not whole")
        self._store, self.name = store, name
        self.setup, self.started, self.events = kept.setup, kept.started, kept.events
        self.sitting = [kept.sitting.get(seat, player) for seat, player in enumerate(self.setup.seats)]
        self.game = self.setup.game()
        for number, event in enumerate([*self.events, None]):
            for _, seat, text in (message for message in kept.messages if message[0] == number):
                self.game.say(seat, text)
            if event:
                play_event(self.game, event)

    @property
    def number(self) -> int:
        """How many events there have been."""
        return len(self.events)

    @property
    def in_play(self) -> bool:
        """Whether somebody is to move."""
        return self.started and not self.game.round_over

    @property
    def finished(self) -> int:
        """How many rounds are over."""
        return self.game.round - (not self.game.round_over)

    @property
    def player(self) -> str:
        """Who plays the seat to move."""
        return self.sitting[self.game.seat]

    def start(self) -> None:
        """Let the match begin."""
        self._store.start(self.name)
        self.started = True

    def play(self, number: int, event: Event) -> None:
        """Play a move.

        Args:
            number: that of the event, so that no move is played twice.

        Raises: Refused, or IllegalMove that says why not.
        """
        self._expect(number)
        if not self.in_play:
            raise Refused(f"round {self.game.round} is over" if self.started else "not all people have sat down yet")
        if event.seat != self.game.seat:
            raise Refused(f"it is the turn of dwarf {self.game.seat}")
        self._append(event)

    def say(self, seat: int, text: str) -> None:
        """Let a person say a text to all; no event, so that it comes between nobody and a move.

        Raises: Refused, or ValueError that says why not.
        """
        if not self.started:
            raise Refused("not all people have sat down yet")
        after = self.game.copy()
        after.say(seat, text)
        try:
            self._store.say(self.name, self.number, seat, text)
        except sqlite3.Error as error:
            raise Refused(f"this could not be kept, and was not said: {error}") from None
        self.game = after

    def next_round(self, number: int, seat: int, player: str = PERSON) -> None:
        """Deal the next round, as somebody asks for. Raises: Refused."""
        self._expect(number)
        if not self.started or not self.game.round_over or self.game.over:
            raise Refused("no round can be dealt now")
        self._append(Event(seat, NEXT_ROUND, player))

    def hand_over(self, seat: int, player: str) -> None:
        """Let a dwarf play the seat of a person, or `PERSON` again. Raises: Refused."""
        if seat not in self.setup.people:
            raise Refused(f"dwarf {seat} is not played by a person at this table")
        self._store.hand_over(self.name, seat, player)
        self.sitting[seat] = player

    def round_events(self, number: int = 0) -> list[Event]:
        """The moves of a round, of the latest one where missing."""
        ends = [i for i, event in enumerate(self.events) if event.text == NEXT_ROUND]
        first = [0, *(end + 1 for end in ends)]
        last = [*ends, self.number]
        return self.events[first[number - 1] : last[number - 1]]

    def thoughts(self, round_number: int) -> list[Event]:
        """The moves of a round with what was thought before them.

        Which gold cards were taken stays hidden until the match is over, and so do thoughts about it.

        Raises: Refused for a round that runs or has not been dealt.
        """
        if round_number > self.finished:
            raise Refused(f"round {round_number} is not over yet")
        events = self.round_events(round_number)
        return events if self.game.over else [event for event in events if not event.text.startswith("take")]

    def moves(self) -> list[Event]:
        """All moves of the match."""
        return [event for event in self.events if event.text != NEXT_ROUND]

    def _expect(self, number: int) -> None:
        if number != self.number:
            raise Refused(f"the table has moved on: this was for event {number}, and {self.number} comes next")

    def _append(self, event: Event) -> None:
        after = self.game.copy()
        play_event(after, event)
        try:
            self._store.append(self.name, self.number, event)
        except sqlite3.Error as error:
            raise Refused(f"this could not be kept, and was not played: {error}") from None
        self.events.append(event)
        self.game = after


def play_event(game: Game, event: Event) -> None:
    """Play an event. Raises: ValueError. Mutates: game."""
    if event.text == NEXT_ROUND:
        game.next_round()
    else:
        carry_out(game, Decision(event.text, message=(event.thought or {}).get("message", "")))
