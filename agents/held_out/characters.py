"""The held-out family: dwarfs built on other ideas than the scripted family, for judging alone.

A character is two decision lists, one for each role: the first rule that picks a move decides (Rivest, "Learning
Decision Lists", 1987). It reads deeds off the record and distances off the board. It weighs no points, tracks no
probabilities and counts no cards, as the scripted family does. Nothing may be trained, fitted or tuned on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from saboteur_env.core.checks import SEEDS, checked_int
from saboteur_env.game.view import View

from .decisions import (
    Rule,
    block,
    choose,
    clear,
    collapse,
    dig,
    drop,
    drop_harmful,
    drop_tunnels,
    everybody,
    mend,
    mend_own,
    read,
    sidestep,
    strike,
)
from .situation import Move, Situation, Verb

SUSPICIOUS = 3  # points in the book
STRIKING_DISTANCE = 2  # cells
_POINTS = {Verb.BREAK: 2, Verb.ROCKFALL: 1, Verb.REPAIR: -2}


def book(situation: Situation) -> list[int]:
    """Points of each seat for its deeds alone, whoever they met: the more, the more it looks like a saboteur."""
    points = [0] * situation.players
    for seat, deed in situation.deeds:
        points[seat] += 3 if deed.verb == Verb.LAY and deed.harms else _POINTS.get(deed.verb, 0)
    return points


def booked(situation: Situation) -> list[int]:
    """The other seats with the most points, where these are many."""
    points = book(situation)
    most = max(points[seat] for seat in situation.others())
    return [seat for seat in situation.others() if points[seat] == most >= SUSPICIOUS]


def unbooked(situation: Situation) -> list[int]:
    """The other seats without points."""
    points = book(situation)
    return [seat for seat in situation.others() if points[seat] <= 0]


def last_to_harm(situation: Situation) -> list[int]:
    """The other seat whose harm was the last."""
    return [seat for seat, deed in situation.deeds if deed.harms and seat != situation.seat][-1:]


def last_to_dig(situation: Situation) -> list[int]:
    """The other seat that laid the last tunnel."""
    honest = (seat for seat, deed in situation.deeds if deed.verb == Verb.LAY and not deed.harms)
    return [seat for seat in honest if seat != situation.seat][-1:]


def debtors(situation: Situation) -> list[int]:
    """The seats that broke more tools of this one than they mended."""
    return [seat for seat, owed in _accounts(situation).items() if owed > 0]


def friends(situation: Situation) -> list[int]:
    """The seats that mended more tools of this one than they broke."""
    return [seat for seat, owed in _accounts(situation).items() if owed < 0]


def _accounts(situation: Situation) -> dict[int, int]:
    owed = dict.fromkeys(situation.others(), 0)
    for seat, deed in situation.deeds:
        if seat in owed and deed.target == situation.seat:
            owed[seat] += (deed.verb == Verb.BREAK) - (deed.verb == Verb.REPAIR)
    return owed


def neighbour(situation: Situation) -> list[int]:
    """The next seat."""
    return situation.others()[:1]


def under_cover(*rules: Rule) -> Rule:
    """These rules only while another seat has as many points in the book as this one."""

    def rule(situation: Situation) -> list[Move]:
        points = book(situation)
        covered = points[situation.seat] <= max(points[seat] for seat in situation.others())
        return first(rules, situation) if covered else []

    return rule


def late(*rules: Rule) -> Rule:
    """These rules only once a tunnel is near a goal, or the deck nearly empty."""

    def rule(situation: Situation) -> list[Move]:
        near = situation.distance <= STRIKING_DISTANCE or situation.deck_size < situation.players
        return first(rules, situation) if near else []

    return rule


def imitate(situation: Situation) -> list[Move]:
    """What another seat has just done: the same verb, and the same target where that is another still."""
    done = [deed for seat, deed in situation.deeds if seat != situation.seat][-1:]
    alike = [move for move in situation.moves if done and move.verb == done[0].verb]
    same = [move for move in alike if move.target == done[0].target]
    return same or [move for move in alike if move.target != situation.seat or move.verb != Verb.BREAK]


def imitating(*verbs: str) -> Rule:
    """Imitate, unless another seat has just done one of these."""
    return lambda situation: [move for move in imitate(situation) if move.verb not in verbs]


def first(rules: Iterable[Rule], situation: Situation) -> list[Move]:
    """What the first rule picks that picks any."""
    return next((moves for rule in rules if (moves := rule(situation))), [])


class DecisionLists(NamedTuple):
    """Decision lists of a miner and a saboteur; what is left to them is any move."""

    miner: tuple[Rule, ...]
    saboteur: tuple[Rule, ...]


_DIGGER = (mend_own, dig, read, mend(everybody), clear, sidestep, drop_harmful, drop)
CHARACTERS = {
    # Keeps a book of deeds. Strikes at who stands highest in it; as a saboteur only while another stands as high.
    "bookkeeper": DecisionLists(
        (mend_own, strike(booked), dig, mend(unbooked), read, clear, sidestep, drop_harmful, drop),
        (under_cover(strike(unbooked), block, collapse), mend_own, drop_tunnels, sidestep, drop),
    ),
    # Harms nobody and helps nobody. As a saboteur it throws the tunnels away that others lack.
    "quiet": DecisionLists((dig, mend_own, drop_harmful, sidestep, drop), (drop_tunnels, sidestep, drop)),
    # A digger that helps all, in both roles. As a saboteur it strikes once a tunnel is near a goal.
    "sleeper": DecisionLists(_DIGGER, (late(collapse, block, strike(everybody), drop_tunnels), *_DIGGER)),
    # Breaks every tool of the last to do harm; as a saboteur, of the last to dig.
    "accuser": DecisionLists(
        (strike(last_to_harm), mend_own, dig, read, clear, drop_harmful, drop),
        (strike(last_to_dig), mend_own, block, drop_tunnels, drop),
    ),
    # Does what another has just done, only that a miner copies no harm and a saboteur no help.
    "imitator": DecisionLists(
        (imitating(Verb.BREAK, Verb.ROCKFALL, Verb.DISCARD, Verb.LAY), *_DIGGER),
        (imitating(Verb.REPAIR, Verb.LAY), block, drop_tunnels, drop),
    ),
    # Tit for tat with those who broke or mended its tools; a saboteur begins with its neighbour.
    "avenger": DecisionLists(
        (strike(debtors), mend(friends), *_DIGGER),
        (strike(debtors), mend(friends), strike(neighbour), block, collapse, drop_tunnels, drop),
    ),
}


class HeldOut:
    """A dwarf of the held-out family for the checked game. Threads may share it.

    Args:
        name: of its character.

    Raises: ValueError that lists the characters there are.
    """

    def __init__(self, name: str) -> None:
        if name not in CHARACTERS:
            raise ValueError(f"there is no held-out dwarf {name!r}; there are {', '.join(CHARACTERS)}")
        self.name = name

    def __repr__(self) -> str:
        return f"<HeldOut: {self.name}>"

    def act(self, view: View, seed: int) -> str:
        """The move it plays; the same view and seed give the same.

        Raises: ValueError where the view's seat is not to move, and for a bad seed.
        """
        rng, picked = np.random.default_rng(checked_int("seed", seed, SEEDS)), self._picked(view)
        return picked[rng.integers(len(picked))].text

    def probabilities(self, view: View) -> dict[str, float]:
        """How likely each legal move is: those that its first rule picks share.

        Raises: as `act`.
        """
        picked = self._picked(view)
        return dict.fromkeys(view.legal_moves(), 0.0) | {move.text: 1 / len(picked) for move in picked}

    def _picked(self, view: View) -> list[Move]:
        situation = Situation(view)
        if not situation.moves:
            raise ValueError(f"seat {view.seat} is not to move")
        rules: tuple[Rule, ...] = getattr(CHARACTERS[self.name], view.role)
        return first((*rules, choose), situation)
