"""The league: who is kept, who sits where for a whole round, whose moves are played and whose are learned from."""

from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="needs the extra train")
import torch

from saboteur_env import make_vec
from saboteur_env.agents.learned.network import Network, NetworkConfig
from saboteur_env.batch.kernels import LEARNER
from saboteur_env.environment.settings import Settings
from saboteur_env.experiments.training.config import Learning
from saboteur_env.experiments.training.opponents import League, Opponents, Snapshots
from saboteur_env.experiments.training.seating import Seating
from saboteur_env.experiments.training.self_play import SelfPlay

torch.set_num_threads(1)
SHORT = Settings(rounds=1, window="small", history=0, options={"goal_cells": [[3, 0]]})
TINY = NetworkConfig(channels=4, width=16, seat=8, choice=8)


class Last(Network):
    """Always takes the last legal action."""

    def forward(self, *inputs):
        output, last = super().forward(*inputs), inputs[2][:, None] - 1
        certain = torch.full_like(output.logits, -torch.inf)
        return output._replace(logits=certain.scatter(1, last, 0.0))


def small_learner(league, opponents=Opponents(), games=24, steps=80):  # noqa: B008
    vec = make_vec(games, [3, 5, 10] * (games // 3), 5, 1, mask=None, settings=SHORT)
    seating = Seating(opponents, vec, np.random.default_rng(1), Snapshots(league))
    return SelfPlay(vec, seating, TINY, Learning(n_steps=steps, batch_size=500, n_epochs=1), 2, torch.device("cpu"))


def play(learner):
    """One rollout, played."""
    learner.collect()
    return learner.rollout


def test_the_kept_are_the_newest_the_oldest_and_an_even_spread():
    snapshots, vec = Snapshots(League(1.0, interval=10, keep=4)), make_vec(1, 3, 1)
    network = Network("small", 0, TINY)
    for decisions in range(10, 410, 10):
        assert snapshots.due(decisions)
        snapshots.take(network, decisions, vec)
        assert not snapshots.due(decisions + 9)
    taken = list(snapshots.taken.values())
    assert (len(taken), taken[0], taken[-1]) == (4, 10, 400)
    assert max(b - a for a, b in pairwise(taken)) <= 4 * min(b - a for a, b in pairwise(taken))
    assert len(snapshots.networks) == 5
    assert not Snapshots(League()).due(10**9)


def test_snapshots_play_their_own_moves_and_are_not_learned_from():
    learner = small_learner(League(mixed=1.0, interval=1))
    assert (play(learner).controller == LEARNER).all()
    learner.seating.snapshots.take(Last("small", 0, TINY), 1, learner.vec)
    play(learner)  # the rounds of before end
    rollout = play(learner)
    theirs = rollout.controller == 1
    last = (rollout._seen.counts - 1).reshape(rollout.action_index.shape) == rollout.action_index
    assert last.numpy()[theirs].all()
    assert 0.3 < theirs.mean() < 0.7
    assert last.numpy()[~theirs].mean() < 0.5
    assert not rollout.learned[theirs].any()
    assert rollout.learned[~theirs].mean() > 0.8


def test_nobody_is_changed_in_the_middle_of_a_round():
    learner = small_learner(League(0.3, 0.3, 0.4, interval=1, keep=2), steps=9)
    networks, playing = [None] * 24, [None] * 24
    for decisions in range(1, 12):
        learner.seating.snapshots.take(learner.network, decisions, learner.vec)
        rollout = play(learner)
        for game in range(24):
            seated = learner.vec.playing[game].tolist()
            now = [learner.seating.snapshots.networks.get(number) for number in seated]
            if not rollout.ended[:, game].any() and playing[game]:
                assert (seated, [*map(id, now)]) == (playing[game], [*map(id, networks[game])])
            networks[game], playing[game] = now, seated
    assert len(learner.seating.snapshots.networks) > 3


def test_sides_are_shared_out_as_the_settings_say():
    learner = small_learner(League(0.3, 0.2, interval=1), Opponents(0.2, 0.1), games=300)
    learner.seating.snapshots.take(learner.network, 1, learner.vec)
    learner.seating.after_step(learner.vec, np.arange(300))
    learner.vec.begin(learner.vec.episode + 1)
    roles = learner.vec.records["private"]["role"]
    who = {"league": 0, "scripted": 0, "all": 0}
    for i in range(300):
        seats, seated = learner.vec.playing[i, : learner.vec.players[i]], roles[i, : learner.vec.players[i]]
        others = set(seats[seats != LEARNER].tolist())
        assert len({*seated[seats != LEARNER].tolist()}) <= 1
        assert not set(seated[seats == LEARNER].tolist()) & set(seated[seats != LEARNER].tolist())
        who["all" if not others else "league" if others == {1} else "scripted"] += 1
    assert 110 < who["league"] < 180
    assert 50 < who["scripted"] < 125
