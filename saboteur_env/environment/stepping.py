"""One decision of a game: the fast code that every environment shares."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.compiled.jit import kernel
from ..core.compiled.memory import record_dtype
from ..engine.legal import MAX_MOVES, legal_moves
from ..engine.play import next_round_unchecked, play_unchecked
from ..engine.state import MAX_PLAYERS, Games, Private, Public
from ..heuristics.card_distance import SCRATCH
from .actions import WindowCodec, legal_actions, move_of_action
from .encoder import observe
from .rewards import Wages, pay_round, potential

ILLEGAL, GOES_ON, ROUND_OVER, MATCH_OVER = range(4)

# What a stepping game needs besides its record.
STEP = record_dtype(
    ("moves", "i4", MAX_MOVES),
    ("actions", "i4", MAX_MOVES),
    ("paid", "f8", MAX_PLAYERS),  # to each seat by the last step
    ("potential", "f8", MAX_PLAYERS),  # of each seat at its last decision, not a number before the first
    ("distance", SCRATCH),
)


def new_step() -> npt.NDArray[np.void]:
    """Scratch for one game: STEP[1]."""
    step = np.zeros(1, STEP)
    reset_step(step)
    return step


def reset_step(step: npt.NDArray[np.void]) -> None:
    """Clear the potentials, at the start of an episode.

    Args:
        step: STEP[n].

    Mutates: step.
    """
    step["potential"][:] = np.nan


@kernel
def list_actions(public: Public, private: Private, codec: WindowCodec, step: Any) -> int:
    """List the legal actions of the seat to move in `step.actions`; returns their number."""
    count = legal_moves(public, private, step.moves)
    return legal_actions(step.moves, count, np.int64(public.seat), np.int64(public.rules.players), codec, step.actions)


@kernel
def take_action(games: Games, action: int, codecs: Any, reward: int, steps: Any) -> int:
    """Let the seat to move of the first game take an action; deal the next round where one ends.

    Args:
        games: STATE[n].
        action: a number of the actions, or any other int, which is illegal.
        codecs: FRAME[1], the window.
        reward: a number of REWARDS.
        steps: STEP[1], scratch; afterwards `paid` of each seat, without shaping.

    Mutates: games and steps, but neither where the action is illegal.

    Returns: ILLEGAL, GOES_ON, ROUND_OVER or MATCH_OVER.
    """
    game, step = games[0], steps[0]
    public = game.public
    seat = np.int64(public.seat)
    count = list_actions(public, game.private[seat], codecs[0], step)
    index = 0
    while index < count and step.actions[index] != action:
        index += 1
    if index == count:
        return ILLEGAL
    for other in range(MAX_PLAYERS):
        step.paid[other] = 0.0
    play_unchecked(game, move_of_action(action, seat, np.int64(public.rules.players), codecs[0]))
    if not public.over:
        return GOES_ON
    pay_round(game, reward, step.paid)
    if public.round_number == public.rules.rounds:
        return MATCH_OVER
    next_round_unchecked(game)
    return ROUND_OVER


@kernel
def shape(games: Games, over: bool, wages: tuple[Any, ...], steps: Any) -> None:
    """Pay the seat to move for what became of its potential since its last decision, and note the potential.

    It is called after a reset and after each step. Most environments have no shaping, and do not compile it.

    Args:
        games: STATE[n].
        over: whether the match is; then the potential of all seats is 0.
        wages: the fields of `Wages`.
        steps: STEP[1].

    Mutates: steps.
    """
    game, step, by = games[0], steps[0], Wages(wages[0], wages[1], wages[2])
    public = game.public
    for seat in range(public.rules.players):
        if not over and seat != public.seat:
            continue
        now = 0.0 if over else potential(game, seat, by.shaping, step.distance)
        if not np.isnan(step.potential[seat]):
            step.paid[seat] += by.gamma * now - step.potential[seat]
        step.potential[seat] = now


@kernel
def look(publics: Any, privates: Any, seat: int, encoding: tuple[Any, ...], steps: Any, seen: Any) -> None:
    """Write the observation of a seat and the mask of its legal actions; the mask is zero unless the seat is to move.

    Args:
        publics: PUBLIC[1]; privates: PRIVATE[1, 10].
        encoding: the fields of `Encoding`.
        steps: STEP[1], scratch.
        seen: int8[bytes of an observation + actions], the mask last. Requires: all zero. Mutates it.
    """
    codecs, history, size = encoding
    public, private, codec, mask = publics[0], privates[0, seat], codecs[0], seen[size:]
    observe(public, private, seat, codec, history, seen[:size])
    if public.seat == seat and not public.over:
        for index in range(list_actions(public, private, codec, steps[0])):
            mask[steps[0].actions[index]] = 1
