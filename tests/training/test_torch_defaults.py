"""Whatever torch's default dtype and device are, networks are those of float32 on their own device."""

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="needs the extra train")
import torch

from saboteur_env import Game, make_vec
from saboteur_env.agents.beliefs.tracker import BeliefTracker
from saboteur_env.agents.learned.inputs import inputs_of
from saboteur_env.agents.learned.network import READERS, Network, NetworkConfig
from saboteur_env.agents.learned.ppo import Ppo
from saboteur_env.environment.settings import Settings
from saboteur_env.experiments.training.config import Learning
from saboteur_env.experiments.training.opponents import League, Opponents, Snapshots
from saboteur_env.experiments.training.seating import Seating
from saboteur_env.experiments.training.self_play import SelfPlay

torch.set_num_threads(1)
SHORT = Settings(rounds=1, window="small", history=8, options={"goal_cells": [[3, 0]]})
DEFAULTS = {
    "float64": lambda: torch.set_default_dtype(torch.float64),
    "bfloat16": lambda: torch.set_default_dtype(torch.bfloat16),
    "another device": lambda: torch.set_default_device("meta"),
}


@pytest.fixture(params=DEFAULTS)
def changed(request):
    """Changes a default of torch for the rest of a test."""
    yield DEFAULTS[request.param]
    torch.set_default_dtype(torch.float32)
    torch.set_default_device(None)


def answers(view):
    ppo = Ppo()
    return ppo.act(view, 1), ppo.probabilities(view), ppo.beliefs(view)


def test_the_learned_dwarf_answers_the_same(changed):
    view = Game(5, seed=2).view(Game(5, seed=2).seat)
    before = answers(view)
    changed()
    assert answers(view) == before


def weights(reader):
    """Weights as they begin, and what they make of some decisions."""
    torch.manual_seed(3)
    vec = make_vec(6, [3, 5, 10] * 2, 1, mask=None, settings=SHORT)
    network = Network("small", 8, NetworkConfig(4, 16, 8, 8, events=reader, suspects=True))
    output = network(*inputs_of(vec, "cpu", BeliefTracker(vec)))
    return [part.detach().numpy() for part in (*network.state_dict().values(), *output)]


@pytest.mark.parametrize("reader", READERS)
def test_a_network_begins_the_same(reader, changed):
    before = weights(reader)
    changed()
    after = weights(reader)
    assert [part.dtype for part in after] == [np.float32] * len(before)
    assert all(map(np.array_equal, before, after))


def learned():
    """Weights after two rollouts of self-play, among snapshots."""
    vec = make_vec(6, [3, 5, 10] * 2, 5, 1, mask=None, settings=SHORT)
    league = Snapshots(League(0.5, interval=100, keep=2))
    seating = Seating(Opponents(), vec, np.random.default_rng(1), league)
    shape, learning = NetworkConfig(4, 16, 8, 8, suspects=True), Learning(n_steps=20, batch_size=60, n_epochs=1)
    learner = SelfPlay(vec, seating, shape, learning, 2, torch.device("cpu"))
    league.take(learner.network, 1, vec)
    for _ in range(2):
        learner.collect()
        learner.update(1.0)
    return [part.detach().numpy() for part in learner.network.state_dict().values()]


def test_a_trainer_learns_the_same(changed):
    before = learned()
    changed()
    assert all(map(np.array_equal, before, learned()))
