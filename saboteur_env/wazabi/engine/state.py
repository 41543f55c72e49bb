"""One game as one fixed-size record; a batch is an array of them.

`public` is what everybody sees, `private[seat]` is what that seat knows of hands, `secret` is what no seat knows as a
whole. A view inside a kernel is the pair (`public`, `private[seat]`). All small numbers are signed.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...core.compiled.memory import record_dtype
from .cards import FACES, KINDS

MAX_PLAYERS = 6
MAX_DECK = 64
MAX_DICE = 24  # in the box, so that no seat can ever have more
MAX_GAMES = 10


RULES = record_dtype(
    ("players", "i1"),
    ("games", "i1"),
    ("dice", "i1"),  # of each seat at first
    ("cards", "i1"),
    ("neighbours", "i1"),  # rolled dice go to neighbours only (4.1)
    ("play_on", "i1"),  # until one seat is left (4.4)
    ("first_seat", "i1"),  # -1: who rolls most wasabi (2.3)
    ("team", "i1", MAX_PLAYERS),  # equal numbers play together (4.2)
    ("faces", "i1", len(FACES)),  # sides of a die that show each
    ("cost", "i1", len(KINDS)),
    ("deck", "i1", len(KINDS)),
)

PUBLIC = record_dtype(
    ("turns", "i4"),  # rolled in this game; with the next two it numbers what chance has decided
    ("shuffles", "i4"),
    ("picks", "i4"),  # cards taken at random
    ("game_number", "i1"),
    ("first_seat", "i1"),
    ("seat", "i1"),  # decides next
    ("mover", "i1"),  # whose turn it is
    ("direction", "i1"),  # 1 clockwise, -1 the other way
    ("choice", "i1"),  # the verb that is waited for (moves.py); PASS is not: it ends a turn
    ("over", "i1"),
    ("winner", "i1"),  # the first seat without dice, -1 before
    ("finished", "i1"),  # seats without dice
    ("rolled", "i1", len(FACES)),  # in this turn
    ("due", "i1"),  # cards or dice still to be drawn, taken or given
    ("card", "i1"),  # in effect, -1 for none
    ("keepers", "i1"),  # seats that must still choose which cards to keep, as bits
    ("dice", "i1", MAX_PLAYERS),
    ("hand_count", "i1", MAX_PLAYERS),
    ("misses", "i1", MAX_PLAYERS),  # cards that lie before each seat
    ("place", "i1", MAX_PLAYERS),  # 1 for the first without dice, 0 while playing
    ("points", "i2", MAX_PLAYERS),  # of the tournament (4.5)
    ("pile_count", "i1"),
    ("discards", "i1", len(KINDS)),
    ("sure", "i1", (MAX_PLAYERS, MAX_PLAYERS)),  # [who, whose]: so many cards of that hand it surely knows (5.3)
    ("rules", RULES),
)

PRIVATE = record_dtype(
    ("known", "i1", (MAX_PLAYERS, len(KINDS))),  # cards this seat knows in each hand, its own whole (5)
)

SECRET = record_dtype(
    ("seed", "u8"),
    ("hands", "i1", (MAX_PLAYERS, len(KINDS))),
    ("pile", "i1", MAX_DECK),  # the next card to be drawn is the last of `public.pile_count`
)

_SIZE = PUBLIC.itemsize + MAX_PLAYERS * PRIVATE.itemsize + SECRET.itemsize
STATE = record_dtype(
    ("public", PUBLIC),
    ("private", PRIVATE, MAX_PLAYERS),
    ("secret", SECRET),
    ("padding", "u1", 8 - _SIZE % 8),  # a whole number of words
)

Games = npt.NDArray[np.void]


def blank(count: int = 1) -> Games:
    """`count` empty records."""
    return np.zeros(count, STATE)
