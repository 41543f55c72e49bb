"""The one place where kernels choose a move for a dwarf: by its script, by its network, or at random."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from saboteur_env.core import prng
from saboteur_env.core.compiled.jit import ZERO, kernel, separate
from saboteur_env.engine.legal import legal_moves, quiet_moves
from saboteur_env.engine.state import InfoState

from .policy import Workspace, score_by_script
from .random import choose_random
from .small_network import score_by_network

_PARTS = 1.0 / (1 << 53)


@separate
def choose(dwarf: Any, known: InfoState, random_key: np.uint64, scratch: Workspace) -> int:
    """The move that a dwarf, a DWARF record (params.py), plays in the seat to move. Mutates: space."""
    count = _list_moves(dwarf, known, scratch)
    index = (
        _choose_by_score(dwarf, known, count, random_key, scratch)
        if dwarf.scripted or dwarf.learned
        else choose_random(count, random_key)
    )
    return np.int64(scratch.moves[index])


@kernel
def _list_moves(dwarf: Any, known: InfoState, scratch: Workspace) -> int:
    # Who plays by a script or a network says no words (Rules 9); a dwarf that plays any legal move says any.
    if dwarf.scripted or dwarf.learned:
        return quiet_moves(known.public, known.private, scratch.moves)
    return legal_moves(known.public, known.private, scratch.moves)


@separate
def action_probabilities(dwarf: Any, known: InfoState, scratch: Workspace, probabilities: Any) -> int:
    """List the legal moves in `space.moves`, and how likely `choose` plays each; returns their number.

    Mutates: space; shares, float64[>= the number].
    """
    count, temperature = _list_moves(dwarf, known, scratch), 0.0
    for i in range(count):
        probabilities[i] = 0.0
    if dwarf.scripted or dwarf.learned:
        temperature = score_moves(dwarf, known, count, scratch, probabilities)
    softmax(probabilities, count, temperature)
    return count


@separate
def score_moves(dwarf: Any, known: InfoState, count: int, space: Workspace, scores: Any) -> float:
    """Compute the points of each move, by the script of a dwarf or by its network.

    Args:
        dwarf: a DWARF record that is not random.
        count: how many legal moves are listed in `space`.
        scores: float64[>= count], overwritten.

    Mutates: space. Returns: the temperature at which it plays them; 0 plays the best.
    """
    if dwarf.learned:
        return score_by_network(dwarf, known, count, space, scores)
    return score_by_script(dwarf, known, count, space, scores)


@kernel
def _choose_by_score(dwarf: Any, known: InfoState, count: int, random_key: np.uint64, scratch: Workspace) -> int:
    # The index of the move it plays; equally good ones at random.
    scores = scratch.scratch.scores
    temperature = score_moves(dwarf, known, count, scratch, scores)
    if temperature > 0:
        softmax(scores, count, temperature)
        return _sampled(scores, count, random_key)
    best, ties = scores[0], 0
    for i in range(count):
        if scores[i] > best:
            best, ties = scores[i], 0
        ties += scores[i] == best
    left = prng.below(random_key, ZERO, ties)[0] if ties > 1 else 0
    for i in range(count):
        left -= scores[i] == best
        if left < 0:
            return i
    return 0


@kernel
def _sampled(probabilities: Any, count: int, random_key: np.uint64) -> int:
    random_number = np.float64(prng.number(random_key, ZERO) >> np.uint64(11)) * _PARTS
    target = 0
    for i in range(count):
        if probabilities[i] > 0:
            target = i
            random_number -= probabilities[i]
            if random_number < 0:
                break
    return target


@kernel
def softmax(scores: Any, count: int, temperature: float) -> None:
    """Turn scores into the probabilities of the moves. Mutates: scores."""
    best, total = scores[0], 0.0
    for i in range(count):
        best = max(best, scores[i])
    for i in range(count):
        if temperature > 0:
            scores[i] = math.exp((scores[i] - best) / temperature)
        else:
            scores[i] = np.float64(scores[i] == best)
        total += scores[i]
    for i in range(count):
        scores[i] /= total
