"""All tables of a server, and the requests of a connection."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from ..engine.editions import EDITIONS, SWITCHES
from ..render.page import replay_page
from .connections import Connection
from .keys import LOBBY, WATCH, Keys, seat_name
from .messages import Message
from .players import Players
from .rooms import Room
from .setup import Setup
from .shown.thoughts import annotation_of, thought_of
from .store import Store
from .tables import Refused, Table


class Dispatcher:
    """The tables of a store. A table is loaded while it has connections.

    Args:
        pace: as of a `Room`.
    """

    def __init__(self, store: Store, players: Players, pace: float) -> None:
        self.store, self.keys = store, Keys(store.secret)
        self._players, self._pace = players, pace
        self._rooms: dict[str, Room] = {}
        self._answers: dict[str, Callable[[Connection, Any], Awaitable[None] | None]] = {
            "lobby": self._lobby,
            "new": self._new,
            "enter": self._enter,
            "play": self._play,
            "say": self._say,
            "next round": self._next_round,
            "hand over": self._hand_over,
            "advice": self._advice,
            "thoughts": self._thoughts,
            "keep": self._keep,
        }

    async def answer(self, connection: Connection, message: Message) -> None:
        """Answer a message.

        Raises: ValueError that says why not; nothing has changed then.
        """
        if done := self._answers[message.kind](connection, message.data):
            await done

    def leave(self, connection: Connection) -> None:
        """Remove a connection, and unload a table without connections."""
        room = self._room_of(connection)
        if room is None:
            return
        room.leave(connection)
        if not room.connections:
            room.close()
            del self._rooms[room.table.name]

    def close(self) -> None:
        """Stop all tables."""
        for room in self._rooms.values():
            room.close()

    def _room_of(self, connection: Connection) -> Room | None:
        return next((room for room in self._rooms.values() if connection in room.connections), None)

    def _room(self, connection: Connection) -> Room:
        room = self._room_of(connection)
        if room is None:
            raise Refused("enter a table first")
        return room

    def _seat(self, connection: Connection) -> int:
        if connection.seat is None:
            raise Refused("only those who sit at the table may do this")
        return connection.seat

    def _lobby(self, connection: Connection, data: dict[str, Any]) -> None:
        if connection.who or not self.keys.opens(data["key"], LOBBY):
            raise Refused("this link does not open the lobby: use the one that the server has printed")
        connection.who = LOBBY
        self._show_lobby(connection)

    def _show_lobby(self, connection: Connection) -> None:
        tables = [self._summary(*kept) for kept in self.store.summaries()]
        switches = {name: list(switch.values) for name, switch in SWITCHES.items()}
        offers = {"dwarfs": self._players.names, "teacher": self._players.teacher}
        connection.reply("lobby", **offers, editions=EDITIONS, switches=switches, tables=tables)

    def new_table(self, asked: dict[str, Any]) -> dict[str, str]:
        """Make a table.

        Args:
            asked: of the shape of a message `new`.

        Returns: the path of each link, by who holds it.

        Raises: ValueError that says which setting is impossible.
        """
        setup = Setup.new(asked, self._players.names, bool(self._players.teacher))
        if not setup.people and not setup.watched:
            raise ValueError("nobody could see this table: give a seat to a person, or ask for a link to watch")
        return self._links(self.store.new_table(setup), setup)

    def _links(self, name: str, setup: Setup) -> dict[str, str]:
        whose = [seat_name(seat) for seat in setup.people] + [WATCH] * setup.watched
        return {who: self.keys.link(who, name) for who in whose}

    def _summary(self, name: str, setup: Setup, started: bool, events: int, result: str) -> dict[str, Any]:
        facts = {"table": name, "made": result, "started": started, "events": events, "edition": setup.edition}
        return {**facts, "seats": setup.seats, "links": self._links(name, setup)}

    def _new(self, connection: Connection, data: dict[str, Any]) -> None:
        if connection.who != LOBBY:
            raise Refused("tables are made in the lobby")
        self.new_table(data)
        self._show_lobby(connection)

    def _enter(self, connection: Connection, data: dict[str, Any]) -> None:
        name, who = data["table"], data["who"]
        if connection.who or not self.keys.opens(data["key"], who, name):
            raise Refused("this link does not open a seat here: it is not whole, or of another server")
        room = self._rooms.get(name) or Room(Table(self.store, name), self._players, self._pace)
        self._rooms[name] = room
        connection.who = who
        connection.reply("entered", table=name, who=who, dwarfs=self._players.names, teacher=self._players.teacher)
        room.join(connection)

    def _play(self, connection: Connection, data: dict[str, Any]) -> None:
        self._room(connection).play(self._seat(connection), data["number"], data["move"])

    def _say(self, connection: Connection, data: dict[str, Any]) -> None:
        self._room(connection).say(self._seat(connection), data["text"])

    def _next_round(self, connection: Connection, data: dict[str, Any]) -> None:
        self._room(connection).next_round(self._seat(connection), data["number"])

    def _hand_over(self, connection: Connection, data: dict[str, Any]) -> None:
        name, seat, player = data["table"], data["seat"], data["player"]
        room = self._rooms.get(name)
        if connection.who != LOBBY and not (room and connection in room.connections and connection.seat == seat):
            raise Refused("a seat is handed over by who sits in it, or in the lobby")
        (room or Room(Table(self.store, name), self._players, self._pace)).hand_over(seat, player)
        connection.reply("handed over", table=name, seat=seat, player=player)

    async def _advice(self, connection: Connection, data: dict[str, Any]) -> None:
        seat = self._seat(connection)
        thought = await self._room(connection).advice(seat, data["number"])
        shown = thought_of((seat, thought["move"]), self._players.teacher, thought)
        connection.reply("advice", number=data["number"], move=thought["move"], **shown)

    def _thoughts(self, connection: Connection, data: dict[str, Any]) -> None:
        table = self._room(connection).table
        told = table.round_events(data["round"]) if self._sees_all(connection, table) else table.thoughts(data["round"])
        shown = [thought_of((event.seat, event.text), event.player, event.thought) for event in told]
        connection.reply("thoughts", round=data["round"], moves=shown)

    async def _keep(self, connection: Connection, data: dict[str, Any]) -> None:
        table, form = self._room(connection).table, data["form"]
        if not self._sees_all(connection, table):
            raise Refused("the match is not over yet: its transcript holds all cards")
        text = table.game.transcript()
        if form == "page":
            notes = [annotation_of((event.seat, event.text), event.thought) for event in table.moves()]
            text = await asyncio.to_thread(replay_page, text, None, notes)
        connection.reply("kept", name=f"saboteur-{table.name}.{'html' if form == 'page' else 'json'}", text=text)

    @staticmethod
    def _sees_all(connection: Connection, table: Table) -> bool:
        return connection.who == WATCH or table.game.over
