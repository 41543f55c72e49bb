"""The legal moves of a seat as cards in its hand and targets on the drawing."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from ...engine.cards import KINDS, ORIENTATION_OF_KIND, PATH_KINDS, orientation_name, turned
from ...engine.moves import PASS, parse, verb_of
from ...game.illegal import kind_played
from ...game.notation import Coord
from ...game.view import View
from ...render.drawing.board import cell_box
from ...render.drawing.dwarfs import row_box
from ...render.scene import Scene
from ...render.words import words_of
from .guide import card_help, card_words

Box = tuple[float, ...]
Use = dict[str, Any]
"""A legal move: its text, in words, where it is to be pointed at, and how the card lies."""


def moves_of(view: View, scene: Scene) -> tuple[list[dict[str, Any]], list[Use]]:
    """The cards of a hand, equal ones once, each with the moves it can make now; and the moves that need no card.

    Those are the choices in the middle of a turn, and passing.
    """
    texts: dict[str | None, list[str]] = {}
    for text in view.legal_moves():
        texts.setdefault(_card_of(text), []).append(text)
    uses = {
        card: sorted((_use(view, scene, text, alike) for text in alike), key=_eastmost_first)
        for card, alike in texts.items()
    }
    cards = [_card(card, copies, uses.get(card, [])) for card, copies in Counter(view.hand).items()]
    return cards, uses.get(None, [])


def with_room(scene: Scene, view: View) -> Scene:
    """The scene with a column west of the start, where nearly every card fits, and all cells of legal moves."""
    cells = [cell_of(text) for text in view.legal_moves() if "@" in text]
    columns, rows = zip(scene.extent[:2], scene.extent[2:], (-1, 0), *cells, strict=True)
    return replace(scene, extent=(min(columns), min(rows), max(columns), max(rows)))


def cell_of(text: str) -> Coord:
    """The cell of a move that names one."""
    column, row = text.partition("@")[2].split(",")
    return int(column), int(row)


def _eastmost_first(use: Use) -> tuple[bool, float]:
    return not use["box"], -use["box"][0] if use["panel"] == "mine" else 0


def _card(card: str, copies: int, uses: list[Use]) -> dict[str, Any]:
    words = {"words": card_words(card), "help": card_help(card)}
    return {"card": card, "copies": copies, **words, "orientations": _orientations(card), "uses": uses}


def _card_of(text: str) -> str | None:
    number = parse(text)
    return KINDS[kind_played(number)] if verb_of(number) < PASS else None


def _use(view: View, scene: Scene, text: str, alike: list[str]) -> Use:
    head, at, _ = text.partition("@")
    panel, box = _place(view, scene, text, alike)
    return {
        "move": text,
        "words": order_of(view.seat, text),
        "orientation": head if at and head != "rockfall" else None,
        "panel": panel,
        "box": [round(side, 1) for side in box],
    }


def order_of(seat: int, text: str) -> str:
    """A move as an instruction to the player.

    >>> order_of(0, "xNS@2,0"), order_of(1, "repair:cart:cart:1"), order_of(2, "pass"), order_of(0, "vouch:2")
    ('lay the dead end xNS at 2,0', 'mend your own cart', 'pass', 'vouch for dwarf 2')
    """
    verb_text, _, rest = words_of((seat, text)).removeprefix(f"dwarf {seat} ").partition(" ")
    verb = verb_text.removesuffix("es" if verb_text in ("passes", "vouches") else "s")
    return f"{verb} {rest}".rstrip().replace("its own", "your own")


def _place(view: View, scene: Scene, text: str, alike: list[str]) -> tuple[str | None, Box]:
    head, _, where = text.partition("@" if "@" in text else ":")
    if "@" in text:
        return "mine", cell_box(scene, cell_of(text))
    if head in ("map", "reveal"):
        return "mine", cell_box(scene, scene.goals[int(where)].place)
    return ("dwarfs", _in_row(view, text, alike)) if head in ("break", "repair") else (None, ())


def _in_row(view: View, text: str, alike: list[str]) -> Box:
    """The row of a seat, or its share where the card has several moves there."""
    head, seat = text.partition(":")[0], text.rpartition(":")[2]
    there = [other for other in alike if other.partition(":")[0] == head and other.rpartition(":")[2] == seat]
    x, y, width, height = row_box(int(seat), view.rules.players)
    share = width / len(there)
    return x + there.index(text) * share, y, share, height


def _orientations(card: str) -> list[str]:
    """How a path card can lie, upright first; nothing for other cards."""
    kind = KINDS.index(card)
    if kind >= PATH_KINDS:
        return []
    upright = int(ORIENTATION_OF_KIND[kind])
    return [orientation_name(orientation) for orientation in dict.fromkeys([upright, turned(upright)])]
