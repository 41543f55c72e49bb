"""The role network is fitted on a population: positions without secrets, and beliefs better than the prior."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra learned")

import torch

from saboteur_env.agents.beliefs.filter import Belief
from saboteur_env.agents.beliefs.role_inputs import EVIDENCE, gather
from saboteur_env.agents.beliefs.role_network import log_odds, role_network
from saboteur_env.agents.scripted.agent import KernelAgent
from saboteur_env.agents.scripted.params import MINER_AT_WORK, NEVER_FALLS, SABOTEUR_IN_HIDING
from saboteur_env.agents.scripted.presets import dwarf_of
from saboteur_env.core.seeds import Purpose
from saboteur_env.engine.moves import PASS, parse, verb_of
from saboteur_env.experiments.beliefs.belief_scores import score_beliefs
from saboteur_env.experiments.beliefs.calibration import log_loss
from saboteur_env.experiments.beliefs.fit_role_network import Network, Study, fit, loss_of
from saboteur_env.experiments.beliefs.mixed_tables import Rounds
from saboteur_env.experiments.beliefs.role_rounds import believed, network_beliefs, others, positions, read_styles
from saboteur_env.experiments.beliefs.role_tables import TABLE_SHARES, crossed, draw_table, population, with_habits
from saboteur_env.game.game import Game

TINY = Study(tables=16, chosen_on=16, steps=20, batch_size=64)


NAMES = ["loyal", "careless", "blatant", "two-faced", "random"]


def played(seed):
    """A finished round, STATE[1], and the views of the seats to move before each act."""
    game, views, agents = Game(5, seed=seed, rounds=1), [], [KernelAgent(name) for name in NAMES]
    while not game.round_over:
        view = game.view(game.seat)
        move = agents[game.seat].act(view, seed)
        if verb_of(parse(move)) < PASS:
            views.append(view)
        game.play(move)
    return game.records, views


@pytest.fixture(scope="module")
def acts():
    """Rounds, and for each act its round and the view of the seat to move before it."""
    records, views = zip(*(played(seed) for seed in range(4)), strict=True)
    rounds = Rounds(np.concatenate(records), np.zeros((4, 10), np.int64))
    return rounds, [(number, view) for number, part in enumerate(views) for view in part]


@pytest.fixture(scope="module")
def rounds(acts):
    return acts[0]


def test_positions_of_finished_rounds_are_what_was_public_then(acts):
    (rounds, views), room = acts, np.zeros(1, EVIDENCE)
    part = positions(rounds, read_styles())
    assert [number for number, _ in views] == part.round.tolist()
    assert [view.seat for _, view in views] == part.mover.tolist()
    for (number, view), seats, saboteur in zip(views, part.seats, part.saboteur, strict=True):
        assert gather(view.public, read_styles(), room)
        assert np.array_equal(seats, room["seats"][0, :5])
        assert saboteur.tolist() == (rounds.games["private"]["role"][number, :5] == 1).tolist()
    assert {*part.third.tolist()} == {0, 1, 2}


def test_beliefs_by_role_sets_are_those_of_the_filter(acts):
    rounds, views = acts
    said, belief = network_beliefs(rounds, role_network()), Belief(role_network())
    expected = [np.delete(belief.of(view).saboteur, view.seat) for _, view in views]
    assert said == pytest.approx(np.concatenate(expected), abs=1e-5)
    scored = score_beliefs(rounds, read_styles().fitted, "lv")
    part = positions(rounds, read_styles())
    assert np.array_equal(scored["saboteur"], part.saboteur[others(part)])
    assert scored["prior"] == pytest.approx(believed(np.zeros(part.saboteur.shape, np.float32), part)[others(part)])


def test_tables_are_drawn_of_all_kinds_by_the_seed():
    learned = [dwarf_of("ppo-small")]
    for kind in TABLE_SHARES:
        once, again, other = (draw_table(kind, learned, np.random.default_rng(seed)) for seed in (3, 3, 4))
        assert once.miners.tobytes() == again.miners.tobytes() and once.saboteurs.tobytes() == again.saboteurs.tobytes()
        assert (once.miners.tobytes() == other.miners.tobytes()) == (kind in ("family", "random", "learned"))
    assert sum(TABLE_SHARES.values()) == pytest.approx(1)


def test_some_crossed_saboteurs_hide_behind_their_own_face():
    rng = np.random.default_rng(1)
    drawn = np.concatenate([crossed(rng) for _ in range(40)])["characters"]
    own = sum(miner.tobytes() == facade.tobytes() for miner, facade in drawn[:, [MINER_AT_WORK, SABOTEUR_IN_HIDING]])
    assert 8 < own < 26


def test_a_habit_is_the_same_for_all_characters_of_a_dwarf():
    before, shifted = crossed(np.random.default_rng(2)), set()
    for seed in range(10):
        after = with_habits(before.copy(), np.random.default_rng(seed))
        moved = {name: after["characters"][name] - before["characters"][name] for name in ("lay", "read", "rockfall")}
        assert np.ptp(moved["lay"]) == pytest.approx(0) and np.ptp(moved["read"]) == pytest.approx(0)
        assert (moved["rockfall"][before["characters"]["rockfall"] <= NEVER_FALLS] == 0).all()
        shifted.add(float(moved["lay"][0, 0]))
    assert len(shifted) > 2 and 0.0 in shifted


def test_torch_and_numpy_say_the_same(rounds):
    torch.manual_seed(3)
    network, seats = Network(), positions(rounds, read_styles()).seats
    with torch.no_grad():
        said = network(torch.from_numpy(seats)).numpy()
    assert log_odds(network.weights()[0], seats) == pytest.approx(said, abs=1e-4)
    assert log_odds(network.weights(2.0)[0], seats) == pytest.approx(said / 2, abs=1e-4)


def test_what_is_fitted_says_more_than_nothing_and_is_the_same_again():
    weights, facts = fit(TINY)
    again, _ = fit(TINY)
    assert weights == again
    other = TINY.data(TINY.chosen_on, Purpose.HELD_OUT)
    assert facts["log_loss"] == pytest.approx(loss_of(weights, other), abs=1e-3)
    assert facts["log_loss"] < loss_of(Network().weights(1e9), other)


def test_the_shipped_network_beats_the_prior_on_other_rounds_of_the_population():
    said, prior, true = [], [], []
    for _, part in population(64, Purpose.TELLS, 5, ()):
        mask = others(part)
        odds = log_odds(role_network().weights[0], part.seats)
        said.append(believed(odds, part)[mask])
        prior.append(believed(np.zeros_like(odds), part)[mask])
        true.append(part.saboteur[mask].astype(np.float64))
    said, prior, true = map(np.concatenate, (said, prior, true))
    assert log_loss(said, true) < log_loss(prior, true) - 0.15
    assert len(true) > 5000
