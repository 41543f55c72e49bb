"""Servers of tables for tests, and clients that talk to them as a browser does."""

import atexit
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager

import pytest

pytest.importorskip("starlette", reason="needs the extra play")
pytest.importorskip("uvicorn", reason="needs the extra play")

from websockets.sync.client import connect

from saboteur_env.table.dispatcher import Dispatcher
from saboteur_env.table.keys import LOBBY, Keys
from saboteur_env.table.players import Players
from saboteur_env.table.server import Server, in_uvicorn
from saboteur_env.table.setup import PERSON
from saboteur_env.table.store import Store

WAIT = 120  # seconds; a busy machine may need long, and a test that waits in vain ends


class Client:
    """One connection; everything that comes is kept in `heard`."""

    def __init__(self, port, origin=None, host="127.0.0.1"):
        address = f"http://{host}:{port}"
        how = {"origin": origin or address, "max_size": None, "open_timeout": WAIT, "close_timeout": 0.2}
        self._door = connect(f"ws://{host}:{port}/wire", **how)
        self.heard = []

    def __enter__(self):
        self.wire = self._door.__enter__()
        return self

    def __exit__(self, *error):
        self._door.__exit__(*error)

    def say(self, kind, **data):
        self.wire.send(json.dumps({"kind": kind, **data}))

    def hear(self, *kinds):
        """The next message of one of these kinds."""
        while True:
            message = json.loads(self.wire.recv(timeout=WAIT))
            self.heard.append(message)
            if message["kind"] in kinds:
                return message

    def ask(self, kind, *answers, **data):
        self.say(kind, **data)
        return self.hear(*answers, "error")

    def enter(self, link):
        table, who, key = link.partition("#")[2].split("/")
        self.say("enter", table=table, who=who.replace("-", " "), key=key)
        return self.hear("state", "error")

    def until(self, holds):
        """The latest state if something holds of it, else the next one of which it does."""
        state = next((message for message in reversed(self.heard) if message["kind"] == "state"), None)
        while state is None or not holds(state):
            state = self.hear("state")
        return state

    def new(self, lobby_key, **setup):
        """Make a table; returns its links by who may use them."""
        self.say("lobby", key=lobby_key)
        self.hear("lobby")
        return self.ask("new", "lobby", **setup)["tables"][0]["links"]


def my_turn(state):
    return state["phase"] == "play" and state["turn"] == state["seat"]


def moves_in(state):
    """All legal moves that a state offers."""
    return [use["move"] for held in state["hand"] for use in held["uses"]] + [use["move"] for use in state["choices"]]


def lively(rng, state):
    """A random move, a path card rather than another."""
    moves = moves_in(state)
    return rng.choice([move for move in moves if "@" in move] or moves)


def play_out(client, state, rng=None):
    """Play a seat at random until the match is over; returns the last state."""
    rng = rng or random.Random(0)
    while state["phase"] != "match over":
        if my_turn(state):
            client.say("play", number=state["number"], move=lively(rng, state))
        elif state["phase"] == "round over":
            client.say("next round", number=state["number"])
        number = state["number"]
        state = client.until(lambda state, number=number: state["number"] > number)
    return state


def with_dwarfs(count=4, dwarf="scripted"):
    """The seats of one person among dwarfs."""
    return [PERSON, *[dwarf] * count]


class Served:
    """A server in a thread of this process."""

    def __init__(self, path, dwarfs, teach, pace):
        self.door = socket.socket()
        self.door.bind(("127.0.0.1", 0))
        self.port, self.ready = self.door.getsockname()[1], threading.Event()
        self.thread = threading.Thread(target=self._run, args=(path, dwarfs, teach, pace))
        self.thread.start()
        assert self.ready.wait(WAIT)

    def _run(self, path, dwarfs, teach, pace):
        store, players = Store(path), Players(dwarfs, teach)
        players.warm_up()
        self.dispatcher = Dispatcher(store, players, pace)
        self.key = self.dispatcher.keys.key(LOBBY)
        self.uvicorn = in_uvicorn(Server(self.dispatcher))
        self.door.listen()
        self.ready.set()
        self.uvicorn.run([self.door])
        players.close()
        store.close()

    def client(self, **how):
        return Client(self.port, **how)

    def new(self, **setup):
        with self.client() as client:
            return client.new(self.key, **setup)

    @property
    def lobby(self):
        return f"http://127.0.0.1:{self.port}/#{self.key}"

    def url(self, link):
        return f"http://127.0.0.1:{self.port}{link}"

    def stop(self):
        self.uvicorn.should_exit = True
        self.thread.join()
        self.door.close()


@contextmanager
def served(path, dwarfs=("scripted", "random"), teach="scripted", pace=0.0):
    server = Served(path, dwarfs, teach, pace)
    try:
        yield server
    finally:
        server.stop()


class Process:
    """`saboteur-env play` in a process of its own, which can be killed."""

    def __init__(self, path, *more, port=0):
        arguments = ["play", "--no-browser", "--pace", "0", "--port", port, "--tables", path, *more]
        self.log = open(f"{path}.log", "a+")  # noqa: SIM115
        self.process = subprocess.Popen(
            [sys.executable, "-m", "saboteur_env", *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        atexit.register(self.process.kill)  # a test that fails leaves no server behind
        links = (re.search(r"http://[^:]+:(\d+)/#(\S+)", line) for line in self.process.stdout)
        result = next(filter(None, links), None)
        assert result, f"the server has not started: {self.words()}"
        self.port, self.key = int(result[1]), result[2]

    def client(self):
        return Client(self.port)

    @property
    def runs(self):
        return self.process.poll() is None

    def link(self, who):
        """The link of somebody to the latest table."""
        with self.client() as client:
            path = client.ask("lobby", "lobby", key=self.key)["tables"][0]["links"][who]
        return f"http://127.0.0.1:{self.port}{path}"

    def words(self):
        self.log.seek(0)
        return self.log.read()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self._end()

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self._end()

    def _end(self):
        self.process.wait(WAIT)
        self.process.stdout.close()
        self.log.close()


@contextmanager
def running(path, *more):
    server = Process(path, *more)
    try:
        yield server
    finally:
        server.stop()


def keys_of(path):
    """The keys of a database that no server has open."""
    store = Store(path)
    try:
        return Keys(store.secret)
    finally:
        store.close()
