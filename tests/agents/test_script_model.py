"""A scripted dwarf as a model of acts: its own chances, averaged over the hands that it may have held."""

import numpy as np
import pytest

from saboteur_env import Game
from saboteur_env.agents.beliefs.filter import Belief
from saboteur_env.agents.beliefs.script_model import Mixture, ScriptModel
from saboteur_env.agents.scripted.agent import KernelAgent
from saboteur_env.engine.cards import KIND, MINER, SABOTEUR
from saboteur_env.game.view import View
from tests.agents.test_belief import FixedModel, play
from tests.twins.slow_action_model import unseen

SLIP = 0.1
ONE_CARD = {"hand_size": 1, "deck": {"EW": 6, "NESW": 3, "xEW": 2, "map": 1, "rockfall": 1, "break:cart": 2}}


def chances_with(game, card, role):
    """How likely the dwarf plays each move if it holds this card alone."""
    view = game.view(game.seat)
    private = view.private.copy()
    private.role, private.kinds = role, 1 << KIND[card]
    private.hand[:] = 0
    private.hand[KIND[card]] = 1
    other = View(view.rules, view.public, private, view.seat)
    probabilities, moves = KernelAgent("loyal").probabilities(other), other.legal_moves()
    return {move: SLIP / len(moves) + (1 - SLIP) * probabilities.get(move, 0) for move in moves}


@pytest.mark.parametrize("move", ["EW@1,0", "NESW@1,0", "break:cart:0"])
def test_an_act_is_as_likely_as_the_dwarf_plays_it_with_that_card(move):
    card = "break:cart" if move.startswith("break") else move.partition("@")[0]
    game = next(game for game in tables() if move in game.legal_moves())
    cards, seat = sum(ONE_CARD["deck"].values()), game.seat  # it held one of so many: this one, for each copy
    wanted = [chances_with(game, card, role)[move] / cards for role in (MINER, SABOTEUR)]
    game.play(move)
    result = ScriptModel("loyal", hands=3, slip=SLIP).log_likelihood(game.view(0).public)
    assert np.exp(result[seat, :, 0]) == pytest.approx(wanted)
    assert not np.delete(result, seat, axis=0).any()


def test_a_card_laid_face_down_may_have_been_any():
    game = next(game for game in tables() if "discard:xEW" in game.legal_moves())
    names = list(ONE_CARD["deck"])
    left, seat = unseen(game.view(0).public), game.seat
    copies = np.array([left[KIND[name]] for name in names])
    wanted = [
        copies @ [chances_with(game, name, role)[f"discard:{name}"] for name in names] / copies.sum()
        for role in (MINER, SABOTEUR)
    ]
    game.play("discard:xEW")
    result = ScriptModel("loyal", hands=4000, slip=SLIP).log_likelihood(game.view(0).public)
    assert np.exp(result[seat, :, 0]) == pytest.approx(wanted, abs=0.03)


def tables():
    return (Game(3, seed=seed, options=ONE_CARD) for seed in range(100))


def test_hands_are_drawn_alike_each_time():
    game = Game(5, seed=3)
    public = play(game, ["loyal"] * 5, 20)[-1]
    assert np.array_equal(ScriptModel("patient").log_likelihood(public), ScriptModel("patient").log_likelihood(public))


def test_a_dwarf_is_recognized_by_its_own_script():
    model, right = Belief(ScriptModel("loyal")), []
    for seed in range(6):
        game = Game(5, seed=seed, options={"role_table": {"saboteurs": 2, "miners": 4}})
        publics = play(game, ["loyal"] * 5, 25)
        if game.round_over:
            continue
        view = game.view(game.seat)
        believed = model.of(view).saboteur
        roles = [game.view(seat).private.role for seat in range(5)]
        right += [believed[seat] if roles[seat] else 1 - believed[seat] for seat in range(5) if seat != view.seat]
        assert len(publics) == 26
    assert len(right) > 10
    assert np.mean(right) > 0.8


def test_a_mixture_is_one_dwarf_or_another_all_along():
    numbers = np.random.default_rng(1)
    one, other = numbers.normal(0, 2, (2, 10, 2, 3))
    result = Mixture([FixedModel(one), FixedModel(other)], [3, 1]).log_likelihood(None)
    assert np.exp(result) == pytest.approx(0.75 * np.exp(one) + 0.25 * np.exp(other))
    even = Mixture([FixedModel(one), FixedModel(other)]).log_likelihood(None)
    assert np.exp(even) == pytest.approx((np.exp(one) + np.exp(other)) / 2)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: ScriptModel("grumpy"), "there is no dwarf 'grumpy'"),
        (lambda: ScriptModel("loyal", hands=0), "hands must be 1 or more"),
        (lambda: ScriptModel("loyal", slip=0), "slip from above 0 to 1"),
        (lambda: Mixture([]), "one for each of 0 models"),
        (lambda: Mixture([FixedModel(None)], [1, 2]), "one for each of 1 models"),
        (lambda: Mixture([FixedModel(None)], [0]), "shares must be positive"),
    ],
)
def test_models_that_are_none_are_refused(make, said):
    with pytest.raises(ValueError, match=said):
        make()
