"""Chat dwarfs at a table: one sits there by one command, and what it said is told after the round."""

import pytest

pytest.importorskip("openai", reason="openai is not installed (extra chat)")
pytest.importorskip("httpx_aiohttp", reason="httpx-aiohttp is not installed (extra chat)")

from saboteur_env.game.game import Game
from saboteur_env.render import replay_page
from saboteur_env.table.command import Asked, _make_table, _players
from saboteur_env.table.dispatcher import Dispatcher
from saboteur_env.table.setup import PERSON
from saboteur_env.table.shown.thoughts import annotation_of, thought_of
from saboteur_env.table.store import Store
from tests.support import chat_server
from tests.support.chat_server import serving
from tests.support.tables import my_turn, served


def test_what_a_chat_dwarf_said_is_told_and_kept(tmp_path):
    with serving(chat_server.good) as (url, _):
        name = f"chat:model=m:base_url={url}"
        with served(tmp_path / "tables.sqlite", ("scripted", name)) as server:
            links = server.new(seats=[PERSON, name, name], rounds=1, watched=True, options={"first_seat": 1})
            with server.client() as person, server.client() as watcher:
                person.enter(links["seat 0"])
                watcher.enter(links["watch"])
                person.until(my_turn)
                told = watcher.ask("thoughts", "thoughts", round=1)["moves"]
    store = Store(tmp_path / "tables.sqlite")
    (kept,) = map(store.kept, store.tables())
    store.close()
    assert [(move["player"], move["said"].split("\n")[0]) for move in told] == [(name, "I dig.")] * 2
    assert [event.thought["said"].split("\n")[1] for event in kept.events] == [event.text for event in kept.events]


def test_a_note_without_words_is_told_as_before():
    move = (0, Game(players=3, seed=7, options={"first_seat": 0}).legal_moves()[0])
    assert annotation_of(move, None) is None
    assert thought_of(move, "scripted", None)["said"] == ""
    assert annotation_of(move, {"move": move[1], "said": "I dig."})["said"] == "I dig."


def test_a_replay_of_such_a_match_shows_it():
    game = Game(players=3, seed=7, rounds=1)
    seat, move = game.seat, game.legal_moves()[0]
    game.play(move)
    page = replay_page(game.transcript(), annotations=[annotation_of((seat, move), {"said": "I trust nobody."})])
    assert "I trust nobody." in page


def test_a_table_is_made_by_the_command_itself(tmp_path, capsys):
    asked = Asked("scripted", "", f"{PERSON},random,scripted", 2, "free")
    players = _players(asked)
    store = Store(tmp_path / "tables.sqlite")
    try:
        assert players.names == ("scripted", "random")
        links = _make_table(Dispatcher(store, players, 0), asked, "http://here/")
        (table,) = store.tables()
        assert list(links) == ["seat 0"] and links["seat 0"].startswith(f"http://here/table#{table}/seat-0/")
        setup = store.kept(table).setup
        assert setup.seats == (PERSON, "random", "scripted")
        assert (setup.rounds, setup.options) == (2, {"talk": "free"})
        assert "The link of seat 0: http://here/table#" in capsys.readouterr().out
        dwarfs = asked._replace(seats="random,random,scripted")
        assert list(_make_table(Dispatcher(store, players, 0), dwarfs, "http://here/")) == ["watch"]
        with pytest.raises(ValueError, match="players"):
            _make_table(Dispatcher(store, players, 0), asked._replace(seats=f"{PERSON},random"), "http://here/")
    finally:
        store.close()
        players.close()
