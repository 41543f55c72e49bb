"""The thoughts before each move, to be shown next to a replay.

One entry for each move of the match, in order, about the position in which that move was chosen; None for nothing::

    {"moves": {"NES@1,0": 0.7, "discard:map": 0.3},     the mover's probability of each move
     "beliefs": {0: [None, 0.2, 0.8], 2: [0.5, 0.5, None]},
     "said": "I dig on, as ..."}                        what the mover said of it

`beliefs` gives for each observer, for each seat, the probability that this seat is a saboteur, or None.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .scene import Move
from .words import words_of

SHOWN = 12


@dataclass(frozen=True)
class Note:
    """The thoughts about one position."""

    move: Move | None = None
    moves: Mapping[str, float] = field(default_factory=dict)
    beliefs: Mapping[int, Sequence[float | None]] = field(default_factory=dict)
    said: str = ""

    def seen_by(self, eyes: int | None) -> Note:
        """The thoughts that belong to a seat; all of them for None."""
        if eyes is None:
            return self
        mine = {eyes: self.beliefs[eyes]} if eyes in self.beliefs else {}
        moves_now = self.move is not None and self.move[0] == eyes
        return Note(self.move, self.moves if moves_now else {}, mine, self.said if moves_now else "")

    @property
    def odds(self) -> list[list[Any]]:
        """The likeliest moves and the one played: in words, probability, 1 for the one played."""
        if self.move is None:
            return []
        seat, played = self.move
        ranked = sorted(self.moves.items(), key=lambda item: (-item[1], item[0]))
        kept = [item for rank, item in enumerate(ranked) if rank < SHOWN or item[0] == played]
        return [[words_of((seat, text)), round(chance, 4), int(text == played)] for text, chance in kept]


def read_notes(
    annotations: Sequence[Mapping[str, Any] | None] | None, moves: Sequence[Move | None], players: int
) -> list[Note]:
    """One note for each position, positions without a move included.

    Raises: ValueError that says which annotation does not fit, and why.
    """
    count = sum(move is not None for move in moves)
    entries = list(annotations) if annotations is not None else [None] * count
    if len(entries) != count:
        raise ValueError(f"annotations: one for each of the {count} moves of the match, not {len(entries)}")
    rest = iter(enumerate(entries))
    return [Note() if move is None else _note(*next(rest), move, players) for move in moves]


def _note(number: int, entry: Mapping[str, Any] | None, move: Move, players: int) -> Note:
    try:
        given = dict(entry or {})
        moves, beliefs = _moves(given.pop("moves", None)), _beliefs(given.pop("beliefs", None), players)
        note = Note(move, moves, beliefs, _said(given.pop("said", "")))
        if given:
            raise ValueError(f"there is no {', '.join(map(repr, given))}, only moves, beliefs and said")
        return note
    except (TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"annotation {number}: {error}") from None


def _moves(given: Mapping[str, float] | None) -> dict[str, float]:
    return {str(text): _probability(value) for text, value in (given or {}).items()}


def _said(given: Any) -> str:
    if not isinstance(given, str):
        raise ValueError(f"what was said is a text, not {given!r}")
    return given


def _beliefs(given: Mapping[int, Sequence[float | None]] | None, players: int) -> dict[int, list[float | None]]:
    beliefs = {}
    for observer, said in (given or {}).items():
        if int(observer) not in range(players) or len(said) != players:
            raise ValueError(f"beliefs of {observer!r}: observers are seats, each says something of {players} seats")
        beliefs[int(observer)] = [None if value is None else _probability(value) for value in said]
    return beliefs


def _probability(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number) or not 0 <= number <= 1:
        raise ValueError(f"a probability lies from 0 to 1, not {value!r}")
    return number
