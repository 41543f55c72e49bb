"""The number of cards that a move saves or costs, for scripted dwarfs and for rewards.

One flood from each goal (flood.py) tells what every lay changes. Behind a card the way goes on over the cells that its
open sides face. Only where it fills the one cell on which all shortest ways begin, and leads on over none of them,
the flood flows on around it. Few moves need a flood of their own.
"""

from __future__ import annotations

import numpy as np

from ..core.compiled.jit import ZERO, kernel, separate
from ..core.compiled.memory import Record, record_dtype
from ..engine.bitboard import has
from ..engine.cards import DEAD
from ..engine.legal import MAX_MOVES
from ..engine.state import CONNECTED, MAX_GOALS, MAX_PLAYERS, PLANES, Public
from ..engine.tunnels import Board, fronts, join, put, reached_sides, survey, take_up
from .flood import FAR, FLOOD, Flood, bounds, cards_needed, flow_around, sides_ahead

SCRATCH = record_dtype(
    ("now", FLOOD),
    ("after", "i8", MAX_GOALS),  # cards to each goal after a move
    ("board", "u8", (64, PLANES)),  # a mine to try moves on
    ("tried", FLOOD),
    ("hopes", "f8", MAX_GOALS),  # for who reckons: the chance of each goal to be the treasure,
    ("saboteur_probability", "f8", MAX_PLAYERS),  # of each seat to be a saboteur,
    ("role_counts", "f8", MAX_PLAYERS + 2),  # how the roles may be dealt,
    ("scores", "f8", MAX_MOVES),  # and how good each move is
)


class Scratch(Record):
    """A `SCRATCH` record, as kernels take it."""

    now: Flood
    tried: Flood


@separate
def measure(public: Public, goals: int, scratch: Scratch) -> None:
    """Count the cards needed to some goals, given as bits, before the moves are tried. Mutates: scratch.now."""
    cards_needed(public, public.board, goals, scratch.now)


@kernel
def try_lay(public: Public, goals: int, orientation: int, cell: int, scratch: Scratch) -> bool:
    """Count the cards needed after a path card is laid; goals stay face down.

    Args:
        goals: a bit for each goal that is measured.
        orientation: the open sides of the card as it lies, and whether it is a dead end.
        cell: row * 64 + column.
        scratch: `now` holds what was measured.

    Mutates: scratch.after, unless nothing changes. Requires: the mine was measured with these goals.

    Returns: whether anything may change.
    """
    now, after, row, column = scratch.now, scratch.after, cell >> 6, cell & 63
    if has(now.front[row] & ~now.best[row], column):
        return False
    if cell != now.cell:
        _look_at(now, cell)
    exits = 0 if orientation & DEAD else orientation
    if not now.key and not exits & now.outlets:
        return False
    if now.touched:
        try_put(public, goals, orientation, cell, scratch)
        return True
    for goal in range(MAX_GOALS):
        after[goal] = now.needed[goal]
        if exits & now.nearer[goal] or cell == now.only[goal]:
            after[goal] = _behind(public, now, goal, exits, cell)
    return True


@kernel
def _look_at(flood: Flood, cell: int) -> None:
    # What holds for all cards on one cell; lays come cell by cell.
    row, column = cell >> 6, cell & 63
    front = has(flood.front[row], column)
    flood.cell, flood.outlets, flood.key, flood.touched = cell, 0, False, False
    for goal in range(MAX_GOALS):
        flood.nearer[goal] = 0
        if flood.deepest[goal] > 0 and front:
            flood.nearer[goal] = sides_ahead(flood, goal, min(flood.needed[goal] - 1, flood.deepest[goal]), cell)
            flood.outlets |= flood.nearer[goal]
            flood.key |= cell == flood.only[goal]
        elif flood.deepest[goal] > 0 and has(flood.ahead[flood.deepest[goal], row, goal], column):
            flood.key = flood.touched = True


@kernel
def _behind(public: Public, flood: Flood, goal: int, exits: int, cell: int) -> int:
    # Cards needed after a card on a cell that a way faces, where it leads nearer or all shortest ways begin.
    needed = flood.needed[goal]
    if exits & flood.nearer[goal]:
        step = min(needed - 1, flood.deepest[goal])
        while flood.any_loose and step > 0 and exits & sides_ahead(flood, goal, step - 1, cell):
            step -= 1
        return step
    if flood.around[goal] < 0:
        flow_around(public, flood, goal)
    for step in range(needed, min(flood.around[goal], flood.deepest[goal] + 1)):
        if exits & sides_ahead(flood, goal, step, cell):
            return step
    return flood.around[goal]


@kernel
def may_help(flood: Flood, cell: int) -> bool:
    """Whether a rockfall on a cell may save a card: only where some goal is at least two cards nearer beside it."""
    for goal in range(MAX_GOALS):
        step = min(flood.needed[goal] - 2, flood.deepest[goal])
        if step >= 0 and sides_ahead(flood, goal, step, cell):
            return True
    return False


@separate
def try_rockfall(public: Public, goals: int, cell: int, scratch: Scratch) -> None:
    """Count the cards needed after a rockfall. Mutates: scratch.after. Requires: as `try_lay`."""
    now, row = scratch.now, cell >> 6
    on_way = has(public.board[row, CONNECTED], cell & 63)
    look_closer = now.any_loose or may_help(now, cell)
    if on_way or look_closer:
        _copy_mine(public, scratch.board)
        take_up(scratch.board, cell)
        survey(scratch.board, np.int64(public.low), np.int64(public.high))
        if look_closer:
            _measure_tried(public, goals, scratch)
            return
    for goal in range(MAX_GOALS):  # what is cut off is one card away, and joins the way again with that card
        scratch.after[goal] = now.needed[goal]
        if on_way and now.deepest[goal] > 0 and now.needed[goal] < FAR:
            scratch.after[goal] += not _as_near(public, scratch.board, now, goal, cell)


@kernel
def _as_near(public: Public, board: Board, flood: Flood, goal: int, gap: int) -> bool:
    # Whether a goal is as near as before from the gap, or from where a shortest way begins that a way still faces.
    if sides_ahead(flood, goal, flood.needed[goal] - 1, gap):
        return True
    if flood.only[goal] >= 0:
        return reached_sides(board, flood.only[goal]) != 0
    low, high = bounds(public)
    for row in range(low, high + 1):
        if fronts(board, row, 0) & flood.ahead[flood.needed[goal], row, goal] != ZERO:
            return True
    return False


@kernel
def try_put(public: Public, goals: int, orientation: int, cell: int, scratch: Scratch) -> None:
    """Count the cards needed after any card, or the stone of a goal, is put on a cell, by a flood of its own.

    Args:
        goals: a bit for each goal that is measured.
        orientation: the open sides of the card as it lies, and whether it is a dead end.
        cell: row * 64 + column.

    Mutates: scratch.after.
    """
    _copy_mine(public, scratch.board)
    put(scratch.board, cell, orientation)
    low, high = bounds(public)
    join(scratch.board, cell, orientation, low, high)
    _measure_tried(public, goals, scratch)


@kernel
def _measure_tried(public: Public, goals: int, scratch: Scratch) -> None:
    cards_needed(public, scratch.board, goals, scratch.tried)
    for goal in range(MAX_GOALS):
        scratch.after[goal] = scratch.tried.needed[goal]


@kernel
def _copy_mine(public: Public, scratch: Board) -> None:
    low, high = bounds(public)
    for row in range(low - 1, high + 2):
        for plane in range(PLANES):
            scratch[row, plane] = public.board[row, plane]
