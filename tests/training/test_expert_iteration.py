"""Expert iteration: a policy is improved where a search tried its moves, and the network learns it."""

import csv
from itertools import product

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra learned")

from saboteur_env.agents.scripted.small_network import SHIPPED_SMALL, load_network
from saboteur_env.agents.search.ismcts import Search
from saboteur_env.experiments.training_studies import expert_iteration
from saboteur_env.experiments.training_studies.distil import Fit, Study
from saboteur_env.experiments.training_studies.searched_data import collect_searched, improved_policy

FEW = "net=ppo-small:iterations=20"


def test_a_policy_plays_what_wins_more_more_often():
    policy = np.array([0.5, 0.3, 0.1, 0.1], np.float32)
    won = np.array([0.50, 0.54, 0.50, np.nan])  # the last move was not tried
    result = improved_policy(policy, won)
    assert result.sum() == pytest.approx(1)
    mean = (0.5 * 0.50 + 0.3 * 0.54 + 0.1 * 0.50) / 0.9
    assert result / result[3] == pytest.approx(policy / 0.1 * np.exp(50 * (np.nan_to_num(won, nan=mean) - mean)))


def test_a_policy_that_was_not_searched_stays_as_it_is():
    policy = np.array([0.75, 0.25], np.float32)
    assert improved_policy(policy, np.full(2, np.nan)).tolist() == policy.tolist()


def test_half_of_the_decisions_are_searched_and_the_others_kept():
    fit = Fit(Study(seed=1), load_network(SHIPPED_SMALL)[0])
    decisions = collect_searched(Search(FEW), 32, seed=5, student=fit.student, games=16)
    first = np.cumsum(decisions.counts) - decisions.counts
    assert len(decisions.counts) >= 32
    assert np.add.reduceat(decisions.share, first) == pytest.approx(np.ones(len(first)), abs=1e-3)
    changed = np.maximum.reduceat(np.abs(decisions.share - fit.student(decisions)), first) > 1e-3
    assert 0.2 < changed.mean() <= 0.55


def test_the_study_writes_weights_and_what_they_gain(tmp_path):
    expert_iteration.main(FEW, decisions=64, epochs=1, players="4", deals=20, out=tmp_path)
    network, card = load_network(tmp_path / "weights.safetensors")
    assert all(np.isfinite(network[name]).all() for name in network.dtype.names)
    assert card["study"]["decisions"] == 64 and "iterations=20" in card["teacher"]
    rows = list(csv.DictReader((tmp_path / "table.csv").read_text().splitlines()))
    cells = product(("scripted", "ppo-small"), ("miner", "saboteur"), ("all", "4"))
    assert [(row["against"], row["role"], row["players"]) for row in rows] == [*cells]
    assert all(float(row["more_low"]) <= float(row["more"]) <= float(row["more_high"]) for row in rows)
