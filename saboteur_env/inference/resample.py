"""A whole game sampled from one seat's view alone. The seat cannot tell it from the real one (Rules 2.2, 3.6, 3.7).

Roles, goals and cards are shuffles of what the seat has not seen; equal cards count as different cards. This is exact.
When a card was dealt, kept, discarded face down or left in the deck does not depend on what is printed on it. So every
arrangement of the unseen cards arises in equally many ways. Gold depends on what is printed, so it has its own module
(gold_history.py).

The play of the others is not weighed: a seat that broke tools is not more likely a saboteur. To include it, sample the
roles and the position of the treasure first, and fill in the rest (`resample_in`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import prng
from ..core.compiled.jit import ONE, ZERO, kernel, separate
from ..core.compiled.memory import copy_record
from ..engine.bitboard import count, lowest
from ..engine.cards import FIRST_BREAK, GOLD_CARDS, KIND_OF_ORIENTATION, KINDS, TOOLS, TREASURE, UNKNOWN
from ..engine.legal import path_cards
from ..engine.state import (
    ASIDE,
    MAX_DECK,
    MAX_DISCARDS,
    MAX_GOALS,
    MAX_PLAYERS,
    RUNNING,
    Games,
    InfoState,
    Private,
    Public,
    State,
    blank,
    known_face,
)
from ..engine.tunnels import orientation_at
from .gold_history import guess_gold
from .worlds import ANY, treasure_goals


def resampled(known: InfoState, seed: int, roles: int = ANY, treasure: int = ANY) -> Games:
    """The record of a whole game, from what a seat knows.

    Args:
        seed: whole number from 0 below 2**64.
        roles, treasure: as in `resample_in`.
    """
    games = blank()
    resample_in(known, roles, treasure, games[0], np.uint64(seed))
    return games


@kernel
def resample(known: InfoState, game: State, seed: np.uint64) -> None:
    """Fill a whole game that this seat cannot tell from the real one, evenly over the deals that fit.

    Args:
        game: a STATE record, blank or used.
        seed: settles everything the seat does not know, and the chance of the rounds to come.

    Mutates: game. Requires: `known` is not of this game.
    """
    resample_in(known, ANY, ANY, game, seed)


@separate
def resample_in(known: InfoState, roles: int, treasure: int, game: State, seed: np.uint64) -> None:
    """Fill a whole game as `resample` does, evenly over the deals with these roles and this treasure.

    Args:
        roles: the saboteurs as bits, bit 10 for the dwarf aside (worlds.py), or ANY.
        treasure: the goal that it lies at, or ANY.

    Mutates: game. Requires: as `resample`; roles and treasure fit what the seat knows.
    """
    seat, random_key = known.seat, prng.key(seed, prng.RESAMPLED, 0)
    copy_record(game.public, known.public)
    for other in range(MAX_PLAYERS):
        _forget(game.private[other])
    guess_gold(game, known, prng.key(random_key, 0, prng.GOLD))
    game.secret.seed = prng.key(random_key, 0, prng.FRESH)
    copy_record(game.public, known.public)
    copy_record(game.private[seat], known.private)
    _guess_roles(game, seat, roles, prng.key(random_key, 0, prng.DEAL_ROLES))
    _guess_goals(game, seat, treasure, prng.key(random_key, 0, prng.GOALS))
    _guess_cards(game, seat, prng.key(random_key, 0, prng.DECK))


@kernel
def _forget(private: Private) -> None:
    private.role = private.kinds = private.discard_count = private.gold_count = 0
    for i in range(len(KINDS)):
        private.hand[i] = 0
    for i in range(MAX_GOALS):
        private.face[i] = 0
    for i in range(MAX_DISCARDS):
        private.discards[i] = 0
    for i in range(GOLD_CARDS):
        private.gold[i] = 0


@kernel
def _guess_roles(game: State, seat: int, roles: int, random_key: np.uint64) -> None:
    # The pool without the own role, dealt to the others and aside (2.1); open once the round has a winner (2.2).
    public, private, counter = game.public, game.private, ZERO
    known = np.int64(public.roles) if public.winner != RUNNING else roles
    saboteurs = np.int64(public.rules.saboteurs) - np.int64(private[seat].role)
    left = np.int64(public.rules.saboteurs) + np.int64(public.rules.miners) - 1
    for other in range(public.rules.players):
        if known != ANY:
            private[other].role = known >> other & 1
        elif other != seat:
            pick, counter = prng.below(random_key, counter, left)
            private[other].role = pick < saboteurs
            saboteurs -= pick < saboteurs
        left -= other != seat
    aside = saboteurs if known == ANY else known >> ASIDE & 1
    game.secret.aside = aside if left > 0 else -1


@kernel
def _guess_goals(game: State, seat: int, treasure: int, random_key: np.uint64) -> None:
    public, private, face = game.public, game.private[seat], game.secret.face
    unknown, left, counter = 0, 0, ZERO
    for goal in range(MAX_GOALS):
        face[goal] = known_face(public, private, goal)
    for goal in range(public.rules.goals):
        unknown |= (face[goal] == UNKNOWN) << goal
        left |= 1 << (goal + 1)
    for goal in range(public.rules.goals):
        left &= ~(1 << np.int64(face[goal]))
    for shown in range(TREASURE, public.rules.goals + 1):
        if left >> shown & 1:
            indices = unknown
            if shown == TREASURE:
                indices = treasure_goals(InfoState(public, private, seat)) if treasure == ANY else 1 << treasure
            pick, counter = prng.below(random_key, counter, count(np.uint64(indices)))
            for _ in range(pick):
                indices &= indices - 1
            goal = lowest(np.uint64(indices))
            face[goal] = shown
            unknown &= ~(1 << goal)
    for other in range(public.rules.players):
        if other != seat:
            for goal in range(public.rules.goals):
                if public.maps[other] >> goal & 1:
                    game.private[other].face[goal] = face[goal]


@kernel
def _guess_cards(game: State, seat: int, random_key: np.uint64) -> None:
    public, deck = game.public, game.secret.deck
    rest = game.private[(seat + 1) % np.int64(public.rules.players)].hand  # gathers all unseen cards at first
    count_unseen(public, rest)
    _leave_out_own(game.private[seat], rest)
    size = 0
    for kind in range(len(KINDS)):
        for _ in range(rest[kind]):
            deck[size] = kind
            size += 1
        rest[kind] = 0
    for i in range(size, MAX_DECK):
        deck[i] = 0
    prng.shuffle(deck, size, random_key)
    for other in range(public.rules.players):
        if other == seat:
            continue
        private = game.private[other]
        for _ in range(public.hand_count[other]):
            size -= 1
            private.hand[deck[size]] += 1
            private.kinds |= 1 << np.int64(deck[size])
            deck[size] = 0
        for i in range(public.hidden[other]):
            size -= 1
            private.discards[i] = deck[size]
            deck[size] = 0
        private.discard_count = public.hidden[other]


@kernel
def count_unseen(public: Public, rest: Any) -> None:
    """Count the cards of each kind that are in hands, face-down discards or the deck. Mutates: rest, int[27]."""
    for kind in range(len(KINDS)):
        rest[kind] = public.rules.deck[kind] - public.played[kind]
    for seat in range(public.rules.players):
        for tool in range(len(TOOLS)):
            rest[FIRST_BREAK + tool] -= public.broken[seat] >> tool & 1
    for row in range(np.int64(public.low), np.int64(public.high) + 1):
        left = path_cards(public, row)
        while left != ZERO:
            rest[KIND_OF_ORIENTATION[orientation_at(public.board, row << 6 | lowest(left))]] -= 1
            left &= left - ONE


@kernel
def _leave_out_own(private: Private, rest: Any) -> None:
    for kind in range(len(KINDS)):
        rest[kind] -= private.hand[kind]
    for i in range(private.discard_count):
        rest[private.discards[i]] -= 1
