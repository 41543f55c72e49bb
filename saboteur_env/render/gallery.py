"""All cards of a deck in one picture, each with its name and how many copies there are."""

from __future__ import annotations

from html import escape

from ..engine.cards import DEAD_ENDS, FACES, KINDS, THROUGH
from ..engine.editions import Rules
from .drawing.svg import FONTS
from .drawing.symbols import CARD_HEIGHT, CARD_WIDTH, INK, PAPER, SOFT, definitions, use

COLUMNS, WIDE, TALL, HEAD = 9, 96, 118, 26


def draw_cards(rules: Rules) -> str:
    """The cards of a round, group by group, as SVG text."""
    copies = {name: count for name, count in zip(KINDS, rules.deck, strict=True) if count}
    actions = [name for name in copies if name not in THROUGH and name not in DEAD_ENDS]
    goals = FACES[1 : 1 + len(rules.goal_cells)]
    drawn, y = list[str](), 0
    for title, names in (
        ("Start and goals", ["start", *goals]),
        ("Path cards", [name for name in THROUGH if name in copies]),
        ("Dead ends", [name for name in DEAD_ENDS if name in copies]),
        ("Action cards", actions),
    ):
        if not names:
            continue
        drawn.append(f'<text x="12" y="{y + 19}" font-size="14" font-weight="bold" fill="{INK}">{title}</text>')
        drawn += [_card(name, copies.get(name), i, y + HEAD) for i, name in enumerate(names)]
        y += HEAD + TALL * -(-len(names) // COLUMNS)
    width = COLUMNS * WIDE + 12
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {y}" width="{width}" height="{y}" '
        f'style="max-width:100%;height:auto" font-family="{FONTS}"><title>The cards</title>{definitions(drawn)}'
        f'<rect width="{width}" height="{y}" rx="8" fill="{PAPER}"/>{"".join(drawn)}</svg>'
    )


def _card(name: str, copies: int | None, coord: int, top: int) -> str:
    x, y = 12 + coord % COLUMNS * WIDE, top + coord // COLUMNS * TALL
    middle, below = x + CARD_WIDTH // 2, y + CARD_HEIGHT
    count = f' <tspan fill="{INK}" font-weight="bold">x{copies}</tspan>' if copies else ""
    kind, _, what = name.partition(":")
    label = escape(what if kind in ("break", "repair") else name)
    return use(name, x, y) + (
        f'<text x="{middle}" y="{below + 13}" font-size="9.5" text-anchor="middle" fill="{SOFT}">{label}{count}</text>'
    )
