"""Folders of studies: names from the settings, nothing lost by kills and damage, refusals that say what differs."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from typer.testing import CliRunner

from saboteur_env.cli import app
from saboteur_env.experiments.common.folders import LONGEST, default_folder, differences
from saboteur_env.experiments.common.shards import ResultStore
from saboteur_env.experiments.search.strength import main as search_main
from saboteur_env.experiments.tournament.tournament import Tournament
from saboteur_env.experiments.tournament.tournament import play as play_tournament
from saboteur_env.experiments.win_rates import wazabi, win_rates
from saboteur_env.experiments.win_rates.scripted_tables import main as scripted_main
from saboteur_env.terminal import parse_players
from tests.support.processes import start_program

needs_report = pytest.mark.skipif(find_spec("pyarrow") is None, reason="the report extra is not installed")

AGENTS = ("scripted", "random")
SMALL = Tournament(AGENTS, (3, 5), deals=120, seed=4)
ROOT = Path(__file__).parents[2]
PAGES = "\n".join(path.read_text() for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))))


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def folders(index):
    return sorted(path.name for path in (index / "results").iterdir())


def test_every_tournament_of_the_pages_has_a_folder_of_its_own():
    commands = dict.fromkeys(re.findall(r"saboteur-env tournament (--agents [^`\n]*)", PAGES))
    read = [dict(re.findall(r"--(\w+) (\S+)", command)) for command in commands]
    named = [
        default_folder(
            "results/tournament",
            {**given, "agents": given["agents"].split(","), "players": parse_players(given.get("players", "5"))},
            {},
        )
        for given in read
    ]
    assert len(set(named)) == len(named) >= 2
    assert named[0].as_posix() == "results/tournament-scripted-random-5"


def test_two_tournaments_are_kept_side_by_side_and_the_same_command_goes_on(here):
    first = ["tournament", "--agents", "random", "--players", "3", "--deals", 2, "--workers", 1]
    for command in (first, [*first, "--seed", 7], first):
        answer = run(*command)
        assert answer.exit_code == 0, answer.output
    assert folders(here) == ["tournament-random-3-deals2", "tournament-random-3-deals2-seed7"]


def test_win_rates_of_both_games_do_not_write_over_others(here):
    for more in ([], ["--matches", 2], ["--game", "wazabi", "--matches", 2, "--players", 2]):
        if more:
            assert run("win-rates", *more, "--workers", 1).exit_code == 0
    assert folders(here) == ["wazabi_win_rates-2-games2", "win_rates-matches2"]
    assert win_rates.Study().folder() == Path("results/win_rates")
    assert wazabi.Study().folder() == Path("results/wazabi_win_rates")


def test_studies_with_default_settings_have_the_folders_that_the_pages_name(here, monkeypatch):
    asked = []
    monkeypatch.setattr("saboteur_env.experiments.search.strength.play", lambda *how: asked.append(how[3]) or 1 / 0)
    for settings in ({}, {"tables": "curve", "seed": 3}):
        with pytest.raises(ZeroDivisionError):
            search_main(**{"tables": "strength,curve,ablation", "deals": 500, "seed": 0, "out": None} | settings)
    assert asked == [Path("results/search"), Path("results/search-curve-seed3")]
    monkeypatch.setattr("saboteur_env.experiments.win_rates.scripted_tables.scripted_tables", lambda *how: [])
    monkeypatch.setattr("saboteur_env.experiments.win_rates.scripted_tables.page", lambda *how: "")
    monkeypatch.setattr("saboteur_env.experiments.win_rates.scripted_tables.has_report_extra", lambda: False)
    scripted_main("random", "scripted", 10, 0, None)
    assert folders(here) == ["scripted-miners_random-rounds10"]


def test_learned_tables_ablation_and_runs_are_kept_apart_too(here, monkeypatch):
    pytest.importorskip("sb3_contrib", reason="needs the extra train")
    pytest.importorskip("tensorboard", reason="needs the extra train")
    from saboteur_env.experiments.training.train_ppo import default_run_folder
    from saboteur_env.experiments.training_studies import ablation
    from saboteur_env.experiments.training_studies.learned_tables import Study

    assert Study().folder() == Path("results/learned")
    assert Study(players=(3, 4, 5), rounds=9).folder() == Path("results/learned-3-5-rounds9")
    asked = []
    monkeypatch.setattr(ablation, "play", lambda *how: asked.append(how[2].name) or 1 / 0)
    for decisions, changes in ((ablation.BUDGET, []), (400, []), (400, ["games=8"])):
        with pytest.raises(ZeroDivisionError):
            ablation.main("", 1, decisions, changes, None)
    assert asked[:2] == ["ablation", "ablation-decisions400"] and len(set(asked)) == 3
    assert default_run_folder("small", []) == Path("runs/small")
    assert default_run_folder("small", ["decisions=9", "evaluation.rounds=3"]) == Path("runs/small")
    assert default_run_folder("my/own.toml", []) == Path("runs/own")
    assert default_run_folder("small", ["games=8"]).name.startswith("small-games_8-")
    assert default_run_folder("small", ["games=8"]) != default_run_folder("small", ["games-8"])


ODD = ["a/b", "a:b", "A.b", "a.b", "a b", "ä", 'con|*?<>"\\', "x" * 400, "x" * 401, "../up"]


def test_names_are_safe_and_tell_all_settings_apart():
    named = [default_folder("results/t", {"agents": [name]}, {}).name for name in ODD]
    assert len({name.lower() for name in named}) == len(ODD)
    for name in named:
        assert re.fullmatch(r"[a-z0-9_.-]+", name) and len(name) < LONGEST + 20
    assert default_folder("results/t", {"options": {"draft": True}}, {"options": {}}).name.startswith("t-drafttrue-")


def test_what_differs_is_said_in_words():
    before = Tournament(("random", "scripted"), (3,), deals=5).settings()
    now = Tournament(("random",), (3, 4), deals=5, options={"draft": True}).settings()
    told = differences(*json.loads(json.dumps([before, now])))
    assert told == "agents was random,scripted, is random; players was 3, is 3,4; options.draft was not given, is true"
    other = {**before, "versions": {**before["versions"], "saboteur_env": "0.0.9", "sources": "0" * 64}}
    told = differences(other, before)
    assert re.fullmatch(r"saboteur_env was 0\.0\.9, is [\d.]+; the code of the agents has changed since then", told)
    assert differences({"files": {"a.safetensors": "0" * 64}}, {"files": {}}) == "a.safetensors was used, is not used"
    assert differences(before, before) == ""
    for words in (told, differences(before, now)):
        assert not re.search("[0-9a-f]{16}", words)


def test_a_run_in_the_folder_of_another_is_refused_in_words(tmp_path):
    pytest.importorskip("sb3_contrib", reason="needs the extra train")
    pytest.importorskip("tensorboard", reason="needs the extra train")
    from saboteur_env.experiments.training.config import load_config
    from saboteur_env.experiments.training.train_ppo import train

    (tmp_path / "config.json").write_text(load_config("smoke", ["learning.n_epochs=7", "decisions=3"]).as_json())
    with pytest.raises(ValueError, match=r"other settings \(learning\.n_epochs was 7, is \d\): choose another folder"):
        train(load_config("smoke"), tmp_path, "cpu")


def start(folder, *more):
    command = [sys.executable, "-m", "saboteur_env", "tournament", "--agents", ",".join(AGENTS), "--seed", "4"]
    command += ["--players", "3,5", "--deals", "400", "--workers", "2", "--out", str(folder), *more]
    return start_program(command, start_new_session=True)


def wait_for_parts(folder, process):
    """Until two parts are kept; each look at the folder is a look whether the process is alive."""
    while len(list(folder.glob("parts/[!.]*.parquet"))) < 2:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.01)
            raise AssertionError(process.communicate())


@needs_report
@pytest.mark.skipif(os.name != "posix", reason="sends SIGKILL")
def test_a_killed_tournament_goes_on_to_the_same_table(tmp_path):
    process = start(tmp_path)
    wait_for_parts(tmp_path, process)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert not (tmp_path / "rounds.parquet").exists()
    study = Tournament(AGENTS, (3, 5), deals=400, seed=4)
    result = []
    again = play_tournament(study, tmp_path, workers=1, progress=result.append)
    assert 100 * 6 <= result[0] < study.total() == sum(result)
    assert again.equals(play_tournament(study, workers=1))
    assert not (tmp_path / "parts").exists()
    assert play_tournament(study, tmp_path, workers=1, progress=result.append).equals(again)
    assert result[-1] == study.total()


@needs_report
@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
def test_ctrl_c_keeps_what_is_finished_and_says_how_to_go_on(tmp_path):
    process = start(tmp_path, "--edition", "lv,uk", "--deals", "40000")
    wait_for_parts(tmp_path, process)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers too
    said, _ = process.communicate()
    assert process.returncode == 130, said
    assert "the same command goes on" in " ".join(said.split())
    assert "Traceback" not in said
    assert len(list(tmp_path.glob("parts/*.parquet"))) >= 2


def stop_after(parts):
    left = iter(range(parts))

    def tick(rounds):
        if rounds and next(left) == parts - 1:
            raise KeyboardInterrupt

    return tick


@needs_report
def test_damaged_and_foreign_parts_are_played_again(tmp_path):
    whole = play_tournament(SMALL, workers=1)
    other = Tournament(AGENTS, (3, 5), deals=120, seed=5)
    for folder, study in ((tmp_path / "a", SMALL), (tmp_path / "b", other)):
        with pytest.raises(KeyboardInterrupt):
            play_tournament(study, folder, workers=1, progress=stop_after(3))
    cut, flipped, lost = sorted((tmp_path / "a" / "parts").iterdir())
    cut.write_bytes(cut.read_bytes()[:500])
    data = bytearray(flipped.read_bytes())
    data[-500] ^= 1
    flipped.write_bytes(data)
    lost.unlink()
    (foreign,) = (tmp_path / "b" / "parts").glob(lost.name.split(".")[0] + "*")
    (tmp_path / "a" / "parts" / foreign.name).write_bytes(foreign.read_bytes())
    result = []
    assert play_tournament(SMALL, tmp_path / "a", workers=1, progress=result.append).equals(whole)
    assert result[0] == 0


@needs_report
def test_a_damaged_table_is_played_again(tmp_path):
    study = Tournament(("random",), deals=3)
    kept = play_tournament(study, tmp_path, workers=1)
    (tmp_path / "rounds.parquet").write_bytes(b"half")
    result = []
    assert play_tournament(study, tmp_path, workers=1, progress=result.append).equals(kept)
    assert result == [0, 3]


@needs_report
def test_a_run_killed_before_its_parts_were_dropped_joins_them_again(tmp_path, monkeypatch):
    study = Tournament(("random",), deals=3)
    monkeypatch.setattr("shutil.rmtree", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        play_tournament(study, tmp_path, workers=1)
    (tmp_path / "rounds.parquet").unlink()
    monkeypatch.undo()
    result = []
    assert play_tournament(study, tmp_path, workers=1, progress=result.append).num_rows == 3
    assert result == [3]


@needs_report
def test_a_folder_with_other_settings_is_refused_until_it_may_be_emptied(tmp_path):
    first, second = (Tournament(("random",), deals=deals) for deals in (2, 3))
    kept = play_tournament(first, tmp_path, workers=1)
    with pytest.raises(ValueError, match=r"other settings \(deals was 2, is 3\).*another folder.*--fresh"):
        play_tournament(second, tmp_path, workers=1)
    assert play_tournament(first, tmp_path, workers=1).equals(kept)
    assert play_tournament(second, tmp_path, fresh=True, workers=1).num_rows == 3
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(ValueError, match=r"other settings \(unknown\)"):
        play_tournament(second, tmp_path, workers=1)


@needs_report
def test_models_that_have_come_since_do_not_end_a_study_but_those_that_have_changed_do(tmp_path):
    def work(unit):
        worked.append(unit)
        if unit == stops_at:
            raise InterruptedError
        return {"unit": [unit]}

    model, new = {"models/a.safetensors": "0" * 64}, {"models/b.safetensors": "1" * 64}
    worked, stops_at = [], "b"
    with pytest.raises(InterruptedError):
        ResultStore(tmp_path, {"deals": 2, "files": model}).complete("ab", work, 1)
    with pytest.raises(ValueError, match=r"models/a.safetensors has changed since then"):
        ResultStore(tmp_path, {"deals": 2, "files": {"models/a.safetensors": "1" * 64}})
    stops_at = ""
    table = ResultStore(tmp_path, {"deals": 2, "files": model | new}).complete("ab", work, 1)
    assert table.to_pylist() == [{"unit": "a"}, {"unit": "b"}]
    assert worked == ["a", "b", "b"]
