"""A scripted dwarf for the checked game."""

from __future__ import annotations

from typing import Any

import numpy as np

from saboteur_env.core.checks import SEEDS, checked_int
from saboteur_env.core.compiled.jit import kernel
from saboteur_env.core.compiled.memory import PerThread
from saboteur_env.engine.cards import MINER
from saboteur_env.engine.legal import MAX_MOVES, legal_moves
from saboteur_env.engine.moves import text_of
from saboteur_env.game.view import View
from saboteur_env.heuristics.card_distance import SCRATCH

from .params import MINER_AT_WORK, SABOTEUR_AT_WORK, Dwarf, rows
from .presets import DWARFS, number_of
from .role_inference import judge
from .select import chances, choose


class KernelAgent:
    """A dwarf for the checked game: one of the roster (presets.py), by name, or of your own (params.py).

    Threads may share it.

    Raises: ValueError where there is no dwarf of this name.
    """

    def __init__(self, dwarf: str | Dwarf) -> None:
        self.name = dwarf if isinstance(dwarf, str) else type(dwarf).__name__
        self._dwarf = DWARFS[[number_of(dwarf)]] if isinstance(dwarf, str) else rows([dwarf])
        self._scratch = PerThread(_scratch)

    def act(self, view: View, seed: int) -> str:
        """The move this dwarf plays.

        Raises: ValueError where the view's seat is not to move, and for a bad seed.
        """
        return text_of(_act(*self._asked(view), np.uint64(checked_int("seed", seed, SEEDS))))

    def probabilities(self, view: View) -> dict[str, float]:
        """How likely each legal move is; what it likes equally well shares.

        Raises: as `act`.
        """
        count, (moves, scratch) = _weigh(*self._asked(view)), self._scratch.own
        chances = scratch[0]["scores"][:count].tolist()
        return {text_of(number): chance for number, chance in zip(moves[:count].tolist(), chances, strict=True)}

    def beliefs(self, view: View) -> list[float]:
        """For each seat the probability that it is a saboteur, by what it reads in the record; its own is known."""
        scratch = self._scratch.own[1]
        _suspect(self._dwarf, view.public, view.own, view.seat, scratch)
        guilt: list[float] = scratch[0]["guilt"][: view.rules.players].tolist()
        guilt[view.seat] = float(view.role == "saboteur")
        return guilt

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.name}>"

    def _asked(self, view: View) -> tuple[Any, Any, Any, Any, Any]:
        if view.turn != view.seat or view.public.over:
            raise ValueError(f"seat {view.seat} is not to move")
        return self._dwarf, view.public, view.own, *self._scratch.own


def _scratch() -> tuple[Any, Any]:
    return np.empty(MAX_MOVES, np.int32), np.zeros(1, SCRATCH)


@kernel
def _act(dwarfs: Any, public: Any, own: Any, moves: Any, scratch: Any, seed: np.uint64) -> int:
    count = legal_moves(public, own, moves)
    return np.int64(moves[choose(dwarfs[0], public, own, moves, count, seed, scratch[0])])


@kernel
def _weigh(dwarfs: Any, public: Any, own: Any, moves: Any, scratch: Any) -> int:
    count = legal_moves(public, own, moves)
    chances(dwarfs[0], public, own, moves, count, scratch[0], scratch[0].scores)
    return count


@kernel
def _suspect(dwarfs: Any, public: Any, own: Any, seat: int, scratch: Any) -> None:
    who = dwarfs[0].characters[MINER_AT_WORK if own.role == MINER else SABOTEUR_AT_WORK]
    judge(public, own, seat, who.clues, scratch[0].guilt, scratch[0].ways)
