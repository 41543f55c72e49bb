"""A scripted dwarf for the validated single game."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from saboteur_env.core.checks import SEEDS, checked_int
from saboteur_env.core.compiled.jit import kernel
from saboteur_env.core.compiled.memory import PerThread
from saboteur_env.engine.cards import MINER
from saboteur_env.engine.moves import text_of
from saboteur_env.engine.state import InfoState
from saboteur_env.game.view import View

from .params import MINER_AT_WORK, SABOTEUR_AT_WORK, Dwarf, parameter_rows
from .policy import WORKSPACE
from .presets import dwarf_of
from .role_inference import infer_roles
from .select import action_probabilities, choose


class KernelAgent:
    """A dwarf for the validated single game: a preset or a file of small weights by name, or your own (params.py).

    Threads may share it.

    Raises: ValueError where there is no dwarf of this name, or its file cannot be used.
    """

    def __init__(self, dwarf: str | Dwarf) -> None:
        self.name = dwarf if isinstance(dwarf, str) else type(dwarf).__name__
        self._dwarf = dwarf_of(dwarf) if isinstance(dwarf, str) else parameter_rows([dwarf])
        self._spaces = PerThread(partial(np.zeros, 1, WORKSPACE))

    def act(self, view: View, seed: int) -> str:
        """The move this dwarf plays.

        Raises: ValueError where the view's seat is not to move, and for a bad seed.
        """
        known = _asked(view)
        return text_of(_act(self._dwarf, known, self._spaces.local, np.uint64(checked_int("seed", seed, SEEDS))))

    def probabilities(self, view: View) -> dict[str, float]:
        """The probability of each legal move; moves with equal points share it equally.

        Raises: as `act`.
        """
        count, scratch = _weigh(self._dwarf, _asked(view), self._spaces.local), self._spaces.local[0]
        moves, probabilities = scratch["moves"][:count].tolist(), scratch["scratch"]["scores"][:count].tolist()
        return {text_of(number): probability for number, probability in zip(moves, probabilities, strict=True)}

    def beliefs(self, view: View) -> list[float]:
        """For each seat the probability that it is a saboteur, inferred from the record; its own role is known."""
        scratches = self._spaces.local
        _suspect(self._dwarf, view.info_state, scratches)
        saboteur_probability: list[float] = scratches[0]["scratch"]["saboteur_probability"][
            : view.rules.players
        ].tolist()
        saboteur_probability[view.seat] = float(view.role == "saboteur")
        return saboteur_probability

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.name}>"


def _asked(view: View) -> InfoState:
    if view.turn != view.seat or view.public.over:
        raise ValueError(f"seat {view.seat} is not to move")
    return view.info_state


@kernel
def _act(dwarfs: Any, known: InfoState, scratches: Any, seed: np.uint64) -> int:
    return choose(dwarfs[0], known, seed, scratches[0])


@kernel
def _weigh(dwarfs: Any, known: InfoState, scratches: Any) -> int:
    return action_probabilities(dwarfs[0], known, scratches[0], scratches[0].scratch.scores)


@kernel
def _suspect(dwarfs: Any, known: InfoState, scratches: Any) -> None:
    public, private, seat = known
    who, scratch = (
        dwarfs[0].characters[MINER_AT_WORK if private.role == MINER else SABOTEUR_AT_WORK],
        scratches[0].scratch,
    )
    infer_roles(public, private, seat, who.clues, scratch.saboteur_probability, scratch.role_counts)
