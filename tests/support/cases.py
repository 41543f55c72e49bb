"""What the tests of cases share: faces, orientations, and mines to lay in."""

import pytest

from saboteur_env.engine.cards import KINDS, ORIENTATION_OF_KIND, PATH_KINDS, orientation_name, orientation_of, turned
from tests.support.positions import played, spun_move

CONNECTED, TOUCHING = ("lv", "lt"), ("uk", "ru", "fa")

ALL_EDITIONS = CONNECTED + TOUCHING

FACES = ("treasure", "stone:NE", "stone:NW")

ORIENTATIONS = sorted(
    {orientation_name(way) for upright in ORIENTATION_OF_KIND.tolist() for way in (upright, turned(upright))}
)

KIND_OF = {
    orientation_name(way): name
    for name in KINDS[:PATH_KINDS]
    for way in (orientation_of(name), turned(orientation_of(name)))
}

PATH_CARDS = list(KINDS[:PATH_KINDS])

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


BESIDE_THE_START = {"N": (0, 1), "E": (-1, 0), "S": (0, -1), "W": (1, 0)}

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

WALLED_IN = """
       ?

      -x-
 |
-S-o-. ?
 |
      -o-

       ?
"""
