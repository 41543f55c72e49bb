"""The command line: help, tables, a watched match and its page, and errors that say what to do."""

import io
import json
import subprocess
import sys

import pytest
from rich.console import Console
from typer.testing import CliRunner

import saboteur_env
from saboteur_env import Game
from saboteur_env.cli import app, main
from saboteur_env.environment.actions import Actions
from saboteur_env.environment.observations import Observations
from saboteur_env.terminal import app_of, exit_on_error, plain_table


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.mark.parametrize("command", ["win-rates", "tournament", "bench", "watch", "replay", "tables"])
def test_every_command_explains_itself(command):
    assert command in run("--help").output
    answer = run(command, "--help")
    assert answer.exit_code == 0
    assert "Usage" in answer.output


@pytest.mark.parametrize("window", ["printed", "medium", "full"])
def test_the_tables_are_those_of_the_spaces(window):
    said = run("tables", "--window", window, "--history", 8).output
    seen, actions = Observations(window, 8), Actions(window)
    assert f"{seen.bytes:,} numbers" in said
    assert f"version 1: {actions.count:,}" in said
    for name, box in seen.space().spaces.items():
        assert f"{name} " in said
        assert " x ".join(map(str, box.shape)) in said
    for name, first, count, _ in actions.table():
        assert any(name in line and f"{first:,}" in line and f"{count:,}" in line for line in said.splitlines())


def test_a_match_is_watched_saved_and_turned_into_a_page(tmp_path):
    kept, page = tmp_path / "match.json", tmp_path / "match.html"
    said = run("watch", "--players", 3, "--seed", 5, "--delay", 0, "--save", kept)
    assert said.exit_code == 0
    assert "-S-" in said.output
    assert Game.replay(kept.read_text()).over
    assert run("replay", kept, "--html", page, "--eyes", 1).exit_code == 0
    assert "<svg" in page.read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["win-rates", "--players", "2-4"], "give numbers from 3 to 10"),
        (["win-rates", "--option", "draft"], "write NAME=VALUE"),
        (["win-rates", "--matches", "0"], "Invalid value"),
    ],
)
def test_wrong_options_are_explained(arguments, said):
    answer = run(*arguments)
    assert answer.exit_code == 2
    assert said in " ".join(answer.output.split())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["watch", "--eyes", "9", "--players", "3"], "there is no seat 9"),
        (["watch", "--dwarf", "grumpy"], "there is no dwarf 'grumpy'"),
        (["tournament", "--agents", "scripted,grumpy"], "there is no dwarf 'grumpy'"),
        (["replay", "no_such_file.json"], "cannot read no_such_file.json"),
        (["tables", "--window", "tiny"], "window must be one of"),
    ],
)
def test_errors_are_one_line_that_says_what_is_wrong(arguments, said, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["saboteur-env"])
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    error = capsys.readouterr().err
    assert said in " ".join(error.split())
    assert "Traceback" not in error


def test_a_tampered_transcript_is_refused(tmp_path, monkeypatch, capsys):
    data = json.loads(Game(players=3, seed=1).transcript())
    data["rounds"][0]["moves"] = [[0, "pass"]]
    (tmp_path / "bad.json").write_text(json.dumps(data))
    monkeypatch.setattr("sys.argv", ["saboteur-env"])
    with pytest.raises(SystemExit):
        main(["replay", str(tmp_path / "bad.json"), "--html", str(tmp_path / "page.html")])
    assert "round 1, move 0" in capsys.readouterr().err
    assert not (tmp_path / "page.html").exists()


def test_what_is_to_be_installed_is_said_in_full(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("saboteur_env.experiments.common.report._missing", lambda: ["pyarrow"])
    monkeypatch.setattr("sys.argv", ["saboteur-env"])
    with pytest.raises(SystemExit):
        main(["tournament", "--agents", "random", "--out", str(tmp_path)])
    assert 'pyarrow is not installed: pip install "saboteur-env[report]"' in " ".join(capsys.readouterr().err.split())


def test_what_the_report_extra_would_add_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr("saboteur_env.experiments.common.report._missing", lambda: ["pyarrow"])
    monkeypatch.setattr("saboteur_env.experiments.win_rates.win_rates.play", lambda *_: [])
    said = run("win-rates", "--out", tmp_path).output
    assert 'no Parquet and plot: pyarrow is not installed: pip install "saboteur-env[report]"' in said


def test_the_version_is_told_by_the_command_and_by_the_module():
    said = f"saboteur-env {saboteur_env.__version__}\n"
    assert run("--version").output == said
    module = subprocess.run([sys.executable, "-m", "saboteur_env", "--version"], capture_output=True, text=True)
    assert module.stdout == said


def test_the_package_lists_its_names():
    assert {*saboteur_env.__all__, "__version__"} <= {*dir(saboteur_env)}


def test_ray_may_stand_without_an_address(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(
        "saboteur_env.experiments.tournament.tournament.play", lambda *how: asked.append(how[4]) or 1 / 0
    )
    for words in (["--ray", "--deals", 3], ["--ray", "10.0.0.1:6379"], ["--ray"], []):
        run("tournament", "--agents", "random", "--out", tmp_path, *words)
    assert asked == ["local", "10.0.0.1:6379", "local", None]


def test_tables_show_long_names_whole():
    names = [f"ppo:runs/{size}/a_folder_with_a_long_name/weights.safetensors" for size in ("small", "large")]
    console = Console(width=60, file=io.StringIO())
    console.print(
        plain_table("Won", ("edition", "agent", "won"), [("lv", name, "77.0 [74.5, 79.3]") for name in names])
    )
    shown = console.file.getvalue()
    columns = [line.rstrip() for line in shown.splitlines()]
    joined = "".join(word for line in columns for word in line.split() if word not in ("lv", "77.0", "[74.5,", "79.3]"))
    assert "…" not in shown
    assert all(name in joined for name in names)


def test_a_command_of_its_own_tells_an_error_in_a_line(monkeypatch, capsys):
    def command(count: int = 1) -> None:
        raise ValueError(f"[{count}] is too few")

    monkeypatch.setattr("sys.argv", ["command", "--count", "3"])
    with pytest.raises(SystemExit, match="2"), exit_on_error():
        app_of(command)()
    assert capsys.readouterr().err == "Error: [3] is too few\n"
