"""The situations of CASES.md that other programs get wrong, each drawn, by number, with the whole kind behind it."""

import gc
import random
import types
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

import numpy as np
import pytest

from saboteur_env import Game
from saboteur_env.engine.cards import (
    KINDS,
    LIE_OF_KIND,
    PAIRS,
    PATH_KINDS,
    PRINTED_DECK,
    TOOLS,
    lie_name,
    lie_of,
    turned,
)
from saboteur_env.engine.state import PAST, PRIVATE, PUBLIC, RULES
from saboteur_env.game.notation import Map
from tests.support.positions import (
    GOLD,
    assert_cells,
    assert_map,
    cells_for,
    data_of,
    goals_open,
    load,
    played,
    position,
    refusal,
    spun_move,
    spun_place,
)

CONNECTED, TOUCHING = ("lv", "lt"), ("uk", "ru", "fa")
ALL_EDITIONS = CONNECTED + TOUCHING
FACES = ("treasure", "stone:NE", "stone:NW")
LIES = sorted({lie_name(way) for upright in LIE_OF_KIND.tolist() for way in (upright, turned(upright))})
THROUGH_LIES = [lie for lie in LIES if lie[0] != "x"]
DEAD_LIES = [lie for lie in LIES if lie[0] == "x"]
KIND_OF = {lie_name(way): name for name in KINDS[:PATH_KINDS] for way in (lie_of(name), turned(lie_of(name)))}
PATH_CARDS = list(KINDS[:PATH_KINDS])
REPAIRS = TOOLS + PAIRS
MENDS = [(card, tool) for card in REPAIRS for tool in card.split("+")]

quarters = pytest.mark.parametrize("quarter", range(4))
every_edition = pytest.mark.parametrize("edition", ALL_EDITIONS)
every_face = pytest.mark.parametrize("face", FACES)

ROAD = """
       ?

       .
 |
-S-o-. ?
 |
       .

       ?
"""


def with_face(face):
    """Faces from north to south, this one in the middle."""
    north, south = [other for other in FACES if other != face]
    return [north, face, south]


def lay(game, move, quarter):
    return played(game, spun_move(move, quarter))


@quarters
@every_edition
@every_face
@pytest.mark.parametrize("card", [lie for lie in DEAD_LIES if {"E", "W"} <= set(lie)])
def test_case_1_a_dead_end_reaches_no_goal(card, face, edition, quarter):
    game = position(ROAD, [[KIND_OF[card]]], faces=with_face(face), edition=edition, quarter=quarter)
    lay(game, f"{card}@2,0", quarter)
    assert goals_open(game) == [False] * 3
    assert (game.round_over, game.seat) == (False, 1)


@quarters
@every_face
@pytest.mark.parametrize("card", [lie for lie in THROUGH_LIES if "W" in lie])
def test_cases_2_3_and_9_a_card_beside_a_goal_is_judged_by_its_sides_as_it_lies(card, face, quarter):
    game = position(ROAD, [[KIND_OF[card]]], faces=with_face(face), quarter=quarter)
    lay(game, f"{card}@2,0", quarter)
    assert sum(goals_open(game)) == ("E" in card)
    assert game.round_over == ("E" in card and face == "treasure")


GAP = """
       ?

       .
 |
-S-.-o-?
 |
       .

       ?
"""
GAP_BEHIND_A_DEAD_END = """
       ?

       .
 |
-S-x-. ?
 |
       .

       ?
"""
FOUND = """
       ?

       .
 |     |
-S-o-o-$-
 |     |
       .

       ?
"""


@quarters
@every_face
@pytest.mark.parametrize("edition", TOUCHING)
def test_case_2_without_a_way_to_the_start_nothing_is_revealed(edition, face, quarter):
    game = position(GAP_BEHIND_A_DEAD_END, [["EW"]], faces=with_face(face), edition=edition, quarter=quarter)
    lay(game, "EW@2,0", quarter)
    assert goals_open(game) == [False] * 3
    assert not game.round_over


@quarters
@every_edition
def test_case_2_a_card_cut_off_beside_a_goal_reveals_nothing_until_the_gap_is_filled(edition, quarter):
    game = position(GAP, [["NW"], ["EW"]], faces=with_face("treasure"), edition=edition, quarter=quarter)
    lay(game, "NW@0,1", quarter)
    assert goals_open(game) == [False] * 3
    lay(game, "EW@1,0", quarter)
    assert game.winner == "miners"


@quarters
def test_case_2_the_card_that_fills_the_gap_reaches_the_goal_behind_it(quarter):
    game = position(GAP, [["EW"]], faces=with_face("treasure"), quarter=quarter)
    lay(game, "EW@1,0", quarter)
    assert_map(game, FOUND, quarter)
    assert (game.winner, game.round_over) == ("miners", True)


BESIDE_THE_START = {"N": (0, 1), "E": (-1, 0), "S": (0, -1), "W": (1, 0)}


@pytest.mark.parametrize(("card", "side"), [(card, side) for card in DEAD_LIES for side in card[1:]])
def test_case_4_a_dead_end_that_is_turned_is_still_one(card, side):
    column, row = BESIDE_THE_START[side]
    game = played(position(hands=[[KIND_OF[card]], ["NESW"]]), f"{card}@{column},{row}")
    assert game.mine.tunnels == {(column, row): lie_of(card)}
    assert cells_for(game, "NESW") == set(BESIDE_THE_START.values()) - {(column, row)}


STONE_LIES = """
       ?

       .
 |
-S-o-o-c
 |     |
       .

       ?
"""
STONE_FACES = ["stone:NW", "stone:NE", "treasure"]


@quarters
@every_edition
def test_case_5_a_stone_leads_on_from_its_second_side(edition, quarter):
    game = position(STONE_LIES, [["NS"]], faces=STONE_FACES, edition=edition, quarter=quarter)
    lay(game, "NS@3,1", quarter)
    found = """
       ?

       .
 |
-S-o-o-c
 |     |
       o
       |
      -$-
       |
    """
    assert_map(game, found, quarter)
    assert game.winner == "miners"


@quarters
@every_edition
def test_case_5_a_stone_conducts_by_its_real_sides_only(edition, quarter):
    game = position(STONE_LIES, [["NESW"]], faces=STONE_FACES, edition=edition, quarter=quarter)
    free = """
 . * . . .

 * S . . .

 . * . . *
    """
    assert_cells(game, "NESW", free, quarter)


@quarters
@every_edition
def test_case_5_a_stone_just_revealed_leads_on_to_the_next_goal(edition, quarter):
    neighbours = """
       . ?
 |
-S-o-. ?
 |
       ?
    """
    found = """
       . ?
 |
-S-o-o-c
 |     |
      -$-
       |
    """
    game = position(neighbours, [["EW"]], faces=["stone:NW", "stone:NE", "treasure"], edition=edition, quarter=quarter)
    lay(game, "EW@2,0", quarter)
    assert_map(game, found, quarter)
    assert game.winner == "miners"


TURNED_STONE = {
    "stone:NE": """
       ?

       .
 |
-S-o-o-c
 |     |
       .

       ?
""",
    "stone:NW": """
       ?

       .
 |     |
-S-o-o-c
 |
       .

       ?
""",
}


@quarters
@every_edition
@pytest.mark.parametrize("face", TURNED_STONE)
def test_case_6_a_stone_is_turned_to_the_side_that_reached_it(face, edition, quarter):
    game = position(ROAD, [["EW"]], faces=with_face(face), edition=edition, quarter=quarter)
    lay(game, "EW@2,0", quarter)
    assert_map(game, TURNED_STONE[face], quarter)
    assert (game.seat, game.round_over) == (1, False)


WALLED_IN = """
       ?

      -x-
 |
-S-o-. ?
 |
      -o-

       ?
"""
WAYS_UP = {
    "NE": """
       ?

      -x-
 |     ;
-S-o-o!c-
 |
      -o-

       ?
""",
    "SW": """
       ?

      -x-
 |
-S-o-o-c
 |     !
      -o-

       ?
""",
    "NW": """
       ?

      -x-
 |     ;
-S-o-o-c
 |
      -o-

       ?
""",
    "ES": """
       ?

      -x-
 |
-S-o-o!c-
 |     !
      -o-

       ?
""",
}


@quarters
@pytest.mark.parametrize("way_up", WAYS_UP)
@pytest.mark.parametrize("edition", ["lv", "lt", "uk"])
def test_case_7_a_stone_that_fits_neither_way_up_is_laid_by_the_player(edition, way_up, quarter):
    face = "stone:NE" if way_up in ("NE", "SW") else "stone:NW"
    game = position(WALLED_IN, [["EW"]], faces=with_face(face), edition=edition, quarter=quarter, seat=0)
    lay(game, "EW@2,0", quarter)
    assert (game.seat, len(game.legal_moves())) == (0, 2)
    assert {move.partition(":")[0] for move in game.legal_moves()} == {"turn"}
    assert game.view(0).hand_sizes == [5, 6, 6]
    chosen = spun_move(f"{way_up}@0,0", quarter).partition("@")[0]
    game.play(f"turn:{chosen}")
    assert_map(game, WAYS_UP[way_up], quarter)
    assert (game.seat, game.view(0).hand_sizes) == (1, [6, 6, 6])


@quarters
@pytest.mark.parametrize("edition", ["ru", "fa"])
@pytest.mark.parametrize(("face", "way_up"), [("stone:NE", "SW"), ("stone:NW", "NW")])
def test_case_7_where_nobody_chooses_it_joins_the_card_just_laid(face, way_up, edition, quarter):
    game = position(WALLED_IN, [["EW"]], faces=with_face(face), edition=edition, quarter=quarter)
    lay(game, "EW@2,0", quarter)
    assert_map(game, WAYS_UP[way_up], quarter)
    assert game.seat == 1


@quarters
@every_edition
@pytest.mark.parametrize("card", THROUGH_LIES)
def test_case_8_an_open_side_does_not_meet_the_shut_side_of_a_stone(card, edition, quarter):
    game = position(STONE_LIES, [[KIND_OF[card]]], faces=STONE_FACES, edition=edition, quarter=quarter)
    if "W" in card:
        stone = spun_move("SW@3,0", quarter)
        assert f"is open, but {stone} is shut there" in refusal(game, spun_move(f"{card}@4,0", quarter))
    else:
        assert "no open side" in refusal(game, spun_move(f"{card}@4,0", quarter))


CUT_OFF = """
             ?
 |
-S-. .-o-.
 |
"""
FREE_OF_CUT_OFF = {
    "connected": """
 . . . . . .

 * S * . . .

 . . . . . .
""",
    "touching": """
 . . . . . .

 * S * * . *

 . . . . . .
""",
}


def placement_of(edition):
    return "connected" if edition in CONNECTED else "touching"


@quarters
@every_edition
def test_case_10_a_card_that_continues_a_cut_off_piece(edition, quarter):
    game = position(CUT_OFF, [["EW"]], edition=edition, quarter=quarter)
    assert_cells(game, "EW", FREE_OF_CUT_OFF[placement_of(edition)], quarter)
    if placement_of(edition) == "connected":
        assert "no unbroken way" in refusal(game, spun_move("EW@4,0", quarter))


@quarters
@every_edition
def test_case_10_walls_side_by_side_are_never_enough(edition, quarter):
    game = position(CUT_OFF, [["NS"]], edition=edition, quarter=quarter)
    free = """
 . * . . . .

 . S . . . .

 . * . . . .
    """
    assert_cells(game, "NS", free, quarter)
    game = position(CUT_OFF, [["EW"]], edition=edition, quarter=quarter)
    assert "meets no open side" in refusal(game, spun_move("EW@3,1", quarter))


BEYOND = {"N": (1, -1), "E": (2, 0), "S": (1, 1)}


@quarters
@every_edition
@pytest.mark.parametrize("card", [lie for lie in DEAD_LIES if "W" in lie])
def test_case_11_the_far_stubs_of_a_dead_end(card, edition, quarter):
    mine = Map({(1, 0): lie_of(card)}, {(8, -2): 0, (8, 0): 0, (8, 2): 0})
    game = position(mine, [["NESW"]], edition=edition, quarter=quarter)
    free = {(0, -1), (-1, 0), (0, 1)}
    if edition in TOUCHING:
        free |= {BEYOND[side] for side in card[1:] if side != "W"}
    assert cells_for(game, "NESW") == {spun_place(place, quarter) for place in free}


CORNER = """
 o-.
 |
-S-o-. . . ?
 |
"""


@quarters
@every_edition
def test_case_12_wall_against_road_either_way_round(edition, quarter):
    game = position(CORNER, [PATH_CARDS], edition=edition, quarter=quarter, options={"hand_size": len(PATH_CARDS)})
    place = spun_place((1, -1), quarter)
    fitting = {lie for lie in LIES if "W" in lie and "S" not in lie}
    spun = {spun_move(f"{lie}@1,-1", quarter) for lie in LIES}
    legal = {move for move in game.legal_moves() if move.endswith("@{},{}".format(*place))}
    assert legal == {spun_move(f"{lie}@1,-1", quarter) for lie in fitting}
    for move in spun - legal:
        assert "there" in refusal(game, move)
    assert "is shut, but" in refusal(game, spun_move("NE@1,-1", quarter))
    assert "is open, but" in refusal(game, spun_move("NESW@1,-1", quarter))


@quarters
def test_case_13_rocks_never_fall_on_the_start_a_goal_or_an_empty_cell(quarter):
    game = position(STONE_LIES, [["rockfall"]], faces=STONE_FACES, quarter=quarter)
    reasons = {"0,0": "start", "3,0": "goal", "3,-2": "goal", "3,2": "goal", "3,1": "no path card"}
    for at, reason in reasons.items():
        assert reason in refusal(game, spun_move(f"rockfall@{at}", quarter))
    legal = {move for move in game.legal_moves() if move.startswith("rockfall")}
    assert legal == {spun_move(f"rockfall@{at}", quarter) for at in ("1,0", "2,0")}


@pytest.mark.parametrize("card", LIES)
def test_case_14_a_rockfall_tells_nothing_about_the_role(card):
    at = "{},{}".format(*BESIDE_THE_START[card[-1]])
    mine = Map({BESIDE_THE_START[card[-1]]: lie_of(card)}, {(8, -2): 0, (8, 0): 0, (8, 2): 0})
    seen = []
    for roles in (["miner", "miner", "saboteur"], ["saboteur", "miner", "miner"]):
        game = played(position(mine, [["rockfall"]], roles=roles), f"rockfall@{at}")
        seen.append(game.view(1))
    assert seen[0] == seen[1]
    assert not seen[0].mine.tunnels


@pytest.mark.parametrize("card", LIES)
def test_case_15_the_card_a_rockfall_took_is_back_in_the_next_round(card):
    at = BESIDE_THE_START[card[-1]]
    mine = Map({at: lie_of(card)}, {(8, -2): 0, (8, 0): 0, (8, 2): 0})
    game = played(position(mine, [["rockfall"]], deck=[]), "rockfall@{},{}".format(*at))
    gone = Counter(one["card"] for one in data_of(game)["discards"] if "by" not in one)
    assert gone == Counter(PRINTED_DECK)
    assert game.round_over
    game.next_round()
    data = data_of(game)
    assert Counter(chain(data["deck"], *data["hands"])) == Counter(PRINTED_DECK)


@pytest.mark.parametrize(("card", "tool"), MENDS)
def test_case_16_repairing_ones_own_tool(card, tool):
    game = position(hands=[[f"repair:{card}"]], broken={0: [tool]})
    played(game, f"repair:{card}:{tool}:0")
    assert game.view(0).broken == [[], [], []]
    assert {"card": f"break:{tool}"} in data_of(game)["discards"]
    assert {"card": f"repair:{card}"} in data_of(game)["discards"]


@pytest.mark.parametrize("seat", range(3))
@pytest.mark.parametrize(("card", "tool"), [(card, tool) for card, tool in MENDS if card in PAIRS])
def test_case_17_a_double_repair_mends_exactly_the_tool_named(card, tool, seat):
    game = position(hands=[[f"repair:{card}"]], broken={seat: TOOLS})
    played(game, f"repair:{card}:{tool}:{seat}")
    left = [other for other in TOOLS if other != tool]
    assert game.view(0).broken == [left if other == seat else [] for other in range(3)]


@pytest.mark.parametrize("seat", range(3))
@pytest.mark.parametrize("tool", TOOLS)
def test_case_18_a_tool_is_not_broken_twice_and_others_are(tool, seat):
    breaks = [f"break:{other}" for other in TOOLS]
    game = position(hands=[breaks], broken={seat: [tool]})
    assert f"the {tool} of seat {seat} is broken already" in refusal(game, f"break:{tool}:{seat}")
    for other in set(TOOLS) - {tool}:
        assert f"break:{other}:{seat}" in game.legal_moves()


@pytest.mark.parametrize("seat", range(3))
@pytest.mark.parametrize(("card", "tool"), MENDS)
def test_case_18_a_repair_needs_its_match(card, tool, seat):
    others = [other for other in TOOLS if other not in card.split("+")]
    game = position(hands=[[f"repair:{card}"]], broken={seat: others})
    assert f"the {tool} of seat {seat} is not broken" in refusal(game, f"repair:{card}:{tool}:{seat}")
    assert not [move for move in game.legal_moves() if move.startswith("repair")]


@pytest.mark.parametrize("tool", TOOLS)
def test_a_dwarf_with_a_broken_tool_lays_no_path_card_but_does_all_else(tool):
    hand = ["NESW", "xN", "map", "rockfall", f"break:{tool}", f"repair:{tool}"]
    game = position(ROAD, [hand], broken={0: [tool]})
    assert f"while its {tool} is broken" in refusal(game, "NESW@0,1")
    kinds = {move.partition("@")[0].partition(":")[0] for move in game.legal_moves()}
    assert kinds == {"map", "rockfall", "break", "repair", "discard"}


ILLEGAL = [
    "NESW@0,0", "NESW@3,0", "NESW@5,5", "EW@0,1", "xN@2,0", "rockfall@0,0", "rockfall@2,0", "map:3",
    "break:cart:7", "break:lantern:1", "repair:cart:cart:0", "discard:xE", "pass", "turn:NE", "reveal:0", "take:1",
    "", "NESW", "NESW@1", "WSEN@1,0", "break", "map:", "discard", "nonsense:1", "NESW@2,0 ", "nesw@2,0",
]  # fmt: skip


@pytest.mark.parametrize("move", ILLEGAL)
def test_case_19_an_illegal_move_says_why_and_changes_nothing(move):
    game = position(ROAD, [["NESW", "EW", "xN", "rockfall", "map", "break:cart"]])
    assert repr(move)[1:-1] in refusal(game, move)


@every_face
@pytest.mark.parametrize("goal", range(3))
def test_case_20_a_map_is_read_by_one_seat_for_the_rest_of_the_round(goal, face):
    faces = with_face(face)
    faces[goal], faces[1] = faces[1], faces[goal]
    game = played(position(faces=faces, hands=[["map"]]), f"map:{goal}")
    known = [face if number == goal else None for number in range(3)]
    assert [game.view(seat).faces for seat in range(3)] == [known, [None] * 3, [None] * 3]
    assert game.view(1).record == [(0, f"map:{goal}")]
    while not game.round_over:
        game.play(next(move for move in game.legal_moves() if move.startswith("discard")))
        assert game.view(0).faces == known
        assert game.view(2).faces == [None] * 3
    game.next_round()
    assert game.view(0).faces == [None] * 3


def test_case_20_a_goal_known_already_may_be_read_again_but_not_one_face_up():
    game = position(STONE_LIES, [["map", "map"]], faces=STONE_FACES, maps=[[0], [], []])
    assert [move for move in game.legal_moves() if move.startswith("map")] == ["map:0", "map:2"]
    assert "goal 1 is face up" in refusal(game, "map:1")


TWO_GOALS = """
     ?
 |
-S-o-. . . ?
 |
     ?
"""
BOTH_STONES = """
    -c
 |   |
-S-o-o . . ?
 |   |
    -c
"""
ONLY_TREASURE = {
    0: """
     |
    -$-
 |   |
-S-o-o . . ?
 |   |
     ?
""",
    2: """
     ?
 |   |
-S-o-o . . ?
 |   |
    -$-
     |
""",
}


@quarters
@pytest.mark.parametrize("edition", ["lv", "lt", "ru", "fa"])
def test_case_21_one_card_reaches_two_stones_and_both_are_revealed(edition, quarter):
    game = position(TWO_GOALS, [["NES"]], faces=["stone:NE", "treasure", "stone:NW"], edition=edition, quarter=quarter)
    lay(game, "NSW@2,0", quarter)
    assert_map(game, BOTH_STONES, quarter)
    assert (game.seat, game.round_over) == (1, False)


@quarters
@pytest.mark.parametrize("edition", ["lv", "lt", "ru", "fa"])
@pytest.mark.parametrize("treasure", ONLY_TREASURE)
def test_case_21_the_treasure_is_turned_first_and_the_round_is_over(treasure, edition, quarter):
    faces = ["stone:NE", "stone:NE", "stone:NE"]
    faces[treasure], faces[1] = "treasure", "stone:NW"
    game = position(TWO_GOALS, [["NES"]], faces=faces, edition=edition, quarter=quarter)
    lay(game, "NSW@2,0", quarter)
    assert_map(game, ONLY_TREASURE[treasure], quarter)
    assert (game.winner, game.round_over) == ("miners", True)


ONE_OF_TWO = {
    0: """
    -c
 |   |
-S-o-o . . ?
 |   |
     ?
""",
    2: """
     ?
 |   |
-S-o-o . . ?
 |   |
    -c
""",
}


UK_FACES = ["stone:NE", "treasure", "stone:NW"]


def one_of_two_revealed(goal, *hands):
    game = position(TWO_GOALS, [["NES"], *hands], faces=UK_FACES, edition="uk")
    return played(game, "NSW@2,0", f"reveal:{goal}")


@pytest.mark.parametrize("goal", ONE_OF_TWO)
def test_case_21_uk_one_of_two_goals_is_chosen(goal):
    game = played(position(TWO_GOALS, [["NES"]], faces=UK_FACES, edition="uk"), "NSW@2,0")
    assert (game.seat, game.legal_moves(), goals_open(game)) == (0, ["reveal:0", "reveal:2"], [False] * 3)
    game.play(f"reveal:{goal}")
    assert_map(game, ONE_OF_TWO[goal])
    assert game.seat == 1


@pytest.mark.parametrize(("goal", "first", "second"), [(0, "NE@0,1", "EW@1,1"), (2, "ES@0,-1", "EW@1,-1")])
def test_case_21_uk_the_other_goal_waits_for_a_new_way(goal, first, second):
    game = one_of_two_revealed(goal, [KIND_OF[first.partition("@")[0]]], ["EW"])
    game.play(first)
    assert goals_open(game) == [goal == 0, False, goal == 2]
    game.play(second)
    assert goals_open(game) == [True, False, True]


@pytest.mark.parametrize("goal", ONE_OF_TWO)
def test_case_21_uk_a_way_that_was_cut_and_mended_is_a_new_one(goal):
    game = one_of_two_revealed(goal, ["rockfall"], ["NES"])
    game.play("rockfall@2,0")
    assert goals_open(game) == [goal == 0, False, goal == 2]
    game.play("NSW@2,0")
    assert goals_open(game) == [True, False, True]


@pytest.mark.parametrize("goal", ONE_OF_TWO)
def test_case_21_uk_the_goal_chosen_may_be_the_treasure(goal):
    faces = ["stone:NE", "stone:NE", "stone:NE"]
    faces[goal], faces[1] = "treasure", "stone:NW"
    game = played(position(TWO_GOALS, [["NES"]], faces=faces, edition="uk"), "NSW@2,0", f"reveal:{goal}")
    assert_map(game, ONLY_TREASURE[goal])
    assert game.winner == "miners"


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


def test_case_27_a_pick_of_gold_is_no_turn():
    game = finding("MMS", 2, [1, 2, 3], options={"draft": True})
    played(game, "take:1", "take:2", "take:3")
    game.next_round()
    assert game.seat == 0


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


@pytest.mark.parametrize("card", [card for card in PATH_CARDS if turned(lie_of(card)) == lie_of(card)])
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


def middle_of_a_match(edition, players, seed):
    """A game after some random moves, in the first or in a later round."""
    chance = random.Random(f"{edition}/{players}/{seed}")
    game = Game(players=players, edition=edition, seed=seed, options={"goal_cells": [[3, -1], [3, 0], [3, 1]]})
    for _ in range(chance.randrange(5, 150)):
        if game.over:
            break
        if game.round_over:
            game.next_round()
        game.play(chance.choice(game.legal_moves()))
    return game


def with_other_secrets(data, seat, chance):
    """The same position as far as this seat can know, with everything else dealt anew."""
    others = [other for other in range(data["players"]) if other != seat]
    _deal_cards_anew(data, others, chance)
    if data["winner"] is None:
        roles = [data["roles"][other] for other in others] + [data["role_aside"]] * bool(data["role_aside"])
        chance.shuffle(roles)
        for other in others:
            data["roles"][other] = roles.pop()
        data["role_aside"] = roles.pop() if roles else None
    unknown = [goal for i, goal in enumerate(data["goals"]) if not goal["open"] and i not in data["maps"][seat]]
    faces = chance.sample([goal["face"] for goal in unknown], len(unknown))
    for goal, face in zip(unknown, faces, strict=True):
        goal["face"] = face
    _deal_gold_anew(data, others, chance)
    return data | {"chance": str(chance.getrandbits(64))}


def _deal_cards_anew(data, others, chance):
    hidden = [one for one in data["discards"] if one.get("by") in others]
    cards = data["deck"] + [card for other in others for card in data["hands"][other]] + [one["card"] for one in hidden]
    chance.shuffle(cards)
    for pile in (data["deck"], *(data["hands"][other] for other in others)):
        pile[:] = [cards.pop() for _ in pile]
    laid = {other: [] for other in others}
    for one in hidden:
        one["card"] = cards.pop()
        laid[one["by"]].append(one["card"])
    for entry in data["record"]:
        if entry[0] in laid and entry[1].startswith("discard"):
            entry[1] = f"discard:{laid[entry[0]].pop(0)}"


def _deal_gold_anew(data, others, chance):
    piles = [data["gold_deck"], *(data["gold"][other] for other in others)]
    values = list(chain(*piles))
    chance.shuffle(values)
    for pile in piles:
        pile[:] = [values.pop() for _ in pile]
    taken = [iter(pile) for pile in data["gold"]]
    for entry in (entry for past in data["past"] for entry in past["gold"]):
        entry[1] = next(taken[entry[0]])


@every_edition
@pytest.mark.parametrize("players", [3, 4, 5, 7, 10])
@pytest.mark.parametrize("seed", range(4))
def test_case_31_what_a_seat_cannot_know_is_not_in_its_view(edition, players, seed):
    game, chance = middle_of_a_match(edition, players, seed), random.Random(seed)
    if game.over:
        return
    for seat in range(players):
        other = load(with_other_secrets(data_of(game), seat, chance))
        mine, theirs = load(data_of(game)).view(seat), other.view(seat)
        assert other != game
        assert mine == theirs, f"seat {seat} can tell these apart:\n{game.to_json()}\n{other.to_json()}"
        assert mine.legal_moves() == theirs.legal_moves()
        assert hash(mine) == hash(theirs)


def reachable(thing, seen):
    """Everything that hangs on an object's attributes, items and array bases."""
    if id(thing) in seen or isinstance(thing, type | types.ModuleType | types.FunctionType):
        return
    seen[id(thing)] = thing
    for other in gc.get_referents(thing):
        reachable(other, seen)
    if isinstance(thing, np.ndarray | np.generic) and thing.base is not None:
        reachable(thing.base, seen)


def test_case_31_no_view_holds_the_game_it_was_made_from():
    game, seen = Game(players=3, seed=2**63 + 12345), {}
    reachable(game.view(0), seen)
    arrays = [one for one in seen.values() if isinstance(one, np.ndarray | np.generic)]
    assert {one.dtype for one in arrays if one.dtype.names} <= {PUBLIC, PRIVATE, RULES, PAST}
    assert not any((2**63 + 12345).to_bytes(8, "little") in one.tobytes() for one in arrays)
