"""The reason why a move is illegal, in words, from what the seat to move knows."""

from __future__ import annotations

from collections.abc import Callable

from ..engine.bitboard import START, coord_of
from ..engine.cards import (
    FIRST_BREAK,
    FIRST_REPAIR,
    KIND_OF_ORIENTATION,
    KINDS,
    MAP,
    ROCKFALL,
    SIDES,
    TOOLS,
    orientation_name,
)
from ..engine.editions import MAX_WORDS
from ..engine.moves import (
    ACCUSE,
    BREAK,
    CLAIM,
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
    card_of,
    target_of,
    verb_of,
)
from ..engine.state import NO_CHOICE
from ..engine.talk import words_left
from .view import View

_KIND_OF: dict[int, Callable[[int], int]] = {
    LAY: lambda card: int(KIND_OF_ORIENTATION[card]),
    BREAK: lambda card: FIRST_BREAK + card,
    REPAIR: lambda card: FIRST_REPAIR + (card & 7),
    ROCK: lambda card: ROCKFALL,
    READ: lambda card: MAP,
    DISCARD: lambda card: card,
}


def kind_played(number: int) -> int:
    """The kind of card (engine/cards.py) that a move uses up. Requires: it uses one up."""
    return _KIND_OF[verb_of(number)](card_of(number))


def explain_illegal(view: View, number: int) -> str:
    """The reason why a move is illegal. Requires: it is illegal, and `view` is that of the seat to move."""
    public, verb = view.public, verb_of(number)
    if public.over:
        return f"round {public.round_number} is over"
    choices = (TURN, REVEAL, TAKE, CLAIM)
    if public.choice != NO_CHOICE:
        return f"seat {view.seat} must first choose: {', '.join(view.legal_moves())}"
    if verb in choices:
        return "nothing is to be chosen now"
    if verb in (ACCUSE, VOUCH):
        return _why_not_say(view, target_of(number))
    if not view.private.kinds:
        return f"seat {view.seat} has an empty hand and can only pass"
    if verb == PASS:
        return f"seat {view.seat} holds {len(view.hand)} cards; only an empty hand passes"
    kind = kind_played(number)
    if not view.private.kinds >> kind & 1:
        return f"seat {view.seat} does not hold {KINDS[kind]}"
    return _REASONS[verb](view, card_of(number), target_of(number))


def _why_not_lay(view: View, orientation: int, cell: int) -> str:
    coord, mine = coord_of(cell), view.mine
    if view.broken[view.seat]:
        return f"seat {view.seat} lays no path card while its {' and '.join(view.broken[view.seat])} is broken"
    if coord in mine.goals and not mine.goals[coord]:
        return "a goal lies on that cell, face down"
    if mine.orientation(coord):
        return f"{orientation_name(mine.orientation(coord))} lies on that cell"
    open_to = 0
    for i, (east, south) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
        other = (coord[0] + east, coord[1] + south)
        shown, back = mine.orientation(other), 1 << (i + 2) % 4
        if shown and bool(shown & back) != bool(orientation >> i & 1):
            ours, theirs = ("open", "shut") if orientation >> i & 1 else ("shut", "open")
            return (
                f"its {SIDES[i]} side is {ours}, but {orientation_name(shown)}@{other[0]},{other[1]} is {theirs} there"
            )
        open_to |= shown & back
    if not open_to:
        return "it meets no open side of a tunnel"
    return "it meets open sides only where no unbroken way comes from the start"


def _why_not_at_seat(view: View, seat: int) -> str | None:
    return f"there is no seat {seat}; {view.rules.players} dwarfs play" if seat >= view.rules.players else None


def _why_not_say(view: View, seat: int) -> str:
    if not view.rules.talks:
        return "nobody talks at this table (option talk)"
    if reason := _why_not_at_seat(view, seat):
        return reason
    if seat == view.seat:
        return "nobody accuses itself or vouches for itself"
    if not words_left(view.public, view.seat):
        return f"seat {view.seat} has said {MAX_WORDS} words in this round"
    return f"seat {view.seat} has spoken in this turn; a card comes next"


def _why_not_break(view: View, tool: int, seat: int) -> str:
    if reason := _why_not_at_seat(view, seat):
        return reason
    if TOOLS[tool] in view.broken[seat]:
        return f"the {TOOLS[tool]} of seat {seat} is broken already"
    return "breaking one's own tool is switched off"


def _why_not_repair(view: View, card: int, seat: int) -> str:
    return _why_not_at_seat(view, seat) or f"the {TOOLS[card >> 3]} of seat {seat} is not broken"


def _why_not_rock(view: View, card: int, cell: int) -> str:
    if cell == START:
        return "rocks never fall on the start"
    return "rocks never fall on a goal" if coord_of(cell) in view.mine.goals else "no path card lies on that cell"


def _why_not_read(view: View, card: int, goal: int) -> str:
    goals = len(view.rules.goal_cells)
    return f"there is no goal {goal}; there are {goals}" if goal >= goals else f"goal {goal} is face up"


_REASONS = {LAY: _why_not_lay, BREAK: _why_not_break, REPAIR: _why_not_repair, ROCK: _why_not_rock, READ: _why_not_read}
