"""A dispatcher without a network: connections whose letters are read by the test itself."""

import asyncio
from contextlib import contextmanager

import pytest

pytest.importorskip("starlette", reason="needs the extra play")

from saboteur_env.table.connections import Connection
from saboteur_env.table.dispatcher import Dispatcher
from saboteur_env.table.messages import Message, read_message
from saboteur_env.table.players import Players
from saboteur_env.table.setup import Setup
from saboteur_env.table.store import Event, Store

HOURS = 3600.0  # the pace of dwarfs that are not to move by themselves


@contextmanager
def dispatcher_in(folder, dwarfs=("scripted", "random"), teach="scripted"):
    store, players = Store(folder / "tables.sqlite"), Players(dwarfs, teach)
    dispatcher = Dispatcher(store, players, HOURS)
    try:
        yield dispatcher
    finally:
        dispatcher.close()
        players.close()
        store.close()


class Reader(Connection):
    """A connection whose letters are read at once."""

    def __init__(self):
        super().__init__(_nobody)

    def read(self):
        """What waits to be sent; the state comes last, where it is to be sent."""
        waiting = [*self._replies, *([self.state()] if self._stale and self.state else [])]
        self._replies.clear()
        self._stale = False
        return waiting


async def _nobody(text):
    raise AssertionError("nobody listens")


def seated(dispatcher, seats, **more):
    """A new table with a connection in each seat of a person, and the table itself."""
    name = dispatcher.store.new_table(Setup(tuple(seats), **more))
    connections = {}
    for seat in Setup(tuple(seats), **more).people:
        connections[seat] = Reader()
        who = f"seat {seat}"
        data = {"table": name, "who": who, "key": dispatcher.keys.key(who, name)}
        asyncio.get_running_loop()  # rooms need one
        dispatcher._enter(connections[seat], data)
        connections[seat].read()
    return connections, dispatcher._rooms[name].table


def move_on(table, move):
    """Play a move of the seat to move as its player, or deal the next round."""
    if table.game.round_over:
        table.next_round(table.number, 0)
    else:
        table.play(table.number, Event(table.game.seat, move, table.player))


async def answer(dispatcher, connection, raw):
    """What the server answers to a message: an error in words, or whatever waits for the connection."""
    try:
        await dispatcher.answer(connection, raw if isinstance(raw, Message) else read_message(raw))
    except ValueError as error:
        connection.reply("error", words=str(error))
    return connection.read()
