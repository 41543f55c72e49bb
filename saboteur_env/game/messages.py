"""Text messages at tables of free talk (Rules 9.4). All hear them. No kernel does: they are kept beside the record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..core.checks import as_int
from ..core.schema import Type, counted, shown
from ..engine.editions import Rules

LONGEST_MESSAGE = 200  # characters of a message
MOST_MESSAGES = 100  # messages of one seat in one round


class Message(NamedTuple):
    """A text that a seat has said to all.

    Attributes:
        after: how many moves of the record come before it.
    """

    after: int
    seat: int
    text: str


def _is_message(value: Any) -> bool:
    return type(value) is str and len(value) <= LONGEST_MESSAGE and value.isprintable() and bool(value.strip())


MESSAGE_TEXT = Type(f"a text of 1 to {LONGEST_MESSAGE} printable characters, not all of them spaces", _is_message)


def may_say(rules: Rules, messages: Iterable[Message], seat: int) -> bool:
    """Whether a seat may say a message, in a round with these messages so far."""
    return rules.talks_freely and sum(message.seat == seat for message in messages) < MOST_MESSAGES


def checked_message(rules: Rules, messages: Sequence[Message], after: int, seat: Any, text: Any) -> Message:
    """The message that a seat says now. Raises: ValueError that says why not."""
    number = as_int(seat)
    if number is None or number not in range(rules.players):
        raise ValueError(f"seats go from 0 to {rules.players - 1}; there is no seat {shown(seat)}")
    if not rules.talks_freely:
        raise ValueError(f"messages need the option talk: free; this table has talk: {rules.talk}")
    if not may_say(rules, messages, number):
        raise ValueError(f"seat {number} has said {MOST_MESSAGES} messages in this round, and no more are possible")
    if not MESSAGE_TEXT.holds(text):
        raise ValueError(f"a message is {MESSAGE_TEXT.name}, not {shown(text)}")
    return Message(after, number, text)


def message_faults(data: Mapping[str, Any], rules: Rules) -> Iterator[str]:
    """The faults of the messages of a position. Requires: the data has the right shape."""
    said = data.get("messages", [])
    if said and not rules.talks_freely:
        yield f"messages need the option talk: free; this table has talk: {rules.talk}"
    yield from order_faults(said, len(data.get("record", [])))
    for i, (_, seat, _) in enumerate(said):
        if seat >= rules.players:
            yield f"messages[{i}] names seat {seat}; there are {rules.players} players"
    for seat, count in Counter(seat for _, seat, _ in said).items():
        if count > MOST_MESSAGES:
            yield f"seat {seat} has said {count} messages in this round; at most {MOST_MESSAGES} are possible"


def order_faults(said: Sequence[Sequence[Any]], moves: int) -> Iterator[str]:
    """The faults of where messages stand among so many moves."""
    latest = 0
    for i, (after, _, _) in enumerate(said):
        if after > moves:
            yield f"messages[{i}] comes after {counted(after, 'move')}, but there are {moves}"
        elif after < latest:
            yield f"messages[{i}] comes after {counted(after, 'move')}, but the one before it after {latest}"
        latest = max(latest, after)


def cleaned(text: str) -> str:
    """What can be said of a text: on one line, without what cannot be printed, cut where it is too long; may be empty.

    >>> cleaned(" I dig\\n east. ")
    'I dig east.'
    """
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printable.split())[:LONGEST_MESSAGE].strip()
