"""Role inference of scripted dwarfs, as a kernel on a view: who is likely a saboteur, given the record of the round.

Each move changes the log odds of its player (params.py, `RoleEvidence`). Then the odds are combined with the roles that
are left. All deals of the roles that this seat does not hold, to the others and to the dwarf aside, are considered. The
weight of a deal is the product of the odds of its saboteurs.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from saboteur_env.core.compiled.jit import kernel, separate
from saboteur_env.engine.cards import DEAD, EAST, NORTH, SABOTEUR, SOUTH, UNKNOWN, WEST
from saboteur_env.engine.moves import BREAK, LAY, REPAIR, ROCK, card_of, move_of, seat_of, target_of, verb_of
from saboteur_env.engine.state import Private, Public
from saboteur_env.heuristics.flood import FAR

_SURE = 4.0  # log odds beyond which no move counts
_NEVER_SO = 1e-300  # where the roles cannot be dealt so, all chances are 0


@separate
def infer_roles(
    public: Public, private: Private, seat: int, role_evidence: Any, saboteur_probability: Any, ways: Any
) -> None:
    """The probability of each other seat to be a saboteur, as this seat sees it.

    Args:
        role_evidence: the `clues` record of HeuristicWeights (params.py).
        saboteur_probability: float64[10], overwritten; 0 for the seat itself.
        ways: float64[12], scratch.
    """
    saboteur_probability[:] = 0.0
    _weigh_work(public, role_evidence, saboteur_probability)
    _weigh_tools(public, private, seat, role_evidence, saboteur_probability)
    _share_roles(public, private, seat, saboteur_probability, ways)


@kernel
def _weigh_work(public: Public, role_evidence: Any, saboteur_probability: Any) -> None:
    best = (FAR, FAR, FAR)
    for i in range(public.event_count):
        event = np.int64(public.events[i])
        number = move_of(event)
        if verb_of(number) == LAY:
            orientation, cell = card_of(number), target_of(number)
            if orientation & DEAD:
                saboteur_probability[seat_of(event)] += role_evidence.dead_end
                continue
            ahead = (
                min(best[0], leads_to(public, orientation, cell, 0)),
                min(best[1], leads_to(public, orientation, cell, 1)),
                min(best[2], leads_to(public, orientation, cell, 2)),
            )
            saboteur_probability[seat_of(event)] += role_evidence.forward * (ahead != best)
            best = ahead
        elif verb_of(number) == ROCK:
            saboteur_probability[seat_of(event)] += (
                role_evidence.clearing if was_dead_end(public, i, target_of(number)) else role_evidence.rockfall
            )


@kernel
def leads_to(public: Public, orientation: int, cell: int, goal: int) -> int:
    """How many steps from a goal face down the nearest cell is that a tunnel on this cell leads to."""
    if goal >= public.rules.goals or public.goal_face[goal] != UNKNOWN:
        return FAR
    there = np.int64(public.rules.goal_cell[goal])
    east, south = (there & 63) - (cell & 63), (there >> 6) - (cell >> 6)
    nearer = EAST * (east > 0) | WEST * (east < 0) | SOUTH * (south > 0) | NORTH * (south < 0)
    return abs(east) + abs(south) + (-1 if orientation & nearer else 1)


@kernel
def was_dead_end(public: Public, event: int, cell: int) -> bool:
    """Whether the card that lay on a cell before an event of the round was a dead end."""
    for i in range(event - 1, -1, -1):
        number = move_of(np.int64(public.events[i]))
        if verb_of(number) == LAY and target_of(number) == cell:
            return card_of(number) & DEAD != 0
    return False


@kernel
def _weigh_tools(public: Public, private: Private, judging: int, role_evidence: Any, saboteur_probability: Any) -> None:
    for i in range(public.event_count):
        event = np.int64(public.events[i])
        number, seat = move_of(event), seat_of(event)
        verb, victim = verb_of(number), target_of(number)
        if verb not in (BREAK, REPAIR) or victim == seat:
            continue
        known = 1.0 if private.role == SABOTEUR else -1.0
        looks = known if victim == judging else min(max(saboteur_probability[victim] / 2, -1.0), 1.0)
        saboteur_probability[seat] += role_evidence.tools * looks * (1 if verb == REPAIR else -1)


@kernel
def _share_roles(public: Public, private: Private, judging: int, saboteur_probability: Any, ways: Any) -> None:
    # ways[k]: the sum over all sets of k saboteurs of the product of their odds.
    players = np.int64(public.rules.players)
    saboteurs = max(np.int64(public.rules.saboteurs) - np.int64(private.role), 0)
    aside = np.int64(public.rules.saboteurs) + np.int64(public.rules.miners) - players
    ways[:] = 0.0
    ways[0] = 1.0
    for seat in range(players + aside):
        if seat < players:
            saboteur_probability[seat] = (
                math.exp(min(max(saboteur_probability[seat], -_SURE), _SURE)) if seat != judging else 0.0
            )
        odds = saboteur_probability[seat] if seat < players else 1.0
        for size in range(saboteurs, 0, -1):
            ways[size] += odds * ways[size - 1]
    for seat in range(players):
        without = 0.0  # this seat, the sum over all sets of one saboteur fewer than there are
        for size in range(saboteurs):
            without = ways[size] - saboteur_probability[seat] * without
        saboteur_probability[seat] = min(
            max(saboteur_probability[seat] * without / max(ways[saboteurs], _NEVER_SO), 0.0), 1.0
        )
