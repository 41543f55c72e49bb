"""A move as a number and as text. Knows no legality.

A number is ``verb << 17 | card << 12 | place``; an event of the record adds ``seat << 24``. What card and
place mean depends on the verb:

=========  ==============================  =============
verb       card                            place
=========  ==============================  =============
LAY        orientation (cards.py)          cell
BREAK      tool 0-2                        seat
REPAIR     repair card 0-5 + 8 * tool      seat
ROCKFALL   0                               cell
READ       0                               goal
DISCARD    kind, HIDDEN in the record      0
PASS       0                               0
TURN       sides of the stone as it lies   0
REVEAL     0                               goal
TAKE       gold card, 0 in the record      0
CLAIM      0 nothing, 1 treasure, 2 stone  goal
ACCUSE     0                               seat
VOUCH      0                               seat
=========  ==============================  =============
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ..core.compiled.jit import kernel
from ..core.errors import IllegalMove
from ..core.schema import shown
from .bitboard import ORIGIN, SIZE, cell_at, coord_of
from .cards import (
    DEAD,
    GOLD_VALUES,
    HIDDEN,
    KIND,
    KIND_OF_ORIENTATION,
    KINDS,
    PAIRS,
    TOOLS,
    orientation_name,
    orientation_of,
)
from .state import MAX_GOALS, MAX_PLAYERS

LAY, BREAK, REPAIR, ROCK, READ, DISCARD, PASS, TURN, REVEAL, TAKE, CLAIM, ACCUSE, VOUCH = range(13)

CLAIMS = ("nothing", "treasure", "stone")
SAY_NOTHING, SAY_TREASURE, SAY_STONE = range(3)

REPAIRS = TOOLS + PAIRS


@kernel
def move(verb: int, card: int, target: int) -> int:
    """The number of a move."""
    return verb << 17 | card << 12 | target


@kernel
def verb_of(move: int) -> int:
    """What is done: LAY … VOUCH."""
    return move >> 17 & 15


@kernel
def card_of(move: int) -> int:
    """With which card (table above)."""
    return move >> 12 & 31


@kernel
def target_of(move: int) -> int:
    """Where: a cell, seat or goal (table above)."""
    return move & 4095


@kernel
def seat_of(event: int) -> int:
    """Whose move an event of the record was."""
    return event >> 24


@kernel
def move_of(event: int) -> int:
    """The move of an event of the record."""
    return event & 0xFFFFFF


@kernel
def hidden(number: int) -> int:
    """A move as the others see it: without the card laid face down, without the gold card taken."""
    if verb_of(number) == DISCARD:
        return move(DISCARD, HIDDEN, 0)
    return move(TAKE, 0, 0) if verb_of(number) == TAKE else number


def text_of(number: int) -> str:
    """The text of a move (an event's seat is ignored); a hidden card or gold value is left out.

    >>> text_of(parse("SW@3,-1")), text_of(parse("repair:pickaxe+lantern:pickaxe:0"))
    ('SW@3,-1', 'repair:pickaxe+lantern:pickaxe:0')
    """
    verb, card, target = verb_of(number), card_of(number), target_of(number)
    if verb == LAY:
        return f"{orientation_name(card)}@{_at(target)}"
    if verb == BREAK:
        return f"break:{TOOLS[card]}:{target}"
    if verb == REPAIR:
        return f"repair:{REPAIRS[card & 7]}:{TOOLS[card >> 3]}:{target}"
    if verb == ROCK:
        return f"rockfall@{_at(target)}"
    if verb in (READ, REVEAL):
        return f"{'map' if verb == READ else 'reveal'}:{target}"
    if verb == DISCARD:
        return "discard" if card == HIDDEN else f"discard:{KINDS[card]}"
    if verb == TURN:
        return f"turn:{orientation_name(card)}"
    if verb == TAKE:
        return f"take:{card}" if card else "take"
    if verb == CLAIM:
        return f"claim:{target}:{CLAIMS[card]}"
    if verb in (ACCUSE, VOUCH):
        return f"{'accuse' if verb == ACCUSE else 'vouch'}:{target}"
    return "pass"


def parse(text: str) -> int:
    """The number of the move that `text` names.

    Raises: IllegalMove where the text is no move; it says what was expected.
    """
    if not isinstance(text, str):
        raise IllegalMove(f"a move is a text such as 'NES@1,0', not {shown(text)}")
    head = re.split("[@:]", text, maxsplit=1)[0]
    try:
        number = _PARSERS.get(head, _parse_lay)(text)
    except (ValueError, IndexError) as error:
        raise IllegalMove(f"{text!r} is no move: {error}") from None
    if text_of(number) != text:
        raise IllegalMove(f"{text!r} is no move: it would be written {text_of(number)!r}")
    return number


def _at(cell: int) -> str:
    return "{},{}".format(*coord_of(cell))


def _cell(text: str) -> int:
    match = re.fullmatch(r"(-?[0-9]{1,3}),(-?[0-9]{1,3})", text)
    if not match:
        raise ValueError(f"expected a cell as column,row after the @, not {text!r}")
    column, row = int(match[1]), int(match[2])
    if not all(0 <= index + ORIGIN < SIZE for index in (column, row)):
        raise ValueError(f"the cell {text} lies outside the board of {SIZE} x {SIZE} cells around the start")
    return cell_at(column, row)


def _number(text: str, what: str, end: int) -> int:
    if not re.fullmatch("[0-9]", text) or int(text) >= end:
        raise ValueError(f"expected a {what} from 0 to {end - 1}, not {text!r}")
    return int(text)


def _one_of(text: str, what: str, names: tuple[str, ...]) -> int:
    if text not in names:
        raise ValueError(f"expected a {what} ({', '.join(names)}), not {text!r}")
    return names.index(text)


def _parts(text: str, count: int) -> list[str]:
    parts = text.split(":")[1:]
    if len(parts) != count:
        raise ValueError(f"expected {count} part{'s' if count > 1 else ''} after the first colon, not {len(parts)}")
    return parts


def _parse_lay(text: str) -> int:
    name, at, target = text.partition("@")
    if not at:
        raise ValueError("expected a card and a cell such as 'NES@1,0', or one of " + ", ".join(_PARSERS))
    orientation = orientation_of(name)
    if KIND_OF_ORIENTATION[orientation] < 0:
        raise ValueError(f"there is no path card {name!r}")
    return move(LAY, orientation, _cell(target))


def _parse_break(text: str) -> int:
    tool, seat = _parts(text, 2)
    return move(BREAK, _one_of(tool, "tool", TOOLS), _number(seat, "seat", MAX_PLAYERS))


def _parse_repair(text: str) -> int:
    name, mended, seat = _parts(text, 3)
    card, tool = _one_of(name, "repair card", REPAIRS), _one_of(mended, "tool", TOOLS)
    if mended not in name.split("+"):
        raise ValueError(f"a repair of {name} does not mend a {mended}")
    return move(REPAIR, card + 8 * tool, _number(seat, "seat", MAX_PLAYERS))


def _parse_discard(text: str) -> int:
    name = text.partition(":")[2]
    if name not in KIND:
        raise ValueError(f"there is no card {name!r} (a path card in the hand carries its upright name)")
    return move(DISCARD, KIND[name], 0)


def _parse_turn(text: str) -> int:
    orientation = orientation_of(*_parts(text, 1))
    if orientation & DEAD:
        raise ValueError("a stone is no dead end")
    return move(TURN, orientation, 0)


def _parse_take(text: str) -> int:
    (value,) = _parts(text, 1)
    return move(TAKE, GOLD_VALUES[_one_of(value, "gold card", tuple(map(str, GOLD_VALUES)))], 0)


def _parse_claim(text: str) -> int:
    goal, said = _parts(text, 2)
    return move(CLAIM, _one_of(said, "claim", CLAIMS), _number(goal, "goal", MAX_GOALS))


_PARSERS: dict[str, Callable[[str], int]] = {
    "break": _parse_break,
    "repair": _parse_repair,
    "rockfall": lambda text: move(ROCK, 0, _cell(text.partition("@")[2])),
    "map": lambda text: move(READ, 0, _number(_parts(text, 1)[0], "goal", MAX_GOALS)),
    "discard": _parse_discard,
    "pass": lambda text: move(PASS, 0, 0),
    "turn": _parse_turn,
    "reveal": lambda text: move(REVEAL, 0, _number(_parts(text, 1)[0], "goal", MAX_GOALS)),
    "take": _parse_take,
    "claim": _parse_claim,
    "accuse": lambda text: move(ACCUSE, 0, _number(_parts(text, 1)[0], "seat", MAX_PLAYERS)),
    "vouch": lambda text: move(VOUCH, 0, _number(_parts(text, 1)[0], "seat", MAX_PLAYERS)),
}
