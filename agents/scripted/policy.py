"""Scripted dwarfs as kernels on views: the points of each legal move by a dwarf's parameters (params.py).

A dwarf plans ahead by counting the cards still needed to the goals that may be the treasure (card_distance.py). A path
card is worth the cards it saves, even on a way around an obstacle. role_inference.py reads the record of moves for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from saboteur_env.core.compiled.jit import kernel, separate
from saboteur_env.core.compiled.memory import Record, record_dtype
from saboteur_env.engine.bitboard import STEPS, has, lowest
from saboteur_env.engine.bitboard import count as count_bits
from saboteur_env.engine.cards import (
    DEAD,
    FIRST_BREAK,
    FIRST_REPAIR,
    FITS,
    KIND_OF_ORIENTATION,
    MAP,
    MINER,
    ORIENTATIONS_OF_KIND,
    ROCKFALL,
    THROUGH,
    TREASURE,
    UNKNOWN,
)
from saboteur_env.engine.legal import MAX_MOVES
from saboteur_env.engine.moves import (
    BREAK,
    DISCARD,
    LAY,
    READ,
    REPAIR,
    REVEAL,
    ROCK,
    TAKE,
    TURN,
    card_of,
    target_of,
    verb_of,
)
from saboteur_env.engine.state import CONNECTED, MAX_GOALS, InfoState, Private, Public, known_face
from saboteur_env.engine.tunnels import contacts
from saboteur_env.heuristics.card_distance import SCRATCH, Scratch, may_help, measure, try_lay, try_put, try_rockfall

from .net_rows import NET_ROOM, NetRoom
from .params import MINER_AT_WORK, NEVER_FALLS, SABOTEUR_AT_WORK, SABOTEUR_IN_HIDING
from .role_inference import infer_roles

NEVER = -50.0
_THROUGH = len(THROUGH)  # kinds; they come first

# The room in which a dwarf decides.
WORKSPACE = record_dtype(
    ("moves", "i4", MAX_MOVES),  # the legal ones
    ("scratch", SCRATCH),
    ("net", NET_ROOM),
)


class Workspace(Record):
    """A `WORKSPACE` record, as kernels take it."""

    scratch: Scratch
    net: NetRoom


@kernel
def score_by_script(dwarf: Any, known: InfoState, count: int, space: Workspace, scores: Any) -> float:
    """Compute the points of each move for a dwarf, given its own role.

    Args:
        known: of which the table, the role and the maps read count, not the cards.
        count: how many legal moves are listed in `space`.
        space: Mutates its scratch.
        scores: float64[>= count], overwritten.

    Returns: the temperature of the weights that score them.
    """
    public, private, seat = known
    scratch, moves = space.scratch, space.moves
    goals, measured, judged = hope_for(public, private, scratch.hopes), False, False
    which = MINER_AT_WORK
    if private.role != MINER:
        measure(public, goals, scratch)
        measured = True
        which = SABOTEUR_AT_WORK if nearest_of(scratch.now.needed) <= dwarf.strike_distance else SABOTEUR_IN_HIDING
    who = dwarf.characters[which]
    for i in range(count):
        number = np.int64(moves[i])
        verb, card, target = verb_of(number), card_of(number), target_of(number)
        if verb in (LAY, ROCK) and not measured:
            measure(public, goals, scratch)
            measured = True
        if verb in (BREAK, REPAIR) and not judged:
            infer_roles(public, private, seat, who.clues, scratch.saboteur_probability, scratch.role_counts)
            judged = True
        if verb == LAY:
            scores[i] = _lay(who, public, goals, card, target, scratch)
        elif verb == DISCARD:
            scores[i] = -_worth(who, card, scratch.hopes)
        elif verb == ROCK:
            scores[i] = _rockfall(who, public, goals, target, scratch)
        elif verb == BREAK:
            scores[i] = _break(who, public, card, target, scratch.saboteur_probability)
        elif verb == REPAIR:
            scores[i] = _repair(who, public, card & 7, target, scratch.saboteur_probability)
        elif verb == READ:
            uncertain = 0 < scratch.hopes[target] < 1
            scores[i] = who.read + scratch.hopes[target] - who.worth[MAP] if uncertain else NEVER
        else:
            scores[i] = _choice(who, public, goals, number, scratch)
    return who.temperature


@kernel
def hope_for(public: Public, private: Private, hopes: Any) -> int:
    """The probability of each goal to be the treasure, given what this seat knows.

    Mutates: hopes, float64[3]. Returns: the goals that may be, as bits.
    """
    goals = 0
    for goal in range(public.rules.goals):
        known = known_face(public, private, goal)
        if known == TREASURE:
            goals = 1 << goal
            break
        goals |= np.int64(known == UNKNOWN) << goal
    for goal in range(MAX_GOALS):
        hopes[goal] = (goals >> goal & 1) / max(count_bits(np.uint64(goals)), 1)
    return goals


@kernel
def nearest_of(needed: Any) -> int:
    """The cards needed to the nearest goal."""
    return min(needed[0], needed[1], needed[2])


@kernel
def _saved(scratch: Scratch) -> float:
    # Cards, on average over where the treasure may be.
    cards = 0.0
    for goal in range(MAX_GOALS):
        cards += scratch.hopes[goal] * (scratch.now.needed[goal] - scratch.after[goal])
    return cards


@kernel
def _lay(who: Any, public: Public, goals: int, orientation: int, cell: int, scratch: Scratch) -> float:
    score, saved = who.lay - who.worth[KIND_OF_ORIENTATION[orientation]], 0.0
    if try_lay(public, goals, orientation, cell, scratch):
        saved = _saved(scratch)
        score += who.progress * saved
    if orientation & DEAD:
        return score + who.dead_end
    score += who.open * count_bits(np.uint64(orientation))
    if saved <= 0:
        return score + who.idle
    for goal in range(MAX_GOALS):
        outlets = orientation & scratch.now.nearer[goal]
        if outlets and scratch.after[goal] > 0:
            score += who.room * scratch.hopes[goal] * room_behind(public, outlets, cell)
    return score


@kernel
def room_behind(public: Public, outlets: int, cell: int) -> float:
    """How many cards fit on the best of the cells behind some open sides of a card on this cell, in tens."""
    most = 0
    for side in range(4):
        if outlets >> side & 1:
            most = max(most, fillers(public, contacts(public.board, cell + STEPS[side]) | 1 << (side ^ 2)))
    return most / 10


@kernel
def _rockfall(who: Any, public: Public, goals: int, cell: int, scratch: Scratch) -> float:
    # Who digs for the treasure looks closely only where it may help.
    score = who.rockfall - who.worth[ROCKFALL]
    if who.rockfall <= NEVER_FALLS:
        return score
    if who.progress > 0 and not may_help(scratch.now, cell):
        return score - who.progress * has(public.board[cell >> 6, CONNECTED], cell & 63)
    try_rockfall(public, goals, cell, scratch)
    saved = _saved(scratch)
    if saved < 0:
        score += who.gap * fillers(public, contacts(public.board, cell)) / 10
    return score + who.progress * saved


@kernel
def fillers(public: Public, met: int) -> int:
    """The cards not yet played that fit a cell with these contacts and lead on."""
    fits, fillers = FITS[met], 0
    for kind in range(_THROUGH):
        if ORIENTATIONS_OF_KIND[kind] & fits:
            fillers += np.int64(public.rules.deck[kind]) - np.int64(public.played[kind])
    return fillers


@kernel
def _break(who: Any, public: Public, tool: int, seat: int, saboteur_probability: Any) -> float:
    if seat == public.seat:
        return NEVER
    again = count_bits(np.uint64(public.broken[seat]))
    turns = seat - public.seat if seat > public.seat else seat - public.seat + public.rules.players
    harm = who.break_honest + (who.break_guilty - who.break_honest) * saboteur_probability[seat]
    return harm + who.break_again * again + who.break_soon / turns - who.worth[FIRST_BREAK + tool]


@kernel
def _repair(who: Any, public: Public, card: int, seat: int, saboteur_probability: Any) -> float:
    worth = who.worth[FIRST_REPAIR + card]
    if seat == public.seat:
        return who.mend - worth
    return who.help_honest + (who.help_guilty - who.help_honest) * saboteur_probability[seat] - worth


@kernel
def _worth(who: Any, kind: int, hopes: Any) -> float:
    if kind == MAP and max(hopes[0], hopes[1], hopes[2]) == 1:
        return 0.0
    return who.worth[kind]


@kernel
def _choice(who: Any, public: Public, goals: int, number: int, scratch: Scratch) -> float:
    gain = gain_of_choice(public, goals, number, scratch)
    return gain if verb_of(number) == TAKE else who.progress * gain


@separate
def gain_of_choice(public: Public, goals: int, number: int, scratch: Scratch) -> float:
    """What a choice in the middle of a turn gains: nuggets, the chance of the treasure, or cards saved."""
    verb = verb_of(number)
    if verb == TAKE:
        return np.float64(card_of(number))
    if verb == REVEAL:
        return np.float64(scratch.hopes[target_of(number)])
    if verb == TURN:
        measure(public, goals, scratch)
        stone = lowest(np.uint64(public.choice_goals))
        try_put(public, goals, card_of(number), np.int64(public.rules.goal_cell[stone]), scratch)
        return _saved(scratch)
    return 0.0
