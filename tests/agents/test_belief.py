"""Beliefs are Bayes' rule over all worlds, and what is believed of scripted dwarfs is mostly so."""

import json
import random
from collections import Counter

import numpy as np
import pytest

from saboteur_env import Game
from saboteur_env.agents.beliefs.action_model_file import doubting, fitted
from saboteur_env.agents.beliefs.filter import Belief, draw_world
from saboteur_env.agents.scripted.agent import KernelAgent
from saboteur_env.engine.editions import Rules
from saboteur_env.game.view import View
from tests.inference.test_worlds import counted, world_of
from tests.support.positions import load, position
from tests.support.samples import assert_even, wander
from tests.twins.slow_action_model import evidence_of


class FixedModel:
    """A model that says the same of all rounds."""

    def __init__(self, log_likelihood):
        self.given = log_likelihood

    def log_likelihood(self, public):
        return self.given


NOTHING = FixedModel(np.zeros((10, 2, 3)))


def play(game, names, moves=1000):
    """Play a round with a dwarf for each seat; returns the public records before each act and after the last."""
    agents = [KernelAgent(name) for name in names]
    publics = [game.view(0).public]
    while not game.round_over and len(publics) <= moves:
        game.play(agents[game.seat].act(game.view(game.seat), len(publics)))
        publics.append(game.view(0).public)
    return publics


def bayes(view, log_likelihood):
    """The posterior of each world, by the book: prior times likelihood, over their sum."""
    weights = {}
    for (roles, treasure), ways in counted(view).items():
        others = [seat for seat in range(view.rules.players) if seat != view.seat]
        likelihood = sum(log_likelihood[seat, roles >> seat & 1, treasure] for seat in others)
        weights[roles | treasure << 11] = ways * np.exp(likelihood)
    whole = sum(weights.values())
    return {world: weight / whole for world, weight in weights.items()}


def test_the_posterior_is_bayes_rule_over_all_worlds():
    rng, numbers = random.Random(2), np.random.default_rng(2)
    for games, rules in wander(rng, 60):
        if games[0].public.choice:
            continue
        view = View.of(games, rules, rng.randrange(rules.players))
        log_likelihood = numbers.normal(0, 3, (10, 2, 3))
        result, wanted = Belief(FixedModel(log_likelihood)).of(view), bayes(view, log_likelihood)
        assert dict(zip(result.worlds.tolist(), result.weights, strict=True)) == pytest.approx(wanted)
        assert result.saboteur.sum() + result.aside == pytest.approx(rules.role_table[0])
        assert result.treasure.sum() == pytest.approx(1)
        assert result.saboteur[view.seat] == pytest.approx(float(view.private.role))
        for seat in range(rules.players):
            share = sum(weight for world, weight in wanted.items() if world >> seat & 1)
            assert result.saboteur[seat] == pytest.approx(share)


@pytest.mark.parametrize(("players", "edition"), [(3, "lv"), (5, "lv"), (5, "fa"), (10, "uk")])
def test_before_anybody_has_acted_the_prior_is_that_of_the_rules(players, edition):
    game = Game(players, edition, seed=1)
    for seat in range(players):
        view = game.view(seat)
        believed = Belief(fitted()).of(view)
        left = view.rules.role_table[0] - int(view.private.role)
        others = np.delete(believed.saboteur, seat)
        assert others == pytest.approx(left / (sum(view.rules.role_table) - 1))
        assert believed.aside == pytest.approx(others[0] if view.rules.one_aside else 0)
        assert believed.treasure == pytest.approx(1 / 3)


def test_a_world_is_drawn_as_often_as_it_is_believed():
    weights = np.array([0.1, 0.0, 0.6, 0.3])
    result = Counter(draw_world(weights, 4, np.uint64(i)) for i in range(4000))
    assert_even(result, {0: 1, 2: 6, 3: 3}, "worlds")


def test_games_are_imagined_as_they_are_believed():
    game = Game(4, seed=3)
    play(game, ["loyal"] * 4, 6)
    belief, view = Belief(fitted()), game.view(1)
    believed, result = belief.of(view), Counter()
    for seed in range(3000):
        imagined = belief.game(view, seed)
        assert seed % 300 or imagined.view(1) == view
        roles, treasure = world_of(imagined.records[0])
        result[roles | treasure << 11] += 1
    assert_even(result, dict(zip(believed.worlds.tolist(), believed.weights, strict=True)), "worlds")
    assert belief.game(view, 5) == belief.game(view, 5)


@pytest.mark.parametrize("model", [fitted, doubting])
@pytest.mark.parametrize(
    ("players", "edition", "names"),
    [
        (3, "lv", ["loyal"] * 3),
        (4, "uk", ["random", "loyal", "careless", "random"]),
        (7, "fa", ["blatant", "loyal"] * 4),
    ],
)
def test_what_acts_say_is_what_a_slow_twin_says(players, edition, names, model):
    game = Game(players, edition, seed=players)
    publics = play(game, names, 45)
    assert len(publics) > 20
    assert model().log_likelihood(publics[-1]) == pytest.approx(evidence_of(publics, model().styles))


def test_what_a_seat_cannot_know_changes_nothing():
    game = Game(6, seed=5)
    play(game, ["loyal"] * 6, 20)
    belief = Belief(fitted())
    for seat in range(6):
        believed = belief.of(game.view(seat))
        for seed in range(5):
            other = belief.of(game.resample(seat, seed).view(seat))
            assert all(map(np.array_equal, vars(believed).values(), vars(other).values()))


def test_a_record_that_does_not_begin_with_the_round_says_nothing():
    game = Game(5, seed=4)
    play(game, ["loyal"] * 5, 12)
    data = json.loads(game.to_json())
    view = load({**data, "record": data["record"][4:]}).view(1)
    prior = Belief(NOTHING).of(view)
    assert np.array_equal(Belief(fitted()).of(view).weights, prior.weights)
    assert not np.array_equal(Belief(fitted()).of(game.view(1)).weights, prior.weights)


def believed_after(*moves, hands, players=5):
    """What the last seat, a saboteur, believes after these moves from the first deal on."""
    game = position(hands=hands, players=players)
    for move in moves:
        game.play(move)
    return Belief(fitted()).of(game.view(players - 1))


def test_who_lays_a_dead_end_in_the_way_is_more_suspect_than_who_digs_on():
    moves = ["EW@1,0", "xEW@2,0", "discard:map"]
    digs, blocks, discards, _, _ = believed_after(*moves, hands=[["EW"], ["xEW"], ["map"]]).saboteur
    assert digs < discards < blocks
    assert digs < 0.25 < blocks, "one of the four others and the one aside is a saboteur besides"


def test_who_has_read_a_map_and_walks_towards_a_goal_tells_where_the_treasure_is():
    hands = [["NESW", "rockfall"], ["map", "NS"], ["NESW"]]
    before = ["NESW@1,0", "map:0", "NESW@2,0", "discard:rockfall"]
    unsaid = believed_after(*before, hands=hands, players=3)
    north = believed_after(*before, "NS@2,-1", hands=hands, players=3)
    south = believed_after(*before, "NS@2,1", hands=hands, players=3)
    assert unsaid.treasure == pytest.approx(1 / 3)
    assert south.treasure[0] < 0.1 < 0.7 < north.treasure[0]


def test_the_action_model_that_come_along_know_the_scripted_dwarfs():
    """A floor."""
    from saboteur_env.experiments.beliefs.calibration import scores
    from saboteur_env.experiments.beliefs.fit_action_model import Study, score_fitted_beliefs

    study = Study(fitted=0, evaluated=12, seed=99, players=(4, 6, 9), editions=("lv", "uk"))
    beliefs = score_fitted_beliefs(study, fitted())
    last = beliefs[beliefs["third"] == 2]
    true = last["saboteur"].astype(float)
    result, prior = scores(last["said"], true), scores(last["prior"], true)
    assert result["auc"] > 0.9 and result["ece"] < 0.05
    assert result["log_loss"] < prior["log_loss"] / 3
    assert scores(beliefs["prior"], beliefs["saboteur"].astype(float))["ece"] < 0.08


def test_who_doubts_believes_little_of_strangers_and_most_of_the_family():
    """Floors."""
    from saboteur_env.experiments.beliefs.belief_scores import score_beliefs
    from saboteur_env.experiments.beliefs.calibration import scores
    from saboteur_env.experiments.beliefs.fit_action_model import Study
    from saboteur_env.experiments.beliefs.mixed_tables import play_rounds

    def loss(model, *names):
        rounds = play_rounds(Rules.make(5, rounds=1), np.arange(30, dtype=np.uint64), *names)
        beliefs = score_beliefs(rounds, model.styles, "lv")
        beliefs = beliefs[beliefs["third"] == 2]
        true = beliefs["saboteur"].astype(float)
        return scores(beliefs["said"], true)["log_loss"], scores(beliefs["prior"], true)["log_loss"]

    strangers, family = (["random"], ["random"]), (Study.miners, Study.saboteurs)
    surprised, prior = loss(fitted(), *strangers)
    assert surprised > prior + 0.08
    assert loss(doubting(), *strangers)[0] < prior + 0.04
    assert loss(doubting(), *family)[0] < 0.06
