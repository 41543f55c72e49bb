"""Cross-play of training seeds: what is played, what a page says, and that it goes on where it was."""

import csv

import pytest

pytest.importorskip("tensorboard", reason="needs the extra train")
pytest.importorskip("pyarrow", reason="needs the extra report")

from saboteur_env.experiments.benchmark import cross_play
from saboteur_env.experiments.benchmark.cross_play import Unit, play_unit, units


def test_a_dwarf_loses_nothing_beside_itself():
    played = play_unit(["scripted", "loyal"], 1, Unit(5, "miner", 0, 40))
    assert played["own"].tolist() == played["mixed"].tolist(), "both have the same miner"


def test_a_careless_mate_costs_rounds():
    played = play_unit(["scripted", "careless"], 1, Unit(4, "miner", 0, 200))
    assert played["own"].mean() > 0.5, "half of the pairs are careless alone"
    assert {*played["mixed"].tolist()} <= {0, 0.5, 1}
    alone = play_unit(["scripted", "scripted"], 1, Unit(4, "miner", 0, 200))
    assert alone["own"].mean() > played["mixed"].mean()


def test_all_deals_are_met_by_both_sides():
    listed = units([3, 5], 700)
    assert sum(unit.deals for unit in listed) == 2 * 2 * 700
    assert len({str(unit) for unit in listed}) == len(listed)


def test_a_study_trains_seeds_and_goes_on_where_it_was(tmp_path, monkeypatch):
    tiny = {"seeds": 2, "decisions": 20_000, "players": "3", "deals": 20, "out": tmp_path}
    cross_play.main(**tiny)
    rows = list(csv.DictReader((tmp_path / "table.csv").read_text().splitlines()))
    assert [(row["players"], row["role"]) for row in rows] == [
        (count, role) for count in ("3", "all") for role in ("miner", "saboteur")
    ]
    assert all(float(row["lost"]) == pytest.approx(float(row["own"]) - float(row["mixed"])) for row in rows)
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("weights.safetensors")}
    assert {path.parent.name for path in kept} == {"seed-1", "seed-2"}
    cross_play.main(**tiny)
    assert kept == {path: path.stat().st_mtime_ns for path in kept}
