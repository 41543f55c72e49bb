"""Self-play learns what is there to be learned, and nothing where the advantages or rewards mean nothing."""

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="needs the extra train")
import torch

from saboteur_env import make_vec
from saboteur_env.agents.learned.inputs import inputs_of
from saboteur_env.agents.learned.network import NetworkConfig
from saboteur_env.environment.settings import Settings
from saboteur_env.experiments.training.config import Learning
from saboteur_env.experiments.training.opponents import Opponents
from saboteur_env.experiments.training.seating import Seating
from saboteur_env.experiments.training.self_play import SelfPlay

torch.set_num_threads(1)
# A dead end in this row shuts the way to the only goal for good, as no card leads around it.
#
#     -S- . . ?
STRAIT = {"goal_cells": [[3, 0]], "deck": {"EW": 8, "xEW": 8}, "hand_size": 2}
GAMES = 64


def batch(side, seed):
    pool = {"saboteurs": 0, "miners": 0} | {side: 3}
    settings = Settings(3, rounds=1, window="printed", history=0, options={**STRAIT, "role_table": pool})
    return make_vec(GAMES, 3, seed, 1, mask=None, settings=settings)


def trained(side, kind=SelfPlay):
    vec, learning = batch(side, 5), Learning(n_steps=16, batch_size=256, n_epochs=2, ent_coef=0.03)
    seating = Seating(Opponents(), vec, np.random.default_rng(1))
    learner = kind(vec, seating, NetworkConfig(4, 32, 8, 16), learning, 2, torch.device("cpu"))
    while learner.decisions < 8000:
        learner.collect()
        learner.update(1.0)
    return learner


def rounds_won(side, choose, steps=60):
    vec, won = batch(side, 77), []
    for step in range(steps):
        vec.step(choose(vec, step))
        won.append(vec.reward[vec.round_over, 0] > 0)
    return np.concatenate(won).mean()


def won_by(learner, side):
    choose = lambda vec, step: vec.legal[np.arange(GAMES), learner.choose(inputs_of(vec)).numpy()]  # noqa: E731
    return rounds_won(side, choose)


@pytest.mark.parametrize("side", ["miners", "saboteurs"])
def test_the_best_answer_in_a_strait_is_found(side):
    assert rounds_won(side, lambda vec, step: vec.sample(step)) < 0.8
    assert won_by(trained(side), side) > 0.97


class Shuffled(SelfPlay):
    """Learns from advantages that belong to other decisions."""

    def update(self, left):
        rollout = self.rollout
        learned = torch.from_numpy(rollout.learned)
        values = rollout.advantage[learned]
        rollout.advantage[learned] = values[torch.randperm(len(values))]
        return super().update(left)


class Repaid(SelfPlay):
    """Learns from rewards that were paid in other rounds."""

    lots = np.random.default_rng(0)

    def collect(self):
        self.rollout.finish = self._permuted
        return super().collect()

    def _permuted(self, *arguments):
        rollout = self.rollout
        rollout.reward[rollout.ended] = self.lots.permutation(rollout.reward[rollout.ended])
        type(rollout).finish(rollout, *arguments)


@pytest.mark.parametrize("kind", [Shuffled, Repaid])
def test_nothing_is_learned_from_what_means_nothing(kind):
    assert won_by(trained("miners", kind), "miners") < 0.6
