"""Many tables at once: how long a person waits for the answer to a move, and that nothing is lost.

Run as ``python -m tests.table.long.load --tables 200``: at each table one simulated person plays with four scripted
dwarfs, and thinks for a few seconds before each move, as people do. The answer to a move is the state that has it. At
`--thinkers` more tables the dwarfs search for their moves as long as they can; these waits do not count.
"""

import argparse
import asyncio
import json
import random
import resource
import tempfile
import time
from pathlib import Path

import numpy as np
from websockets.asyncio.client import connect

from saboteur_env.table.store import Store
from saboteur_env.table.tables import Table
from tests.support.tables import Process, lively, my_turn, with_dwarfs

THINKS = 2.0, 6.0  # seconds
PACE = 0.5
SEARCH = "search:time=2"


async def links_of(server, count, dwarf="scripted"):
    """Make so many tables, as fast as one connection may ask for them."""
    found = {}
    async with wire_to(server) as wire:
        await say(wire, "lobby", key=server.key)
        await hear(wire, "lobby")
        while len(found) < count:
            await say(wire, "new", seats=with_dwarfs(dwarf=dwarf), rounds=1)
            message = await hear(wire, "lobby", "error")
            if message["kind"] == "error":
                await asyncio.sleep(0.1)
            else:
                found[message["tables"][0]["table"]] = message["tables"][0]["links"]["seat 0"]
    return found


def wire_to(server):
    address = f"127.0.0.1:{server.port}"
    return connect(f"ws://{address}/wire", origin=f"http://{address}", max_size=None, open_timeout=60)


async def say(wire, kind, **data):
    await wire.send(json.dumps({"kind": kind, **data}))


async def hear(wire, *kinds):
    while (message := json.loads(await wire.recv()))["kind"] not in kinds:
        pass
    return message


async def person(server, link, seed, end):
    """Play at one table until its end; returns what was answered, by number, and how long it took in seconds."""
    rng, answered, waits = random.Random(seed), {}, []
    table, who, key = link.partition("#")[2].split("/")
    await asyncio.sleep(rng.uniform(0, THINKS[1]))
    async with wire_to(server) as wire:
        await say(wire, "enter", table=table, who=who.replace("-", " "), key=key)
        state = await hear(wire, "state")
        while state["phase"] != "match over" and time.monotonic() < end:
            if my_turn(state):
                await asyncio.sleep(rng.uniform(*THINKS))
                number, move = state["number"], lively(rng, state)
                began = time.perf_counter()
                await say(wire, "play", number=number, move=move)
                while state["number"] <= number:
                    state = await hear(wire, "state")
                waits.append(time.perf_counter() - began)
                answered[number] = move
            else:
                state = await hear(wire, "state")
    return table, answered, waits


async def play(server, count, thinkers, seconds):
    """What happened at each table, those of the thinkers last."""
    links = [*(await links_of(server, count)).values(), *(await links_of(server, thinkers, SEARCH)).values()]
    end = time.monotonic() + seconds
    return await asyncio.gather(*(person(server, link, seed, end) for seed, link in enumerate(links)))


def check(path, played):
    """Nothing that was answered is lost."""
    store = Store(path)
    try:
        for name, answered, _ in played:
            events = Table(store, name).events
            assert all(events[number].text == move for number, move in answered.items()), f"table {name} lost a move"
    finally:
        store.close()


def run(count, thinkers, seconds, folder):
    """Let so many tables play; returns the waits in seconds."""
    path = folder / "tables.sqlite"
    server = Process(path, "--dwarfs", f"scripted,{SEARCH}" if thinkers else "scripted", "--pace", PACE)
    try:
        played = asyncio.run(play(server, count, thinkers, seconds))
        assert not server.words(), server.words()
    finally:
        server.stop()
    check(path, played)
    return np.array([wait for _, _, waits in played[:count] for wait in waits])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--thinkers", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=90)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        waits = 1000 * run(given.tables, given.thinkers, given.seconds, Path(folder))
    print(f"{given.tables} tables and {given.thinkers} of thinkers, {len(waits):,} moves of people answered, none lost")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"the server used {used.ru_utime + used.ru_stime:.0f} s of processor time, its start included")
    print(f"median {np.median(waits):.0f} ms, 99 % {np.percentile(waits, 99):.0f} ms, longest {waits.max():.0f} ms")


if __name__ == "__main__":
    main()
