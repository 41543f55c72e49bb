"""Determinizations: worlds sampled by the belief of a seat, the rest uniformly at random (filter.py)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from saboteur_env.core.compiled.jit import separate
from saboteur_env.core.compiled.memory import record_dtype
from saboteur_env.engine.cards import ROLES
from saboteur_env.engine.state import MAX_GOALS, MAX_PLAYERS, STATE, InfoState, State
from saboteur_env.game.view import View
from saboteur_env.inference.worlds import MAX_WORLDS

from ..beliefs.action_model import TRACE, PlayerTypes, update_round
from ..beliefs.action_model_file import MODEL_NAMES, fitted, named_model
from ..beliefs.filter import draw_game, weigh_worlds
from ..beliefs.script_model import SCRIPT_SCRATCH, Script, update_by_script
from ..scripted.presets import DWARFS, number_of

NOTHING, FITTED, SCRIPT = range(3)  # by which acts are explained
HANDS = 12  # drawn to explain an act by a script,
SLIP = 0.05  # which is left so often


class Evidence(NamedTuple):
    """The model of the other seats' actions, as kernels read it.

    Attributes:
        model: NOTHING, FITTED or SCRIPT.
        styles: the action model (action_model.py).
        dwarfs: DWARF[1] (params.py), whose script it is.
    """

    model: int
    styles: PlayerTypes
    dwarfs: npt.NDArray[np.void]

    @classmethod
    def of(cls, name: str) -> Evidence:
        """`none`, `fitted` or `doubting` for a fitted one (action_model_file.py), or a preset dwarf.

        Raises: ValueError for an unknown name.
        """
        model = {"none": NOTHING, **dict.fromkeys(MODEL_NAMES, FITTED)}.get(name, SCRIPT)
        dwarf = number_of(name) if model == SCRIPT else 0
        action_model = named_model(name) if model == FITTED else fitted()
        return cls(model, action_model.styles, DWARFS[[dwarf]])


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
    public = known.public
    belief.log_likelihood[:] = 0.0
    if evidence.model == FITTED:
        update_round(public, evidence.styles, belief.game, belief.trace)
        belief.log_likelihood[:] = belief.trace.log_likelihood
    elif evidence.model == SCRIPT:
        update_by_script(
            public, Script(evidence.dwarfs[0], HANDS, SLIP), belief.game, belief.script_scratch, belief.log_likelihood
        )
    belief.size = weigh_worlds(known, belief.log_likelihood, belief.worlds, belief.weights)


def saboteur_shares(belief: Any, view: View) -> list[float | None]:
    """The weight of the worlds in which each seat is a saboteur, by a BELIEF record; None for the own seat."""
    worlds, weights = belief["worlds"][: belief["size"]], belief["weights"][: belief["size"]]
    shares = np.clip(weights @ (worlds[:, None] >> np.arange(view.rules.players) & 1), 0, 1).tolist()
    return [None if seat == view.seat else share for seat, share in enumerate(shares)]


@separate
def sample_determinization(belief: Any, known: InfoState, game: State, seed: np.uint64) -> None:
    """Fill a whole game that the seat may be in. Mutates: game. Requires: as `resample`."""
    draw_game(known, belief.worlds, belief.weights, np.int64(belief.size), game, seed)
