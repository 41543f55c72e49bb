"""The main job: the same rounds for a seed, right tables, nothing lost on Ctrl-C."""

import csv
import os
import signal
import sys

import numpy as np
import pytest
from scipy.stats import binomtest

from saboteur_env.agents.matches.kernel_matches import ROUND
from saboteur_env.engine.editions import Rules
from saboteur_env.experiments.common.executor import Interrupted
from saboteur_env.experiments.common.report import write_atomically, write_csv
from saboteur_env.experiments.common.statistics import round_columns, rows_of, wilson, win_rate_rows
from saboteur_env.experiments.win_rates.win_rates import Study, play, write
from tests.support.processes import start_program

SMALL = Study(players=(3, 5), matches=30, seed=4)


def test_a_seed_repeats_the_rounds_whatever_the_number_of_workers():
    assert play(SMALL, workers=1) == play(SMALL, workers=3) != play(Study((3, 5), 30, seed=5), workers=2)


def test_every_round_is_there_once_in_order():
    rows = play(SMALL)
    indices = [(row["players"], row["round"]) for row in rows]
    assert indices == [(players, number) for players in (3, 5) for _ in range(30) for number in (1, 2, 3)]
    assert len({(row["players"], row["seed"]) for row in rows}) == 60


def test_a_round_of_the_table_is_the_round_of_the_checked_game():
    from saboteur_env import Game

    for row in play(Study((4,), 3, miners="random", saboteurs="random", rounds=1)):
        game = Game(players=4, seed=row["seed"], rounds=1)
        assert game.view(0).rules == Rules.make(4, rounds=1)
        assert row["first_seat"] == game.seat
        assert (row["turns"], row["winner"]) in {(67, "saboteurs"), (67, "nobody")} or row["winner"] == "miners"
        assert row["saboteurs"] == sum(game.view(seat).role == "saboteur" for seat in range(4))


def test_win_rates_add_up():
    rows = play(SMALL)
    whole, *parts = (row for row in win_rate_rows(rows) if row["players"] == 5)
    assert whole["saboteurs"] == "all"
    assert [part["saboteurs"] for part in parts] == ["1", "2"]
    assert whole["rounds"] == 90 == sum(part["rounds"] for part in parts)
    won = sum(part["miners_won"] * part["rounds"] for part in parts)
    assert whole["miners_won"] * 90 == pytest.approx(won)
    assert whole["miners_won"] + whole["saboteurs_won"] == pytest.approx(1)
    assert whole["miners_low"] < whole["miners_won"] < whole["miners_high"]


def test_nuggets_are_those_of_the_round():
    for row in play(SMALL):
        paid = {1: 4, 2: 3}.get(row["saboteurs"], 0) * row["saboteurs"]
        assert row["saboteur_nuggets"] == (paid if row["winner"] == "saboteurs" else 0)
        assert (row["miner_nuggets"] > 0) == (row["winner"] == "miners")


def test_the_interval_is_wilsons():
    low, high = wilson(7, 10)
    assert (low, high) == pytest.approx((0.3968, 0.8922), abs=1e-4)
    assert low == binomtest(7, 10).proportion_ci(method="wilson").low
    assert wilson(0, 0) == (0.0, 1.0)


def test_scripted_miners_find_the_treasure_when_nobody_hinders_them():
    for players in (3, 6, 10):
        study = Study((players,), 60, options={"role_table": {"saboteurs": 0, "miners": players}})
        (row, _) = win_rate_rows(play(study))
        assert row["miners_won"] > 0.95


def test_scripted_saboteurs_hinder_more_than_random_ones():
    (scripted, *_), (random, *_) = (
        win_rate_rows(play(Study((5,), 60, saboteurs=name))) for name in ("scripted", "random")
    )
    assert scripted["saboteurs_low"] > random["saboteurs_high"]


def test_what_is_written_can_be_read(tmp_path):
    pyarrow = pytest.importorskip("pyarrow.parquet", reason="the report extra is not installed")
    rows = play(Study((3,), 2))
    names = {path.name for path in write(Study((3,), 2), rows, tmp_path)}
    assert names == {"rounds.csv", "rounds.parquet", "win_rates.csv", "win_rates.parquet", "win_rates.png"}
    with open(tmp_path / "rounds.csv", encoding="utf-8") as file:
        assert [int(row["seed"]) for row in csv.DictReader(file)] == [row["seed"] for row in rows]
    assert pyarrow.read_table(tmp_path / "rounds.parquet").to_pylist() == rows
    assert (tmp_path / "win_rates.png").read_bytes().startswith(b"\x89PNG")


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    path = write_csv(tmp_path / "a.csv", [{"a": 1}])

    def breaks_off(file):
        file.write_text("half")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, breaks_off)
    assert path.read_text() == "a\n1\n"
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupted_study_keeps_the_finished_rounds():
    ticks = []

    def stop(rounds):
        ticks.append(rounds)
        if len(ticks) == 2:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        play(Study((3, 4, 5), 100), workers=2, progress=stop)
    assert len(stopped.value.rows) == sum(ticks)


TELLING = """
from saboteur_env.cli import main
from saboteur_env.experiments.win_rates import win_rates

play = win_rates.play

def telling(study, workers, tick):
    return play(study, workers, lambda rounds: (print("finished", flush=True), tick(rounds)))

win_rates.play = telling
main(["win-rates", "--matches", "20000", "--out"])  # and the folder
"""


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
def test_ctrl_c_leaves_the_finished_rounds_on_disk(tmp_path):
    command = [sys.executable, "-c", TELLING, str(tmp_path)]
    process = start_program(command)
    while process.stdout.readline().strip() not in ("finished", ""):
        pass
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate()
    assert process.returncode == 130, said
    assert "finished rounds are written" in said
    with open(tmp_path / "rounds.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert 0 < len(rows) < 8 * 20000 * 3
    assert all(len(row) == 11 and None not in row.values() for row in rows)


@pytest.mark.parametrize(
    ("study", "said"),
    [
        (Study(miners="nobody"), "no dwarf 'nobody'"),
        (Study(edition="xx"), "edition must be one of"),
        (Study(options={"draft": 1}), "option draft"),
    ],
)
def test_impossible_studies_are_refused(study, said):
    with pytest.raises(ValueError, match=said):
        play(study)


def test_round_rows_of_nothing_are_nothing():
    assert rows_of(round_columns(Rules.make(3), np.zeros(0, ROUND))) == []
    assert win_rate_rows([]) == []


def test_tables_and_transcripts_carry_the_versions(tmp_path):
    import json

    from saboteur_env import Game
    from saboteur_env.environment.actions import ACTION_VERSION
    from saboteur_env.environment.observations import OBSERVATION_VERSION

    pyarrow = pytest.importorskip("pyarrow.parquet", reason="the report extra is not installed")
    write(SMALL, play(Study((3,), 1)), tmp_path)
    metadata = pyarrow.read_schema(tmp_path / "rounds.parquet").metadata
    assert (metadata[b"observations"], metadata[b"actions"]) == (b"1", b"1")
    versions = {"observations": OBSERVATION_VERSION, "actions": ACTION_VERSION}
    assert json.loads(Game(players=3, seed=1).transcript())["versions"] == versions
