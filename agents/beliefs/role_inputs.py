"""The numbers that the role network reads of each seat (role_network.py): what it did in this round, and what others
did to it. All of it is public.

The acts are those of the action model (action_types.py). The treasure is hidden, so an act counts for each goal that
may be the treasure to everybody, in equal parts.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from saboteur_env.core.compiled.jit import kernel, separate
from saboteur_env.core.compiled.memory import record_dtype
from saboteur_env.core.field import named_rows
from saboteur_env.engine.bitboard import count as count_bits
from saboteur_env.engine.cards import TREASURE, UNKNOWN
from saboteur_env.engine.moves import BREAK, PASS, REPAIR, move_of, seat_of, target_of, verb_of
from saboteur_env.engine.state import MAX_PLAYERS, STATE, Public
from saboteur_env.heuristics.card_distance import measure
from saboteur_env.heuristics.flood import ALL_GOALS, FAR
from saboteur_env.inference.rewind import begins_with_round, replay, rewind

from .action_model import TRACE, PlayerTypes, begin, update_action
from .action_types import ACTION_TYPES

N_POPULATIONS = 5  # of the doubting action model
FADE = 0.7  # what an act still counts once its seat has acted again
_MOST = 8.0  # log odds beyond which an action model is not believed

SEAT_ROW, SEAT_ROWS = named_rows(
    far=tuple(f"{act}, far from the goals" for act in ACTION_TYPES),
    near=tuple(f"{act}, near a goal" for act in ACTION_TYPES),
    recent=tuple(f"{act}, lately" for act in ACTION_TYPES),
    chance=tuple(f"{act}, if its types of acts were drawn evenly" for act in ACTION_TYPES),
    acts="cards used",
    fitted="log odds by the fitted action model",
    doubting="log odds by the doubting action model",
    populations=tuple(f"chance to be of population {number}" for number in range(N_POPULATIONS)),
    broke=("tools broken of seats that look honest by now", "of seats that look guilty by now"),
    mended=("tools mended of seats that look honest by now", "of seats that look guilty by now"),
    broken_by=("own tools broken by seats that look honest by now", "by seats that look guilty by now"),
    mended_by=("own tools mended by seats that look honest by now", "by seats that look guilty by now"),
    returned="tools broken of seats that had broken an own one",
    broken="own tools broken now",
    cards="cards in hand",
    players="players",
    saboteurs="saboteurs in the pool",
    aside="dwarfs aside",
    deck="cards in the deck",
    open="goals face up",
    nearest="cards needed to the nearest goal",
)
_BROKE, _MENDED = range(2)
# What is known of one round so far.
EVIDENCE = record_dtype(
    ("game", STATE),
    ("fitted", TRACE),
    ("doubting", TRACE),
    ("tools", "f4", (2, MAX_PLAYERS, MAX_PLAYERS)),  # broken and mended, by seat and the seat they were of
    ("seats", "f4", (MAX_PLAYERS, len(SEAT_ROWS))),
)


class ReadModels(NamedTuple):
    """The action models whose log odds the network reads."""

    fitted: PlayerTypes
    doubting: PlayerTypes


@kernel
def gather(public: Public, styles: ReadModels, room: Any) -> bool:
    """Write the numbers of each seat before its next act; False if the record does not begin with the round.

    Args:
        room: EVIDENCE[1]. Mutates it.
    """
    evidence = room[0]
    forget(evidence)
    if not begins_with_round(public):
        return False
    rewind(public, evidence.game)
    for i in range(public.event_count):
        event = np.int64(public.events[i])
        note(evidence.game.public, event, styles, evidence)
        replay(evidence.game, event)
    write_table(public, evidence)
    return True


@kernel
def forget(evidence: Any) -> None:
    """Begin a round. Mutates: evidence, an EVIDENCE record."""
    begin(evidence.fitted)
    begin(evidence.doubting)
    for seat in range(MAX_PLAYERS):
        for other in range(MAX_PLAYERS):
            evidence.tools[_BROKE, seat, other] = evidence.tools[_MENDED, seat, other] = 0.0
        for row in range(len(SEAT_ROWS)):
            evidence.seats[seat, row] = 0.0


@separate
def note(public: Public, event: int, styles: ReadModels, evidence: Any) -> None:
    """Count an act. Mutates: evidence. Requires: the table is in the state before the event."""
    number = move_of(event)
    if verb_of(number) >= PASS:  # no choice of a card
        return
    _note_tool(number, seat_of(event), evidence)
    update_action(public, event, styles.doubting, evidence.doubting)
    update_action(public, event, styles.fitted, evidence.fitted)
    _count(public, evidence.fitted.choices, evidence.seats[seat_of(event)])


@kernel
def _note_tool(number: int, seat: int, evidence: Any) -> None:
    verb, target = verb_of(number), target_of(number)
    if verb in (BREAK, REPAIR) and target != seat:
        if verb == BREAK and evidence.tools[_BROKE, target, seat] > 0:
            evidence.seats[seat, SEAT_ROW.returned] += 1 / 2
        evidence.tools[_BROKE if verb == BREAK else _MENDED, seat, target] += 1 / 2


@kernel
def _bounded(log_odds: float) -> float:
    return min(max(log_odds, -_MOST), _MOST)


@kernel
def _count(public: Public, options: Any, seat: Any) -> None:
    goals = _possible(public)
    part = 1 / count_bits(np.uint64(goals))
    for act in range(len(ACTION_TYPES)):
        seat[SEAT_ROW.recent + act] *= FADE
    for treasure in range(public.rules.goals):
        if goals >> treasure & 1:
            act = np.int64(options.act[treasure])
            seat[(SEAT_ROW.near if options.context[treasure] < 8 else SEAT_ROW.far) + act] += part / 2
            seat[SEAT_ROW.recent + act] += part / 2
            whole = options.held[treasure].sum()
            for act in range(len(ACTION_TYPES)):
                seat[SEAT_ROW.chance + act] += part / 2 * options.held[treasure, act] / whole
    seat[SEAT_ROW.acts] += 1 / 8


@kernel
def _possible(public: Public) -> int:
    # The goals, as bits, that may be the treasure to everybody.
    hidden = 0
    for goal in range(public.rules.goals):
        if public.goal_face[goal] == TREASURE:
            return 1 << goal
        hidden |= np.int64(public.goal_face[goal] == UNKNOWN) << goal
    return hidden


@separate
def write_table(public: Public, evidence: Any) -> None:
    """Write the numbers that do not add up over a round. Mutates: evidence."""
    rules, faces, nearest, space = public.rules, 0, FAR, evidence.fitted.choices.space
    measure(public, ALL_GOALS, space)
    for goal in range(rules.goals):
        faces += public.goal_face[goal] != UNKNOWN
        if public.goal_face[goal] == UNKNOWN:
            nearest = min(nearest, space.now.needed[goal])
    for other in range(rules.players):
        seat = evidence.seats[other]
        _look_at_seat(public, other, evidence)
        _look_at_tools(public, other, evidence)
        seat[SEAT_ROW.players], seat[SEAT_ROW.saboteurs] = rules.players / 10, rules.saboteurs / 4
        seat[SEAT_ROW.aside] = rules.saboteurs + rules.miners - rules.players
        seat[SEAT_ROW.deck], seat[SEAT_ROW.open] = public.deck_count / 32, faces / 2
        seat[SEAT_ROW.nearest] = nearest / 8


@kernel
def _look_at_seat(public: Public, seat: int, evidence: Any) -> None:
    row = evidence.seats[seat]
    row[SEAT_ROW.fitted] = _bounded(evidence.fitted.log_odds[seat]) / 4
    row[SEAT_ROW.doubting] = _bounded(evidence.doubting.log_odds[seat]) / 4
    for population in range(N_POPULATIONS):
        row[SEAT_ROW.populations + population] = evidence.doubting.populations[seat, population]
    row[SEAT_ROW.broken] = count_bits(np.uint64(public.broken[seat])) / 2
    row[SEAT_ROW.cards] = public.hand_count[seat] / 6


@kernel
def _look_at_tools(public: Public, seat: int, evidence: Any) -> None:
    row, tools = evidence.seats[seat], evidence.tools
    for first in (SEAT_ROW.broke, SEAT_ROW.mended, SEAT_ROW.broken_by, SEAT_ROW.mended_by):
        row[first] = row[first + 1] = 0.0
    for other in range(public.rules.players):
        guilty = 1 / (1 + math.exp(-_bounded(evidence.doubting.log_odds[other])))
        for looks, part in enumerate((1 - guilty, guilty)):
            row[SEAT_ROW.broke + looks] += part * tools[_BROKE, seat, other]
            row[SEAT_ROW.mended + looks] += part * tools[_MENDED, seat, other]
            row[SEAT_ROW.broken_by + looks] += part * tools[_BROKE, other, seat]
            row[SEAT_ROW.mended_by + looks] += part * tools[_MENDED, other, seat]
