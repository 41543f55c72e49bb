"""Solvers reach the equilibria that are known, and OpenSpiel says the same of the same game."""

import numpy as np
import pytest

from saboteur_env.experiments.equilibrium.cfr import DISCOUNTED, Cfr
from saboteur_env.experiments.equilibrium.mccfr import Mccfr
from saboteur_env.experiments.equilibrium.mirror_descent import MirrorDescent
from saboteur_env.experiments.equilibrium.passes import in_sets
from saboteur_env.experiments.equilibrium.tree import build
from saboteur_env.experiments.equilibrium.values import miners_win, nash_conv, values
from saboteur_env.mines import MINES

HIDDEN, OPEN = 5 / 36, 1 / 6  # how often the miners win in K3


@pytest.fixture(scope="module")
def k3():
    return build(MINES["K3"].rules())


def run(solver, iterations):
    solver.step(iterations)
    return solver.profile()


def test_cfr_plus_goes_down_as_published(k3):
    solver, found = Cfr(k3), []
    for iterations in (1, 9, 90, 200):
        found.append(nash_conv(k3, run(solver, iterations)))
    assert found == pytest.approx([0.677, 0.0276, 3.1e-4, 3.4e-5], rel=0.02)


def test_all_solvers_find_the_value(k3):
    for profile, near in (
        (run(Cfr(k3, DISCOUNTED), 100), 1e-5),
        (run(MirrorDescent(k3), 300), 1e-4),
        (run(Mccfr(k3, seed=1), 100_000), 3e-3),
    ):
        assert nash_conv(k3, profile) < near
        assert miners_win(k3, profile) == pytest.approx(HIDDEN, abs=near)


def test_hidden_roles_have_a_price():
    tree = build(MINES["K3"].rules(), roles_open=True)
    profile = run(Cfr(tree, DISCOUNTED), 300)
    assert nash_conv(tree, profile) < 1e-5
    assert miners_win(tree, profile) == pytest.approx(OPEN, abs=1e-5)


def test_a_seed_is_a_run_however_it_is_cut(k3):
    whole, cut, other = Mccfr(k3, 3), Mccfr(k3, 3), Mccfr(k3, 4)
    whole.step(200)
    cut.step(50)
    cut.step(150)
    other.step(200)
    assert np.array_equal(whole.profile(), cut.profile())
    assert not np.array_equal(whole.profile(), other.profile())


def test_openspiel_says_the_same(k3):
    pytest.importorskip("pyspiel", reason="needs the extra bench")
    from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

    from saboteur_env.experiments.equilibrium.openspiel import openspiel_game, openspiel_policy

    game = openspiel_game(k3)
    profile = in_sets(k3, np.random.default_rng(0).random(k3.first[-1]))
    policy = openspiel_policy(k3, game, profile)
    theirs = expected_game_score.policy_value(game.new_initial_state(), [policy] * 3)
    assert theirs == pytest.approx(values(k3, profile), abs=1e-9)
    assert exploitability.nash_conv(game, policy) == pytest.approx(nash_conv(k3, profile), abs=1e-9)
    solver, ours = cfr.CFRPlusSolver(game), Cfr(k3)
    for _ in range(3):
        solver.evaluate_and_update_policy()
    ours.step(3)
    average = openspiel_policy(k3, game, ours.profile())
    assert np.allclose(solver.average_policy().action_probability_array, average.action_probability_array, atol=1e-9)


def test_the_speeds_are_those_of_the_same_work():
    pyspiel = pytest.importorskip("pyspiel", reason="needs the extra bench")
    from saboteur_env.experiments.equilibrium.openspiel import openspiel_game
    from saboteur_env.experiments.equilibrium.speed import count_nodes, speed_rows

    assert count_nodes(openspiel_game(build(MINES["K3"].rules())).new_initial_state()) == 3_685
    assert count_nodes(pyspiel.load_game("leduc_poker").new_initial_state()) == 9_457
    rows = {row["what"]: row for row in speed_rows("K3", 1)}
    assert [row["nodes"] for row in rows.values()] == [3_685, 3 * 3_685, 3 * 3_685, 2 * 9_457]
    ours, theirs = (rows[what]["nodes a second"] for what in ("walk", "walk, OpenSpiel in Python"))
    assert ours > 10 * theirs
