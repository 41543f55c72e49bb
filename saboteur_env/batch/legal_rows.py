"""The rows in which a batch lists legal actions, or moves: in numbers of two bytes where they fit."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.compiled.jit import inlined
from ..core.compiled.memory import LINE, aligned_zeros, in_place

MOVES = 1 << 21  # their numbers lie below (engine/moves.py)


class LegalRows(NamedTuple):
    """The rows, as kernels take them.

    Attributes:
        short: int16[n, L], or int16[0, L] where the numbers do not fit.
        long: int32[n, L] there, else int32[threads, L], room in which each thread lists a row before it is kept.
    """

    short: Any
    long: Any

    @property
    def listed(self) -> npt.NDArray[np.integer[Any]]:
        """The rows, as users of the batch see them."""
        rows: npt.NDArray[np.integer[Any]] = self.short if len(self.short) else self.long
        return rows

    def in_place(self) -> LegalRows:
        """A copy that begins where a cache line does; pickles do not keep it there."""
        return LegalRows(in_place(self.short), in_place(self.long))

    def of_thread(self, number: int) -> LegalRows:
        """The same for a thread, with its own room."""
        return self._replace(long=self.long[number : number + 1]) if len(self.short) else self


def blank_rows(games: int, threads: int, length: int, numbers: int) -> LegalRows:
    """Rows that have room for `length` numbers from 0 below `numbers`."""
    fit = numbers - 1 <= np.iinfo(np.int16).max
    return LegalRows(_blank(games if fit else 0, length, "i2"), _blank(threads if fit else games, length, "i4"))


def _blank(rows: int, length: int, dtype: str) -> npt.NDArray[Any]:
    # Whole cache lines, and no multiple of four of them: rows so far apart fight for the same places in a cache.
    size = np.dtype(dtype).itemsize
    lines = -(-length * size // LINE)
    return aligned_zeros((rows, (lines + (lines % 4 == 0)) * LINE // size), dtype)


@inlined
def room_for(rows: LegalRows, i: int) -> Any:
    """The row in which the legal moves of game `i` are to be listed: int32[L]."""
    return rows.long[0 if len(rows.short) else i]


@inlined
def number_at(rows: LegalRows, i: int, j: int) -> int:
    """The number at a place in the row of a game."""
    return np.int64(rows.short[i, j]) if len(rows.short) else np.int64(rows.long[i, j])
