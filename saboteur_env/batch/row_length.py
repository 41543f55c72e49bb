"""The length that a row of legal actions needs."""

from __future__ import annotations

import numpy as np

from ..core.compiled.memory import LINE
from ..engine.bitboard import STEPS
from ..engine.cards import (
    FIRST_REPAIR,
    KINDS,
    MAP,
    ORIENTATION_OF_KIND,
    PATH_KINDS,
    ROCKFALL,
    TOOLS_OF_REPAIR,
    turned,
)
from ..engine.editions import Rules

PER_LINE = LINE // np.dtype(np.int32).itemsize


def row_length(rules: Rules) -> int:
    """The length of a row: at least as long as the legal actions of any position of these rules.

    In whole cache lines, and an odd number of them: rows an even number apart fight for the same places in a cache.
    """
    kinds = [kind for kind in range(len(KINDS)) if rules.deck[kind]]
    others = [_targets(kind, rules) for kind in kinds if kind >= PATH_KINDS]
    lies = [[_lies(kind, side) for kind in kinds if kind < PATH_KINDS] for side in range(len(STEPS))]
    most = max(
        open_sides(rules) * max(_most(at_side, count) for at_side in lies) + _most(others, rules.hand_size - count)
        for count in range(rules.hand_size + 1)  # path cards in hand
    )
    most += rules.hand_size + 2 * rules.players * rules.talks  # discards and words
    return (-(-most // PER_LINE) | 1) * PER_LINE


def _most(numbers: list[int], count: int) -> int:
    return sum(sorted(numbers)[len(numbers) - min(count, len(numbers)) :])


def _lies(kind: int, side: int) -> int:
    # In how many ways a path card can lie where it must be open to a side.
    upright = int(ORIENTATION_OF_KIND[kind])
    return sum(orientation >> side & 1 for orientation in {upright, turned(upright)})


def _targets(kind: int, rules: Rules) -> int:
    # How many moves an action card gives at most, besides its discard.
    if kind == ROCKFALL:
        return sum(rules.deck[:PATH_KINDS])
    if kind == MAP:
        return len(rules.goal_cells)
    tools = int(TOOLS_OF_REPAIR[kind - FIRST_REPAIR]).bit_count() if kind >= FIRST_REPAIR else 1
    return tools * rules.players


def open_sides(rules: Rules) -> int:
    """No mine has more open sides towards empty cells.

    The start has four, a stone two. A card of n sides covers one of them and adds n - 1 at most; a rockfall opens the
    sides around it, four at most.
    """
    sides = [int(orientation & 15).bit_count() for orientation in ORIENTATION_OF_KIND]
    laid = sum(copies * max(0, n - 2) for copies, n in zip(rules.deck, sides, strict=False))
    return 4 + 2 * len(rules.goal_cells) + 4 * rules.deck[ROCKFALL] + laid
