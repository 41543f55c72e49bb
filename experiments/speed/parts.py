"""Where the time of a decision goes: parts done twice in the bare loop, outputs left out of a batch.

Run as ``saboteur-env bench --parts``.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.batch.vector import make_vec
from saboteur_env.core.compiled.jit import ONE, ZERO, kernel
from saboteur_env.core.prng import below
from saboteur_env.engine.deal import start_match
from saboteur_env.engine.legal import legal_moves
from saboteur_env.engine.play import next_round_unchecked, play_unchecked
from saboteur_env.engine.state import Games

from .engine import dealt

NO_PART, LIST, CHOOSE, DEAL = range(4)  # what is done twice

# A batch with more and more of its outputs.
BATCH_FORMS: dict[str, dict[str, Any]] = {
    "state and legal moves": {"observations": False, "mask": None, "legal": "moves"},
    "legal actions instead of moves": {"observations": False, "mask": None},
    "observation": {"mask": None},
    "mask": {},
}


@dataclass(frozen=True)
class Share:
    """The nanoseconds that a part adds to a decision."""

    part: str
    ns: float


@kernel
def play_doing_twice(
    games: Games, moves: npt.NDArray[np.int32], budget: int, random_key: np.uint64, twice: int
) -> np.uint64:
    """Play `budget` uniformly random legal moves in the first game, as `play_randomly` does, and do one part twice.

    Args:
        games: records with their rules filled in and the first round dealt. Mutates them.
        moves: int32[MAX_MOVES], scratch.
        random_key: key of the choices (prng.py).
        twice: LIST, CHOOSE, DEAL or NO_PART.

    Returns: a number that depends on all that was done, so that nothing is left out when this is compiled.
    """
    counter, game = ZERO, games[0]
    public = game.public
    for _ in range(budget):
        number = legal_moves(public, game.private[public.seat], moves)
        if twice == LIST:
            number = legal_moves(public, game.private[public.seat], moves)
        pick, counter = below(random_key, counter, number)
        if twice == CHOOSE:
            pick, counter = below(random_key, counter, number)
        play_unchecked(game, np.int64(moves[pick]))
        if public.over:
            for _ in range(1 + np.int64(twice == DEAL)):
                if public.round_number < public.rules.rounds:
                    next_round_unchecked(game)
                else:
                    start_match(game, game.secret.seed + ONE)
    return counter


def bare_parts(players: int = 5, moves: int = 200_000, runs: int = 7) -> list[Share]:
    """The parts of a move in the loop of one kernel over one game."""
    numbers = count(2)

    def run(twice: int) -> float:
        games, scratch = dealt(players)
        return _cpu_ns(lambda: play_doing_twice(games, scratch, moves, np.uint64(next(numbers)), twice), moves)

    run(NO_PART)
    laps = [[run(twice) for twice in (NO_PART, LIST, CHOOSE, DEAL)] for _ in range(runs)]
    whole, *parts = (median(lap[twice] - (lap[NO_PART] if twice else 0) for lap in laps) for twice in range(4))
    names = "list the legal moves", "choose one", "deal, once a round"
    shares = [Share(name, max(0.0, ns)) for name, ns in zip(names, parts, strict=True)]
    return [*shares, Share("play it", whole - sum(share.ns for share in shares)), Share("all", whole)]


def batch_parts(games: int, players: int = 5, steps: int = 30, runs: int = 7) -> list[Share]:
    """What each output adds to a decision in a batch on one thread, from the bare state on."""
    numbers = count()
    batches = [make_vec(games, players, 0, threads=1, **form) for form in BATCH_FORMS.values()]

    def run(vec: Any, steps: int) -> float:
        def play() -> None:
            for _ in range(steps):
                vec.take(vec.sample_indices(next(numbers)))

        return _cpu_ns(play, steps * games)

    for vec in batches:
        run(vec, 60)  # away from the first deal
    laps = [[run(vec, steps) for vec in batches] for _ in range(runs)]
    adds = [median(lap[i] - (lap[i - 1] if i else 0) for lap in laps) for i in range(len(BATCH_FORMS))]
    shares = [Share(name, ns) for name, ns in zip(BATCH_FORMS, adds, strict=True)]
    return [*shares, Share("all", median(lap[-1] for lap in laps))]


def _cpu_ns(work: Callable[[], object], decisions: int) -> float:
    began = time.process_time()
    work()
    return (time.process_time() - began) / decisions * 1e9
