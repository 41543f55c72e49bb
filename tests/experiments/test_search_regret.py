"""What the choice of a move costs: positions to choose at, the cost of each choice, and a study that goes on."""

import csv

import pytest

pytest.importorskip("pyarrow", reason="needs the extra report")

from saboteur_env.experiments.search import regret

FEW = {"judge": "net=ppo-small:iterations=60", "players": "3,4", "positions": 3, "workers": 1}


def test_positions_are_drawn_by_the_seed_and_leave_a_choice():
    views = [regret.position("scripted", 4, seed) for seed in range(12)]
    again = [regret.position("scripted", 4, seed) for seed in range(12)]
    found = [view for view in views if view]
    assert len(found) > 5
    assert all(len(view.legal_moves()) > 1 and view.turn == view.seat for view in found)
    assert [view and view.public.tobytes() for view in views] == [view and view.public.tobytes() for view in again]


def test_a_choice_costs_what_the_judge_says(monkeypatch):
    values = {"a": 0.7, "b": 0.4, "c": 0.1}
    chosen = iter(["a", "b", "a move that was not considered"])

    class Judge:
        def values(self, view, seed):
            return values

    class Chooser:
        def act(self, view, seed):
            return next(chosen)

    monkeypatch.setattr(regret, "Search", lambda settings: Judge())
    monkeypatch.setattr(regret, "position", lambda *drawn: object())
    monkeypatch.setattr(regret, "make_agent", lambda name: Chooser())
    played = regret.play_unit(0, "random", "", ["random"], regret.Unit(3, 0, 3))
    assert played["lost"] == pytest.approx([0, 0.3, 0.6])
    assert played["position"].tolist() == [0, 1, 2]


def test_a_study_writes_what_each_agent_loses(tmp_path):
    names = "random,search:net=ppo-small:iterations=30"
    regret.main(names, out=tmp_path, **FEW)
    rows = list(csv.DictReader((tmp_path / "table.csv").read_text().splitlines()))
    assert [row["agent"] for row in rows] == names.split(",")
    assert all(0 <= float(row["lost_low"]) <= float(row["lost"]) <= float(row["lost_high"]) for row in rows)
    assert len({row["positions"] for row in rows}) == 1
    table = (tmp_path / "table.csv").read_text()
    regret.main(names, out=tmp_path, **FEW)
    assert (tmp_path / "table.csv").read_text() == table
