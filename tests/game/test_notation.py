"""Drawings: what is printed can be read again, and what is drawn wrongly is said with its line and column."""

import random

import pytest

from saboteur_env import Game
from saboteur_env.engine.bitboard import cells_of, rows_of_coords
from saboteur_env.engine.cards import ALL_SIDES, KIND_OF_ORIENTATION, ORIENTATIONS, orientation_of
from saboteur_env.game.notation import STONES, Map, draw_cells, parse_cells, parse_map
from tests.support.positions import assert_map, position, rotated

MINE = """
 . . . . . . . . ?
     |
 . . o . . . . . .
 |   | |
-S-o-o-x-. . . . ?
 |   |
 . . o-x . . . . .

 . . . . . . . . ?
"""
CLASHES = """
       ?

      -x-
 |     ;
-S-o-o!c-
 |
      -o-

       ?
"""
PATH_LIES = [orientation for orientation in range(ORIENTATIONS) if KIND_OF_ORIENTATION[orientation] >= 0]
GOAL_CELLS = {(8, -2): 0, (8, 0): 0, (8, 2): 0}


def test_a_drawing_is_read_as_it_lies():
    mine = parse_map(MINE)
    assert mine.goals == GOAL_CELLS
    assert mine.tunnels == {
        (2, -1): orientation_of("NS"),
        (1, 0): orientation_of("EW"),
        (2, 0): orientation_of("NESW"),
        (3, 0): orientation_of("xNEW"),
        (2, 1): orientation_of("NE"),
        (3, 1): orientation_of("xW"),
    }


@pytest.mark.parametrize("drawing", [MINE, CLASHES])
def test_a_drawing_is_printed_as_it_was_drawn(drawing):
    mine = parse_map(drawing)
    assert parse_map(str(mine)) == mine
    assert str(parse_map(str(mine))) == str(mine)


def test_the_drawing_of_the_house_is_printed_letter_for_letter():
    assert str(parse_map(MINE)) == MINE.strip("\n")


@pytest.mark.parametrize("coord", [(0, -1), (1, 0), (0, 1), (-1, 0), (5, 7), (-30, -30), (30, 30)])
@pytest.mark.parametrize("orientation", PATH_LIES)
def test_every_card_anywhere_is_read_as_it_was_printed(orientation, coord):
    beside_the_start = {(0, -1): 4, (1, 0): 8, (0, 1): 1, (-1, 0): 2}.get(coord, 0)
    if beside_the_start and not orientation & beside_the_start:
        return
    mine = Map({coord: orientation}, dict(GOAL_CELLS))
    assert parse_map(str(mine)) == mine


@pytest.mark.parametrize("orientation", [ALL_SIDES, *sorted(STONES)])
def test_every_goal_face_up_is_read_as_it_was_printed(orientation):
    mine = Map({}, GOAL_CELLS | {(8, 0): orientation})
    assert parse_map(str(mine)) == mine


@pytest.mark.parametrize("edition", ["lv", "uk", "ru"])
@pytest.mark.parametrize("seed", range(6))
def test_every_mine_of_a_match_is_read_as_it_was_printed(edition, seed):
    rng = random.Random(seed)
    game = Game(players=4, edition=edition, seed=seed, options={"goal_cells": [[2, -1], [2, 0], [2, 1]]})
    while not game.over:
        if game.round_over:
            game.next_round()
        lays = [move for move in game.legal_moves() if "@" in move]
        game.play(rng.choice(lays or game.legal_moves()))
        assert parse_map(str(game)) == game.mine, str(game)


def test_a_position_can_be_drawn_anywhere_on_the_page():
    shifted = "\n".join(f"     {line}" for line in MINE.splitlines())
    assert parse_map(shifted) == parse_map(MINE)
    assert parse_map(MINE.replace("\n", "\r\n")) == parse_map(MINE)
    assert parse_map("\n\n\n" + MINE) == parse_map(MINE)


def test_four_quarter_turns_bring_a_mine_back():
    mine = parse_map(CLASHES)
    assert rotated(mine, 4) == rotated(rotated(mine, 1), 3) == mine != rotated(mine, 2)


def test_the_difference_between_two_mines_is_shown_as_both_drawings():
    with pytest.raises(AssertionError, match=r"(?s)the mine is\n.*and not\n") as failure:
        assert_map(position(MINE), CLASHES)
    for drawing in (MINE, CLASHES):
        assert str(parse_map(drawing)) in str(failure.value)


@pytest.mark.parametrize(
    ("drawing", "message"),
    [
        ("", "needs one start S, this one has 0"),
        (" . .", "needs one start S, this one has 0"),
        (" |\n-S-S-\n |", "needs one start S, this one has 2"),
        (" |\n-S-z\n |", "line 2, column 4 of the map: 'z' cannot stand here"),
        (" |\n-S o\n |o", "line 3, column 3 of the map: 'o' cannot stand here"),
        (" -\n-S-\n |", "line 1, column 2 of the map: '-' cannot stand here"),
        (" |\n|S-\n |", "line 2, column 1 of the map: '|' cannot stand here"),
        (" |\n-S*\n |", "line 2, column 3 of the map: '*' cannot stand here"),
        ("|\n-S-\n |", "line 1, column 1 of the map: '|' cannot stand here"),
        ("\n S-\n |", "line 2, column 2 of the map: no card 'S' is open to ES; the start is not drawn so"),
        (" |\n-S-. o\n |", "line 2, column 6 of the map: no card 'o' is open to no side; a path card"),
        (" |\n-S-. . o-\n |", "line 2, column 8 of the map: no card 'o' is open to E; a path card"),
        (" |\n-S-o\n |", "line 2, column 4 of the map: no card 'o' is open to W; a path card"),
        (" |\n-S-. x\n |", "line 2, column 6 of the map: no card 'x' is open to no side; a path card"),
        (" |\n-S-. $-\n |", "line 2, column 6 of the map: no card '$' is open to E; the treasure"),
        (" |\n-S-.-c-\n |", "line 2, column 6 of the map: no card 'c' is open to EW; a stone"),
        (" |\n-S-. .-.\n |", "line 2, column 7 of the map: '-' touches no card"),
        (" |\n-S-. ?-?\n |", "line 2, column 7 of the map: '-' touches no card"),
        (" |\n-S-\n |\n .\n |", "line 5, column 2 of the map: '|' touches no card"),
        (" |\n-S!.\n |", "line 2, column 3 of the map: '!' needs a card on either side"),
        (" |\n-S-.;o-\n |", "line 2, column 5 of the map: ';' needs a card on either side"),
        (" |\n-S!x-\n |", "line 2, column 3 of the map: open meets shut, which only a revealed goal can cause"),
    ],
)
def test_what_is_drawn_wrongly_is_said_with_its_place(drawing, message):
    with pytest.raises(ValueError) as error:
        parse_map(drawing)
    assert message in str(error.value)


@pytest.mark.parametrize("thing", [None, 7, b"S", ["S"]])
def test_only_a_text_is_a_map(thing):
    with pytest.raises(ValueError, match="a map is a text"):
        parse_map(thing)


CELLS = """
 . * . . *

 . S * . .

 * . . * .
"""


def test_a_set_of_cells_is_read_and_printed():
    cells = {(0, -1), (3, -1), (1, 0), (-1, 1), (2, 1)}
    assert parse_cells(CELLS) == cells
    assert draw_cells(cells) == CELLS.strip("\n")
    assert parse_cells(draw_cells(cells, around=[(9, 9)])) == cells


def test_the_start_can_be_one_of_a_set_of_cells():
    assert parse_cells(draw_cells({(0, 0), (1, 0)})) == {(0, 0), (1, 0)}
    assert draw_cells({(0, 0)}) == " s"
    assert draw_cells(()) == " S"


@pytest.mark.parametrize(
    ("drawing", "message"),
    [
        (" * .", "needs one start"),
        (" S s", "needs one start S, this one has 2"),
        (" S o", "line 1, column 4 of the map: 'o' cannot stand here"),
    ],
)
def test_a_set_of_cells_drawn_wrongly_is_refused(drawing, message):
    with pytest.raises(ValueError, match=message):
        parse_cells(drawing)


@pytest.mark.parametrize("seed", range(5))
def test_cells_and_words_of_bits_are_the_same_sets(seed):
    rng = random.Random(seed)
    cells = {(rng.randint(-31, 32), rng.randint(-31, 32)) for _ in range(200)}
    assert cells_of(rows_of_coords(cells)) == cells
    assert parse_cells(draw_cells(cells)) == cells
