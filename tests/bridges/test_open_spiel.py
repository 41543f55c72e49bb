"""The game of OpenSpiel: its own tests pass, and its algorithms run on a small mine."""

import pickle

import numpy as np
import pytest

pytest.importorskip("pyspiel", reason="needs OpenSpiel (extra bridges)")
import pyspiel
from open_spiel.python import policy, rl_environment, test_utils
from open_spiel.python.algorithms import (
    cfr,
    expected_game_score,
    exploitability,
    external_sampling_mccfr,
    ismcts,
    mcts,
    outcome_sampling_mccfr,
)

from saboteur_env import Game
from saboteur_env.bridges.open_spiel import load_game

MINE = {
    "goal_cells": [[2, 0]],
    "deck": {"EW": 2, "xEW": 1},
    "hand_size": 1,
    "role_table": {"saboteurs": 1, "miners": 2},
    "first_seat": 0,
}


@pytest.fixture(scope="module")
def mine():
    """Every deal of a small mine."""
    return load_game(MINE, chance="explicit")


@pytest.mark.parametrize(
    "parameters",
    [
        {"options": MINE, "chance": "explicit"},
        {"players": 4, "reward": "nuggets", "rounds": 2},
        {"reward": "side", "chance": "explicit", "deals": 3},
    ],
    ids=["small mine", "sampled", "three deals"],
)
def test_the_tests_of_openspiel_pass(parameters):
    pyspiel.random_sim_test(load_game(**parameters), num_sims=1, serialize=True, verbose=False)


def test_chance_deals_as_often_as_the_rules_do(mine):
    root = mine.new_initial_state()
    likely = [0.0, 0.0]
    for deal, chance in root.chance_outcomes():
        state = root.child(deal)
        likely[state.game.view(0).role == "saboteur"] += chance
        assert state.game.seat == 0
    assert likely == pytest.approx([2 / 3, 1 / 3])


def test_sampled_chance_has_one_outcome_that_draws_deal_after_deal():
    game = load_game(rng_seed=2)
    modes = pyspiel.GameType.ChanceMode
    (registered,) = (kind for kind in pyspiel.registered_games() if kind.short_name == "python_saboteur")
    assert game.get_type().chance_mode == registered.chance_mode == modes.SAMPLED_STOCHASTIC
    assert load_game(MINE, chance="explicit").get_type().chance_mode == modes.EXPLICIT_STOCHASTIC
    root = game.new_initial_state()
    assert root.chance_outcomes() == [(0, 1.0)]
    drawn = [str(root.child(0)) for _ in range(3)]
    assert len({*drawn}) == 3
    again, other = (load_game(rng_seed=seed).new_initial_state() for seed in (2, 3))
    assert [str(again.child(0)) for _ in range(3)] == drawn
    assert str(other.child(0)) not in drawn


def test_what_was_sampled_survives_a_file():
    game = load_game()
    state = game.new_initial_state().child(0)
    for again in (
        pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1],
        pickle.loads(pickle.dumps(state)),
        game.deserialize_state(state.serialize()),
    ):
        assert str(again) == str(state)


def test_a_sampled_game_goes_on_drawing_after_a_file():  # as OpenSpiel asks it of its own sampled games
    game = load_game(MINE, rng_seed=0)
    for seed in range(2):
        test_utils.random_playout(game.new_initial_state(), seed)
        again = pickle.loads(pickle.dumps(game))
        ends = [str(test_utils.random_playout(each.new_initial_state(), seed)) for each in (game, again)]
        assert ends[0] == ends[1]
    assert game.deals.drawn == 4


def test_a_state_plays_as_the_game_does():
    deals = {"chance": "explicit", "deals": 5, "rng_seed": 2}
    state = load_game(players=4, rounds=2, reward="side", **deals).new_initial_state()
    state.apply_action(3)
    game, rng = state.game.copy(), np.random.default_rng(1)
    assert isinstance(game, Game)
    while not state.is_terminal():
        action = int(rng.choice(state.legal_actions()))
        game.play(state.action_to_string(action))
        if game.round_over and not game.over:
            game.next_round()
        state.apply_action(action)
        assert state.game == game
    assert set(np.abs(state.returns())) <= {0.0, 2.0}


def test_a_clone_and_a_serialised_state_go_on_alone(mine):
    state = mine.new_initial_state()
    state.apply_action(4)
    again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(mine, state))[1]
    copied, before = state.clone(), str(state)
    copied.apply_action(copied.legal_actions()[0])
    assert str(state) == str(again) == before != str(copied)


def test_an_information_state_remembers_and_tells_no_secret(mine):
    root = mine.new_initial_state()
    seen = {}
    for deal, _ in root.chance_outcomes():
        state = root.child(deal)
        view = state.game.view(0)
        seen.setdefault(state.information_state_string(0), set()).add((view.role, *view.hand))
    assert all(len(held) == 1 for held in seen.values())
    assert len(seen) == 4
    state = root.child(0)
    assert state.information_state_string(0).startswith("seat 0, ")
    assert any(state.information_state_tensor(0))
    assert len(state.information_state_tensor(0)) > len(state.observation_tensor(0))


def test_cfr_gets_closer_to_an_equilibrium(mine):
    solver = cfr.CFRPlusSolver(mine)
    for _ in range(3):
        solver.evaluate_and_update_policy()
    even = exploitability.nash_conv(mine, policy.UniformRandomPolicy(mine))
    assert exploitability.nash_conv(mine, solver.average_policy()) < even / 2


def test_what_cfr_learned_gets_more_than_a_random_player(mine):
    solver, even = cfr.CFRPlusSolver(mine), policy.UniformRandomPolicy(mine)
    for _ in range(3):
        solver.evaluate_and_update_policy()
    values = [
        expected_game_score.policy_value(mine.new_initial_state(), [first, even, even])[0]
        for first in (solver.average_policy(), even)
    ]
    assert values[1] == pytest.approx(0.0)
    assert values[0] > 0.3


@pytest.mark.filterwarnings("ignore")  # these use what newer libraries have outdated
def test_deep_cfr_runs(mine):
    pytest.importorskip("tree", reason="needs dm-tree (extra bridges)")
    pytest.importorskip("torch", reason="needs the extra learned")
    from open_spiel.python.pytorch import deep_cfr

    sizes = {"policy_network_layers": (8,), "advantage_network_layers": (8,), "memory_capacity": 500}
    budget = {"num_iterations": 2, "num_traversals": 8, "batch_size_advantage": 8, "batch_size_strategy": 8}
    np.random.seed(1)
    solver = deep_cfr.DeepCFRSolver(mine, **sizes, **budget)
    solver.solve()
    state = mine.new_initial_state().child(0)
    chances = solver.action_probabilities(state)
    assert set(chances) == set(state.legal_actions())
    assert min(chances.values()) > 0 and sum(chances.values()) <= 1 + 1e-5  # it leaves a share to illegal actions


@pytest.mark.filterwarnings("ignore")
def test_nfsp_runs(mine):
    pytest.importorskip("tree", reason="needs dm-tree (extra bridges)")
    pytest.importorskip("torch", reason="needs the extra learned")
    from open_spiel.python.pytorch import nfsp

    env = rl_environment.Environment(mine, chance_event_sampler=rl_environment.ChanceEventSampler(seed=1))
    shape = env.observation_spec()["info_state"][0], env.action_spec()["num_actions"]
    often = {"batch_size": 4, "min_buffer_size_to_learn": 8, "learn_every": 8, "replay_buffer_capacity": 100}
    agents = [nfsp.NFSP(seat, *shape, [8], 100, 0.5, **often) for seat in range(3)]
    for _ in range(15):
        step = env.reset()
        while not step.last():
            chosen = agents[step.observations["current_player"]].step(step)
            step = env.step([chosen.action])
        for agent in agents:
            agent.step(step)
    assert any(loss is not None for agent in agents for loss in agent.loss)


@pytest.mark.parametrize(
    "solver", [external_sampling_mccfr.ExternalSamplingSolver, outcome_sampling_mccfr.OutcomeSamplingSolver]
)
def test_sampling_solvers_run(mine, solver):
    np.random.seed(1)
    solving = solver(mine)
    for _ in range(5):
        solving.iteration()
    assert 0 <= exploitability.nash_conv(mine, solving.average_policy()) < 9


@pytest.mark.parametrize("parameters", [{"options": MINE, "chance": "explicit"}, {}], ids=["small mine", "sampled"])
def test_tree_searches_choose_legal_actions(parameters):
    game, rng = load_game(**parameters), np.random.RandomState(1)
    state = game.new_initial_state()
    state.apply_action(0)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    sets = {
        "final_policy_type": ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        "child_selection_policy": ismcts.ChildSelectionPolicy.UCT,
        "use_observation_string": False,
        "allow_inconsistent_action_sets": False,
    }
    bots = [
        mcts.MCTSBot(game, 1.0, 6, evaluator, random_state=rng),
        ismcts.ISMCTSBot(game, evaluator, 1.0, 6, random_state=rng, **sets),
    ]
    for _ in range(2):
        moves = [bot.step(state) for bot in bots]
        assert set(moves) <= set(state.legal_actions())
        state.apply_action(moves[0])


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"chance": "explicit"}, "a tree needs a seat that begins"),
        ({"options": MINE, "chance": "explicit", "rounds": 2}, "for one round"),
        ({"chance": "listed"}, "chance must be sampled or explicit, not 'listed'"),
        ({"deals": 5}, "deals=5 must be .* with chance='explicit'"),
        ({"players": 2}, "players must be"),
        ({"options": {"draft": 1}}, "option draft"),
    ],
)
def test_impossible_games_are_refused(parameters, said):
    with pytest.raises((ValueError, pyspiel.SpielError), match=said):
        load_game(**parameters)
