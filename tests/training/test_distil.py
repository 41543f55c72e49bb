"""The small network is distilled from decisions of a teacher: what is collected, what comes of it, how it is judged."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra learned")

from saboteur_env.agents.learned.ppo import Ppo
from saboteur_env.agents.scripted.net_rows import NETWORK, STATE_ROW
from saboteur_env.agents.scripted.small_network import load_network
from saboteur_env.experiments.training_studies import small_tables
from saboteur_env.experiments.training_studies.distil import Fit, Study, distil
from saboteur_env.experiments.training_studies.distil_data import collect

TINY = Study(decisions=256, rounds=2, epochs=1, batch_size=64, games=16)


@pytest.fixture(scope="module")
def decisions():
    return collect(Ppo(), 160, seed=1, games=16)


def test_decisions_are_of_all_counts_and_both_roles(decisions):
    assert len(decisions.counts) == 160
    assert decisions.counts.sum() == len(decisions.move) == len(decisions.kind) == len(decisions.share)
    assert {*decisions.role.tolist()} == {0, 1}
    assert decisions.state[:, STATE_ROW.players : STATE_ROW.players + 8].sum(0).min() > 0
    first = np.cumsum(decisions.counts) - decisions.counts
    assert np.add.reduceat(decisions.share, first) == pytest.approx(np.ones(160), abs=1e-4)


def test_the_student_says_how_likely_each_move_is(decisions):
    shares = Fit(TINY).student(decisions)
    first = np.cumsum(decisions.counts) - decisions.counts
    assert np.add.reduceat(shares, first) == pytest.approx(np.ones(160), abs=1e-4)


def test_what_is_learned_comes_nearer_to_the_teacher(decisions):
    before, after = Fit(TINY), Fit(Study(epochs=40, batch_size=32, games=16))
    after.learn(decisions, lambda number: None)
    gaps = [np.abs(fit.student(decisions) - decisions.share).sum() for fit in (before, after)]
    assert gaps[1] < 0.8 * gaps[0]


def test_the_same_study_gives_the_same_weights(tmp_path):
    networks = []
    for name in ("one", "two"):
        file = tmp_path / name
        file.write_bytes(distil(TINY))
        network, card = load_network(file)
        networks.append(network)
    assert networks[0] == networks[1]
    assert card["decisions"] == 256
    assert len(card["rounds"]) == 2
    assert all(np.isfinite(network[name]).all() for network in networks for name in NETWORK.names)


def test_both_networks_play_the_same_deals():
    study = small_tables.Study(agent="scripted", players=(3,), deals=6)
    (unit,) = study.units()
    played = small_tables.play_unit(study, unit)
    assert (played["miner_small"] == played["miner_opponent"]).all()
    assert (played["saboteur_small"] == played["saboteur_opponent"]).all()
    assert len(played["miner_large"]) == 6
