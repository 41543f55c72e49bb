"""Networks as opponents: decided in batches, the same by any batch, window and thread."""

import copy

import numpy as np
import pytest

from saboteur_env.engine.moves import text_of

pytest.importorskip("sb3_contrib", reason="needs the extra sb3")
from sb3_contrib import MaskablePPO

from saboteur_env.agents.learned.ppo import Ppo
from saboteur_env.agents.learned.stable_baselines import PastSelf, Sb3Agent
from saboteur_env.experiments.tournament.tournament import evaluate
from saboteur_env.single_agent.base import SingleAgentBatch
from saboteur_env.single_agent.sb3 import SaboteurVecEnv

KEYWORDS = {"rounds": 1, "window": "printed", "history": 2}


def small_model(env, n_steps=8):
    layers = {"net_arch": [4]}
    return MaskablePPO("MlpPolicy", env, n_steps=n_steps, batch_size=16, n_epochs=1, seed=3, policy_kwargs=layers)


def test_a_network_plays_as_likely_as_it_says_whatever_the_learner_sees():
    agent, games = Ppo(), SingleAgentBatch(300, 3, "ppo", 5, rounds=1, window="printed", history=0)
    likely = [agent.probabilities(games.vec.game(i).view(0)) for i in range(3)]
    assert all(len(one) > 3 for one in likely)
    player = agent.in_batches("ppo")
    waits = np.zeros(4000, np.int64)
    moves = player.moves(games.vec, waits, np.arange(4000, dtype=np.uint64))
    numbers, counts = np.unique(moves, return_counts=True)
    shares = {text_of(number): count / 4000 for number, count in zip(numbers.tolist(), counts.tolist(), strict=True)}
    for move, chance in likely[0].items():
        assert abs(shares.get(move, 0) - chance) < 4 * np.sqrt(chance * (1 - chance) / 4000) + 1e-3


def test_networks_play_the_same_in_any_batch():
    small, large = (SingleAgentBatch(n, 4, {"miners": "ppo", "saboteurs": "scripted"}, 5, 1, rounds=1) for n in (3, 9))
    for step in range(30):
        assert np.array_equal(small.observation, large.observation[:3])
        actions = large.vec.sample(step)
        small.step(actions[:3])
        large.step(actions)


@pytest.mark.parametrize("form", ["flat", "dict"])
def test_a_model_plays_live_from_a_file_and_in_a_tournament(tmp_path, form):
    env = SaboteurVecEnv(4, 3, seed=1, form=form, **KEYWORDS)
    policy = "MlpPolicy" if form == "flat" else "MultiInputPolicy"
    model = MaskablePPO(policy, env, n_steps=8, batch_size=16, n_epochs=1, policy_kwargs={"net_arch": [4]})
    model.save(tmp_path / "model.zip")
    env.set_opponents([("random", 1), (model, 1)])
    env.reset()
    model.learn(32)
    both = [SaboteurVecEnv(4, 3, who, 1, **KEYWORDS) for who in (str(tmp_path / "model.zip"), f"sb3:{tmp_path}/model")]
    first, second = (one.reset() for one in both)
    assert np.array_equal(first, second)
    for step in range(20):
        actions = both[0].games.vec.sample(step)
        (one, *_), (other, *_) = (env.step(actions) for env in both)
        assert np.array_equal(one, other)
    table = evaluate([model, "random"], players=[3], deals=1, options={"goal_cells": [[2, 0]]})
    assert set(table["miners_by"].to_pylist()) == {"MaskablePPO", "random"}


def test_a_past_self_stands_still_until_its_interval_is_over():
    env = SaboteurVecEnv(4, 3, seed=1, **KEYWORDS)
    model = small_model(env)
    past = PastSelf(model, interval=48)
    env.set_opponents(past)
    begun = copy.deepcopy(model.policy.state_dict())
    model.learn(32)
    later = copy.deepcopy(model.policy.state_dict())
    assert same(past.policy.state_dict(), begun)
    assert not same(later, begun)
    model.learn(32, reset_num_timesteps=False)  # at its 48th timestep it takes the weights of the moment
    assert same(past.policy.state_dict(), later)
    assert not same(model.policy.state_dict(), later)


def same(tensors, others):
    return all(bool((others[name] == tensor).all()) for name, tensor in tensors.items())


def test_a_model_of_another_environment_is_refused():
    model = small_model(SaboteurVecEnv(4, 3, seed=1, **KEYWORDS))
    model.observation_space = model.action_space
    with pytest.raises(ValueError, match="are none of this environment"):
        Sb3Agent(model)
