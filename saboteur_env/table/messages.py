"""The messages of a browser, as a schema. Everything else is refused with an explanation. Nothing is loaded or run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..core.schema import ANY_OBJECT, BOOLEAN, NULL, Type, either, one_of, read_json, shown, validation_errors, whole
from ..engine.editions import EDITIONS, MAX_PLAYERS, MAX_ROUNDS
from ..game.messages import MESSAGE_TEXT
from .keys import KEY_LENGTH, WATCH, seat_name
from .setup import LONGEST_CLOCK

MAX_MESSAGE_BYTES = 4096  # bytes of a message
MOST_EVENTS = 1 << 20


def text(longest: int) -> Type:
    """A text of bounded length, without control characters and broken surrogates."""
    return Type(
        f"a text of 1 to {longest} printable characters",
        lambda value: type(value) is str and 1 <= len(value) <= longest and value.isprintable(),
    )


SEAT_TYPE = whole(0, MAX_PLAYERS - 1)
NUMBER = whole(0, MOST_EVENTS)
KEY = text(KEY_LENGTH)
TABLE_TYPE = text(16)
PLAYER = text(200)
WHO = one_of(f"{WATCH!r} or a seat such as 'seat 0'", [WATCH, *map(seat_name, range(MAX_PLAYERS))])
FORMS = ("transcript", "page")

SHAPES: dict[str, dict[str, Any]] = {
    "lobby": {"key": KEY},
    "new": {
        "seats": [PLAYER],
        "edition?": one_of(f"one of {', '.join(EDITIONS)}", EDITIONS),
        "rounds?": whole(1, MAX_ROUNDS),
        "options?": ANY_OBJECT,
        "clock?": whole(0, LONGEST_CLOCK),
        "advised?": either(SEAT_TYPE, NULL),
        "watched?": BOOLEAN,
    },
    "enter": {"table": TABLE_TYPE, "who": WHO, "key": KEY},
    "play": {"number": NUMBER, "move": text(60)},
    "say": {"text": MESSAGE_TEXT},
    "next round": {"number": NUMBER},
    "hand over": {"table": TABLE_TYPE, "seat": SEAT_TYPE, "player": PLAYER},
    "advice": {"number": NUMBER},
    "thoughts": {"round": whole(1, MAX_ROUNDS)},
    "keep": {"form": one_of(" or ".join(FORMS), FORMS)},
}


@dataclass(frozen=True)
class Message:
    """A message of the right shape: its kind, and what it says."""

    kind: str
    data: dict[str, Any]


def read_message(raw: str | bytes | None) -> Message:
    """The message of a text.

    Raises: ValueError that names what is wrong with it.
    """
    if not isinstance(raw, str):
        raise ValueError("bad message: it must be a text")
    if len(raw.encode(errors="replace")) > MAX_MESSAGE_BYTES:
        raise ValueError(f"bad message: it has more than {MAX_MESSAGE_BYTES:,} bytes")
    data = read_json(raw, "message")
    if not isinstance(data, dict):
        raise ValueError(f"bad message: it must be an object, not {shown(data)}")
    kind = data.pop("kind", None)
    if not isinstance(kind, str) or kind not in SHAPES:
        raise ValueError(f"bad message: kind must be one of {', '.join(SHAPES)}, not {shown(kind)}")
    known = {name.removesuffix("?") for name in SHAPES[kind]}
    faults = validation_errors(data, SHAPES[kind]) + [
        f"there is no {shown(name)}" for name in data if name not in known
    ]
    if faults:
        raise ValueError(f"bad message of kind {kind}: {'; '.join(faults)}")
    return Message(kind, data)
