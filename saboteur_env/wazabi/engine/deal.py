"""The set-up of a game: hands and pile, dice, and who begins (Wazabi 2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.compiled.jit import ZERO, kernel
from ...core.prng import below, shuffle
from .cards import CARD, DIE, KINDS, WASABI
from .hands import DECK, START, gain, stream_of


@kernel
def deal(game: Any) -> None:
    """Shuffle the deck and deal the hands (2.2). Mutates: game."""
    public, pile = game.public, game.secret.pile
    public.discards[:] = 0
    pile[:] = 0
    size = 0
    for kind in range(len(KINDS)):
        for _ in range(public.rules.deck[kind]):
            pile[size] = kind
            size += 1
    shuffle(pile, size, stream_of(game, DECK, 0))
    for seat in range(public.rules.players):
        for _ in range(public.rules.cards):
            size -= 1
            gain(game, seat, np.int64(pile[size]))
            pile[size] = 0
    public.pile_count = size


@kernel
def first_seat(game: Any) -> int:
    """The seat that rolls most wasabi, those that are equal again and again (2.3), or the one that is set."""
    rules, random_key, counter = game.public.rules, stream_of(game, START, 0), ZERO
    if rules.first_seat >= 0:
        return np.int64(rules.first_seat)
    rolling = (1 << np.int64(rules.players)) - 1
    while rolling & (rolling - 1):
        most, best = -1, 0
        for seat in range(rules.players):
            if rolling >> seat & 1:
                shown = 0
                for _ in range(rules.dice):
                    face, counter = roll_die(rules, random_key, counter)
                    shown += face == WASABI
                best = best * (shown <= most) | (shown >= most) << seat
                most = max(most, shown)
        rolling = best
    first = 0
    while not rolling >> first & 1:
        first += 1
    return first


@kernel
def roll_die(rules: Any, random_key: np.uint64, counter: np.uint64) -> tuple[int, np.uint64]:
    """A face, and the counter to go on with."""
    wasabi, both = np.int64(rules.faces[WASABI]), np.int64(rules.faces[WASABI]) + np.int64(rules.faces[CARD])
    side, counter = below(random_key, counter, both + np.int64(rules.faces[DIE]))
    return np.int64(side >= wasabi) + np.int64(side >= both), counter
