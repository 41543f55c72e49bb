"""Whole matches as text: every deal, every move, and the end, so that a replay can be checked.

::

    {"format": "saboteur-transcript/1", "versions": {"observations": 1, "actions": 1},
     "rounds": [{"deal": position, "moves": [[seat, move], ...]}, ...],
     "end": position}

The first deal may be any position, so the transcript of a loaded game begins where it was loaded.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from ..core.schema import ANY_OBJECT, TEXT, one_of, raise_if_any, read_json, validation_errors, whole
from ..core.versions import versions_of
from ..engine.editions import Rules
from ..engine.moves import text_of
from ..engine.state import MAX_PLAYERS, Games
from .positions import position_of

FORMAT = "saboteur-transcript/1"
TRANSCRIPT_SCHEMA = {
    "format": one_of(f"{FORMAT!r}", [FORMAT]),
    "rounds": [{"deal": ANY_OBJECT, "moves": [(whole(0, MAX_PLAYERS - 1), TEXT)]}],
    "end": ANY_OBJECT,
}


@dataclass
class Chapter:
    """A round as it was dealt, and the moves played since, each with its seat."""

    deal: Games
    moves: list[tuple[int, int]] = field(default_factory=list)

    def copy(self) -> Chapter:
        """An independent list of moves; the deal is never changed and is shared."""
        return Chapter(self.deal, list(self.moves))


def transcript_of(chapters: list[Chapter], games: Games, rules: Rules) -> str:
    """The transcript of a match so far, as text."""
    rounds = [
        {"deal": position_of(chapter.deal, rules), "moves": [[seat, text_of(number)] for seat, number in chapter.moves]}
        for chapter in chapters
    ]
    versions = versions_of(rules.talks)
    return json.dumps({"format": FORMAT, "versions": versions, "rounds": rounds, "end": position_of(games, rules)})


def read_transcript(text: str | bytes) -> dict[str, Any]:
    """The data of a transcript, its shape checked.

    Raises: ValueError that names every fault of shape.
    """
    data = read_json(text, "transcript")
    raise_if_any(
        validation_errors(data, TRANSCRIPT_SCHEMA) or ([] if data["rounds"] else ["rounds is empty"]), "transcript"
    )
    return data
