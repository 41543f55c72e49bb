"""Cases 8 and 10 to 12: where a path card may lie."""

import pytest

from saboteur_env.engine.cards import orientation_of
from saboteur_env.game.notation import Map
from tests.support.cases import (
    CONNECTED,
    KIND_OF,
    ORIENTATIONS,
    PATH_CARDS,
    STONE_FACES,
    STONE_LIES,
    TOUCHING,
    every_edition,
    quarters,
)
from tests.support.positions import assert_cells, cells_for, position, refusal, spun_move, spun_place

THROUGH_LIES = [orientation for orientation in ORIENTATIONS if orientation[0] != "x"]
DEAD_LIES = [orientation for orientation in ORIENTATIONS if orientation[0] == "x"]


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
@pytest.mark.parametrize("card", [orientation for orientation in DEAD_LIES if "W" in orientation])
def test_case_11_the_far_stubs_of_a_dead_end(card, edition, quarter):
    mine = Map({(1, 0): orientation_of(card)}, {(8, -2): 0, (8, 0): 0, (8, 2): 0})
    game = position(mine, [["NESW"]], edition=edition, quarter=quarter)
    free = {(0, -1), (-1, 0), (0, 1)}
    if edition in TOUCHING:
        free |= {BEYOND[side] for side in card[1:] if side != "W"}
    assert cells_for(game, "NESW") == {spun_place(coord, quarter) for coord in free}


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
    coord = spun_place((1, -1), quarter)
    fitting = {orientation for orientation in ORIENTATIONS if "W" in orientation and "S" not in orientation}
    spun = {spun_move(f"{orientation}@1,-1", quarter) for orientation in ORIENTATIONS}
    legal = {move for move in game.legal_moves() if move.endswith("@{},{}".format(*coord))}
    assert legal == {spun_move(f"{orientation}@1,-1", quarter) for orientation in fitting}
    for move in spun - legal:
        assert "there" in refusal(game, move)
    assert "is shut, but" in refusal(game, spun_move("NE@1,-1", quarter))
    assert "is open, but" in refusal(game, spun_move("NESW@1,-1", quarter))
