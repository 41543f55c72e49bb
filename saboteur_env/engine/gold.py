"""Gold (Rules 6): the miners' picks, the saboteurs' exact change, and what each seat saw of it.

Every gold card taken is an entry of the public list (who, in which round) and of its owner's private
list: the value, and in a played draft the offer it was picked from, packed into one number::

    value | ones << 2 | twos << 6 | threes << 10        value 0: not yet picked

Offers add up: what is taken from one is subtracted.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.compiled.jit import kernel, separate
from .bitboard import count
from .cards import MINER, SABOTEUR
from .state import CHOOSE_GOLD, MINERS, NO_CHOICE, SABOTEURS, Private, State

MOST_SHARED = 9  # gold cards that the miners of a round draw at most
VALUE = 3  # the bits of an entry with the value; the others are the offer


@kernel
def cards_of(value: int, cards: int) -> int:
    """An offer of so many gold cards of one value, as kept in a private list."""
    return cards << 4 * value - 2


@kernel
def pack_offer(ones: int, twos: int, threes: int) -> int:
    """An offer as kept in a private list."""
    return cards_of(1, ones) | cards_of(2, twos) | cards_of(3, threes)


@kernel
def offered(entry: int, value: int) -> int:
    """How many gold cards of this value an offer holds."""
    return entry >> 4 * value - 2 & 15


@kernel
def nuggets(private: Private) -> int:
    """The sum of a seat's gold."""
    total = 0
    for i in range(private.gold_count):
        total += private.gold[i] & VALUE
    return total


@separate
def pay(game: State) -> None:
    """Share out the gold of a round that has a winner. Mutates: game.

    With the draft on, the round goes on until the last card is taken.
    """
    public, secret = game.public, game.secret
    if public.winner == MINERS:
        cards = cards_to_share(np.int64(public.rules.players), np.int64(public.gold_left))
        picker = next_picker(game, np.int64(public.last_seat) + 1)
        if picker < 0:
            for _ in range(cards):
                _put_under(game, _draw(game))
        else:
            secret.offer[:] = 0
            for _ in range(cards):
                secret.offer[_draw(game) - 1] += 1
            if public.rules.draft and cards > 0:
                _open_draft(game, picker)
                return
            while best_offered(game) > 0:
                pick(game, picker, best_offered(game))
                picker = next_picker(game, picker)
    elif public.winner == SABOTEURS:
        _pay_saboteurs(game)
    _close(game)


@kernel
def cards_to_share(players: int, left: int) -> int:
    """How many gold cards the miners draw from a deck with so many left (6.1)."""
    return min(MOST_SHARED, players, left)


@kernel
def nuggets_due(players: int, roles: int) -> int:
    """How many nuggets are due to each saboteur at the table (6.2). Roles as bits."""
    at_table = count(np.uint64(roles & (1 << players) - 1))
    return 4 if at_table == 1 else 3 if at_table <= 3 else 2


@kernel
def next_picker(game: State, seat: int) -> int:
    """The next miner counter-clockwise who may take gold, -1 if there is none (6.1, 6.4)."""
    public, players = game.public, np.int64(game.public.rules.players)
    for step in range(1, players + 1):
        other = (seat - step) % players
        barred = public.rules.broken_no_gold and public.broken[other]
        if game.private[other].role == MINER and not barred:
            return other
    return -1


@kernel
def best_offered(game: State) -> int:
    """The value of the best gold card still on offer, 0 for none."""
    for value in range(3, 0, -1):
        if game.secret.offer[value - 1]:
            return value
    return 0


@kernel
def pick(game: State, seat: int, value: int) -> None:
    """Take a card from the offer. Mutates: game."""
    game.secret.offer[value - 1] -= 1
    _give(game, seat, value)


@separate
def take(game: State, value: int) -> None:
    """A pick in a played draft, after which the next miner picks. Mutates: game."""
    seat = np.int64(game.public.seat)
    pick(game, seat, value)
    if best_offered(game):
        _open_draft(game, next_picker(game, seat))
    else:
        _close(game)


@kernel
def _open_draft(game: State, picker: int) -> None:
    public, private, offer = game.public, game.private[picker], game.secret.offer
    public.choice, public.seat = CHOOSE_GOLD, picker
    private.gold[private.gold_count] = pack_offer(np.int64(offer[0]), np.int64(offer[1]), np.int64(offer[2]))


@kernel
def _close(game: State) -> None:
    public = game.public
    public.over, public.choice, public.seat = 1, NO_CHOICE, public.last_seat
    past = public.past[public.round_number - 1]
    past.winner, past.roles = public.winner, public.roles
    past.first_seat, past.last_seat = public.first_seat, public.last_seat
    if public.round_number == public.rules.rounds:
        for seat in range(public.rules.players):
            public.nuggets[seat] = nuggets(game.private[seat])


@kernel
def _draw(game: State) -> int:
    return _remove(game, 0)


@kernel
def _remove(game: State, index: int) -> int:
    public, secret = game.public, game.secret
    value = np.int64(secret.gold_deck[index])
    public.gold_left -= 1
    for i in range(index, public.gold_left):
        secret.gold_deck[i] = secret.gold_deck[i + 1]
    secret.gold_deck[public.gold_left] = 0
    return value


@kernel
def _put_under(game: State, value: int) -> None:
    game.secret.gold_deck[game.public.gold_left] = value
    game.public.gold_left += 1


@kernel
def _give(game: State, seat: int, value: int) -> None:
    public, private = game.public, game.private[seat]
    private.gold[private.gold_count] |= value
    private.gold_count += 1
    public.gold_seat[public.gold_count], public.gold_round[public.gold_count] = seat, public.round_number
    public.gold_count += 1


@kernel
def _pay_saboteurs(game: State) -> None:
    # In seat order from the seat that will start the next round (6.2).
    public, players = game.public, np.int64(game.public.rules.players)
    due = nuggets_due(players, np.int64(public.roles))
    for step in range(1, players + 1):
        seat = (public.last_seat + step) % players
        if game.private[seat].role == SABOTEUR:
            short = _pay_exactly(game, seat, due)
            public.shortfall[seat] += short
            public.past[public.round_number - 1].shortfall[seat] = short


@kernel
def _pay_exactly(game: State, seat: int, due: int) -> int:
    # Draws nugget by nugget; what a full pass through the deck cannot give is settled by `settle`.
    public, private = game.public, game.private[seat]
    held, left, fruitless = np.int64(private.gold_count), due, 0
    while left > 0 and fruitless < public.gold_left:
        value = _draw(game)
        if value <= left:
            _give(game, seat, value)
            left -= value
            fruitless = 0
        else:
            _put_under(game, value)
            fruitless += 1
    if left == 0:
        return 0
    for i in range(held, private.gold_count):
        _put_under(game, np.int64(private.gold[i]))
        private.gold[i] = 0
        public.gold_count -= 1
        public.gold_seat[public.gold_count] = public.gold_round[public.gold_count] = 0
    private.gold_count = held
    return due - settle(game, seat, due)


@kernel
def settle(game: State, seat: int, due: int) -> int:
    """Give a seat what comes nearest to `due` nuggets; returns their sum. Mutates: game."""
    # Of all sets of cards the one with the largest sum not over `due`, then of the fewest cards, then
    # with the most threes; of each value the cards nearest the top.
    deck, size = game.secret.gold_deck, np.int64(game.public.gold_left)
    have = (count_value(deck, size, 1), count_value(deck, size, 2), count_value(deck, size, 3))
    best, best_set = -1, 0
    for threes in range(min(have[2], due // 3) + 1):
        for twos in range(min(have[1], (due - 3 * threes) // 2) + 1):
            ones = min(have[0], due - 3 * threes - 2 * twos)
            total = 3 * threes + 2 * twos + ones
            rank = (total * 8 - (ones + twos + threes)) * 8 + threes
            if rank > best:
                best, best_set = rank, pack_offer(ones, twos, threes)
    paid, index = 0, 0
    while index < game.public.gold_left:
        value = np.int64(deck[index])
        if offered(best_set, value):
            best_set -= cards_of(value, 1)
            _give(game, seat, _remove(game, index))
            paid += value
        else:
            index += 1
    return paid


@kernel
def count_value(deck: Any, size: int, value: int) -> int:
    """How many of the first `size` gold cards have this value."""
    total = 0
    for i in range(size):
        if deck[i] == value:
            total += 1
    return total
