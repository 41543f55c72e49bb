"""A plain scripted dwarf that plays its role, as a kernel on views.

As a miner it reads maps early, lays the card that saves most cards on the way to where the treasure may
be, mends tools, lets rocks fall on what blocks the way, and breaks the tools of those who built dead ends.
As a saboteur it digs along while the treasure is far, then breaks tools, builds dead ends and lets rocks
fall where that costs the miners most, and throws good cards away.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.engine import chance
from saboteur_env.engine.bitboard import count as count_bits
from saboteur_env.engine.cards import (
    DEAD,
    FIRST_REPAIR,
    LIE_OF_KIND,
    MAP,
    MINER,
    PATH_KINDS,
    ROCKFALL,
    TREASURE,
    UNKNOWN,
)
from saboteur_env.engine.distance import may_help, measure, try_lay, try_rockfall
from saboteur_env.engine.jit import ZERO, kernel
from saboteur_env.engine.moves import (
    BREAK,
    DISCARD,
    LAY,
    READ,
    REPAIR,
    ROCK,
    TAKE,
    card_of,
    move_of,
    place_in,
    seat_of,
    verb_of,
)
from saboteur_env.engine.state import MAX_GOALS

ALARM = 4  # cards to the nearest goal that may be the treasure: when a saboteur stops digging along
SUSPECT = 2.0  # dead ends, rockfalls and broken tools that make a dwarf a suspect, weighed by `suspicion`


@kernel
def choose_scripted(
    public: Any, own: Any, moves: npt.NDArray[np.int32], count: int, stream: np.uint64, scratch: Any
) -> int:
    """The place in `moves` of the move it likes best; equal ones by lot.

    Args:
        own: the private record of the seat to move.
        moves: int32[>= count], the legal moves.
        stream: key of the lots (chance.py).
        scratch: a SCRATCH record (engine/distance.py), overwritten.
    """
    hope_for(public, own, scratch.hopes)
    goals = 0
    for goal in range(MAX_GOALS):
        goals |= np.int64(scratch.hopes[goal] > 0) << goal
    measure(public, goals, scratch)
    before, nearest = way_left(scratch.now.needed, scratch.hopes), nearest_of(scratch.now.needed)
    best, best_score, draw = 0, -1e9, ZERO
    for i in range(count):
        number, gain = np.int64(moves[i]), 0.0
        verb = verb_of(number)
        if verb == LAY:
            try_lay(public, goals, card_of(number), place_in(number), scratch)
            gain = before - way_left(scratch.after, scratch.hopes)
        elif verb == ROCK and (may_help(scratch.now, place_in(number)) if own.role == MINER else nearest <= ALARM):
            try_rockfall(public, goals, place_in(number), scratch)
            gain = before - way_left(scratch.after, scratch.hopes)
        if own.role == MINER:
            score = as_miner(public, own, number, gain, scratch.hopes)
        else:
            score = as_saboteur(public, number, gain, nearest)
        lot, draw = chance.below(stream, draw, 1 << 20)
        score += lot * 1e-9
        if score > best_score:
            best, best_score = i, score
    return best


@kernel
def hope_for(public: Any, own: Any, hopes: Any) -> None:
    """The chance of each goal to be the treasure, as far as this seat knows. Mutates: hopes, float64[3]."""
    open_questions = 0
    found = -1
    for goal in range(public.rules.goals):
        known = max(np.int64(own.face[goal]), np.int64(public.goal_face[goal]))
        hopes[goal] = known == UNKNOWN
        open_questions += np.int64(known == UNKNOWN)
        if known == TREASURE:
            found = goal
    for goal in range(public.rules.goals):
        hopes[goal] = np.float64(goal == found) if found >= 0 else hopes[goal] / max(open_questions, 1)


@kernel
def way_left(needed: Any, hopes: Any) -> float:
    """The cards needed, averaged over where the treasure may be."""
    return needed[0] * hopes[0] + needed[1] * hopes[1] + needed[2] * hopes[2]


@kernel
def nearest_of(needed: Any) -> int:
    """The cards needed to the nearest goal."""
    return min(needed[0], needed[1], needed[2])


@kernel
def suspicion(public: Any, seat: int) -> float:
    """What this round's record says against a dwarf: dead ends and rockfalls, less what helped."""
    weight = 0.0
    for i in range(public.event_count):
        event = np.int64(public.events[i])
        if seat_of(event) == seat:
            number = move_of(event)
            verb = verb_of(number)
            if verb == LAY:
                weight += 2.0 if card_of(number) & DEAD else -0.5
            elif verb == ROCK:
                weight += 1.0
            elif verb == BREAK:
                weight += 0.5
            elif verb == REPAIR and place_in(number) != seat:
                weight -= 1.0
    return weight


@kernel
def as_miner(public: Any, own: Any, number: int, gain: float, hopes: Any) -> float:
    """How much a miner likes a move."""
    verb, card, place = verb_of(number), card_of(number), place_in(number)
    if verb == LAY:
        if card & DEAD or gain <= 0:
            return -20.0 + gain
        return 10 * gain + 0.1 * count_bits(np.uint64(card))
    if verb == ROCK:
        return 8 * gain - 4 if gain > 0 else -30.0
    if verb == READ:
        return 12 + hopes[place] if 0 < hopes[place] < 1 else -5.0
    if verb == REPAIR:
        if place == public.seat:
            return 9.0
        return 6.0 if suspicion(public, place) < SUSPECT else -8.0
    if verb == BREAK:
        return 7.0 if place != public.seat and suspicion(public, place) >= SUSPECT else -15.0
    if verb == DISCARD:
        return throw_as_miner(own, card, hopes)
    return np.float64(card) if verb == TAKE else 0.0


@kernel
def throw_as_miner(own: Any, kind: int, hopes: Any) -> float:
    """How much a miner likes to throw a card away."""
    if kind < PATH_KINDS:
        lie = LIE_OF_KIND[kind]
        return 3.0 if lie & DEAD else 1.5 - 0.7 * count_bits(np.uint64(lie))
    if kind < FIRST_REPAIR:
        return 2.0
    if kind == MAP:
        return 3.0 if max(hopes) == 1 else -1.0
    return 0.5 if kind == ROCKFALL else 0.2


@kernel
def as_saboteur(public: Any, number: int, gain: float, nearest: int) -> float:
    """How much a saboteur likes a move; `gain` is what it gives the miners."""
    verb, card, place = verb_of(number), card_of(number), place_in(number)
    alarm = nearest <= ALARM
    if verb == LAY:
        if not alarm:  # digs along, but not too well
            return -5.0 if card & DEAD else 1.0 - gain
        return -6 * gain - 0.5
    if verb == ROCK:
        return -5 * gain - 2 if alarm else -5.0
    if verb == BREAK:
        harm = 5.0 if nearest <= 6 else 2.5
        return -50.0 if place == public.seat else harm - public.broken[place]
    if verb == REPAIR:
        return 4.0 if place == public.seat else -6.0
    if verb == READ:
        return 1.5
    if verb == DISCARD:
        return throw_as_saboteur(card)
    return np.float64(card) if verb == TAKE else 0.0


@kernel
def throw_as_saboteur(kind: int) -> float:
    """How much a saboteur likes to throw a card away."""
    if kind < PATH_KINDS:
        lie = LIE_OF_KIND[kind]
        return -5.0 if lie & DEAD else 0.5 * count_bits(np.uint64(lie))
    if kind < FIRST_REPAIR:
        return -5.0
    return -4.0 if kind == ROCKFALL else 0.8
