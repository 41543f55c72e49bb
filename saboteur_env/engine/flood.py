"""How many path cards are still needed to a goal: a flood from it back to the ways, one card a step.

It runs over the cells where a card could be laid until it meets one that an open side of a way faces. The sides of
the cards that lie count; who holds which card does not::

     . 6 5 4 3 2 .          a number: so many cards are needed, with the one that fills this cell
    -S-o-5 4 3 2 1 ?        the goal is five cards away
     6 x 5 4 3 2 .          no way leads over the dead end x
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .bitboard import bit, count, lowest
from .cards import UNKNOWN
from .jit import ONE, ZERO, kernel
from .memory import record
from .state import BLOCKED, EAST, MAX_GOALS, NORTH, SOUTH, WAY, WEST
from .tunnels import Mine, face_up, fronts, reached_sides

FAR = 16  # stands for "no way at all"; the printed goals are seven and nine cards away at first
ALL_GOALS = (1 << MAX_GOALS) - 1

_AROUND, _2, _3, _4 = np.uint64(5), np.uint64(2), np.uint64(3), np.uint64(4)

FLOOD = record(
    ("empty", "u8", 64),  # the cells of each row where a card could be laid
    ("front", "u8", 64),  # those that an open side of a way faces
    ("best", "u8", 64),  # and of these those that the shortest ways to some goal begin on
    ("loose", "u8", 64),  # the tunnels that no way reaches; they carry a way on
    ("any_loose", "i8"),
    ("open", "u8", (64, 4)),  # the cells that the flood passes at each side; only where tunnels are loose
    ("ahead", "u8", (MAX_GOALS, FAR + 1, 64)),  # the cells from which at most so many cards lead to the goal
    ("deepest", "i8", MAX_GOALS),  # how many are known
    ("needed", "i8", MAX_GOALS),
    ("only", "i8", MAX_GOALS),  # the one cell that all shortest ways begin on, -1 where there are more
    ("around", "i8", MAX_GOALS),  # cards needed if nothing leads over that cell, -1 until asked for
    ("cell", "i8"),  # the last one looked at,
    ("nearer", "i8", MAX_GOALS),  # its sides beyond which fewer cards lead to the goal than now
    ("outlets", "i8"),  # those of any goal,
    ("key", "i8"),  # whether any card on it may change something,
    ("touched", "i8"),  # and whether it must be tried, as no way faces it
)


@kernel
def cards_needed(public: Any, mine: Mine, goals: int, flood: Any) -> None:
    """Count the cards to some goals, given as bits, on a mine that is the public one or a move away from it.

    Mutates: flood, a FLOOD record. `flood.needed` is 0 where a way reaches the goal already, FAR where none can, where
    the goal is face up and where it is not asked for.
    """
    low, high = bounds(public)
    flood.cell = -1
    _look(mine, flood, low, high)
    for goal in range(MAX_GOALS):
        flood.needed[goal], flood.deepest[goal] = FAR, -1
        flood.only[goal] = flood.around[goal] = -1
        if not goals >> goal & 1 or goal >= public.rules.goals or public.goal_face[goal] != UNKNOWN:
            continue
        cell = np.int64(public.rules.goal_cell[goal])
        if reached_sides(mine, cell):
            flood.needed[goal] = 0
            continue
        for row in range(low - 1, high + 2):
            flood.ahead[goal, 0, row] = ZERO
        flood.ahead[goal, 0, cell >> 6] = bit(cell & 63)
        if flood.any_loose:
            _join_loose(flood, flood.ahead[goal, 0], low, high)
        flood.needed[goal] = _flow_back(flood, goal, 1, low, high)
        _mark_best(flood, goal, low, high)


@kernel
def bounds(public: Any) -> tuple[int, int]:
    """The rows in which tunnels to the goals are looked for: the mine and the goals, and two rows around."""
    low, high = np.int64(public.low), np.int64(public.high)
    for goal in range(public.rules.goals):
        row = np.int64(public.rules.goal_cell[goal]) >> 6
        low, high = min(low, row), max(high, row)
    return max(low - 2, 1), min(high + 2, 62)


@kernel
def _look(mine: Mine, flood: Any, low: int, high: int) -> None:
    any_loose = ZERO
    for row in range(low, high + 1):
        here, blocked = face_up(mine, row), mine[row, BLOCKED]
        flood.empty[row] = ~here & ~blocked
        flood.front[row], flood.best[row] = fronts(mine, row, 0), ZERO
        flood.loose[row] = here & ~blocked & ~mine[row, WAY]
        any_loose |= flood.loose[row]
    flood.any_loose = any_loose != ZERO
    if flood.any_loose:
        for row in range(low, high + 1):
            for side in range(4):
                flood.open[row, side] = ~face_up(mine, row) | flood.loose[row] & mine[row, side]
        for side in range(4):
            flood.open[low - 1, side] = flood.open[high + 1, side] = ZERO


@kernel
def _flow_back(flood: Any, goal: int, step: int, low: int, high: int) -> int:
    # Flow on from a step until a cell is met that a way faces; returns how many cards that takes.
    while step <= FAR:
        if flood.any_loose:
            grown, met = _step_past_loose(flood, goal, step, low, high)
        else:
            grown, met = _step(flood, goal, step, low, high)
        flood.deepest[goal] = step
        if met != ZERO:
            return step
        if grown == ZERO:
            break
        step += 1
    return FAR


@kernel
def _step(flood: Any, goal: int, step: int, low: int, high: int) -> tuple[np.uint64, np.uint64]:
    # Unsigned indexes: a signed one might be negative, and to look costs half of the time here.
    ahead, empty, front = flood.ahead, flood.empty, flood.front
    which, then, before = np.uint64(goal), np.uint64(step), np.uint64(step - 1)
    above, here = ZERO, ahead[which, before, np.uint64(low)]
    grown = met = ZERO
    for row in range(np.uint64(low), np.uint64(high + 1)):
        below = ahead[which, before, row + ONE]
        cells = (above | below | here << ONE | here >> ONE) & empty[row] & ~here
        grown |= cells
        met |= cells & front[row]
        ahead[which, then, row] = here | cells
        above, here = here, below
    ahead[which, then, np.uint64(high + 1)] = ZERO
    return grown, met


@kernel
def _step_past_loose(flood: Any, goal: int, step: int, low: int, high: int) -> tuple[np.uint64, np.uint64]:
    before, then = flood.ahead[goal, step - 1], flood.ahead[goal, step]
    grown = met = ZERO
    for row in range(low, high + 1):
        cells = _entered(flood, before, row) & flood.empty[row] & ~before[row]
        grown |= cells
        met |= cells & flood.front[row]
        then[row] = before[row] | cells
    then[low - 1] = then[high + 1] = ZERO
    _join_loose(flood, then, low, high)
    return grown, met


@kernel
def _entered(flood: Any, cells: Any, row: int) -> np.uint64:
    # The cells of a row that the flood enters from others, where no shut side is between.
    open_ = flood.open
    from_north = cells[row - 1] & open_[row - 1, SOUTH] & open_[row, NORTH]
    from_south = cells[row + 1] & open_[row + 1, NORTH] & open_[row, SOUTH]
    from_west = (cells[row] & open_[row, EAST]) << ONE & open_[row, WEST]
    from_east = (cells[row] & open_[row, WEST]) >> ONE & open_[row, EAST]
    return from_north | from_south | from_west | from_east


@kernel
def _join_loose(flood: Any, cells: Any, low: int, high: int) -> None:
    # Loose tunnels beside the flood take it up without a card.
    joined = True
    while joined:
        joined = False
        for row in range(low, high + 1):
            more = _entered(flood, cells, row) & flood.loose[row] & ~cells[row]
            if more != ZERO:
                cells[row] |= more
                joined = True


@kernel
def _mark_best(flood: Any, goal: int, low: int, high: int) -> None:
    # Mark where the shortest ways begin.
    found, marked = -1, 0
    if flood.deepest[goal] < flood.needed[goal]:
        return
    for row in range(low, high + 1):
        met = flood.ahead[goal, flood.needed[goal], row] & flood.front[row]
        if met != ZERO:
            flood.best[row] |= met
            marked += count(met)
            found = row << 6 | lowest(met)
    if marked == 1 and flood.needed[goal] < FAR:
        flood.only[goal] = found


@kernel
def flow_around(public: Any, flood: Any, goal: int) -> int:
    """Cards needed if no way leads over the only cell that the shortest ones begin on.

    Mutates: flood, from the step on that meets this cell.
    """
    low, high = bounds(public)
    row, here = flood.only[goal] >> 6, bit(flood.only[goal] & 63)
    flood.empty[row] &= ~here
    flood.front[row] &= ~here
    around = _flow_back(flood, goal, flood.needed[goal], low, high)
    flood.empty[row] |= here
    flood.front[row] |= here
    return around


@kernel
def sides_ahead(flood: Any, goal: int, step: int, cell: int) -> int:
    """The sides of a cell, as four bits, beyond which at most `step` cards lead to the goal."""
    ahead, which, then = flood.ahead, np.uint64(goal), np.uint64(step)
    row, column = np.uint64(cell >> 6), np.uint64(cell & 63)
    beside = ahead[which, then, row] >> column - ONE & _AROUND
    sides = ahead[which, then, row - ONE] >> column & ONE | (beside & _4) >> ONE
    return np.int64(sides | (ahead[which, then, row + ONE] >> column & ONE) << _2 | (beside & ONE) << _3)
