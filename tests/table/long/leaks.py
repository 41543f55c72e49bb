"""Non-interference at the wire: all that a seat is sent is the same, bit for bit, in the real game and in a resample.

Run as ``python -m tests.table.long.leaks --points 2000``: at decision points of matches of all editions and numbers of
players, for every seat, the state of the table and the answers to messages that a browser may send are compared.
"""

import argparse
import asyncio
import json
import random
import tempfile
import time
from collections import Counter
from pathlib import Path

from saboteur_env.engine.editions import EDITIONS
from saboteur_env.table.messages import Message
from saboteur_env.table.setup import PERSON
from tests.long.leak_check import OPTIONS, agent
from tests.support.dispatchers import answer, dispatcher_in, move_on, seated

# None of these changes a table: the start lies at 0,0.
MOVES = ["rockfall@0,0", "EW@0,0", "EW@30,0", "reveal:9", "take:9", "nonsense"]


async def run(points, seed, folder):
    """Check at least so many decision points; returns what was met."""
    rng, met = random.Random(seed), Counter()
    with dispatcher_in(folder) as dispatcher:
        while met["decision points"] < points:
            await play(dispatcher, rng, met, points)
            met["matches"] += 1
    return met


async def play(dispatcher, rng, met, points):
    """A match in which all seats are those of people, up to its end or so many points."""
    players, edition, options = rng.randint(3, 10), rng.choice(list(EDITIONS)), rng.choice(OPTIONS)
    options = {**options, "talk": "free"} if rng.random() < 0.25 else options
    setup = {"seed": rng.getrandbits(64), "edition": edition, "rounds": 2, "options": options}
    connections, table = seated(dispatcher, [PERSON] * players, advised=rng.randrange(players), **setup)
    while True:
        if table.game.rules.talks_freely and rng.random() < 0.3:
            table.say(rng.randrange(players), f"I have seen {rng.random()}.")
        for seat, connection in connections.items():
            await compare(dispatcher, table, seat, connection, rng.getrandbits(64), met)
        met["decision points"] += 1
        if table.game.over or met["decision points"] == points:
            break
        game = table.game
        name = rng.choice(("scripted", "scripted", "random"))
        move_on(table, None if game.round_over else agent(name).act(game.view(game.seat), rng.getrandbits(64)))
    for connection in connections.values():
        dispatcher.leave(connection)


async def compare(dispatcher, table, seat, connection, seed, met):
    """Compare the traffic of a seat in the real game with that in a resample."""
    real, position = table.game, table.game.to_json()
    twin = real.view(seat).resample(seed)
    sent = [await traffic(dispatcher, table, connection)]
    table.game = twin
    sent.append(await traffic(dispatcher, table, connection))
    table.game = real
    met["messages"] += len(sent[0])
    met["resamples that differ"] += twin.records.tobytes() != real.records.tobytes()
    met["resamples"] += 1
    for one, other in zip(*sent, strict=True):
        parts = [name for name, value in json.loads(one).items() if value != json.loads(other).get(name)]
        assert one == other, f"seat {seat}, resample {seed} of {position}: {parts} differ"


async def traffic(dispatcher, table, connection):
    """All that a seat is sent at this point, whatever it asks for."""
    asked = [Message("play", {"number": table.number, "move": move}) for move in MOVES]
    asked += [Message("advice", {"number": table.number})]
    asked += [Message("thoughts", {"round": number}) for number in (1, 2)]
    asked += [Message("keep", {"form": "transcript"})] * (not table.game.over)  # then all cards are open
    connection.tell()
    return [*connection.read(), *[text for message in asked for text in await answer(dispatcher, connection, message)]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=2000, help="decision points, each checked for every seat")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        met = asyncio.run(run(given.points, given.seed, Path(folder)))
    print(*(f"{count:>10,} {name}" for name, count in met.items()), sep="\n")
    print(f"no difference, {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
