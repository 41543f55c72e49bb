"""The worlds that agree with what a seat knows: the saboteurs, including the dwarf aside, and the treasure.

Before the first move all of them are equally likely (Rules 2.1, 2.3): the pool of roles is dealt uniformly, and so are
the goals. A world is one number, ``roles | treasure << 11``: a bit for each seat that is a saboteur, bit 10 for the
dwarf aside, then the goal with the treasure.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.checks import as_int
from ..core.compiled.jit import kernel
from ..engine.bitboard import count
from ..engine.cards import ROLES, TREASURE, UNKNOWN
from ..engine.play import goals_reached
from ..engine.state import ASIDE, CHOOSE_TURN, MAX_GOALS, MAX_PLAYERS, RUNNING, InfoState, known_face

MAX_WORLDS = comb(MAX_PLAYERS + 1, (MAX_PLAYERS + 1) // 2) * MAX_GOALS
ANY = -1  # in the place of roles or of a treasure that are not given

Worlds = npt.NDArray[np.int16]


@kernel
def roles_in(world: int) -> int:
    """The saboteurs of a world as bits, bit 10 for the dwarf aside."""
    return world & (1 << ASIDE + 1) - 1


@kernel
def treasure_in(world: Any) -> Any:
    """The goal with the treasure in a world, or in each of an array of worlds."""
    return world >> ASIDE + 1


@kernel
def list_worlds(known: InfoState, worlds: Worlds) -> int:
    """Write the worlds that fit what a seat knows, and return their number: at most 990 with printed roles.

    Args:
        worlds: int16[MAX_WORLDS], overwritten from the front.
    """
    public, private, seat = known
    players, saboteurs = np.int64(public.rules.players), np.int64(public.rules.saboteurs)
    cards = saboteurs + np.int64(public.rules.miners)
    goals, result = treasure_goals(known), 0
    for role_bits in range(1 << cards):
        roles = role_bits & (1 << players) - 1 | role_bits >> players << ASIDE
        if public.winner != RUNNING:
            fits = roles == public.roles
        else:
            fits = count(np.uint64(role_bits)) == saboteurs and role_bits >> seat & 1 == private.role
        if fits:
            for goal in range(public.rules.goals):
                worlds[result] = roles | goal << ASIDE + 1
                result += goals >> goal & 1
    return result


@kernel
def treasure_goals(known: InfoState) -> int:
    """The goals that may be the treasure as far as a seat knows, as bits; each is as likely as any other."""
    public, unknown = known.public, 0
    for goal in range(public.rules.goals):
        face = known_face(public, known.private, goal)
        if face == TREASURE:
            return 1 << goal
        unknown |= (face == UNKNOWN) << goal
    # A stone waits to be turned: the goals reached along with it hide no treasure, which goes first (4.4).
    reached = goals_reached(public) if public.choice == CHOOSE_TURN else 0
    return unknown & ~reached if unknown & ~reached else unknown


def checked_roles(known: InfoState, roles: Sequence[str] | None) -> int:
    """The roles at the table as bits, bit 10 for the dwarf aside; ANY for None.

    Args:
        roles: a name for each seat. The role that is left over lies aside.

    Raises: ValueError where they do not fit what the seat knows.
    """
    if roles is None:
        return ANY
    public, private, seat = known
    players, saboteurs = int(public.rules.players), int(public.rules.saboteurs)
    if isinstance(roles, str) or len(roles) != players or any(role not in ROLES for role in roles):
        raise ValueError(f"roles must be one of {', '.join(ROLES)} for each of {players} seats, not {roles!r}")
    role_bits = sum(ROLES.index(role) << index for index, role in enumerate(roles))
    left = saboteurs - role_bits.bit_count()
    if left not in range(saboteurs + int(public.rules.miners) - players + 1):
        raise ValueError(
            f"roles: {role_bits.bit_count()} saboteurs at the table; {saboteurs} are among the roles dealt"
        )
    if role_bits >> seat & 1 != private.role:
        raise ValueError(f"roles: seat {seat} is a {ROLES[private.role]} and knows it")
    if public.winner != RUNNING and role_bits | left << ASIDE != public.roles:
        raise ValueError("roles: the round has a winner, and all know the roles")
    return role_bits | left << ASIDE


def checked_treasure(known: InfoState, treasure: int | None) -> int:
    """The goal with the treasure; ANY for None.

    Raises: ValueError where it does not fit what the seat knows.
    """
    if treasure is None:
        return ANY
    goals = treasure_goals(known)
    possible = [index for index in range(int(known.public.rules.goals)) if goals >> index & 1]
    goal = as_int(treasure)
    if goal is None or goal not in possible:
        raise ValueError(f"treasure: it may lie at {possible} as far as the seat knows, not at {treasure!r}")
    return goal
