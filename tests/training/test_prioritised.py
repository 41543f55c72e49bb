"""Prioritised play: rounds counted by opponent and role, who wins more drawn more often, runs resumed bit for bit."""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chisquare

pytest.importorskip("tensorboard", reason="needs the extra train")

from saboteur_env import make_vec
from saboteur_env.batch.seats import LEARNER
from saboteur_env.engine.cards import MINER, SABOTEUR
from saboteur_env.engine.state import MINERS, SABOTEURS
from saboteur_env.environment.settings import Settings
from saboteur_env.experiments.training.checkpoints import read_checkpoint
from saboteur_env.experiments.training.config import load_config
from saboteur_env.experiments.training.opponents import MOST_PRIORITY, Opponents
from saboteur_env.experiments.training.seating import Learns, Seating
from saboteur_env.experiments.training.train_ppo import train

POOL = ("random", "patient", "scripted")
PRINTED = Settings(rounds=1, window="small", history=0)
SHORT = replace(PRINTED, options={"goal_cells": [[3, 0]]})
UNEQUAL = [
    "decisions=2000", "games=12", "threads=1", "players=[3]", "network.channels=4", "network.width=16",
    "network.seat=8", "network.choice=8", "learning.n_steps=32", "learning.batch_size=128", "evaluation.interval=0",
    "settings.history=8", 'opponents.pool=["random", "scripted"]', "opponents.miners=0.4", "opponents.saboteurs=0.4",
    "league.mixed=0.0", "opponents.priority=8.0",
]  # fmt: skip


def seated(games, priority, settings=PRINTED, **shares):
    """Games, and who sits at them."""
    vec = make_vec(games, 5, 1, 1, mask=None, settings=settings)
    return vec, Seating(Opponents(pool=POOL, priority=priority, **shares), vec, np.random.default_rng(3))


def drawn(vec, role):
    """How often each opponent is to play a role in the next round."""
    numbers = vec.enroll(POOL)
    return [(vec.controller[:, role, 0] == number).sum() for number in numbers]


def test_opponents_that_win_more_are_drawn_more_often_by_role():
    vec, seating = seated(4000, 2.0, miners=0.6, saboteurs=0.4)
    seating.priorities.rounds[SABOTEUR, [-number for number in vec.enroll(POOL)]] = [(98, 0), (4, 4), (0, 8)]
    seating.after_step(vec, np.arange(4000))
    weights = np.array([0.1, 0.5, 0.9]) ** 2  # the first is at the floor
    as_saboteurs, as_miners = drawn(vec, SABOTEUR), drawn(vec, MINER)
    assert chisquare(as_saboteurs, sum(as_saboteurs) * weights / weights.sum()).pvalue > 1e-4
    assert chisquare(as_saboteurs).pvalue < 1e-4 < chisquare(as_miners).pvalue, "as miners nobody has played"


def test_where_an_opponent_plays_both_roles_both_count():
    vec, seating = seated(4000, 1.0, seat=1.0)
    numbers = [-number for number in vec.enroll(POOL)]
    seating.priorities.rounds[SABOTEUR, numbers] = [(0, 8), (7, 1), (7, 1)]  # shares 0.9, 0.2, 0.2
    seating.after_step(vec, np.arange(4000))
    both = vec.controller.min((1, 2))
    counts = [(both == -number).sum() for number in numbers]
    chances = (np.array([9, 2, 2]) / 13 + 1 / 3) / 2
    assert chisquare(counts, 4000 * chances).pvalue > 1e-4


def test_rounds_of_one_side_against_the_other_are_counted():
    vec, seating = seated(60, 2.0, SHORT, miners=0.4, saboteurs=0.3, mixed=0.1, seat=0.2)
    counted = np.zeros_like(seating.priorities.rounds)
    for step in range(150):
        playing, dealt = vec.playing[:, :5].tolist(), vec.records["private"]["role"][:, :5].tolist()
        vec.take(vec.sample_indices(step))
        for game in np.flatnonzero(vec.round_over):
            sides = [{who for who, role in zip(playing[game], dealt[game], strict=True) if role == side}
                     for side in (MINER, SABOTEUR)]  # fmt: skip
            for role, winner in ((MINER, MINERS), (SABOTEUR, SABOTEURS)):
                if len(sides[role]) == 1 and sides[1 - role] == {LEARNER} != sides[role]:
                    counted[role, -min(sides[role]), int(vec.winner[game] == winner)] += 1
        seating.after_step(vec, np.flatnonzero(vec.round_over))
    assert seating.priorities.rounds.tolist() == counted.tolist()
    assert (counted.sum((1, 2)) > 30).all()
    hapless, _, able = seating.priorities.chances[MINER]
    assert able > 3 * hapless, "random miners lose to a learner that plays at random less seldom than scripted ones"


def test_without_a_priority_opponents_are_drawn_evenly():
    vec, seating = seated(50, 0.0, miners=1.0)
    assert Opponents().priority == 0
    assert seating.priorities is None
    seating.rng = np.random.default_rng(7)
    side = np.full((50, 1, 1), Learns.MINERS)
    evenly = np.random.default_rng(7).choice(vec.enroll(POOL), (50, 1, 1))
    assert seating._opponents_of(side).tolist() == evenly.tolist()


def curve(out):
    """What a run measured, without times."""
    lines = [json.loads(line) for line in (out / "curve.jsonl").read_text().splitlines()]
    return [{name: value for name, value in line.items() if not name.startswith("time/")} for line in lines]


def test_a_run_resumed_after_every_rollout_gives_the_undisturbed_curve(tmp_path):
    config, broken, whole = load_config("small", UNEQUAL), tmp_path / "broken", tmp_path / "whole"
    train(config, whole)
    while not train(config, broken, minutes=1e-9).done:
        pass
    assert curve(broken) == curve(whole)
    rounds = [read_checkpoint(out / "checkpoint.safetensors")[1]["learner"]["rounds"] for out in (broken, whole)]
    assert rounds[0] == rounds[1]
    assert np.sum(rounds[0]) > 30


@pytest.mark.parametrize("priority", [-1.0, 2.0 * MOST_PRIORITY, float("nan")])
def test_a_priority_out_of_range_is_refused(priority):
    with pytest.raises(ValueError, match=f"priority must be from 0 to {MOST_PRIORITY}, not {priority}"):
        Opponents(0.5, priority=priority)
