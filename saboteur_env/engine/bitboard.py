"""Cells of the mine, and words of 64 bits that stand for a row of cells. Knows no cards.

The board is 64 rows of 64 columns. The start, column 0 and row 0, lies at index `ORIGIN` of both, so
columns and rows run from -31 to 32; columns grow to the east (towards higher bits), rows to the south.
A cell is one number: ``row index * 64 + column index``.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..core.compiled.jit import ONE, ZERO, kernel

SIZE = 64
ORIGIN = 31
REACH = ORIGIN - 1  # the farthest a card may lie: every kernel looks one cell further without a check

_PAIRS = np.uint64((1 << 64) // 3)  # 0101…
_FOURS = np.uint64((1 << 64) // 5)  # 00110011…
_EIGHTS = np.uint64((1 << 64) // 17)  # 00001111…
_BYTES = np.uint64((1 << 64) // 255)  # 00000001…
_1, _2, _4, _56 = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)


def cell_at(column: int, row: int) -> int:
    """The cell at `column`, `row`.

    >>> cell_at(0, 0), coord_of(cell_at(8, -2))
    (2015, (8, -2))
    """
    return (row + ORIGIN) * SIZE + column + ORIGIN


def coord_of(cell: int) -> tuple[int, int]:
    """Column and row of a cell."""
    return int(cell) % SIZE - ORIGIN, int(cell) // SIZE - ORIGIN


START = cell_at(0, 0)
STEPS = (-SIZE, 1, SIZE, -1)  # to the next cell in the north, east, south and west


@kernel
def bit(index: int) -> np.uint64:
    """The word with one bit set. Requires: 0 <= index < 64 (a shift by 64 differs compiled and not)."""
    return ONE << np.uint64(index)


@kernel
def has(word: np.uint64, index: int) -> int:
    """1 if the bit is set, else 0. Requires: 0 <= index < 64."""
    return np.int64((word >> np.uint64(index)) & ONE)


@kernel
def count(word: np.uint64) -> int:
    """How many bits are set (compiled to one instruction)."""
    word = word - ((word >> _1) & _PAIRS)
    word = (word & _FOURS) + ((word >> _2) & _FOURS)
    word = (word + (word >> _4)) & _EIGHTS
    return np.int64((word * _BYTES) >> _56)


@kernel
def lowest(word: np.uint64) -> int:
    """The index of the lowest set bit. Requires: word is not 0."""
    return count(~word & (word - ONE))


def cells_of(rows: npt.NDArray[np.uint64]) -> set[tuple[int, int]]:
    """The (column, row) places of a set of cells given as `rows: uint64[64]`."""
    bits = np.unpackbits(np.ascontiguousarray(rows).view(np.uint8), bitorder="little").reshape(SIZE, SIZE)
    return {(int(column) - ORIGIN, int(row) - ORIGIN) for row, column in zip(*np.nonzero(bits), strict=True)}


def rows_of_coords(coords: set[tuple[int, int]]) -> npt.NDArray[np.uint64]:
    """The set of cells `uint64[64]` at these (column, row) places."""
    rows = np.full(SIZE, ZERO)
    for column, row in coords:
        rows[row + ORIGIN] |= bit(column + ORIGIN)
    return rows
