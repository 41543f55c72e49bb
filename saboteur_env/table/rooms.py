"""A table in play: its connections, the dwarfs that move, and the clock."""

from __future__ import annotations

import asyncio
import json
import logging
from functools import partial

from .connections import Connection
from .players import Players, Thought
from .setup import PERSON
from .shown.state import Seating, seat_state, watch_state
from .store import Event
from .tables import Refused, Table

log = logging.getLogger(__name__)


class Room:
    """A table with its connections. Its dwarfs move while there is a connection.

    Args:
        pace: least seconds between the moves of dwarfs, so that people can follow.
    """

    def __init__(self, table: Table, players: Players, pace: float) -> None:
        self.table, self.connections = table, set[Connection]()
        self._players, self._pace = players, pace
        self._moving: asyncio.Task[None] | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._timed = -1  # the event that the clock runs for
        self._late: asyncio.Task[None] | None = None
        self._trouble = ""

    def join(self, connection: Connection) -> None:
        """Let a connection in."""
        self.connections.add(connection)
        connection.state = partial(self._state, connection)
        self.changed()

    def leave(self, connection: Connection) -> None:
        """Let a connection go."""
        self.connections.discard(connection)
        self.changed()

    def play(self, seat: int, number: int, move: str) -> None:
        """Play the move of a person. Raises: Refused, IllegalMove."""
        self._expect_person(seat)
        self.table.play(number, Event(seat, move, PERSON))
        self.changed()

    def say(self, seat: int, text: str) -> None:
        """Let a person say a text to all. Raises: Refused, ValueError."""
        self._expect_person(seat)
        self.table.say(seat, text)
        self.changed()

    def next_round(self, seat: int, number: int) -> None:
        """Deal the next round for a person. Raises: Refused."""
        self._expect_person(seat)
        self.table.next_round(number, seat)
        self.changed()

    def hand_over(self, seat: int, player: str) -> None:
        """Let a dwarf play the seat of a person, or the person again. Raises: Refused."""
        if player != PERSON and player not in self._players.names:
            raise Refused(f"there is no dwarf {player!r} at this server")
        self.table.hand_over(seat, player)
        self._trouble = ""
        self.changed()

    async def advice(self, seat: int, number: int) -> Thought:
        """The thought of the teacher about the position of the advised seat. Raises: Refused."""
        table = self.table
        if seat != table.setup.advised or not self._players.teacher:
            raise Refused("nobody advises this seat")
        if number != table.number or not table.in_play or table.game.seat != seat:
            raise Refused("advice is for the seat to move")
        return await self._players.advise(table.game.view(seat))

    def changed(self) -> None:
        """Notify all connections, and continue what waited for it: a match starts when all people sit."""
        if self.connections and not self.table.started and all(self._here()):
            self.table.start()
        for connection in self.connections:
            connection.tell()
        self._set_clock()
        if self._moving is None and self.connections and self._waits_for_dwarf():
            self._moving = asyncio.create_task(self._let_dwarfs_move())

    def close(self) -> None:
        """Stop what is going on."""
        for work in (self._moving, self._alarm, self._late):
            if work:
                work.cancel()

    def _expect_person(self, seat: int) -> None:
        if self.table.sitting[seat] != PERSON:
            raise Refused(f"{self.table.sitting[seat]} plays this seat now: take it back first")

    def _here(self) -> tuple[bool, ...]:
        seats = {connection.seat for connection in self.connections}
        return tuple(player != PERSON or seat in seats for seat, player in enumerate(self.table.sitting))

    def _state(self, connection: Connection) -> str:
        table, left = self.table, None
        if self._alarm and self._timed == table.number:
            left = round(max(self._alarm.when() - asyncio.get_running_loop().time(), 0), 1)
        seating = Seating(
            table.number,
            table.started,
            table.setup.seats,
            tuple(table.sitting),
            self._here(),
            table.setup.advised,
            left,
            self._trouble,
        )
        if connection.seat is None:
            return json.dumps(watch_state(table.game, seating, self._beliefs()))
        return json.dumps(seat_state(table.game.view(connection.seat), seating))

    def _beliefs(self) -> dict[int, list[float | None]]:
        """What each dwarf believed at its latest move of the round that runs."""
        told: dict[int, list[float | None]] = {}
        for event in self.table.round_events():
            if event.thought and "beliefs" in event.thought:
                told[event.seat] = event.thought["beliefs"]
        return told

    def _waits_for_dwarf(self) -> bool:
        table = self.table
        if self._trouble or not table.started or table.game.over:
            return False
        if table.game.round_over:
            return PERSON not in table.sitting  # dwarfs among themselves go on
        return table.player != PERSON

    async def _let_dwarfs_move(self) -> None:
        try:
            while self.connections and self._waits_for_dwarf():
                await self._dwarf_moves()
        except Exception as error:
            log.exception("a dwarf at table %s has failed", self.table.name)
            self._trouble = f"{self.table.player} cannot go on ({type(error).__name__}): hand its seat over"
        finally:
            self._moving = None
        self.changed()

    async def _dwarf_moves(self) -> None:
        table = self.table
        number, seat, player = table.number, table.game.seat, table.player
        if table.game.round_over:
            await asyncio.sleep(5 * self._pace)
            table.next_round(number, seat, player)
        else:
            thinking = self._players.think(player, table.game.view(seat), table.setup.seed)
            thought, _ = await asyncio.gather(thinking, asyncio.sleep(self._pace))
            if (table.number, table.player) != (number, player):
                return  # the seat was handed over meanwhile
            table.play(number, Event(seat, thought.pop("move"), player, thought))
        self.changed()

    def _set_clock(self) -> None:
        table = self.table
        runs = bool(table.setup.clock and self.connections and table.in_play and table.player == PERSON)
        if self._alarm and not (runs and self._timed == table.number):
            self._alarm.cancel()
            self._alarm = None
        if runs and self._alarm is None:
            self._timed = table.number
            self._alarm = asyncio.get_running_loop().call_later(table.setup.clock, self._ring)

    def _ring(self) -> None:
        self._late = asyncio.create_task(self._out_of_time())

    async def _out_of_time(self) -> None:
        """Let a dwarf make the move that a person has not made in time."""
        table, number, stand_in = self.table, self.table.number, self._players.names[0]
        if number != self._timed or not table.in_play:
            return
        seat = table.game.seat
        thought = await self._players.think(stand_in, table.game.view(seat), table.setup.seed)
        if table.number == number:
            table.play(number, Event(seat, thought.pop("move"), stand_in, thought))
            self.changed()
