"""Learners on small mines: what their table says, and that mirror descent nears the equilibrium from every start."""

import csv

import pytest

pytest.importorskip("sb3_contrib", reason="needs the extra train")
pytest.importorskip("tensorboard", reason="needs the extra train")
pytest.importorskip("pyarrow", reason="needs the extra report")
from typer.testing import CliRunner

from saboteur_env.batch.seats import LEARNER
from saboteur_env.cli import app
from saboteur_env.experiments.training.build import make_games
from saboteur_env.experiments.training.opponents import Snapshots
from saboteur_env.experiments.training_studies import mine_learners
from saboteur_env.experiments.training_studies.mine_learners import (
    AIM,
    LAST_BONUS,
    MIRROR_DESCENT,
    PPO,
    STRENGTHS,
    Unit,
    run_config,
    summary,
)
from saboteur_env.mines import MINES


def test_a_row_counts_the_seeds_that_reached_the_aim():
    found = [0.5, AIM / 2, AIM]
    rows = [
        {"method": PPO, "strength": 0.1, "seed": seed, "nash_conv": value, "miners_win": 0.25, "seconds": 2.0}
        for seed, value in enumerate(found)
    ]
    (row,) = summary(rows)
    assert (row["median"], row["least"], row["most"], row["reached"]) == (AIM, AIM / 2, 0.5, 1)
    assert (row["seeds"], row["miners_win"], row["seconds"]) == (3, 0.25, 2.0)


@pytest.mark.parametrize("strength", STRENGTHS[PPO])
def test_the_bonus_falls_from_every_strength_to_the_same(strength):
    learning = run_config(MINES["K3"], Unit(PPO, strength, 0), 100).learning
    bonuses = [learning.at(left).ent_coef for left in (1.0, 0.5, 0.0)]
    assert bonuses == pytest.approx([strength, (strength * LAST_BONUS) ** 0.5, LAST_BONUS])


def test_learners_see_all_that_can_be_played():
    assert run_config(MINES["K8"], Unit(PPO, 0.1, 0), 100).settings["window"] == "mine"  # see test_actions.py


def test_every_seat_is_the_learner():
    config = run_config(MINES["K3"], Unit(PPO, 0.1, 0), 100)
    vec, _ = make_games(config, 0, Snapshots(config.league))
    assert (vec.controller == LEARNER).all()


def test_one_command_runs_both_learners_and_goes_on_where_it_was_stopped(tmp_path, monkeypatch):
    monkeypatch.setitem(STRENGTHS, PPO, (0.01,))
    words = ["study", "mine-learners", "--mine", "K3", "--seeds", "2", "--decisions", "200", "--iterations", "300"]
    words += ["--out", str(tmp_path)]
    done, work = [], mine_learners.work

    def watched(mine, decisions, iterations, folder, unit):
        if len(done) == 3:
            done.append("stopped")
            raise KeyboardInterrupt
        done.append(str(unit))
        return work(mine, decisions, iterations, folder, unit)

    monkeypatch.setattr(mine_learners, "work", watched)
    (tmp_path / "runs" / "of before").mkdir(parents=True)
    assert CliRunner().invoke(app, [*words, "--fresh"]).exit_code == 130
    assert not (tmp_path / "runs" / "of before").exists()
    answer = CliRunner().invoke(app, words)
    assert answer.exit_code == 0, answer.output
    assert done[:5] == ["PPO-0.01-0", "PPO-0.01-1", "mirror_descent-0.05-0", "stopped", "mirror_descent-0.05-1"]
    assert len(done) == len({*done}) == 2 + 1 + 4 * 2
    with (tmp_path / "table.csv").open() as file:
        rows = list(csv.DictReader(file))
    found = [float(row["nash_conv"]) for row in rows if row["method"] == MIRROR_DESCENT]
    assert max(found) < AIM
    assert len({*found}) == 8  # each seed is a run of its own
    assert "| mirror descent | 0.05 | 2 |" in (tmp_path / "README.md").read_text()


def test_a_method_there_is_not(tmp_path):
    with pytest.raises(ValueError, match="there is no method luck; there are PPO, mirror descent"):
        mine_learners.main("K3", "luck", out=tmp_path)
