"""A view written into an array: the kernels behind `Observations`. Only (`public`, `private[seat]`) is read."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.jit import ZERO, kernel
from ..core.memory import borrowed, store_bytes
from ..engine.bitboard import ORIGIN, START
from ..engine.cards import KINDS, TREASURE, UNKNOWN
from ..engine.gold import VALUE, nuggets, offered
from ..engine.moves import BREAK, DISCARD, LAY, READ, REPAIR, REVEAL, ROCK, TAKE, move_of, place_in, seat_of, verb_of
from ..engine.state import BLOCKED, CHOOSE_GOLD, MAX_GOALS, MAX_PLAYERS, RUNNING, known_face
from ..engine.tunnels import face_up, fronts
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

FRONTS = 10
BYTE = np.uint64(255)
BYTES_OF = np.array([sum((bits >> i & 1) << 8 * i for i in range(8)) for bits in range(256)], np.uint64)


def _line(number: int) -> int:
    """What verb and card of a move (its bits from 12 on) tell in a line of the record: bytes 1 to 3."""
    verb, card = number >> 5, number & 31
    tool = {BREAK: card + 1, REPAIR: (card >> 3) + 1}.get(verb, 0)
    shown = {BREAK: 0, REPAIR: card & 7}.get(verb, card)
    return verb + 1 << 8 | shown << 16 | tool << 24


def _verbs(*those: int) -> npt.NDArray[np.uint64]:
    return np.array([-(verb in those) & 0xFFFFFFFFFFFFFFFF for verb in range(16)], np.uint64)


LINES = np.array([_line(number) for number in range(1 << 9)], np.uint64)
ON_BOARD, AT_SEAT, AT_GOAL = _verbs(LAY, ROCK), _verbs(BREAK, REPAIR), _verbs(READ, REVEAL)


@kernel
def observe(public: Any, own: Any, seat: int, frame: Any, history: int, flat: npt.NDArray[np.int8]) -> None:
    """Write the observation of a seat.

    Args:
        flat: int8[bytes]. Requires: all zero. Mutates it.
    """
    flat = borrowed(flat)
    width, height = np.int64(frame.width), np.int64(frame.height)
    cells = width * height
    events_at = len(MINE_PLANES) * cells
    fixed_at = events_at + history * len(EVENT_PARTS)
    _write_mine(public, own, frame, flat)
    _write_events(public, own, seat, history, flat, events_at)
    fixed = flat[fixed_at:]
    _write_cards(public, own, fixed)
    _write_goals(public, own, fixed[AT_GOALS:AT_SEATS].reshape((MAX_GOALS, len(GOAL_PARTS))))
    _write_seats(public, own, seat, fixed[AT_SEATS:AT_TABLE].reshape((MAX_PLAYERS, len(SEAT_PARTS))))
    _write_table(public, own, seat, fixed[AT_TABLE:AT_RULES])
    _write_rules(public.rules, fixed[AT_RULES:])


@kernel
def _write_mine(public: Any, own: Any, frame: Any, flat: npt.NDArray[np.int8]) -> None:
    mine = public.mine
    width, height, top = np.int64(frame.width), np.int64(frame.height), np.int64(frame.top)
    first_row = max(top, np.int64(public.low) - 1)
    last_row = min(top + height - 1, np.int64(public.high) + 1)
    left, inside = np.uint64(frame.left), ~ZERO >> np.uint64(64 - width)
    for plane in range(6):
        at = (plane * height + first_row - top) * width
        for row in range(first_row, last_row + 1):
            word = mine[row, plane] & (face_up(mine, row) if plane == BLOCKED else ~ZERO)
            _spread_bits(word >> left & inside, width, flat, at)
            at += width
    at = (FRONTS * height + first_row - top) * width
    for row in range(first_row, last_row + 1):
        _spread_bits(fronts(mine, row, np.int64(public.rules.touching)) >> left & inside, width, flat, at)
        at += width
    _mark(flat, 6, START, frame)
    for goal in range(public.rules.goals):
        cell, face = np.int64(public.rules.goal_cell[goal]), known_face(public, own, goal)
        if public.goal_face[goal] == UNKNOWN:
            _mark(flat, 7, cell, frame)
        if face != UNKNOWN:
            _mark(flat, 8 if face == TREASURE else 9, cell, frame)
    if public.last_cell:
        _mark(flat, 11, np.int64(public.last_cell), frame)


@kernel
def _spread_bits(word: np.uint64, width: int, flat: npt.NDArray[np.int8], at: int) -> None:
    # A bit becomes a byte, sixteen at a time: a walk over the bits set is mispredicted at its end. The zeros
    # beyond a row fall on bytes that are written later, as planes and their rows come in order.
    for start in range(0, width, 16):
        part = word >> np.uint64(start)
        store_bytes(flat, at + start, BYTES_OF[part & BYTE])
        store_bytes(flat, at + start + 8, BYTES_OF[part >> np.uint64(8) & BYTE])


@kernel
def _mark(flat: npt.NDArray[np.int8], plane: int, cell: int, frame: Any) -> None:
    column, row = (cell & 63) - np.int64(frame.left), (cell >> 6) - np.int64(frame.top)
    width, height = np.int64(frame.width), np.int64(frame.height)
    if 0 <= column < width and 0 <= row < height:
        flat[(plane * height + row) * width + column] = 1


@kernel
def _from(seat: int, other: int, players: int) -> int:
    # How many seats clockwise; a remainder would cost a division.
    return other - seat if other >= seat else other - seat + players


@kernel
def _write_events(public: Any, own: Any, seat: int, history: int, flat: npt.NDArray[np.int8], at: int) -> None:
    # The last first, as the own hidden cards are told off from the end of their lists. A line is put together as
    # one word, by tables: which verb comes next cannot be predicted. Its eighth byte is that of the next line.
    players = np.int64(public.rules.players)
    laid_down, taken = np.int64(own.discard_count), np.int64(own.gold_count)
    for i in range(min(history, np.int64(public.event_count))):
        event = np.int64(public.events[public.event_count - 1 - i])
        number, who = move_of(event), seat_of(event)
        verb, place = verb_of(number), place_in(number)
        column, row = (place & 63) - ORIGIN & 255, (place >> 6) - ORIGIN & 255
        line = LINES[number >> 12] | np.uint64(_from(seat, who, players) + 1)
        line |= ON_BOARD[verb] & np.uint64(column << 32 | row << 40)
        line |= AT_SEAT[verb] & np.uint64(_from(seat, place, players) + 1 << 48)
        line |= AT_GOAL[verb] & np.uint64(place + 1 << 48)
        store_bytes(flat, at, line)
        if who == seat and verb in (DISCARD, TAKE):
            laid_down -= np.int64(verb == DISCARD)
            taken -= np.int64(verb == TAKE)
            flat[at + 2] = own.discards[laid_down] if verb == DISCARD else own.gold[taken] & VALUE
        at += len(EVENT_PARTS)


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
        cell, face = np.int64(public.rules.goal_cell[goal]), known_face(public, own, goal)
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
        other = seat + place if seat + place < players else seat + place - players
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
        seats[_from(seat, np.int64(public.gold_seat[i]), players), 12] += 1


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
