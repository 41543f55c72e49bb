"""The study of training for the unknown: what its arms differ in, how strangers judge, and what its tables say."""

import csv

import numpy as np
import pytest

pytest.importorskip("tensorboard", reason="needs the extra train")
pytest.importorskip("pyarrow", reason="needs the extra report")

import pyarrow as pa

from saboteur_env.experiments.benchmark import unknown
from saboteur_env.experiments.benchmark.populations import (
    EXPLOITER,
    EXPLOITERS,
    POPULATION,
    POPULATIONS,
    PRIORITISED,
    config_of,
    runs_of,
)
from saboteur_env.experiments.benchmark.unknown import (
    BASE,
    JUDGES,
    SEATINGS,
    SHIPPED_AGENTS,
    TODAY,
    Unit,
    play_unit,
    units,
)

TRAINED = (EXPLOITERS, PRIORITISED)
WINS = {"random": {BASE: (0, 0), TODAY: (1, 0)}, "careless": {BASE: (0, 1), TODAY: (1, 1)}}  # of two deals
TINY = [
    "games=8", "players=[3]", "learning.n_steps=16", "learning.batch_size=64", "opponents.drawn=4",
]  # fmt: skip


def test_arms_differ_in_whom_they_meet_alone(tmp_path):
    configs = {name: config_of(name, tmp_path) for name in runs_of(POPULATIONS)}
    whole = configs[POPULATION]
    for name in POPULATIONS:
        own, fields = configs[name], whole.__dataclass_fields__
        differ = {field for field in fields if getattr(own, field) != getattr(whole, field)}
        assert differ == {POPULATION: set(), EXPLOITERS: {"league"}}.get(name, {"opponents"})
        assert configs[name].opponents.each == whole.opponents.each
        assert configs[name].league.each == whole.league.each
    assert configs["exploiters"].league.frozen == (tmp_path / EXPLOITER / "weights.safetensors").as_posix()
    assert configs[EXPLOITER].league.frozen == (tmp_path / POPULATION / "weights.safetensors").as_posix()
    assert sum(configs[EXPLOITER].league.each) == 1


def test_a_study_trains_judges_and_goes_on_where_it_was(tmp_path, monkeypatch):
    monkeypatch.setattr(unknown, "JUDGES", {"strangers": ("random",), "family": ("careless",)})
    arguments = {
        "arms": ",".join(TRAINED),
        "players": "3",
        "deals": 4,
        "decisions": 130,
        "set_": TINY,
        "out": tmp_path,
    }
    unknown.main(**arguments)
    rows = list(csv.DictReader((tmp_path / "table.csv").read_text().splitlines()))
    assert len(rows) == (4 + 2) * 2 * 2 * len([*SHIPPED_AGENTS, *TRAINED])
    assert [row["players"] for row in rows].count("3") == 2 * 2 * 2 * len([*SHIPPED_AGENTS, *TRAINED])
    assert {float(row["over_today"]) for row in rows if row["agent"] == TODAY} == {0}
    assert {row["deals"] for row in rows} == {"4"}
    written = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.safetensors")}
    assert {path.parent.name for path in written} == {*TRAINED, POPULATION, EXPLOITER, "arms"}
    for name in TRAINED:
        kept, trained = tmp_path / "arms" / f"{name}.safetensors", tmp_path / "runs" / name / "weights.safetensors"
        assert kept.read_bytes() == trained.read_bytes()
    unknown.main(**arguments)
    assert written == {path: path.stat().st_mtime_ns for path in written}


def test_any_agents_are_judged_without_arms_too(tmp_path, monkeypatch):
    monkeypatch.setattr(unknown, "JUDGES", {"strangers": ("random",), "family": ("careless",)})
    unknown.main(arms="", agents="ppo,patient", players="4", seats="side", deals=4, out=tmp_path)
    rows = list(csv.DictReader((tmp_path / "table.csv").read_text().splitlines()))
    assert {row["agent"] for row in rows} == {"ppo", "patient"}
    assert not list(tmp_path.rglob("*.safetensors"))
    with pytest.raises(ValueError, match="agents must have ppo among them"):
        unknown.main(arms="", agents="patient", out=tmp_path / "none")


def test_an_agent_of_scripted_dwarfs_wins_as_often_in_the_batch_as_in_matches():
    alone, learned = (play_unit({}, 1, Unit(agent, "random", 4, "miner", "side", 0, 30)) for agent in (BASE, TODAY))
    assert alone["deal"].tolist() == learned["deal"].tolist() == [*range(30)]
    assert alone["won"].mean() > 0.8 < learned["won"].mean(), "random saboteurs stop nobody"
    again = play_unit({}, 1, Unit(TODAY, "random", 4, "miner", "side", 0, 30))
    assert again["won"].tolist() == learned["won"].tolist()


def test_an_arm_there_is_not_is_refused():
    with pytest.raises(ValueError, match="no arm friends; there are family, population, exploiters"):
        runs_of(["family", "friends"])


def test_a_seating_there_is_not_is_refused():
    with pytest.raises(ValueError, match="seats are side, or side and one seat, not one seat"):
        units(POPULATIONS, [5], ["one seat"], 50)


def test_strangers_judge_every_agent_on_the_same_deals():
    listed = units([TODAY, *POPULATIONS], [5], SEATINGS, 150)
    cells = {unit[1:] for unit in listed if unit.agent == TODAY}
    for arm in POPULATIONS:
        assert {unit[1:] for unit in listed if unit.agent == arm} == cells
    assert {unit.opponent for unit in listed} == {*JUDGES["strangers"], *JUDGES["family"]}
    assert sorted({(unit.first, unit.deals) for unit in listed}) == [(0, 50), (50, 50), (100, 50)]


def test_each_number_of_players_has_its_rows_and_columns(monkeypatch):
    monkeypatch.setattr(unknown, "JUDGES", {"strangers": ("random",)})
    won = {(BASE, 3): 0, (BASE, 5): 1, (TODAY, 3): 1, (TODAY, 5): 1}
    cells = [(agent, "random", count, role, "side", deal, won[agent, count])
             for agent, count in won for role in ("miner", "saboteur") for deal in range(40)]  # fmt: skip
    names = (*unknown.PLAYED_BY, "deal", "won")
    rows = unknown.summary(pa.table(dict(zip(names, zip(*cells, strict=True), strict=True))))
    figures = {row["players"]: row["over_base"] for row in rows if row["opponents"] == "strangers"}
    assert figures == {"all": 0.5, "3": 1, "5": 0}
    over_base = unknown.page(rows, "").split("\n## ")[2].splitlines()
    assert over_base[2] == "| against | seats | role | agent | 3 players | 5 players |"
    assert over_base[4].startswith("| strangers | side | miner | `ppo` | +100.0 [")
    assert over_base[4].split(" | ")[-1].startswith("+0.0 [")


def test_figures_are_means_over_opponents_deal_by_deal():
    cells = [
        (agent, opponent, 5, "miner", "side", deal, won)
        for opponent, wins in WINS.items()
        for agent, both in wins.items()
        for deal, won in enumerate(both)
    ]
    played = dict(zip((*unknown.PLAYED_BY, "deal", "won"), map(np.array, zip(*cells, strict=True)), strict=True))
    rows = played["agent"] == TODAY
    assert unknown._by_deal(played, rows).tolist() == [1, 0.5]
    assert unknown._by_deal(played, ~rows).tolist() == [0, 0.5]
