"""What the checked game refuses, and why."""

import pytest

from saboteur_env import Game, IllegalMove
from tests.support.matches import finished_round
from tests.support.positions import played, position, refusal


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"players": 2}, "players must be a whole number from 3 to 10, not 2"),
        ({"players": 11}, "players must be a whole number from 3 to 10, not 11"),
        ({"players": 3.0}, "players must be a whole number from 3 to 10, not 3.0"),
        ({"players": True}, "players must be a whole number from 3 to 10, not True"),
        ({"edition": "en"}, "edition must be one of lv, lt, uk, ru, fa, not 'en'"),
        ({"edition": None}, "edition must be one of"),
        ({"edition": []}, "edition must be one of"),
        ({"rounds": 0}, "rounds must be a whole number from 1 to 10, not 0"),
        ({"rounds": 11}, "rounds must be a whole number from 1 to 10, not 11"),
        ({"seed": -1}, "a seed is a whole number from 0 below 2**64, not -1"),
        ({"seed": 2**64}, "a seed is a whole number from 0 below 2**64"),
        ({"seed": "7"}, "a seed is a whole number from 0 below 2**64, not '7'"),
        ({"seed": False}, "a seed is a whole number from 0 below 2**64, not False"),
        ({"options": 5}, "options"),
        ({"options": {"dwarfs": 7}}, "there is no option 'dwarfs'"),
        ({"options": {"placement": "near"}}, "option placement must be one of 'connected', 'touching', not 'near'"),
        ({"options": {"stone": 1}}, "option stone must be one of 'chooser', 'joins', not 1"),
        ({"options": {"goals": "two"}}, "option goals must be one of 'all', 'one'"),
        ({"options": {"end": "never"}}, "option end must be one of 'hands_empty', 'all_passed'"),
        ({"options": {"roles": "all"}}, "option roles must be one of 'aside', 'persian'"),
        ({"options": {"broken_no_gold": 1}}, "option broken_no_gold must be one of False, True, not 1"),
        ({"options": {"draft": "yes"}}, "option draft must be one of False, True, not 'yes'"),
        ({"options": {"break_self": None}}, "option break_self must be one of True, False, not None"),
        ({"options": {"first_seat": 5}}, "option first_seat must be a seat from 0 to 4, not 5"),
        ({"options": {"deck": 7}}, "option deck must give the copies of each card"),
        ({"options": {"deck": {"SW": 40}}}, "option deck: there is no card 'SW'"),
        ({"options": {"deck": {"NE": -1}}}, "option deck: copies of 'NE' must be a whole number from 0 to 96, not -1"),
        ({"options": {"deck": {"NE": 97}}}, "option deck: copies of 'NE' must be a whole number from 0 to 96, not 97"),
        ({"options": {"deck": {"map": 60, "NE": 37}}}, "option deck: 97 cards; from 1 to 96 are possible"),
        ({"options": {"deck": {}}}, "option deck: 0 cards; from 1 to 96 are possible"),
        ({"options": {"deck": {"NESW": 60}}}, "this deck could lead 62 cells away from the start; the board holds 29"),
        ({"options": {"role_table": [1, 4]}}, "option role_table must be of the form"),
        ({"options": {"role_table": {"saboteurs": 1}}}, "option role_table must be of the form"),
        ({"options": {"role_table": {"saboteurs": 1, "miners": 1}}}, "option role_table: 5 players need 5 role cards"),
        ({"options": {"role_table": {"saboteurs": 1, "miners": 6}}}, "option role_table: 5 players need 5 role cards"),
        ({"options": {"hand_size": 0}}, "option hand_size must be a whole number from 1, not 0"),
        ({"options": {"hand_size": 14}}, "hands of 14 for 5 players need 70 cards; the deck has 67"),
        ({"options": {"goal_cells": 8}}, "option goal_cells must be a list of [column, row], not 8"),
        ({"options": {"goal_cells": [[8]]}}, "option goal_cells must be a list of [column, row]"),
        ({"options": {"goal_cells": [["8", "0"]]}}, "option goal_cells must be a list of [column, row]"),
        ({"options": {"goal_cells": [[8.5, 0]]}}, "option goal_cells must be a list of [column, row]"),
        ({"options": {"goal_cells": [[float("inf"), 0]]}}, "option goal_cells must be a list of [column, row]"),
        ({"options": {"goal_cells": [[True, 2]]}}, "option goal_cells must be a list of [column, row]"),
        ({"options": {"goal_cells": []}}, "option goal_cells: from 1 to 3 goals are possible, not 0"),
        ({"options": {"goal_cells": [[8, row] for row in range(4)]}}, "from 1 to 3 goals are possible, not 4"),
        ({"options": {"goal_cells": [[8, 2], [8, 0]]}}, "must name different cells from north to south"),
        ({"options": {"goal_cells": [[8, 0], [8, 0]]}}, "must name different cells from north to south"),
        ({"options": {"goal_cells": [[0, 0]]}}, "has a goal on the start [0, 0] or next to it"),
        ({"options": {"goal_cells": [[0, 1]]}}, "has a goal on the start [0, 0] or next to it"),
        ({"options": {"goal_cells": [[31, 0]]}}, "leaves the board, 30 cells in every direction"),
        ({"options": {"goal_cells": [[25, 0]]}}, "lie farther than any tunnel of this deck can lead"),
    ],
)
def test_an_impossible_setting_is_named(settings, message):
    with pytest.raises(ValueError) as error:
        Game(**{"players": 5, "seed": 1} | settings)
    assert message in str(error.value)


def test_all_impossible_settings_are_named_at_once():
    with pytest.raises(ValueError) as error:
        Game(players=5, rounds=0, options={"draft": 7, "hand_size": 0, "dwarfs": 1, "deck": {"SW": 1}})
    for part in ("rounds", "option draft", "option hand_size", "no option 'dwarfs'", "no card 'SW'"):
        assert part in str(error.value)


MINE = """
       ?
 |
-S-o-x-. . . .-o-
 |
       ?
"""

HAND = ["NESW", "EW", "NS", "rockfall", "map", "break:cart", "repair:cart"]


def in_the_mine(**more):
    return position(MINE, [HAND], options={"hand_size": len(HAND)}, broken={1: ["cart"]}, **more)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("NESW@0,0", "NESW lies on that cell"),
        ("NESW@1,0", "EW lies on that cell"),
        ("NESW@3,-1", "a goal lies on that cell, face down"),
        ("EW@0,1", "its N side is shut, but NESW@0,0 is open there"),
        ("NESW@1,1", "its N side is open, but EW@1,0 is shut there"),
        ("NESW@9,9", "it meets no open side of a tunnel"),
        ("EW@1,1", "it meets no open side of a tunnel"),
        ("EW@3,0", "it meets open sides only where no unbroken way comes from the start"),
        ("EW@8,0", "it meets open sides only where no unbroken way comes from the start"),
        ("xN@0,1", "seat 0 does not hold xN"),
        ("SW@1,0", "seat 0 does not hold NE"),
        ("discard:xN", "seat 0 does not hold xN"),
        ("break:lantern:1", "seat 0 does not hold break:lantern"),
        ("break:cart:1", "the cart of seat 1 is broken already"),
        ("break:cart:3", "there is no seat 3; 3 dwarfs play"),
        ("repair:cart:cart:0", "the cart of seat 0 is not broken"),
        ("repair:cart:cart:9", "there is no seat 9; 3 dwarfs play"),
        ("repair:pickaxe+cart:cart:1", "seat 0 does not hold repair:pickaxe+cart"),
        ("rockfall@0,0", "rocks never fall on the start"),
        ("rockfall@3,1", "rocks never fall on a goal"),
        ("rockfall@5,0", "no path card lies on that cell"),
        ("map:2", "there is no goal 2; there are 2"),
        ("pass", "seat 0 holds 7 cards; only an empty hand passes"),
        ("turn:NE", "nothing is to be chosen now"),
        ("reveal:0", "nothing is to be chosen now"),
        ("take:1", "nothing is to be chosen now"),
    ],
)
def test_a_move_that_is_not_legal_says_why(move, reason):
    assert refusal(in_the_mine(), move) == f"{move} is not legal: {reason}"


@pytest.mark.parametrize(("tools", "words"), [(["cart"], "cart"), (["cart", "pickaxe"], "pickaxe and cart")])
def test_a_dwarf_with_broken_tools_is_told_so(tools, words):
    game = position(MINE, [["NESW"]], broken={0: tools})
    assert f"seat 0 lays no path card while its {words} is broken" in refusal(game, "NESW@0,1")


def test_breaking_ones_own_tool_can_be_switched_off():
    assert "break:cart:0" in position(hands=[["break:cart"]]).legal_moves()
    game = position(hands=[["break:cart"]], options={"break_self": False})
    assert "breaking one's own tool is switched off" in refusal(game, "break:cart:0")
    assert "break:cart:1" in game.legal_moves()


def test_a_goal_face_up_is_not_read():
    game = position(
        """
      -c
 |     |
-S-. . . . ?
 |
         ?
""",
        [["map"]],
        faces=["stone:NE"],
    )
    assert "goal 0 is face up" in refusal(game, "map:0")


def test_an_empty_hand_can_only_pass():
    game = position(hands=[[], ["map"], []], deck=[])
    for move in ("discard:map", "NESW@1,0", "map:0"):
        assert "seat 0 has an empty hand and can only pass" in refusal(game, move)


def test_a_choice_comes_first():
    mine = """
     ?
 |
-S-o-. . . ?
 |
     ?
"""
    game = played(position(mine, [["NES"]], edition="uk"), "NSW@2,0")
    for move in ("pass", "discard:map", "NESW@1,0", "turn:NE", "take:1", "reveal:1"):
        assert "seat 0 must first choose: reveal:0, reveal:2" in refusal(game, move)


def test_after_the_round_nothing_is_played():
    game = finished_round()
    for move in ("pass", "discard:map", "NESW@1,0"):
        assert refusal(game, move) == f"{move} is not legal: round 1 is over"
    with pytest.raises(IllegalMove):
        game.play("pass")


def test_a_text_that_is_no_move_leaves_the_game_as_it_was():
    assert "is no move" in refusal(Game(players=3, seed=1), "dig")
