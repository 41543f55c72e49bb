"""The benchmark: frozen deals apart from all others, what is measured, and that a stopped row goes on."""

import json

import numpy as np
import pytest

pytest.importorskip("pyarrow", reason="needs the extra report")

from typer.testing import CliRunner

from saboteur_env.cli import app
from saboteur_env.core.seeds import Purpose, deal_seed
from saboteur_env.experiments.benchmark import benchmark
from saboteur_env.experiments.benchmark.figures import GAIN, LOST, figure_rows
from saboteur_env.experiments.benchmark.measures import able, measure
from saboteur_env.experiments.benchmark.tasks import (
    CROSS_PLAY,
    EXACT,
    ONE_SEAT,
    ROLE_INFERENCE,
    STRENGTH,
    TASKS,
    TEAM,
    Unit,
    seed_of,
    units,
)
from saboteur_env.experiments.common.statistics import rows_of


class Sure:
    """Plays the first legal move, and is sure that everybody else is a miner."""

    def act(self, view, seed):
        return view.legal_moves()[0]

    def beliefs(self, view):
        return [None if seat == view.seat else 0.0 for seat in range(view.rules.players)]


SURE = f"{__name__}.Sure"


def measured(unit, *agents):
    columns = measure(agents, unit)
    return rows_of({name: np.array(column) for name, column in columns.items()})


def figures(unit, *agents):
    return {row["figure"]: row for row in figure_rows(measured(unit, *agents))}


def test_the_deals_are_frozen_and_no_others():
    assert seed_of(5, 3) == deal_seed(0, Purpose.BENCHMARK, 3, 5) == 17301440662299150693
    others = {deal_seed(0, purpose, 3, 5) for purpose in Purpose if purpose != Purpose.BENCHMARK}
    assert seed_of(5, 3) not in others


def test_a_change_of_a_task_asks_for_a_new_version():
    frozen = {
        name: (task.version, task.kind, len(task.family), task.players, task.deals) for name, task in TASKS.items()
    }
    assert frozen == {
        "scripted family": (1, STRENGTH, 4, (3, 5, 7, 10), 120),
        "held-out family": (1, STRENGTH, 6, (5,), 120),
        "cross-play": (1, CROSS_PLAY, 1, (5,), 120),
        "roles among scripted": (1, ROLE_INFERENCE, 4, (5,), 60),
        "roles among held-out": (1, ROLE_INFERENCE, 6, (5,), 60),
        "exact K3": (1, EXACT, 0, (3,), 120),
        "exact K8": (1, EXACT, 0, (3,), 120),
    }


@pytest.mark.parametrize("seats", [TEAM, ONE_SEAT])
@pytest.mark.parametrize("role", ["miner", "saboteur"])
def test_the_base_dwarf_gains_nothing_over_itself(role, seats):
    rows = measured(Unit("scripted family", 3, role, seats, 0, 12), "scripted")
    assert [row["value"] for row in rows] == pytest.approx([row["beside"] for row in rows], nan_ok=True)
    assert {row["deal"] for row in rows} == {*range(12)}


def test_random_play_loses_to_the_base_dwarf_and_loses_less_in_one_seat():
    team, seat = (figures(Unit("scripted family", 5, "miner", seats, 0, 60), "random") for seats in (TEAM, ONE_SEAT))
    assert team[GAIN]["high"] < 0
    assert team[GAIN]["value"] < seat[GAIN]["value"]


def test_a_deal_without_a_saboteur_says_nothing():
    rows = measured(Unit("scripted family", 3, "miner", TEAM, 0, 60), "random")
    silent = sum(np.isnan(row["value"]) for row in rows)
    assert 60 / 4 / 3 < silent < 60 / 4 * 3
    assert figures(Unit("scripted family", 3, "miner", TEAM, 0, 60), "random")[GAIN]["deals"] == 60 - silent


def test_cross_play_sets_another_seed_in_one_seat():
    unit = Unit("cross-play", 5, "miner", ONE_SEAT, 0, 30)
    assert figures(unit, "scripted", "blatant")[LOST]["value"] == 0  # two names of one dwarf
    mixed = measured(unit, "scripted", "random")
    assert sum(row["value"] for row in mixed[::2]) > sum(row["beside"] for row in mixed[::2])


def test_who_is_sure_and_wrong_pays_for_it():
    rows = measured(Unit("roles among scripted", 5, "", "", 0, 4), SURE)
    assert {row["value"] for row in rows} == {0.0}
    assert {row["truth"] for row in rows} == {0.0, 1.0}
    first = [row for row in rows if row["deal"] == 0]
    assert [row["measure"] for row in first] == sorted(
        (row["measure"] for row in first), key=["first", "second", "last"].index
    )
    found = {row["figure"]: row["value"] for row in figure_rows(rows)}
    assert found["log loss, last third"] > 2 > found["log loss of the prior, last third"]
    assert found["calibration error, last third"] == pytest.approx(
        np.mean([row["truth"] for row in rows if row["measure"] == "last"])
    )


def test_small_mines_are_judged_exactly():
    found = figures(Unit("exact K3", 3), "scripted")
    assert found["NashConv"]["value"] == pytest.approx(0.0556, abs=1e-4)
    assert found["miners win in the worst case"]["value"] == pytest.approx(0.111, abs=1e-3)
    assert found["NashConv"]["low"] is None


def test_an_agent_gets_the_tasks_it_is_able_to_do():
    kinds = (STRENGTH, ROLE_INFERENCE, EXACT)
    assert [able("scripted", kind) for kind in kinds] == [True, True, True]
    assert [able(SURE, kind) for kind in kinds] == [True, True, False]
    assert [able("search:iterations=10", kind) for kind in kinds] == [True, True, False]
    assert [able("held-out:quiet", kind) for kind in kinds] == [True, False, True]


def test_there_is_no_cross_play_of_one_seed_and_no_task_of_another_name():
    assert not units(["cross-play"], 120, False)
    assert len(units(["cross-play"], 120, True)) == 2 * 4
    assert [unit.deals for unit in units(["roles among scripted"], 40, False)] == [30, 10]
    with pytest.raises(ValueError, match="there is no task juggling; there are scripted family, held-out family"):
        units(["juggling"], 1, False)


def test_one_command_writes_a_row_and_goes_on_where_it_was_stopped(tmp_path, monkeypatch):
    words = ["study", "benchmark", "--agent", "careless", "--tasks", "roles among scripted,exact K3", "--deals", "40"]
    words += ["--out", str(tmp_path), "--exploited", str(tmp_path / "table.csv")]
    done, work = [], benchmark.measure

    def watched(agents, unit):
        if len(done) == 2:
            done.append("stopped")
            raise KeyboardInterrupt
        done.append(str(unit))
        return work(agents, unit)

    monkeypatch.setattr(benchmark, "measure", watched)
    assert CliRunner().invoke(app, words).exit_code == 130
    (tmp_path / "table.csv").write_text(
        'agent,role,players,method,budget,gain,low,high\ncareless,miner,5,search,"9 games",0.1,0.05,0.15\n'
    )
    answer = CliRunner().invoke(app, words)
    assert answer.exit_code == 0, answer.output
    roles = [f"roles_among_scripted-5---{first:05}" for first in (0, 30)]
    assert done == [*roles, "stopped", "exact_K3-3---00000"]
    row = json.loads((tmp_path / "agent-careless" / "row.json").read_text())
    assert (row["agent"], row["tasks"]) == ("careless", {"roles among scripted": 1, "exact K3": 1})
    page = (tmp_path / "README.md").read_text()
    assert "## Exact K3, version 1" in page
    assert "| `careless` | 0.075 | 0.101 |" in page
    assert "| `careless` | 5 | miner | search | 9 games | +10.0 [+5.0, +15.0] |" in page
    assert len((tmp_path / "figures.csv").read_text().splitlines()) == 1 + len(row["figures"])
