"""An action model is fitted on some deals and evaluated on others; scores are those of the textbooks."""

from itertools import product

import numpy as np
import pytest

from saboteur_env.agents.beliefs.action_types import ACTION_TYPES
from saboteur_env.engine.editions import EDITIONS, PLAYERS, Rules
from saboteur_env.experiments.beliefs.belief_scores import page, score_rows, turn_rows
from saboteur_env.experiments.beliefs.calibration import reliability, scores
from saboteur_env.experiments.beliefs.fit_action_model import (
    ActionDataset,
    Study,
    fit,
    fit_preferences,
    score_fitted_beliefs,
)
from saboteur_env.experiments.beliefs.mixed_tables import play_rounds


def test_scores_are_those_of_the_textbooks():
    said, true = np.array([0.1, 0.4, 0.4, 0.8]), np.array([0.0, 0.0, 1.0, 1.0])
    result = scores(said, true)
    assert result["log_loss"] == pytest.approx(-np.log([0.9, 0.6, 0.4, 0.8]).mean())
    assert result["brier"] == pytest.approx(np.mean([0.01, 0.16, 0.36, 0.04]))
    assert result["auc"] == pytest.approx((1 + 1 + 0.5 + 1) / 4)
    assert result["ece"] == pytest.approx((0.1 + 2 * 0.1 + 0.2) / 4)
    assert reliability(said, true) == pytest.approx(np.array([[0.1, 0, 1], [0.4, 0.5, 2], [0.8, 1, 1]]))
    assert np.isnan(scores(said, np.ones(4))["auc"])


def test_what_is_said_of_calibrated_beliefs_is_that_they_are():
    numbers = np.random.default_rng(1)
    said = numbers.random(100_000)
    true = (numbers.random(100_000) < said).astype(float)
    assert scores(said, true)["ece"] < 0.01
    assert scores(said**2, true)["ece"] > 0.1


def test_no_deal_is_both_fitted_and_judged():
    study = Study(fitted=50, evaluated=30)
    cells = [study.seeds(*cell) for cell in product(EDITIONS, PLAYERS)]
    fitted, judged = ({seed for cell in cells for seed in cell[part]} for part in (0, 1))
    assert not fitted & judged
    assert len(fitted) == 50 * len(cells) and len(judged) == 30 * len(cells)


def test_likings_are_found_again_from_what_was_done():
    numbers, count = np.random.default_rng(3), 40_000
    preference, held = numbers.normal(0, 1, len(ACTION_TYPES)), numbers.random((count, len(ACTION_TYPES)))
    probabilities = held * np.exp(preference)
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    act = (probabilities.cumsum(axis=1) > numbers.random((count, 1))).argmax(axis=1)
    result = fit_preferences(ActionDataset(np.ones(count, int), np.full(count, 2), act, held), 2)
    assert result[1, 2] - result[1, 2].mean() == pytest.approx(preference - preference.mean(), abs=0.15)
    assert not result[0].any() and not result[1, 3].any(), "nothing is said where nothing was done"


def test_every_seat_draws_a_dwarf_of_its_role():
    seeds = np.arange(200, dtype=np.uint64)
    games, dwarfs = play_rounds(Rules.make(5, "lv", 1), seeds, ("loyal", "careless"), ("blatant", "two-faced"))
    assert games["public"]["over"].all()
    roles = games["private"]["role"][:, :5]
    assert np.array_equal(dwarfs[:, :5] >= 2, roles == 1)
    assert (dwarfs[:, 5:] == -1).all()
    assert np.bincount(dwarfs[:, :5].ravel(), minlength=4).min() > 100
    again = play_rounds(Rules.make(5, "lv", 1), seeds, ("loyal", "careless"), ("blatant", "two-faced"))
    assert again.games.tobytes() == games.tobytes()


def test_a_small_fit_already_beats_the_prior():
    study = Study(fitted=12, evaluated=6, players=(3, 7), editions=("lv", "ru"))
    action_model = fit(study)
    assert action_model.names == (*study.miners, *study.saboteurs, "any miner", "any saboteur")
    assert not action_model.styles.preference[-2:].any(), "strangers like all alike"
    beliefs = score_fitted_beliefs(study, action_model)
    rows = score_rows(beliefs)
    assert {(row["edition"], row["players"]) for row in rows} == {
        ("all", "all"), ("all", 3), ("all", 7), ("lv", "all"), ("ru", "all"),
    }  # fmt: skip
    whole = [row for row in rows if (row["edition"], row["players"]) == ("all", "all")]
    assert sum(row["beliefs"] for row in whole) == len(beliefs)
    assert whole[0]["rounds"] == 24
    for row in whole[1:]:
        assert row["log_loss"] < row["prior_log_loss"] and row["auc"] > row["prior_auc"]
        assert row["treasure_log_loss"] < row["prior_treasure_log_loss"]
    by_turn = turn_rows(beliefs)
    assert [row["turn"] for row in by_turn] == list(range(0, 5 * len(by_turn), 5))
    assert sum(row["beliefs"] for row in by_turn) == len(beliefs)
    assert by_turn[0]["rounds"] == 24 and by_turn[-1]["log_loss"] < by_turn[0]["log_loss"]
    text = page(rows, "the command", "What was played.")
    assert "\nthe command\n" in text and "What was played." in text
    assert text.count("| 24 |") == 3
