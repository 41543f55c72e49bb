"""Transitions of each seat from a self-play stream, in which the acting seat changes with every step.

The reward of a decision is the sum of the seat's rewards until its own next decision. The next
observation is that of its next decision. Seats and games are never chained into one another::

    step          0    1    2    3    4          seat 0: 0 -> 2, then the end
    seat to move  0    1    0    1    2          seat 1: 1 -> 3, then the end
    match ends                        x          seat 2: 4, then the end
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.compiled.jit import kernel
from ..engine.state import MAX_PLAYERS

PENDING = -1


@dataclass(frozen=True)
class Transitions:
    """For each decision of a stream [steps, games], in its place.

    Attributes:
        reward: float32, what the seat was paid until its next decision or the end.
        following: int32, the step of the seat's own next decision in that game; PENDING where the end came
            first or the stream stops before it.
        terminal: bool, whether the end came first. A decision that is neither terminal nor followed was cut
            off by the stream, and its reward is what was paid so far.
    """

    reward: npt.NDArray[np.float32]
    following: npt.NDArray[np.int32]
    terminal: npt.NDArray[np.bool_]


def link(seat: npt.ArrayLike, reward: npt.ArrayLike, ended: npt.ArrayLike) -> Transitions:
    """Link the decisions of every seat.

    Args:
        seat: int[steps, games], who acts in each step.
        reward: float[steps, games, 10], paid to all seats by each step.
        ended: bool[steps, games], whether the step ended the episode, for all seats together: pass `Vec.ended`,
            or `Vec.round_over` where rounds are the episodes.

    Raises: ValueError for shapes that do not fit.
    """
    seats, paid = np.asarray(seat, np.int64), np.asarray(reward, np.float64)
    ends = np.asarray(ended, np.bool_)
    if seats.ndim != 2 or paid.shape != (*seats.shape, MAX_PLAYERS) or ends.shape != seats.shape:
        raise ValueError(
            f"seat and ended must be [steps, games] and reward [steps, games, {MAX_PLAYERS}], "
            f"not {seats.shape}, {ends.shape} and {paid.shape}"
        )
    linked = Transitions(np.zeros(seats.shape, np.float32), np.zeros(seats.shape, np.int32), np.zeros_like(ends))
    _link(seats, paid, ends, linked.reward, linked.following, linked.terminal)
    return linked


@kernel
def _link(seats: Any, paid: Any, ends: Any, reward: Any, following: Any, terminal: Any) -> None:
    # Backwards through each game: what each seat is still to be paid, and where it decides next.
    owed, next_step = np.zeros(MAX_PLAYERS), np.zeros(MAX_PLAYERS, np.int64)
    over = np.zeros(MAX_PLAYERS, np.bool_)
    for game in range(seats.shape[1]):
        owed[:], next_step[:], over[:] = 0.0, PENDING, False
        for step in range(seats.shape[0] - 1, -1, -1):
            if ends[step, game]:
                owed[:], next_step[:], over[:] = 0.0, PENDING, True
            owed += paid[step, game]
            seat = seats[step, game]
            reward[step, game], following[step, game] = owed[seat], next_step[seat]
            terminal[step, game] = over[seat]
            owed[seat], next_step[seat], over[seat] = 0.0, step, False
