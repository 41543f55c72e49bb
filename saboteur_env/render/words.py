"""Moves and results in words."""

from __future__ import annotations

import json

from ..game.messages import Message
from .scene import Move, Scene

THINGS = {"treasure": "the treasure", "stone": "a stone"}


def dwarf(seat: int) -> str:
    """How a seat is called."""
    return f"dwarf {seat}"


def words_of(move: Move) -> str:
    """A move in words; a card laid face down stays a card where its name is not known.

    >>> words_of((2, "xNS@2,0"))
    'dwarf 2 lays the dead end xNS at 2,0'
    >>> words_of((0, "repair:pickaxe+lantern:lantern:0")), words_of((1, "discard"))
    ('dwarf 0 mends its own lantern with pickaxe+lantern', 'dwarf 1 lays a card face down')
    """
    seat, text = move
    return f"{dwarf(seat)} {_deed(seat, text)}"


def quoted(message: Message) -> str:
    r"""A message in words, quoted so that nothing in it can be taken for words of the table.

    >>> quoted(Message(0, 2, 'I am "honest".'))
    'dwarf 2 says "I am \\"honest\\"."'
    """
    return f"{dwarf(message.seat)} says {json.dumps(message.text, ensure_ascii=False)}"


def _deed(seat: int, text: str) -> str:
    head, _, rest = text.partition("@" if "@" in text else ":")
    if head == "rockfall":
        return f"lets rocks fall at {rest}"
    if "@" in text:
        return f"lays {'the dead end ' if head.startswith('x') else ''}{head} at {rest}"
    if head == "break":
        tool, whose = rest.split(":")
        return f"breaks {_whose(seat, whose)} {tool}"
    if head == "repair":
        card, tool, whose = rest.split(":")
        return f"mends {_whose(seat, whose)} {tool}" + (f" with {card}" if card != tool else "")
    if head == "claim":
        goal, said = rest.split(":")
        return f"says nothing about goal {goal}" if said == "nothing" else f"says that goal {goal} is {THINGS[said]}"
    return _quiet_deed(head, rest)


def _quiet_deed(head: str, rest: str) -> str:
    named = {
        "map": f"looks at goal {rest}",
        "reveal": f"reveals goal {rest}",
        "turn": f"turns the stone to lie as {rest}",
        "take": f"takes a gold card of {rest}" if rest else "takes a gold card",
        "discard": f"lays {rest} face down" if rest else "lays a card face down",
        "pass": "passes",
        "accuse": f"accuses dwarf {rest}",
        "vouch": f"vouches for dwarf {rest}",
    }
    return named.get(head, f"plays {head}")


def _whose(seat: int, whose: str) -> str:
    return "its own" if str(seat) == whose else f"{dwarf(int(whose))}'s"


def state_of(scene: Scene) -> str:
    """Who is to move, or who has won.

    A round with a draft has a winner before its last gold card is taken.
    """
    won = f"{scene.winner} {'wins' if scene.winner == 'nobody' else 'win'} round {scene.round}"
    if scene.turn is None:
        return won
    doing = scene.choice.words if scene.choice else "to move"
    return (f"{won}; " if scene.winner else "") + f"{dwarf(scene.turn)} {doing}"


def champions_of(scene: Scene) -> str:
    """Who has won the match; nothing before its end."""
    sums = [dwarf.nuggets for dwarf in scene.dwarfs if dwarf.nuggets is not None]
    if not scene.over or len(sums) < len(scene.dwarfs):
        return ""
    best = max(sums)
    seats = [str(seat) for seat, total in enumerate(sums) if total == best]
    who = f"dwarfs {', '.join(seats)} share the match" if len(seats) > 1 else f"dwarf {seats[0]} wins the match"
    return f"{who} with {best} nugget{'' if best == 1 else 's'}"


def past_of(scene: Scene) -> str:
    """How many rounds before this one each side has won; nothing in the first round."""
    sides = [(side, scene.past.count(side)) for side in ("miners", "saboteurs", "nobody")]
    won = ", ".join(f"{side} {count}" for side, count in sides if count)
    return f"rounds won before: {won}" if won else ""


def title_of(scene: Scene) -> str:
    """A line that says what the picture shows."""
    eyes = "all cards open" if scene.eyes is None else f"seen by {dwarf(scene.eyes)}"
    words = "; ".join(filter(None, (state_of(scene), champions_of(scene))))
    return f"Saboteur, round {scene.round} of {scene.rounds}, {eyes}: {words}"
