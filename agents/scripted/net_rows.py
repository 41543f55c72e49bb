"""The numbers that the small network reads, each named here: of the state of the table, and of every legal move.

Kernels write them from a view (net_inputs.py). Cards needed and roles inferred are those of the scripted dwarfs, so
they cost little. The records of the network's weights and of its room stand here too.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from saboteur_env.core.compiled.memory import Record, record_dtype
from saboteur_env.core.field import named_rows
from saboteur_env.engine.cards import KINDS, ROLES, TOOLS
from saboteur_env.engine.moves import LAY, ROCK, card_of, verb_of
from saboteur_env.engine.state import MAX_GOALS, MAX_PLAYERS
from saboteur_env.environment.actions import ORIENTATIONS_IN_ORDER, REST_MOVES

WIDTH, CHOICE = 64, 48  # numbers of the state, and of each legal move
NEAR = 6  # distances to a goal that are told apart

# What a seat did in this round, and what the observer has of it.
DEED, DEEDS = named_rows(
    forward="cards laid that lead nearer to a goal than any before",
    aside="other path cards laid",
    dead_end="dead ends laid",
    rockfall="rockfalls on tunnels",
    clearing="rockfalls on dead ends",
    broke="tools broken of seats that look honest",
    broke_guilty="tools broken of seats that look guilty",
    mended="tools mended of seats that look honest",
    mended_guilty="tools mended of seats that look guilty",
    healed="own tools mended",
    read="maps played",
    hid="cards laid face down",
    struck="tools broken of this seat",
    helped="tools mended of this seat",
)
STATE_ROW, STATE_ROWS = named_rows(
    hand=tuple(f"{kind} in hand" for kind in KINDS),
    left=tuple(f"{kind} not played yet" for kind in KINDS),
    players=tuple(f"{count} players" for count in range(3, MAX_PLAYERS + 1)),
    saboteurs="saboteurs in the pool",
    deck="cards in the deck",
    deck_empty="no cards in the deck",
    turns="turns left for each seat",
    passes="passes",
    cards="cards in hand",
    choosing="a choice in the middle of a turn",
    broken=tuple(f"own {tool} broken" for tool in TOOLS),
    deeds=DEEDS,
    hopes=tuple(f"chance of goal {goal} to be the treasure" for goal in range(MAX_GOALS)),
    needed=tuple(f"cards needed to goal {goal}" for goal in range(MAX_GOALS)),
    open=tuple(f"goal {goal} face up" for goal in range(MAX_GOALS)),
    cut_off=tuple(f"no way to goal {goal}" for goal in range(MAX_GOALS)),
    known="the treasure is known",
    expected="cards needed on average over where the treasure may be",
    nearest=tuple(f"at most {cards} cards needed to a goal it may be at" for cards in range(1, NEAR + 1)),
    saboteur_probability=tuple(f"chance of seat {seat} to be a saboteur" for seat in range(1, MAX_PLAYERS)),
    stuck=tuple(f"tools broken of seat {seat}" for seat in range(1, MAX_PLAYERS)),
    holds=tuple(f"cards in the hand of seat {seat}" for seat in range(1, MAX_PLAYERS)),
    reads=tuple(f"goals read by seat {seat}" for seat in range(1, MAX_PLAYERS)),
    honest_stuck="share of stuck seats among those that look honest",
    guilty_stuck="share of stuck seats among those that look guilty",
    sure="the highest chance of a seat to be a saboteur",
)
MOVE_ROW, MOVE_ROWS = named_rows(
    lay_saved="laid: cards saved on average over where the treasure may be",
    lay_most="the most it saves to such a goal",
    lay_least="the least",
    lay_changes="it may change the cards needed",
    lay_reaches="chance that it reaches the treasure",
    lay_near="how near it leads to the nearest such goal",
    lay_room="cards left that fit behind it",
    lay_outlets="open sides that lead nearer",
    lay_open="open sides",
    lay_sides=("open to the north", "open to the east", "open to the south", "open to the west"),
    lay_met=tuple(f"{what} side to the {side}" for what in ("an open", "a shut") for side in ("N", "E", "S", "W")),
    lay_column="column",
    lay_row="row",
    lay_off="rows off the middle",
    rock_saved="rockfall: cards saved on average",
    rock_worst="the least it saves to such a goal",
    rock_connected="on a cell with a way from the start",
    rock_dead="on a dead end",
    rock_gap="cards left that fit the gap",
    rock_column="column",
    seat_self="tool: of this seat",
    seat_probability="chance of its seat to be a saboteur",
    seat_broken="tools of it that are broken",
    seat_last="the last tool that is broken there",
    seat_soon="how soon the seat moves",
    seat_holds="cards in its hand",
    seat_read="goals it read",
    seat_deeds=DEEDS,
    read_hope="map: chance of the goal to be the treasure",
    read_open="the goal may be the treasure or not",
    read_needed="cards needed to it",
    discard_copies="discard: cards of this kind in hand",
    discard_stuck="while own tools are broken",
    choice_gain="choice: what it gains",
)


def _kind_rows() -> npt.NDArray[np.int64]:
    # For verb and card of a move (its bits from 12 on) the row of weights: orientations, rockfall, then the rest.
    rows = np.zeros(1 << 9, np.int64)
    for i, orientation in enumerate(ORIENTATIONS_IN_ORDER.tolist()):
        rows[LAY << 5 | orientation] = i
    rows[ROCK << 5] = len(ORIENTATIONS_IN_ORDER)
    rest = dict.fromkeys(verb_of(number) << 5 | card_of(number) for number in REST_MOVES.tolist())
    for i, kind in enumerate(rest):
        rows[kind] = len(ORIENTATIONS_IN_ORDER) + 1 + i
    return rows


KIND_ROW = _kind_rows()
KIND_ROWS = int(KIND_ROW.max()) + 1

_FLOATS = {
    "first": (len(STATE_ROWS), WIDTH),
    "first_bias": (WIDTH,),
    "inner": (WIDTH, WIDTH),
    "inner_bias": (WIDTH,),
    "context": (WIDTH, CHOICE),
    "context_bias": (CHOICE,),
    "query": (WIDTH, CHOICE),
    "query_bias": (CHOICE,),
    "kind": (KIND_ROWS, CHOICE),
    "move": (len(MOVE_ROWS), CHOICE),
}
# For each role its weights, inputs first.
NETWORK = record_dtype(*((name, "f4", (len(ROLES), *shape)) for name, shape in _FLOATS.items()))
# The room in which it decides.
NET_ROOM = record_dtype(
    ("state", "f4", len(STATE_ROWS)),
    ("move", "f4", len(MOVE_ROWS)),
    ("deeds", "f4", (MAX_PLAYERS, len(DEEDS))),
    ("hidden", "f4", WIDTH),
    ("whole", "f4", WIDTH),
    ("context", "f4", CHOICE),
    ("query", "f4", CHOICE),
    ("chosen", "f4", CHOICE),
)


class NetRoom(Record):
    """A `NET_ROOM` record, as kernels take it."""
