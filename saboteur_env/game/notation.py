"""Mines as drawings: lattice maps, printed and parsed, and sets of cells on the same grid.

::

     . . . . . . . . ?        S start   o tunnel   x dead end   . empty
         |                    ? goal face down   $ treasure   c stone
     . . o . . . . . .        - and | an open side
     |   | |                  ! an open side against a shut one to its east or south
    -S-o-o-x-. . . . ?        ; against a shut one to its west or north
     |   |
     . . o-x . . . . .

     . . . . . . . . ?
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ..core.schema import shown
from ..engine.cards import (
    ALL_SIDES,
    DEAD,
    EAST,
    FACE_ORIENTATION,
    KIND_OF_ORIENTATION,
    NORTH,
    SOUTH,
    STONE_NE,
    STONE_NW,
    WEST,
    orientation_name,
    turned,
)

Coord = tuple[int, int]

STONES = {
    orientation
    for face in (STONE_NE, STONE_NW)
    for orientation in (int(FACE_ORIENTATION[face]), turned(int(FACE_ORIENTATION[face])))
}


@dataclass
class Map:
    """What a drawing shows: for each place (column, row) how the card there lies; 0 for a goal face down."""

    tunnels: dict[Coord, int] = field(default_factory=dict)
    goals: dict[Coord, int] = field(default_factory=dict)

    def orientation(self, coord: Coord) -> int:
        """How the face-up card on a place lies, the start and goals included; 0 for none."""
        return ALL_SIDES if coord == (0, 0) else self.goals.get(coord) or self.tunnels.get(coord, 0)

    def __str__(self) -> str:
        return _draw({(0, 0), *self.tunnels, *self.goals}, self._mark, self._joint)

    def _mark(self, coord: Coord) -> str:
        if coord == (0, 0):
            return "S"
        if coord in self.goals:
            return "?" if not self.goals[coord] else "$" if self.goals[coord] == ALL_SIDES else "c"
        return "." if coord not in self.tunnels else "x" if self.tunnels[coord] & DEAD else "o"

    def _joint(self, first: Coord, second: Coord) -> str:
        # What stands between a place and its neighbour to the east or south.
        across = first[1] == second[1]
        one, two = self.orientation(first), self.orientation(second)
        leaves, enters = one & (EAST if across else SOUTH), two & (WEST if across else NORTH)
        if one and two and bool(leaves) != bool(enters):
            return "!" if leaves else ";"
        return ("-" if across else "|") if leaves or enters else " "


def draw_cells(coords: Iterable[Coord], around: Iterable[Coord] = ()) -> str:
    """A set of cells as `*` on the grid of a map, the start as `S`, or `s` where it is one of the set.

    Args:
        around: further places that the grid must hold.
    """
    marked = set(coords)
    marks = dict.fromkeys(marked, "*") | {(0, 0): "s" if (0, 0) in marked else "S"}
    return _draw({*marks, *around}, lambda place: marks.get(place, "."), lambda first, second: " ")


def parse_map(text: str) -> Map:
    """Read a drawing.

    Raises: ValueError naming line and column of what is wrong.
    """
    grid = _Grid(text, "S.ox?$c ")
    result = Map()
    for coord, mark in grid.marks.items():
        sides = grid.sides(coord)
        if mark in "ox":
            result.tunnels[coord] = sides + (DEAD if mark == "x" else 0)
        if mark in "?$c":
            result.goals[coord] = sides
        grid.check_card(coord, mark, sides)
    grid.check_joints(result)
    return result


def parse_cells(text: str) -> set[Coord]:
    """Read a set of cells as `draw_cells` writes them.

    Raises: ValueError as for maps.
    """
    grid = _Grid(text, "S.*s ", start="Ss")
    return {coord for coord, mark in grid.marks.items() if mark in "*s"}


def _draw(coords: set[Coord], mark: Callable[[Coord], str], joint: Callable[[Coord, Coord], str]) -> str:
    columns, rows = [column for column, _ in coords], [row for _, row in coords]
    west, east, north, south = min(columns), max(columns), min(rows), max(rows)

    def along(row: int) -> str:
        line = "".join(
            mark((column, row)) + joint((column, row), (column + 1, row)) for column in range(west, east + 1)
        )
        return joint((west - 1, row), (west, row)) + line

    def below(row: int) -> str:
        return "".join(" " + joint((column, row), (column, row + 1)) for column in range(west, east + 1))

    lines = [below(north - 1)]
    for row in range(north, south + 1):
        lines += [along(row), below(row)]
    return "\n".join(line.rstrip() for line in lines).strip("\n")


class _Grid:
    """The characters of a drawing by place: marks on cells, joints between them."""

    def __init__(self, text: str, allowed: str, start: str = "S") -> None:
        if not isinstance(text, str):
            raise ValueError(f"a map is a text, not {shown(text)}")
        self.lines = text.expandtabs().splitlines()
        result = [(y, x) for y, line in enumerate(self.lines) for x, mark in enumerate(line) if mark in start]
        if len(result) != 1:
            raise ValueError(f"a map needs one start S, this one has {len(result)}")
        self.y, self.x = result[0]
        self.marks: dict[Coord, str] = {}
        for y, line in enumerate(self.lines):
            for x, mark in enumerate(line):
                self._read(y, x, mark, allowed)

    def _read(self, y: int, x: int, mark: str, allowed: str) -> None:
        between = (y - self.y) % 2 + (x - self.x) % 2
        legal = allowed if between == 0 else " " if between == 2 else " !;" + ("|" if (y - self.y) % 2 else "-")
        if mark not in legal:
            raise ValueError(f"{self._where(y, x)}: {mark!r} cannot stand here, only one of {legal!r}")
        if between == 0 and mark != " ":
            self.marks[(x - self.x) // 2, (y - self.y) // 2] = mark

    def _where(self, y: int, x: int) -> str:
        return f"line {y + 1}, column {x + 1} of the map"

    def at(self, coord: Coord, dx: int = 0, dy: int = 0) -> str:
        y, x = self.y + 2 * coord[1] + dy, self.x + 2 * coord[0] + dx
        return self.lines[y][x] if 0 <= y < len(self.lines) and 0 <= x < len(self.lines[y]) else " "

    def sides(self, coord: Coord) -> int:
        """The open sides of the face-up card on a place; none for an empty cell and a goal face down."""
        if self.marks[coord] in ".?":
            return 0
        beside = ((NORTH, 0, -1, "|;"), (EAST, 1, 0, "-!"), (SOUTH, 0, 1, "|!"), (WEST, -1, 0, "-;"))
        return sum(side for side, dx, dy, open_marks in beside if self.at(coord, dx, dy) in open_marks)

    def check_card(self, coord: Coord, mark: str, sides: int) -> None:
        orientation = sides + (DEAD if mark == "x" else 0)
        known = {
            "S": orientation == ALL_SIDES,
            "$": orientation == ALL_SIDES,
            "c": orientation in STONES,
            "o": KIND_OF_ORIENTATION[orientation] >= 0,
            "x": KIND_OF_ORIENTATION[orientation] >= 0,
        }
        if not known.get(mark, True):
            what = {"S": "the start", "$": "the treasure", "c": "a stone"}.get(mark, "a path card")
            y, x = self.y + 2 * coord[1], self.x + 2 * coord[0]
            shown = orientation_name(sides) or "no side"
            raise ValueError(f"{self._where(y, x)}: no card {mark!r} is open to {shown}; {what} is not drawn so")

    def check_joints(self, drawn: Map) -> None:
        for y, line in enumerate(self.lines):
            for x, mark in enumerate(line):
                if mark in "-|!;":
                    self._check_joint(y, x, mark, drawn)

    def _check_joint(self, y: int, x: int, mark: str, drawn: Map) -> None:
        dx, dy = ((x - self.x) % 2, (y - self.y) % 2)
        first = ((x - dx - self.x) // 2, (y - dy - self.y) // 2)
        second = (first[0] + dx, first[1] + dy)
        if not drawn.orientation(first) and not drawn.orientation(second):
            raise ValueError(f"{self._where(y, x)}: {mark!r} touches no card")
        if mark in "!;" and not (drawn.orientation(first) and drawn.orientation(second)):
            raise ValueError(f"{self._where(y, x)}: {mark!r} needs a card on either side")
        if mark in "!;" and first not in drawn.goals and second not in drawn.goals:
            raise ValueError(f"{self._where(y, x)}: open meets shut, which only a revealed goal can cause")
