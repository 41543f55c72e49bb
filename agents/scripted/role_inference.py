"""Who may be a saboteur? What the record of the round says to a scripted dwarf, as a kernel on its view.

Each deed moves the log odds of its doer (params.py, `Clues`). The odds are then weighed by the roles left: of
all ways to deal the roles that this seat does not hold to the others and to the dwarf aside, each counts as much as
the product of the odds of its saboteurs.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from saboteur_env.core.compiled.jit import kernel
from saboteur_env.engine.cards import DEAD, EAST, NORTH, SABOTEUR, SOUTH, UNKNOWN, WEST
from saboteur_env.engine.moves import BREAK, LAY, REPAIR, ROCK, card_of, move_of, place_in, seat_of, verb_of
from saboteur_env.engine.state import Private, Public
from saboteur_env.heuristics.flood import FAR

_SURE = 4.0  # log odds beyond which no deed counts
_NEVER_SO = 1e-300  # where the roles cannot be dealt so, all chances are 0


@kernel
def judge(public: Public, own: Private, seat: int, clues: Any, guilt: Any, ways: Any) -> None:
    """The chance of each other seat to be a saboteur, as this seat sees it.

    Mutates: guilt, float64[10], 0 for the seat itself; ways, float64[12], scratch.
    """
    guilt[:] = 0.0
    _weigh_work(public, clues, guilt)
    _weigh_tools(public, own, seat, clues, guilt)
    _share_roles(public, own, seat, guilt, ways)


@kernel
def _weigh_work(public: Public, clues: Any, guilt: Any) -> None:
    best = (FAR, FAR, FAR)
    for i in range(public.event_count):
        event = np.int64(public.events[i])
        number = move_of(event)
        if verb_of(number) == LAY:
            lie, cell = card_of(number), place_in(number)
            if lie & DEAD:
                guilt[seat_of(event)] += clues.dead_end
                continue
            ahead = (
                min(best[0], _leads_to(public, lie, cell, 0)),
                min(best[1], _leads_to(public, lie, cell, 1)),
                min(best[2], _leads_to(public, lie, cell, 2)),
            )
            guilt[seat_of(event)] += clues.forward * (ahead != best)
            best = ahead
        elif verb_of(number) == ROCK:
            guilt[seat_of(event)] += clues.clearing if _was_dead_end(public, i, place_in(number)) else clues.rockfall


@kernel
def _leads_to(public: Public, lie: int, cell: int, goal: int) -> int:
    # How many steps from a goal face down the nearest cell is that a tunnel on this cell leads to.
    if goal >= public.rules.goals or public.goal_face[goal] != UNKNOWN:
        return FAR
    there = np.int64(public.rules.goal_cell[goal])
    east, south = (there & 63) - (cell & 63), (there >> 6) - (cell >> 6)
    nearer = EAST * (east > 0) | WEST * (east < 0) | SOUTH * (south > 0) | NORTH * (south < 0)
    return abs(east) + abs(south) + (-1 if lie & nearer else 1)


@kernel
def _was_dead_end(public: Public, event: int, cell: int) -> bool:
    for i in range(event - 1, -1, -1):
        number = move_of(np.int64(public.events[i]))
        if verb_of(number) == LAY and place_in(number) == cell:
            return card_of(number) & DEAD != 0
    return False


@kernel
def _weigh_tools(public: Public, own: Private, judging: int, clues: Any, guilt: Any) -> None:
    for i in range(public.event_count):
        event = np.int64(public.events[i])
        number, seat = move_of(event), seat_of(event)
        verb, victim = verb_of(number), place_in(number)
        if verb not in (BREAK, REPAIR) or victim == seat:
            continue
        known = 1.0 if own.role == SABOTEUR else -1.0
        looks = known if victim == judging else min(max(guilt[victim] / 2, -1.0), 1.0)
        guilt[seat] += clues.tools * looks * (1 if verb == REPAIR else -1)


@kernel
def _share_roles(public: Public, own: Private, judging: int, guilt: Any, ways: Any) -> None:
    # ways[k]: the sum over all sets of k saboteurs of the product of their odds.
    players = np.int64(public.rules.players)
    saboteurs = max(np.int64(public.rules.saboteurs) - np.int64(own.role), 0)
    aside = np.int64(public.rules.saboteurs) + np.int64(public.rules.miners) - players
    ways[:] = 0.0
    ways[0] = 1.0
    for seat in range(players + aside):
        if seat < players:
            guilt[seat] = math.exp(min(max(guilt[seat], -_SURE), _SURE)) if seat != judging else 0.0
        odds = guilt[seat] if seat < players else 1.0
        for size in range(saboteurs, 0, -1):
            ways[size] += odds * ways[size - 1]
    for seat in range(players):
        without = 0.0  # this seat, the sum over all sets of one saboteur fewer than there are
        for size in range(saboteurs):
            without = ways[size] - guilt[seat] * without
        guilt[seat] = min(max(guilt[seat] * without / max(ways[saboteurs], _NEVER_SO), 0.0), 1.0)
