"""The length that a row of legal actions needs."""

from __future__ import annotations

import numpy as np

from ..core.compiled.memory import LINE
from ..engine.cards import KINDS, ORIENTATION_OF_KIND, PATH_KINDS, ROCKFALL
from ..engine.editions import Rules

PER_LINE = LINE // np.dtype(np.int32).itemsize


def row_length(rules: Rules) -> int:
    """The length of a row: more than the legal actions of any position of these rules.

    In whole cache lines, and an odd number of them: rows an even number apart fight for the same places in a cache.
    """
    most = open_sides(rules) * min(26, 2 * rules.hand_size)
    most += sum(rules.deck[:PATH_KINDS]) + 12 * rules.players + 3 + len(KINDS)
    most += 2 * rules.players * rules.talks
    return (-(-most // PER_LINE) | 1) * PER_LINE


def open_sides(rules: Rules) -> int:
    """No mine has more open sides towards empty cells.

    The start has four, a stone two. A card of n sides covers one of them and adds n - 1 at most; a rockfall opens the
    sides around it, four at most.
    """
    sides = [int(orientation & 15).bit_count() for orientation in ORIENTATION_OF_KIND]
    laid = sum(copies * max(0, n - 2) for copies, n in zip(rules.deck, sides, strict=False))
    return 4 + 2 * len(rules.goal_cells) + 4 * rules.deck[ROCKFALL] + laid
