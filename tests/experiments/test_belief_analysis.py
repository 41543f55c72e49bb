"""What gives a saboteur away: beliefs of one round, kinds of saboteurs, kinds of acts."""

import numpy as np
import pytest

from saboteur_env import Game
from saboteur_env.agents.beliefs.action_types import ACTION_TYPES
from saboteur_env.agents.scripted.agent import KernelAgent
from saboteur_env.experiments.beliefs.belief_analysis import (
    act_rows,
    kind_rows,
    played,
    plot_acts,
    plot_kinds,
    plot_round,
    round_rows,
)

pytest.importorskip("matplotlib", reason="the report extra is not installed")


def test_beliefs_of_a_round_are_those_of_the_view_move_by_move():
    game, dwarf = Game(players=4, seed=5, rounds=1), KernelAgent("scripted")
    told = []
    while not game.round_over:
        told.append(dwarf.beliefs(game.view(2)))
        game.play(dwarf.act(game.view(game.seat), seed=1))
    rows = round_rows(game.transcript(), eyes=2)
    clues, bayes = ([row for row in rows if row["believer"].startswith(name)] for name in ("clues", "Bayes"))
    assert [row["said"] for row in clues] == [told[row["turn"]][row["seat"]] for row in clues]
    assert {row["seat"] for row in rows} == {0, 1, 3}
    assert len(clues) == len(bayes) == 3 * len(told)
    assert {row["role"] for row in rows if row["seat"] == 0} == {game.view(0).role}
    assert [row["said"] for row in bayes[:3]] == pytest.approx([bayes[0]["said"]] * 3), "nobody has acted yet"
    panels = plot_round(rows, "").figure.axes
    assert [axes.get_title() for axes in panels] == ["clues of the scripted dwarf", "Bayes' rule and the action model"]
    assert panels[1].lines[0].get_ydata().tolist() == [row["said"] for row in bayes if row["seat"] == 0]


def test_saboteurs_are_of_the_kind_that_is_judged():
    rows = kind_rows(4, rounds=30)
    assert list(dict.fromkeys(row["kind"] for row in rows)) == ["blatant", "patient", "two-faced"]
    first = {row["kind"]: row["log_loss"] for row in rows if row["turn"] == 5}
    assert first["blatant"] < first["two-faced"]
    (axes,) = plot_kinds(rows, "").figure.axes
    assert [line.get_label() for line in axes.lines] == [*first, "prior of the rules"]


def test_acts_are_counted_by_who_did_them():
    tables = [played(players, 30) for players in (3, 5)]
    whole, *rows = act_rows(tables)
    assert whole["act"] == "all"
    assert whole["acts"] == sum(row["acts"] for row in rows)
    assert whole["share"] == pytest.approx(sum(row["acts"] * row["share"] for row in rows) / whole["acts"])
    shares = {row["act"]: row["share"] for row in rows}
    assert shares.keys() <= set(ACTION_TYPES)
    assert shares["lay a dead end that costs cards"] > whole["share"] > shares["mend a tool of one that looks honest"]
    assert sorted(shares.values(), reverse=True) == list(shares.values())
    (axes,) = plot_acts([whole, *rows], "").figure.axes
    assert len(axes.get_yticklabels()) == len(rows)
    assert np.isclose(axes.lines[-1].get_xdata()[0], 100 * whole["share"])
