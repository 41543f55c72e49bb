"""The gold of past rounds as one seat may imagine it, and what that leaves for the gold deck (Rules 6.5).

A payment tells more than who took how many cards: of a saboteur the sum, of the own gold the values, in a
draft the offers seen. So the payments are played again, from a gold deck whose cards are seen only as they are
drawn. Each is drawn as if every card were laid back, each payment is drawn again until it fits what the seat
knows, and the whole is kept as often as a deck without laying back makes it likelier. That is rejection
sampling (von Neumann, "Various techniques used in connection with random digits", 1951): exact.

Once the deck may have come round to the cards that were put under it, a payment cannot be drawn again by
itself, and the whole starts anew. What fits too rarely is met by halves, in two steps:

- after `TRIES` failures the order under the deck is forgotten: a card too large for a saboteur is shuffled
  back. Numbers of cards, sums, sorted picks and everything the seat saw are kept.
- after `TRIES` more only the number of each seat's cards, its own values and the final sums are kept.

Meanwhile the record that is filled is scratch: `secret.seed` counts off the chance, `public.gold_count` the
picks that are placed, and `secret.aside` the cards that went under the deck, which lie first in `gold_deck`,
0 where unseen. All cards above them are unseen.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np

from . import chance
from .bitboard import count
from .cards import GOLD_CARDS, GOLD_COPIES
from .gold import _settle, nuggets, offered, pack_offer
from .jit import ZERO, kernel
from .state import CHOOSE_GOLD, MAX_PLAYERS, MINERS, SABOTEURS

TRIES = 20_000  # of a whole history, at each step
RETRIES = 4_000  # of one payment

# How a payment is drawn: once, from a deck that may come round; again until it fits, from one that cannot;
# again until it fits, with what is too large shuffled back.
ONCE, UNTIL_FIT, LOOSELY = range(3)
LARGE = sum(GOLD_COPIES[1:])  # more can never lie under the deck for being too large: a one never is


def _ratio(seen: Sequence[int]) -> float:
    each = [(copies - i) / copies for n, copies in zip(seen, GOLD_COPIES, strict=True) for i in range(n)]
    return prod(each) / prod((GOLD_CARDS - i) / GOLD_CARDS for i in range(sum(seen)))


# RATIO[n1, n2, n3]: how much likelier so many cards of each value are drawn without laying back than with;
# BOUND[n]: the largest ratio of at most n cards.
RATIO = np.zeros([copies + 1 for copies in GOLD_COPIES])
BOUND = np.zeros(GOLD_CARDS + 1)
for _seen in product(*(range(copies + 1) for copies in GOLD_COPIES)):
    RATIO[_seen] = _ratio(_seen)
    BOUND[sum(_seen) :] = np.maximum(BOUND[sum(_seen) :], RATIO[_seen])


@kernel
def guess_gold(game: Any, public: Any, own: Any, seat: int, stream: np.uint64) -> None:
    """Fill in the gold of all seats, the offer and the gold deck, evenly over what fits the view.

    Args:
        public, own: the records of the view of `seat`.

    Mutates: game, also where it says nothing of gold. Requires: `game.public` is a copy of `public`.
    """
    game.secret.seed = stream
    picks, large = GOLD_CARDS - np.int64(public.gold_left), 0
    for i in range(public.rules.rounds):
        if public.past[i].winner == SABOTEURS:
            large = LARGE
    for step in range(3):
        bound = BOUND[min(GOLD_CARDS, picks + (large if step == 0 else 0))]
        for _ in range(TRIES if picks > 0 else 1):
            game.public.gold_left, game.public.gold_count, game.secret.aside = GOLD_CARDS, 0, 0
            for i in range(3):
                game.secret.offer[i] = 0
            for other in range(MAX_PLAYERS):
                game.private[other].gold_count = 0
            fits = _play_again(game, public, own, seat, step == 0) if step < 2 else _by_seat(game, public, own, seat)
            if fits and _weigh(game) > bound * _lot(game, 1 << 30) / (1 << 30) and _adds_up(game, public):
                _lay_deck(game)
                _show_offers(game, public)
                return


@kernel
def _lot(game: Any, bound: int) -> int:
    pick, used = chance.below(game.secret.seed, ZERO, bound)
    game.secret.seed += used * chance.GOLDEN
    return pick


@kernel
def _play_again(game: Any, public: Any, own: Any, seat: int, exact: bool) -> bool:
    # Pay all rounds again; whether that fits what the seat knows.
    waiting = GOLD_CARDS - np.int64(public.gold_count) - np.int64(public.gold_left)
    moved, large, end = 0, 0, 0
    for number in range(np.int64(public.round_number) + 1):
        start, picking = end, number == public.round_number and public.choice == CHOOSE_GOLD
        while end < public.gold_count and public.gold_round[end] == number:
            end += 1
        winner = np.int64(public.past[number - 1].winner) if number > 0 else 0
        large = LARGE if winner == SABOTEURS else large
        mode = UNTIL_FIT if end + waiting + moved + large <= GOLD_CARDS else ONCE
        mode = mode if exact else LOOSELY
        fits = True
        if picking or (start < end and (winner == MINERS or is_drafted(public, number))):
            fits = _pay_miners(game, public, own, seat, number, end + (waiting if picking else 0), end, mode)
        elif winner == MINERS and exact:
            moved += _put_under(game, min(9, np.int64(public.rules.players), np.int64(game.public.gold_left)))
        elif winner == SABOTEURS:
            fits = _pay_saboteurs(game, public, own, seat, number, end, mode)
        else:
            fits = _hand_out(game, public, own, seat, end)
        if not fits:
            return False
    return end == public.gold_count


@kernel
def is_drafted(public: Any, number: int) -> bool:
    """Whether the gold of a round was picked as moves, or is now."""
    winner = np.int64(public.past[number - 1].winner) if number > 0 else SABOTEURS
    return public.rules.draft and (winner == MINERS or winner == 0)


@kernel
def _draw(game: Any) -> int:
    # The value of the top card, as if every unseen one were laid back.
    public, secret, value = game.public, game.secret, 0
    public.gold_left -= 1
    if public.gold_left < secret.aside:
        value = np.int64(secret.gold_deck[0])
        secret.aside -= 1
        for i in range(secret.aside):
            secret.gold_deck[i] = secret.gold_deck[i + 1]
    if value == 0:
        pick = _lot(game, GOLD_CARDS)
        value = 1 if pick < GOLD_COPIES[0] else 2 if pick < GOLD_CARDS - GOLD_COPIES[2] else 3
    return value


@kernel
def _put_under(game: Any, cards: int) -> int:
    # The top cards go under the deck unseen (6.4).
    public, secret = game.public, game.secret
    for _ in range(cards):
        top = 0
        if public.gold_left == secret.aside:
            top = np.int64(secret.gold_deck[0])
            for i in range(public.gold_left - 1):
                secret.gold_deck[i] = secret.gold_deck[i + 1]
            secret.aside -= 1
        secret.gold_deck[secret.aside] = top
        secret.aside += 1
    return cards


@kernel
def _hand_out(game: Any, public: Any, own: Any, seat: int, end: int) -> bool:
    # Cards of which nothing is remembered but who took them.
    for place in range(game.public.gold_count, end):
        taker = np.int64(public.gold_seat[place])
        if game.public.gold_left <= game.secret.aside:
            return False
        value = _draw(game)
        dwarf = game.private[taker]
        dwarf.gold[dwarf.gold_count] = own.gold[dwarf.gold_count] & 3 if taker == seat else value
        dwarf.gold_count += 1
    game.public.gold_count = end
    return True


@kernel
def _pay_saboteurs(game: Any, public: Any, own: Any, seat: int, number: int, end: int, mode: int) -> bool:
    # A round that the saboteurs won (6.2): all know who took how many cards and what they add up to.
    past, players = public.past[number - 1], np.int64(public.rules.players)
    at_table = count(np.uint64(np.int64(past.roles) & (1 << players) - 1))
    due = 4 if at_table == 1 else 3 if at_table <= 3 else 2
    for step in range(1, players + 1):
        taker = (np.int64(past.last_seat) + step) % players
        if past.roles >> taker & 1:
            place = start = np.int64(game.public.gold_count)
            while place < end and public.gold_seat[place] == taker:
                place += 1
            paid = due - np.int64(past.shortfall[taker])
            if not _pay(game, own, taker == seat, taker, due, paid, place - start, mode):
                return False
            game.public.gold_count = place
    return game.public.gold_count == end


@kernel
def _pay(game: Any, own: Any, is_own: bool, taker: int, due: int, paid: int, cards: int, mode: int) -> bool:
    # One saboteur's nuggets, in that many cards; only settling (6.2) can pay less than is due.
    dwarf, left, under = game.private[taker], np.int64(game.public.gold_left), np.int64(game.secret.aside)
    held = np.int64(dwarf.gold_count)
    for _ in range(1 if mode == ONCE else RETRIES):
        if not _pay_exactly(game, taker, paid if mode == LOOSELY else due, mode):
            return False
        total, fits = 0, dwarf.gold_count == held + cards
        for i in range(held, dwarf.gold_count):
            total += dwarf.gold[i]
            fits = fits and not (is_own and dwarf.gold[i] != own.gold[i] & 3)
        if fits and total == paid:
            return True
        dwarf.gold_count, game.public.gold_left, game.secret.aside = held, left, under
    return False


@kernel
def _pay_exactly(game: Any, taker: int, due: int, mode: int) -> bool:
    # As in gold.py, from unseen cards; False where the deck came round and must not.
    public, secret, dwarf = game.public, game.secret, game.private[taker]
    held, left, fruitless = np.int64(dwarf.gold_count), due, 0
    while left > 0 and fruitless < public.gold_left:
        if mode == UNTIL_FIT and public.gold_left == secret.aside:
            return False
        value = _draw(game)
        if value <= left:
            dwarf.gold[dwarf.gold_count] = value
            dwarf.gold_count += 1
            left -= value
            fruitless = 0
        else:
            public.gold_left += 1
            if mode != LOOSELY:
                secret.gold_deck[secret.aside] = value
                secret.aside += 1
                fruitless += 1
    if left > 0 and mode == ONCE:
        for i in range(held, dwarf.gold_count):
            secret.gold_deck[public.gold_left] = dwarf.gold[i]
            dwarf.gold[i] = 0
            public.gold_left += 1
        for i in range(dwarf.gold_count, GOLD_CARDS):
            dwarf.gold[i] = 0
        dwarf.gold_count = held
        _settle(game, taker, due)
        secret.aside = public.gold_left
    return True


@kernel
def _pay_miners(game: Any, public: Any, own: Any, seat: int, number: int, drawn: int, end: int, mode: int) -> bool:
    # A round that the miners won (6.1), from whose cards `drawn - end` are still on offer.
    start, left = np.int64(game.public.gold_count), np.int64(game.public.gold_left)
    room = left if mode == ONCE else left - np.int64(game.secret.aside)
    if drawn - start > min(room, 9):
        return False
    held = np.int64(game.private[seat].gold_count)
    entries = held + (1 if drawn > end and public.seat == seat else 0)
    for place in range(start, end):
        entries += public.gold_seat[place] == seat
    drafted = is_drafted(public, number)
    known = np.int64(own.gold[held]) & ~3 if drafted and mode != ONCE and held < entries else 0
    for _ in range(1 if mode == ONCE else RETRIES):
        pool = known
        for _ in range(drawn - start - cards_in(known)):
            pool += 1 << (4 * _draw(game) - 2)
        game.public.gold_left = left - (drawn - start)
        if _share_out(game, public, own, seat, end, entries, pool, drafted, mode != ONCE):
            return True
        for place in range(start, game.public.gold_count):
            game.private[public.gold_seat[place]].gold_count -= 1
        game.public.gold_count = start
    return False


@kernel
def cards_in(pool: int) -> int:
    """How many gold cards an offer holds."""
    return offered(pool, 1) + offered(pool, 2) + offered(pool, 3)


@kernel
def _share_out(
    game: Any, public: Any, own: Any, seat: int, end: int, entries: int, pool: int, drafted: bool, steer: bool
) -> bool:
    # The best card first or (drafted) any; `steer`: none that `seat` saw on offer later.
    for place in range(game.public.gold_count, end):
        taker, mine = np.int64(public.gold_seat[place]), np.int64(game.private[seat].gold_count)
        value = 3 if offered(pool, 3) else 2 if offered(pool, 2) else 1
        if taker == seat:
            value = np.int64(own.gold[mine]) & 3 if drafted else value
            if own.gold[mine] != (value | pool if drafted else value):
                return False
        elif drafted:
            free = pool - (np.int64(own.gold[mine]) & ~3 if steer and mine < entries else 0)
            if cards_in(free) <= 0:
                return False
            pick = _lot(game, cards_in(free))
            ones, twos = offered(free, 1), offered(free, 2)
            value = 1 if pick < ones else 2 if pick < ones + twos else 3
        dwarf = game.private[taker]
        dwarf.gold[dwarf.gold_count] = value
        dwarf.gold_count += 1
        game.public.gold_count += 1
        pool -= 1 << (4 * value - 2)
    for value in range(1, 4):
        game.secret.offer[value - 1] = offered(pool, value)
    mine = np.int64(game.private[seat].gold_count)
    return mine == entries or own.gold[mine] == pool


@kernel
def _by_seat(game: Any, public: Any, own: Any, seat: int) -> bool:
    # As many cards for each seat as it took, adding up to its nuggets where those are known.
    for place in range(public.gold_count):
        game.private[public.gold_seat[place]].gold_count += 1
    for other in range(public.rules.players):
        dwarf = game.private[other]
        for _ in range(RETRIES):
            for i in range(dwarf.gold_count):
                dwarf.gold[i] = own.gold[i] & 3 if other == seat else _draw(game)
            game.public.gold_left = GOLD_CARDS
            if other == seat or not _is_told(public) or nuggets(dwarf) == public.nuggets[other]:
                break
    pending = np.int64(own.gold[own.gold_count]) if public.choice == CHOOSE_GOLD and public.seat == seat else 0
    for value in range(1, 4):
        game.secret.offer[value - 1] = offered(pending, value)
    for _ in range(GOLD_CARDS - np.int64(public.gold_count) - np.int64(public.gold_left) - cards_in(pending)):
        game.secret.offer[_draw(game) - 1] += 1
    game.public.gold_left = public.gold_left
    return True


@kernel
def _is_told(public: Any) -> bool:
    # At the end of the match all sums are public.
    return public.over and public.round_number == public.rules.rounds


@kernel
def _adds_up(game: Any, public: Any) -> bool:
    if _is_told(public):
        for seat in range(public.rules.players):
            if nuggets(game.private[seat]) != public.nuggets[seat]:
                return False
    return True


@kernel
def _count_seen(game: Any, value: int) -> int:
    # The cards of a value that the history has shown: on offer, under the deck, taken.
    seen = np.int64(game.secret.offer[value - 1])
    for i in range(game.secret.aside):
        seen += game.secret.gold_deck[i] == value
    for seat in range(MAX_PLAYERS):
        dwarf = game.private[seat]
        for i in range(dwarf.gold_count):
            seen += dwarf.gold[i] & 3 == value
    return seen


@kernel
def _weigh(game: Any) -> float:
    # How much likelier the cards seen are without laying back than with.
    ones, twos, threes = _count_seen(game, 1), _count_seen(game, 2), _count_seen(game, 3)
    if ones > GOLD_COPIES[0] or twos > GOLD_COPIES[1] or threes > GOLD_COPIES[2]:
        return 0.0
    return RATIO[ones, twos, threes]


@kernel
def _lay_deck(game: Any) -> None:
    # What is left of each value goes where the deck is unseen.
    deck, size, known = game.secret.gold_deck, np.int64(game.public.gold_left), np.int64(game.secret.aside)
    ones, twos = GOLD_COPIES[0] - _count_seen(game, 1), GOLD_COPIES[1] - _count_seen(game, 2)
    threes = GOLD_COPIES[2] - _count_seen(game, 3)
    for i in range(GOLD_CARDS - 1, -1, -1):
        deck[i] = deck[i - size + known] if size - known <= i < size else 0
    for i in range(size):
        if deck[i] == 0:
            pick = _lot(game, max(1, ones + twos + threes))
            deck[i] = 1 if pick < ones else 2 if pick < ones + twos else 3
            ones -= deck[i] == 1
            twos -= deck[i] == 2
            threes -= deck[i] == 3


@kernel
def _show_offers(game: Any, public: Any) -> None:
    # In a draft each seat remembers the offer of each of its picks.
    private, offer = game.private, game.secret.offer
    pool = pack_offer(np.int64(offer[0]), np.int64(offer[1]), np.int64(offer[2]))
    number = np.int64(public.round_number)
    for seat in range(MAX_PLAYERS):
        for i in range(private[seat].gold_count, GOLD_CARDS):
            private[seat].gold[i] = 0
    if public.choice == CHOOSE_GOLD:
        private[public.seat].gold[private[public.seat].gold_count] = pool
    for place in range(np.int64(public.gold_count) - 1, -1, -1):
        if public.gold_round[place] != number:
            number, pool = np.int64(public.gold_round[place]), 0
        taker = private[public.gold_seat[place]]
        taker.gold_count -= 1
        value = np.int64(taker.gold[taker.gold_count]) & 3
        pool += 1 << (4 * value - 2)
        taker.gold[taker.gold_count] = value | pool if is_drafted(public, number) else value
    for place in range(public.gold_count):
        private[public.gold_seat[place]].gold_count += 1
