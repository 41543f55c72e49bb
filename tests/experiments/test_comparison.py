"""The race of libraries: turns, medians and ratios from laps, absentees named, whole files; each door really plays."""

import json
import os
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from saboteur_env.cli import app
from saboteur_env.experiments.speed import comparison as peers
from saboteur_env.experiments.speed import interleaved as race
from saboteur_env.experiments.speed import other_libraries as rivals
from saboteur_env.experiments.speed.cases import STATE_ONLY, WITH_OBSERVATIONS, Case, ours
from saboteur_env.experiments.speed.interleaved import Comparison, Missing, Sample, Timing

DOCS = Path(__file__).parents[2] / "docs"
OURS = list(ours(5))
OTHERS = [one for one in rivals.everyone() if one.library != OURS[0].library]


def contestant(key, prepare=None, view=WITH_OBSERVATIONS, sizes=(1,)):
    return Case(key, "Library", f"game {key}", "loop", view, "a nap", prepare or (lambda size: nap), sizes)


def nap(decisions, each=2e-4):
    time.sleep(decisions * each)
    return decisions


def test_contestants_play_in_turn():
    turns = []
    result = race.interleave([contestant(key) for key in "abc"], seconds=0.06, runs=3, progress=turns.append)
    assert [name.split(",")[0][-1] for name in turns] == list("abc") * 4  # made ready, then three laps
    assert [len(runner.laps) for runner in result.runners] == [3, 3, 3]
    assert not result.missing
    assert not result.stopped


def test_a_lap_lasts_its_time_and_counts_what_was_played():
    (runner,) = race.interleave([contestant("a")], seconds=0.2, runs=2).runners
    for lap in runner.laps:
        assert lap.seconds >= 0.1
        assert (lap.decisions - runner.portion) * 2e-4 < 0.1  # the last portion begins in time
        assert 0 < lap.decisions <= lap.seconds / 2e-4
        assert lap.speed == lap.decisions / lap.seconds
        assert lap.cpu < lap.seconds


def test_the_cheapest_number_of_games_is_chosen():
    def work(size, decisions):
        ends = time.process_time() + decisions * abs(size - 8) * 1e-4
        while time.process_time() < ends:
            pass
        return decisions

    assert race.prepare(contestant("a", lambda size: partial(work, size), sizes=(1, 7, 20)), trial=0.02).size == 7
    with pytest.raises(ValueError, match="sizes is empty"):
        race.prepare(contestant("a", sizes=()))


def fails_later():
    calls = []

    def play(decisions):
        calls.append(decisions)
        if len(calls) > 5:
            raise RuntimeError("out of cards\nand more")
        return nap(max(decisions, 100))

    return play


def test_those_that_are_missing_or_break_are_named_and_the_others_measured():
    def absent(size):
        import no_such_library  # noqa: F401

    field = [contestant("a", absent), contestant("b"), contestant("c", lambda size: fails_later())]
    result = race.interleave(field, seconds=1.0, runs=4)
    assert [(item.contestant.key, item.reason) for item in result.missing] == [
        ("a", "ModuleNotFoundError: No module named 'no_such_library'"),
        ("c", "RuntimeError: out of cards"),
    ]
    assert [runner.contestant.key for runner in result.runners] == ["b"]
    page = peers.markdown(peers.report(result))
    assert "| Library | RuntimeError: out of cards | Library: game c, loop, observation and mask |" in page


def test_an_interrupted_race_keeps_its_laps():
    turns = []

    def stop(name):
        turns.append(name)
        if len(turns) == 6:
            raise KeyboardInterrupt

    result = race.interleave([contestant("a"), contestant("b")], seconds=0.1, runs=5, progress=stop)
    assert result.stopped
    assert [len(runner.laps) for runner in result.runners] == [2, 1]


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="the system cannot hold a process on a core")
def test_the_race_is_held_on_one_core_and_let_go():
    before = os.sched_getaffinity(0)
    cores = []
    result = race.interleave([contestant("a")], 0.02, 1, lambda _: cores.append(os.sched_getaffinity(0)))
    assert all(len(selected) == 1 for selected in cores)
    assert f"core {max(before)} alone" in result.core
    assert os.sched_getaffinity(0) == before


def ran(key, view, *laps, size=1):
    return Timing(contestant(key, view=view), size, nap, 1, [Sample(*lap) for lap in laps])


@pytest.fixture
def result():
    """Two laps at twice, one at five times the speed; the core was had for half of the time."""
    return Comparison(
        "core 1 alone",
        6.0,
        3,
        [
            ran("kernel", STATE_ONLY, (8_000_000, 2.0, 1.0)),
            ran("batch", STATE_ONLY, (6_000_000, 2.0, 1.0), size=64),
            ran(
                "batch",
                WITH_OBSERVATIONS,
                (4_000_000, 2.0, 1.0),
                (2_000_000, 2.0, 1.0),
                (5_000_000, 2.0, 1.0),
                size=256,
            ),
            ran("Pgx hex", WITH_OBSERVATIONS, (2_000_000, 2.0, 1.0), (1_000_000, 2.0, 1.0), (1_000_000, 2.0, 1.0)),
        ],
        [Missing(contestant("uno"), "ImportError: a | b")],
    )


def test_medians_and_ratios(result):
    report = peers.report(result)
    kernel, _, batch, hex_ = report["rows"]
    assert (batch["decisions_a_second"], hex_["decisions_a_second"]) == (2_000_000, 500_000)
    assert (batch["cpu_seconds_a_million"], hex_["cpu_seconds_a_million"]) == (0.25, 1.0)
    assert (kernel["ours_by_this"], batch["ours_by_this"], hex_["ours_by_this"]) == (0.75, 1.0, 2.0)
    assert [(item["ours"], item["theirs"], item["ratio"]) for item in report["headlines"]] == [
        ("loop, 64 games at once", "Library: game kernel, loop", 0.75),
        ("loop, 256 games at once", "Library: game Pgx hex, loop", 2.0),
    ]
    assert report["share_of_core"] == 0.5


def test_the_report_is_plain_json_of_a_known_form(result):
    report = peers.report(result)
    assert json.loads(json.dumps(report)) == report
    assert report["format"] == "saboteur-speed/1"
    assert {
        "unit",
        "machine",
        "core",
        "versions",
        "laps",
        "seconds_a_lap",
        "headlines",
        "rows",
        "missing",
    } <= report.keys()
    assert {"python", "saboteur-env", "numpy", "numba"} <= report["versions"].keys()
    assert all(
        row["view"] in (STATE_ONLY, WITH_OBSERVATIONS) and row["counted"] and row["laps"] for row in report["rows"]
    )
    assert report["rows"][2]["laps"][0] == {"decisions": 4_000_000, "seconds": 2.0, "cpu": 1.0}


def test_the_page_shows_what_was_measured(result):
    page = peers.markdown(peers.report(result))
    assert "| Library: game batch, loop | 256 | 2,000,000 | 0.250 | 1.00 | a nap |" in page
    assert "| loop, 256 games at once | Library: game Pgx hex, loop | observation and mask | 2,000,000 |" in page
    assert r"| Library | ImportError: a \| b | Library: game uno, loop, observation and mask |" in page
    assert "core 1 alone; 50% of its time" in page
    assert "1 of 2 s for each" in page
    assert all(len(set(line.replace(r"\|", ""))) > 1 for line in page.splitlines() if line)


def test_a_race_without_laps_has_a_report_without_rows():
    report = peers.report(Comparison("core 0", 1.0, 1, [], [Missing(contestant("a"), "ImportError: none")], True))
    assert [section.title for section in peers.sections(report)] == ["Not measured", "How it was measured"]


def test_files_are_written_whole_or_not_at_all(result, tmp_path, monkeypatch):
    report = peers.report(result)
    assert [path.name for path in peers.write(report, tmp_path)] == ["speed.md", "speed.json"]
    kept = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert json.loads(kept["speed.json"]) == report

    def breaks_off(self, *rest, **options):
        self.write_bytes(b"half")
        raise OSError("disk full")

    monkeypatch.setattr(Path, "write_text", breaks_off)
    with pytest.raises(OSError, match="disk full"):
        peers.write(report | {"machine": "another"}, tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == kept


def test_the_command_shows_names_and_writes(tmp_path, monkeypatch):
    monkeypatch.setattr(rivals, "everyone", lambda players: [contestant(f"of {players} [players]")])
    answer = CliRunner().invoke(
        app, ["bench", "--peers", "--players", "7", "--seconds", "0.1", "--runs", "2", "--out", str(tmp_path)]
    )
    assert answer.exit_code == 0, answer.output
    assert "of 7 [players]" in answer.output
    assert "How it was measured" in answer.output
    (row,) = json.loads((tmp_path / "speed.json").read_text())["rows"]
    assert row["game"] == "game of 7 [players]"


def test_a_command_stopped_before_its_first_lap_writes_nothing(tmp_path, monkeypatch):
    def stop(size):
        raise KeyboardInterrupt

    monkeypatch.setattr(rivals, "everyone", lambda players: [contestant("a", stop)])
    answer = CliRunner().invoke(app, ["bench", "--peers", "--out", str(tmp_path / "speed")])
    assert answer.exit_code == 130
    assert "Stopped" in answer.output
    assert not (tmp_path / "speed").exists()


def test_draws_are_legal_and_even():
    mask = np.array([[0, 1, 0, 1, 1]] * 3000 + [[1, 0, 0, 0, 0]], bool)
    drawn = rivals.places(np.random.default_rng(1), mask)
    assert drawn[-1] == 0
    counts = np.bincount(drawn[:-1], minlength=5)
    assert not counts[[0, 2]].any()
    assert (abs(counts[[1, 3, 4]] - 1000) < 150).all()
    probabilities = np.bincount([rivals.drawn([(0, 0.2), (2, 0.8)]) for _ in range(3000)])
    assert probabilities[0] + probabilities[2] == 3000
    assert abs(probabilities[0] - 600) < 150


@pytest.mark.parametrize("item", OURS, ids=lambda item: f"{item.key}, {item.view}")
def test_our_doors_play(item):
    size = min(item.sizes[0], 32)
    assert item.prepare(size)(300) >= 300
    assert item.game == "Saboteur, 5 players"


def test_keys_and_headlines_name_contestants():
    keys = [(item.key, item.view) for item in rivals.everyone()]
    assert len(set(keys)) == len(keys)
    for ours_, theirs, view in peers.HEADLINES:
        assert {(ours_, view), (theirs, view)} <= set(keys)
    assert {(peers.YARDSTICK, STATE_ONLY), (peers.YARDSTICK, WITH_OBSERVATIONS)} <= set(keys)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("item", OTHERS, ids=lambda item: f"{item.key}, {item.view}")
def test_other_libraries_play_where_they_are_installed(item):
    try:
        play = item.prepare(min(item.sizes[0], 16))
    except ImportError as error:
        pytest.skip(f"{item.library}: {error}")
    assert play(300) >= 300  # beyond the end of an episode


def test_the_page_in_the_docs_is_that_of_its_data():
    report = json.loads((DOCS / "speed.json").read_text())
    assert peers.markdown(report) == (DOCS / "speed.md").read_text()
    assert report["rows"][0]["library"] == "saboteur_env"
