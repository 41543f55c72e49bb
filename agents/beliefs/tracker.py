"""Incremental belief tracking for a batch: the acting seat's saboteur probabilities in every game (filter.py).

Each step processes only new events. It reads what the seat to move sees: the public record and its private record.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.batch.threads import Threads, even_parts
from saboteur_env.core.compiled.jit import kernel
from saboteur_env.engine.state import MAX_PLAYERS, to_move
from saboteur_env.inference.worlds import MAX_WORLDS

from .action_model import TRACKED, ActionModel, PlayerTypes, track
from .action_model_file import fitted
from .filter import weigh_worlds, write_clockwise


class BeliefTracker:
    """Belief tracker for all games of a batch. It works on the threads of the batch.

    Args:
        vec: the batch (vector.py).
        action_model: the model of acts; the default one if not given.
    """

    def __init__(self, vec: Any, action_model: ActionModel | None = None) -> None:
        self._vec, self._styles = vec, (action_model or fitted()).styles
        self._followed, self._threads = np.zeros(vec.num_games, TRACKED), Threads(vec.threads)
        self._worlds, self._weights = np.empty((vec.threads, MAX_WORLDS), np.int16), np.empty((vec.threads, MAX_WORLDS))

    def start_from(self, tracked: Any) -> None:
        """Let all games go on from one: a TRACKED record (action_model.py)."""
        self._followed[:] = tracked

    def saboteur_probabilities(self, games: npt.NDArray[np.int64] | None = None) -> npt.NDArray[np.float32]:
        """For each seat, from the one to move clockwise, the probability to be a saboteur; 0 where nobody sits.

        Args:
            games: int64[k], which games, each once; all if not given.

        Returns: float32[k, 10].
        """
        asked = np.arange(self._vec.num_games) if games is None else games
        seen = np.zeros((len(asked), MAX_PLAYERS), np.float32)
        parts = even_parts(len(asked), self._vec.threads)

        def look(i: int) -> None:
            part, scratch = slice(*parts[i]), (self._worlds[i], self._weights[i])
            _look(self._vec.records, asked[part], self._styles, self._followed, *scratch, seen[part])

        self._threads.run(look)
        return seen


@kernel
def _look(records: Any, games: Any, styles: PlayerTypes, followed: Any, worlds: Any, weights: Any, seen: Any) -> None:
    for row in range(len(games)):
        i = games[row]
        track(records[i].public, styles, followed[i])
        known = to_move(records[i])
        size = weigh_worlds(known, followed[i].trace.log_likelihood, worlds, weights)
        write_clockwise(known, worlds, weights, size, seen[row])
