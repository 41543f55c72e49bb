"""Whole matches as text: every deal, every move, and the end, so that a replay can be checked.

::

    {"format": "saboteur-transcript/1", "versions": {"observations": 1, "actions": 1},
     "rounds": [{"deal": position, "moves": [[seat, move], ...]}, ...],
     "end": position}

The first deal may be any position, so the transcript of a loaded game begins where it was loaded. At tables of free
talk a round has `messages` too: `[after, seat, text]`, where `after` counts the `moves` before it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..core.schema import ANY_OBJECT, TEXT, one_of, raise_if_any, read_json, validation_errors, whole
from ..core.versions import versions_of
from ..engine.editions import Rules
from ..engine.moves import text_of
from ..engine.state import MAX_EVENTS, MAX_PLAYERS, Games
from .messages import MESSAGE_TEXT, Message, order_faults
from .positions import position_of

FORMAT = "saboteur-transcript/1"
TRANSCRIPT_SCHEMA = {
    "format": one_of(f"{FORMAT!r}", [FORMAT]),
    "rounds": [
        {
            "deal": ANY_OBJECT,
            "moves": [(whole(0, MAX_PLAYERS - 1), TEXT)],
            "messages?": [(whole(0, MAX_EVENTS), whole(0, MAX_PLAYERS - 1), MESSAGE_TEXT)],
        }
    ],
    "end": ANY_OBJECT,
}
Said = tuple[int, str]  # a seat, and its move or message


@dataclass
class Chapter:
    """A round as it was dealt, and the moves played since, each with its seat.

    Attributes:
        messages: all of the round.
        known: how many of them the deal came with.
    """

    deal: Games
    moves: list[tuple[int, int]] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    known: int = 0

    def copy(self) -> Chapter:
        """Independent lists; the deal is never changed and is shared."""
        return Chapter(self.deal, list(self.moves), list(self.messages), self.known)

    def as_data(self, rules: Rules) -> dict[str, Any]:
        """The round in a transcript."""
        deal = position_of(self.deal, rules, self.messages[: self.known])
        data = {"deal": deal, "moves": [[seat, text_of(number)] for seat, number in self.moves]}
        first = int(self.deal[0].public.event_count)
        said = [[after - first, seat, text] for after, seat, text in self.messages[self.known :]]
        return data | ({"messages": said} if rules.talks_freely else {})


def transcript_of(chapters: list[Chapter], games: Games, rules: Rules) -> str:
    """The transcript of a match so far, as text."""
    rounds, end = [chapter.as_data(rules) for chapter in chapters], position_of(games, rules, chapters[-1].messages)
    return json.dumps({"format": FORMAT, "versions": versions_of(rules.talks), "rounds": rounds, "end": end})


def read_transcript(text: str | bytes) -> dict[str, Any]:
    """The data of a transcript, its shape checked.

    Raises: ValueError that names every fault of shape.
    """
    data = read_json(text, "transcript")
    raise_if_any(validation_errors(data, TRANSCRIPT_SCHEMA) or list(_faults(data["rounds"])), "transcript")
    return data


def turns_of(chapter: dict[str, Any]) -> Iterator[tuple[list[Said], Said | None]]:
    """The moves of a round of a transcript, each with the messages said before it; last None with the rest of them."""
    said, moves = chapter.get("messages", []), [*chapter["moves"], None]
    for number, played in enumerate(moves):
        yield [(seat, text) for after, seat, text in said if after == number], played and (played[0], played[1])


def _faults(rounds: list[dict[str, Any]]) -> Iterator[str]:
    if not rounds:
        yield "rounds is empty"
    for number, chapter in enumerate(rounds, 1):
        for fault in order_faults(chapter.get("messages", []), len(chapter["moves"])):
            yield f"round {number}: {fault}"
