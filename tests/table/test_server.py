"""Who may talk to the server, and what it does with those who talk too much, too long or too slowly."""

import logging
import threading
import urllib.error
import urllib.request

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from saboteur_env.agents.scripted.agent import KernelAgent
from saboteur_env.table.keys import LOBBY, WATCH, Keys, seat_name
from saboteur_env.table.messages import MAX_MESSAGE_BYTES, SHAPES
from saboteur_env.table.server import Server, in_uvicorn
from saboteur_env.table.setup import PERSON
from saboteur_env.table.store import Store
from tests.support.tables import WAIT, Process, my_turn, play_out, served, with_dwarfs


@pytest.mark.parametrize("origin", ["http://evil.example", "https://127.0.0.1", "null", "http://127.0.0.1:1"])
def test_a_wrong_origin_is_refused(server, origin):
    with pytest.raises(InvalidStatus, match="403"), server.client(origin=origin):
        pass


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("127.0.0.1:8765", True),
        ("localhost:8765", True),
        ("[::1]:8765", True),
        ("192.168.1.7", True),
        ("evil.example:8765", False),
        ("127.0.0.1.evil.example", False),
        ("", False),
    ],
)
def test_a_name_of_others_that_points_here_is_refused(server, host, known):
    assert Server(server.dispatcher)._knows(host) is known
    assert Server(server.dispatcher, ("evil.example",))._knows("evil.example:1")


def test_pages_may_load_nothing_from_elsewhere(server):
    for path in ("/", "/table", "/page/table.js", "/page/pictures.svg"):
        with urllib.request.urlopen(server.url(path), timeout=WAIT) as answer:
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
            assert answer.headers["Referrer-Policy"] == "no-referrer"
            body = answer.read().decode()
        assert "://" not in body.replace("http://www.w3.org/2000/svg", "").replace("}://${", "")
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(server.url("/page/../server.py"), timeout=WAIT)


def test_keys_cannot_be_guessed_and_open_nothing_else():
    keys = Keys(bytes(32))
    who = [LOBBY, WATCH, seat_name(0), seat_name(1)]
    made = {keys.key(item, table) for item in who for table in ("", "a", "b")}
    assert len(made) == 12
    assert all(len(key) == 43 for key in made)
    assert keys.opens(keys.key("seat 0", "a"), "seat 0", "a")
    assert not keys.opens(keys.key("seat 0", "a"), "seat 0", "b")
    assert not keys.opens(keys.key("seat 0", "a")[:-1], "seat 0", "a")
    assert Keys(b"\1" * 32).key(LOBBY) != keys.key(LOBBY)
    assert keys.key(LOBBY) not in repr(keys)
    assert str(keys.secret) not in repr(keys)


def test_the_log_of_the_process_stays_as_it_is(monkeypatch):
    handler, closed = logging.StreamHandler(), []
    monkeypatch.setattr(handler, "close", lambda: closed.append("closed"))
    in_uvicorn(Server(None))
    assert not closed
    assert not logging.getLogger("uvicorn").handlers


def test_too_long_a_message_is_refused_and_far_too_long_a_one_ends_the_connection(server):
    with server.client() as client:
        client.wire.send("x" * (MAX_MESSAGE_BYTES + 1))
        assert f"more than {MAX_MESSAGE_BYTES:,} bytes" in client.hear("error")["words"]
        client.wire.send("x" * 17 * MAX_MESSAGE_BYTES)
        with pytest.raises(ConnectionClosed, match="1009"):
            client.wire.recv(timeout=WAIT)


def test_too_many_messages_are_not_read_and_a_flood_ends_the_connection(server):
    links = server.new(seats=with_dwarfs(2), rounds=1)
    with server.client() as client:
        client.enter(links["seat 0"])
        for _ in range(100):
            client.say("thoughts", round=1)
        while "too many messages" not in client.hear("error")["words"]:
            pass
        with pytest.raises(ConnectionClosed, match="too many messages"):
            for _ in range(10_000):
                client.ask("thoughts", round=1)


def test_all_kinds_of_messages_are_answered(server):
    assert set(server.dispatcher._answers) == set(SHAPES)


class Sleeper(KernelAgent):
    """Thinks until it is told to stop."""

    woken = threading.Event()

    def __init__(self):
        super().__init__("random")

    def act(self, view, seed):
        if view.rules.rounds > 1:  # when it is asked for the first time, to warm up, too
            self.woken.wait(WAIT)
        return super().act(view, seed)


class Broken:
    """Fails whenever it is asked in earnest."""

    def act(self, view, seed):
        if view.rules.players == 3 and view.rules.rounds == 3:
            return KernelAgent("random").act(view, seed)
        raise RuntimeError("boom")


def test_a_thinking_dwarf_holds_up_no_other_table_and_a_broken_one_is_told(tmp_path):
    Sleeper.woken.set()
    names = [f"{__name__}.{kind.__name__}" for kind in (Sleeper, Broken)]
    with served(tmp_path / "tables.sqlite", ("scripted", *names)) as server:
        Sleeper.woken.clear()
        slow = [server.new(seats=with_dwarfs(3, names[0]), rounds=2, options={"first_seat": 1}) for _ in range(6)]
        broken = server.new(seats=with_dwarfs(3, names[1]), rounds=1, options={"first_seat": 1})
        quick = server.new(seats=with_dwarfs(3), rounds=1)
        connections = [server.client() for _ in slow]
        try:
            for connection, links in zip(connections, slow, strict=True):
                assert connection.__enter__().enter(links["seat 0"])["turn"] == 1
            with server.client() as client:
                assert play_out(client, client.enter(quick["seat 0"]))["phase"] == "match over"
            with server.client() as client:
                client.enter(broken["seat 0"])
                assert "hand its seat over" in client.until(lambda state: state["trouble"])["trouble"]
        finally:
            Sleeper.woken.set()
            for connection in connections:
                connection.__exit__(None, None, None)


def test_a_client_that_reads_nothing_holds_nobody_up(server):
    links = server.new(seats=[PERSON, "random", "random"], rounds=1, watched=True)
    with server.client() as deaf, server.client() as client:
        deaf.enter(links["watch"])
        assert play_out(client, client.enter(links["seat 0"]))["phase"] == "match over"


def test_no_key_is_in_the_log_and_links_work_after_a_restart(tmp_path):
    path = tmp_path / "tables.sqlite"
    server = Process(path, "--dwarfs", "random")
    with server.client() as client:
        links = client.new(server.key, seats=with_dwarfs(2, "random"), rounds=1, options={"first_seat": 0})
    with server.client() as client:
        state = client.enter(links["seat 0"])
        client.say("play", number=0, move=state["hand"][0]["uses"][-1]["move"])
        client.until(lambda state: state["number"] > 0)
    with pytest.raises(ValueError, match="a server has it open"):
        Store(path)
    server.kill()
    assert path.stat().st_mode & 0o077 == 0
    server = Process(path, "--dwarfs", "random")
    with server.client() as client:
        state = client.enter(links["seat 0"])
        assert state["number"] > 0
        client.until(my_turn)
    server.stop()
    secrets = [server.key, *(link.rpartition("/")[2] for link in links.values())]
    log = (tmp_path / "tables.sqlite.log").read_text()
    assert not any(key in log for key in secrets)
    assert log == ""
