"""A round in one picture: the mine as it grew, moment by moment."""

from __future__ import annotations

from dataclasses import replace
from html import escape

from .drawing import board
from .drawing.svg import FONTS
from .drawing.symbols import INK, PAPER, definitions
from .page import Step, steps_of
from .scene import Scene, extent_of, scene_of
from .words import state_of, words_of

PICTURES_A_ROW, PICTURE_GAP, CAPTION = 3, 10, 30
PICTURE_WIDTH, PICTURE_HEIGHT = 300, 254  # of one moment, its caption not counted


def draw_strip(transcript: str | bytes, frames: int = 9, eyes: int | None = None, round_number: int = 1) -> str:
    """The mine of a round at so many moments, evenly spread over its changes from the deal to the end, as SVG text.

    No mine is shown twice in a row, unless nothing was laid at all.

    Args:
        transcript: as `Game.transcript` writes it.
        eyes: the seat that looks, None for all goals open.

    Raises: ValueError for fewer than two moments, a round that was not played, and as `replay_page` does.
    """
    steps = [step for step in steps_of(transcript) if step.round == round_number - 1]
    if frames < 2 or not steps:
        raise ValueError(f"{frames} moments of round {round_number}: give two or more, of a round that was played")
    moments = _changes(steps)
    coords = [moments[round(i * (len(moments) - 1) / (frames - 1))] for i in range(frames)]
    extent = extent_of(steps[-1].game.view(0).mine)
    drawn = [_moment(coord, _scene(steps[at], eyes, extent), at) for coord, at in enumerate(dict.fromkeys(coords))]
    rows = -(-len(drawn) // PICTURES_A_ROW)
    width, height = (
        many * (size + PICTURE_GAP) + PICTURE_GAP
        for many, size in ((PICTURES_A_ROW, PICTURE_WIDTH), (rows, PICTURE_HEIGHT + CAPTION))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" style="max-width:100%;height:auto" font-family="{FONTS}"><title>A round, moment by moment'
        f'</title>{definitions(drawn)}<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>'
        f"{''.join(drawn)}</svg>"
    )


def _changes(steps: list[Step]) -> list[int]:
    """The deal, the moves after which the mine was another, and the end in place of the last of them."""
    mines = [str(step.game.mine) for step in steps]
    changed = [0, *(at for at in range(1, len(mines)) if mines[at] != mines[at - 1])]
    return [*(changed[:-1] or changed), len(steps) - 1]


def _scene(step: Step, eyes: int | None, extent: tuple[int, int, int, int]) -> Scene:
    return replace(scene_of(step.game if eyes is None else step.game.view(eyes)), extent=extent)


def _moment(coord: int, scene: Scene, moves: int) -> str:
    x, y = (
        PICTURE_GAP + coord % PICTURES_A_ROW * (PICTURE_WIDTH + PICTURE_GAP),
        PICTURE_GAP + coord // PICTURES_A_ROW * (PICTURE_HEIGHT + CAPTION + PICTURE_GAP),
    )
    told = (words_of(scene.last) if scene.turn is not None else state_of(scene)) if scene.last else "the deal"
    mine = "".join(part for layer in board.mine_layers(scene) for part in layer)
    caption = f'<tspan font-weight="bold">{moves}</tspan> {escape(told)}'
    return (
        f'<svg x="{x}" y="{y}" width="{PICTURE_WIDTH}" height="{PICTURE_HEIGHT}" viewBox="{board.BOX}">{mine}</svg>'
        f'<text x="{x + 4}" y="{y + PICTURE_HEIGHT + 18}" font-size="9.5" fill="{INK}">{caption}</text>'
    )
