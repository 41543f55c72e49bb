"""A page to step through a match: one file with everything in it, for any browser, without a network.

Mine and dwarfs are those of the one drawing, each a picture of its own: side by side on a wide screen, one below the
other on a narrow one. Most of their elements return from step to step, so the page keeps each element once, each layer
as numbers of elements and each picture as numbers of layers.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Any

from ..core.files import shipped, write_whole
from ..game.game import Game
from ..game.transcript import Said, read_transcript, turns_of
from .drawing.board import BOX, mine_layers
from .drawing.dwarfs import box_of, dwarf_layers
from .drawing.symbols import definitions
from .notes import Note, read_notes
from .scene import Scene, scene_of, with_beliefs
from .text import headline
from .words import champions_of, state_of, words_of


def replay_page(
    transcript: str | bytes, eyes: int | None = None, annotations: Sequence[Mapping[str, Any] | None] | None = None
) -> str:
    """A match as an HTML page to step through.

    Args:
        transcript: as `Game.transcript` writes it.
        eyes: the seat whose eyes the page shows, and then it holds nothing that this seat may not know; None for all
            cards open and every seat to choose from.
        annotations: for each move of the match, in order, what was thought before it (notes.py), or None.

    Raises: ValueError for a transcript that departs from the rules, an unknown seat, annotations that do not fit.
    """
    game = Game.replay(transcript)
    seats = range(game.rules.players)
    if eyes is not None and eyes not in seats:
        raise ValueError(f"seats go from 0 to {seats[-1]}; there is no seat {eyes!r}")
    book = _Book([None, *seats] if eyes is None else [eyes])
    steps = list(steps_of(transcript))
    notes = read_notes(annotations, [step.move for step in steps], game.rules.players)
    for step, note, extent in zip(steps, notes, _extents(steps), strict=True):
        book.add(step, note, extent)
    return _filled(book, f"Saboteur, {game.rules.players} dwarfs, edition {game.rules.edition}", game.rules.players)


def write_page(path: str | os.PathLike[str], text: str) -> None:
    """Write a page so that at no moment half of it stands under its name."""
    write_whole(Path(path), lambda file: file.write_text(text, encoding="utf-8", newline="\n"))


@dataclass
class Step:
    """A position, the move played in it, None at the end of a round, and what was said to all before that."""

    game: Game
    round: int
    move: Said | None
    messages: list[Said]


def steps_of(transcript: str | bytes) -> Iterator[Step]:
    """The positions of a match, move by move. Raises: ValueError for a transcript that departs from the rules."""
    rounds = read_transcript(transcript)["rounds"]
    game = Game.of_position(rounds[0]["deal"])
    for number, chapter in enumerate(rounds):
        if number:
            game.next_round()
        for said, played in turns_of(chapter):
            yield Step(game.copy(), number, played, said)
            if played:
                game.play(played[1])


def _extents(steps: list[Step]) -> Iterator[tuple[int, int, int, int]]:
    """One extent for a whole round, so that the mine does not jump while it grows."""
    result: dict[int, tuple[int, int, int, int]] = {}
    for step in steps:
        west, north, east, south = scene_of(step.game.view(0)).extent
        w, n, e, s = result.get(step.round, (west, north, east, south))
        result[step.round] = min(w, west), min(n, north), max(e, east), max(s, south)
    return (result[step.round] for step in steps)


@dataclass
class _Book:
    """All positions for all eyes, each distinct text and layer kept once."""

    eyes: Sequence[int | None]
    texts: dict[str, int] = field(default_factory=dict)
    layers: dict[tuple[int, ...], int] = field(default_factory=dict)
    frames: list[list[list[list[int]]]] = field(default_factory=list)
    words: list[list[list[int]]] = field(default_factory=list)
    odds: list[list[Any]] = field(default_factory=list)
    said: list[list[str]] = field(default_factory=list)
    heard: list[list[Said]] = field(default_factory=list)
    rounds: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        for pages in (self.frames, self.words, self.odds, self.said):
            pages += [[] for _ in self.eyes]

    def add(self, step: Step, note: Note, extent: tuple[int, int, int, int]) -> None:
        if step.round == len(self.rounds):
            self.rounds.append(len(self.frames[0]))
        self.heard.append(step.messages)
        for number, eyes in enumerate(self.eyes):
            scene = replace(scene_of(step.game if eyes is None else step.game.view(eyes)), extent=extent)
            seen = note.seen_by(eyes)
            if seen.beliefs:
                scene = with_beliefs(scene, seen.beliefs)
            panels = mine_layers(scene), dwarf_layers(scene)
            self.frames[number].append([[self._layer(layer) for layer in panel] for panel in panels])
            self.words[number].append([self._text(words) for words in _words(scene)])
            self.odds[number].append(seen.odds)
            self.said[number].append(seen.said)

    def _text(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))

    def _layer(self, layer: list[str]) -> int:
        return self.layers.setdefault(tuple(map(self._text, layer)), len(self.layers))

    def data(self) -> dict[str, Any]:
        return {
            "seats": self.eyes,
            "texts": list(self.texts),
            "layers": list(self.layers),
            "frames": self.frames,
            "words": self.words,
            "odds": self.odds if any(any(odds) for odds in self.odds) else None,
            "said": self.said if any(any(said) for said in self.said) else None,
            "heard": self.heard if any(self.heard) else None,
            "rounds": self.rounds,
        }


def _words(scene: Scene) -> tuple[str, str, str]:
    """What the last move was, who is to move or has won, and which round it is, seen by whom."""
    last = words_of(scene.last) if scene.last else f"round {scene.round} is dealt"
    return last, "; ".join(filter(None, (state_of(scene), champions_of(scene)))), headline(scene)


def _filled(book: _Book, title: str, players: int) -> str:
    data = json.dumps(book.data(), separators=(",", ":"), ensure_ascii=False)
    values = {
        "$TITLE$": escape(title),
        "$MINE$": BOX,
        "$DWARFS$": box_of(players),
        "$DEFINITIONS$": definitions(book.texts),
        "$DATA$": data.replace("</", "<\\/").replace("<!--", "\\u003c!--"),
    }
    page = shipped("saboteur_env.render", "page.html").read_text(encoding="utf-8")
    for mark, value in values.items():
        page = page.replace(mark, value)
    return page
