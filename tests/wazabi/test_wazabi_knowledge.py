"""What a seat knows of hands, on drawn tables, and that nothing else reaches it."""

import json
import random
from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from saboteur_env.agents.wazabi import WazabiAgent
from saboteur_env.wazabi import Game
from saboteur_env.wazabi.engine.rules import Rules
from saboteur_env.wazabi.observations import observation_of
from tests.long.wazabi_tables import table

OPTIONS = [
    {},
    {"play_on": True},
    {"cards": 3, "dice": 3},
    {"faces": {"card": 4}},
    {"faces": {"card": 4}, "play_on": True},
]
FOUR = """
    >0 oooo [take_card swap_cards pass_cards]
     1 oo [reverse reverse miss]
     2 oo [give_die]
     3 oo [remove_one]
"""


def played(*moves, drawing=FOUR, pile="keep_one keep_one keep_one", **more):
    game = table(drawing, pile=pile, **more)
    for move in moves:
        if not move.startswith("play") or game.seat == 0:
            game.play(move)
    return game


def minds(more):
    """What everybody knows at the table of FOUR: the own hand, and by (who, whose) more."""
    hands = [["swap_cards", "pass_cards", "take_card"], ["reverse", "reverse", "miss"], ["give_die"], ["remove_one"]]
    return [[hands[who] if who == whose else more.get((who, whose), []) for whose in range(4)] for who in range(4)]


def known(game, who):
    return game.view(who).known


def test_swapped_hands_stay_known_to_those_who_held_them():
    game = played("play:swap_cards:1")
    assert known(game, 0) == [["reverse", "reverse", "miss"], ["pass_cards", "take_card"], [], []]
    assert known(game, 1) == [["reverse", "reverse", "miss"], ["pass_cards", "take_card"], [], []]
    assert known(game, 2) == [[], [], ["give_die"], []]
    assert game.view(2).public.sure[:2, :2].tolist() == [[3, 2], [3, 2]]


def test_a_known_card_is_forgotten_when_one_like_it_is_played():
    game = table(
        """
         0 oo []
        >1 oo [reverse reverse miss]
         2 oo []
        """,
        known=[
            [[], ["reverse", "miss"], []],
            [[], ["reverse", "reverse", "miss"], []],
            [[], ["reverse", "reverse"], []],
        ],
        pile="keep_one",
    )
    game.play("play:reverse")
    assert (known(game, 0)[1], known(game, 2)[1]) == (["miss"], ["reverse"])


def test_passed_hands_stay_known_to_those_who_held_them_and_to_nobody_between():
    game = played("play:pass_cards:left")
    for who, (whose, cards) in enumerate(
        [(1, ["swap_cards", "take_card"]), (2, ["reverse", "reverse", "miss"]), (3, ["give_die"]), (0, ["remove_one"])]
    ):
        hands = known(game, who)
        assert hands[whose] == cards
        assert sum(map(len, hands)) == len(cards) + len(hands[who])


def test_knowledge_travels_with_a_hand_that_is_passed_on():
    item = {"known": minds({(0, 1): ["miss"]})}
    assert known(played("play:pass_cards:left", **item), 0)[2] == ["miss"]
    assert known(played("play:pass_cards:right", **item), 0)[0] == ["reverse", "reverse", "miss"]
    assert known(played("play:swap_cards:2", **item), 0)[1] == ["miss"]


def test_a_random_card_is_known_to_its_owners_and_blurs_the_hand_for_others():
    whole = ["reverse", "reverse", "miss"]
    game = played("play:take_card:1", known=minds({(2, 1): whole}))
    (taken,) = (Counter(game.view(0).hand) - Counter(["swap_cards", "pass_cards"])).elements()
    assert known(game, 1)[0] == [taken]
    assert known(game, 2)[:2] == [[], ["reverse"]]
    assert known(game, 3)[:2] == [[], []]


def test_a_random_card_of_a_hand_of_one_known_kind_is_known():
    drawing = ">0 oo [take_card]\n 1 oo [miss miss]\n 2 oo [reverse]"
    minds = [[["take_card"], [], []], [[], ["miss", "miss"], []], [[], ["miss", "miss"], ["reverse"]]]
    game = played("play:take_card:1", drawing=drawing, known=minds)
    assert known(game, 2)[:2] == [["miss"], ["miss"]]


def test_of_two_players_each_knows_the_hand_of_the_other_when_the_pile_is_shuffled():
    game = table(
        ">0 oo [miss draw_three]\n 1 oo [reverse give_die]", pile="keep_one", discards="keep_two keep_one remove_one"
    )
    assert known(game, 1)[0] == []
    game.play("play:draw_three")
    assert known(game, 1)[0] == ["miss", "keep_one"]  # and not the cards that were drawn thereafter
    assert game.view(0).hand_sizes == [4, 2]
    assert known(game, 0)[1] == ["reverse", "give_die"]


def table_of(number):
    """The game with a number from 0 to 14: each option meets each deck, and all numbers of players come up."""
    return Game(2 + number // 3, ["sheet", "french"][number % 2], seed=number, options=OPTIONS[number % 5])


@pytest.mark.parametrize("number", range(15))
def test_what_a_seat_cannot_know_changes_nothing_that_it_sees(number):
    rng, greedy, differing, game = random.Random(number), WazabiAgent("greedy"), 0, table_of(number)
    while not game.over:
        for seat in range(game.rules.players):
            view, seed = game.view(seat), rng.getrandbits(64)
            twin = view.resample(seed)
            other = twin.view(seat)
            differing += twin.records["private"].tobytes() != game.records["private"].tobytes()
            assert other == view
            assert np.array_equal(observation_of(other), observation_of(view))
            assert other.legal_moves() == view.legal_moves()
            assert Game.from_json(twin.to_json()) == twin  # a whole game without a fault
            if seat == game.seat:
                assert greedy.act(view, seed) == greedy.act(other, seed)
        game.play(WazabiAgent(rng.choice(["greedy", "random"])).act(game.view(game.seat), rng.getrandbits(64)))
    assert differing


def test_everything_that_a_seat_believes_to_know_is_true():
    for number in range(15):
        rng, game = random.Random(number), table_of(number)
        while not game.over:
            hands = json.loads(game.to_json())["hands"]
            for who in range(game.rules.players):
                view = game.view(who)
                for whose, cards in enumerate(view.known):
                    assert not Counter(cards) - Counter(hands[whose])
                    assert view.public.sure[who, whose] <= len(cards) <= len(hands[whose])
            moves = game.legal_moves()
            swaps = [move for move in moves if "_cards" in move or "take" in move]
            game.play(rng.choice(swaps or moves))


def test_cards_that_a_seat_cannot_place_are_dealt_evenly():
    game = played("play:swap_cards:1", pile="keep_one keep_one miss remove_two")
    view, met = game.view(0), Counter()
    for seed in range(4000):
        twin = view.resample(seed)
        met[json.loads(twin.to_json())["hands"][2][0]] += 1
        assert twin.view(1).known[0] == ["reverse", "reverse", "miss"]  # all know that it held that hand
    unseen = Counter(["give_die", "remove_one", "keep_one", "keep_one", "miss", "remove_two"])
    cards = sorted(unseen)
    assert chisquare([met[card] for card in cards], [4000 * unseen[card] / 6 for card in cards]).pvalue > 1e-4


def test_rules_of_a_view_are_those_of_the_game():
    assert Game(players=5, deck="french").view(2).rules == Rules.make(5, "french")
    with pytest.raises(ValueError, match="there is no seat 5"):
        Game(players=5).view(5)
