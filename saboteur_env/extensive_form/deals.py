"""All distinct deals of a round: roles, goals, hands and the order of the deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..engine.cards import MINER, SABOTEUR
from ..engine.editions import Rules
from ..engine.state import Games, blank
from ..game.game import start


class Deals(NamedTuple):
    """Deals of equal rules.

    Attributes:
        games: STATE[n], before the first move.
        chances: float64[n], how likely each is; they sum to 1.
    """

    games: Games
    chances: npt.NDArray[np.float64]


def all_deals(rules: Rules) -> Deals:
    """Every distinct deal of a round that seat `first_seat` begins. A hand has no order, the deck has.

    Raises: ValueError where the seat that begins is left to chance.
    """
    if rules.first_seat is None:
        raise ValueError("a tree needs a seat that begins: give the option first_seat")
    likely = [Counter(_roles(rules)), Counter(_faces(rules)), Counter(_cards(rules))]
    deals = [
        (roles, faces, cards, by_roles * by_faces * by_cards)
        for roles, by_roles in likely[0].items()
        for faces, by_faces in likely[1].items()
        for cards, by_cards in likely[2].items()
    ]
    games = blank(len(deals))
    for index, (roles, faces, cards, _) in enumerate(deals):
        games[index : index + 1] = _dealt(rules, roles, faces, cards)
    ways = np.array([count for *_, count in deals], np.float64)
    return Deals(games, ways / ways.sum())


def _roles(rules: Rules) -> Iterator[tuple[int, ...]]:
    saboteurs, miners = rules.role_table
    return permutations([SABOTEUR] * saboteurs + [MINER] * miners)


def _faces(rules: Rules) -> Iterator[tuple[int, ...]]:
    return permutations(range(1, len(rules.goal_cells) + 1))


def _cards(rules: Rules) -> Iterator[tuple[int, ...]]:
    held = rules.players * rules.hand_size
    cards = [kind for kind, copies in enumerate(rules.deck) for _ in range(copies)]
    for order in _orders(tuple(cards)):
        hands = (sorted(order[first : first + rules.hand_size]) for first in range(0, held, rules.hand_size))
        yield (*(card for hand in hands for card in hand), *order[held:])


def _orders(cards: Sequence[int]) -> Iterator[tuple[int, ...]]:
    # Equal cards are told apart by nobody: each order of kinds is as likely as every other.
    if not cards:
        yield ()
    for kind in sorted(set(cards)):
        left = list(cards)
        left.remove(kind)
        for rest in _orders(left):
            yield (kind, *rest)


def _dealt(rules: Rules, roles: Sequence[int], faces: Sequence[int], cards: Sequence[int]) -> Games:
    games, held = blank(), rules.players * rules.hand_size
    public, secret = games[0].public, games[0].secret
    rules.write(public.rules)
    start(games, np.uint64(0))
    for seat in range(rules.players):
        own = games[0].private[seat]
        hand = Counter(cards[seat * rules.hand_size : (seat + 1) * rules.hand_size])
        own.role = roles[seat]
        own.hand[:] = 0
        own.hand[list(hand)] = list(hand.values())
        own.kinds = sum(1 << kind for kind in hand)
    secret.aside = roles[rules.players] if rules.one_aside else -1
    secret.face[: len(faces)] = faces
    secret.deck[: len(cards) - held] = cards[held:][::-1]
    return games
