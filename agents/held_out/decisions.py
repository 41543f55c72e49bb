"""Decision rules: each picks those of the legal moves that it is for, or none."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .situation import Move, Situation, Verb

Rule = Callable[[Situation], list[Move]]
Seats = Callable[[Situation], Iterable[int]]


def _of(situation: Situation, verb: str) -> list[Move]:
    return [move for move in situation.moves if move.verb == verb]


def _most(situation: Situation, verb: str, sign: int) -> list[Move]:
    # The moves that bring the nearest end nearest (sign 1) or farthest (sign -1), if they change anything.
    worth = {move: sign * situation.brings(move) for move in _of(situation, verb)}
    best = max(worth.values(), default=0)
    return [move for move, value in worth.items() if value == best > 0]


def dig(situation: Situation) -> list[Move]:
    """Lay what brings an open end nearest to a goal."""
    return _most(situation, Verb.LAY, 1)


def block(situation: Situation) -> list[Move]:
    """Lay what takes the nearest open end away."""
    return _most(situation, Verb.LAY, -1)


def clear(situation: Situation) -> list[Move]:
    """Let rocks fall where that frees a nearer open end."""
    return _most(situation, Verb.ROCKFALL, 1)


def collapse(situation: Situation) -> list[Move]:
    """Let rocks fall where that takes the nearest open end away."""
    return _most(situation, Verb.ROCKFALL, -1)


def sidestep(situation: Situation) -> list[Move]:
    """Lay a tunnel, no dead end, that changes no distance."""
    return [move for move in _of(situation, Verb.LAY) if not move.harms and situation.brings(move) == 0]


def read(situation: Situation) -> list[Move]:
    """Read a map of a goal that is not known."""
    return [move for move in _of(situation, Verb.MAP) if situation.faces[move.target] is None]


def mend_own(situation: Situation) -> list[Move]:
    """Mend an own tool."""
    return [move for move in _of(situation, Verb.REPAIR) if move.target == situation.seat]


def mend(seats: Seats) -> Rule:
    """Mend a tool of one of some seats."""
    return _towards(seats, Verb.REPAIR)


def strike(seats: Seats) -> Rule:
    """Break a tool of one of some seats."""
    return _towards(seats, Verb.BREAK)


def _towards(seats: Seats, verb: str) -> Rule:
    def rule(situation: Situation) -> list[Move]:
        targets = {*seats(situation)} - {situation.seat}
        return [move for move in _of(situation, verb) if move.target in targets]

    return rule


def drop_harmful(situation: Situation) -> list[Move]:
    """Throw a dead end or a card that breaks a tool away."""
    return [move for move in _of(situation, Verb.DISCARD) if move.card.startswith(("x", Verb.BREAK))]


def drop_tunnels(situation: Situation) -> list[Move]:
    """Throw the tunnel with the most open sides away."""
    tunnels = [move for move in _of(situation, Verb.DISCARD) if move.card.isupper()]
    most = max((len(move.card) for move in tunnels), default=0)
    return [move for move in tunnels if len(move.card) == most]


def drop(situation: Situation) -> list[Move]:
    """Throw any card away."""
    return _of(situation, Verb.DISCARD)


def choose(situation: Situation) -> list[Move]:
    """Any move; of gold the best card."""
    return [situation.moves[-1]] if situation.moves[-1].verb == "take" else situation.moves


def everybody(situation: Situation) -> list[int]:
    """All others."""
    return situation.others()
