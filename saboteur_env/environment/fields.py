"""The fields of an observation: name, shape, range, meaning. The one table behind arrays, spaces and documentation."""

from __future__ import annotations

import numpy as np

from ..core.field import Field
from ..engine.cards import KINDS
from ..engine.state import MAX_GOALS, MAX_PLAYERS

MINE_PLANES = (
    "open to the north",
    "open to the east",
    "open to the south",
    "open to the west",
    "dead end",
    "a way from the start",
    "start",
    "goal face down",
    "treasure, face up or read by this seat",
    "stone, face up or read by this seat",
    "empty, and a card that fits may be laid here",
    "where the last card was laid or taken",
)
GOAL_PARTS = ("there", "face up", "treasure", "stone NE", "stone NW", "read by this seat", "column", "row")
SEAT_PARTS = (
    "seated",
    "to move",
    "began the round",
    "took the last turn",
    "broken pickaxe",
    "broken lantern",
    "broken cart",
    "cards in hand",
    "cards laid face down",
    "read goal 0",
    "read goal 1",
    "read goal 2",
    "gold cards",
    "nuggets, where known",
    "miner, where known",
    "saboteur, where known",
    "nuggets due and not paid",
)
TABLE_PARTS = (
    "cards in the deck",
    "round",
    "rounds",
    "passes",
    "cards in the gold deck",
    *(f"choice: {what}" for what in ("none", "how a stone lies", "which goal", "gold")),
    *(f"goal {goal} to choose" for goal in range(MAX_GOALS)),
    *(f"goal {goal} declined in this turn" for goal in range(MAX_GOALS)),
    *(f"winner: {who}" for who in ("none yet", "miners", "saboteurs", "nobody")),
    *(f"gold cards of {value} on offer to this seat" for value in (1, 2, 3)),
)
RULE_PARTS = (
    "players",
    "hand size",
    "saboteurs in the pool",
    "miners in the pool",
    "goals",
    "placement touching",
    "stone joins",
    "one of several goals",
    "round ends when all passed",
    "no gold with a broken tool",
    "gold draft",
    "own tool may be broken",
)
EVENT_PARTS = ("seat + 1", "move + 1", "card", "tool + 1", "column", "row", "target seat or goal + 1")


# Those whose shape hangs on no setting, in the order in which `observe` writes them.
FIXED = (
    Field("role", (2,), 0, 1, "this seat's role", ("miner", "saboteur")),
    Field("hand", (len(KINDS),), 0, 96, "cards of each kind in this seat's hand", KINDS),
    Field("discarded", (len(KINDS),), 0, 96, "cards of each kind this seat laid face down in this round", KINDS),
    Field("played", (len(KINDS),), 0, 96, "cards of each kind that left the game for all to see", KINDS),
    Field("deck", (len(KINDS),), 0, 96, "cards of each kind in the whole deck", KINDS),
    Field("goals", (MAX_GOALS, len(GOAL_PARTS)), -32, 32, "goals from north to south", GOAL_PARTS),
    Field("seats", (MAX_PLAYERS, len(SEAT_PARTS)), 0, 127, "dwarfs from this seat clockwise", SEAT_PARTS),
    Field("table", (len(TABLE_PARTS),), 0, 127, "the state of the round", TABLE_PARTS),
    Field("rules", (len(RULE_PARTS),), 0, 127, "the settings of the match", RULE_PARTS),
)
AT = dict(zip((field.name for field in FIXED), np.cumsum([0, *(field.size for field in FIXED)]).tolist(), strict=False))
AT_ROLE, AT_HAND, AT_DISCARDED, AT_PLAYED, AT_DECK, AT_GOALS, AT_SEATS, AT_TABLE, AT_RULES = AT.values()
AT_CHOICE, AT_CHOICE_GOALS, AT_DECLINED, AT_WINNER, AT_OFFER = 5, 9, 12, 15, 19  # places in TABLE_PARTS
