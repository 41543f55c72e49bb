"""The legal moves of the seat to move, from what that seat knows: (`public`, `private[seat]`)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..core.compiled.jit import ONE, ZERO, inlined, kernel, separate
from .bitboard import START, bit, lowest
from .cards import (
    ALL_SIDES,
    FACE_ORIENTATION,
    FIRST_BREAK,
    FIRST_REPAIR,
    FITS,
    ORIENTATIONS_OF_KIND,
    PATH_KINDS,
    ROCKFALL,
    TOOLS_OF_REPAIR,
    UNKNOWN,
)
from .gold import offered
from .moves import BREAK, CLAIM, CLAIMS, DISCARD, LAY, PASS, READ, REPAIR, REVEAL, ROCK, TAKE, TURN, move
from .state import CHOOSE_CLAIM, CHOOSE_GOLD, CHOOSE_TURN, NO_CHOICE, Private, Public
from .talk import add_words, says_something
from .tunnels import around, face_up, fronts, met_by

Moves = npt.NDArray[np.int32]

# More than any position has: 96 cards have at most 194 free open sides, each for 26 lies at most.
MAX_MOVES = 6144


@inlined
def legal_moves(public: Public, private: Private, moves: Moves) -> int:
    """Write the legal moves (moves.py) and return their number; 0 once the round is over.

    Args:
        private: the private record of the seat to move.
        moves: int32[MAX_MOVES], overwritten from the front.
    """
    if public.over:
        return 0
    if public.choice != NO_CHOICE:
        return _choices(public, private, moves)
    if private.kinds == 0:
        moves[0] = move(PASS, 0, 0)
        return add_words(public, moves, 1) if public.rules.talk else 1
    count = 0
    if public.broken[public.seat] == 0:
        count = _lays(public, private, moves, count)
    count = _actions(public, private, moves, count)
    kinds = np.uint64(private.kinds)
    while kinds != ZERO:  # over set bits: a test of each kind is mispredicted, and costs more than all else here
        moves[count] = move(DISCARD, lowest(kinds), 0)
        kinds &= kinds - ONE
        count += 1
    if public.rules.talk:
        count = add_words(public, moves, count)
    return count


@kernel
def quiet_moves(public: Public, private: Private, moves: Moves) -> int:
    """Write the legal moves that say nothing, as `legal_moves` does: all of them where nobody talks (Rules 9)."""
    count = legal_moves(public, private, moves)
    if public.rules.talk:  # words come last
        while count > 0 and says_something(np.int64(moves[count - 1])):
            count -= 1
    return count


@separate
def _choices(public: Public, private: Private, moves: Moves) -> int:
    if public.choice == CHOOSE_TURN:
        orientation = FACE_ORIENTATION[public.goal_face[lowest(np.uint64(public.choice_goals))]]
        moves[0] = move(TURN, orientation, 0)
        moves[1] = move(TURN, ALL_SIDES - orientation, 0)  # a corner turned has the other two sides
        return 2
    if public.choice == CHOOSE_CLAIM:
        for said in range(len(CLAIMS)):
            moves[said] = move(CLAIM, said, lowest(np.uint64(public.choice_goals)))
        return len(CLAIMS)
    count, goals = 0, np.uint64(public.choice_goals)
    while goals != ZERO:
        moves[count] = move(REVEAL, 0, lowest(goals))
        goals &= goals - ONE
        count += 1
    if public.choice == CHOOSE_GOLD:
        for value in range(1, 4):
            if offered(private.gold[private.gold_count], value):
                moves[count] = move(TAKE, value, 0)
                count += 1
    return count


@inlined
def orientations_held(private: Private) -> int:
    """All ways in which the path cards of a hand can lie, as a set of orientations in 32 bits."""
    kinds = np.uint64(private.kinds & (1 << PATH_KINDS) - 1)
    orientations = 0
    while kinds != ZERO:
        orientations |= ORIENTATIONS_OF_KIND[lowest(kinds)]
        kinds &= kinds - ONE
    return orientations


@inlined
def _lays(public: Public, private: Private, moves: Moves, count: int) -> int:
    board, orientations = public.board, orientations_held(private)
    if orientations == 0:
        return count
    for row in range(np.int64(public.low) - 1, np.int64(public.high) + 2):
        cells = fronts(board, row, np.int64(public.rules.touching_allowed))
        if cells == ZERO:
            continue
        opens, cards = around(board, row)
        while cells != ZERO:
            column = lowest(cells)
            cells &= cells - ONE
            fits = FITS[met_by(opens, cards, column)] & orientations
            while fits:
                orientation = lowest(np.uint64(fits))
                fits &= fits - 1
                moves[count] = move(LAY, orientation, row << 6 | column)
                count += 1
    return count


@inlined
def _actions(public: Public, private: Private, moves: Moves, count: int) -> int:
    kinds = np.uint64(private.kinds >> PATH_KINDS << PATH_KINDS)
    while kinds != ZERO:
        kind = lowest(kinds)
        kinds &= kinds - ONE
        if kind < FIRST_REPAIR:
            count = _breaks(public, kind - FIRST_BREAK, moves, count)
        elif kind < ROCKFALL:
            count = _repairs(public, kind - FIRST_REPAIR, moves, count)
        elif kind == ROCKFALL:
            count = _rockfalls(public, moves, count)
        else:
            count = _maps(public, moves, count)
    return count


@inlined
def _breaks(public: Public, tool: int, moves: Moves, count: int) -> int:
    barred = -1 if public.rules.break_self else np.int64(public.seat)
    for seat in range(public.rules.players):  # written first and counted after: a branch would be mispredicted
        moves[count] = move(BREAK, tool, seat)
        count += (1 - (public.broken[seat] >> tool & 1)) * (seat != barred)
    return count


@inlined
def _repairs(public: Public, card: int, moves: Moves, count: int) -> int:
    for seat in range(public.rules.players):
        tools = TOOLS_OF_REPAIR[card] & public.broken[seat]
        for tool in range(3):
            if tools >> tool & 1:
                moves[count] = move(REPAIR, card + 8 * tool, seat)
                count += 1
    return count


@inlined
def _maps(public: Public, moves: Moves, count: int) -> int:
    for goal in range(public.rules.goals):
        moves[count] = move(READ, 0, goal)
        count += np.int64(public.goal_face[goal] == UNKNOWN)
    return count


@inlined
def path_cards(public: Public, row: int) -> np.uint64:
    """The cells of a row with a path card: face up, and neither the start nor a goal."""
    cells = face_up(public.board, row)
    if row == START >> 6:
        cells &= ~bit(START & 63)
    for goal in range(public.rules.goals):
        cell = np.int64(public.rules.goal_cell[goal])
        if row == cell >> 6:
            cells &= ~bit(cell & 63)
    return cells


@inlined
def _rockfalls(public: Public, moves: Moves, count: int) -> int:
    for row in range(np.int64(public.low), np.int64(public.high) + 1):
        cells = path_cards(public, row)
        while cells != ZERO:
            moves[count] = move(ROCK, 0, row << 6 | lowest(cells))
            cells &= cells - ONE
            count += 1
    return count
