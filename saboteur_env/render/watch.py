"""A game shown in the terminal while it is played, at reading speed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ..game.game import Game
from ..game.view import View
from .scene import Scene, scene_of
from .text import LEGEND, TABLE_HEADS, closing, headline, known_goals, row_of, text_of

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

Chooser = Callable[[View], str]
Choosers = Sequence[Chooser] | Mapping[int, Chooser]

MARKS = {"S": "bold green", "o": "bold", "x": "bold red", "?": "cyan", "$": "bold yellow", "c": "magenta", ".": "dim"}
ROLE_STYLES = {"miner": "blue", "saboteur": "red"}


def watch(
    game: Game,
    choosers: Choosers,
    delay: float = 0.7,
    eyes: int | None = None,
    console: Console | None = None,
) -> Game:
    """Play a game to its end and show every position; where the console is no terminal, as plain text.

    Args:
        game: played on from where it stands. Mutates it.
        choosers: for each seat a function from its view to the text of its move.
        delay: seconds between positions.
        eyes: the seat that looks, None for one who sees all.

    Returns: the game at its end.
    """
    from rich.console import Console
    from rich.live import Live

    console = console or Console()
    if not console.is_terminal:
        console.print(LEGEND + "\n", markup=False, highlight=False, soft_wrap=True)
        for scene in scenes(game, choosers, eyes):
            console.print(text_of(scene) + "\n", markup=False, highlight=False, soft_wrap=True)
        return game
    with Live(console=console, auto_refresh=False) as live:
        for scene in scenes(game, choosers, eyes):
            live.update(screen(scene), refresh=True)
            time.sleep(delay)
    return game


def scenes(game: Game, choosers: Choosers, eyes: int | None = None) -> Iterator[Scene]:
    """Play a game to its end, round by round, and give the scene of every position. Mutates: game."""
    yield scene_of(game if eyes is None else game.view(eyes))
    while not game.over:
        if game.round_over:
            game.next_round()
        else:
            game.play(choosers[game.seat](game.view(game.seat)))
        yield scene_of(game if eyes is None else game.view(eyes))


def screen(scene: Scene) -> RenderableType:
    """A scene in colours, for rich."""
    from rich.columns import Columns
    from rich.console import Group
    from rich.text import Text

    lines = closing(scene)
    return Group(
        Text(headline(scene), style="bold"),
        Text(lines[0], style="yellow"),
        *(Text(line, style="bold") for line in lines[1:]),
        Text(known_goals(scene), style="cyan"),
        Columns([_mine(scene), _dwarfs(scene)], padding=(0, 3)),
        Text(LEGEND, style="dim"),
    )


def _mine(scene: Scene) -> RenderableType:
    from rich.text import Text

    text = Text()
    for mark in str(scene.mine):
        text.append(mark, style=MARKS.get(mark, ""))
    return text


def _dwarfs(scene: Scene) -> RenderableType:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(*TABLE_HEADS, box=SIMPLE_HEAD, padding=(0, 1))
    for dwarf in scene.dwarfs:
        cells = [Text(cell) for cell in row_of(scene, dwarf)]
        cells[2].stylize(ROLE_STYLES.get(dwarf.role or "", "dim"))
        cells[3].stylize("red")
        table.add_row(*cells, style="bold" if dwarf.seat == scene.turn else None)
    return table
