"""What a dwarf is: it gets a view and a seed, and answers with a move. It holds no game."""

from __future__ import annotations

from collections import Counter
from typing import Any, Protocol, runtime_checkable

import numpy as np

from saboteur_env.engine.distance import SCRATCH
from saboteur_env.engine.jit import kernel
from saboteur_env.engine.legal import MAX_MOVES, legal_moves
from saboteur_env.engine.moves import text_of
from saboteur_env.engine.view import View

from .choose import choose
from .roster import number_of

DRAWS = 100


@runtime_checkable
class Agent(Protocol):
    """A dwarf for the checked game.

    An agent may also have `probabilities(view) -> dict[str, float]` over the legal moves, and `beliefs(view) ->
    list[float | None]`: for each seat the probability that it is a saboteur, None where it says nothing.
    """

    def act(self, view: View, seed: int) -> str:
        """A legal move of the seat whose view this is. The same view and seed give the same move."""
        ...


class KernelAgent:
    """A dwarf of the roster (roster.py), by name, for the checked game.

    Raises: ValueError where there is no dwarf of this name.
    """

    def __init__(self, name: str) -> None:
        self.name, self._number = name, number_of(name)
        self._moves, self._scratch = np.empty(MAX_MOVES, np.int32), np.zeros(1, SCRATCH)

    def act(self, view: View, seed: int) -> str:
        """The move this dwarf plays.

        Raises: ValueError where the view's seat is not to move.
        """
        if view.turn != view.seat or view.public.over:
            raise ValueError(f"seat {view.seat} is not to move")
        return text_of(_act(view.public, view.own, self._number, self._moves, np.uint64(seed), self._scratch))

    def probabilities(self, view: View) -> dict[str, float]:
        """How often it plays each move it plays at all, in so many draws of its lots.

        Raises: as `act`.
        """
        played = Counter(self.act(view, seed) for seed in range(DRAWS))
        return {move: times / DRAWS for move, times in played.items()}


@kernel
def _act(public: Any, own: Any, dwarf: int, moves: Any, seed: np.uint64, scratch: Any) -> int:
    count = legal_moves(public, own, moves)
    return np.int64(moves[choose(dwarf, public, own, moves, count, seed, scratch[0])])
