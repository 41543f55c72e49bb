"""A view written into an array: the kernels behind `Observations`. Only (`public`, `private[seat]`) is read."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .actions import Box
from .engine.bitboard import ORIGIN, START, lowest
from .engine.cards import KINDS, TREASURE, UNKNOWN
from .engine.gold import nuggets, offered
from .engine.jit import ONE, ZERO, kernel
from .engine.moves import (
    BREAK,
    DISCARD,
    LAY,
    READ,
    REPAIR,
    REVEAL,
    ROCK,
    TAKE,
    card_of,
    move_of,
    place_in,
    seat_of,
    verb_of,
)
from .engine.state import CHOOSE_GOLD, MAX_GOALS, MAX_PLAYERS, RUNNING
from .engine.tunnels import face_up, fronts
from .fields import (
    AT_CHOICE,
    AT_CHOICE_GOALS,
    AT_DECK,
    AT_DECLINED,
    AT_DISCARDED,
    AT_GOALS,
    AT_HAND,
    AT_OFFER,
    AT_PLAYED,
    AT_ROLE,
    AT_RULES,
    AT_SEATS,
    AT_TABLE,
    AT_WINNER,
    EVENT_PARTS,
    GOAL_PARTS,
    MINE_PLANES,
    SEAT_PARTS,
)


@kernel
def observe(public: Any, own: Any, seat: int, box: Box, history: int, flat: npt.NDArray[np.int8]) -> None:
    """Write the observation of a seat.

    Args:
        flat: int8[bytes]. Requires: all zero. Mutates it.
    """
    cells = box[2] * box[3]
    events_at = len(MINE_PLANES) * cells
    fixed_at = events_at + history * len(EVENT_PARTS)
    _write_mine(public, own, box, flat[:events_at].reshape((len(MINE_PLANES), box[3], box[2])))
    _write_events(public, own, seat, flat[events_at:fixed_at].reshape((history, len(EVENT_PARTS))))
    fixed = flat[fixed_at:]
    _write_cards(public, own, fixed)
    _write_goals(public, own, fixed[AT_GOALS:AT_SEATS].reshape((MAX_GOALS, len(GOAL_PARTS))))
    _write_seats(public, own, seat, fixed[AT_SEATS:AT_TABLE].reshape((MAX_PLAYERS, len(SEAT_PARTS))))
    _write_table(public, own, seat, fixed[AT_TABLE:AT_RULES])
    _write_rules(public.rules, fixed[AT_RULES:])


@kernel
def _write_mine(public: Any, own: Any, box: Box, planes: Any) -> None:
    mine, touching = public.mine, np.int64(public.rules.touching)
    in_window = (ONE << np.uint64(box[2])) - ONE if box[2] < 64 else ~ZERO
    first = np.uint64(box[0])
    for row in range(max(box[1], np.int64(public.low) - 1), min(box[1] + box[3], np.int64(public.high) + 2)):
        for plane in range(7):
            word = mine[row, plane] if plane < 6 else fronts(mine, row, touching)
            if plane == 4:
                word &= face_up(mine, row)
            word = word >> first & in_window
            while word != ZERO:
                planes[plane if plane < 6 else 10, row - box[1], lowest(word)] = 1
                word &= word - ONE
    _mark(planes, 6, START, box)
    for goal in range(public.rules.goals):
        cell, face = np.int64(public.rules.goal_cell[goal]), _known(public, own, goal)
        if public.goal_face[goal] == UNKNOWN:
            _mark(planes, 7, cell, box)
        if face != UNKNOWN:
            _mark(planes, 8 if face == TREASURE else 9, cell, box)
    for i in range(public.event_count - 1, -1, -1):
        number = move_of(np.int64(public.events[i]))
        if verb_of(number) in (LAY, ROCK):
            _mark(planes, 11, place_in(number), box)
            break


@kernel
def _mark(planes: Any, plane: int, cell: int, box: Box) -> None:
    column, row = (cell & 63) - box[0], (cell >> 6) - box[1]
    if 0 <= column < box[2] and 0 <= row < box[3]:
        planes[plane, row, column] = 1


@kernel
def _known(public: Any, own: Any, goal: int) -> int:
    return max(np.int64(public.goal_face[goal]), np.int64(own.face[goal]))


@kernel
def _write_events(public: Any, own: Any, seat: int, events: Any) -> None:
    # The last first, as the own hidden cards are told off from the end of their lists.
    players = np.int64(public.rules.players)
    laid_down, taken = np.int64(own.discard_count), np.int64(own.gold_count)
    for i in range(min(len(events), np.int64(public.event_count))):
        event = np.int64(public.events[public.event_count - 1 - i])
        number = move_of(event)
        verb, card, place = verb_of(number), card_of(number), place_in(number)
        line = events[i]
        line[0], line[1] = (seat_of(event) - seat) % players + 1, verb + 1
        if verb == BREAK:
            line[3], line[6] = card + 1, (place - seat) % players + 1
        elif verb == REPAIR:
            line[2], line[3], line[6] = card & 7, (card >> 3) + 1, (place - seat) % players + 1
        elif verb in (LAY, ROCK):
            line[2], line[4], line[5] = card, (place & 63) - ORIGIN, (place >> 6) - ORIGIN
        elif verb in (READ, REVEAL):
            line[6] = place + 1
        elif verb == DISCARD and seat_of(event) == seat:
            laid_down -= 1
            line[2] = own.discards[laid_down]
        elif verb == TAKE and seat_of(event) == seat:
            taken -= 1
            line[2] = own.gold[taken] & 3
        else:
            line[2] = card


@kernel
def _write_cards(public: Any, own: Any, fixed: Any) -> None:
    fixed[AT_ROLE + own.role] = 1
    for kind in range(len(KINDS)):
        fixed[AT_HAND + kind] = own.hand[kind]
        fixed[AT_PLAYED + kind] = public.played[kind]
        fixed[AT_DECK + kind] = public.rules.deck[kind]
    for i in range(own.discard_count):
        fixed[AT_DISCARDED + own.discards[i]] += 1


@kernel
def _write_goals(public: Any, own: Any, goals: Any) -> None:
    for goal in range(public.rules.goals):
        cell, face = np.int64(public.rules.goal_cell[goal]), _known(public, own, goal)
        goals[goal, 0] = 1
        goals[goal, 1] = public.goal_face[goal] != UNKNOWN
        if face != UNKNOWN:
            goals[goal, 1 + face] = 1
        goals[goal, 5] = own.face[goal] != UNKNOWN
        goals[goal, 6], goals[goal, 7] = (cell & 63) - ORIGIN, (cell >> 6) - ORIGIN


@kernel
def _write_seats(public: Any, own: Any, seat: int, seats: Any) -> None:
    players = np.int64(public.rules.players)
    for place in range(players):
        other = (seat + place) % players
        line = seats[place]
        line[0], line[1] = 1, other == public.seat and not public.over
        line[2], line[3] = other == public.first_seat, other == public.last_seat
        for i in range(3):
            line[4 + i] = public.broken[other] >> i & 1
            line[9 + i] = public.maps[other] >> i & 1
        line[7], line[8] = public.hand_count[other], public.hidden[other]
        line[13] = public.nuggets[other]
        if public.winner != RUNNING:
            line[14 + (public.roles >> other & 1)] = 1
        line[16] = public.shortfall[other]
    seats[0, 14], seats[0, 15] = 1 - own.role, own.role
    seats[0, 13] = nuggets(own)
    for i in range(public.gold_count):
        seats[(public.gold_seat[i] - seat) % players, 12] += 1


@kernel
def _write_table(public: Any, own: Any, seat: int, table: Any) -> None:
    table[0], table[1], table[2] = public.deck_count, public.round_number, public.rules.rounds
    table[3], table[4] = public.passes, public.gold_left
    table[AT_CHOICE + public.choice] = 1
    for goal in range(MAX_GOALS):
        table[AT_CHOICE_GOALS + goal] = public.choice_goals >> goal & 1
        table[AT_DECLINED + goal] = public.declined >> goal & 1
    table[AT_WINNER + public.winner] = 1
    if public.choice == CHOOSE_GOLD and public.seat == seat:
        for value in range(1, 4):
            table[AT_OFFER + value - 1] = offered(np.int64(own.gold[own.gold_count]), value)


@kernel
def _write_rules(rules: Any, out: Any) -> None:
    out[0], out[1], out[2], out[3] = rules.players, rules.hand_size, rules.saboteurs, rules.miners
    out[4], out[5], out[6], out[7] = rules.goals, rules.touching, rules.joins, rules.one
    out[8], out[9], out[10], out[11] = rules.all_passed, rules.broken_no_gold, rules.draft, rules.break_self
