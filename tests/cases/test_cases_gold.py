"""Cases 24 to 26: gold."""

from collections import Counter
from itertools import chain

import pytest

from saboteur_env import Game
from saboteur_env.engine.cards import TOOLS
from tests.support.positions import GOLD, data_of, played, position


def dig(game):
    """Find a treasure that lies one card from the start; throw away what does not lead there."""
    while not game.round_over:
        moves = game.legal_moves()
        leading = (move for move in moves if "@" in move and played(game.copy(), move).winner == "miners")
        game.play(next(leading, next(move for move in moves if move.startswith("discard"))))
    return game.winner


def test_case_24_ten_players_and_three_rounds_take_27_gold_cards():
    options = {"goal_cells": [[1, 1]]}
    game, taken = Game(players=10, seed=1, options=options), []
    for number in range(3):
        if number:
            game.next_round()
        assert dig(game) == "miners"
        taken.append(sum(game.view(0).gold_counts))
    assert (taken, game.over) == ([9, 18, 27], True)
    assert sum(game.nuggets) + sum(data_of(game)["gold_deck"]) == sum(GOLD)


ONE_STEP = """
 |
-S-. ?
 |
"""

NAMES = {"M": "miner", "S": "saboteur"}


def gold_deck(*top):
    """A gold deck with these cards on top."""
    return [*top, *(Counter(GOLD) - Counter(top)).elements()]


def finding(roles, finder, top, **more):
    """The game in which the finder has just reached the treasure; `M` and `S` are the seats in order."""
    names = [NAMES[role] for role in roles]
    hands = {finder: ["EW"]}
    game = position(ONE_STEP, hands, players=len(roles), roles=names, seat=finder, gold_deck=gold_deck(*top), **more)
    game.play("EW@1,0")
    assert game.winner == "miners"
    return game


@pytest.mark.parametrize(
    ("roles", "finder", "top", "gold"),
    [
        ("MMS", 0, [1, 2, 3], [[3, 1], [2], []]),
        ("MMS", 1, [1, 2, 3], [[2], [3, 1], []]),
        ("MMS", 2, [1, 2, 3], [[2], [3, 1], []]),
        ("SMSSM", 0, [1, 1, 2, 3, 3], [[], [3, 1], [], [], [3, 2, 1]]),
        ("SMSSM", 3, [1, 1, 2, 3, 3], [[], [3, 2, 1], [], [], [3, 1]]),
        ("MSSSM", 3, [3, 2, 1, 1, 2], [[3, 2, 1], [], [], [], [2, 1]]),
        ("SSSMS", 1, [1, 2, 3, 1, 2], [[], [], [], [3, 2, 2, 1, 1], []]),
    ],
)
def test_case_25_gold_goes_counter_clockwise_from_miner_to_miner(roles, finder, top, gold):
    data = data_of(finding(roles, finder, top))
    assert data["gold"] == gold
    assert data["gold_deck"] == gold_deck(*top)[len(top) :]


def test_case_25_in_a_draft_the_same_order_picks_by_moves():
    game, pickers = finding("SMSSM", 0, [1, 1, 2, 3, 3], options={"draft": True}), []
    for move in ("take:1", "take:2", "take:1", "take:3", "take:3"):
        pickers.append(game.seat)
        assert (game.winner, game.round_over) == ("miners", False)
        game.play(move)
    assert pickers == [4, 1, 4, 1, 4]
    assert data_of(game)["gold"] == [[], [2, 3], [], [], [1, 1, 3]]
    assert (game.round_over, game.seat) == (True, 0)


@pytest.mark.parametrize("tool", TOOLS)
def test_a_miner_with_a_broken_tool_gets_no_gold_where_that_is_played(tool):
    rule = {"broken_no_gold": True}
    data = data_of(finding("MMS", 2, [1, 2, 3], broken={1: [tool]}, options=rule))
    assert data["gold"] == [[3, 2, 1], [], []]
    data = data_of(finding("MMS", 2, [1, 2, 3], broken={0: [tool], 1: [tool]}, options=rule))
    assert data["gold"] == [[], [], []]
    assert data["gold_deck"] == [*gold_deck(1, 2, 3)[3:], 1, 2, 3]


def paid(roles, deck, last=0):
    """The game after seat `last` threw the last card of a round away and the treasure was not found."""
    names = [NAMES[role] for role in roles]
    gold = [[] for _ in roles]
    gold[roles.index("M")] = list((Counter(GOLD) - Counter(deck)).elements())
    more = {"gold": gold, "gold_deck": deck, "players": len(roles), "roles": names, "seat": last}
    return played(position(hands={last: ["map"]}, deck=[], **more), "discard:map")


@pytest.mark.parametrize(
    ("roles", "deck", "gold", "left", "short"),
    [
        ("MMS", [3, 1, 2, 1], [[3, 1]], [2, 1], [0]),
        ("MMS", [3, 2, 1, 1], [[3, 1]], [1, 2], [0]),
        ("MMS", [2, 1, 3, 2], [[3, 1]], [2, 2], [0]),
        ("MMS", [3, 2, 2, 2], [[2, 2]], [2, 3], [0]),
        ("MMS", [3, 3], [[3]], [3], [1]),
        ("MMS", [], [[]], [], [4]),
        ("MMS", [1, 2], [[2, 1]], [], [1]),
        ("MMSSM", [2, 2], [[2], [2]], [], [1, 1]),
        ("MMSSM", [2, 3, 2], [[3], [2]], [2], [0, 1]),
        ("MMSSM", [1, 3, 2, 3], [[1, 2], [3]], [3], [0, 0]),
        ("MSSSSMM", [3, 3, 3, 3], [[], [], [], []], [3, 3, 3, 3], [2, 2, 2, 2]),
    ],
)
def test_case_26_a_saboteur_is_paid_exactly_or_as_nearly_as_can_be(roles, deck, gold, left, short):
    data = data_of(paid(roles, deck))
    saboteurs = [seat for seat, role in enumerate(roles) if role == "S"]
    assert [sorted(data["gold"][seat]) for seat in saboteurs] == [sorted(cards) for cards in gold]
    assert data["gold_deck"] == left
    assert [data["shortfall"][seat] for seat in saboteurs] == short
    assert sorted(chain(data["gold_deck"], *data["gold"])) == GOLD


@pytest.mark.parametrize(("last", "order"), [(0, [1, 3]), (1, [3, 1]), (2, [3, 1]), (3, [1, 3]), (4, [1, 3])])
def test_case_26_the_saboteur_next_to_start_is_paid_first(last, order):
    data = data_of(paid("MSMSM", [3], last))
    assert [data["gold"][seat] for seat in order] == [[3], []]
    assert [data["shortfall"][seat] for seat in order] == [0, 3]


def test_without_a_saboteur_at_the_table_nobody_wins_and_no_gold_is_paid():
    game = played(position(hands=[["map"]], deck=[], roles=["miner"] * 3), "discard:map")
    assert (game.winner, game.round_over, game.nuggets) == ("nobody", True, [0, 0, 0])


def test_case_27_a_pick_of_gold_is_no_turn():
    game = finding("MMS", 2, [1, 2, 3], options={"draft": True})
    played(game, "take:1", "take:2", "take:3")
    game.next_round()
    assert game.seat == 0
