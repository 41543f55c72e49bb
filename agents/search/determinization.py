"""Determinizations: worlds sampled by the belief of a seat, the rest uniformly at random (filter.py)."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from saboteur_env.core.compiled.jit import kernel, separate
from saboteur_env.core.compiled.memory import record_dtype
from saboteur_env.engine.cards import ROLES
from saboteur_env.engine.state import MAX_GOALS, MAX_PLAYERS, STATE, InfoState, State
from saboteur_env.game.view import View
from saboteur_env.inference.worlds import MAX_WORLDS

from ..beliefs.action_model import TRACE, PlayerTypes, update_round
from ..beliefs.action_model_file import MODEL_NAMES, named_model
from ..beliefs.filter import draw_game, weigh_worlds
from ..beliefs.script_model import HANDS, SCRIPT_SCRATCH, SCRIPT_SHARE, SLIP, Script, update_by_script
from ..scripted.presets import DWARFS, number_of

FITTED, SCRIPT = 1, 2  # by which acts are explained: either, both or neither


class Evidence(NamedTuple):
    """The model of the other seats' actions, as kernels read it.

    Attributes:
        models: FITTED, SCRIPT, the sum of both or 0. By both, each seat follows one of them all along.
        styles: the action model (action_model.py).
        dwarfs: DWARF[1] (params.py), whose script it is.
    """

    models: int
    styles: PlayerTypes
    dwarfs: npt.NDArray[np.void]

    @classmethod
    def of(cls, name: str) -> Evidence:
        """The model of a name.

        Args:
            name: `fitted` or `doubting` (action_model_file.py), a preset dwarf, one of both kinds as in
                `doubting+ppo-small`, or `none`.

        Raises: ValueError for an unknown name.
        """
        first, _, rest = name.partition("+")
        known, script = (first, rest) if first in MODEL_NAMES else ("", name)
        models = (FITTED if known else 0) + (0 if name in ("none", known) else SCRIPT)
        dwarf = number_of(script) if models & SCRIPT else 0
        return cls(models, named_model(known or "fitted").styles, DWARFS[[dwarf]])


# What a seat believes, and the room to find it out in.
BELIEF = record_dtype(
    ("worlds", "i2", MAX_WORLDS),
    ("weights", "f8", MAX_WORLDS),
    ("size", "i8"),
    ("log_likelihood", "f8", (MAX_PLAYERS, len(ROLES), MAX_GOALS)),
    ("game", STATE),
    ("trace", TRACE),
    ("script_scratch", SCRIPT_SCRATCH),
)


@separate
def update_belief(belief: Any, known: InfoState, evidence: Evidence) -> None:
    """Weigh the worlds that agree with what a seat knows by the likelihood of the others' actions. Mutates: belief."""
    public, log_likelihood = known.public, belief.log_likelihood
    log_likelihood[:] = 0.0
    if evidence.models & SCRIPT:
        script = Script(evidence.dwarfs[0], HANDS, SLIP)
        update_by_script(public, script, belief.game, belief.script_scratch, log_likelihood)
    if evidence.models & FITTED:
        update_round(public, evidence.styles, belief.game, belief.trace)
        if evidence.models & SCRIPT:
            _join(belief.trace.log_likelihood, log_likelihood)
        else:
            log_likelihood = belief.trace.log_likelihood
    belief.size = weigh_worlds(known, log_likelihood, belief.worlds, belief.weights)


@kernel
def _join(fitted: Any, log_likelihood: Any) -> None:
    # As `Mixture`: the likelihood by the script, if it is that of a share of the dwarfs. Mutates: log_likelihood.
    for seat in range(MAX_PLAYERS):
        for role in range(len(ROLES)):
            for treasure in range(MAX_GOALS):
                by_fitted = fitted[seat, role, treasure] + math.log1p(-SCRIPT_SHARE)
                by_script = log_likelihood[seat, role, treasure] + math.log(SCRIPT_SHARE)
                log_likelihood[seat, role, treasure] = np.logaddexp(by_fitted, by_script)


def saboteur_shares(belief: Any, view: View) -> list[float | None]:
    """The weight of the worlds in which each seat is a saboteur, by a BELIEF record; None for the own seat."""
    worlds, weights = belief["worlds"][: belief["size"]], belief["weights"][: belief["size"]]
    shares = np.clip(weights @ (worlds[:, None] >> np.arange(view.rules.players) & 1), 0, 1).tolist()
    return [None if seat == view.seat else share for seat, share in enumerate(shares)]


@separate
def sample_determinization(belief: Any, known: InfoState, game: State, seed: np.uint64) -> None:
    """Fill a whole game that the seat may be in. Mutates: game. Requires: as `resample`."""
    draw_game(known, belief.worlds, belief.weights, np.int64(belief.size), game, seed)
