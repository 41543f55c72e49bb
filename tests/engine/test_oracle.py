"""The slow twin by itself: worked examples by hand, and what holds in every game that it plays alone."""

import itertools
import random
from collections import Counter

import pytest

from tests.long.lockstep import choose, pick_bias, table
from tests.twins.cards import GOLD, PATHS, as_cell, rules_of, turned, whole_deck
from tests.twins.gold import payment
from tests.twins.oracle import Oracle, perft
from tests.twins.rounds import canonical, check_deal, check_fresh, deal, deal_next


def arranged(*cards, faces=None, edition="lv", players=3, options=None, **changes):
    """A dealt position with these cards (`EW@1,0`) in the mine, these goals and these other changes."""
    position = deal(players, edition, options or {}, seed=1)
    laid = [card.split("@") for card in cards]
    position["tunnels"] = [
        {"card": name if name in PATHS else turned(name), "turned": name not in PATHS, "at": list(as_cell(at))}
        for name, at in laid
    ]
    if faces:
        position["goals"] = [{"face": face, "open": False, "turned": False} for face in faces]
    return position | {"first_seat": 0, "seat": 0} | changes


def played(position, *moves):
    oracle = Oracle(position)
    for move in moves:
        oracle.play(move)
    return oracle


def lays(oracle, name):
    return [move for move in oracle.legal_moves() if move.startswith(f"{name}@")]


def discard_to_the_end(position):
    oracle, turns = Oracle(position), 0
    while not oracle.round_over:
        oracle.play(next(move for move in oracle.legal_moves() if move.startswith("discard")))
        turns += 1
    return oracle, turns


@pytest.mark.parametrize("players", range(3, 11))
def test_without_the_treasure_a_round_lasts_as_many_turns_as_there_are_cards(players):
    oracle, turns = discard_to_the_end(deal(players, "lv", {}, seed=players))
    assert turns == 67
    assert oracle.winner == ("saboteurs" if "saboteur" in oracle.roles else "nobody")
    assert oracle.last_seat == oracle.seat


@pytest.mark.parametrize(("players", "hand"), [(3, 6), (7, 5), (10, 4)])
def test_a_round_ends_once_everybody_in_turn_has_passed(players, hand):
    oracle, turns = discard_to_the_end(deal(players, "ru", {}, seed=5))
    assert turns == 67 - players * hand + players
    assert oracle.passes == players


def test_only_an_empty_hand_passes():
    position = arranged(deck=[], hands=[[], ["map"], ["xE"]])
    oracle = played(position, "pass")
    assert "pass" not in oracle.legal_moves()
    assert (oracle.seat, oracle.passes, oracle.round_over) == (1, 1, False)


THROUGH_THE_NORTH = ["ES@0,-1", *[f"EW@{column},-1" for column in range(1, 8)]]
HANDS = [["NES", "map"], ["rockfall", "NESW"], ["EW", "map"]]


def test_one_card_reaches_two_stones_and_both_are_revealed():
    position = arranged(*THROUGH_THE_NORTH, faces=["stone:NE", "stone:NW", "treasure"], hands=HANDS)
    oracle = played(position, "NSW@8,-1")
    assert [goal["open"] for goal in oracle.goals] == [True, True, False]
    assert [goal["turned"] for goal in oracle.goals] == [True, False, False]
    assert oracle.seat == 1 and not oracle.round_over


def test_the_treasure_is_turned_first_and_the_other_goal_stays_face_down():
    position = arranged(*THROUGH_THE_NORTH, faces=["stone:NE", "treasure", "stone:NW"], hands=HANDS)
    oracle = played(position, "NSW@8,-1")
    assert [goal["open"] for goal in oracle.goals] == [False, True, False]
    assert oracle.round_over and oracle.winner == "miners" and len(oracle.hands[0]) == 1


def test_where_one_is_chosen_the_other_waits_for_a_new_way():
    faces = ["stone:NE", "stone:NW", "treasure"]
    position = arranged(*THROUGH_THE_NORTH, faces=faces, edition="uk", hands=HANDS, deck=["map"] * 9)
    oracle = played(position, "NSW@8,-1")
    assert oracle.pending == {"goals": [0, 1], "before": [], "declined": []}
    assert oracle.legal_moves() == ["reveal:0", "reveal:1"] and len(oracle.hands[0]) == 1
    oracle.play("reveal:0")
    assert oracle.seat == 1 and not oracle.goals[1]["open"]
    for move in ("rockfall@7,-1", "EW@7,-1"):
        assert not oracle.goals[1]["open"]
        oracle.play(move)
    assert oracle.goals[1]["open"] and not oracle.goals[2]["open"]


def test_a_reached_goal_that_was_left_is_no_new_one():
    faces = ["stone:NE", "stone:NW", "treasure"]
    position = arranged(*THROUGH_THE_NORTH, faces=faces, edition="uk", hands=HANDS, deck=["map"] * 9)
    oracle = played(position, "NSW@8,-1", "reveal:1", "NESW@-1,0")
    assert [goal["open"] for goal in oracle.goals] == [False, True, False]


STRAIGHT_ON = [f"EW@{column},0" for column in range(1, 7)]
LAST = [["EW", "map"], *HANDS[1:]]


@pytest.mark.parametrize("edition", ["lv", "uk"])
def test_a_stone_that_fits_nowhere_is_laid_by_the_player(edition):
    faces = ["treasure", "stone:NW", "stone:NE"]
    position = arranged(*STRAIGHT_ON, "xNESW@8,1", faces=faces, edition=edition, hands=LAST)
    oracle = played(position, "EW@7,0")
    assert oracle.pending == {"stone": 1, "before": [], "declined": []}
    assert oracle.legal_moves() == ["turn:ES", "turn:NW"] and oracle.seat == 0
    oracle.play("turn:ES")
    assert oracle.goals[1] == {"face": "stone:NW", "open": True, "turned": True} and oracle.seat == 1


@pytest.mark.parametrize(("face", "below", "way_up"), [("stone:NE", "xEW", True), ("stone:NW", "xNESW", False)])
def test_a_stone_that_fits_nowhere_joins_the_card_just_laid(face, below, way_up):
    position = arranged(*STRAIGHT_ON, f"{below}@8,1", faces=["treasure", face, "stone"], edition="ru", hands=LAST)
    oracle = played(position, "EW@7,0")
    assert oracle.goals[1] == {"face": face, "open": True, "turned": way_up} and oracle.seat == 1


@pytest.mark.parametrize(
    ("mine", "last", "faces", "way_up"),
    [
        (["xW@1,1"], "EW@1,0", ["stone:NE", "stone:NW"], [True, False]),
        (["NW@1,0", "NE@0,1"], "EW@1,1", ["stone:NE", "stone:NW"], [True, False]),
    ],
)
def test_a_stone_away_from_the_card_just_laid_joins_the_way_through_another(mine, last, faces, way_up):
    options = {"goal_cells": [[2, 0], [2, 1], [9, 9]]}
    faces = [*faces, "treasure"]
    oracle = played(arranged(*mine, faces=faces, edition="ru", options=options, hands=LAST), last)
    assert [goal["open"] for goal in oracle.goals] == [True, True, False]
    assert [goal["turned"] for goal in oracle.goals[:2]] == way_up


def test_a_dead_end_reaches_nothing():
    position = arranged(*STRAIGHT_ON, faces=["stone:NE", "treasure", "stone:NW"], hands=[["xEW", "map"], [], []])
    oracle = played(position, "xEW@7,0")
    assert not oracle.goals[1]["open"] and not oracle.round_over


def test_only_where_touching_is_enough_a_cut_off_card_is_continued():
    cut_off = {"hands": [["EW", "xN"], *HANDS[1:]]}
    for edition, cells in [("lv", ["EW@-1,0", "EW@1,0"]), ("ru", ["EW@-1,0", "EW@1,0", "EW@2,0", "EW@4,0"])]:
        assert lays(Oracle(arranged("xEW@3,0", edition=edition) | cut_off), "EW") == cells
    walls = Oracle(arranged("EW@1,0", edition="ru", hands=[["NS"], [], []]))
    assert lays(walls, "NS") == ["NS@0,-1", "NS@0,1"]


def finding(roles, finder, gold_deck, **options):
    """The gold after `finder` lays the card that reaches the treasure."""
    hands = [["EW", "map"] for _ in roles]
    options = {"goal_cells": [[2, 0]], "role_table": {"saboteurs": roles.count("saboteur"), "miners": 9}} | options
    position = arranged(faces=["treasure"], players=len(roles), options=options, seat=finder)
    return played(position | {"roles": roles, "hands": hands, "gold_deck": gold_deck}, "EW@1,0")


def test_saboteurs_are_skipped_and_the_gold_goes_round_again():
    roles = ["miner", "saboteur", "saboteur", "miner", "saboteur"]
    oracle = finding(roles, 2, [1, 2, 3, 1, 2, 3, 3])
    assert oracle.gold == [[3, 2, 1], [], [], [2, 1], []] and oracle.gold_deck == [3, 3]
    assert oracle.seat == oracle.last_seat == 2 and oracle.round_over


def test_a_draft_is_played_out_as_moves():
    oracle = finding(["miner", "saboteur", "miner"], 0, [1, 2, 3], draft=True)
    assert (oracle.seat, oracle.winner, oracle.round_over) == (0, "miners", False)
    for move, picker in [("take:1", 2), ("take:2", 0), ("take:3", 0)]:
        oracle.play(move)
        assert oracle.seat == picker
    assert oracle.round_over and oracle.gold == [[1, 3], [], [2]]


def test_ten_players_share_nine_cards():
    oracle = finding(["miner"] * 10, 4, list(GOLD))
    assert [len(cards) for cards in oracle.gold] == [1, 1, 1, 1, 1, 0, 1, 1, 1, 1]


def test_where_nobody_may_take_gold_it_goes_back_under_the_deck():
    oracle = finding(["saboteur"] * 3, 0, [1, 2, 3, 1])
    assert oracle.winner == "miners" and oracle.gold_deck == [1, 1, 2, 3] and oracle.gold == [[], [], []]


@pytest.mark.parametrize(
    ("deck", "due", "cards", "left"),
    [
        ([2, 3, 1], 3, [2, 1], [3]),
        ([3, 3, 2], 4, [3], [2, 3]),
        ([2, 2, 2], 3, [2], [2, 2]),
        ([1, 1, 2, 2], 3, [2, 1], [2, 1]),
        ([2, 1, 3, 2], 4, [3, 1], [2, 2]),
        ([3, 3], 2, [], [3, 3]),
        ([], 4, [], []),
    ],
)
def test_a_saboteur_is_paid_and_the_printed_loop_ends(deck, due, cards, left):
    assert payment(deck, due) == (cards, left)


def test_a_saboteur_gets_the_most_that_the_deck_holds():
    rng = random.Random(0)
    for _ in range(300):
        deck, due = rng.choices([1, 2, 3], k=rng.randrange(8)), rng.choice([2, 3, 4])
        sums = {sum(part) for size in range(5) for part in itertools.combinations(deck, size)}
        cards, left = payment(deck, due)
        assert sum(cards) == max(total for total in sums if total <= due)
        assert Counter(cards + left) == Counter(deck)


def test_what_has_no_order_is_compared_without_one():
    position = arranged("EW@1,0", "NS@0,1")
    other = position | {"hands": [hand[::-1] for hand in position["hands"]], "tunnels": position["tunnels"][::-1]}
    assert canonical(other | {"chance": 7}) == canonical(position)
    assert canonical(position | {"seat": 2}) != canonical(position)
    assert canonical(position | {"deck": position["deck"][::-1]}) != canonical(position)


def test_perft_counts_sequences_and_none_beyond_the_end():
    position = deal(3, "lv", {}, seed=2)
    moves = Oracle(position).legal_moves()
    assert perft(position, 1) == len(moves)
    assert perft(position, 2) == sum(len(played(position, move).legal_moves()) for move in moves)
    assert perft(arranged(deck=[], hands=[["map"], [], []]), 1) == 4
    assert perft(arranged(deck=[], hands=[["map"], [], []]), 2) == 0


def test_a_wrong_next_round_is_noticed():
    finished = discard_to_the_end(deal(5, "lv", {}, seed=3))[0].position()
    right = deal_next(finished, seed=4)
    check_deal(finished, right)
    hand = right["hands"][0]
    wrong = [{"first_seat": finished["last_seat"]}, {"hands": [hand[1:], *right["hands"][1:]]}, {"passes": 1}]
    wrong += [{"broken": [["cart"], [], [], [], []]}, {"past": []}, {"roles": ["miner"] * 5}, {"gold_deck": []}]
    for change in wrong:
        with pytest.raises(AssertionError):
            check_deal(finished, right | change)


def cards_of(position):
    """Every path and action card, wherever it is; one is on no pile while a tool is broken or a tunnel laid."""
    cards = [card for hand in position["hands"] for card in hand] + position["deck"]
    cards += [item["card"] for item in position["discards"] + position["tunnels"]]
    return Counter(cards + [f"break:{tool}" for tools in position["broken"] for tool in tools])


def check_invariants(oracle):
    position = oracle.position()
    assert cards_of(position) == whole_deck(rules_of(position))
    offer = (position["pending"] or {}).get("gold", [])
    assert sorted(itertools.chain(*position["gold"], position["gold_deck"], offer)) == GOLD
    assert oracle.round_over == (not oracle.legal_moves())
    assert canonical(Oracle(position).position()) == canonical(position)
    if oracle.round_over:
        assert position["seat"] == position["last_seat"]


def play_alone(number):
    """A whole match of the oracle by itself; returns its last position and how many moves it took."""
    rng = random.Random(number)
    settings, moves = table(rng), 0
    position = deal(seed=number, **settings)
    check_fresh(position)
    while True:
        oracle, bias = Oracle(position), pick_bias(rng)
        while not oracle.round_over:
            oracle.play(choose(rng, bias, oracle))
            check_invariants(oracle)
        moves += len(oracle.record)
        finished = oracle.position()
        if finished["round"] == finished["rounds"]:
            return finished, moves
        position = deal_next(finished, seed=rng.random())
        check_deal(finished, position)


@pytest.mark.parametrize("number", range(20))
def test_nothing_is_minted_or_lost_in_a_match(number):
    finished, moves = play_alone(number)
    assert len(finished["past"]) == finished["rounds"] - 1
    assert moves >= finished["rounds"]
