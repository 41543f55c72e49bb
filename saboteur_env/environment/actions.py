"""Moves as actions: one numbering with the same meaning at every seat and for every number of players.

Cells count within a window around the start, seats from the acting one (0 is oneself, 1 the next
clockwise, always ten)::

    lay a path card   orientation * cells + cell        26 orientations, in the order of ORIENTATIONS_IN_ORDER
    rockfall          26 * cells + cell
    the rest          27 * cells + …            161 actions, `Actions.table()`

At tables that talk 29 words follow, so that all other actions keep their numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.checks import whole
from ..core.compiled.jit import inlined, kernel
from ..core.compiled.memory import Record, record_dtype
from ..core.schema import shown
from ..core.versions import ACTION_VERSION as ACTION_VERSION
from ..engine.bitboard import ORIGIN, SIZE
from ..engine.cards import (
    FACE_ORIENTATION,
    GOLD_VALUES,
    KIND_OF_ORIENTATION,
    KINDS,
    ORIENTATIONS,
    STONE_NE,
    STONE_NW,
    TOOLS_OF_REPAIR,
    orientation_name,
    turned,
)
from ..engine.moves import (
    ACCUSE,
    BREAK,
    CLAIM,
    CLAIMS,
    DISCARD,
    LAY,
    PASS,
    READ,
    REPAIR,
    REVEAL,
    ROCK,
    TAKE,
    TURN,
    VOUCH,
    move,
    parse,
    target_of,
    text_of,
    verb_of,
)
from ..engine.state import MAX_GOALS, MAX_PLAYERS

# Columns to the west and east of the start, rows to the north and south; docs/windows.md has what each loses. No two
# have as many cells: a model of stable-baselines3 tells its window by the number of actions.
WINDOWS = {
    "printed": (0, 8, 2, 2),
    "mine": (4, 5, 2, 2),  # all moves of the small mines (mines.py)
    "small": (2, 9, 4, 4),
    "medium": (4, 10, 6, 6),
    "large": (8, 12, 9, 9),
    "full": (ORIGIN, SIZE - 1 - ORIGIN, ORIGIN, SIZE - 1 - ORIGIN),
}
DEFAULT_WINDOW = "medium"


ORIENTATIONS_IN_ORDER = np.array(
    [orientation for orientation in range(ORIENTATIONS) if KIND_OF_ORIENTATION[orientation] >= 0]
)
_STONES = [int(FACE_ORIENTATION[face]) for face in (STONE_NE, STONE_NW)]
TURNS_IN_ORDER = [way for orientation in _STONES for way in (orientation, turned(orientation))]
REPAIRS_IN_ORDER = [c + 8 * t for c in range(6) for t in range(3) if TOOLS_OF_REPAIR[c] >> t & 1]

ROCKS = len(ORIENTATIONS_IN_ORDER)  # planes of cells before the rockfalls
ACTION_PLANES = ROCKS + 1
# The rest, by name: its moves, seats counted from oneself.
_REST = {
    "break": [move(BREAK, tool, seat) for tool in range(3) for seat in range(MAX_PLAYERS)],
    "repair": [move(REPAIR, card, seat) for card in REPAIRS_IN_ORDER for seat in range(MAX_PLAYERS)],
    "map": [move(READ, 0, goal) for goal in range(MAX_GOALS)],
    "discard": [move(DISCARD, kind, 0) for kind in range(len(KINDS))],
    "pass": [move(PASS, 0, 0)],
    "turn": [move(TURN, orientation, 0) for orientation in TURNS_IN_ORDER],
    "reveal": [move(REVEAL, 0, goal) for goal in range(MAX_GOALS)],
    "take": [move(TAKE, value, 0) for value in GOLD_VALUES],
}
REST_MOVES = np.array([number for moves in _REST.values() for number in moves])
REST = len(REST_MOVES)
# The words of tables that talk, behind the rest.
_WORDS = {
    "claim": [move(CLAIM, said, goal) for said in range(len(CLAIMS)) for goal in range(MAX_GOALS)],
    "accuse": [move(ACCUSE, 0, seat) for seat in range(MAX_PLAYERS)],
    "vouch": [move(VOUCH, 0, seat) for seat in range(MAX_PLAYERS)],
}
WORD_MOVES = np.array([number for moves in _WORDS.values() for number in moves])
_REST_AND_WORDS = np.concatenate([REST_MOVES, WORD_MOVES])
AT_SEATS = (BREAK, REPAIR, ACCUSE, VOUCH)  # verbs whose targets are seats

# Where a move's place is looked up in FRAME's `offset`: cells first, then seats from each seat and for each number
# of players, then places that count as they are.
_SEATS = SIZE * SIZE
_PLAIN = _SEATS + (MAX_PLAYERS + 1) * MAX_PLAYERS * MAX_PLAYERS
_NOWHERE = -(1 << 30)  # keeps any sum below zero

# A window as kernels take it. The action of a move is `first[verb and card] + offset[place]`: no branches, as a
# decision has a dozen legal moves or more and a branch for each is mispredicted.
WINDOW_CODEC = record_dtype(
    ("left", "i4"),
    ("top", "i4"),
    ("width", "i4"),
    ("height", "i4"),
    ("first", "i4", 1 << 9),
    ("table", "i2", 1 << 9),
    ("seat_relative", "i2", 1 << 9),  # 1 where places are seats
    ("offset", "i4", _PLAIN + MAX_PLAYERS),
)


class WindowCodec(Record):
    """A `FRAME` record, as kernels take it."""


@cache
def codec_of(window: str) -> npt.NDArray[np.void]:
    """The frame of a window: FRAME[1]. Read only."""
    west, east, north, south = WINDOWS[window]
    codecs = np.zeros(1, WINDOW_CODEC)
    codec: WindowCodec = codecs[0]
    codec.left, codec.top = ORIGIN - west, ORIGIN - north
    codec.width, codec.height = width, height = west + east + 1, north + south + 1
    _number(codec, width * height)
    _place(codec, width, height)
    codecs.flags.writeable = False
    return codecs


def _number(codec: WindowCodec, cells: int) -> None:
    codec.first[:] = _NOWHERE
    for kind in range(len(codec.first)):
        verb = verb_of(kind << 12)
        codec.seat_relative[kind] = verb in AT_SEATS
        codec.table[kind] = 0 if verb in (LAY, ROCK) else _SEATS if codec.seat_relative[kind] else _PLAIN
    for plane, orientation in enumerate(ORIENTATIONS_IN_ORDER.tolist()):
        codec.first[move(LAY, orientation, 0) >> 12] = plane * cells
    codec.first[move(ROCK, 0, 0) >> 12] = ROCKS * cells
    for index, number in enumerate(_REST_AND_WORDS.tolist()):
        if target_of(number) == 0:
            codec.first[number >> 12] = ACTION_PLANES * cells + index


def _place(codec: WindowCodec, width: int, height: int) -> None:
    codec.offset[:_SEATS] = _NOWHERE
    board = codec.offset[:_SEATS].reshape(SIZE, SIZE)
    cells = np.arange(width * height).reshape(height, width)
    board[codec.top : codec.top + height, codec.left : codec.left + width] = cells
    for players in range(1, MAX_PLAYERS + 1):
        for seat in range(players):
            for other in range(MAX_PLAYERS):
                target = (other - seat) % players if other < players else other
                codec.offset[_SEATS + _seat_row(seat, players) + other] = target
    codec.offset[_PLAIN:] = np.arange(MAX_PLAYERS)


@kernel
def _seat_row(seat: int, players: int) -> int:
    return (players * MAX_PLAYERS + seat) * MAX_PLAYERS


@dataclass(frozen=True)
class Actions:
    """The numbering for one window.

    Args:
        window: a name of WINDOWS.
        talk: whether words are actions (Rules 9).

    Raises: ValueError for a window there is not.
    """

    window: str = DEFAULT_WINDOW
    talk: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.window, str) or self.window not in WINDOWS:
            raise ValueError(f"window must be one of {', '.join(WINDOWS)}, not {shown(self.window)}")

    @property
    def codecs(self) -> npt.NDArray[np.void]:
        """The window as kernels take it: FRAME[1]."""
        return codec_of(self.window)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the window."""
        return int(self.codecs["height"][0]), int(self.codecs["width"][0])

    @property
    def count(self) -> int:
        """How many actions there are."""
        height, width = self.shape
        return ACTION_PLANES * height * width + REST + self.talk * len(WORD_MOVES)

    def number(self, text: str, seat: int, players: int) -> int:
        """The action of a move text for the acting seat; -1 outside the window, for sides no stone has and for no word.

        Raises: IllegalMove where the text is no move.
        """
        return self.whole(int(action_of(parse(text), seat, players, self.codecs[0])))

    def text(self, action: int, seat: int, players: int) -> str:
        """The move text of an action of the acting seat. Raises: ValueError for a number that is no action."""
        if self.whole(action) < 0:
            raise ValueError(f"actions go from 0 to {self.count - 1}; there is no action {shown(action)}")
        return text_of(move_of_action(int(action), seat, players, self.codecs[0]))

    def whole(self, action: Any) -> int:
        """The action as an int; -1 for anything that is not one of the numbering."""
        return whole(action, self.count)

    def table(self) -> list[tuple[str, int, int, str]]:
        """The ranges: name, first action, number of actions, meaning."""
        height, width = self.shape
        cells = height * width
        orientations = ", ".join(orientation_name(int(orientation)) for orientation in ORIENTATIONS_IN_ORDER)
        grid = f"{height} rows x {width} columns, row by row from the north-west"
        rows = [
            ("lay", 0, ROCKS * cells, f"orientation x cell; orientations: {orientations}; cells: {grid}"),
            ("rockfall", ROCKS * cells, cells, f"cell, {grid}"),
        ]
        rest = {
            "break": "tool (pickaxe, lantern, cart) x seat from oneself",
            "repair": "card and tool x seat from oneself; single repairs, then each tool of the double ones",
            "map": "goal from the north",
            "discard": "kind of card: " + ", ".join(KINDS),
            "pass": "with an empty hand",
            "turn": "how a stone lies: "
            + ", ".join(orientation_name(int(orientation)) for orientation in TURNS_IN_ORDER),
            "reveal": "goal from the north",
            "take": "gold card of 1, 2, 3 nuggets",
            "claim": "what is said of a goal just read (nothing, treasure, stone) x goal from the north",
            "accuse": "seat from oneself",
            "vouch": "seat from oneself",
        }
        first = ACTION_PLANES * cells
        for name, moves in (_REST | _WORDS if self.talk else _REST).items():
            rows.append((name, first, len(moves), rest[name]))
            first += len(moves)
        return rows


@kernel
def action_of(number: int, seat: int, players: int, codec: WindowCodec) -> int:
    """The action of a move (engine/moves.py) for the acting seat; below 0 outside the window and for no stone's sides.

    Args:
        codec: a FRAME record.
    """
    kind = np.uint64(number >> 12)  # an unsigned index is not tested for counting from the end
    seats = np.int64(codec.seat_relative[kind]) * _seat_row(seat, players)
    index = np.uint64((number & 4095) + np.int64(codec.table[kind]) + seats)
    return np.int64(codec.first[kind]) + np.int64(codec.offset[index])


@inlined
def move_of_action(action: int, seat: int, players: int, codec: WindowCodec) -> int:
    """The move of an action. Requires: it is one of the numbering. Seats beyond `players` give no legal move."""
    width = np.int64(codec.width)
    cells = width * np.int64(codec.height)
    plane = action // cells
    if plane < ACTION_PLANES:
        cell = action - plane * cells
        row = cell // width
        index = (row + np.int64(codec.top)) << 6 | cell - row * width + np.int64(codec.left)
        return move(ROCK, 0, index) if plane == ROCKS else move(LAY, ORIENTATIONS_IN_ORDER[plane], index)
    number = _REST_AND_WORDS[action - ACTION_PLANES * cells]
    target = target_of(number)
    if verb_of(number) in AT_SEATS and target < players:
        number += (seat + target) % players - target
    return number


@inlined
def legal_actions(moves: Any, count: int, seat: int, players: int, codec: WindowCodec, actions: Any) -> int:
    """Turn legal moves into actions, those outside the window left out.

    Args:
        moves: int32[>= count], legal moves.
        actions: int32[>= count], overwritten from the front.

    Returns: how many actions there are; at least one, as discards, passes and choices need no window.
    """
    kept = 0
    for i in range(count):
        action = action_of(np.int64(moves[i]), seat, players, codec)
        actions[kept] = action
        kept += np.int64(action >= 0)
    return kept
