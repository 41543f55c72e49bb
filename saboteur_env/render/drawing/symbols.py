"""The pictures that a drawing consists of: cards of 60 x 84 units, icons of 24 x 24, heads of 32 x 40.

Each is one `<g>` with an id, stored in `<defs>` and placed by `use`. Colours are those of Okabe and Ito, and no
two pictures differ by colour alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from ...engine.cards import (
    FACE_ORIENTATION,
    KIND_OF_ORIENTATION,
    ORIENTATIONS,
    PAIRS,
    STONE_NE,
    STONE_NW,
    TOOLS,
    orientation_name,
    turned,
)

CARD_WIDTH, CARD_HEIGHT = 60, 84

INK, SOFT, PALE, PAPER, EMPTY = "#2b2620", "#6b6258", "#c9c0b2", "#fbf8f1", "#f1ebdf"
ROCK_COLOUR, ROCK_EDGE, FLOOR, RUBBLE = "#85745f", "#4a3f33", "#f6ead0", "#33291f"
BLUE, ORANGE, VERMILLION, GREEN, SKY, YELLOW = "#0072b2", "#e69f00", "#d55e00", "#009e73", "#56b4e9", "#f0e442"
BACK = "#54616b"

# Where a tunnel leaves the card, and a stub of a dead end that begins there and is closed by itself.
ENDS = {"N": "30 0", "E": "60 42", "S": "30 84", "W": "0 42"}
STUBS = {
    "N": "M21 0V14A9 9 0 0 0 39 14V0",
    "E": "M60 33H55A9 9 0 0 0 55 51H60",
    "S": "M21 84V70A9 9 0 0 1 39 70V84",
    "W": "M0 33H5A9 9 0 0 1 5 51H0",
}
CORNERS = {
    "NE": "M30 0V26Q30 42 46 42H60",
    "NW": "M30 0V26Q30 42 14 42H0",
    "ES": "M30 84V58Q30 42 46 42H60",
    "SW": "M30 84V58Q30 42 14 42H0",
}

ICONS = {
    "pickaxe": '<path d="M4 21L15 9" stroke-width="3"/><path d="M7 4Q17 4 20 16" stroke-width="3.2"/>',
    "lantern": (
        '<path d="M8.5 6Q12 0 15.5 6" stroke-width="1.8"/><path d="M7 7.5H17M6.5 20.5H17.5" stroke-width="3"/>'
        '<path d="M8 8V20M16 8V20" stroke-width="2"/><path d="M12 10.5Q15.5 15 12 17.5Q8.5 15 12 10.5Z" '
        'fill="currentColor" stroke="none"/>'
    ),
    "cart": (
        '<path d="M3 9H21L18 17H6Z" fill="currentColor" stroke-width="1.5"/><path d="M7 7.5L10 4.5L13 6L16 4.5'
        'L18 7.5Z" fill="currentColor" stroke-width="1"/><circle cx="8.5" cy="20" r="2" stroke-width="1.8"/>'
        '<circle cx="15.5" cy="20" r="2" stroke-width="1.8"/>'
    ),
    "eye": (
        '<path d="M2 12Q12 3 22 12Q12 21 2 12Z" stroke-width="2"/>'
        '<circle cx="12" cy="12" r="3.6" fill="currentColor" stroke="none"/>'
    ),
    "map": (
        '<path d="M3 6L9 4L15 6L21 4V18L15 20L9 18L3 20Z" stroke-width="1.8"/><path d="M9 4V18M15 6V20" '
        'stroke-width="1"/><path d="M16.5 9L20 13M20 9L16.5 13" stroke-width="1.8"/>'
        '<path d="M5 15L8 12L12 14L15.5 11.5" stroke-width="1.4" stroke-dasharray="1.6 2"/>'
    ),
    "rocks": (
        '<g fill="currentColor" stroke="#fbf8f1" stroke-width="1"><path d="M2 20L4 13L9 11L12 15L11 20Z"/>'
        '<path d="M11 20L12.5 14L18 12L22 16L21.5 20Z"/><path d="M6.5 11L9 5L14.5 4L17.5 8.5L13 13Z"/></g>'
    ),
    "nugget": (
        f'<path d="M4 14L7 7L14 4L20 9L19 16L11 20Z" fill="{ORANGE}" stroke-width="1.6"/>'
        '<path d="M8 12L13 8" stroke="#fff" stroke-width="1.6"/>'
    ),
}

HEADS = {
    "miner": (
        f'<path d="M5 18A11 12 0 0 1 27 18Z" fill="{BLUE}"/><path d="M2.5 18H29.5" stroke-width="3.4"/>'
        f'<circle cx="16" cy="10" r="3.6" fill="{YELLOW}"/>'
    ),
    "saboteur": (
        f'<path d="M3 20Q12 14 19 1Q22 13 29 20Q16 15 3 20Z" fill="{VERMILLION}"/>'
        '<path d="M3 20Q16 15 29 20" stroke-width="2.6"/>'
    ),
    "unknown": '<path d="M5 18A11 12 0 0 1 27 18Z" fill="#e4ddd0" stroke-dasharray="3 2"/>',
}


@cache
def picture(name: str) -> str:
    """The `<g>` of a picture: how a card lies (`NES`, `stone:SW`), a kind of action card, an icon or a head."""
    return f'<g id="sab-{slug(name)}">{_contents(name)}</g>'


def slug(name: str) -> str:
    """The name as part of an id."""
    return name.replace(":", "-").replace("+", "-")


@cache
def names() -> dict[str, str]:
    """All pictures: id without its prefix, and name."""
    orientations = [
        orientation_name(orientation) for orientation in range(ORIENTATIONS) if KIND_OF_ORIENTATION[orientation] >= 0
    ]
    actions = [f"break:{tool}" for tool in TOOLS] + [f"repair:{tools}" for tools in TOOLS + PAIRS]
    others = ["start", "treasure", "back", "goal", "rockfall", "map", *stones()]
    small = [f"icon:{name}" for name in ICONS] + [f"head:{name}" for name in HEADS]
    return {slug(name): name for name in [*orientations, *actions, *others, *small]}


def stones() -> list[str]:
    """The names of the stones in every way they can lie."""
    upright = [int(FACE_ORIENTATION[face]) for face in (STONE_NE, STONE_NW)]
    return [f"stone:{orientation_name(orientation)}" for orientation in [*upright, *map(turned, upright)]]


def definitions(parts: Iterable[str]) -> str:
    """The `<defs>` of all pictures that some parts of a drawing use."""
    used = sorted({name for part in parts for name in re.findall(r'href="#sab-([^"]+)"', part)})
    return f"<defs>{''.join(picture(names()[name]) for name in used)}</defs>"


def use(name: str, x: float, y: float, scale: float = 1, color: str = "") -> str:
    """Place a picture."""
    paint = f' color="{color}"' if color else ""
    if scale == 1:
        return f'<use href="#sab-{slug(name)}" x="{x:g}" y="{y:g}"{paint}/>'
    return f'<use href="#sab-{slug(name)}" transform="translate({x:g} {y:g}) scale({scale:g})"{paint}/>'


def _contents(name: str) -> str:
    kind, _, rest = name.partition(":")
    if kind == "icon":
        return f'<g fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round">{ICONS[rest]}</g>'
    if kind == "head":
        return _head(rest)
    if kind in ("break", "repair", "rockfall", "map"):
        return _action(kind, rest)
    if kind in ("start", "treasure", "stone"):
        return _landmark(kind, rest)
    return _backside(kind) if kind in ("back", "goal") else _path_card(name)


def _card(fill: str, edge: str = ROCK_EDGE) -> str:
    return f'<rect x="1" y="1" width="58" height="82" rx="5" fill="{fill}" stroke="{edge}" stroke-width="1.4"/>'


def tunnel_path(sides: str) -> str:
    """Path data of tunnels that join the given open sides in the middle of the card."""
    if sides in CORNERS:
        return CORNERS[sides]
    joined = f"M{ENDS[sides[0]]}L30 42L{ENDS[sides[1]]}"
    return joined + "".join(f"M30 42L{ENDS[side]}" for side in sides[2:])


def _through(sides: str) -> str:
    strokes = ((ROCK_EDGE, 22), (FLOOR, 18))
    lines = "".join(
        f'<path d="{tunnel_path(sides)}" stroke="{colour}" stroke-width="{width}"/>' for colour, width in strokes
    )
    return f'<g fill="none" stroke-linejoin="round">{lines}</g>'


def _path_card(name: str) -> str:
    sides = name.removeprefix("x")
    return _card(ROCK_COLOUR) + (_through(sides) if sides == name else _dead_end(sides))


def _dead_end(sides: str) -> str:
    stubs = "".join(f'<path d="{STUBS[side]}"/>' for side in sides)
    return (
        f'<g fill="{FLOOR}" stroke="{ROCK_EDGE}" stroke-width="2">{stubs}</g>'
        f'<g fill="{RUBBLE}" stroke="{PALE}" stroke-width="1" stroke-linejoin="round">'
        '<path d="M19 49L21 40L28 38L32 44L30 50Z"/><path d="M30 50L32 42L38 40L42 46L40 50Z"/>'
        '<path d="M24 39L28 32L35 32L38 38L33 43Z"/></g>'
    )


def _landmark(kind: str, sides: str) -> str:
    if kind == "start":
        return _card("#5f7a63") + _through("NESW") + _LADDER
    if kind == "treasure":
        return _card("#6f5a80") + _through("NESW") + _TREASURE
    lump = {"NE": (7, 50), "NW": (31, 50), "SW": (31, 12), "ES": (7, 12)}[sides]
    return _card(ROCK_COLOUR) + _through(sides) + f'<g transform="translate({lump[0]} {lump[1]})">{_LUMP}</g>'


_LADDER = (
    f'<g fill="none" stroke="{INK}" stroke-linecap="round"><path d="M24 25V59M36 25V59" stroke-width="3"/>'
    '<path d="M24 30H36M24 38H36M24 46H36M24 54H36" stroke-width="2.4"/></g>'
)
_TREASURE = (
    f'<g stroke="{INK}" stroke-width="1.6" stroke-linejoin="round" fill="{ORANGE}">'
    '<path d="M14 56L16 47L24 44L30 50L27 57Z"/><path d="M29 57L32 48L40 45L46 51L44 57Z"/>'
    f'<path d="M21 46L24 36L34 33L40 40L36 48L28 50Z" fill="{YELLOW}"/></g>'
    '<path d="M27 42L33 37" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/>'
)
_LUMP = (
    f'<g stroke="{INK}" stroke-linejoin="round" stroke-linecap="round">'
    '<path d="M1 18L3 8L11 3L19 7L21 17L13 22Z" fill="#9aa0a6" stroke-width="1.6"/>'
    '<path d="M6 10L11 7M7 16L13 12L17 14" stroke-width="1.2" fill="none"/></g>'
)


def _backside(kind: str) -> str:
    inner = '<rect x="7" y="7" width="46" height="70" rx="3" fill="none" stroke="#d7dde1" stroke-width="1.6"/>'
    if kind == "goal":
        return _card(BACK, INK) + inner
    return (
        _card("#8d98a0", "#5d6870")
        + '<path d="M14 42L30 18L46 42L30 66Z" fill="none" stroke="#eef1f3" stroke-width="5"/>'
    )


def _action(kind: str, what: str) -> str:
    if kind == "break":
        slash = f'<path d="M8 64L52 20" stroke="{VERMILLION}" stroke-width="7" stroke-linecap="round"/>'
        return _card("#fbe3d3", VERMILLION) + _icon(what, 8, 20, 1.85) + slash
    if kind == "repair":
        return _card("#d9efe6", GREEN) + _repaired(what.split("+"))
    icon, paint = ("rocks", "#e6dccb") if kind == "rockfall" else ("map", "#dcedf8")
    return _card(paint, ROCK_EDGE if kind == "rockfall" else BLUE) + _icon(icon, 6, 18, 2)


def _repaired(tools: list[str]) -> str:
    plus = f'<path d="M30 63V79M22 71H38" stroke="{GREEN}" stroke-width="6" stroke-linecap="round"/>'
    if len(tools) == 1:
        return _icon(tools[0], 8, 12, 1.85) + plus
    return (
        _icon(tools[0], 3, 4, 1.3)
        + _icon(tools[1], 26, 30, 1.3)
        + plus.replace("M30", "M16").replace("M22", "M8").replace("H38", "H24")
    )


def _icon(name: str, x: float, y: float, scale: float) -> str:
    return f'<g color="{INK}" transform="translate({x:g} {y:g}) scale({scale:g})">{_contents(f"icon:{name}")}</g>'


def _head(role: str) -> str:
    beard = '<path d="M5 19V26Q6 39 16 39Q26 39 27 26V19Z" fill="#fff"/>'
    strokes = f'stroke="{INK}" stroke-width="1.6" fill="none" stroke-linejoin="round" stroke-linecap="round"'
    return f"<g {strokes}>{beard}{HEADS[role]}</g>"
