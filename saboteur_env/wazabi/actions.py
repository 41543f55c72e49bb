"""Moves as actions: one numbering with the same meaning at every seat and for every number of players.

Seats count from the acting one: 0 is oneself, 1 the next clockwise, always six.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np

from ..core.checks import whole
from ..core.compiled.jit import kernel
from ..core.schema import shown
from .engine.cards import AIMS, KINDS, NOBODY, SEAT, SIDES
from .engine.moves import (
    GIVE,
    KEEP,
    NONE,
    NUMBERS,
    PASS,
    PLAY,
    TAKE,
    first_of,
    move,
    parse,
    second_of,
    text_of,
    verb_of,
)
from .engine.state import MAX_PLAYERS

_KINDS, _SEATS = range(len(KINDS)), range(MAX_PLAYERS)
# By name: its moves, seats counted from oneself.
_MOVES = {
    "pass": [move(PASS, 0, 0)],
    "take": [move(TAKE, 0, seat) for seat in _SEATS],
    "give": [move(GIVE, 0, seat) for seat in _SEATS],
    **{
        f"play {KINDS[kind]}": [
            move(PLAY, kind, at)
            for at in range(MAX_PLAYERS if AIMS[kind] == SEAT else 1 if AIMS[kind] == NOBODY else len(SIDES))
        ]
        for kind in _KINDS
    },
    "keep two": [move(KEEP, *kinds) for kinds in combinations_with_replacement(_KINDS, 2)],
    "keep one": [move(KEEP, kind, NONE) for kind in _KINDS],
}
MOVES = np.array([number for moves in _MOVES.values() for number in moves])
ACTIONS = len(MOVES)
_NUMBER = np.full(NUMBERS, -1)
_NUMBER[MOVES] = np.arange(ACTIONS)
_AT_SEAT = np.array([verb_of(n) in (TAKE, GIVE) or (verb_of(n) == PLAY and AIMS[first_of(n) % len(KINDS)] == SEAT)
                     for n in range(NUMBERS)])  # fmt: skip


@kernel
def action_of(number: int, seat: int, players: int) -> int:
    """The action of a move for the acting seat."""
    if _AT_SEAT[number]:
        number += (second_of(number) - seat) % players - second_of(number)
    return np.int64(_NUMBER[number])


@kernel
def move_of_action(action: int, seat: int, players: int) -> int:
    """The move of an action. Requires: it is one of the numbering. Seats beyond `players` give no legal move."""
    number = np.int64(MOVES[action])
    target = second_of(number)
    if _AT_SEAT[number] and target < players:
        number += (seat + target) % players - target
    return number


def number_of(text: str, seat: int, players: int) -> int:
    """The action of a move text for the acting seat. Raises: IllegalMove where the text is no move."""
    return int(action_of(parse(text), seat, players))


def text_of_action(action: int, seat: int, players: int) -> str:
    """The move text of an action of the acting seat. Raises: ValueError for a number that is no action."""
    if whole(action, ACTIONS) < 0:
        raise ValueError(f"actions go from 0 to {ACTIONS - 1}; there is no action {shown(action)}")
    return text_of(int(move_of_action(int(action), seat, players)))


def table() -> list[tuple[str, int, int]]:
    """The ranges: name, first action, number of actions."""
    rows, first = [], 0
    for name, moves in _MOVES.items():
        rows.append((name, first, len(moves)))
        first += len(moves)
    return rows
