"""Opening doors ahead, and how long that takes."""

import json

import pytest
from typer.testing import CliRunner

from saboteur_env.cli import app
from saboteur_env.core.extras import missing_extra
from saboteur_env.experiments.speed import cold
from saboteur_env.experiments.speed.cold import Opened, open_cold, open_doors


def run(*arguments):
    return CliRunner().invoke(app, arguments)


def absent():
    raise missing_extra("torch", "train")


def new_kernel():
    import numba

    numba.njit(lambda x: x + 1)(1)


def test_each_door_is_told_with_its_kernels(monkeypatch):
    monkeypatch.setattr(cold, "DOORS", {"a": new_kernel, "b": lambda: None, "c": absent})
    a, b, c = open_doors()
    assert (a.door, a.kernels, b.door, b.kernels) == ("a", 1, "b", 0)
    assert a.seconds > 0
    assert c.door == "c" and c.seconds != c.seconds


def test_warm_opens_all_doors_and_shows_them(monkeypatch):
    monkeypatch.setattr(cold, "DOORS", {"a door": new_kernel, "another": absent})
    answer = run("warm")
    assert answer.exit_code == 0, answer.output
    assert "a door" in answer.output
    assert "an extra is missing" in answer.output


def test_bench_cold_shows_what_the_other_process_says(monkeypatch):
    monkeypatch.setattr(cold, "open_cold", lambda: iter([Opened("the first move", 6.25, 140)]))
    answer = run("bench", "--cold")
    assert answer.exit_code == 0, answer.output
    assert "the first move" in answer.output and "6.2" in answer.output and "140" in answer.output


def test_a_process_that_fails_is_told_with_its_words(monkeypatch, tmp_path):
    false = tmp_path / "python"
    false.write_text(f"#!/bin/sh\necho '{json.dumps(['a', 1.0, 2])}'\necho out of memory >&2\nexit 3\n")
    false.chmod(0o755)
    monkeypatch.setattr(cold.sys, "executable", str(false))
    doors = open_cold()
    assert next(doors) == Opened("a", 1.0, 2)
    with pytest.raises(RuntimeError, match="out of memory"):
        next(doors)
