"""The numbers that the small network reads (net_rows.py), written from a view."""

from __future__ import annotations

from typing import Any

import numpy as np

from saboteur_env.core.compiled.jit import kernel, separate
from saboteur_env.engine.bitboard import ORIGIN, has
from saboteur_env.engine.bitboard import count as count_bits
from saboteur_env.engine.cards import DEAD, KINDS, TOOLS, UNKNOWN
from saboteur_env.engine.moves import (
    BREAK,
    DISCARD,
    LAY,
    READ,
    REPAIR,
    ROCK,
    card_of,
    move_of,
    seat_of,
    target_of,
    verb_of,
)
from saboteur_env.engine.state import CONNECTED, MAX_GOALS, NO_CHOICE, InfoState, Public
from saboteur_env.engine.tunnels import contacts, orientation_at
from saboteur_env.heuristics.card_distance import Scratch, measure, try_lay, try_rockfall
from saboteur_env.heuristics.flood import FAR

from .net_rows import DEED, DEEDS, MOVE_ROW, NEAR, STATE_ROW, NetRoom
from .policy import Workspace, fillers, gain_of_choice, hope_for, room_behind
from .role_inference import infer_roles, leads_to, was_dead_end


@separate
def look_at_table(dwarf: Any, known: InfoState, space: Workspace) -> int:
    """Write the numbers of the state, and prepare for those of the moves. Mutates: space.

    Args:
        dwarf: a DWARF record, whose clues say who looks guilty.

    Returns: the goals that may be the treasure, as bits.
    """
    public, private, seat = known
    scratch, room = space.scratch, space.net
    goals = hope_for(public, private, scratch.hopes)
    measure(public, (1 << np.int64(public.rules.goals)) - 1, scratch)
    clues = dwarf.characters[0].clues
    infer_roles(public, private, seat, clues, scratch.saboteur_probability, scratch.role_counts)
    _look_at_deeds(public, seat, scratch.saboteur_probability, room.deeds)
    clear(room.state)
    _write_cards(known, room.state)
    _write_goals(public, goals, scratch, room.state)
    _write_seats(known, scratch.saboteur_probability, room)
    return goals


@kernel
def clear(numbers: Any) -> None:
    """Set all to 0: a loop, as numba compiles the checks of an assignment to a slice for seconds. Mutates: numbers."""
    for i in range(len(numbers)):
        numbers[i] = 0.0


@kernel
def _look_at_deeds(public: Public, observer: int, saboteur_probability: Any, deeds: Any) -> None:
    for row in range(len(DEEDS)):
        for seat in range(public.rules.players):
            deeds[seat, row] = 0.0
    best = (FAR, FAR, FAR)
    for i in range(public.event_count):
        event = np.int64(public.events[i])
        number, seat = move_of(event), seat_of(event)
        verb, target, done = verb_of(number), target_of(number), deeds[seat]
        if verb == LAY and card_of(number) & DEAD:
            done[DEED.dead_end] += 1
        elif verb == LAY:
            orientation = card_of(number)
            ahead = (
                min(best[0], leads_to(public, orientation, target, 0)),
                min(best[1], leads_to(public, orientation, target, 1)),
                min(best[2], leads_to(public, orientation, target, 2)),
            )
            done[DEED.forward if ahead != best else DEED.aside] += 1
            best = ahead
        elif verb == ROCK:
            done[DEED.clearing if was_dead_end(public, i, target) else DEED.rockfall] += 1
        elif verb == REPAIR and target == seat:
            done[DEED.healed] += 1
        elif verb in (BREAK, REPAIR):
            row = DEED.broke if verb == BREAK else DEED.mended
            done[row] += 1 - saboteur_probability[target]
            done[row + 1] += saboteur_probability[target]
            done[DEED.struck if verb == BREAK else DEED.helped] += target == observer
        elif verb == READ:
            done[DEED.read] += 1
        elif verb == DISCARD:
            done[DEED.hid] += 1


@kernel
def _write_cards(known: InfoState, state: Any) -> None:
    public, private, seat = known
    rules, players, cards = public.rules, np.int64(public.rules.players), 0
    for kind in range(len(KINDS)):
        state[STATE_ROW.hand + kind] = private.hand[kind]
        state[STATE_ROW.left + kind] = (np.int64(rules.deck[kind]) - np.int64(public.played[kind])) / 4
    for other in range(players):
        cards += np.int64(public.hand_count[other])
    state[STATE_ROW.players + players - 3] = 1
    state[STATE_ROW.saboteurs] = rules.saboteurs / 4
    state[STATE_ROW.deck] = public.deck_count / 32
    state[STATE_ROW.deck_empty] = public.deck_count == 0
    state[STATE_ROW.turns] = (cards + np.int64(public.deck_count)) / players / 8
    state[STATE_ROW.passes] = public.passes / 4
    state[STATE_ROW.cards] = public.hand_count[seat] / 6
    state[STATE_ROW.choosing] = public.choice != NO_CHOICE
    for tool in range(len(TOOLS)):
        state[STATE_ROW.broken + tool] = public.broken[seat] >> tool & 1


@kernel
def _write_goals(public: Public, goals: int, scratch: Scratch, state: Any) -> None:
    nearest, expected = FAR, 0.0
    for goal in range(public.rules.goals):
        needed = scratch.now.needed[goal]
        state[STATE_ROW.hopes + goal] = scratch.hopes[goal]
        state[STATE_ROW.needed + goal] = needed / 8
        state[STATE_ROW.open + goal] = public.goal_face[goal] != UNKNOWN
        state[STATE_ROW.cut_off + goal] = needed == FAR and public.goal_face[goal] == UNKNOWN
        expected += scratch.hopes[goal] * needed
        if goals >> goal & 1:
            nearest = min(nearest, needed)
    state[STATE_ROW.known] = goals & (goals - 1) == 0
    state[STATE_ROW.expected] = expected / 8
    for cards in range(NEAR):
        state[STATE_ROW.nearest + cards] = nearest <= cards + 1


@kernel
def _write_seats(known: InfoState, saboteur_probability: Any, room: NetRoom) -> None:
    public, state, players = known.public, room.state, np.int64(known.public.rules.players)
    honest, honest_stuck, guilty, guilty_stuck = 0.01, 0.0, 0.01, 0.0
    for row in range(len(DEEDS)):
        state[STATE_ROW.deeds + row] = room.deeds[known.seat, row] / 2
    for index in range(players - 1):
        other = (known.seat + 1 + index) % players
        broken = count_bits(np.uint64(public.broken[other]))
        state[STATE_ROW.saboteur_probability + index] = saboteur_probability[other]
        state[STATE_ROW.stuck + index] = broken
        state[STATE_ROW.holds + index] = public.hand_count[other] / 6
        state[STATE_ROW.reads + index] = count_bits(np.uint64(public.maps[other]))
        honest, guilty = honest + 1 - saboteur_probability[other], guilty + saboteur_probability[other]
        honest_stuck += (1 - saboteur_probability[other]) * (broken > 0)
        guilty_stuck += saboteur_probability[other] * (broken > 0)
        state[STATE_ROW.sure] = max(np.float64(state[STATE_ROW.sure]), saboteur_probability[other])
    state[STATE_ROW.honest_stuck], state[STATE_ROW.guilty_stuck] = honest_stuck / honest, guilty_stuck / guilty


@kernel
def look_at_move(known: InfoState, goals: int, number: int, space: Workspace) -> None:
    """Write the numbers of a legal move. Mutates: space. Requires: `look_at_table` wrote the state, and its `goals`."""
    public, move, scratch = known.public, space.net.move, space.scratch
    verb, card, target = verb_of(number), card_of(number), target_of(number)
    clear(move)
    if verb == LAY:
        _write_lay(public, goals, card, target, scratch, move)
    elif verb == ROCK:
        _write_rockfall(public, goals, target, scratch, move)
    elif verb in (BREAK, REPAIR):
        _write_tool(known, target, scratch.saboteur_probability, space.net)
    elif verb == READ:
        hope = scratch.hopes[target]
        move[MOVE_ROW.read_hope], move[MOVE_ROW.read_open] = hope, 0 < hope < 1
        move[MOVE_ROW.read_needed] = scratch.now.needed[target] / 8
    elif verb == DISCARD:
        move[MOVE_ROW.discard_copies] = known.private.hand[card] - 1
        move[MOVE_ROW.discard_stuck] = public.broken[known.seat] != 0
    else:
        move[MOVE_ROW.choice_gain] = gain_of_choice(public, goals, number, scratch)


@kernel
def _saved(goals: int, scratch: Scratch) -> tuple[float, int, int]:
    # Cards saved: on average over where the treasure may be, the most and the least.
    mean, most, least = 0.0, -FAR, FAR
    for goal in range(MAX_GOALS):
        if goals >> goal & 1:
            saved = scratch.now.needed[goal] - scratch.after[goal]
            mean += scratch.hopes[goal] * saved
            most, least = max(most, saved), min(least, saved)
    return mean, most, least


@kernel
def _write_lay(public: Public, goals: int, orientation: int, cell: int, scratch: Scratch, move: Any) -> None:
    for side in range(4):
        move[MOVE_ROW.lay_sides + side] = orientation >> side & 1
    met = contacts(public.board, cell)
    for bit in range(8):
        move[MOVE_ROW.lay_met + bit] = met >> bit & 1
    column, row = (cell & 63) - ORIGIN, (cell >> 6) - ORIGIN
    move[MOVE_ROW.lay_column], move[MOVE_ROW.lay_row], move[MOVE_ROW.lay_off] = column / 8, row / 4, abs(row) / 4
    move[MOVE_ROW.lay_open] = count_bits(np.uint64(orientation & 15)) / 4
    if not try_lay(public, goals, orientation, cell, scratch):
        return
    mean, most, least = _saved(goals, scratch)
    move[MOVE_ROW.lay_saved], move[MOVE_ROW.lay_most], move[MOVE_ROW.lay_least] = mean, most / 2, least / 2
    move[MOVE_ROW.lay_changes] = 1
    nearest, outlets = FAR, 0
    for goal in range(MAX_GOALS):
        if goals >> goal & 1:
            move[MOVE_ROW.lay_reaches] += scratch.hopes[goal] * (scratch.after[goal] == 0)
            nearest = min(nearest, scratch.after[goal])
            outlets |= orientation & scratch.now.nearer[goal]
    move[MOVE_ROW.lay_near] = 1 / (1 + nearest)
    move[MOVE_ROW.lay_outlets] = count_bits(np.uint64(outlets))
    if outlets and not orientation & DEAD:
        move[MOVE_ROW.lay_room] = room_behind(public, outlets, cell)


@kernel
def _write_rockfall(public: Public, goals: int, cell: int, scratch: Scratch, move: Any) -> None:
    try_rockfall(public, goals, cell, scratch)
    mean, _, least = _saved(goals, scratch)
    move[MOVE_ROW.rock_saved], move[MOVE_ROW.rock_worst] = mean, least / 2
    move[MOVE_ROW.rock_connected] = has(public.board[cell >> 6, CONNECTED], cell & 63)
    move[MOVE_ROW.rock_dead] = orientation_at(public.board, cell) & DEAD != 0
    move[MOVE_ROW.rock_gap] = fillers(public, contacts(public.board, cell)) / 10
    move[MOVE_ROW.rock_column] = ((cell & 63) - ORIGIN) / 8


@kernel
def _write_tool(known: InfoState, seat: int, saboteur_probability: Any, room: NetRoom) -> None:
    public, move, players = known.public, room.move, np.int64(known.public.rules.players)
    broken = count_bits(np.uint64(public.broken[seat]))
    if seat == known.seat:
        move[MOVE_ROW.seat_self], move[MOVE_ROW.seat_last] = 1, broken == 1
        return
    move[MOVE_ROW.seat_probability] = saboteur_probability[seat]
    move[MOVE_ROW.seat_broken], move[MOVE_ROW.seat_last] = broken, broken == 1
    move[MOVE_ROW.seat_soon] = 1 / ((seat - known.seat + players) % players)
    move[MOVE_ROW.seat_holds] = public.hand_count[seat] / 6
    move[MOVE_ROW.seat_read] = count_bits(np.uint64(public.maps[seat]))
    for row in range(len(DEEDS)):
        move[MOVE_ROW.seat_deeds + row] = room.deeds[seat, row] / 2
