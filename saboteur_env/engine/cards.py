"""The cards of the box (Rules 1): their names, how they lie, how many there are. Knows no board.

A card in the hand is a *kind*, a number from 0 to 26 in the order of `KINDS`. A path card on the board
is an orientation: the open sides as four bits (N 1, E 2, S 4, W 8), plus 16 for a dead end. Turning a card by
180 degrees swaps N with S and E with W, so `NE` turned lies as `SW`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

SIDES = "NESW"
NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8  # sides of a lie, as bits
ALL_SIDES = 15
DEAD = 16
ORIENTATIONS = 32  # numbers an orientation can have

THROUGH = {"NS": 4, "EW": 3, "NES": 5, "NEW": 5, "NESW": 5, "NE": 5, "NW": 4}
DEAD_ENDS = {"xNESW": 1, "xNES": 1, "xNEW": 1, "xNS": 1, "xEW": 1, "xNE": 1, "xNW": 1, "xN": 1, "xE": 1}
TOOLS = ("pickaxe", "lantern", "cart")
PAIRS = ("pickaxe+lantern", "pickaxe+cart", "lantern+cart")
ACTIONS = {
    **{f"break:{tool}": 3 for tool in TOOLS},
    **{f"repair:{tool}": 2 for tool in TOOLS},
    **{f"repair:{pair}": 1 for pair in PAIRS},
    "rockfall": 3,
    "map": 6,
}
PRINTED_DECK = {**THROUGH, **DEAD_ENDS, **ACTIONS}

KINDS = tuple(PRINTED_DECK)
KIND = {name: number for number, name in enumerate(KINDS)}
PATH_KINDS = len(THROUGH) + len(DEAD_ENDS)
FIRST_BREAK = KIND["break:pickaxe"]
FIRST_REPAIR = KIND["repair:pickaxe"]
ROCKFALL = KIND["rockfall"]
MAP = KIND["map"]
HIDDEN = 31  # stands for a card laid face down, in the record that all see

GOLD_VALUES = (1, 2, 3)
GOLD_COPIES = (16, 8, 4)
GOLD_CARDS = sum(GOLD_COPIES)

ROLES = ("miner", "saboteur")
MINER, SABOTEUR = 0, 1

# What a goal shows; 0 stands for "face down" wherever a seat does not know it.
FACES = ("", "treasure", "stone:NE", "stone:NW")
UNKNOWN, TREASURE, STONE_NE, STONE_NW = range(4)


def orientation_of(name: str) -> int:
    """The orientation with this name: open sides in the order N E S W, `x` in front of a dead end.

    Raises: ValueError where the name is not of that form.

    >>> orientation_of("NE"), orientation_of("xSW"), turned(orientation_of("NE")) == orientation_of("SW")
    (3, 28, True)
    """
    sides = name.removeprefix("x")
    orientation = sum(1 << SIDES.index(side) for side in sides if side in SIDES) + (DEAD if sides != name else 0)
    if not sides or orientation_name(orientation) != name:
        raise ValueError(
            f"{name!r} is not the name of a path card: open sides in the order N E S W, x before a dead end"
        )
    return orientation


def orientation_name(orientation: int) -> str:
    """The name of a lie, such as `SW` or `xNS`."""
    return ("x" if orientation & DEAD else "") + "".join(side for i, side in enumerate(SIDES) if orientation >> i & 1)


def turned(orientation: int) -> int:
    """How a card lies after a turn by 180 degrees; a dead end stays one."""
    return orientation & DEAD | (orientation << 2 | orientation >> 2 & 3) & ALL_SIDES


def _table(values: list[int]) -> npt.NDArray[np.int64]:
    array = np.array(values, np.int64)
    array.setflags(write=False)
    return array


COPIES = _table(list(PRINTED_DECK.values()))
ORIENTATION_OF_KIND = _table([orientation_of(name) for name in KINDS[:PATH_KINDS]])
KIND_OF_ORIENTATION = _table(
    [
        next((k for k, upright in enumerate(ORIENTATION_OF_KIND) if orientation in (upright, turned(int(upright)))), -1)
        for orientation in range(ORIENTATIONS)
    ]
)
# The two ways a path card of this kind can lie, as bits of a 32-bit set of orientations.
ORIENTATIONS_OF_KIND = _table(
    [1 << int(orientation) | 1 << turned(int(orientation)) for orientation in ORIENTATION_OF_KIND]
)
# Tools as bits: pickaxe 1, lantern 2, cart 4.
TOOLS_OF_REPAIR = _table([sum(1 << TOOLS.index(tool) for tool in name.split("+")) for name in TOOLS + PAIRS])
FACE_ORIENTATION = _table([0, ALL_SIDES, orientation_of("NE"), orientation_of("NW")])


def _fits(contacts: int) -> int:
    must_open, must_shut = contacts & ALL_SIDES, contacts >> 4
    return sum(
        1 << orientation
        for orientation in range(ORIENTATIONS)
        if KIND_OF_ORIENTATION[orientation] >= 0
        and orientation & must_open == must_open
        and not orientation & must_shut
    )


# For each (sides that must be open) + 16 * (sides that must be shut): the set of orientations that fit there.
FITS = _table([_fits(contacts) for contacts in range(256)])
