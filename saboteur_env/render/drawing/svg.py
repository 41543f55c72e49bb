"""The one drawing: a scene as SVG text.

>>> from saboteur_env import Game
>>> draw(Game(players=3, seed=7).view(1)).startswith('<svg xmlns="http://www.w3.org/2000/svg" role="img"')
True
"""

from __future__ import annotations

from html import escape

from ...game.game import Game
from ...game.view import View
from ..scene import Move, Scene, scene_of
from ..words import champions_of, past_of, state_of, title_of, words_of
from .board import Layer, mine_layers
from .dwarfs import dwarf_layers
from .symbols import CARD_WIDTH, INK, ORANGE, PAPER, SOFT, definitions, use

PAGE_WIDTH, PAGE_HEIGHT = 920, 540
RIGHT = PAGE_WIDTH - 12  # texts that begin here end here
WINNER_COLOURS = {"miners": "#005a8c", "saboteurs": "#a84600"}
FONTS = "'DejaVu Sans', Verdana, Geneva, sans-serif"


def draw(source: View | Game, last_move: Move | None = None) -> str:
    """A picture of a view (what that seat may know) or of a game (everything), as SVG text.

    Args:
        last_move: a seat and its move to point out instead of the last one of this round.
    """
    return svg_of(scene_of(source, last_move))


def svg_of(scene: Scene) -> str:
    """A scene as SVG text; equal scenes give equal bytes."""
    parts = [part for layer in layers_of(scene) for part in layer]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {PAGE_WIDTH} {PAGE_HEIGHT}" '
        f'width="{PAGE_WIDTH}" height="{PAGE_HEIGHT}" style="max-width:100%;height:auto" font-family="{FONTS}">'
        f"<title>{escape(title_of(scene))}</title>{definitions(parts)}{''.join(parts)}</svg>"
    )


def layers_of(scene: Scene) -> list[Layer]:
    """The drawing in layers, each of whole elements, the hindmost first."""
    ground = [f'<rect width="{PAGE_WIDTH}" height="{PAGE_HEIGHT}" rx="8" fill="{PAPER}"/>']
    return [ground, _head(scene), *mine_layers(scene), *dwarf_layers(scene), _foot(scene)]


def _head(scene: Scene) -> Layer:
    eyes = "all cards open" if scene.eyes is None else f"seen by dwarf {scene.eyes}"
    return [
        _text(24, 27, f"Round {scene.round} of {scene.rounds}", 17, bold=True),
        _text(24, 45, f"edition {scene.edition} · {eyes}", 11, SOFT),
        *_banner(scene),
        *_deck(scene),
    ]


def _banner(scene: Scene) -> Layer:
    words, champions = state_of(scene), champions_of(scene)
    y, colour = (24 if champions else 33), WINNER_COLOURS.get(scene.winner or "", INK)
    banner = _text(RIGHT, y, words[:1].upper() + words[1:], 14, colour, bold=bool(scene.winner))
    return [banner, _text(RIGHT, 42, champions, 11.5)] if champions else [banner]


def _deck(scene: Scene) -> Layer:
    scale = 0.36
    x = 320 + CARD_WIDTH * scale + 12
    cards = [use("back", 320 + 3 * i, 11 - i, scale) for i in range(min(scene.deck_size, 3))]
    return [*cards, _text(x, 25, str(scene.deck_size), 13, bold=True), _text(x, 40, "in the deck", 10, SOFT)]


def _foot(scene: Scene) -> Layer:
    past = past_of(scene)
    before = [_text(RIGHT, 525, past[:1].upper() + past[1:], 11, SOFT)] if past else []
    if scene.last is None:
        return [_text(24, 525, "No move yet in this round", 12.5, SOFT), *before]
    bar = f'<rect x="24" y="511" width="5" height="18" rx="2.5" fill="{ORANGE}"/>'
    return [bar, _text(37, 525, f"Last move: {words_of(scene.last)}", 12.5), *before]


def _text(x: float, y: float, words: str, size: float, colour: str = INK, *, bold: bool = False) -> str:
    style = ' font-weight="bold"' * bold + ' text-anchor="end"' * (x == RIGHT)
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}"{style} fill="{colour}">{escape(words)}</text>'
