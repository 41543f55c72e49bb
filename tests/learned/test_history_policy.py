"""The recurrent masked policy: MaskablePPO trains with it, and it is told what happened before."""

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="needs the extra sb3")
import torch
from sb3_contrib import MaskablePPO

from saboteur_env.agents.learned.history_policy import HistoryPolicy
from saboteur_env.agents.learned.stable_baselines import Sb3Agent
from saboteur_env.single_agent.sb3 import SaboteurVecEnv


@pytest.fixture(scope="module")
def trained():
    """A model after one update, and its environment."""
    env = SaboteurVecEnv(4, players=3, rounds=1, window="printed", history=8, seed=1)
    sizes = {"network": {"channels": 8, "width": 16, "seat": 8, "choice": 8}}
    model = MaskablePPO(HistoryPolicy, env, n_steps=8, batch_size=16, n_epochs=2, policy_kwargs=sizes, seed=1)
    before = {name: weight.clone() for name, weight in model.policy.named_parameters()}
    model.learn(32)
    return model, env, before


def test_ppo_changes_every_weight_of_policy_and_value(trained):
    model, _, before = trained
    still = {name for name, weight in model.policy.named_parameters() if torch.equal(weight, before[name])}
    assert {name.partition(".")[2].partition(".")[0] for name in still} <= {"suspect"}  # no loss asks for roles


def test_it_plays_legal_actions_and_survives_a_file(trained, tmp_path):
    model, env, _ = trained
    seen, masks = env.games.observation, env.games.mask.astype(bool)
    actions, _ = model.predict(seen, action_masks=masks)
    assert masks[np.arange(4), actions].all()
    model.save(tmp_path / "model.zip")
    again = MaskablePPO.load(tmp_path / "model.zip")
    tensor = torch.from_numpy(seen)
    with torch.no_grad():
        first, other = (one.policy.get_distribution(tensor, masks).distribution.probs for one in (model, again))
    assert torch.equal(first, other)
    assert again.policy.network.config == model.policy.network.config
    assert Sb3Agent(tmp_path / "model.zip").observations == Sb3Agent(model).observations


def test_values_and_choices_depend_on_the_history(trained):
    model, env, _ = trained
    while not env.games.observation[:, -7:].any():
        env.step(env.games.vec.sample(1))
    seen = torch.from_numpy(env.games.observation)
    without = seen.clone()
    without[:, -8 * 7 :] = 0  # the events come last
    with torch.no_grad():
        assert not torch.equal(model.policy.predict_values(seen), model.policy.predict_values(without))
