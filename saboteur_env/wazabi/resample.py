"""A whole game sampled from one seat's view alone. The seat cannot tell it from the real one (Wazabi 5.5).

The cards that the seat does not know are shuffled and dealt to the gaps in the other hands and to the pile. Each other
seat knows as many cards of each hand as all seats can derive that it knows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.compiled.jit import ZERO, kernel
from ..core.compiled.memory import copy_record
from ..core.prng import RESAMPLED, below, key, shuffle
from .engine.cards import KINDS
from .engine.hands import unseen
from .engine.state import MAX_DECK, Games, blank

CARDS, MINDS, FRESH = range(65, 68)  # purposes, apart from those of play


def resampled(public: Any, private: Any, seat: int, seed: int) -> Games:
    """The record of a whole game, from the two records of a view.

    Args:
        seed: whole number from 0 below 2**64.
    """
    games = blank()
    resample(public, private, seat, games[0], np.uint64(seed))
    return games


@kernel
def resample(public: Any, private: Any, seat: int, game: Any, seed: np.uint64) -> None:
    """Fill a whole game that this seat cannot tell from the real one, evenly over the deals that fit its view.

    Args:
        public, private: what `seat` knows: the `PUBLIC` record and its own `PRIVATE` one.
        game: a blank STATE record.
        seed: settles everything the seat does not know, and the chance to come.

    Mutates: game.
    """
    copy_record(game.public, public)
    game.secret.seed = key(seed, RESAMPLED, FRESH)
    _deal_unseen(game, private, key(seed, RESAMPLED, CARDS))
    counter, random_key = ZERO, key(seed, RESAMPLED, MINDS)
    for who in range(public.rules.players):
        for whose in range(public.rules.players):
            counter = _learn(game, who, whose, random_key, counter)
    copy_record(game.private[seat], private)


@kernel
def _deal_unseen(game: Any, private: Any, random_key: np.uint64) -> None:
    public, pile, hands, size = game.public, game.secret.pile, game.secret.hands, 0
    for kind in range(len(KINDS)):
        for _ in range(unseen(public, private, kind)):
            pile[size] = kind
            size += 1
    shuffle(pile, size, random_key)
    for seat in range(public.rules.players):
        gaps = np.int64(public.hand_count[seat])
        for kind in range(len(KINDS)):
            hands[seat, kind] = private.known[seat, kind]
            gaps -= np.int64(private.known[seat, kind])
        for _ in range(gaps):
            size -= 1
            hands[seat, pile[size]] += 1
    pile[size:MAX_DECK] = 0


@kernel
def _learn(game: Any, who: int, whose: int, random_key: np.uint64, counter: np.uint64) -> np.uint64:
    # A random part of a hand, as large as is known to all.
    known, hand = game.private[who].known[whose], game.secret.hands[whose]
    left = np.int64(game.public.hand_count[whose])
    for _ in range(game.public.sure[who, whose]):
        pick, counter = below(random_key, counter, left)
        kind = 0
        while pick >= hand[kind] - known[kind]:
            pick -= np.int64(hand[kind]) - np.int64(known[kind])
            kind += 1
        known[kind] += 1
        left -= 1
    return counter
