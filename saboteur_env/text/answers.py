"""What a language model meant: a legal move that its answer names, or why none can be read."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..game.messages import cleaned

BARE_NUMBER = re.compile(r"\(?#?([0-9]{1,4})[.)]?")
# Whatever looks like a move, legal or not: a sentence that names two of them is ambiguous.
NAMED = re.compile(r"(?<![\w@:+,-])(?:x?[A-Za-z]+@-?[0-9]+,-?[0-9]+|[a-z]+(?::[A-Za-z0-9+]+)+)(?![\w@:+]\w|\w)")
COUNTED = re.compile(r"\b(?:move|number|option|answer|choice)(?: is)?:?\s+#?([0-9]{1,4})\b(?![.,]\d)", re.IGNORECASE)
NAMED_VERBS = ("break", "repair", "map", "discard", "turn", "reveal", "take")
OBJECT = re.compile(r"\{[^{}]*\}")
SAY = re.compile(r"^[\s`*>\"'-]*say:(.*)$", re.IGNORECASE | re.MULTILINE)
QUOTES = "`*\"' \t\r\n"


class Reading(NamedTuple):
    """A move, or None and what to tell before asking again."""

    move: str | None
    why: str = ""


def read_answer(text: str, legal: Sequence[str]) -> Reading:
    """Read an answer: a move text, a number, JSON with `move`, or a sentence that names exactly one move.

    The whole answer is read so, then its last line, then the JSON that it ends with, then all that it names.

    Args:
        legal: the moves in the order of the prompt, where they are numbered from 1.

    >>> read_answer("I dig on: NES@1,0.", ["NES@1,0", "discard:NES"]).move
    'NES@1,0'
    """
    lines = [line for line in text.splitlines() if line.strip(QUOTES)]
    if not lines:
        return Reading(None, "The answer was empty.")
    for part in (text, lines[-1], *OBJECT.findall(text)[-1:] * text.rstrip(QUOTES).endswith("}")):
        plain = _plain(part, legal)
        if plain is not None:
            return _checked([plain], legal)
    return _checked(list(dict.fromkeys(_named(text, legal))), legal)


def split_message(text: str) -> tuple[str, str]:
    """Take the message out of an answer: lines that begin with `say:`, or `say` in its JSON.

    Returns: the rest, in which the move is to be read, and the message (`cleaned`), empty where there is none.

    >>> split_message("say: I go north.\\nNES@1,-1")
    ('\\nNES@1,-1', 'I go north.')
    >>> split_message('{"say": "I {really} go north.", "move": 3}')
    ('{"move": 3}', 'I {really} go north.')
    """
    lines = [line for line in text.splitlines() if line.strip(QUOTES)]
    for part in (text.strip(QUOTES), *lines[-1:], *OBJECT.findall(text)[-1:]):
        data = _object(part.strip(QUOTES))
        if data and isinstance(data.get("say"), str):
            said = data.pop("say")
            return text.replace(part, json.dumps(data)), cleaned(said)
    return SAY.sub("", text), cleaned(" ".join(said.strip(QUOTES) for said in SAY.findall(text)))


def read_beliefs(text: str, players: int, seat: int) -> list[float | None] | None:
    """For each seat the probability that it is a saboteur, None for `seat`; None where the answer cannot be read."""
    found = _last_object(text)
    if found is None:
        return None
    said = [None if one == seat else _probability(found.get(str(one))) for one in range(players)]
    return None if any(value is None for one, value in enumerate(said) if one != seat) else said


def _plain(text: str, legal: Sequence[str]) -> str | None:
    # What a text without a sentence around it says; a number becomes a move, or stays what it is.
    bare = text.strip(QUOTES)
    number = BARE_NUMBER.fullmatch(bare)
    if bare in legal or number:
        return bare if not number else _move_of(int(number[1]), legal)
    if not bare.startswith("{") or not bare.endswith("}"):
        return None
    said = (_last_object(bare) or {}).get("move")
    return _move_of(said, legal) if isinstance(said, int | str) and not isinstance(said, bool) else None


def _move_of(said: int | str, legal: Sequence[str]) -> str:
    number = BARE_NUMBER.fullmatch(said.strip(QUOTES)) if isinstance(said, str) else None
    place = int(number[1]) if number else said
    if isinstance(place, str):
        return place.strip(QUOTES)
    return legal[place - 1] if 0 < place <= len(legal) else f"number {place}"


def _named(text: str, legal: Sequence[str]) -> Iterator[str]:
    for match in NAMED.finditer(text):
        if "@" in match[0] or match[0].partition(":")[0] in NAMED_VERBS:
            yield match[0]
    for found in OBJECT.findall(text):
        move = _plain(found, legal)
        if move is not None:
            yield move
    for match in COUNTED.finditer(text):
        yield _move_of(int(match[1]), legal)
    if "pass" in legal and re.search(r"\bpass\b", text):
        yield "pass"


def _checked(named: list[str], legal: Sequence[str]) -> Reading:
    if not named:
        return Reading(None, "No move could be read in the answer.")
    if len(named) > 1:
        return Reading(None, f"The answer names more than one move: {', '.join(named[:6])}.")
    return Reading(named[0]) if named[0] in legal else Reading(None, f"{named[0][:80]} is not one of your moves.")


def _last_object(text: str) -> dict[str, Any] | None:
    read = map(_object, reversed(OBJECT.findall(text)))
    return next((data for data in read if data is not None), None)


def _object(text: str) -> dict[str, Any] | None:
    try:
        read = json.loads(text) if text.startswith("{") else None
    except (ValueError, RecursionError):
        return None
    return read if isinstance(read, dict) else None


def _probability(said: Any) -> float | None:
    fits = type(said) in (int, float) and math.isfinite(said) and 0 <= said <= 1
    return float(said) if fits else None
