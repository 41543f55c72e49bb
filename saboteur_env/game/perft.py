"""Perft: the number of move sequences of a few moves. A wrong rule changes this number.

The idea is chess programming's "perft": the legal move sequences of exactly `depth` moves from a position
are counted one by one, and two programs that disagree anywhere below it disagree in the number::

    Game(players=3, seed=7)   1 ── NES@1,0 ─┬─ NS@0,-1 ─── …
                                            └─ map:1 ───── …
                                 discard:xE ── …
    depth                     0    1             2        3        4
    sequences                 1    15            423      12357    218281

A sequence that the end of the round cuts short counts nothing.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..core.compiled.jit import kernel
from ..engine.legal import MAX_MOVES, legal_moves
from ..engine.play import play_unchecked
from ..engine.state import Games, blank, copy, words
from .game import Game

Words = npt.NDArray[np.uint64]
Moves = npt.NDArray[np.int32]


@kernel
def perft(games: Games, words: Words, moves: Moves, level: int, depth: int) -> int:
    """The number of legal move sequences of exactly `depth` moves from `games[level]`.

    Args:
        games: a stack of `level + depth + 1` records or more; those above `level` are overwritten.
        words: the same memory as words (state.py).
        moves: int32[level + depth, MAX_MOVES] or more, scratch.
    """
    if depth == 0:
        return 1
    public = games[level].public
    count = legal_moves(public, games[level].private[public.seat], moves[level])
    if depth == 1:
        return count
    total = 0
    for i in range(count):
        copy(words[level], words[level + 1])
        play_unchecked(games[level + 1], np.int64(moves[level, i]))
        total += perft(games, words, moves, level + 1, depth - 1)
    return total


def count_sequences(game: Game, depth: int) -> int:
    """The number of legal move sequences of exactly `depth` moves; the game stays as it is.

    Raises: ValueError for a negative depth.

    >>> game = Game(players=3, seed=7)
    >>> [count_sequences(game, depth) for depth in range(5)]
    [1, 15, 423, 12357, 218281]
    """
    if depth < 0:
        raise ValueError(f"a depth is a whole number from 0, not {depth!r}")
    games, moves = blank(depth + 1), np.empty((depth + 1, MAX_MOVES), np.int32)
    games[0] = game._games[0]
    return int(perft(games, words(games), moves, 0, depth))


def divide(game: Game, depth: int) -> dict[str, int]:
    """The count of each first move, in plain string order: where two programs differ, play it and divide again.

    Raises: ValueError for a depth below 1.
    """
    if depth < 1:
        raise ValueError(f"dividing needs a depth of 1 or more, not {depth!r}")
    counts = {}
    for text in game.legal_moves():
        after = game.copy()
        after.play(text)
        counts[text] = count_sequences(after, depth - 1)
    return counts
