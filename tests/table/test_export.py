"""Games of people as transcripts, and as the long table of tournaments."""

import json
import socket
import sys

import pytest
from typer.testing import CliRunner

from saboteur_env import Game
from saboteur_env.cli import app
from saboteur_env.table.setup import PERSON, Setup
from saboteur_env.table.store import Event, Store
from saboteur_env.table.tables import Refused, Table


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "tables.sqlite")
    yield store
    store.close()


def played(store, *seats, rounds=1, players=None, until=None, **more):
    """A table with so many rounds played to their ends, the first legal move each time."""
    table = Table(store, store.new_table(Setup(seats, rounds=max(rounds, 2), **more)))
    table.start()
    while table.game.round <= rounds:
        if table.game.round_over:
            if table.game.round == rounds:
                break
            table.next_round(table.number, 0)
        elif table.number == until:
            break
        else:
            seat = table.game.seat
            player = (players or {}).get((seat, table.game.round), seats[seat])
            table.play(table.number, Event(seat, table.game.legal_moves()[0], player))
    return table


def test_transcripts_are_written_and_replay_themselves(store, tmp_path):
    tables = [played(store, PERSON, "scripted", "random", seed=seed) for seed in (1, 2)]
    store.new_table(Setup((PERSON, PERSON, "random"), seed=3))  # not begun
    path = store.path
    store.close()
    answer = CliRunner().invoke(app, ["play", "--export", str(tmp_path / "games"), "--tables", str(path)])
    assert answer.exit_code == 0, answer.exception
    written = {file.stem: file for file in (tmp_path / "games").glob("*.json")}
    assert set(written) == {table.name for table in tables}
    for table in tables:
        assert Game.replay(written[table.name].read_text()) == table.game


def test_the_table_has_the_columns_of_a_tournament(store):
    pytest.importorskip("pyarrow", reason="needs the extra report")
    from saboteur_env.experiments.tournament.tournament import evaluate
    from saboteur_env.table.export import rounds_of

    table = played(store, PERSON, "scripted", "scripted", rounds=2, seed=5)
    rounds = rounds_of(store)
    assert rounds.schema.equals(evaluate(["random", "scripted"], (3,), deals=1).schema)
    rows = rounds.to_pylist()
    assert [row["round"] for row in rows] == [1, 2]
    assert all(row["seed"] == 5 and row["substitute"] == PERSON and row["substitute_seat"] == 0 for row in rows)
    assert all(row["miners_by"] == row["saboteurs_by"] == "scripted" for row in rows)
    assert rows[1]["replaced"] == table.game.view(0).role
    assert [row["winner"] for row in rows] == [
        json.loads(table.game.to_json())["past"][0]["winner"],
        table.game.winner,
    ]


@pytest.mark.parametrize(
    ("seats", "players", "names"),
    [
        ((PERSON,) * 3, {}, {PERSON}),
        ((PERSON, "scripted", "scripted"), {(0, 1): "scripted"}, {"scripted"}),
        ((PERSON, PERSON, "a", "b"), {}, {"a", "b", f"b+{PERSON}", f"a+{PERSON}", PERSON, f"a+b+{PERSON}", "a+b"}),
    ],
)
def test_who_played_is_told_by_role(store, seats, players, names):
    pytest.importorskip("pyarrow", reason="needs the extra report")
    from saboteur_env.table.export import rounds_of

    played(store, *seats, players=players, seed=2)
    (row,) = rounds_of(store).to_pylist()
    assert (row["substitute"], row["replaced"], row["substitute_seat"]) == ("", "", -1)
    assert {row["miners_by"], row["saboteurs_by"]} <= names


def test_rounds_that_run_do_not_count(store):
    pytest.importorskip("pyarrow", reason="needs the extra report")
    from saboteur_env.table.export import rounds_of

    played(store, PERSON, "random", "random", seed=2, until=3)
    with pytest.raises(ValueError, match="no round is finished"):
        rounds_of(store)


def test_what_cannot_be_kept_is_not_played(store, monkeypatch):
    table = played(store, PERSON, "random", "random", seed=2, until=3)
    other = Table(store, table.name)  # as another process would have it
    event = Event(table.game.seat, table.game.legal_moves()[0], PERSON)
    table.play(3, event)
    before = other.game.records.tobytes()
    with pytest.raises(Refused, match="could not be kept"):
        other.play(3, event)
    assert other.game.records.tobytes() == before
    assert other.number == 3


def test_a_file_that_is_no_database_is_told(tmp_path):
    (tmp_path / "notes.txt").write_text("not a database" * 100)
    with pytest.raises(ValueError, match="cannot keep tables in"):
        Store(tmp_path / "notes.txt")


def test_the_command_explains_itself_and_names_a_missing_extra(tmp_path, monkeypatch):
    assert "Sit at a table with dwarfs" in CliRunner().invoke(app, ["play", "--help"]).output
    monkeypatch.delitem(sys.modules, "saboteur_env.table.server", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    answer = CliRunner().invoke(app, ["play", "--port", "0", "--tables", str(tmp_path / "tables.sqlite")])
    assert 'uvicorn is not installed: pip install "saboteur-env[play]"' in str(answer.exception)


def test_a_port_in_use_is_told(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        answer = CliRunner().invoke(app, ["play", "--port", port, "--tables", str(tmp_path / "tables.sqlite")])
    assert "--port names another one" in str(answer.exception)


def test_what_the_host_option_opens_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr("uvicorn.Server.run", lambda *_: None)
    arguments = ["play", "--no-browser", "--port", "0", "--dwarfs", "random", "--tables", str(tmp_path / "x.sqlite")]
    quiet = CliRunner().invoke(app, arguments).output
    assert "http://127.0.0.1:" in quiet
    assert "without encryption" not in quiet
    loud = CliRunner().invoke(app, [*arguments, "--host", "0.0.0.0"]).output
    assert "opens this server to everybody" in " ".join(loud.split())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["--dwarfs", "grumpy"], "there is no dwarf 'grumpy'"), (["--dwarfs", ","], "name at least one")],
)
def test_bad_options_are_told(tmp_path, arguments, words):
    options = ["play", "--no-browser", "--port", "0", "--tables", str(tmp_path / "tables.sqlite")]
    answer = CliRunner().invoke(app, [*options, *arguments])
    assert words in str(answer.exception)
