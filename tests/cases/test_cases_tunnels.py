"""Cases 1 to 7 and 9: which goals a path card reaches, and how a stone comes to lie."""

import pytest

from saboteur_env.engine.cards import orientation_of
from tests.support.cases import (
    BESIDE_THE_START,
    KIND_OF,
    ORIENTATIONS,
    ROAD,
    STONE_FACES,
    STONE_LIES,
    TOUCHING,
    WALLED_IN,
    every_edition,
    every_face,
    lay,
    quarters,
    with_face,
)
from tests.support.positions import assert_cells, assert_map, cells_for, goals_open, played, position, spun_move

THROUGH_LIES = [orientation for orientation in ORIENTATIONS if orientation[0] != "x"]

DEAD_LIES = [orientation for orientation in ORIENTATIONS if orientation[0] == "x"]


@quarters
@every_edition
@every_face
@pytest.mark.parametrize("card", [orientation for orientation in DEAD_LIES if {"E", "W"} <= set(orientation)])
def test_case_1_a_dead_end_reaches_no_goal(card, face, edition, quarter):
    game = position(ROAD, [[KIND_OF[card]]], faces=with_face(face), edition=edition, quarter=quarter)
    lay(game, f"{card}@2,0", quarter)
    assert goals_open(game) == [False] * 3
    assert (game.round_over, game.seat) == (False, 1)


@quarters
@every_face
@pytest.mark.parametrize("card", [orientation for orientation in THROUGH_LIES if "W" in orientation])
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


@pytest.mark.parametrize(("card", "side"), [(card, side) for card in DEAD_LIES for side in card[1:]])
def test_case_4_a_dead_end_that_is_turned_is_still_one(card, side):
    column, row = BESIDE_THE_START[side]
    game = played(position(hands=[[KIND_OF[card]], ["NESW"]]), f"{card}@{column},{row}")
    assert game.mine.tunnels == {(column, row): orientation_of(card)}
    assert cells_for(game, "NESW") == set(BESIDE_THE_START.values()) - {(column, row)}


@quarters
@every_edition
def test_case_5_a_stone_leads_on_from_its_second_side(edition, quarter):
    game = position(STONE_LIES, [["NS"]], faces=STONE_FACES, edition=edition, quarter=quarter)
    lay(game, "NS@3,1", quarter)
    result = """
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
    assert_map(game, result, quarter)
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
    result = """
       . ?
 |
-S-o-o-c
 |     |
      -$-
       |
    """
    game = position(neighbours, [["EW"]], faces=["stone:NW", "stone:NE", "treasure"], edition=edition, quarter=quarter)
    lay(game, "EW@2,0", quarter)
    assert_map(game, result, quarter)
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
