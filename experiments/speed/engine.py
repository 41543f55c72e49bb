"""Speed of the engine: random legal play with dealing and the full set of legal moves, on one and two threads.

Run as ``saboteur-env bench``.
"""

from __future__ import annotations

import platform
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from statistics import median

import numba
import numpy as np
import numpy.typing as npt

import saboteur_env
from saboteur_env.core.compiled.jit import ONE, ZERO, kernel
from saboteur_env.core.prng import below
from saboteur_env.engine.deal import start_match
from saboteur_env.engine.editions import Rules
from saboteur_env.engine.legal import MAX_MOVES, legal_moves
from saboteur_env.engine.play import next_round_unchecked, play_unchecked
from saboteur_env.engine.state import STATE, Games, blank, copy, words
from saboteur_env.game.game import start

from ..common.machine import machine


@dataclass(frozen=True)
class Speed:
    """Medians over the runs of one benchmark.

    Attributes:
        moves_a_second: one thread, one game after the other in one record.
        threads_ratio: moves a second of two threads by those of one, measured in turn.
        copy_ns: nanoseconds to copy one game in a kernel.
        moves_listed: legal moves listed for each move played.
    """

    moves_a_second: float
    best: float
    threads_ratio: float
    copy_ns: float
    moves_listed: float
    moves: int
    runs: int


def measure(players: int = 5, moves: int = 1_000_000, runs: int = 7) -> Speed:
    """Time random play. One and two threads alternate, so that a drift of the machine affects both equally."""
    _run(players, 1000)  # compiles
    item, ratio, listed = [], [], 0.0
    with ThreadPoolExecutor(2) as pool:
        for _ in range(runs):
            alone, listed = _run(players, moves)
            began = time.perf_counter()
            list(pool.map(lambda _: _run(players, moves), range(2)))
            item.append(moves / alone)
            ratio.append(2 * alone / (time.perf_counter() - began))
    return Speed(median(item), max(item), median(ratio), _copy_ns(), listed / moves, moves, runs)


def dealt(players: int) -> tuple[Games, npt.NDArray[np.int32]]:
    """One game dealt, and the scratch that `play_randomly` needs."""
    games = blank()
    Rules.make(players).write(games[0].public.rules)
    start(games, np.uint64(1))
    return games, np.empty(MAX_MOVES, np.int32)


def _run(players: int, moves: int) -> tuple[float, int]:
    games, scratch = dealt(players)
    began = time.perf_counter()
    _, _, listed = play_randomly(games, scratch, moves, np.uint64(2))
    return time.perf_counter() - began, listed


def _copy_ns(times: int = 200_000) -> float:
    games = words(blank(33))
    _copy_often(games, 1)
    began = time.perf_counter()
    _copy_often(games, times)
    return (time.perf_counter() - began) / times * 1e9


@kernel
def _copy_often(games: npt.NDArray[np.uint64], times: int) -> None:
    for i in range(times):
        copy(games[i & 31], games[32])


def facts(speed: Speed) -> dict[str, str]:
    """The measurements as rows of a table."""
    return {
        "random legal moves a second, one thread": f"{speed.moves_a_second:,.0f} (best {speed.best:,.0f})",
        "two threads by one": f"{speed.threads_ratio:.2f}",
        "copy of one game": f"{speed.copy_ns:.0f} ns",
        "record of one game": f"{STATE.itemsize:,} bytes",
        "counted": f"median of {speed.runs} runs of {speed.moves:,} moves: each lists all legal moves "
        f"({speed.moves_listed:.1f} on average), plays one, deals when a round ends",
        "machine": machine(),
        "versions": f"saboteur_env {saboteur_env.__version__}, Python {platform.python_version()}, "
        f"numba {numba.__version__}, NumPy {np.__version__}",
    }


@kernel
def play_randomly(
    games: Games, moves: npt.NDArray[np.int32], budget: int, random_key: np.uint64
) -> tuple[int, int, int]:
    """Play `budget` uniformly random legal moves in every game, in turn, dealing again as matches end.

    Args:
        games: records with their rules filled in and the first round dealt. Mutates them.
        moves: int32[MAX_MOVES], scratch.
        random_key: key of the choices (prng.py).

    Returns: moves played, rounds finished, legal moves listed.
    """
    counter, rounds, listed = ZERO, 0, 0
    for i in range(len(games)):
        game = games[i]
        public = game.public
        for _ in range(budget):
            count = legal_moves(public, game.private[public.seat], moves)
            listed += count
            pick, counter = below(random_key, counter, count)
            play_unchecked(game, np.int64(moves[pick]))
            if public.over:
                rounds += 1
                if public.round_number < public.rules.rounds:
                    next_round_unchecked(game)
                else:
                    start_match(game, game.secret.seed + ONE)
    return len(games) * budget, rounds, listed
