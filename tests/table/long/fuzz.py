"""Throws at a table what no browser should send: it is answered with an error in words, and nothing changes.

Run as ``python -m tests.table.long.fuzz --messages 100000``. Messages are malformed, oversized, replayed, out of
turn, or foreign: of connections that hold no key for what they ask. Each is settled by a seed and its number.
"""

import argparse
import asyncio
import json
import random
import string
import tempfile
import time
from collections import Counter
from pathlib import Path

from saboteur_env.game.messages import MESSAGE_TEXT
from saboteur_env.table.messages import MAX_MESSAGE_BYTES
from saboteur_env.table.setup import PERSON
from tests.long.fuzz_inputs import junk, mutated, spoiled
from tests.support.dispatchers import Reader, answer, dispatcher_in, move_on, seated

HARMLESS = ("thoughts", "advice", "entered", "lobby")  # answers that change nothing
SETTINGS = {"seats": [PERSON, "scripted", "random"], "edition": "lv", "rounds": 2, "options": {"draft": True}}


class Target:
    """Two tables in play, and connections of all kinds."""

    def __init__(self, dispatcher):
        self.dispatcher = dispatcher
        self.connections, self.table = seated(
            dispatcher, [PERSON, PERSON, "scripted", PERSON], seed=4, options={"talk": "free"}
        )
        self.others, self.other = seated(dispatcher, [PERSON] * 3, seed=5)
        for table in (self.table, self.other):
            for _ in range(6):
                move_on(table, table.game.legal_moves()[0])
        self.keys = dispatcher.keys

    def senders(self):
        """Everybody who may send something: strangers, those at the tables, those of another table."""
        return [Reader(), *self.connections.values(), *self.others.values()]

    def state(self):
        """All that must stay as it is."""
        return [
            (table.number, table.started, list(table.sitting), table.game.records.tobytes(), table.game.messages)
            for table in (self.table, self.other)
        ] + [self.dispatcher.store.tables(), self.dispatcher.store.kept(self.table.name)]


def whole(rng, target):
    """A message of the right shape."""
    table, number = target.table, target.table.number + rng.choice([-6, -1, -1, 0, 0, 1, 1000])
    seat, moves = rng.randrange(4), [*table.game.legal_moves(), "map:0", "pass", "NES@1,0"]
    another = target.keys.key(f"seat {(seat + 1) % 4}", table.name)
    data = {
        "lobby": {"key": target.keys.key("lobby", rng.choice(["x", table.name]))},
        "new": dict(SETTINGS),
        "enter": {"table": table.name, "who": f"seat {seat}", "key": another},
        "play": {"number": max(number, 0), "move": rng.choice(moves)},
        "say": {"text": rng.choice(["hi", "", "a\nb", "x" * 201, "<b>", " ", "\u202e"])},
        "next round": {"number": max(number, 0)},
        "hand over": {"table": rng.choice([table.name, "x"]), "seat": seat, "player": rng.choice([PERSON, "os"])},
        "advice": {"number": max(number, 0)},
        "thoughts": {"round": rng.choice([1, 2, 9])},
        "keep": {"form": rng.choice(["page", "transcript"])},
    }
    kind = rng.choice([*data, "play", "play"])
    return {"kind": kind, **data[kind]}


def raw(rng, target):
    """A message as it comes over the wire."""
    message = whole(rng, target)
    how = rng.choice(["shape", "shape", "letters", "junk", "size", "bytes", "as it is"])
    if how == "shape":
        message = mutated(rng, message)
    if how == "junk":
        message = junk(rng)
    if how == "bytes":
        return rng.choice([None, rng.randbytes(20)])
    text = json.dumps(message)
    if how == "letters":
        return spoiled(rng, text, string.printable + "\x00é\ud800")
    return text + " " * MAX_MESSAGE_BYTES * (how == "size")


def allowed(target, connection, text):
    """Whether this connection may change something by this message after all."""
    try:
        message = json.loads(text)
        kind = message["kind"]
    except (TypeError, ValueError, KeyError, AttributeError):
        return False
    if kind == "say":
        return connection in target.connections.values() and MESSAGE_TEXT.holds(message.get("text"))
    if kind == "hand over":
        seat = message.get("seat")
        return type(seat) is int and connection is target.connections.get(seat)
    return kind == "play" and any(
        connection is connections.get(table.game.seat)
        and message.get("number") == table.number
        and message.get("move") in table.game.legal_moves()
        for table, connections in ((target.table, target.connections), (target.other, target.others))
    )


async def run(messages, seed, folder):
    """Throw so many messages; returns how they were answered."""
    met = Counter()
    with dispatcher_in(folder) as dispatcher:
        target = Target(dispatcher)
        before = target.state()
        for number in range(messages):
            rng = random.Random(f"{seed}/{number}")
            text, connection = raw(rng, target), rng.choice(target.senders())
            if allowed(target, connection, text):
                met["left out: allowed"] += 1
                continue
            kinds = {json.loads(answered)["kind"] for answered in await answer(dispatcher, connection, text)}
            assert kinds & {"error", *HARMLESS}, f"message {number} of seed {seed} got {kinds or 'no answer'}: {text!r}"
            met[" and ".join(sorted(kinds))] += 1
            if number % 50 == 0 or "error" not in kinds:
                assert target.state() == before, f"message {number} of seed {seed} changed something: {text!r}"
        assert target.state() == before
    return met


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        met = asyncio.run(run(given.messages, given.seed, Path(folder)))
    print(*(f"{count:>10,} {name}" for name, count in met.items()), sep="\n")
    print(f"nothing changed, {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
