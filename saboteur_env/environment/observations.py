"""A view as arrays: the fields of an observation, and the kernel that writes them (encoder.py, fields.py).

Everything is seat-relative: seat 0 is the observing dwarf, 1 the next clockwise. Seats and events are
padded to fixed sizes, so one network serves 3 to 10 players.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.checks import checked_int
from ..core.field import Field, flat_space, split_fields
from ..core.versions import OBSERVATION_VERSION as OBSERVATION_VERSION
from ..engine.cards import KINDS
from ..engine.state import MAX_EVENTS
from ..game.view import View
from .actions import DEFAULT_WINDOW, WINDOWS, Actions
from .encoder import EVENT_PARTS, MINE_PLANES, observe
from .fields import FIXED
from .talk import TALK

DEFAULT_HISTORY = 16  # the last events shown; MAX_EVENTS holds every round whole (perfect recall)


@dataclass(frozen=True)
class Observations:
    """The observations for a window and a history.

    Args:
        window: a name of `actions.WINDOWS`.
        history: how many of the last events are shown, 0 to 128.
        talk: whether the field of words follows (Rules 9).

    Raises: ValueError for either out of range.
    """

    window: str = DEFAULT_WINDOW
    history: int = DEFAULT_HISTORY
    talk: bool = False

    def __post_init__(self) -> None:
        Actions(self.window)
        object.__setattr__(self, "history", checked_int("history", self.history, range(MAX_EVENTS + 1)))

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """All arrays of an observation, in the order of the flat form."""
        height, width = Actions(self.window).shape
        board = Field("mine", (len(MINE_PLANES), height, width), 0, 1, "the mine in the window", MINE_PLANES)
        events = Field("events", (self.history, len(EVENT_PARTS)), -32, 127, "events, the last first", EVENT_PARTS)
        return (board, *([events] if self.history else []), *FIXED, *([TALK] if self.talk else []))

    @cached_property
    def bytes(self) -> int:
        """Bytes of one observation."""
        return sum(field.size for field in self.fields)

    def space(self) -> Any:
        """The dict form as `gymnasium.spaces.Dict` of int8 boxes."""
        from gymnasium import spaces

        return spaces.Dict({f.name: spaces.Box(f.low, f.high, f.shape, np.int8) for f in self.fields})

    def flat_space(self) -> Any:
        """The flat form as `gymnasium.spaces.Box`, int8[bytes]."""
        return flat_space(self.fields)

    def observe(self, view: View) -> npt.NDArray[np.int8]:
        """The flat form of a view: int8[bytes]."""
        flat = np.zeros(self.bytes, np.int8)
        observe(view.public, view.private, view.seat, Actions(self.window).codecs[0], self.history, flat)
        return flat

    def split(self, flat: npt.NDArray[np.int8]) -> dict[str, npt.NDArray[np.int8]]:
        """The dict form of flat observations `int8[..., bytes]`, without copying."""
        return split_fields(self.fields, flat)

    def meaning(self, number: int) -> str:
        """What one number of the flat form means.

        Args:
            number: its index in the flat form, from 0.

        Raises: ValueError for an index there is not.

        >>> Observations(window="medium").meaning(137)
        'mine: open to the north, at column -2, row 3'
        """
        index = checked_int("number", number, range(self.bytes))
        for field in self.fields:
            if index < field.size:
                break
            index -= field.size
        where = [int(i) for i in np.unravel_index(index, field.shape)]
        if field.name == "mine":
            plane, row, column = where
            west, _, north, _ = WINDOWS[self.window]
            return f"mine: {field.parts[plane]}, at column {column - west}, row {row - north}"
        line = f"[{where[0]}]" if len(where) == 2 else ""
        return f"{field.name}{line}: {field.parts[where[-1]]}"

    def table(self) -> list[tuple[str, str, str, str]]:
        """The fields as text: name, shape, range, meaning."""
        rows = []
        for f in self.fields:
            parts = f": {'; '.join(f.parts)}" if f.parts and f.parts is not KINDS else ""
            rows.append((f.name, " x ".join(map(str, f.shape)), f"{f.low} … {f.high}", f.meaning + parts))
        return rows
