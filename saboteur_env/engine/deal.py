"""Dealing: roles, goals, hands and deck of a round (Rules 2), keyed by seed, round and purpose."""

from __future__ import annotations

import numpy as np

from ..core import prng
from ..core.compiled.jit import ZERO, kernel, separate
from .bitboard import START, bit
from .cards import ALL_SIDES, GOLD_COPIES, KINDS, MINER, SABOTEUR
from .state import BLOCKED, CONNECTED, MAX_PLAYERS, MAX_ROUNDS, NO_CHOICE, PLANES, RUNNING, Public, State
from .tunnels import put


@separate
def start_match(game: State, seed: np.uint64) -> None:
    """Shuffle the gold, draw the first seat (2.5) and deal the first round.

    Mutates: game. Requires: a record with its rules filled in, blank or used.
    """
    public, secret = game.public, game.secret
    secret.seed = seed
    _clear_gold(game)
    size = 0
    for value in range(3):
        for _ in range(GOLD_COPIES[value]):
            secret.gold_deck[size] = value + 1
            size += 1
    public.gold_left = size
    prng.shuffle(secret.gold_deck, size, prng.key(seed, 0, prng.GOLD))
    first = np.int64(public.rules.first_seat)
    if first < 0:
        first = prng.below(prng.key(seed, 0, prng.FIRST_SEAT), ZERO, np.int64(public.rules.players))[0]
    public.round_number = 1
    deal_round(game, first)


@kernel
def _clear_gold(game: State) -> None:
    public = game.public
    public.gold_count = 0
    public.gold_seat[:] = 0
    public.gold_round[:] = 0
    public.shortfall[:] = 0
    public.nuggets[:] = 0
    for i in range(MAX_ROUNDS):
        past = public.past[i]
        past.winner = past.first_seat = past.last_seat = past.roles = 0
        past.shortfall[:] = 0
    for seat in range(MAX_PLAYERS):
        game.private[seat].gold_count = 0
        game.private[seat].gold[:] = 0


@separate
def deal_round(game: State, first_seat: int) -> None:
    """Shuffle and deal everything but the gold (Rules 7). Mutates: game. Requires: `public.round_number` is set."""
    public = game.public
    _clear(game)
    public.first_seat = public.seat = first_seat
    public.last_seat = (first_seat - 1) % np.int64(public.rules.players)
    lay_start(public)
    _deal_roles(game)
    _deal_goals(game)
    _deal_cards(game)


@kernel
def lay_start(public: Public) -> None:
    """A mine with nothing but the start and the goals face down (2.3). Mutates: public."""
    for plane in range(PLANES):
        public.board[:, plane] = ZERO
    put(public.board, START, ALL_SIDES)
    public.board[START >> 6, CONNECTED] = bit(START & 63)
    public.low = public.high = START >> 6
    for goal in range(public.rules.goals):
        cell = np.int64(public.rules.goal_cell[goal])
        public.board[cell >> 6, BLOCKED] |= bit(cell & 63)


@kernel
def _clear(game: State) -> None:
    public = game.public
    public.event_count = public.last_cell = public.passes = public.roles = public.over = 0
    public.winner, public.choice = RUNNING, NO_CHOICE
    public.choice_goals = public.declined = public.before = 0
    public.events[:] = 0
    public.goal_face[:] = 0
    public.broken[:] = 0
    public.maps[:] = 0
    public.hidden[:] = 0
    public.played[:] = 0
    public.hand_count[:] = 0
    for seat in range(MAX_PLAYERS):
        private = game.private[seat]
        private.kinds = private.discard_count = private.role = 0
        private.hand[:] = 0
        private.face[:] = 0
        private.discards[:] = 0


@kernel
def _deal_roles(game: State) -> None:
    rules, secret = game.public.rules, game.secret
    random_key, counter = prng.key(secret.seed, np.int64(game.public.round_number), prng.DEAL_ROLES), ZERO
    saboteurs, left = np.int64(rules.saboteurs), np.int64(rules.saboteurs) + np.int64(rules.miners)
    secret.aside = -1
    while left > 0:
        pick, counter = prng.below(random_key, counter, left)
        role = SABOTEUR if pick < saboteurs else MINER
        seat = np.int64(rules.saboteurs) + np.int64(rules.miners) - left
        saboteurs -= role
        left -= 1
        if seat < rules.players:
            game.private[seat].role = role
        else:
            secret.aside = role


@kernel
def _deal_goals(game: State) -> None:
    secret, goals = game.secret, np.int64(game.public.rules.goals)
    for goal in range(goals):
        secret.face[goal] = goal + 1
    prng.shuffle(secret.face, goals, prng.key(secret.seed, np.int64(game.public.round_number), prng.GOALS))


@kernel
def _deal_cards(game: State) -> None:
    public, secret = game.public, game.secret
    size = 0
    for kind in range(len(KINDS)):
        for _ in range(public.rules.deck[kind]):
            secret.deck[size] = kind
            size += 1
    prng.shuffle(secret.deck, size, prng.key(secret.seed, np.int64(public.round_number), prng.DECK))
    public.deck_count = size
    for seat in range(public.rules.players):
        for _ in range(public.rules.hand_size):
            draw(game, seat)


@kernel
def draw(game: State, seat: int) -> None:
    """Draw the top card of the deck, if there is one. Mutates: game."""
    public, private = game.public, game.private[seat]
    if public.deck_count > 0:
        public.deck_count -= 1
        kind = np.int64(game.secret.deck[public.deck_count])
        game.secret.deck[public.deck_count] = 0
        private.hand[kind] += 1
        private.kinds |= 1 << kind
        public.hand_count[seat] += 1
