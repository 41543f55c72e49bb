"""The one place where kernels choose a move for a dwarf."""

from __future__ import annotations

from typing import Any

import numpy as np

from saboteur_env.core.compiled.jit import kernel
from saboteur_env.engine.legal import legal_moves, quiet_moves
from saboteur_env.engine.state import InfoState

from .policy import Workspace, choose_scripted, score_moves, softmax
from .random import choose_random


@kernel
def choose(dwarf: Any, known: InfoState, random_key: np.uint64, scratch: Workspace) -> int:
    """The move that a dwarf, a DWARF record (params.py), plays in the seat to move. Mutates: space."""
    count = _list_moves(dwarf, known, scratch)
    index = (
        choose_scripted(dwarf, known, count, random_key, scratch)
        if dwarf.scripted
        else choose_random(count, random_key)
    )
    return np.int64(scratch.moves[index])


@kernel
def _list_moves(dwarf: Any, known: InfoState, scratch: Workspace) -> int:
    # A script says no words (Rules 9); a dwarf that plays any legal move says any.
    if dwarf.scripted:
        return quiet_moves(known.public, known.private, scratch.moves)
    return legal_moves(known.public, known.private, scratch.moves)


@kernel
def action_probabilities(dwarf: Any, known: InfoState, scratch: Workspace, probabilities: Any) -> int:
    """List the legal moves in `space.moves`, and how likely `choose` plays each; returns their number.

    Mutates: space; shares, float64[>= the number].
    """
    count, temperature = _list_moves(dwarf, known, scratch), 0.0
    for i in range(count):
        probabilities[i] = 0.0
    if dwarf.scripted:
        temperature = score_moves(dwarf, known, count, scratch, probabilities)
    softmax(probabilities, count, temperature)
    return count
