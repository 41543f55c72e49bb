"""STATE: one game as one fixed-size record; a batch is an array of them.

`public` is what everybody sees, `private[seat]` is what that seat also knows, `secret` is what no seat
knows. What one seat knows is an `InfoState` inside a kernel. All small numbers are signed: numba
turns a mix of signed and unsigned into floats.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.compiled.jit import inlined, kernel
from ..core.compiled.memory import LINE, Record, aligned_zeros, offset, padded_dtype, prefetch_game, record_dtype
from .bitboard import SIZE, START
from .cards import GOLD_CARDS, KINDS
from .editions import MAX_DECK as MAX_DECK
from .editions import MAX_EVENTS as MAX_EVENTS
from .editions import MAX_GOALS as MAX_GOALS
from .editions import MAX_PLAYERS as MAX_PLAYERS
from .editions import MAX_ROUNDS as MAX_ROUNDS
from .editions import RULES

MAX_DISCARDS = 34  # of one seat in one round: 96 cards by three players, and two that a reckoning may be off

# Planes of the mine, the words of a row: the cells with this side open, then two marks.
OPEN_NORTH, OPEN_EAST, OPEN_SOUTH, OPEN_WEST = range(4)
BLOCKED = 4  # no way leads through: a dead end, or a goal still face down
CONNECTED = 5  # an unbroken way leads here from the start
PLANES = 6

# Choices in the middle of a turn.
NO_CHOICE, CHOOSE_TURN, CHOOSE_GOAL, CHOOSE_GOLD, CHOOSE_CLAIM = range(5)
# Winners.
RUNNING, MINERS, SABOTEURS, NOBODY = range(4)
WINNERS = (None, "miners", "saboteurs", "nobody")

ASIDE = MAX_PLAYERS  # the bit of the dwarf aside, where roles are bits: one for each seat, set for a saboteur

# A round that is over, as all remember it; its roles as bits, with the one aside.
PAST = record_dtype(
    ("winner", "i1"), ("first_seat", "i1"), ("last_seat", "i1"), ("roles", "i2"), ("shortfall", "i1", MAX_PLAYERS)
)

PUBLIC = record_dtype(
    ("board", "u8", (SIZE, PLANES)),
    ("events", "i4", MAX_EVENTS),  # this round's moves, each with its seat (moves.py)
    ("event_count", "i2"),
    ("last_cell", "i2"),  # where the last card of this round was laid or taken away, 0 before
    ("low", "i1"),  # the northernmost and southernmost row index with a card face up
    ("high", "i1"),
    ("round_number", "i1"),
    ("first_seat", "i1"),
    ("seat", "i1"),
    ("last_seat", "i1"),  # took the last turn, or is taking it while it has to choose
    ("passes", "i1"),
    ("winner", "i1"),
    ("over", "i1"),  # nothing is left to be played in this round
    ("deck_count", "i1"),
    ("goal_face", "i1", MAX_GOALS),  # UNKNOWN while face down
    ("choice", "i1"),
    ("choice_goals", "i1"),  # the goals to choose from, or the one whose stone is turned or that a map read, as bits
    ("declined", "i1"),  # goals not chosen in this turn, as bits
    ("before", "i2"),  # sides of face-down goals that a way reached before this turn's card: 4 bits a goal
    ("roles", "i2"),  # as in PAST, 0 until the round has a winner
    ("hand_count", "i1", MAX_PLAYERS),
    ("broken", "i1", MAX_PLAYERS),  # tools as bits
    ("maps", "i1", MAX_PLAYERS),  # goals read in this round, as bits
    ("hidden", "i1", MAX_PLAYERS),  # cards laid face down in this round
    ("played", "i1", len(KINDS)),  # cards that left the game in this round for all to see
    ("rules", RULES),
    ("gold_left", "i1"),  # cards in the gold deck
    ("gold_count", "i1"),  # gold cards taken in this match, and for each in the order taken
    ("gold_seat", "i1", GOLD_CARDS),  # who took it
    ("gold_round", "i1", GOLD_CARDS),  # in which round; 0 where that is not remembered
    ("shortfall", "i1", MAX_PLAYERS),  # nuggets due and not paid in this match
    ("nuggets", "i1", MAX_PLAYERS),  # known to all at the end of the match, 0 before
    ("past", PAST, MAX_ROUNDS),
)

PRIVATE = padded_dtype(
    ("role", "i1"),
    ("kinds", "i4"),  # the kinds held, as bits
    ("hand", "i1", len(KINDS)),  # how many of each
    ("face", "i1", MAX_GOALS),  # goals read by map
    ("discard_count", "i1"),
    ("discards", "i1", MAX_DISCARDS),  # cards laid face down in this round, in order
    ("gold_count", "i1"),
    ("gold", "i2", GOLD_CARDS),  # cards taken in this match, each with the offer it was picked from (gold.py)
)

SECRET = record_dtype(
    ("seed", "u8"),
    ("deck", "i1", MAX_DECK),  # the next card to be drawn is the last of `public.deck_count`
    ("aside", "i1"),  # the role nobody holds, -1 where there is none
    ("face", "i1", MAX_GOALS),
    ("gold_deck", "i1", GOLD_CARDS),  # the top first
    ("offer", "i1", 3),  # gold cards of each value that the draft has left
)

# Each `PRIVATE` record begins where a cache line does.
STATE = record_dtype(
    ("public", PUBLIC),
    ("secret", SECRET),
    ("padding", "u1", -(PUBLIC.itemsize + SECRET.itemsize) % LINE),
    ("private", PRIVATE, MAX_PLAYERS),
)


# What a kernel takes, for readers and for mypy, which then refuses a whole game where only a view may go.


class Public(Record):
    """A `PUBLIC` record."""


class Private(Record):
    """A `PRIVATE` record: what one seat knows besides."""


class Secret(Record):
    """A `SECRET` record."""


class State(Record):
    """A `STATE` record: a whole game."""

    public: Public
    private: Sequence[Private]
    secret: Secret


class InfoState(NamedTuple):
    """The information state of a seat: the `PUBLIC` record, its own `PRIVATE` one, and which seat it is.

    Kernels pass it on at no cost, as records have no owners to be counted.
    """

    public: Public
    private: Private
    seat: int


Games = npt.NDArray[np.void]


def blank(count: int = 1) -> Games:
    """`count` empty records."""
    return aligned_zeros(count, STATE)


def words(games: Games) -> npt.NDArray[np.uint64]:
    """The same memory as `uint64[n, words of a record]`: what a kernel copies and compares."""
    return games.view(np.uint64).reshape(len(games), -1)


@partial(kernel, inline="always")  # no call can return records
def to_move(game: State) -> InfoState:
    """What the seat to move knows."""
    seat = np.int64(game.public.seat)
    return InfoState(game.public, game.private[seat], seat)


@inlined
def known_face(public: Public, private: Private, goal: int) -> int:
    """What a goal shows as far as a seat knows, by a map or as it is face up; UNKNOWN where it does not."""
    return max(np.int64(public.goal_face[goal]), np.int64(private.face[goal]))


@kernel
def copy(source: npt.NDArray[np.uint64], target: npt.NDArray[np.uint64]) -> None:
    """Copy one game's words. Mutates: target."""
    for i in range(source.size):
        target[i] = source[i]


_ROW = 8 * PLANES
_NEAR = offset(PUBLIC, "board") + ((START >> 6) - 3) * _ROW  # seven rows, from where most is laid
_TABLE = offset(PUBLIC, "event_count")
_HANDS, _HAND = offset(STATE, "private"), PRIVATE.itemsize


@inlined
def fetch_game(game: State) -> None:
    """Ask memory for what nearly every turn reads of a game: mine, table and the hand of the seat to move."""
    for at in range(_NEAR, _NEAR + 7 * _ROW, LINE):
        prefetch_game(game, at)
    for at in range(_TABLE, _TABLE + 2 * LINE, LINE):
        prefetch_game(game, at)
    prefetch_game(game, _HANDS + np.int64(game.public.seat) * _HAND)
