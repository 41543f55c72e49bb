"""The kernels behind `Observations`: they write a view into an array. They read only (`public`, `private[seat]`).

This module names the planes of the mine and the rows of events. The other rows are in fields.py.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.compiled.jit import ZERO, inlined, kernel, separate
from ..core.compiled.memory import store_bytes, without_refcount
from ..core.field import named_rows
from ..engine.bitboard import ORIGIN, START, has
from ..engine.cards import TREASURE, UNKNOWN
from ..engine.gold import VALUE
from ..engine.moves import (
    BREAK,
    CLAIM,
    DISCARD,
    LAY,
    READ,
    REPAIR,
    REVEAL,
    ROCK,
    TAKE,
    move_of,
    seat_of,
    target_of,
    verb_of,
)
from ..engine.state import BLOCKED, CONNECTED, Private, Public, known_face
from ..engine.tunnels import face_up, fronts
from .actions import AT_SEATS, WindowCodec
from .fields import BYTES_OF, FIXED, seats_from, write_fixed
from .talk import write_talk

# The first planes are those of the mine itself (state.py).
MINE, MINE_PLANES = named_rows(
    laid=(
        "open to the north",
        "open to the east",
        "open to the south",
        "open to the west",
        "dead end",
        "a way from the start",
    ),
    start="start",
    face_down="goal face down",
    treasure="treasure, face up or read by this seat",
    stone="stone, face up or read by this seat",
    front="empty, and a card that fits may be laid here",
    last="where the last card was laid or taken",
)
EVENT, EVENT_PARTS = named_rows(
    seat="seat + 1",
    verb="move + 1",
    card="card",
    tool="tool + 1",
    column="column",
    row="row",
    target="target seat or goal + 1",
)

LAID_PLANES = CONNECTED  # those before it tell of cards, each of its own cell
BYTE = np.uint64(255)
FIXED_SIZE = sum(field.size for field in FIXED)


def _line(number: int) -> int:
    """What verb and card of a move (its bits from 12 on) tell in a line of the record, as bytes."""
    verb, card = number >> 5, number & 31
    tool = {BREAK: card + 1, REPAIR: (card >> 3) + 1}.get(verb, 0)
    shown = {BREAK: 0, REPAIR: card & 7}.get(verb, card)
    return verb + 1 << 8 * EVENT.verb | shown << 8 * EVENT.card | tool << 8 * EVENT.tool


def _verbs(*selected: int) -> npt.NDArray[np.uint64]:
    return np.array([-(verb in selected) & 0xFFFFFFFFFFFFFFFF for verb in range(16)], np.uint64)


EVENT_ROWS = np.array([_line(number) for number in range(1 << 9)], np.uint64)
ON_BOARD, AT_SEAT, AT_GOAL = _verbs(LAY, ROCK), _verbs(*AT_SEATS), _verbs(READ, REVEAL, CLAIM)


class Encoding(NamedTuple):
    """How views become arrays.

    Attributes:
        codecs: FRAME[1], of the window.
        history: how many events are written.
        size: bytes of an observation.
    """

    codecs: Any
    history: int
    size: int


@kernel
def observe(
    public: Public, private: Private, seat: int, codec: WindowCodec, history: int, flat: npt.NDArray[np.int8]
) -> None:
    """Write the observation of a seat.

    Args:
        flat: int8[bytes]. Requires: all zero. Mutates it.
    """
    flat = without_refcount(flat)
    write_mine(public, codec, flat)
    write_marks(public, private, codec, flat)
    write_rest(public, private, seat, codec, history, flat)


@separate
def write_mine(public: Public, codec: WindowCodec, flat: npt.NDArray[np.int8]) -> None:
    """Write the mine without its marks.

    Args:
        flat: int8[bytes]. Requires: the mine is zero. Mutates it.
    """
    flat = without_refcount(flat)
    _write_laid(public, codec, flat)
    write_ways(public, np.int64(public.low), np.int64(public.high), codec, flat)
    write_mark(flat, MINE.start, START, 1, codec)


@inlined
def write_rest(
    public: Public, private: Private, seat: int, codec: WindowCodec, history: int, flat: npt.NDArray[np.int8]
) -> None:
    """Write all but the mine.

    Args:
        flat: int8[bytes]. Requires: all but the mine is zero. Mutates it.
    """
    events_at = mine_size(codec)
    _write_events(public, private, seat, history, flat, events_at)
    fixed_at = events_at + history * len(EVENT_PARTS)
    write_fixed(public, private, seat, flat[fixed_at:])
    if public.rules.talk and flat.size > fixed_at + FIXED_SIZE:
        write_talk(public, seat, flat[fixed_at + FIXED_SIZE :])


@inlined
def mine_size(codec: WindowCodec) -> int:
    """Bytes of the planes of the mine, which come first."""
    return len(MINE_PLANES) * _plane_size(codec)


@kernel
def _write_laid(public: Public, codec: WindowCodec, flat: npt.NDArray[np.int8]) -> None:
    board, width, height, top = public.board, np.int64(codec.width), np.int64(codec.height), np.int64(codec.top)
    first, last = max(top, np.int64(public.low)), min(top + height - 1, np.int64(public.high))
    left, inside = np.uint64(codec.left), ~ZERO >> np.uint64(64 - width)
    for plane in range(LAID_PLANES):
        at = ((MINE.laid + plane) * height + first - top) * width
        for row in range(first, last + 1):
            word = board[row, plane] & (face_up(board, row) if plane == BLOCKED else ~ZERO)
            _spread_bits(word >> left & inside, width, flat, at)
            at += width


@inlined
def write_ways(public: Public, low: int, high: int, codec: WindowCodec, flat: npt.NDArray[np.int8]) -> None:
    """Write the ways from the start and the empty cells at which the mine can grow.

    Args:
        low, high: the rows between which all cards lie, now and in the view that the array held before.
        flat: int8[bytes]. Mutates: the planes of ways and fronts, from a row above to a row below.
    """
    board, width, height, top = public.board, np.int64(codec.width), np.int64(codec.height), np.int64(codec.top)
    first, last = max(top, low - 1), min(top + height - 1, high + 1)
    left, inside = np.uint64(codec.left), ~ZERO >> np.uint64(64 - width)
    way = ((MINE.laid + CONNECTED) * height + first - top) * width
    front = (MINE.front * height + first - top) * width
    for row in range(first, last + 1):
        _spread_bits(board[row, CONNECTED] >> left & inside, width, flat, way)
        _spread_bits(fronts(board, row, np.int64(public.rules.touching_allowed)) >> left & inside, width, flat, front)
        way, front = way + width, front + width


@inlined
def write_card(public: Public, cell: int, codec: WindowCodec, flat: npt.NDArray[np.int8]) -> None:
    """Write what lies face up on a cell, or that nothing does. Mutates: flat, int8[bytes], the planes of that cell."""
    at, size, board, row = index_in_plane(cell, codec), _plane_size(codec), public.board, cell >> 6
    if at < 0:
        return
    for plane in range(LAID_PLANES):
        word = board[row, plane] & (face_up(board, row) if plane == BLOCKED else ~ZERO)
        flat[(MINE.laid + plane) * size + at] = has(word, cell & 63)


@inlined
def write_marks(public: Public, private: Private, codec: WindowCodec, flat: npt.NDArray[np.int8]) -> None:
    """Write what a seat knows of the goals, and mark the last card. Mutates: flat, int8[bytes], planes of marks."""
    size = _plane_size(codec)
    for goal in range(public.rules.goals):
        at, face = index_in_plane(np.int64(public.rules.goal_cell[goal]), codec), known_face(public, private, goal)
        if at >= 0:
            flat[MINE.face_down * size + at] = public.goal_face[goal] == UNKNOWN
            flat[MINE.treasure * size + at] = face == TREASURE
            flat[MINE.stone * size + at] = face != TREASURE and face != UNKNOWN
    if public.last_cell:
        write_mark(flat, MINE.last, np.int64(public.last_cell), 1, codec)


@inlined
def _spread_bits(word: np.uint64, width: int, flat: npt.NDArray[np.int8], at: int) -> None:
    # A bit becomes a byte, sixteen at a time: a walk over the bits set is mispredicted at its end. The zeros
    # beyond a row fall on bytes that are written later or stay zero: planes and their rows come in order.
    for start in range(0, width, 16):
        part = word >> np.uint64(start)
        store_bytes(flat, at + start, BYTES_OF[part & BYTE])
        store_bytes(flat, at + start + 8, BYTES_OF[part >> np.uint64(8) & BYTE])


@inlined
def write_mark(flat: npt.NDArray[np.int8], plane: int, cell: int, value: int, codec: WindowCodec) -> None:
    """Write one cell of a plane, where the window has it.

    Args:
        flat: int8[bytes]. Mutates it.
        plane: a number of MINE.
        value: 0 or 1.
    """
    at = index_in_plane(cell, codec)
    if at >= 0:
        flat[plane * _plane_size(codec) + at] = value


@inlined
def index_in_plane(cell: int, codec: WindowCodec) -> int:
    """Where a plane has a cell, -1 outside the window."""
    column, row = (cell & 63) - np.int64(codec.left), (cell >> 6) - np.int64(codec.top)
    width, height = np.int64(codec.width), np.int64(codec.height)
    return row * width + column if 0 <= column < width and 0 <= row < height else -1


@inlined
def _plane_size(codec: WindowCodec) -> int:
    return np.int64(codec.width) * np.int64(codec.height)


@inlined
def _write_events(
    public: Public, private: Private, seat: int, history: int, flat: npt.NDArray[np.int8], at: int
) -> None:
    # The last first, because own hidden cards are matched from the end of their lists. A row is put together as
    # one word, by tables: which verb comes next cannot be predicted. Its eighth byte is that of the next line.
    players = np.int64(public.rules.players)
    laid_down, taken = np.int64(private.discard_count), np.int64(private.gold_count)
    for i in range(min(history, np.int64(public.event_count))):
        event = np.int64(public.events[public.event_count - 1 - i])
        number, who = move_of(event), seat_of(event)
        verb, target = np.uint64(verb_of(number)), target_of(number)  # an unsigned index is not tested for its sign
        column, row = (target & 63) - ORIGIN & 255, (target >> 6) - ORIGIN & 255
        line = EVENT_ROWS[np.uint64(number >> 12)] | np.uint64(seats_from(seat, who, players) + 1 << 8 * EVENT.seat)
        line |= ON_BOARD[verb] & np.uint64(column << 8 * EVENT.column | row << 8 * EVENT.row)
        line |= AT_SEAT[verb] & np.uint64(seats_from(seat, target, players) + 1 << 8 * EVENT.target)
        line |= AT_GOAL[verb] & np.uint64(target + 1 << 8 * EVENT.target)
        store_bytes(flat, at, line)
        if who == seat and verb in (DISCARD, TAKE):
            laid_down -= np.int64(verb == DISCARD)
            taken -= np.int64(verb == TAKE)
            flat[at + EVENT.card] = private.discards[laid_down] if verb == DISCARD else private.gold[taken] & VALUE
        at += len(EVENT_PARTS)
