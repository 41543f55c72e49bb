"""Words as moves: claims about goals read, accusations and vouchers (Rules 9). They are public and carry no truth."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..core.compiled.jit import kernel, separate
from .editions import MAX_WORDS
from .moves import ACCUSE, CLAIM, SAY_NOTHING, VOUCH, card_of, move, move_of, seat_of, verb_of
from .state import NO_CHOICE, Public


@kernel
def says_something(number: int) -> bool:
    """Whether a move is a word: an accusation, a voucher, or a claim that does not say nothing."""
    return verb_of(number) >= ACCUSE or (verb_of(number) == CLAIM and card_of(number) != SAY_NOTHING)


@kernel
def words_left(public: Public, seat: int) -> int:
    """How many accusations and vouchers a seat may still say in this round (Rules 9.2)."""
    left = MAX_WORDS
    for i in range(public.event_count):
        event = np.int64(public.events[i])
        left -= seat_of(event) == seat and verb_of(move_of(event)) >= ACCUSE
    return left


@kernel
def may_speak(public: Public) -> bool:
    """Whether the seat to move may accuse or vouch: at the start of its turn, once, and not too often in a round."""
    if public.choice != NO_CHOICE or not public.rules.talk:
        return False
    spoke = public.event_count > 0 and verb_of(move_of(np.int64(public.events[public.event_count - 1]))) >= ACCUSE
    return not spoke and words_left(public, np.int64(public.seat)) > 0


@separate
def add_words(public: Public, moves: npt.NDArray[np.int32], count: int) -> int:
    """Write whom the seat to move may accuse or vouch for behind its other legal moves; return the number of all.

    Args:
        moves: int32[MAX_MOVES], of which `count` are written.
    """
    if may_speak(public):
        for seat in range(public.rules.players):
            if seat != public.seat:
                moves[count] = move(ACCUSE, 0, seat)
                moves[count + 1] = move(VOUCH, 0, seat)
                count += 2
    return count
