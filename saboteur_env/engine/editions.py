"""Editions and switches (Rules 8), custom decks, role tables and goal layouts, and what they allow.

`Rules.make` is the one place where settings are checked; `write` puts them into a record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np

from ..core.checks import is_whole
from ..core.compiled.memory import Record, record_dtype
from ..core.schema import among, shown
from .bitboard import REACH, SIZE, START, cell_at, coord_of
from .cards import ALL_SIDES, COPIES, EAST, KIND, KINDS, MAP, NORTH, ORIENTATION_OF_KIND, PATH_KINDS, SOUTH, WEST

MAX_PLAYERS = 10
MAX_ROUNDS = 10
MAX_DECK = 96
MAX_GOALS = 3
MAX_EVENTS = 128  # a card a turn for 96 cards, three stones with their choices, a draft, some passes; words besides
MAX_CHOICE_EVENTS = 2 * MAX_GOALS + 9  # of a round at most: which goal, how its stone lies; nine gold cards of a draft
MAX_WORDS = 3  # accusations and vouchers of one seat in one round (9.2)

PLAYERS = range(3, MAX_PLAYERS + 1)
EDITIONS: dict[str, dict[str, Any]] = {
    "lv": {"placement": "connected", "stone": "chooser", "goals": "all", "end": "hands_empty", "roles": "aside"},
    "lt": {"placement": "connected", "stone": "chooser", "goals": "all", "end": "hands_empty", "roles": "aside"},
    "uk": {"placement": "touching", "stone": "chooser", "goals": "one", "end": "all_passed", "roles": "aside"},
    "ru": {"placement": "touching", "stone": "joins", "goals": "all", "end": "all_passed", "roles": "aside"},
    "fa": {"placement": "touching", "stone": "joins", "goals": "all", "end": "all_passed", "roles": "persian"},
}


class Switch(NamedTuple):
    """A rule on which editions or players may differ: its field of `Rules`, of RULES and of an observation.

    Attributes:
        values: those allowed; the default comes first where editions agree.
        flag: its name in RULES, as kernels read it: 1 for True, or for any name but the first. None without a flag.
        meaning: of its row in an observation; no row without one.
    """

    values: tuple[Any, ...]
    flag: str | None = None
    meaning: str = ""


SWITCHES = {
    "placement": Switch(
        ("connected", "touching"), "touching_allowed", "placement touching"
    ),  # 3.1: any open side will do
    "stone": Switch(
        ("chooser", "joins"), "stone_joins", "stone joins"
    ),  # 4.3: where it fits nowhere, to the card just laid
    "goals": Switch(("all", "one"), "one_goal", "one of several goals"),  # 4.4
    "end": Switch(("hands_empty", "all_passed"), "end_when_all_passed", "round ends when all passed"),  # 5
    "roles": Switch(("aside", "persian")),  # 2.1
    "broken_no_gold": Switch((False, True), "broken_no_gold", "no gold with a broken tool"),  # 6.4
    "draft": Switch((False, True), "draft", "gold draft"),  # 6.1
    "break_self": Switch((True, False), "break_self", "own tool may be broken"),  # 3.3
    # 9; observations of tables that talk have more fields instead of a row. Kernels take `free` for `claims`.
    "talk": Switch(("none", "claims", "free"), "talk"),
}
FLAGS = tuple(switch.flag for switch in SWITCHES.values() if switch.flag)
OBSERVED_FLAGS = tuple(switch.flag for switch in SWITCHES.values() if switch.flag and switch.meaning)

# The settings of a match as kernels read them.
RULES = record_dtype(
    ("players", "i1"),
    ("rounds", "i1"),
    ("hand_size", "i1"),
    *((flag, "i1") for flag in FLAGS),
    ("first_seat", "i1"),  # -1: a seeded draw (2.5)
    ("saboteurs", "i1"),  # the pool of roles (2.1)
    ("miners", "i1"),
    ("goals", "i1"),
    ("goal_cell", "i2", MAX_GOALS),  # from north to south
    ("deck", "i1", len(KINDS)),
)
# Saboteurs and miners in the pool, by number of players (2.1).
ROLE_TABLES = {
    "aside": {3: (1, 3), 4: (1, 4), 5: (2, 4), 6: (2, 5), 7: (3, 5), 8: (3, 6), 9: (3, 7), 10: (4, 7)},
    "persian": {3: (1, 3), 4: (1, 4), 5: (2, 3), 6: (2, 4), 7: (3, 4), 8: (3, 5), 9: (3, 6), 10: (4, 6)},
}
PRINTED_GOALS = ((8, -2), (8, 0), (8, 2))


def printed_hand_size(players: int) -> int:
    """Cards in a hand (2.4)."""
    return 6 if players <= 5 else 5 if players <= 7 else 4


class RulesRecord(Record):
    """A `RULES` record, as kernels take it."""


@dataclass(frozen=True)
class Rules:
    """All settings of a match, checked; make one with `Rules.make`."""

    players: int
    edition: str
    rounds: int
    placement: str
    stone: str
    goals: str
    end: str
    roles: str
    broken_no_gold: bool
    draft: bool
    break_self: bool
    talk: str
    first_seat: int | None
    deck: tuple[int, ...]  # copies of each kind
    role_table: tuple[int, int]  # saboteurs and miners in the pool
    hand_size: int
    goal_cells: tuple[tuple[int, int], ...]

    @classmethod
    def make(
        cls, players: int = 5, edition: str = "lv", rounds: int = 3, options: Mapping[str, Any] | None = None
    ) -> Rules:
        """Check settings and fill in what the edition says.

        Raises: ValueError naming every setting that is impossible, and why.
        """
        if not isinstance(options, Mapping | None):
            raise ValueError(f"options must be a mapping of names to values, not {shown(options)}")
        given, faults = dict(options or {}), list[str]()
        if not isinstance(edition, str) or edition not in EDITIONS:
            raise ValueError(f"edition must be one of {', '.join(EDITIONS)}, not {shown(edition)}")
        if not is_whole(players, PLAYERS):
            raise ValueError(f"players must be a whole number from 3 to {MAX_PLAYERS}, not {shown(players)}")
        players = int(players)
        if not is_whole(rounds, range(1, MAX_ROUNDS + 1)):
            faults.append(f"rounds must be a whole number from 1 to {MAX_ROUNDS}, not {shown(rounds)}")
        values = _switches(edition, given, faults)
        values["first_seat"] = _first_seat(given.pop("first_seat", None), players, faults)
        values["deck"] = _deck(given.pop("deck", None), faults)
        values["role_table"] = _role_table(given.pop("role_table", None), values["roles"], players, faults)
        values["hand_size"] = _hand_size(given.pop("hand_size", None), players, values["deck"], faults)
        values["goal_cells"] = _goal_cells(given.pop("goal_cells", None), faults)
        known = ", ".join(field.name for field in fields(cls)[3:])
        faults += [f"there is no option {shown(name)} (there are {known})" for name in given]
        if faults:
            raise ValueError("; ".join(faults))
        rules = cls(players=players, edition=edition, rounds=int(rounds), **values)
        rules._check_reach()
        rules._check_words()
        return rules

    def options(self) -> dict[str, Any]:
        """What differs from the edition, as it is written into positions."""
        same_roles = Rules.make(self.players, self.edition, self.rounds, {"roles": self.roles})  # their table with them
        plain = {**vars(same_roles), "roles": EDITIONS[self.edition]["roles"]}
        changed = {f.name: getattr(self, f.name) for f in fields(self)[3:] if getattr(self, f.name) != plain[f.name]}
        if "deck" in changed:
            changed["deck"] = {name: copies for name, copies in zip(KINDS, self.deck, strict=True) if copies}
        if "role_table" in changed:
            changed["role_table"] = dict(zip(("saboteurs", "miners"), self.role_table, strict=True))
        if "goal_cells" in changed:
            changed["goal_cells"] = [list(coord) for coord in self.goal_cells]
        return changed

    def write(self, record: RulesRecord) -> None:
        """Put the settings into a `RULES` record. Mutates: record."""
        for name in ("players", "rounds", "hand_size", "deck"):
            record[name] = getattr(self, name)
        for name, switch in SWITCHES.items():
            if switch.flag:
                value = getattr(self, name)
                record[switch.flag] = value if isinstance(value, bool) else value != switch.values[0]
        record.first_seat = -1 if self.first_seat is None else self.first_seat
        record.saboteurs, record.miners = self.role_table
        record.goals = len(self.goal_cells)
        record.goal_cell[: record.goals] = [cell_at(*coord) for coord in self.goal_cells]

    @property
    def one_aside(self) -> bool:
        """Whether a dwarf stays aside unseen."""
        return sum(self.role_table) > self.players

    @property
    def talks(self) -> bool:
        """Whether words may be said."""
        return self.talk != "none"

    @property
    def talks_freely(self) -> bool:
        """Whether text messages may be said besides words."""
        return self.talk == "free"

    def _check_words(self) -> None:
        words = MAX_WORDS * self.players + self.deck[MAP]
        room = MAX_EVENTS - MAX_CHOICE_EVENTS - sum(self.deck)
        if self.talks and words > room:
            raise ValueError(f"option talk: with this deck a round may have {words} words; its record holds {room}")

    def _check_reach(self) -> None:
        far = max(reach(self.deck, self.goal_cells, self.placement == "touching").values())
        if far >= REACH:
            raise ValueError(f"this deck could lead {far} cells away from the start; the board holds {REACH - 1}")
        lost = [coord for coord in self.goal_cells if max(map(abs, coord)) > far + 1]
        if lost:
            raise ValueError(f"goal_cells {lost} lie farther than any tunnel of this deck can lead ({far} cells)")


DIRECTIONS = {
    "east": (EAST, WEST, 1, 0),
    "west": (WEST, EAST, -1, 0),
    "north": (NORTH, SOUTH, 0, -1),
    "south": (SOUTH, NORTH, 0, 1),
}


def reach(deck: Any, goals: Sequence[tuple[int, int]], touching: bool, stones: int | None = None) -> dict[str, int]:
    """How far from the start a card can lie in each direction, at most (Rules 8).

    Every card meets an open side of an earlier one, so a chain of different cards leads to it from the
    start. In each column before it the chain has one straight card, or two corners; the last card need
    not lead on::

        -S-o-o .        column 1 a straight card, column 2 two corners, column 3 the last card
             |
         . . o-x

    A stone is a free corner of its own column alone, so it helps only towards its side of the start. Under
    `touching` the chain may lead on from a stone turned away from the way that reached it: that crosses
    its column with no other card.

    Args:
        deck: copies of each kind, `int[27]`.
        goals: (column, row) of the goals face down.
        stones: how many of them are stones; all but the treasure where missing.
    """
    copies = np.asarray(deck)[:PATH_KINDS]
    usable = np.array([touching or orientation <= ALL_SIDES for orientation in ORIENTATION_OF_KIND])
    stones = len(goals) - 1 if stones is None else stones
    far = {}
    for name, (leave, entry, east, south) in DIRECTIONS.items():
        along, across = entry | leave, ALL_SIDES ^ (entry | leave)
        straight = np.array([orientation & along == along for orientation in ORIENTATION_OF_KIND])
        corner = (
            np.array([bool(orientation & along and orientation & across) for orientation in ORIENTATION_OF_KIND])
            & ~straight
        )
        ahead = [distance for column, row in goals if (distance := column * east + row * south) > 0]
        corners = int(copies[usable & corner].sum())
        bends = corners // 2 + min(stones, len(set(ahead))) if touching else (corners + min(stones, len(ahead))) // 2
        far[name] = int(copies[usable & straight].sum()) + bends + 1
    return far


def _switches(edition: str, given: dict[str, Any], faults: list[str]) -> dict[str, Any]:
    values = {}
    for name, switch in SWITCHES.items():
        allowed = switch.values
        default = EDITIONS[edition].get(name, allowed[0])
        value = given.pop(name, default)
        if not among(value, allowed):
            faults.append(f"option {name} must be one of {', '.join(map(repr, allowed))}, not {shown(value)}")
            value = default
        values[name] = value
    return values


def _first_seat(value: Any, players: int, faults: list[str]) -> int | None:
    if value is None or is_whole(value, range(players)):
        return None if value is None else int(value)
    faults.append(f"option first_seat must be a seat from 0 to {players - 1}, not {shown(value)}")
    return None


def _deck(value: Any, faults: list[str]) -> tuple[int, ...]:
    if value is None:
        return tuple(int(copies) for copies in COPIES)
    if not isinstance(value, Mapping):
        form = "{'NES': 5, 'map': 1}"
        faults.append(f"option deck must give the copies of each card, such as {form}, not {shown(value)}")
        return tuple(int(copies) for copies in COPIES)
    faults += [f"option deck: there is no card {shown(name)}" for name in value if name not in KIND]
    wrong = {name: n for name, n in value.items() if not is_whole(n, range(MAX_DECK + 1))}
    faults += [
        f"option deck: copies of {shown(name)} must be a whole number from 0 to {MAX_DECK}, not {shown(n)}"
        for name, n in wrong.items()
    ]
    copies = tuple(0 if name in wrong else int(value.get(name, 0)) for name in KINDS)
    if not 0 < sum(copies) <= MAX_DECK:
        faults.append(f"option deck: {sum(copies)} cards; from 1 to {MAX_DECK} are possible")
    return copies


def _role_table(value: Any, roles: str, players: int, faults: list[str]) -> tuple[int, int]:
    if value is None:
        return ROLE_TABLES[roles][players]
    form = "{'saboteurs': 2, 'miners': 4}"
    if not isinstance(value, Mapping) or set(value) != {"saboteurs", "miners"}:
        faults.append(f"option role_table must be of the form {form}, not {shown(value)}")
    elif (
        not all(is_whole(n, range(MAX_PLAYERS + 2)) for n in value.values())
        or not 0 <= sum(map(int, value.values())) - players <= 1
    ):
        needed = f"{players} players need {players} role cards, or one more to stay aside"
        faults.append(f"option role_table: {needed}, not {shown(value)}")
    else:
        return int(value["saboteurs"]), int(value["miners"])
    return ROLE_TABLES[roles][players]


def _hand_size(value: Any, players: int, deck: tuple[int, ...], faults: list[str]) -> int:
    size = printed_hand_size(players) if value is None else value
    if not is_whole(size, range(1, MAX_DECK + 1)):
        faults.append(f"option hand_size must be a whole number from 1, not {shown(size)}")
    elif 0 < sum(deck) < int(size) * players:
        faults.append(f"hands of {size} for {players} players need {size * players} cards; the deck has {sum(deck)}")
    else:
        return int(size)
    return printed_hand_size(players)


def _goal_cells(value: Any, faults: list[str]) -> tuple[tuple[int, int], ...]:
    if value is None:
        return PRINTED_GOALS
    board = range(-SIZE, SIZE)
    try:
        coords = [(int(column), int(row)) for column, row in value if is_whole(column, board) and is_whole(row, board)]
        if len(coords) < len(value):
            raise ValueError
    except (TypeError, ValueError):
        faults.append(f"option goal_cells must be a list of [column, row], not {shown(value)}")
        return PRINTED_GOALS
    if not 1 <= len(coords) <= MAX_GOALS:
        faults.append(f"option goal_cells: from 1 to {MAX_GOALS} goals are possible, not {len(coords)}")
    elif coords != sorted(set(coords), key=lambda coord: (coord[1], coord[0])):
        faults.append(f"option goal_cells must name different cells from north to south, not {shown(value)}")
    elif any(sum(map(abs, coord)) <= 1 for coord in coords):
        start = list(coord_of(START))
        faults.append(f"option goal_cells: {shown(value)} has a goal on the start {start} or next to it")
    elif any(max(map(abs, coord)) > REACH for coord in coords):
        faults.append(f"option goal_cells: {shown(value)} leaves the board, {REACH} cells in every direction")
    else:
        return tuple(coords)
    return PRINTED_GOALS
