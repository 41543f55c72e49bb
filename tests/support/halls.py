"""A hall without a network: guests whose letters are read by the test itself."""

import asyncio
from contextlib import contextmanager

import pytest

pytest.importorskip("starlette", reason="needs the extra play")

from saboteur_env.table.guests import Guest
from saboteur_env.table.hall import Hall
from saboteur_env.table.messages import Message, read_message
from saboteur_env.table.players import Players
from saboteur_env.table.setup import Setup
from saboteur_env.table.store import Event, Store

HOURS = 3600.0  # the pace of dwarfs that are not to move by themselves


@contextmanager
def hall_in(folder, dwarfs=("scripted", "random"), teach="scripted"):
    store, players = Store(folder / "tables.sqlite"), Players(dwarfs, teach)
    hall = Hall(store, players, HOURS)
    try:
        yield hall
    finally:
        hall.close()
        players.close()
        store.close()


class Reader(Guest):
    """A guest whose letters are read at once."""

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


def seated(hall, seats, **more):
    """A new table with a guest in each seat of a person, and the table itself."""
    name = hall.store.new_table(Setup(tuple(seats), **more))
    guests = {}
    for seat in Setup(tuple(seats), **more).people:
        guests[seat] = Reader()
        who = f"seat {seat}"
        data = {"table": name, "who": who, "key": hall.keys.key(who, name)}
        asyncio.get_running_loop()  # rooms need one
        hall._enter(guests[seat], data)
        guests[seat].read()
    return guests, hall._rooms[name].table


def move_on(table, move):
    """Play a move of the seat to move as its player, or deal the next round."""
    if table.game.round_over:
        table.next_round(table.number, 0)
    else:
        table.play(table.number, Event(table.game.seat, move, table.player))


async def answer(hall, guest, raw):
    """What the server answers to a message: an error in words, or whatever waits for the guest."""
    try:
        await hall.answer(guest, raw if isinstance(raw, Message) else read_message(raw))
    except ValueError as error:
        guest.reply("error", words=str(error))
    return guest.read()
