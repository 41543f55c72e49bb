"""The one place where kernels turn a dwarf into its choice."""

from __future__ import annotations

from typing import Any

import numpy as np

from saboteur_env.core.compiled.jit import kernel

from .policy import choose_scripted, score_moves, weigh
from .random import choose_random


@kernel
def choose(dwarf: Any, public: Any, own: Any, moves: Any, count: int, stream: np.uint64, scratch: Any) -> int:
    """The place in `moves` of the move that a dwarf, a DWARF record (params.py), chooses."""
    if dwarf.scripted:
        return choose_scripted(dwarf, public, own, moves, count, stream, scratch)
    return choose_random(count, stream)


@kernel
def chances(dwarf: Any, public: Any, own: Any, moves: Any, count: int, scratch: Any, shares: Any) -> None:
    """How likely `choose` chooses each of the moves.

    Mutates: shares, float64[>= count].
    """
    whim = 0.0
    for i in range(count):
        shares[i] = 0.0
    if dwarf.scripted:
        whim = score_moves(dwarf, public, own, moves, count, scratch, shares)
    weigh(shares, count, whim)
