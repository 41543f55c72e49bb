"""Moves as actions: one numbering with the same meaning at every seat and for every number of players.

Cells count within a window around the start, seats from the acting one (0 is oneself, 1 the next
clockwise, always ten)::

    lay a path card   lie * cells + cell        26 lies, in the order of LIES_IN_ORDER
    rockfall          26 * cells + cell
    the rest          27 * cells + …            161 actions, `Actions.table()`
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .engine.bitboard import ORIGIN, SIZE
from .engine.cards import FACE_LIE, KIND_OF_LIE, KINDS, LIES, STONE_NE, STONE_NW, TOOLS_OF_REPAIR, lie_name, turned
from .engine.jit import kernel
from .engine.moves import (
    BREAK,
    DISCARD,
    LAY,
    PASS,
    READ,
    REPAIR,
    REVEAL,
    ROCK,
    TAKE,
    TURN,
    card_of,
    move,
    parse,
    place_in,
    text_of,
    verb_of,
)
from .engine.state import MAX_GOALS, MAX_PLAYERS
from .engine.versions import ACTION_VERSION as ACTION_VERSION

# Columns to the west and east of the start, rows to the north and south; docs/windows.md has what each loses.
WINDOWS = {
    "printed": (0, 8, 2, 2),
    "small": (2, 9, 4, 4),
    "medium": (4, 10, 6, 6),
    "large": (8, 12, 9, 9),
    "full": (ORIGIN, SIZE - 1 - ORIGIN, ORIGIN, SIZE - 1 - ORIGIN),
}
DEFAULT_WINDOW = "medium"

Box = tuple[int, int, int, int]  # first column index, first row index, width, height


def _places(values: list[int], size: int) -> npt.NDArray[np.int64]:
    table = np.full(size, -1, np.int64)
    table[values] = np.arange(len(values))
    return table


LIES_IN_ORDER = np.array([lie for lie in range(LIES) if KIND_OF_LIE[lie] >= 0])
LIE_PLACE = _places(LIES_IN_ORDER.tolist(), LIES)
_STONES = [int(FACE_LIE[face]) for face in (STONE_NE, STONE_NW)]
TURNS_IN_ORDER = np.array([way for lie in _STONES for way in (lie, turned(lie))])
TURN_PLACE = _places(TURNS_IN_ORDER.tolist(), LIES)
REPAIRS_IN_ORDER = np.array([c + 8 * t for c in range(6) for t in range(3) if TOOLS_OF_REPAIR[c] >> t & 1])
REPAIR_PLACE = _places(REPAIRS_IN_ORDER.tolist(), LIES)

ROCKS = len(LIES_IN_ORDER)  # planes of cells before the rockfalls
PLANES = ROCKS + 1
# The rest, in order: break, repair, map, discard, pass, turn, reveal, take.
_SIZES = (
    3 * MAX_PLAYERS,
    len(REPAIRS_IN_ORDER) * MAX_PLAYERS,
    MAX_GOALS,
    len(KINDS),
    1,
    len(TURNS_IN_ORDER),
    MAX_GOALS,
    3,
)
AT_BREAK, AT_REPAIR, AT_MAP, AT_DISCARD, AT_PASS, AT_TURN, AT_REVEAL, AT_TAKE, REST = np.cumsum((0, *_SIZES)).tolist()


@dataclass(frozen=True)
class Actions:
    """The numbering for one window.

    Args:
        window: a name of WINDOWS.

    Raises: ValueError for a window there is not.
    """

    window: str = DEFAULT_WINDOW

    def __post_init__(self) -> None:
        if not isinstance(self.window, str) or self.window not in WINDOWS:
            raise ValueError(f"window must be one of {', '.join(WINDOWS)}, not {self.window!r}")

    @property
    def box(self) -> Box:
        """The window as kernels take it."""
        west, east, north, south = WINDOWS[self.window]
        return ORIGIN - west, ORIGIN - north, west + east + 1, north + south + 1

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the window."""
        return self.box[3], self.box[2]

    @property
    def count(self) -> int:
        """How many actions there are."""
        return PLANES * self.box[2] * self.box[3] + REST

    def number(self, text: str, seat: int, players: int) -> int:
        """The action of a move text for the acting seat; -1 outside the window and for sides no stone has.

        Raises: IllegalMove where the text is no move.
        """
        return int(action_of(parse(text), seat, players, self.box))

    def text(self, action: int, seat: int, players: int) -> str:
        """The move text of an action of the acting seat. Raises: ValueError for a number that is no action."""
        if self.whole(action) < 0:
            raise ValueError(f"actions go from 0 to {self.count - 1}; there is no action {action!r}")
        return text_of(move_of_action(int(action), seat, players, self.box))

    def whole(self, action: Any) -> int:
        """The action as an int; -1 for anything that is not one of the numbering."""
        number = action.item() if isinstance(action, np.integer | np.ndarray) and np.ndim(action) == 0 else action
        return number if type(number) is int and 0 <= number < self.count else -1

    def table(self) -> list[tuple[str, int, int, str]]:
        """The ranges: name, first action, number of actions, meaning."""
        cells = self.box[2] * self.box[3]
        height, width = self.shape
        lies = ", ".join(lie_name(int(lie)) for lie in LIES_IN_ORDER)
        grid = f"{height} rows x {width} columns, row by row from the north-west"
        rows = [
            ("lay", 0, ROCKS * cells, f"lie x cell; lies: {lies}; cells: {grid}"),
            ("rockfall", ROCKS * cells, cells, f"cell, {grid}"),
        ]
        rest = {
            "break": "tool (pickaxe, lantern, cart) x seat from oneself",
            "repair": "card and tool x seat from oneself; single repairs, then each tool of the double ones",
            "map": "goal from the north",
            "discard": "kind of card: " + ", ".join(KINDS),
            "pass": "with an empty hand",
            "turn": "how a stone lies: " + ", ".join(lie_name(int(lie)) for lie in TURNS_IN_ORDER),
            "reveal": "goal from the north",
            "take": "gold card of 1, 2, 3 nuggets",
        }
        first = PLANES * cells
        for (name, meaning), size in zip(rest.items(), _SIZES, strict=True):
            rows.append((name, first, size, meaning))
            first += size
        return rows


@kernel
def action_of(number: int, seat: int, players: int, box: Box) -> int:
    """The action of a move (engine/moves.py) for the acting seat; -1 outside the window and for no stone's sides."""
    verb, card, place = verb_of(number), card_of(number), place_in(number)
    cells = box[2] * box[3]
    if verb in (LAY, ROCK):
        column, row = (place & 63) - box[0], (place >> 6) - box[1]
        if column < 0 or column >= box[2] or row < 0 or row >= box[3]:
            return -1
        return (LIE_PLACE[card] if verb == LAY else ROCKS) * cells + row * box[2] + column
    target = (place - seat) % players if place < players else place
    rest = PLANES * cells
    if verb == BREAK:
        return rest + AT_BREAK + card * MAX_PLAYERS + target
    if verb == REPAIR:
        return rest + AT_REPAIR + REPAIR_PLACE[card] * MAX_PLAYERS + target
    if verb == DISCARD:
        return rest + AT_DISCARD + card
    if verb == TURN:
        return rest + AT_TURN + TURN_PLACE[card] if TURN_PLACE[card] >= 0 else -1
    if verb == TAKE:
        return rest + AT_TAKE + card - 1
    if verb == PASS:
        return rest + AT_PASS
    return rest + place + (AT_MAP if verb == READ else AT_REVEAL)


@kernel
def move_of_action(action: int, seat: int, players: int, box: Box) -> int:
    """The move of an action. Requires: it is one of the numbering. Seats beyond `players` give no legal move."""
    cells = box[2] * box[3]
    if action < PLANES * cells:
        plane, cell = action // cells, action % cells
        place = (cell // box[2] + box[1]) << 6 | cell % box[2] + box[0]
        return move(ROCK, 0, place) if plane == ROCKS else move(LAY, LIES_IN_ORDER[plane], place)
    rest = action - PLANES * cells
    target = rest % MAX_PLAYERS  # the ranges of seats begin at multiples of ten
    seated = (seat + target) % players if target < players else target
    if rest < AT_REPAIR:
        return move(BREAK, rest // MAX_PLAYERS, seated)
    if rest < AT_MAP:
        return move(REPAIR, REPAIRS_IN_ORDER[(rest - AT_REPAIR) // MAX_PLAYERS], seated)
    if rest < AT_DISCARD:
        return move(READ, 0, rest - AT_MAP)
    if rest < AT_PASS:
        return move(DISCARD, rest - AT_DISCARD, 0)
    if rest < AT_TURN:
        return move(PASS, 0, 0)
    if rest < AT_REVEAL:
        return move(TURN, TURNS_IN_ORDER[rest - AT_TURN], 0)
    if rest < AT_TAKE:
        return move(REVEAL, 0, rest - AT_REVEAL)
    return move(TAKE, rest - AT_TAKE + 1, 0)


@kernel
def legal_actions(moves: Any, count: int, seat: int, players: int, box: Box, actions: Any) -> int:
    """Turn legal moves into actions, those outside the window left out.

    Args:
        moves: int32[>= count], legal moves.
        actions: int32[>= count], overwritten from the front.

    Returns: how many actions there are; at least one, as discards, passes and choices need no window.
    """
    kept = 0
    for i in range(count):
        action = action_of(np.int64(moves[i]), seat, players, box)
        actions[kept] = action
        kept += np.int64(action >= 0)
    return kept
