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

from ..core.compiled.jit import ONE, ZERO, kernel
from ..core.compiled.memory import Record, record_dtype
from ..core.compiled.simd import LANES, load, some, store
from ..engine.bitboard import bit, count, lowest
from ..engine.cards import UNKNOWN
from ..engine.state import BLOCKED, CONNECTED, MAX_GOALS, OPEN_EAST, OPEN_NORTH, OPEN_SOUTH, OPEN_WEST, Public
from ..engine.tunnels import Board, face_up, fronts, reached_sides

FAR = 16  # stands for "no way at all"; the printed goals are seven and nine cards away at first
ALL_GOALS = (1 << MAX_GOALS) - 1

_AROUND, _2, _3, _4 = np.uint64(5), np.uint64(2), np.uint64(3), np.uint64(4)

FLOOD = record_dtype(
    ("empty", "u8", (64, LANES)),  # the cells of each row where a card could be laid, for each goal
    ("front", "u8", 64),  # those that an open side of a way faces
    ("best", "u8", 64),  # and of these those that the shortest ways to some goal begin on
    ("loose", "u8", 64),  # the tunnels that no way reaches; they carry a way on
    ("any_loose", "i8"),
    ("open", "u8", (64, 4)),  # the cells that the flood passes at each side; only where tunnels are loose
    ("ahead", "u8", (FAR + 1, 64, LANES)),  # the cells from which at most so many cards lead to each goal
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


class Flood(Record):
    """A `FLOOD` record, as kernels take it."""


@kernel
def cards_needed(public: Public, board: Board, goals: int, flood: Flood) -> None:
    """Count the cards to some goals, given as bits, on a mine that is the public one or a move away from it.

    Mutates: flood, a FLOOD record. `flood.needed` is 0 where a way reaches the goal already, FAR where none can, where
    the goal is face up and where it is not asked for.
    """
    low, high = bounds(public)
    flood.cell = -1
    _look(board, flood, low, high)
    start, sought = flood.ahead[0], 0
    for row in range(low - 1, high + 2):
        store(start, row, ZERO)
    for goal in range(MAX_GOALS):
        flood.needed[goal], flood.deepest[goal] = FAR, -1
        flood.only[goal] = flood.around[goal] = -1
        if not goals >> goal & 1 or goal >= public.rules.goals or public.goal_face[goal] != UNKNOWN:
            continue
        cell = np.int64(public.rules.goal_cell[goal])
        if reached_sides(board, cell):
            flood.needed[goal] = 0
            continue
        start[cell >> 6, goal] = bit(cell & 63)
        sought |= 1 << goal
    if flood.any_loose:
        _join_loose(flood, start, low, high)
    _flow_back(flood, flood.needed, sought, 1, low, high)
    for goal in range(MAX_GOALS):
        if flood.deepest[goal] == flood.needed[goal]:
            _mark_best(flood, goal, low, high)


@kernel
def bounds(public: Public) -> tuple[int, int]:
    """The rows in which tunnels to the goals are looked for: the mine and the goals, and two rows around."""
    low, high = np.int64(public.low), np.int64(public.high)
    for goal in range(public.rules.goals):
        row = np.int64(public.rules.goal_cell[goal]) >> 6
        low, high = min(low, row), max(high, row)
    return max(low - 2, 1), min(high + 2, 62)


@kernel
def _look(board: Board, flood: Flood, low: int, high: int) -> None:
    any_loose = ZERO
    for row in range(low, high + 1):
        here, blocked = face_up(board, row), board[row, BLOCKED]
        store(flood.empty, row, ~here & ~blocked)
        flood.front[row], flood.best[row] = fronts(board, row, 0), ZERO
        flood.loose[row] = here & ~blocked & ~board[row, CONNECTED]
        any_loose |= flood.loose[row]
    flood.any_loose = any_loose != ZERO
    if flood.any_loose:
        for row in range(low, high + 1):
            for side in range(4):
                flood.open[row, side] = ~face_up(board, row) | flood.loose[row] & board[row, side]
        for side in range(4):
            flood.open[low - 1, side] = flood.open[high + 1, side] = ZERO


@kernel
def _flow_back(flood: Flood, needed: Any, sought: int, step: int, low: int, high: int) -> None:
    # Flow on from a step, for each goal sought until a cell is met that a way faces.
    result = 0
    for goal in range(MAX_GOALS):
        if sought >> goal & 1:
            flood.deepest[goal], needed[goal] = step - 1, FAR
    while sought and step <= FAR:
        if flood.any_loose:
            grown, met = _step_past_loose(flood, step, low, high)
        else:
            grown, met = _step(flood, step, low, high)
        for goal in range(MAX_GOALS):
            flood.deepest[goal] += sought >> goal & 1
        result |= sought & met
        sought &= grown & ~met
        step += 1
    for goal in range(MAX_GOALS):
        if result >> goal & 1:
            needed[goal] = flood.deepest[goal]


@kernel
def _step(flood: Flood, step: int, low: int, high: int) -> tuple[int, int]:
    # The goals, as bits, from which the flood grew, and from which it met a cell that a way faces.
    before, then = flood.ahead[step - 1], flood.ahead[step]
    above, here = load(before, low - 1), load(before, low)
    grown = met = above & ZERO
    for row in range(low, high + 1):
        below = load(before, row + 1)
        cells = (above | below | here << ONE | here >> ONE) & load(flood.empty, row) & ~here
        grown = grown | cells
        met = met | cells & flood.front[row]
        store(then, row, here | cells)
        above, here = here, below
    store(then, low - 1, ZERO)
    store(then, high + 1, ZERO)
    return some(grown), some(met)


@kernel
def _step_past_loose(flood: Flood, step: int, low: int, high: int) -> tuple[int, int]:
    before, then = flood.ahead[step - 1], flood.ahead[step]
    grown = met = load(before, low) & ZERO
    for row in range(low, high + 1):
        cells = _entered(flood, before, row) & load(flood.empty, row) & ~load(before, row)
        grown = grown | cells
        met = met | cells & flood.front[row]
        store(then, row, load(before, row) | cells)
    store(then, low - 1, ZERO)
    store(then, high + 1, ZERO)
    _join_loose(flood, then, low, high)
    return some(grown), some(met)


@kernel
def _entered(flood: Flood, cells: Any, row: int) -> Any:
    # The cells of a row that the flood enters from others, where no shut side is between.
    open_, here = flood.open, load(cells, row)
    from_north = load(cells, row - 1) & (open_[row - 1, OPEN_SOUTH] & open_[row, OPEN_NORTH])
    from_south = load(cells, row + 1) & (open_[row + 1, OPEN_NORTH] & open_[row, OPEN_SOUTH])
    from_west = (here & open_[row, OPEN_EAST]) << ONE & open_[row, OPEN_WEST]
    from_east = (here & open_[row, OPEN_WEST]) >> ONE & open_[row, OPEN_EAST]
    return from_north | from_south | from_west | from_east


@kernel
def _join_loose(flood: Flood, cells: Any, low: int, high: int) -> None:
    # Loose tunnels beside the flood take it up without a card.
    joined = True
    while joined:
        joined = False
        for row in range(low, high + 1):
            more = _entered(flood, cells, row) & flood.loose[row] & ~load(cells, row)
            if some(more):
                store(cells, row, load(cells, row) | more)
                joined = True


@kernel
def _mark_best(flood: Flood, goal: int, low: int, high: int) -> None:
    # Mark where the shortest ways begin.
    result, marked, at = ZERO, 0, 0
    ahead = flood.ahead[flood.needed[goal]]
    for row in range(low, high + 1):
        met = ahead[row, goal] & flood.front[row]
        flood.best[row] |= met
        marked += count(met)
        result |= met
        at = row if met != ZERO else at
    if marked == 1 and flood.needed[goal] < FAR:
        flood.only[goal] = at << 6 | lowest(result)


@kernel
def flow_around(public: Public, flood: Flood, goal: int) -> None:
    """Count the cards needed if no way leads over the only cell that the shortest ones begin on.

    Mutates: flood.around, and flood from the step on that meets this cell.
    """
    low, high = bounds(public)
    row, here = flood.only[goal] >> 6, bit(flood.only[goal] & 63)
    flood.empty[row, goal] &= ~here  # for good: a flood around for another goal flows over these steps again
    flood.front[row] &= ~here
    _flow_back(flood, flood.around, 1 << goal, flood.needed[goal], low, high)
    flood.front[row] |= here


@kernel
def sides_ahead(flood: Flood, goal: int, step: int, cell: int) -> int:
    """The sides of a cell, as four bits, beyond which at most `step` cards lead to the goal."""
    ahead, which, then = flood.ahead, np.uint64(goal), np.uint64(step)
    row, column = np.uint64(cell >> 6), np.uint64(cell & 63)
    beside = ahead[then, row, which] >> column - ONE & _AROUND
    sides = ahead[then, row - ONE, which] >> column & ONE | (beside & _4) >> ONE
    return np.int64(sides | (ahead[then, row + ONE, which] >> column & ONE) << _2 | (beside & ONE) << _3)
