"""How many path cards are still needed to a goal, now and after a move: a yardstick for scripted dwarfs and rewards.

A flood from the goal back over the cells where a card could be laid, one card a step, until it meets a cell
that an open side of a way faces. The sides of the cards that lie count; who holds which card does not::

     . 6 5 4 3 2 .          a number: so many cards are needed, with the one that fills this cell
    -S-o-5 4 3 2 1 ?        the goal is five cards away
     6 x 5 4 3 2 .          no way leads over the dead end x

The flood tells what a lay changes without a second one: the way goes on behind the card over the cells that
its open sides face. Only where it fills the one cell on which all shortest ways begin, and leads on over none
of them, the flood flows on around it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .bitboard import bit, count, has, lowest
from .cards import DEAD, UNKNOWN
from .jit import ONE, ZERO, kernel
from .memory import record
from .state import BLOCKED, EAST, MAX_GOALS, NORTH, PLANES, SOUTH, WAY, WEST
from .tunnels import Mine, face_up, fronts, join, put, reached_sides, survey, take_up

FAR = 16  # stands for "no way at all"; the printed goals are seven and nine cards away at first
ALL_GOALS = (1 << MAX_GOALS) - 1

_AROUND = np.uint64(5)

FLOOD = record(
    ("empty", "u8", 64),  # the cells of each row where a card could be laid
    ("front", "u8", 64),  # those that an open side of a way faces
    ("loose", "u8", 64),  # the tunnels that no way reaches; they carry a way on
    ("any_loose", "i8"),
    ("open", "u8", (64, 4)),  # the cells that the flood passes at each side; only where tunnels are loose
    ("ahead", "u8", (MAX_GOALS, FAR, 64)),  # the cells from which at most so many cards lead to the goal
    ("deepest", "i8", MAX_GOALS),  # how many are known
    ("needed", "i8", MAX_GOALS),
    ("only", "i8", MAX_GOALS),  # the one cell that all shortest ways begin on, -1 where there are more
    ("around", "i8", MAX_GOALS),  # cards needed if nothing leads over that cell, -1 until asked for
)
SCRATCH = record(
    ("now", FLOOD),
    ("after", "i8", MAX_GOALS),  # cards to each goal after a move
    ("mine", "u8", (64, PLANES)),  # a mine to try moves on
    ("tried", FLOOD),
    ("hopes", "f8", MAX_GOALS),  # the chance of each goal to be the treasure, for who reckons with it
)


@kernel
def cards_needed(public: Any, mine: Mine, goals: int, flood: Any) -> None:
    """Count the cards to some goals, given as bits, on a mine that is the public one or a move away from it.

    Mutates: flood, a FLOOD record. `flood.needed` is 0 where a way reaches the goal already, FAR where none can, where
    the goal is face up and where it is not asked for.
    """
    low, high = bounds(public)
    _look(public, mine, flood, low, high)
    for goal in range(MAX_GOALS):
        flood.needed[goal], flood.only[goal], flood.around[goal], flood.deepest[goal] = FAR, -1, -1, -1
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
        if flood.needed[goal] < FAR:
            flood.only[goal] = _only_front(flood, goal, low, high)


@kernel
def bounds(public: Any) -> tuple[int, int]:
    """The rows in which tunnels to the goals are looked for: the mine and the goals, and two rows around."""
    low, high = np.int64(public.low), np.int64(public.high)
    for goal in range(public.rules.goals):
        row = np.int64(public.rules.goal_cell[goal]) >> 6
        low, high = min(low, row), max(high, row)
    return max(low - 2, 1), min(high + 2, 62)


@kernel
def _look(public: Any, mine: Mine, flood: Any, low: int, high: int) -> None:
    any_loose = ZERO
    for row in range(low, high + 1):
        here, blocked = face_up(mine, row), mine[row, BLOCKED]
        flood.empty[row] = ~here & ~blocked
        flood.front[row] = fronts(mine, row, 0)
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
    while step < FAR:
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
    before, then = flood.ahead[goal, step - 1], flood.ahead[goal, step]
    above, here = ZERO, before[low]
    grown = met = ZERO
    for row in range(low, high + 1):
        below = before[row + 1]
        cells = (above | below | here << ONE | here >> ONE) & flood.empty[row] & ~here
        grown |= cells
        met |= cells & flood.front[row]
        then[row] = here | cells
        above, here = here, below
    then[high + 1] = ZERO
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
def _only_front(flood: Any, goal: int, low: int, high: int) -> int:
    found, fronts_met = -1, 0
    for row in range(low, high + 1):
        met = flood.ahead[goal, flood.needed[goal], row] & flood.front[row]
        if met != ZERO:
            fronts_met += count(met)
            found = row << 6 | lowest(met)
    return found if fronts_met == 1 else -1


@kernel
def measure(public: Any, goals: int, scratch: Any) -> None:
    """Count the cards needed to some goals, given as bits, before the moves are tried. Mutates: scratch.now."""
    cards_needed(public, public.mine, goals, scratch.now)


@kernel
def try_lay(public: Any, goals: int, lie: int, cell: int, scratch: Any) -> None:
    """Count the cards needed after a path card is laid; goals stay face down.

    Mutates: scratch.after. Requires: the mine was measured with these goals.
    """
    now, after = scratch.now, scratch.after
    row, column = cell >> 6, cell & 63
    front = has(now.front[row], column)
    for goal in range(MAX_GOALS):
        after[goal] = now.needed[goal]
        if now.deepest[goal] > 0:
            if front:
                after[goal] = _behind(public, now, goal, lie, cell)
            elif has(now.ahead[goal, now.deepest[goal], row], column):
                _try_put(public, goals, lie, cell, scratch)
                return


@kernel
def _behind(public: Any, flood: Any, goal: int, lie: int, cell: int) -> int:
    # Cards needed after a card on a cell that a way faces.
    needed = flood.needed[goal]
    exits = 0 if lie & DEAD else lie
    step = min(needed - 1, flood.deepest[goal])
    if exits & sides_ahead(flood, goal, step, cell):
        while step > 0 and exits & sides_ahead(flood, goal, step - 1, cell):
            step -= 1
        return step
    if cell != flood.only[goal]:
        return needed
    if flood.around[goal] < 0:
        flood.around[goal] = _flow_around(public, flood, goal)
    for step in range(needed, min(flood.around[goal], flood.deepest[goal] + 1)):
        if exits & sides_ahead(flood, goal, step, cell):
            return step
    return flood.around[goal]


@kernel
def sides_ahead(flood: Any, goal: int, step: int, cell: int) -> int:
    """The sides of a cell, as four bits, beyond which at most `step` cards lead to the goal."""
    row, column = cell >> 6, cell & 63
    cells = flood.ahead[goal, step]
    beside = np.int64(cells[row] >> np.uint64(column - 1) & _AROUND)
    return has(cells[row - 1], column) | (beside & 4) >> 1 | has(cells[row + 1], column) << 2 | (beside & 1) << 3


@kernel
def _flow_around(public: Any, flood: Any, goal: int) -> int:
    # Cards needed if no way leads over the only cell that the shortest ones begin on.
    low, high = bounds(public)
    row, here = flood.only[goal] >> 6, bit(flood.only[goal] & 63)
    flood.empty[row] &= ~here
    flood.front[row] &= ~here
    around = _flow_back(flood, goal, flood.needed[goal], low, high)
    flood.empty[row] |= here
    flood.front[row] |= here
    return around


@kernel
def _copy_mine(public: Any, space: Mine) -> None:
    low, high = bounds(public)
    for row in range(low - 1, high + 2):
        for plane in range(PLANES):
            space[row, plane] = public.mine[row, plane]


@kernel
def _try_put(public: Any, goals: int, lie: int, cell: int, scratch: Any) -> None:
    _copy_mine(public, scratch.mine)
    put(scratch.mine, cell, lie)
    low, high = bounds(public)
    join(scratch.mine, cell, low, high)
    _measure_tried(public, goals, scratch)


@kernel
def try_rockfall(public: Any, goals: int, cell: int, scratch: Any) -> None:
    """Count the cards needed after a rockfall. Mutates: scratch.after. Requires: as `try_lay`."""
    _copy_mine(public, scratch.mine)
    take_up(scratch.mine, cell)
    low, high = bounds(public)
    survey(scratch.mine, low, high)
    _measure_tried(public, goals, scratch)


@kernel
def _measure_tried(public: Any, goals: int, scratch: Any) -> None:
    cards_needed(public, scratch.mine, goals, scratch.tried)
    for goal in range(MAX_GOALS):
        scratch.after[goal] = scratch.tried.needed[goal]


@kernel
def may_help(flood: Any, cell: int) -> bool:
    """Whether a rockfall on a cell may save a card: only where some goal is at least two cards nearer beside it."""
    for goal in range(MAX_GOALS):
        step = min(flood.needed[goal] - 2, flood.deepest[goal])
        if step >= 0 and sides_ahead(flood, goal, step, cell):
            return True
    return False
