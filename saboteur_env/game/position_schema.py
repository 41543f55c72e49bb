"""The shape of a position in JSON (docs/positions.md), as data."""

from __future__ import annotations

from ..core.schema import ANY_OBJECT, BOOLEAN, NULL, TEXT, either, one_of, only, whole
from ..engine.bitboard import REACH
from ..engine.cards import FACES, GOLD_VALUES, KINDS, PATH_KINDS, ROLES, SIDES, TOOLS
from ..engine.editions import EDITIONS
from ..engine.state import MAX_EVENTS, MAX_GOALS, MAX_PLAYERS, MAX_ROUNDS, WINNERS
from .messages import MESSAGE_TEXT

FORMAT = "saboteur-position/1"

_SEAT = whole(0, MAX_PLAYERS - 1)
_GOAL = whole(0, MAX_GOALS - 1)
_ROLE = one_of("a role (miner, saboteur)", ROLES)
_CARD = one_of("the name of a card", KINDS)
_PATH_CARD = one_of("the upright name of a path card", KINDS[:PATH_KINDS])
_GOLD = one_of("a gold card (1, 2, 3)", GOLD_VALUES)
_BEFORE = {"before": [(_GOAL, one_of("a side (N, E, S, W)", SIDES))], "declined": [_GOAL]}
_PLACE = whole(-REACH, REACH)
_PAST = {
    "winner": one_of("a winner (miners, saboteurs, nobody)", WINNERS[1:]),
    "roles": [_ROLE],
    "role_aside": either(_ROLE, NULL),
    "first_seat": _SEAT,
    "last_seat": _SEAT,
    "gold": [(_SEAT, _GOLD)],
}
POSITION_SCHEMA = {
    "format": one_of(f"{FORMAT!r}", [FORMAT]),
    "edition": one_of("an edition (" + ", ".join(EDITIONS) + ")", EDITIONS),
    "options": ANY_OBJECT,
    "players": whole(3, MAX_PLAYERS),
    "round": whole(1, MAX_ROUNDS),
    "rounds": whole(1, MAX_ROUNDS),
    "first_seat": _SEAT,
    "seat": _SEAT,
    "last_seat": _SEAT,
    "passes": whole(0, MAX_EVENTS),
    "roles": [_ROLE],
    "role_aside": either(_ROLE, NULL),
    "hands": [[_CARD]],
    "deck": [_CARD],
    "discards": [{"card": _CARD, "by?": _SEAT}],
    "goals": [{"face": one_of("a face (treasure, stone:NE, stone:NW)", FACES[1:]), "open": BOOLEAN, "turned": BOOLEAN}],
    "tunnels": [{"card": _PATH_CARD, "turned": BOOLEAN, "at": (_PLACE, _PLACE)}],
    "broken": [[one_of("a tool (pickaxe, lantern, cart)", TOOLS)]],
    "maps": [[_GOAL]],
    "gold": [[_GOLD]],
    "gold_deck": [_GOLD],
    "shortfall": [whole(0, 40)],
    "record?": [(_SEAT, TEXT)],
    "messages?": [(whole(0, MAX_EVENTS), _SEAT, MESSAGE_TEXT)],
    "past?": [_PAST],
    "pending": either(
        NULL,
        only({"stone": _GOAL, **_BEFORE}),
        only({"goals": [_GOAL], **_BEFORE}),
        only({"gold": [_GOLD]}),
        only({"claim": _GOAL}),
    ),
    "winner": one_of("a winner (miners, saboteurs, nobody) or null", WINNERS),
    "forgotten?": [whole(0, 28)],
    "short?": [(whole(1, MAX_ROUNDS), _SEAT, whole(1, 4))],
    "chance?": TEXT,
}
