"""The rows of an observation that depend on no setting, each named beside the kernel that writes it.

They are cards, goals, seats, table and rules. What lies in a window, and events, are in encoder.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.compiled.jit import inlined, kernel, literal_unroll
from ..core.compiled.memory import store_bytes
from ..core.field import Field, first_places, named_rows
from ..engine.bitboard import ORIGIN
from ..engine.cards import GOLD_VALUES, KINDS, MINER, ROLES, SABOTEUR, TOOLS, TREASURE, UNKNOWN
from ..engine.editions import OBSERVED_FLAGS, SWITCHES, RulesRecord
from ..engine.gold import nuggets, offered
from ..engine.state import CHOOSE_GOLD, MAX_GOALS, MAX_PLAYERS, RUNNING, Private, Public, known_face

GOAL, GOAL_PARTS = named_rows(
    there="there",
    face_up="face up",
    faces=("treasure", "stone NE", "stone NW"),
    read="read by this seat",
    column="column",
    row="row",
)
SEAT, SEAT_PARTS = named_rows(
    seated="seated",
    to_move="to move",
    began="began the round",
    moved_last="took the last turn",
    broken=tuple(f"broken {tool}" for tool in TOOLS),
    cards="cards in hand",
    hidden="cards laid face down",
    maps=tuple(f"read goal {goal}" for goal in range(MAX_GOALS)),
    gold_cards="gold cards",
    nuggets="nuggets, where known",
    roles=tuple(f"{role}, where known" for role in ROLES),
    shortfall="nuggets due and not paid",
)
TABLE, TABLE_PARTS = named_rows(
    deck="cards in the deck",
    round="round",
    rounds="rounds",
    passes="passes",
    gold_deck="cards in the gold deck",
    choice=tuple(f"choice: {what}" for what in ("none", "how a stone lies", "which goal", "gold")),
    choice_goals=tuple(f"goal {goal} to choose" for goal in range(MAX_GOALS)),
    declined=tuple(f"goal {goal} declined in this turn" for goal in range(MAX_GOALS)),
    winner=tuple(f"winner: {who}" for who in ("none yet", "miners", "saboteurs", "nobody")),
    offer=tuple(f"gold cards of {value} on offer to this seat" for value in GOLD_VALUES),
)
RULE, RULE_PARTS = named_rows(
    players="players",
    hand_size="hand size",
    saboteurs="saboteurs in the pool",
    miners="miners in the pool",
    goals="goals",
    switches=tuple(switch.meaning for switch in SWITCHES.values() if switch.flag and switch.meaning),
)

# In the order in which `observe` writes them.
FIXED = (
    Field("role", (len(ROLES),), 0, 1, "this seat's role", ROLES),
    Field("hand", (len(KINDS),), 0, 96, "cards of each kind in this seat's hand", KINDS),
    Field("discarded", (len(KINDS),), 0, 96, "cards of each kind this seat laid face down in this round", KINDS),
    Field("played", (len(KINDS),), 0, 96, "cards of each kind that left the game for all to see", KINDS),
    Field("deck", (len(KINDS),), 0, 96, "cards of each kind in the whole deck", KINDS),
    Field("goals", (MAX_GOALS, len(GOAL_PARTS)), -32, 32, "goals from north to south", GOAL_PARTS),
    Field("seats", (MAX_PLAYERS, len(SEAT_PARTS)), 0, 127, "dwarfs from this seat clockwise", SEAT_PARTS),
    Field("table", (len(TABLE_PARTS),), 0, 127, "the state of the round", TABLE_PARTS),
    Field("rules", (len(RULE_PARTS),), 0, 127, "the settings of the match", RULE_PARTS),
)
AT = first_places(FIXED)
BYTES_OF = np.array([sum((bits >> i & 1) << 8 * i for i in range(8)) for bits in range(256)], np.uint64)


@inlined
def write_fixed(public: Public, private: Private, seat: int, fixed: Any) -> None:
    """Write the fields of FIXED. Mutates: fixed, int8[their sizes]. Requires: it is all zero."""
    _write_cards(public, private, fixed)
    for goal in range(public.rules.goals):
        store_bytes(fixed, AT.goals + goal * len(GOAL_PARTS), _goal_line(public, private, goal))
    _write_seats(public, private, seat, fixed)
    _write_table(public, private, seat, fixed[AT.table : AT.rules])
    _write_rules(public.rules, fixed[AT.rules :])


@kernel
def seats_from(seat: int, other: int, players: int) -> int:
    """How many seats clockwise another one is; a remainder would cost a division."""
    return other - seat if other >= seat else other - seat + players


@inlined
def _byte(part: int, value: int) -> np.uint64:
    # A part of a line in the word of eight bytes that holds it: a line is written by words, the lowest byte first.
    return np.uint64(np.int64(value) & 255) << np.uint64(8 * (part & 7))


@inlined
def _write_cards(public: Public, private: Private, fixed: Any) -> None:
    fixed[AT.role + private.role] = 1
    for kind in range(len(KINDS)):
        fixed[AT.hand + kind] = private.hand[kind]
    for kind in range(len(KINDS)):
        fixed[AT.played + kind] = public.played[kind]
    for kind in range(len(KINDS)):
        fixed[AT.deck + kind] = public.rules.deck[kind]
    for i in range(private.discard_count):
        fixed[AT.discarded + private.discards[i]] += 1


@inlined
def _goal_line(public: Public, private: Private, goal: int) -> np.uint64:
    cell, face = np.int64(public.rules.goal_cell[goal]), known_face(public, private, goal)
    known = np.int64(face != UNKNOWN)
    return (
        _byte(GOAL.there, 1)
        | _byte(GOAL.face_up, public.goal_face[goal] != UNKNOWN)
        | _byte(GOAL.faces + known * (face - TREASURE), known)
        | _byte(GOAL.read, private.face[goal] != UNKNOWN)
        | _byte(GOAL.column, (cell & 63) - ORIGIN)
        | _byte(GOAL.row, (cell >> 6) - ORIGIN)
    )


@inlined
def _write_seats(public: Public, private: Private, seat: int, fixed: Any) -> None:
    players, ended = np.int64(public.rules.players), np.int64(public.winner != RUNNING)
    to_move = -1 if public.over else np.int64(public.seat)
    for offset in range(players):
        other = seat + offset if seat + offset < players else seat + offset - players
        at = AT.seats + offset * len(SEAT_PARTS)
        store_bytes(fixed, at, _first_word(public, other, to_move))
        store_bytes(fixed, at + 8, _second_word(public, other, ended))
        fixed[at + SEAT.shortfall] = public.shortfall[other]
    fixed[AT.seats + SEAT.roles + MINER], fixed[AT.seats + SEAT.roles + SABOTEUR] = 1 - private.role, private.role
    fixed[AT.seats + SEAT.nuggets] = nuggets(private)
    for i in range(public.gold_count):
        line = seats_from(seat, np.int64(public.gold_seat[i]), players)
        fixed[AT.seats + line * len(SEAT_PARTS) + SEAT.gold_cards] += 1


@inlined
def _first_word(public: Public, other: int, to_move: int) -> np.uint64:
    return (
        _byte(SEAT.seated, 1)
        | _byte(SEAT.to_move, other == to_move)
        | _byte(SEAT.began, other == public.first_seat)
        | _byte(SEAT.moved_last, other == public.last_seat)
        | BYTES_OF[public.broken[other]] << np.uint64(8 * SEAT.broken)
        | _byte(SEAT.cards, public.hand_count[other])
    )


@inlined
def _second_word(public: Public, other: int, ended: int) -> np.uint64:
    return (
        _byte(SEAT.hidden, public.hidden[other])
        | BYTES_OF[public.maps[other]] << np.uint64(8 * (SEAT.maps & 7))
        | _byte(SEAT.nuggets, public.nuggets[other])
        | _byte(SEAT.roles + (np.int64(public.roles) >> other & 1), ended)
    )


@inlined
def _write_table(public: Public, private: Private, seat: int, table: Any) -> None:
    table[TABLE.deck], table[TABLE.gold_deck] = public.deck_count, public.gold_left
    table[TABLE.round], table[TABLE.rounds] = public.round_number, public.rules.rounds
    table[TABLE.passes] = public.passes
    table[TABLE.choice + (public.choice & 3)] = 1  # a claim has no row of its own: its goal shows below
    for goal in range(MAX_GOALS):
        table[TABLE.choice_goals + goal] = public.choice_goals >> goal & 1
        table[TABLE.declined + goal] = public.declined >> goal & 1
    table[TABLE.winner + public.winner] = 1
    if public.choice == CHOOSE_GOLD and public.seat == seat:
        for value in range(1, 4):
            table[TABLE.offer + value - 1] = offered(np.int64(private.gold[private.gold_count]), value)


@inlined
def _write_rules(rules: RulesRecord, out: Any) -> None:
    out[RULE.players], out[RULE.hand_size] = rules.players, rules.hand_size
    out[RULE.saboteurs], out[RULE.miners], out[RULE.goals] = rules.saboteurs, rules.miners, rules.goals
    offset = RULE.switches
    for flag in literal_unroll(OBSERVED_FLAGS):
        out[offset] = rules[flag]
        offset += 1
