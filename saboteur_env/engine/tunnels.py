"""Where may a path card lie, and what is joined to the start? Bits in, bits out; the hot path.

A mine is `uint64[64, 6]`: for each row four words of open sides and the marks BLOCKED and WAY
(state.py). A way leads over a cell if it carries WAY; dead ends and goals face down never do, so what
lies beyond their stubs stays cut off::

    -S-o-o-x-.      WAY:  * * * . .     the dead end is laid, but nothing is reached through it
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..core.compiled.jit import ONE, ZERO, inlined, kernel
from .bitboard import START, bit, has
from .cards import DEAD
from .state import BLOCKED, CONNECTED, OPEN_EAST, OPEN_NORTH, OPEN_SOUTH, OPEN_WEST

Board = npt.NDArray[np.uint64]
Sides = tuple[np.uint64, np.uint64, np.uint64, np.uint64]

_THREE = np.uint64(7)


@kernel
def face_up(board: Board, row: int) -> np.uint64:
    """The cells of a row with a card face up: every card has an open side."""
    return board[row, OPEN_NORTH] | board[row, OPEN_EAST] | board[row, OPEN_SOUTH] | board[row, OPEN_WEST]


@kernel
def put(board: Board, cell: int, orientation: int) -> None:
    """Lay a card, without its way. Mutates: mine. Requires: the cell is empty or a goal being turned up."""
    row, column = cell >> 6, np.uint64(cell & 63)
    for side in range(4):
        board[row, side] |= np.uint64(orientation >> side & 1) << column
    board[row, BLOCKED] = board[row, BLOCKED] & ~(ONE << column) | np.uint64(orientation >> 4 & 1) << column


@kernel
def take_up(board: Board, cell: int) -> None:
    """Take a card away. Mutates: mine (the ways are as before: see `survey`)."""
    row, rest = cell >> 6, ~bit(cell & 63)
    for plane in range(CONNECTED + 1):
        board[row, plane] &= rest


@kernel
def orientation_at(board: Board, cell: int) -> int:
    """How the card on a cell lies, 0 for none."""
    row, column = cell >> 6, cell & 63
    sides = 0
    for side in range(4):
        sides |= has(board[row, side], column) << side
    return sides | DEAD * has(board[row, BLOCKED], column) if sides else 0


@kernel
def reached_sides(board: Board, cell: int) -> int:
    """The sides of a cell, as four bits, at which a way stands from a neighbour's open side."""
    row, column = cell >> 6, cell & 63
    return (
        has(board[row - 1, OPEN_SOUTH] & board[row - 1, CONNECTED], column)
        | has(board[row, OPEN_WEST] & board[row, CONNECTED], column + 1) << 1
        | has(board[row + 1, OPEN_NORTH] & board[row + 1, CONNECTED], column) << 2
        | has(board[row, OPEN_EAST] & board[row, CONNECTED], column - 1) << 3
    )


@kernel
def near_connected(board: Board, cell: int) -> bool:
    """Whether any way comes within a step, straight or diagonal, of a cell: a quick look before a close one."""
    row = cell >> 6
    connected = board[row - 1, CONNECTED] | board[row, CONNECTED] | board[row + 1, CONNECTED]
    return connected >> np.uint64((cell & 63) - 1) & _THREE != ZERO


@inlined
def around(board: Board, row: int) -> tuple[Sides, Sides]:
    """The cells of a row that an open side faces, and those beside a card face up: from north, east, south and west."""
    here = face_up(board, row)
    opens = (
        board[row - 1, OPEN_SOUTH],
        board[row, OPEN_WEST] >> ONE,
        board[row + 1, OPEN_NORTH],
        board[row, OPEN_EAST] << ONE,
    )
    return opens, (face_up(board, row - 1), here >> ONE, face_up(board, row + 1), here << ONE)


@inlined
def met_by(opens: Sides, cards: Sides, column: int) -> int:
    """The contacts (below) of the cell in this column, from what is `around` its row."""
    met, at = 0, np.uint64(column)
    for side in range(4):
        is_open = np.int64(opens[side] >> at & ONE)
        met |= is_open << side | (np.int64(cards[side] >> at & ONE) ^ is_open) << side + 4
    return met


@inlined
def contacts(board: Board, cell: int) -> int:
    """What the face-up neighbours show a cell: their open sides as four bits, their shut ones times 16."""
    opens, cards = around(board, cell >> 6)
    return met_by(opens, cards, cell & 63)


@inlined
def fronts(board: Board, row: int, touching: int) -> np.uint64:
    """The empty cells of a row that an open side faces, of a way or (`touching`) of any card (Rules 3.1)."""
    north, south = board[row - 1, OPEN_SOUTH], board[row + 1, OPEN_NORTH]
    east, west = board[row, OPEN_WEST], board[row, OPEN_EAST]
    if not touching:
        north &= board[row - 1, CONNECTED]
        south &= board[row + 1, CONNECTED]
        east &= board[row, CONNECTED]
        west &= board[row, CONNECTED]
    return (north | south | east >> ONE | west << ONE) & ~face_up(board, row) & ~board[row, BLOCKED]


@kernel
def _spread(board: Board, row: int) -> np.uint64:
    """The cells of a row that a way reaches from the rows beside it, or along the row."""
    north, east, south, west = (
        board[row, OPEN_NORTH],
        board[row, OPEN_EAST],
        board[row, OPEN_SOUTH],
        board[row, OPEN_WEST],
    )
    through = ~board[row, BLOCKED]
    connected = board[row, CONNECTED]
    connected |= board[row - 1, CONNECTED] & board[row - 1, OPEN_SOUTH] & north & through
    connected |= board[row + 1, CONNECTED] & board[row + 1, OPEN_NORTH] & south & through
    before = ZERO
    while connected != before:
        before = connected
        connected |= ((connected & east) << ONE & west | (connected & west) >> ONE & east) & through
    return connected


@inlined
def flow(board: Board, low: int, high: int) -> None:
    """Let the ways run on through rows low … high until nothing changes. Mutates: mine[:, WAY]."""
    changed = True
    while changed:
        changed = False
        for step in range(2 * (high - low) + 1):  # down and up again
            row = low + step if step <= high - low else 2 * high - low - step
            connected = _spread(board, row)
            if connected != board[row, CONNECTED]:
                board[row, CONNECTED] = connected
                changed = True


@kernel
def survey(board: Board, low: int, high: int) -> None:
    """Find all ways from the start again, after a card was taken away. Mutates: mine[:, WAY]."""
    for row in range(low, high + 1):
        board[row, CONNECTED] = ZERO
    board[START >> 6, CONNECTED] = bit(START & 63)
    flow(board, low, high)


@inlined
def join(board: Board, cell: int, orientation: int, low: int, high: int) -> None:
    """Give the card just put on a cell, which lies so, its way, and let it run on. Mutates: mine[:, WAY].

    Args:
        board: uint64[planes, 64], a word of 64 cells for each row.
        cell: row * 64 + column.
        orientation: the open sides of the card as it lies, and whether it is a dead end.
        low, high: the first and the last row that hold cards.

    Most cards join nothing but empty cells, so the flow over all rows is the exception.
    """
    reached = reached_sides(board, cell)
    if orientation & DEAD or not orientation & reached:
        return
    board[cell >> 6, CONNECTED] |= bit(cell & 63)
    if orientation & contacts(board, cell) & ~reached:
        flow(board, low, high)
