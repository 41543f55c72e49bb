"""A move as a number and as text. Knows no legality.

A number is ``verb << 8 | first << 4 | second``:

=====  ================================  =============================================
verb   first                             second
=====  ================================  =============================================
TAKE   0                                 seat from which a card is taken at random
GIVE   0                                 seat that gets a die
PLAY   kind of card                      seat or side it is played at, 0 for neither
KEEP   kind of card                      the other kind, not before the first, or NONE
PASS   0                                 0
=====  ================================  =============================================
"""

from __future__ import annotations

from ...core.compiled.jit import kernel
from ...core.errors import IllegalMove as IllegalMove
from ...core.schema import shown
from .cards import AIMS, KINDS, SEAT, SIDE, SIDES
from .state import MAX_PLAYERS

TAKE, GIVE, PLAY, KEEP, PASS = range(5)
VERBS = ("take", "give", "play", "keep", "pass")
NONE = 15
NUMBERS = (PASS << 8) + 1  # every move is below


@kernel
def move(verb: int, first: int, second: int) -> int:
    """The number of a move."""
    return verb << 8 | first << 4 | second


@kernel
def verb_of(number: int) -> int:
    """What is done: TAKE … PASS."""
    return number >> 8


@kernel
def first_of(number: int) -> int:
    """With which card (table above)."""
    return number >> 4 & 15


@kernel
def second_of(number: int) -> int:
    """At whom, or the second card (table above)."""
    return number & 15


def text_of(number: int) -> str:
    """The text of a move.

    >>> text_of(parse("play:swap_dice:2")), text_of(parse("keep:miss+miss"))
    ('play:swap_dice:2', 'keep:miss+miss')
    """
    verb, first, second = verb_of(number), first_of(number), second_of(number)
    name = VERBS[verb]
    if verb in (TAKE, GIVE):
        return f"{name}:{second}"
    if verb == PLAY:
        aims = {SEAT: f":{second}", SIDE: f":{SIDES[second % 2]}"}
        return f"{name}:{KINDS[first]}{aims.get(AIMS[first], '')}"
    if verb == KEEP:
        return f"{name}:{KINDS[first]}" + (f"+{KINDS[second]}" if second != NONE else "")
    return name


def parse(text: str) -> int:
    """The number of the move that `text` names.

    Raises: IllegalMove where the text is no move; it says what was expected.
    """
    if not isinstance(text, str):
        raise IllegalMove(f"a move is a text such as 'give:2', not {shown(text)}")
    verb, *parts = text.split(":")
    try:
        number = _number(verb, parts)
    except ValueError as error:
        raise IllegalMove(f"{text!r} is no move: {error}") from None
    if text_of(number) != text:
        raise IllegalMove(f"{text!r} is no move: it would be written {text_of(number)!r}")
    return number


def _number(verb: str, parts: list[str]) -> int:
    if verb in ("take", "give") and len(parts) == 1:
        return move(VERBS.index(verb), 0, _place(parts[0], _SEATS, "seat"))
    if verb == "play" and 1 <= len(parts) <= 2:
        return move(PLAY, kind := _place(parts[0], KINDS, "card"), _aim(kind, parts[1:]))
    if verb == "keep" and len(parts) == 1:
        kept = sorted(_place(name, KINDS, "card") for name in parts[0].split("+"))
        if len(kept) <= 2:
            return move(KEEP, *kept) if len(kept) == 2 else move(KEEP, kept[0], NONE)
    if verb == "pass" and not parts:
        return move(PASS, 0, 0)
    raise ValueError("expected take:SEAT, give:SEAT, play:CARD[:SEAT or left or right], keep:CARD[+CARD] or pass")


def _aim(kind: int, parts: list[str]) -> int:
    aim = int(AIMS[kind])
    if len(parts) != (aim in (SEAT, SIDE)):
        wanted = {SEAT: "a seat", SIDE: "left or right"}.get(aim, "nothing")
        raise ValueError(f"expected {wanted} after {KINDS[kind]}")
    return _place(parts[0], _SEATS if aim == SEAT else SIDES, "seat or side") if parts else 0


def _place(name: str, names: tuple[str, ...], what: str) -> int:
    if name not in names:
        raise ValueError(f"expected a {what} ({', '.join(names)}), not {name!r}")
    return names.index(name)


_SEATS = tuple(map(str, range(MAX_PLAYERS)))
