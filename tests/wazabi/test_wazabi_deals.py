"""Dice, draws, first seats and random cards of Wazabi are as likely as they should be; games repeat and end."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from saboteur_env.agents.wazabi import play_wazabi
from saboteur_env.core.seeds import game_seed
from saboteur_env.wazabi import Game
from saboteur_env.wazabi.engine.cards import DECKS, KINDS
from saboteur_env.wazabi.engine.rules import Rules
from saboteur_env.wazabi.vector import Vec
from tests.long.wazabi_tables import table


def evenly(met, weights):
    """Whether counts are as likely as these weights say."""
    total = sum(met)
    return chisquare(met, [total * weight / sum(weights) for weight in weights]).pvalue > 1e-4


@pytest.fixture(scope="module")
def deals():
    return Vec(6000, players=4, seed=8).records


@pytest.mark.parametrize("faces", [{}, {"wasabi": 1, "card": 1, "die": 1}, {"wasabi": 2, "card": 0, "die": 5}])
def test_faces_of_the_dice(faces):
    rolled = Vec(6000, players=4, seed=3, options={"faces": faces}).records["public"]["rolled"].sum(axis=0)
    weights = {"wasabi": 3, "card": 2, "die": 1, **faces}
    assert rolled.sum() == 24_000
    assert evenly(rolled[rolled > 0], [weight for weight in weights.values() if weight])


def test_dice_of_one_roll_do_not_hang_together(deals):
    wasabi = np.bincount(deals["public"]["rolled"][:, 0], minlength=5)
    assert evenly(wasabi, [1, 4, 6, 4, 1])


def test_first_seats(deals):
    assert evenly(np.bincount(deals["public"]["first_seat"]), [1] * 4)


def test_more_wasabi_begins():
    # The slow twin (tests/twins/wazabi_oracle.py) works out the roll-off. Here a seat is set.
    assert {Game(seed=seed, options={"first_seat": 2}).seat for seed in range(20)} == {2}


@pytest.mark.parametrize("deck", DECKS)
def test_hands_and_pile_are_dealt_from_the_whole_deck(deck):
    records = Vec(3000, players=4, deck=deck, seed=8, options={"faces": {"card": 0}}).records
    first = records["secret"]["hands"][:, 0].sum(axis=0)
    assert first.sum() == 12_000
    assert evenly(first[first > 0], [copies for copies in DECKS[deck] if copies])
    top = np.bincount(records["secret"]["pile"][:, 19], minlength=len(KINDS))
    assert evenly(top[top > 0], [copies for copies in DECKS[deck] if copies])


def test_random_cards_are_taken_evenly():
    met = Counter()
    for seed in range(2000):
        game = table(">0 oo [take_card]\n 1 oo [reverse miss miss give_die]", pile="keep_one", seed=seed)
        game.play("play:take_card:1")
        met[game.view(0).hand[0]] += 1
    assert evenly([met[card] for card in ("reverse", "miss", "give_die")], [1, 2, 1])


def test_discards_are_shuffled():
    met = Counter()
    for seed in range(600):
        game = table(
            ">0 ooo [draw_three]\n 1 oo []", pile="keep_one", discards="miss reverse give_die remove_one", seed=seed
        )
        game.play("play:draw_three")
        met[tuple(game.view(0).hand[:-1])] += 1
    assert len(met) == 6
    assert evenly(list(met.values()), [1] * 6)


def test_a_seed_is_a_game():
    one, same, other = (Game(players=4, seed=seed) for seed in (5, 5, 6))
    assert one == same != other
    while not one.over:
        move = one.legal_moves()[-1]
        one.play(move)
        same.play(move)
    assert one == same


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("agent", [0, 1])
def test_games_end_soon(players, agent):
    seeds = np.array([game_seed(4, i, players) for i in range(2000)], np.uint64)
    for deck in DECKS:
        results = play_wazabi(Rules.make(players, deck), seeds, agent)
        assert results["turns"].max() < 300
        assert 5 < np.median(results["turns"]) < 40
        assert (results["winner"] >= 0).all()


def test_more_dice_make_longer_games():
    seeds = np.arange(300, dtype=np.uint64)
    middle = [np.median(play_wazabi(Rules.make(4, options={"dice": dice}), seeds, 0)["turns"]) for dice in (1, 2, 4, 6)]
    assert middle == sorted(middle)
    assert len(set(middle)) == 4
