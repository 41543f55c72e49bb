"""Who plays each seat of a round: controllers by role and seat, mixtures drawn by the seed, a learner that moves.

A controller is a number: from 0 on a policy outside, 0 the learner; below 0 an opponent inside, preset k as -1 - k and
the others after them; from `FIRST_MIXTURE` down a mixture, which stands for one of its members in each round.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.checks import as_int, checked_int
from ..core.compiled.jit import ZERO, kernel
from ..core.compiled.memory import Record, record_dtype
from ..core.prng import LEARNER_SEAT, MIXTURES, below, key, number
from ..engine.editions import PLAYERS
from ..engine.state import MAX_PLAYERS, State

LEARNER = 0  # the controller that sits at every table
FIRST_MIXTURE, MAX_MIXTURES, MAX_MEMBERS = -101, 28, 64

SEATING = record_dtype(
    ("learner_role", "i1"),  # of which the learner takes one seat in every round; -1: the seats of controller 0
    ("member", "i1", (MAX_MIXTURES, MAX_MEMBERS)),
    ("limit", "f8", (MAX_MIXTURES, MAX_MEMBERS)),  # shares of the members so far; 1 from the last on
)


class Seating(Record):
    """A `SEATING` record, as kernels take it."""


def new_seating() -> npt.NDArray[np.void]:
    """No mixture, and a learner at the seats of controller 0: SEATING[1]."""
    seating = np.zeros(1, SEATING)
    seating["learner_role"] = -1
    return seating


@kernel
def take_seats(game: State, result: Any, seating: Seating, match: np.uint64) -> None:
    """Say who plays each seat of the round just dealt, in the match of this seed. Mutates: result.

    A round whose roles leave the learner no seat is played by the controllers of the other role, where these leave it
    one: a table of miners alone has no seat for who plays the saboteurs.
    """
    moves = seating.learner_role >= 0
    swapped = np.int64(not moves and not _learns(game, result, 0) and _learns(game, result, 1))
    for seat in range(MAX_PLAYERS):
        controller = np.int64(result.controller[game.private[seat].role ^ swapped, seat])
        result.playing[seat] = _member(controller, seating, match, np.int64(game.public.round_number))
    if moves:
        result.playing[_learner_seat(game, np.int64(seating.learner_role), match)] = LEARNER


@kernel
def _learns(game: State, result: Any, swapped: int) -> bool:
    for seat in range(game.public.rules.players):
        if result.controller[game.private[seat].role ^ swapped, seat] == LEARNER:
            return True
    return False


@kernel
def _member(controller: int, seating: Seating, match: np.uint64, round_number: int) -> int:
    # All seats of one mixture meet the same member.
    mixture = FIRST_MIXTURE - controller
    if mixture < 0:
        return controller
    drawn, member = uniform(key(match, round_number + MIXTURES, mixture)), 0
    while seating.limit[mixture, member] <= drawn and member + 1 < MAX_MEMBERS:
        member += 1
    return np.int64(seating.member[mixture, member])


@kernel
def _learner_seat(game: State, role: int, match: np.uint64) -> int:
    random_key = key(match, np.int64(game.public.round_number) + LEARNER_SEAT, role)
    seat = seat_of_role(game, role, random_key)
    return seat if seat >= 0 else seat_of_role(game, 1 - role, random_key)


@kernel
def seat_of_role(game: State, role: int, random_key: np.uint64) -> int:
    """One of the seats with a role, all as likely; -1 where there is none."""
    players, holders = np.int64(game.public.rules.players), 0
    for seat in range(players):
        holders += np.int64(game.private[seat].role == role)
    if holders == 0:
        return -1
    left = below(random_key, ZERO, holders)[0]
    for seat in range(players):
        left -= np.int64(game.private[seat].role == role)
        if left < 0:
            return seat
    return -1


@kernel
def uniform(random_key: np.uint64) -> float:
    """The first number of a random key as a float from 0 below 1."""
    return np.float64(number(random_key, ZERO) >> np.uint64(11)) * 2.0**-53


def players_of_games(players: Any, games: int) -> list[int]:
    """The number of players of each game, from one for all or one for each. Raises: ValueError that names a bad one."""
    given = [players] * games if as_int(players) is not None or np.ndim(players) == 0 else list(players)
    if len(given) != games:
        raise ValueError(f"players must be one number, or one for each of {games} games, not {len(given)}")
    return [checked_int("players", count, PLAYERS) for count in given]
