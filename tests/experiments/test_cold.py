"""Opening doors ahead, and how long that takes."""

import json
from math import isnan

import pytest
from typer.testing import CliRunner

from saboteur_env.cli import app
from saboteur_env.core.extras import missing_extra
from saboteur_env.experiments.speed import cold
from saboteur_env.experiments.speed.cold import Door, Opened, open_cold, open_door, open_side_by_side


def run(*arguments):
    return CliRunner().invoke(app, arguments)


def absent():
    raise missing_extra("torch", "train")


def new_kernel():
    import numba

    numba.njit(lambda x: x + 1)(1)


def nothing():
    pass


def test_a_door_is_told_with_its_kernels():
    assert open_door("a", Door(nothing)).kernels == 0
    opened = open_door("b", Door(new_kernel))
    assert (opened.door, opened.kernels) == ("b", 1)
    assert opened.seconds > 0
    without = open_door("c", Door(absent))
    assert without.door == "c" and isnan(without.seconds)


def test_side_by_side_a_door_waits_for_the_one_that_it_needs():
    doors = {"last": Door(nothing, ("second", "first")), "second": Door(new_kernel, ("first",)), "first": Door(nothing)}
    opened = [*open_side_by_side(doors)]
    assert [(item.door, item.kernels) for item in opened] == [("first", 0), ("second", 1), ("last", 0)]


def test_all_doors_can_be_opened_one_after_the_other():
    opened = []
    for name, door in cold.DOORS.items():
        assert {*door.after} <= {*opened}
        opened.append(name)


def test_warm_opens_all_doors_and_shows_them(monkeypatch):
    opened = [Opened(name, 1.5, 7) for name in cold.DOORS]
    opened[-1] = opened[-1]._replace(seconds=float("nan"))
    monkeypatch.setattr(cold, "open_side_by_side", lambda: iter(opened))
    answer = run("warm")
    assert answer.exit_code == 0, answer.output
    assert all(name in answer.output for name in cold.DOORS)
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
