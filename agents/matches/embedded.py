"""Opponents inside a batch: presets in kernels play until a seat is to move that somebody outside plays.

The batch does not import agents, so `make_vec` here passes them to it. The package exports this `make_vec`.
"""

from __future__ import annotations

from functools import partial, wraps
from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.batch import vector
from saboteur_env.batch.kernels import Embedded, Part, end_round
from saboteur_env.batch.opponents import random_keys
from saboteur_env.core.compiled.jit import kernel
from saboteur_env.core.prng import key
from saboteur_env.engine.play import play_unchecked
from saboteur_env.engine.state import to_move
from saboteur_env.environment.rewards import Wages

from ..scripted.policy import WORKSPACE
from ..scripted.presets import DWARFS, PRESETS
from ..scripted.select import choose
from .players import player_of


def embedded_dwarfs(more: npt.NDArray[np.void] = DWARFS[:0]) -> Embedded:
    """The presets as opponents inside a batch, and further scripted dwarfs numbered after them.

    Kernels take the dwarfs as data, so that further ones compile nothing.

    Args:
        more: DWARF[n] (params.py); number k is controller -1 - len(PRESETS) - k.
    """
    names = tuple(f"dwarf {number}" for number in range(1, len(more) + 1))
    dwarfs = np.concatenate([DWARFS, more])
    return Embedded((*PRESETS, *names), partial(play_embedded, dwarfs), WORKSPACE, player_of)


def play_embedded(dwarfs: Any, wages: Wages, seed: np.uint64, scratches: Any, part: Part) -> None:
    """Play the decisions of dwarfs in a part of the games, until a seat decided from outside is to move in each.

    Mutates: records and results; `show` must follow. Requires: in every game somebody outside plays a seat.

    Args:
        dwarfs: DWARF[n] (params.py); number k is controller -1 - k.
    """
    _play(dwarfs, wages, seed, scratches, part)


@kernel
def _play(dwarfs: Any, wages: Wages, seed: np.uint64, scratches: Any, part: Part) -> None:
    records, results, scratch, last = part.records, part.results, scratches[0], -len(dwarfs)
    for i in range(part.first, part.last):
        game, result = records[i], results[i]
        public = game.public
        while last <= result.playing[public.seat] < 0:
            random_key = random_keys(
                key(seed, i, result.episode), np.int64(public.round_number), np.int64(public.event_count)
            )
            dwarf = dwarfs[-1 - np.int64(result.playing[public.seat])]
            play_unchecked(game, choose(dwarf, to_move(game), random_key, scratch))
            if public.over:
                end_round(game, result, i, wages, seed, part)


EMBEDDED_PRESETS = embedded_dwarfs()


@wraps(vector.make_vec, assigned=["__doc__"])
def make_vec(*args: Any, **keywords: Any) -> vector.Vec:
    """See batch/vector.py."""
    return vector.make_vec(*args, **{"opponents": EMBEDDED_PRESETS, **keywords})
