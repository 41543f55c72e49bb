"""The study of what searching is worth: whole tables, that go on after a stop."""

import csv

import pytest
import typer

from saboteur_env.experiments.search import strength as search_study
from saboteur_env.experiments.search.rollout_speed import positions, rollouts_a_second
from saboteur_env.experiments.search.strength import Cell, Unit, play_unit

CELLS = [Cell("curve", 3, seats, "iterations=4:rollout_depth=0") for seats in search_study.SEATS]


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(search_study, "TABLES", {"curve": lambda: CELLS})


def study(folder, **more):
    search_study.main(tables="curve", deals=12, seed=1, workers=1, out=folder, **more)


def test_a_study_that_was_stopped_goes_on(tmp_path, few, monkeypatch):
    played = []

    def stop_after_four(seed, unit):
        if len(played) == 4:
            raise KeyboardInterrupt
        played.append(unit)
        return play_unit(seed, unit)

    monkeypatch.setattr(search_study, "play_unit", stop_after_four)
    with pytest.raises(typer.Exit):
        study(tmp_path / "one")
    monkeypatch.setattr(search_study, "play_unit", lambda seed, unit: played.append(unit) or play_unit(seed, unit))
    study(tmp_path / "one")
    units = [Unit(cell, first, deals) for cell in CELLS for first, deals in ((0, 10), (10, 2))]
    assert sorted(map(str, played)) == sorted(map(str, units))
    rows = list(csv.DictReader((tmp_path / "one" / "tables.csv").read_text().splitlines()))
    assert [row["seats"] for row in rows] == list(search_study.SEATS)
    assert all(float(row["more_low"]) <= float(row["more_won"]) <= float(row["more_high"]) for row in rows)
    assert "| 3 | one miner | `iterations=4:rollout_depth=0` | 12 |" in (tmp_path / "one" / "README.md").read_text()


def test_a_study_is_paired():
    rows = play_unit(1, Unit(CELLS[0], 0, 10))
    again = play_unit(1, Unit(CELLS[0], 3, 2))
    for name in ("deal", "plain_won", "search_won", "turns"):
        assert rows[name][3:5].tolist() == again[name].tolist()


def test_the_speed_is_that_of_games_played():
    views = positions(rounds=1, every=20)
    assert [len(view.record) % 20 for view in views] == [0] * len(views) and len(views) > 1
    assert rollouts_a_second("rollout_depth=0", views, 60) > 0


def test_a_table_there_is_not_is_refused(tmp_path):
    with pytest.raises(ValueError, match="there is no table curves; there are strength, curve, ablation"):
        search_study.main(tables="curves,ablation", deals=1, out=tmp_path / "none")
    assert not (tmp_path / "none").exists()
