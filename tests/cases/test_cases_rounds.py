"""Cases 22, 23 and 27 to 30: rounds, seeds, symmetric cards and loops."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from saboteur_env import Game
from saboteur_env.engine.cards import PRINTED_DECK, TOOLS, orientation_of, turned
from tests.support.cases import (
    CONNECTED,
    KIND_OF,
    PATH_CARDS,
    ROAD,
    TOUCHING,
    WALLED_IN,
    every_edition,
    lay,
    quarters,
    with_face,
)
from tests.support.positions import assert_map, data_of, load, played, position, refusal, spun_move


@every_edition
def test_case_22_with_an_empty_deck_play_goes_on_with_the_hands(edition):
    hands = [["NESW", "map"], ["rockfall", "xN"], ["break:cart", "NS"]]
    game = position(hands=hands, deck=[], edition=edition)
    gone = len(data_of(game)["discards"])
    played(game, "NESW@1,0", "rockfall@1,0", "break:cart:1")
    assert game.view(0).hand_sizes == [1, 1, 1]
    assert len(data_of(game)["discards"]) == gone + 2
    played(game, "map:1", "discard:xN", "NS@0,-1")
    assert (game.round_over, game.winner) == (True, "saboteurs")


@every_edition
def test_case_22_an_empty_hand_passes(edition):
    game = position(hands=[[], ["map"], []], deck=[], edition=edition)
    assert game.legal_moves() == ["pass"]
    game.play("pass")
    assert "only an empty hand passes" in refusal(game, "pass")
    game.play("map:0")
    assert (game.round_over, game.seat) == (True, 1)


def discard_to_the_end(game):
    turns = 0
    while not game.round_over:
        game.play(next(move for move in game.legal_moves() if move.startswith("discard") or move == "pass"))
        turns += 1
    return turns


@pytest.mark.parametrize("players", range(3, 11))
@pytest.mark.parametrize("edition", CONNECTED)
def test_case_23_without_the_treasure_a_round_lasts_67_turns(edition, players):
    game = Game(players=players, edition=edition, seed=players)
    assert discard_to_the_end(game) == 67
    assert game.winner == ("saboteurs" if "saboteur" in game.view(0).roles else "nobody")


@pytest.mark.parametrize(("players", "hand"), [(3, 6), (5, 6), (6, 5), (7, 5), (8, 4), (10, 4)])
@pytest.mark.parametrize("edition", TOUCHING)
def test_all_passed_ends_the_round_one_turn_each_after_the_deck(edition, players, hand):
    game = Game(players=players, edition=edition, seed=players)
    assert discard_to_the_end(game) == 67 - players * hand + players


def test_a_card_played_in_between_starts_the_passes_anew():
    game = position(hands=[["map", "NS", "xE"], ["map", "NS"], ["map", "NS"]], deck=[], edition="ru")
    played(game, "discard:map", "discard:map", "map:0", "discard:NS", "discard:NS")
    assert not game.round_over
    game.play("discard:NS")
    assert (game.round_over, game.winner) == (True, "saboteurs")


@every_edition
@pytest.mark.parametrize("players", range(3, 11))
def test_case_27_a_new_round_begins_afresh(players, edition):
    game = position(players=players, edition=edition, hands=[["map"], ["break:cart"], ["break:cart"]])
    played(game, "map:0", "break:cart:0", "break:cart:2")
    discard_to_the_end(game)
    finished = data_of(game)
    game.next_round()
    data, first = data_of(game), (finished["last_seat"] + 1) % players
    assert (data["round"], data["seat"], data["first_seat"]) == (2, first, first)
    assert data["broken"] == data["maps"] == [[]] * players
    assert (data["record"], data["discards"], data["tunnels"], data["passes"]) == ([], [], [], 0)
    assert roles_of(data) == roles_of(finished)
    assert all(game.view(seat).faces == [None] * 3 for seat in range(players))


def roles_of(data):
    """All the roles of a round, the one aside too."""
    return Counter([*data["roles"], data["role_aside"]])


@pytest.mark.parametrize("way_up", ["turn:NE", "turn:SW"])
def test_case_27_a_choice_is_no_turn(way_up):
    game = played(position(WALLED_IN, [["EW"]], faces=with_face("stone:NE")), "EW@2,0")
    assert (game.seat, data_of(game)["last_seat"]) == (0, 0)
    game.play(way_up)
    assert (game.seat, data_of(game)["last_seat"]) == (1, 0)


def scripted_match(reload=False):
    """A whole match in which the moves follow from nothing but their number, as text."""
    game, turn = Game(players=4, seed=28), 0
    while not game.over:
        if game.round_over:
            game.next_round()
        game.play(game.legal_moves()[turn % len(game.legal_moves())])
        turn += 1
        game = load(data_of(game)) if reload else game
    return game.to_json()


def test_case_28_threads_and_reloads_play_the_same_match():
    with ThreadPoolExecutor(3) as pool:
        ends = set(pool.map(scripted_match, (False, True, False)))
    assert len(ends) == 1


@pytest.mark.parametrize("card", [card for card in PATH_CARDS if turned(orientation_of(card)) == orientation_of(card)])
def test_case_29_a_symmetric_card_is_one_move_for_each_cell(card):
    moves = position(hands=[[card]]).legal_moves()
    assert len(moves) == len(set(moves))
    assert len([move for move in moves if move.startswith(f"{card}@")]) == len(card.lstrip("x"))


@pytest.mark.parametrize("card", [card for card, copies in PRINTED_DECK.items() if copies > 1])
def test_case_29_two_equal_cards_are_one_move(card):
    of_one, of_two = (
        position(ROAD, [[card] * copies, [], []], deck=[], broken={1: TOOLS}, discards=["map"]).legal_moves()
        for copies in (1, 2)
    )
    assert of_one == of_two
    assert len(of_two) == len(set(of_two))


LOOP = """
 o-o
 | |
-S-o-o-. . ?
 |
"""


@quarters
@pytest.mark.parametrize(
    ("fallen", "cut"), [("ES@0,-1", False), ("SW@1,-1", False), ("NEW@1,0", True), ("EW@2,0", True)]
)
def test_case_30_a_way_through_a_loop_is_cut_and_mended(fallen, cut, quarter):
    kind = KIND_OF[fallen.partition("@")[0]]
    game = position(LOOP, [["rockfall"], [kind, "NESW"], ["NESW"]], quarter=quarter)
    lay(game, "rockfall@" + fallen.partition("@")[2], quarter)
    assert (spun_move("NESW@3,0", quarter) in game.legal_moves()) == (not cut)
    lay(game, fallen, quarter)
    assert_map(game, LOOP, quarter)
    assert spun_move("NESW@3,0", quarter) in game.legal_moves()


@quarters
def test_case_30_a_dead_end_in_a_loop_carries_no_way(quarter):
    loop = LOOP.replace("-S-o-o-.", "-S-x-o-.")
    game = position(loop, [["NESW"]], quarter=quarter)
    assert "no unbroken way" in refusal(game, spun_move("NESW@3,0", quarter))
