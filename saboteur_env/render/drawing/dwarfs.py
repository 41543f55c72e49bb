"""The dwarfs at the table as a drawing: a row for each seat with head, role, tools, gold and hand."""

from __future__ import annotations

from dataclasses import dataclass

from ...engine.cards import TOOLS
from ..scene import Dwarf, Scene
from .board import Layer
from .symbols import CARD_HEIGHT, CARD_WIDTH, INK, ORANGE, PALE, SOFT, VERMILLION, use

SEATS_LEFT, SEATS_TOP, SEATS_WIDTH, SEATS_HEIGHT = 560, 52, 348, 448
ROLE_COLOURS = {"miner": "#005a8c", "saboteur": "#a84600"}
TOOL_X, TOOL_STEP = 122, 24
FEW_SEATS = 5


GAP = 0.12  # between two cards of a hand, in widths of a card
SMALL = 9.5  # the smallest letters: ten pixels on a narrow screen


@dataclass(frozen=True)
class Shape:
    """Where things stand in a row.

    Attributes:
        height: of the row.
        hand_x, hand_y, card: the corner of the hand, and the largest scale of its cards.
        belief_y: the base line of the figure of beliefs.
        bar: the left end, the middle and the length of the bar of beliefs.
    """

    height: float
    hand_x: float
    hand_y: float
    card: float
    belief_y: float
    bar: tuple[float, float, float]


def shape_of(players: int) -> Shape:
    """Tall rows with the hand below the tools for few dwarfs, flat ones with the hand beside them for many."""
    height = min(SEATS_HEIGHT / players, 120)
    if players <= FEW_SEATS:
        return Shape(height, TOOL_X, 37, min((height - 45) / CARD_HEIGHT, 0.58), 61, (10, 69, 104))
    card = min((height - 14) / CARD_HEIGHT, 0.42)
    return Shape(height, 232, (height - 2 - card * CARD_HEIGHT) / 2, card, 38.2, (80, 35.2, 110))


def box_of(players: int) -> str:
    """The `viewBox` of all rows."""
    return f"{SEATS_LEFT - 12} {SEATS_TOP - 1} {SEATS_WIDTH + 15} {players * shape_of(players).height:g}"


def row_box(seat: int, players: int) -> tuple[float, float, float, float]:
    """Where the row of a seat lies in the drawing: x, y, width, height."""
    height = shape_of(players).height
    return SEATS_LEFT, SEATS_TOP + seat * height, SEATS_WIDTH, height - 2


def dwarf_layers(scene: Scene) -> list[Layer]:
    """One layer for each seat."""
    shape = shape_of(len(scene.dwarfs))
    return [_row(scene, dwarf, shape) for dwarf in scene.dwarfs]


def _row(scene: Scene, dwarf: Dwarf, shape: Shape) -> Layer:
    y = SEATS_TOP + dwarf.seat * shape.height
    return [
        f'<g class="sab-dwarf" transform="translate({SEATS_LEFT} {y:g})">',
        _plate(scene, dwarf, shape),
        _name(scene, dwarf),
        _tools(scene, dwarf),
        _gold(dwarf, shape),
        _looked(dwarf, shape),
        *_hand(dwarf, shape),
        *_beliefs(dwarf, shape),
        "</g>",
    ]


def _plate(scene: Scene, dwarf: Dwarf, shape: Shape) -> str:
    moves = dwarf.seat == scene.turn
    fill, edge = ("#fff3c4", INK) if moves else ("#fff", "#ddd5c7")
    plate = (
        f'<rect x="0" y="1" width="{SEATS_WIDTH}" height="{shape.height - 4:g}" rx="6" fill="{fill}" '
        f'stroke="{edge}" stroke-width="{1.6 if moves else 1}"/>'
    )
    arrow = f'<path d="M-9 14L0 21L-9 28Z" fill="{INK}"/>' if moves else ""
    acted = scene.last is not None and scene.last[0] == dwarf.seat
    bar = f'<rect x="2.5" y="5" width="4" height="{shape.height - 12:g}" rx="2" fill="{ORANGE}"/>' if acted else ""
    return plate + arrow + bar


def _name(scene: Scene, dwarf: Dwarf) -> str:
    name = "you" if dwarf.seat == scene.eyes else f"dwarf {dwarf.seat}"
    colour = ROLE_COLOURS.get(dwarf.role or "", SOFT)
    return (
        use(f"head:{dwarf.role or 'unknown'}", 10, 1.5, 0.92)
        + f'<g font-weight="bold" fill="{INK}"><text x="46" y="15" font-size="11">{name}</text>'
        f'<text x="24.7" y="32" font-size="11.5" text-anchor="middle">{dwarf.seat}</text></g>'
        f'<text x="46" y="26.5" font-size="10" fill="{colour}">{dwarf.role or "role ?"}</text>'
    )


def _tools(scene: Scene, dwarf: Dwarf) -> str:
    touched = _touched(scene, dwarf.seat)
    drawn = []
    for i, tool in enumerate(TOOLS):
        x = TOOL_X + i * TOOL_STEP
        if tool == touched:
            box = f'<rect x="{x - 1.5}" y="5.5" width="24" height="25" rx="4"'
            drawn.append(f'{box} fill="none" stroke="{ORANGE}" stroke-width="2"/>')
        drawn.append(_broken(tool, x) if tool in dwarf.broken else use(f"icon:{tool}", x + 1, 8, 0.8, PALE))
    return "".join(drawn)


def _broken(tool: str, x: float) -> str:
    box = f'<rect x="{x}" y="7" width="21" height="22" rx="3" fill="#fbe3d3" stroke="{VERMILLION}"/>'
    slash = f'<path d="M{x + 2} 27L{x + 19} 9" stroke="{VERMILLION}" stroke-width="3" stroke-linecap="round"/>'
    return f'<g class="sab-broken">{box}{use(f"icon:{tool}", x + 1, 8, 0.8, INK)}{slash}</g>'


def _touched(scene: Scene, seat: int) -> str | None:
    parts = scene.last[1].split(":") if scene.last else [""]
    return parts[-2] if parts[0] in ("break", "repair") and parts[-1] == str(seat) else None


def _gold(dwarf: Dwarf, shape: Shape) -> str:
    if not dwarf.gold_cards:
        return ""
    x, tall = TOOL_X + 3 * TOOL_STEP + 2, shape.hand_x == TOOL_X
    total = "?" if dwarf.nuggets is None else f'<tspan font-weight="bold">{dwarf.nuggets}</tspan>'
    cards = f"{dwarf.gold_cards} card{'s' if dwarf.gold_cards > 1 else ''}"
    worth = ": " + "+".join(map(str, dwarf.gold)) if dwarf.gold and tall else ""
    return use("icon:nugget", x, 2, 0.62, INK) + (
        f'<text x="{x + 16.5:g}" y="14" font-size="11.5" fill="{INK}">{total}</text>'
        f'<text x="{x}" y="27" font-size="{SMALL}" fill="{SOFT}">{cards}{worth}</text>'
    )


def _looked(dwarf: Dwarf, shape: Shape) -> str:
    if not dwarf.maps:
        return ""
    goals = " ".join(map(str, dwarf.maps))
    if shape.hand_x == TOOL_X:
        words = f'<text x="61" y="43" font-size="{SMALL}" fill="{SOFT}">goal {goals}</text>'
        return use("icon:eye", 46, 34, 0.5, SOFT) + words
    words = f'<text x="96" y="27" font-size="{SMALL}" fill="{SOFT}">{goals}</text>'
    return use("icon:eye", 97, 5, 0.5, SOFT) + words


def _hand(dwarf: Dwarf, shape: Shape) -> Layer:
    if dwarf.hand is None:
        return [f'<g class="sab-backs">{_backs(dwarf.hand_size, shape)}</g>']
    # Cards that touch look like one tunnel: a hand too large for the row gets smaller cards.
    widths = len(dwarf.hand) * (1 + GAP) - GAP
    scale = min(shape.card, (SEATS_WIDTH - shape.hand_x - 6) / CARD_WIDTH / max(widths, 1))
    step = scale * CARD_WIDTH * (1 + GAP)
    cards = [use(card, shape.hand_x + i * step, shape.hand_y, round(scale, 3)) for i, card in enumerate(dwarf.hand)]
    return ['<g class="sab-hand">', *cards, "</g>"]


def _backs(count: int, shape: Shape) -> str:
    width = shape.card * CARD_WIDTH
    step = min(7.0, (SEATS_WIDTH - shape.hand_x - 30 - width) / max(count - 1, 1))
    backs = "".join(use("back", shape.hand_x + i * step, shape.hand_y, round(shape.card, 3)) for i in range(count))
    x = shape.hand_x + (max(count, 1) - 1) * step + (width if count else 0) + 5
    middle = shape.hand_y + shape.card * CARD_HEIGHT / 2 + 4
    return backs + f'<text x="{x:g}" y="{middle:g}" font-size="10.5" fill="{SOFT}">{count or "no cards"}</text>'


def _beliefs(dwarf: Dwarf, shape: Shape) -> Layer:
    if not dwarf.beliefs:
        return []
    x, y, width = shape.bar
    mean = sum(probability for _, probability in dwarf.beliefs) / len(dwarf.beliefs)
    ticks = "".join(f"M{x + width * probability:.1f} {y - 3:g}v6" for _, probability in dwarf.beliefs)
    return [
        '<g class="sab-beliefs">',
        f'<rect x="{x}" y="{y - 2:g}" width="{width}" height="4" rx="1.5" fill="#e4ddd0"/>',
        f'<rect x="{x}" y="{y - 2:g}" width="{width * mean:.1f}" height="4" fill="{VERMILLION}"/>',
        f'<path d="{ticks}" stroke="{INK}" stroke-width="1.2"/>',
        f'<text x="46" y="{shape.belief_y}" font-size="{SMALL}" fill="{INK}">{100 * mean:.0f} %</text>',
        "</g>",
    ]
