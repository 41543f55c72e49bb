"""Legal moves (Wazabi 3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.compiled.jit import kernel
from .cards import AIMS, DIE, KEEP_TWO, KINDS, REMOVE_ONE, SEAT, SIDE, TAKE_CARD, WASABI
from .moves import GIVE, KEEP, NONE, PASS, PLAY, TAKE, move
from .play import neighbour

MAX_MOVES = 96  # more than the pairs of 13 kinds


@kernel
def legal_moves(public: Any, private: Any, moves: Any) -> int:
    """List the legal moves of the seat to move.

    Args:
        private: the private record of that seat.
        moves: int32[MAX_MOVES], overwritten from the front.

    Returns: how many there are; none once the game is over, at least one before.
    """
    if public.over:
        return 0
    if public.choice == PLAY:
        return _plays(public, private, moves)
    if public.choice == KEEP:
        return _keeps(public, private, moves)
    count = 0
    for other in range(public.rules.players):
        gives = public.choice == GIVE and may_give(public, other)
        if gives or (public.choice == TAKE and other != public.seat and public.hand_count[other] > 0):
            moves[count] = move(np.int64(public.choice), 0, other)
            count += 1
    return count


@kernel
def may_give(public: Any, other: int) -> bool:
    """Whether a rolled die may be given to this seat."""
    seat = np.int64(public.seat)
    if public.rules.neighbours and other != neighbour(public, seat, 1) and other != neighbour(public, seat, -1):
        return False
    return other != seat and public.place[other] == 0


@kernel
def _plays(public: Any, private: Any, moves: Any) -> int:
    moves[0], count, seat = move(PASS, 0, 0), 1, np.int64(public.seat)
    for kind in range(len(KINDS)):
        if private.known[seat, kind] == 0 or public.rules.cost[kind] > public.rolled[WASABI]:
            continue
        if kind == REMOVE_ONE and public.rolled[DIE] > 1:
            continue
        if AIMS[kind] == SEAT:
            for other in range(public.rules.players):
                if other != seat and public.place[other] == 0 and (kind != TAKE_CARD or public.hand_count[other] > 0):
                    moves[count] = move(PLAY, kind, other)
                    count += 1
        else:
            for side in range(2 if AIMS[kind] == SIDE else 1):
                moves[count] = move(PLAY, kind, side)
                count += 1
    return count


@kernel
def _keeps(public: Any, private: Any, moves: Any) -> int:
    count, hand = 0, private.known[public.seat]
    for first in range(len(KINDS)):
        if hand[first] > 0 and public.card != KEEP_TWO:
            moves[count] = move(KEEP, first, NONE)
            count += 1
        elif hand[first] > 0:
            for second in range(first, len(KINDS)):
                if hand[second] > (second == first):
                    moves[count] = move(KEEP, first, second)
                    count += 1
    return count
