"""kill -9 at random moments: no move and no message that was answered is lost or kept twice, and links still work.

Run as ``python -m tests.table.long.kills --kills 30``: several people play against dwarfs, the server is killed at a
random moment and started again, and in the end the database is compared with what was answered.
"""

import argparse
import random
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

from websockets.exceptions import WebSocketException

from saboteur_env.table.setup import PERSON
from saboteur_env.table.store import Store
from saboteur_env.table.tables import NEXT_ROUND, Table
from tests.support.tables import WAIT, Client, Process, lively, my_turn, with_dwarfs

TABLES, ROUNDS = 6, 3


class Person:
    """Somebody who plays on whenever there is a server, says all twice, and notes which moves were answered."""

    def __init__(self, link, seed):
        self.link, self.rng = link, random.Random(seed)
        self.sent, self.answered = {}, {}  # by number
        self.said, self.heard = set(), set()  # messages, and those of them that came back
        self.over = False

    @property
    def table(self):
        return self.link.partition("#")[2].partition("/")[0]

    def play(self, server, begun):
        """Play until the match is over or the server is gone; who is only cut off, as on a busy machine, comes back."""
        while not self.over and server.runs:
            with suppress(WebSocketException, ConnectionError, EOFError), Client(server.port) as client:
                state = client.enter(self.link)
                while not self.over:
                    state = self._step(client, state)
                    begun.set()

    def _step(self, client, state):
        number, text = state["number"], None
        self.heard |= {said for seat, said in state["messages"] if seat == state["seat"]}
        if my_turn(state) and number % 3 == 0 and f"After {number}." not in self.said:  # rarely: a flood is refused
            self.said.add(f"After {number}.")
            client.say("say", text=f"After {number}.")
        if my_turn(state):
            text = self.sent.setdefault(number, lively(self.rng, state))
            for _ in range(2):  # the second one is a replay
                client.say("play", number=number, move=text)
        elif state["phase"] == "round over":
            text = NEXT_ROUND
            client.say("next round", number=number)
        self.over = state["phase"] == "match over"
        if self.over:
            return state
        state = client.until(lambda state: state["number"] > number)
        if text:
            self.answered[number] = text
        return state


def run(kills, seed, folder, tables=TABLES, rounds=ROUNDS, tell=lambda words: None):
    """Kill a server so often, then let the matches come to their ends; returns how many moves were answered."""
    rng, path = random.Random(seed), folder / "tables.sqlite"
    server, people = Process(path, "--dwarfs", "scripted,random"), []
    for kill in range(kills + 1):
        while sum(not person.over for person in people) < tables and kill < kills:
            people.append(_sit(server, rounds, rng.getrandbits(32)))
        begun = threading.Event()
        threads = [threading.Thread(target=person.play, args=(server, begun)) for person in people]
        for thread in threads:
            thread.start()
        if kill < kills:
            begun.wait(WAIT)
            time.sleep(rng.uniform(0, 1))  # any moment will do
            server.kill()
        for thread in threads:
            thread.join()
        tell(f"{kill} kills: {sum(len(person.answered) for person in people):,} moves answered")
        if kill < kills:
            server = Process(path, "--dwarfs", "scripted,random")
    server.stop()
    return sum(check(path, person) for person in people)


def _sit(server, rounds, seed):
    with server.client() as client:
        links = client.new(server.key, seats=with_dwarfs(3), rounds=rounds, options={"talk": "free"})
    return Person(links["seat 0"], seed)


def check(path, person):
    """Compare what a person was answered with what is kept; returns how many moves these were."""
    store = Store(path)
    try:
        table = Table(store, person.table)
        mine = {number: event.text for number, event in enumerate(table.events) if event.player == PERSON}
        lost = {number: text for number, text in person.answered.items() if mine.get(number) != text}
        assert not lost, f"answered, and not kept: {lost}"
        kept = [text for _, _, text in store.kept(person.table).messages]
        assert person.heard <= set(kept), f"said to all, and not kept: {person.heard - set(kept)}"
        assert len(set(kept)) == len(kept), "a message is kept twice"
        assert person.over
        assert table.game.over  # every event was legal in its place, or it would not have loaded
        return len(person.answered)
    finally:
        store.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        answered = run(given.kills, given.seed, Path(folder), tell=print)
    took = time.perf_counter() - began
    print(f"{given.kills} kills, {answered:,} moves answered, none lost, none twice, {took:.0f} s")


if __name__ == "__main__":
    main()
