"""How many path cards are still needed to a goal: a yardstick for scripted dwarfs and for reward shaping.

A flood over the cells where a card could be laid, one card a step. The sides of the cards that lie count;
who holds which card does not::

     2 1 2 3 4 5 .          a number: so many cards are laid once this cell is filled
    -S-o-1 2 3 4 5 ?        the goal is reached with the fifth card
     1 x 2 3 4 5 .          no way leads over the dead end x
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .bitboard import has
from .jit import ONE, ZERO, kernel
from .state import BLOCKED, EAST, NORTH, PLANES, SOUTH, WAY, WEST
from .tunnels import Mine, face_up, flow, fronts, join, put, reached_sides, survey, take_up

FAR = 16  # stands for "no way at all"; the printed goals are seven and nine cards away at first

FILLED, NEWLY = PLANES, PLANES + 1  # planes of the flood, after those of a mine
SCRATCH = np.dtype(
    (
        np.record,
        [
            ("mine", "u8", (64, PLANES + 2)),  # a mine to try moves on
            ("needed", "i8", 3),  # cards to each goal
            ("hopes", "f8", 3),  # the chance of each goal to be the treasure, for who reckons with it
        ],
    )
)


@kernel
def cards_needed(public: Any, scratch: Any) -> None:
    """Count the cards to each goal on the mine in the scratch.

    Mutates: scratch.needed: 0 where a way reaches the goal already, FAR where none can or the goal is face up.
    """
    space, needed = scratch.mine, scratch.needed
    low, high = bounds(public)
    needed[:] = FAR
    for row in range(low - 1, high + 2):
        space[row, FILLED] = ZERO
    for step in range(FAR):
        changed = False
        for goal in range(public.rules.goals):
            if needed[goal] == FAR and public.goal_face[goal] == 0:
                cell = np.int64(public.rules.goal_cell[goal])
                if reached_sides(space, cell) or _beside_filled(space, cell):
                    needed[goal] = step
        for row in range(low, high + 1):
            beside = space[row - 1, FILLED] | space[row + 1, FILLED]
            beside |= space[row, FILLED] << ONE | space[row, FILLED] >> ONE
            empty = ~face_up(space, row) & ~space[row, BLOCKED]
            space[row, NEWLY] = (fronts(space, row, 0) | beside & empty) & ~space[row, FILLED]
            changed |= space[row, NEWLY] != ZERO
        if not changed:
            break
        for row in range(low, high + 1):
            space[row, FILLED] |= space[row, NEWLY]
        _join_pieces(space, low, high)


@kernel
def bounds(public: Any) -> tuple[int, int]:
    """The rows in which tunnels to the goals are looked for: the mine and the goals, and two rows around."""
    low, high = np.int64(public.low), np.int64(public.high)
    for goal in range(public.rules.goals):
        row = np.int64(public.rules.goal_cell[goal]) >> 6
        low, high = min(low, row), max(high, row)
    return max(low - 2, 1), min(high + 2, 62)


@kernel
def _beside_filled(space: Mine, cell: int) -> bool:
    row, column = cell >> 6, cell & 63
    rows = has(space[row - 1, FILLED] | space[row + 1, FILLED], column)
    return rows + has(space[row, FILLED], column - 1) + has(space[row, FILLED], column + 1) > 0


@kernel
def _join_pieces(space: Mine, low: int, high: int) -> None:
    # Cut-off tunnels with an open side towards a filled cell carry the way on.
    joined = False
    for row in range(low, high + 1):
        loose = face_up(space, row) & ~space[row, BLOCKED] & ~space[row, WAY]
        if loose == ZERO:
            continue
        met = space[row, NORTH] & space[row - 1, FILLED] | space[row, SOUTH] & space[row + 1, FILLED]
        met |= space[row, EAST] & space[row, FILLED] >> ONE | space[row, WEST] & space[row, FILLED] << ONE
        if loose & met != ZERO:
            space[row, WAY] |= loose & met
            joined = True
    if joined:
        flow(space, low, high)


@kernel
def load(public: Any, space: Mine) -> None:
    """Copy the mine into the scratch. Mutates: space."""
    low, high = bounds(public)
    for row in range(low - 1, high + 2):
        for plane in range(PLANES):
            space[row, plane] = public.mine[row, plane]


@kernel
def try_lay(public: Any, space: Mine, lie: int, cell: int) -> None:
    """The mine in `space` becomes that after a path card is laid; goals stay face down. Mutates: space."""
    load(public, space)
    put(space, cell, lie)
    low, high = bounds(public)
    join(space, cell, low, high)


@kernel
def try_rockfall(public: Any, space: Mine, cell: int) -> None:
    """The mine in `space` becomes that after a rockfall. Mutates: space."""
    load(public, space)
    take_up(space, cell)
    low, high = bounds(public)
    survey(space, low, high)
