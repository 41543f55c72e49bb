"""Random legal play in one kernel: the baseline of `saboteur-env bench`, and a source of positions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from saboteur_env.core.compiled.jit import ONE, ZERO, kernel
from saboteur_env.core.prng import below
from saboteur_env.engine.deal import start_match
from saboteur_env.engine.legal import legal_moves
from saboteur_env.engine.play import next_round_unchecked, play_unchecked
from saboteur_env.engine.state import Games


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
