"""Where the time of a decision goes."""

import numpy as np
import pytest
from typer.testing import CliRunner

from saboteur_env.cli import app
from saboteur_env.experiments.speed import parts
from saboteur_env.experiments.speed.engine import dealt, play_randomly
from saboteur_env.experiments.speed.parts import CHOOSE, DEAL, LIST, NO_PART, Share, bare_parts, batch_parts


@pytest.mark.parametrize(("twice", "same"), [(NO_PART, True), (LIST, True), (CHOOSE, False), (DEAL, False)])
def test_a_part_done_twice_plays_on_as_before(twice, same):
    games, scratch = dealt(4)
    play_randomly(games, scratch, 500, np.uint64(3))
    again, scratch = dealt(4)
    parts.play_doing_twice(again, scratch, 500, np.uint64(3), twice)
    assert (games.tobytes() == again.tobytes()) is same


@pytest.mark.parametrize("measure", [lambda: bare_parts(3, 500, 1), lambda: batch_parts(4, 3, 2, 1)])
def test_the_parts_add_up(measure):
    *shares, whole = measure()
    assert whole.part == "all"
    assert sum(share.ns for share in shares) == pytest.approx(whole.ns)


def test_the_command_shows_them_as_shares(monkeypatch):
    monkeypatch.setattr(parts, "bare_parts", lambda *_, **__: [Share("deal", 25.0), Share("all", 100.0)])
    monkeypatch.setattr(parts, "batch_parts", lambda *_, **__: [Share("mask", 150.0), Share("all", 600.0)])
    answer = CliRunner().invoke(app, ["bench", "--parts"])
    assert answer.exit_code == 0, answer.output
    assert "4,096 games" in " ".join(answer.output.split())
    assert "25%" in answer.output and "150" in answer.output
