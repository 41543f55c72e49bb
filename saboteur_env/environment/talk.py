"""What observations of tables that talk have besides: what each dwarf last said of goals and of others (Rules 9)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.compiled.jit import separate
from ..core.field import Field, named_rows
from ..engine.moves import ACCUSE, CLAIM, SAY_NOTHING, VOUCH, card_of, move_of, seat_of, target_of, verb_of
from ..engine.state import MAX_GOALS, MAX_PLAYERS, Public
from ..engine.talk import words_left
from .fields import seats_from

WORD, WORD_PARTS = named_rows(
    treasure=tuple(f"last claimed that goal {goal} is the treasure" for goal in range(MAX_GOALS)),
    stone=tuple(f"last claimed that goal {goal} is a stone" for goal in range(MAX_GOALS)),
    of=tuple(f"of the dwarf {offset} seats on: 1 vouched for, -1 accused" for offset in range(MAX_PLAYERS)),
    left="accusations and vouchers left in this round",
)
TALK = Field("talk", (MAX_PLAYERS, len(WORD_PARTS)), -1, 3, "words of the dwarfs from this seat clockwise", WORD_PARTS)


@separate
def write_talk(public: Public, seat: int, flat: Any) -> None:
    """Write the field TALK. Mutates: flat, int8[its size]. Requires: it is all zero."""
    players, lines = np.int64(public.rules.players), flat.reshape((MAX_PLAYERS, len(WORD_PARTS)))
    for other in range(players):
        lines[seats_from(seat, other, players), WORD.left] = words_left(public, other)
    for i in range(public.event_count):
        event = np.int64(public.events[i])
        number, line = move_of(event), lines[seats_from(seat, seat_of(event), players)]
        verb, target = verb_of(number), target_of(number)
        if verb == CLAIM and card_of(number) != SAY_NOTHING:
            line[WORD.treasure + target] = card_of(number) == 1
            line[WORD.stone + target] = card_of(number) == 2
        elif verb in (ACCUSE, VOUCH):
            line[WORD.of + seats_from(seat, target, players)] = 1 if verb == VOUCH else -1
