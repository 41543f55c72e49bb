"""The thoughts of dwarfs in words: for a browser, and as annotations of a replay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...render.notes import Note
from ...render.scene import Move
from ...render.words import words_of


def note_of(move: Move, thought: Mapping[str, Any] | None) -> Note:
    """A thought as a note on the position before a move (render/notes.py)."""
    known = thought or {}
    beliefs = {move[0]: known["beliefs"]} if "beliefs" in known else {}
    return Note(move, known.get("moves", {}), beliefs, known.get("said", ""))


def annotation_of(move: Move, thought: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """A thought as `replay_page` takes it."""
    note = note_of(move, thought)
    return {"moves": note.moves, "beliefs": note.beliefs, "said": note.said} if thought else None


def thought_of(move: Move, player: str, thought: Mapping[str, Any] | None) -> dict[str, Any]:
    """A move and what was thought and said before it, as it is sent: in words, with odds of moves and beliefs."""
    note = note_of(move, thought)
    beliefs = note.beliefs.get(move[0], [])
    return {"words": words_of(move), "player": player, "odds": note.odds, "beliefs": beliefs, "said": note.said}
