"""A view as arrays: name, shape, range, meaning of each, and the kernel that writes them.

Everything is seat-relative: seat 0 is the observing one, 1 the next clockwise. Seats are padded to six, so one
network serves 2 to 6 players.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.compiled.jit import kernel
from ..core.field import Field, split_fields
from .engine.cards import FACES, KINDS
from .engine.moves import VERBS
from .engine.state import MAX_DICE, MAX_PLAYERS
from .view import View

DECISIONS = VERBS[:-1]  # passing ends a turn, nobody is asked for it alone
SEAT_PARTS = (
    "seated",
    "to move",
    "has the turn",
    "partner",
    "dice",
    "cards in hand",
    "cards to miss turns",
    "place",
    "points, 127 at most",
    "must choose what to keep",
)
TABLE_PARTS = (
    *(f"decision: {verb}" for verb in DECISIONS),
    *(f"rolled: {face}" for face in FACES),
    "cards or dice due",
    "clockwise",
    "cards in the pile",
    "game",
)
RULE_PARTS = (
    "players",
    "games",
    "dice of each seat",
    "cards dealt",
    "neighbours",
    "play on",
    *(f"sides: {f}" for f in FACES),
)
FIELDS = (
    Field("hands", (MAX_PLAYERS, len(KINDS)), 0, 64, "cards this seat is sure of in each hand, its own first", KINDS),
    Field("sure", (MAX_PLAYERS, MAX_PLAYERS), 0, 64, "how many cards of each hand each seat is sure of at least"),
    Field("discards", (len(KINDS),), 0, 64, "cards of each kind among the discards", KINDS),
    Field("deck", (len(KINDS),), 0, 64, "cards of each kind in the whole deck", KINDS),
    Field("costs", (len(KINDS),), 0, MAX_DICE, "wasabi that each kind costs", KINDS),
    Field("card", (len(KINDS),), 0, 1, "the card in effect", KINDS),
    Field("seats", (MAX_PLAYERS, len(SEAT_PARTS)), 0, 127, "seats from this one clockwise", SEAT_PARTS),
    Field("table", (len(TABLE_PARTS),), 0, 127, "the state of the turn", TABLE_PARTS),
    Field("rules", (len(RULE_PARTS),), 0, 127, "the settings of the match", RULE_PARTS),
)
_FIRST = np.cumsum([0, *(field.size for field in FIELDS)]).tolist()
BYTES = _FIRST[-1]
AT_HANDS, AT_SURE, AT_DISCARDS, AT_DECK, AT_COSTS, AT_CARD, AT_SEATS, AT_TABLE, AT_RULES = _FIRST[:-1]
AT_ROLLED, AT_DUE = AT_TABLE + len(DECISIONS), AT_TABLE + len(DECISIONS) + len(FACES)


@kernel
def observe(public: Any, private: Any, seat: int, flat: Any) -> None:
    """Write what `seat` sees.

    Args:
        private: the private record of that seat.
        flat: int8[BYTES]. Mutates it. Requires: it is zero.
    """
    rules = public.rules
    for kind in range(len(KINDS)):
        flat[AT_DISCARDS + kind] = public.discards[kind]
        flat[AT_DECK + kind] = rules.deck[kind]
        flat[AT_COSTS + kind] = rules.cost[kind]
        flat[AT_CARD + kind] = public.card == kind
    _observe_seats(public, private, seat, flat)
    if not public.over:
        flat[AT_TABLE + np.int64(public.choice)] = 1
    for face in range(len(FACES)):
        flat[AT_ROLLED + face] = public.rolled[face]
        flat[AT_RULES + 6 + face] = rules.faces[face]
    flat[AT_DUE], flat[AT_DUE + 1] = public.due, public.direction > 0
    flat[AT_DUE + 2], flat[AT_DUE + 3] = public.pile_count, public.game_number
    flat[AT_RULES], flat[AT_RULES + 1] = rules.players, rules.games
    flat[AT_RULES + 2], flat[AT_RULES + 3] = rules.dice, rules.cards
    flat[AT_RULES + 4], flat[AT_RULES + 5] = rules.neighbours, rules.play_on


@kernel
def _observe_seats(public: Any, private: Any, seat: int, flat: Any) -> None:
    players = np.int64(public.rules.players)
    for i in range(players):
        other, at = (seat + i) % players, AT_SEATS + i * len(SEAT_PARTS)
        for kind in range(len(KINDS)):
            flat[AT_HANDS + i * len(KINDS) + kind] = private.known[other, kind]
        for j in range(players):
            flat[AT_SURE + i * MAX_PLAYERS + j] = public.sure[other, (seat + j) % players]
        flat[at], flat[at + 1], flat[at + 2] = 1, public.seat == other, public.mover == other
        flat[at + 3] = other != seat and public.rules.team[other] == public.rules.team[seat]
        flat[at + 4], flat[at + 5] = public.dice[other], public.hand_count[other]
        flat[at + 6], flat[at + 7] = public.misses[other], public.place[other]
        flat[at + 8] = min(np.int64(public.points[other]), 127)
        flat[at + 9] = public.keepers >> other & 1


def observation_of(view: View) -> npt.NDArray[np.int8]:
    """The flat form of a view: int8[BYTES]."""
    flat = np.zeros(BYTES, np.int8)
    observe(view.public, view.private, view.seat, flat)
    return flat


def split(flat: npt.NDArray[np.int8]) -> dict[str, npt.NDArray[np.int8]]:
    """The arrays of flat observations `int8[..., BYTES]` by name, without copying."""
    return split_fields(FIELDS, flat)
