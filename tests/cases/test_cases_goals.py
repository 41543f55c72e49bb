"""Case 21: several goals reached by one card."""

import pytest

from tests.support.cases import KIND_OF, lay, quarters
from tests.support.positions import assert_map, goals_open, played, position

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
