"""The view of a game over an earlier view of the same game: only what has changed since then is written.

Most of a view is the mine, and a move changes one cell of it or none.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..core.compiled.jit import inlined
from ..core.compiled.memory import Record, record_dtype, without_refcount
from ..engine.cards import UNKNOWN
from ..engine.moves import LAY, REVEAL, ROCK, TURN, move_of, target_of, verb_of
from ..engine.state import Private, Public
from ..environment.actions import WindowCodec
from ..environment.encoder import (
    MINE,
    mine_size,
    write_card,
    write_mark,
    write_marks,
    write_mine,
    write_rest,
    write_ways,
)

# What an array shows of a round.
DRAWN = record_dtype(
    ("of_round", "?"),  # whether it shows the round that is played; if not, what it holds is of no use
    ("event_count", "i2"),
    ("last_cell", "i2"),
    ("low", "i1"),
    ("high", "i1"),
)


class Drawn(Record):
    """A `DRAWN` record."""


@inlined
def redraw(
    public: Public,
    private: Private,
    seat: int,
    codec: WindowCodec,
    history: int,
    flat: npt.NDArray[np.int8],
    drawn: Drawn,
) -> None:
    """Write the observation of a seat over what an array shows.

    Args:
        flat: int8[bytes], as the last call left it, or anything where `drawn.of_round` is false. Mutates it.
        drawn: what `flat` shows. Mutates it.
    """
    flat = without_refcount(flat)
    if drawn.of_round:
        _clear(flat[mine_size(codec) :])
        _redraw_mine(public, codec, flat, drawn)
    else:
        _clear(flat)
        write_mine(public, codec, flat)
    write_marks(public, private, codec, flat)
    write_rest(public, private, seat, codec, history, flat)
    drawn.of_round, drawn.event_count = True, public.event_count
    drawn.last_cell, drawn.low, drawn.high = public.last_cell, public.low, public.high


@inlined
def _clear(flat: npt.NDArray[np.int8]) -> None:
    for i in range(flat.size):  # from 0 on, so that one instruction clears many bytes
        flat[i] = 0


@inlined
def _redraw_mine(public: Public, codec: WindowCodec, flat: npt.NDArray[np.int8], drawn: Drawn) -> None:
    changed = False
    for i in range(np.int64(drawn.event_count), np.int64(public.event_count)):
        number = move_of(np.int64(public.events[i]))
        verb = verb_of(number)
        changed |= verb in (LAY, ROCK, TURN, REVEAL)
        if verb in (LAY, ROCK):
            write_card(public, target_of(number), codec, flat)
    if changed:  # a card laid may turn goals up
        for goal in range(public.rules.goals):
            if public.goal_face[goal] != UNKNOWN:
                write_card(public, np.int64(public.rules.goal_cell[goal]), codec, flat)
        low, high = min(np.int64(drawn.low), np.int64(public.low)), max(np.int64(drawn.high), np.int64(public.high))
        write_ways(public, low, high, codec, flat)
        write_mark(flat, MINE.last, np.int64(drawn.last_cell), 0, codec)
