"""The kinds of cards and the faces of a die, with what is printed on them (Wazabi 1). Knows no game in progress."""

from __future__ import annotations

import numpy as np

REMOVE_ONE, REMOVE_TWO, KEEP_TWO, DRAW_THREE, SWAP_DICE, PASS_DICE, SWAP_CARDS, PASS_CARDS, REVERSE, MISS = range(10)
GIVE_DIE, TAKE_CARD, KEEP_ONE = range(10, 13)
WASABI, CARD, DIE = range(3)
FACES = ("wasabi", "card", "die")
PRINTED_FACES = (3, 2, 1)

# What a card is played at.
NOBODY, SEAT, SIDE = range(3)
SIDES = ("left", "right")

# Name, what it is played at, cost, copies in the French deck and in the sheet's, the latter assumed (Wazabi 1.3).
_TABLE = (
    ("remove_one", NOBODY, 1, 7, 7),
    ("remove_two", NOBODY, 3, 5, 5),
    ("keep_two", NOBODY, 2, 4, 4),
    ("draw_three", NOBODY, 1, 3, 3),
    ("swap_dice", SEAT, 3, 0, 3),
    ("pass_dice", SIDE, 2, 3, 3),
    ("swap_cards", SEAT, 2, 0, 3),
    ("pass_cards", SIDE, 2, 0, 4),
    ("reverse", NOBODY, 0, 2, 2),
    ("miss", SEAT, 0, 2, 2),
    ("give_die", SEAT, 3, 3, 0),
    ("take_card", SEAT, 1, 3, 0),
    ("keep_one", SEAT, 1, 4, 0),
)
KINDS, _AIMS, PRINTED_COSTS, _FRENCH, _SHEET = zip(*_TABLE, strict=True)
AIMS = np.array(_AIMS)
DECKS: dict[str, tuple[int, ...]] = {"sheet": _SHEET, "french": _FRENCH}
