"""The one place where kernels turn a dwarf into its choice."""

from __future__ import annotations

from typing import Any

import numpy as np

from saboteur_env.core.compiled.jit import kernel
from saboteur_env.engine.legal import legal_moves
from saboteur_env.engine.state import InfoState

from .policy import Workspace, choose_scripted, score_moves, weigh
from .random import choose_random


@kernel
def choose(dwarf: Any, known: InfoState, stream: np.uint64, space: Workspace) -> int:
    """The move that a dwarf, a DWARF record (params.py), plays in the seat to move. Mutates: space."""
    count = legal_moves(known.public, known.own, space.moves)
    place = choose_scripted(dwarf, known, count, stream, space) if dwarf.scripted else choose_random(count, stream)
    return np.int64(space.moves[place])


@kernel
def chances(dwarf: Any, known: InfoState, space: Workspace, shares: Any) -> int:
    """List the legal moves in `space.moves`, and how likely `choose` plays each; returns their number.

    Mutates: space; shares, float64[>= the number].
    """
    count, whim = legal_moves(known.public, known.own, space.moves), 0.0
    for i in range(count):
        shares[i] = 0.0
    if dwarf.scripted:
        whim = score_moves(dwarf, known, count, space, shares)
    weigh(shares, count, whim)
    return count
