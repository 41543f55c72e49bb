"""The cards of the box (Rules 1): their names, how they lie, how many there are. Knows no board.

A card in the hand is a *kind*, a number from 0 to 26 in the order of `KINDS`. A path card on the board
is a *lie*: the open sides as four bits (N 1, E 2, S 4, W 8), plus 16 for a dead end. Turning a card by
180 degrees swaps N with S and E with W, so `NE` turned lies as `SW`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

SIDES = "NESW"
NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8  # sides of a lie, as bits
ALL_SIDES = 15
DEAD = 16
LIES = 32  # numbers a lie can have

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


def lie_of(name: str) -> int:
    """The lie with this name: open sides in the order N E S W, `x` in front of a dead end.

    Raises: ValueError where the name is not of that form.

    >>> lie_of("NE"), lie_of("xSW"), turned(lie_of("NE")) == lie_of("SW")
    (3, 28, True)
    """
    sides = name.removeprefix("x")
    lie = sum(1 << SIDES.index(side) for side in sides if side in SIDES) + (DEAD if sides != name else 0)
    if not sides or lie_name(lie) != name:
        raise ValueError(
            f"{name!r} is not the name of a path card: open sides in the order N E S W, x before a dead end"
        )
    return lie


def lie_name(lie: int) -> str:
    """The name of a lie, such as `SW` or `xNS`."""
    return ("x" if lie & DEAD else "") + "".join(side for i, side in enumerate(SIDES) if lie >> i & 1)


def turned(lie: int) -> int:
    """How a card lies after a turn by 180 degrees; a dead end stays one."""
    return lie & DEAD | (lie << 2 | lie >> 2 & 3) & ALL_SIDES


def _table(values: list[int]) -> npt.NDArray[np.int64]:
    array = np.array(values, np.int64)
    array.setflags(write=False)
    return array


COPIES = _table(list(PRINTED_DECK.values()))
LIE_OF_KIND = _table([lie_of(name) for name in KINDS[:PATH_KINDS]])
KIND_OF_LIE = _table(
    [
        next((k for k, upright in enumerate(LIE_OF_KIND) if lie in (upright, turned(int(upright)))), -1)
        for lie in range(LIES)
    ]
)
# The two ways a path card of this kind can lie, as bits of a 32-bit set of lies.
LIES_OF_KIND = _table([1 << int(lie) | 1 << turned(int(lie)) for lie in LIE_OF_KIND])
# Tools as bits: pickaxe 1, lantern 2, cart 4.
TOOLS_OF_REPAIR = _table([sum(1 << TOOLS.index(tool) for tool in name.split("+")) for name in TOOLS + PAIRS])
FACE_LIE = _table([0, ALL_SIDES, lie_of("NE"), lie_of("NW")])


def _fits(contacts: int) -> int:
    must_open, must_shut = contacts & ALL_SIDES, contacts >> 4
    return sum(
        1 << lie
        for lie in range(LIES)
        if KIND_OF_LIE[lie] >= 0 and lie & must_open == must_open and not lie & must_shut
    )


# For each (sides that must be open) + 16 * (sides that must be shut): the set of lies that fit there.
FITS = _table([_fits(contacts) for contacts in range(256)])
