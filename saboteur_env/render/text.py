"""The picture as plain text: the lattice map and a table of the dwarfs."""

from __future__ import annotations

from collections import Counter

from .scene import Dwarf, Scene
from .words import champions_of, past_of, state_of, words_of

LEGEND = "S start, o tunnel, x dead end, . empty, ? goal, $ treasure, c stone; - and | join cells, > is to move"
TABLE_HEADS = ("", "dwarf", "role", "broken", "looked at", "gold", "hand")


def text_of(scene: Scene) -> str:
    """A scene as text (render mode `ansi`).

    >>> from saboteur_env import Game
    >>> from saboteur_env.render import scene_of
    >>> print(text_of(scene_of(Game(players=3, seed=7).view(1))).splitlines()[0])
    Round 1 of 3, seen by dwarf 1, 49 cards in the deck
    """
    lines = [headline(scene), "", *str(scene.mine).splitlines(), "", *_known_goals(scene), *_table(scene), ""]
    return "\n".join([*lines, *closing(scene)]).replace(" \n", "\n")


def headline(scene: Scene) -> str:
    """Which round, whose eyes, how many cards are left to draw."""
    eyes = "all cards open" if scene.eyes is None else f"seen by dwarf {scene.eyes}"
    cards = f"{scene.deck_size} card{'' if scene.deck_size == 1 else 's'} in the deck"
    return f"Round {scene.round} of {scene.rounds}, {eyes}, {cards}"


def closing(scene: Scene) -> list[str]:
    """The last move, who is to move or has won, and the rounds before."""
    last = f"last move: {words_of(scene.last)}" if scene.last else "no move yet in this round"
    return [line for line in (last, state_of(scene), champions_of(scene), past_of(scene)) if line]


def known_goals(scene: Scene) -> str:
    """The faces of goals that lie face down, as far as they are known; empty where none is."""
    return ", ".join(
        f"goal {i} is {goal.face}" for i, goal in enumerate(scene.goals) if goal.face and not goal.orientation
    )


def row_of(scene: Scene, dwarf: Dwarf) -> list[str]:
    """What is known of a dwarf, one text for each of `COLUMNS`."""
    you = " (you)" if dwarf.seat == scene.eyes else ""
    return [
        ">" if dwarf.seat == scene.turn else "",
        f"{dwarf.seat}{you}",
        dwarf.role or "?",
        " ".join(dwarf.broken),
        " ".join(map(str, dwarf.maps)),
        _gold(dwarf),
        hand_of(dwarf),
    ]


def hand_of(dwarf: Dwarf) -> str:
    """The cards of a hand, equal ones counted, or how many there are."""
    if dwarf.hand is None:
        return f"{dwarf.hand_size} card{'' if dwarf.hand_size == 1 else 's'}"
    return " ".join(card if copies == 1 else f"{card}x{copies}" for card, copies in Counter(dwarf.hand).items())


def _gold(dwarf: Dwarf) -> str:
    if not dwarf.gold_cards:
        return ""
    values = "+".join(map(str, dwarf.gold)) if dwarf.gold else f"{dwarf.gold_cards} cards"
    return values if dwarf.nuggets is None else f"{values} = {dwarf.nuggets}"


def _known_goals(scene: Scene) -> list[str]:
    return [known_goals(scene), ""] if known_goals(scene) else []


def _table(scene: Scene) -> list[str]:
    rows = [list(TABLE_HEADS), *(row_of(scene, dwarf) for dwarf in scene.dwarfs)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
