"""The gold of past rounds, sampled from the view of one seat (Rules 6.5).

A payment reveals more than the number of cards each seat took: the sum of a saboteur, the values of the seat's own
gold, and in a draft the offers it saw. So the payments are simulated, from a deck whose cards are revealed only as they
are drawn (unseen_gold.py). Each payment is repeated until it agrees with what the seat knows. The whole is then
accepted with a probability proportional to its likelihood ratio. This is rejection sampling (von Neumann, "Various
techniques used in connection with random digits", 1951), and it is exact. Once the deck may have reached the cards that
went under it, a contradiction rejects the whole, and the simulation starts again.

If rejection sampling fails too often, the constraints are relaxed in two steps. Matches of three rounds hardly ever
need it before the very end, when all sums are public; matches of ten rounds do in a few cases of a hundred. The
seat's own records stay as they are.

- After `TRIES` failures, or `HARD` of the dearest, the order under the deck is forgotten: a card too large for a
  saboteur is shuffled back. Numbers of cards, sums, sorted picks and everything the seat saw are kept.
- After as many more only the number of each seat's cards, its own values and the final sums are kept.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.compiled.jit import kernel, separate
from ..engine.cards import GOLD_CARDS, GOLD_COPIES
from ..engine.gold import MOST_SHARED, VALUE, cards_of, cards_to_share, nuggets, nuggets_due, offered, settle
from ..engine.state import CHOOSE_GOLD, MINERS, RUNNING, SABOTEURS, InfoState, Public, State
from .unseen_gold import (
    BOUND,
    GOLD_SEARCH,
    GoldSearch,
    draw,
    is_drafted,
    lay_deck,
    likelihood_ratio,
    put_under,
    random_below,
    show_offers,
    shuffle_all,
)

TRIES = 20_000  # of a whole history, at each step
RETRIES = 4_000  # of one payment
HARD = 50  # histories with a payment that no retry made fit: past these a step is given up

# How a payment is made: once, from a deck that may come round; again until it fits, from one that cannot;
# again until it fits, with what is too large shuffled back.
ONCE, UNTIL_FIT, LOOSELY = range(3)
LARGE = sum(GOLD_COPIES[1:])  # cards that can be too large for a saboteur
FAILED, HOPELESS = -1, -2  # once; for all retries


@separate
def guess_gold(game: State, known: InfoState, random_key: np.uint64) -> int:
    """Fill in the gold of all seats, the offer and the gold deck, evenly over what fits what a seat knows.

    Returns: how many histories failed before; from `TRIES` on, what was found is no longer exact.

    Mutates: the gold in game. Requires: `game.public` is a copy of `known.public`.
    """
    searches = np.zeros(1, GOLD_SEARCH)  # a few words for a whole game: the one room that a kernel makes for itself
    searches[0].random_key = random_key
    return _guess(game, known, searches)


@kernel
def _guess(game: State, known: InfoState, searches: Any) -> int:
    # The room comes as an array, which the caller holds: a record alone does not keep its memory.
    search, public = searches[0], known.public
    seen, large = GOLD_CARDS - np.int64(public.gold_left), 0
    for i in range(public.rules.rounds):
        if public.past[i].winner == SABOTEURS:
            large = LARGE
    for step in range(3):
        bound, hard = BOUND[min(GOLD_CARDS, seen + (large if step == 0 else 0))], 0
        for failed in range(TRIES):
            shuffle_all(game, search)
            result = _pay_again(game, known, search, step == 0) if step < 2 else _by_seat(game, known, search)
            hard += result == HOPELESS
            if hard == HARD:
                break
            likely = result >= 0 and likelihood_ratio(game, search) > bound * random_below(search, 1 << 30) / (1 << 30)
            if likely and _adds_up(game, public):
                lay_deck(game, search)
                show_offers(game, public)
                return step * TRIES + failed
    return 3 * TRIES


@kernel
def _pay_again(game: State, known: InfoState, search: GoldSearch, exact: bool) -> int:
    # Make the payments of all rounds; below 0 where they do not fit what the seat knows. At most `spare` cards
    # went under the deck for being too large, and `moved` unseen ones. The deck cannot have come round to them
    # while the cards taken and these leave one that nobody saw.
    public = known.public
    waiting = GOLD_CARDS - np.int64(public.gold_count) - np.int64(public.gold_left)
    moved = large = taken = end = 0
    for number in range(np.int64(public.round_number) + 1):
        start, picking = end, number == public.round_number and public.choice == CHOOSE_GOLD
        while end < public.gold_count and public.gold_round[end] == number:
            end += 1
        winner = np.int64(public.past[number - 1].winner) if number > 0 else RUNNING
        large = LARGE if winner == SABOTEURS else large
        search.number, search.end, search.drawn = number, end, end + (waiting if picking else 0)
        search.spare = max(0, large - taken)
        search.room = GOLD_CARDS - moved - (large > 0) if exact else FAILED
        result = 0
        if picking or (start < end and (winner == MINERS or is_drafted(public, number))):
            result = _pay_miners(game, known, search)
        elif winner == MINERS and exact:
            cards = cards_to_share(np.int64(public.rules.players), np.int64(game.public.gold_left))
            moved += put_under(game, search, cards)
        elif winner == SABOTEURS:
            result = _pay_saboteurs(game, known, search)
        else:
            result = _hand_out(game, known, search)
        if result < 0:
            return result
        taken += result
    return 0 if end == public.gold_count else FAILED


@kernel
def _mode(search: GoldSearch, picks: int, taken: int) -> int:
    # How so many cards may be drawn, of which at least `taken` are large.
    if search.room == FAILED:
        return LOOSELY
    return UNTIL_FIT if picks + max(0, search.spare - taken) <= search.room else ONCE


@kernel
def _hand_out(game: State, known: InfoState, search: GoldSearch) -> int:
    # Cards of which nothing is remembered but who took them.
    public, private, seat = known
    for index in range(game.public.gold_count, search.end):
        taker = np.int64(public.gold_seat[index])
        if game.public.gold_left <= search.under:
            return FAILED
        value = draw(game, search)
        dwarf = game.private[taker]
        dwarf.gold[dwarf.gold_count] = private.gold[dwarf.gold_count] & VALUE if taker == seat else value
        dwarf.gold_count += 1
    game.public.gold_count = search.end
    return 0


@separate
def _pay_saboteurs(game: State, known: InfoState, search: GoldSearch) -> int:
    # A round that the saboteurs won (6.2): all know who took how many cards and what they add up to. Returns
    # how many large cards that takes at least, or FAILED.
    public = known.public
    past, players, taken = public.past[search.number - 1], np.int64(public.rules.players), 0
    due = nuggets_due(players, np.int64(past.roles))
    for step in range(1, players + 1):
        taker = (np.int64(past.last_seat) + step) % players
        if past.roles >> taker & 1:
            index = start = np.int64(game.public.gold_count)
            while index < search.end and public.gold_seat[index] == taker:
                index += 1
            paid = due - np.int64(past.shortfall[taker])
            taken += max(0, paid - (index - start) + 1) // 2
            result = _pay(game, known, search, taker, (due, paid, index - start), _mode(search, index, taken))
            if result < 0:
                return result
            game.public.gold_count = index
    return taken if game.public.gold_count == search.end else FAILED


@kernel
def _pay(
    game: State, known: InfoState, search: GoldSearch, taker: int, payment: tuple[int, int, int], mode: int
) -> int:
    # One saboteur's nuggets, due and paid, in that many cards; only settling (6.2) can pay less than is due.
    dwarf, left, under = game.private[taker], np.int64(game.public.gold_left), search.under
    held, (due, paid, cards) = np.int64(dwarf.gold_count), payment
    for _ in range(1 if mode == ONCE else RETRIES):
        if not _pay_exactly(game, search, taker, paid if mode == LOOSELY else due, mode):
            return FAILED
        total, fits = 0, dwarf.gold_count == held + cards
        for i in range(held, dwarf.gold_count):
            total += dwarf.gold[i]
            fits = fits and not (taker == known.seat and dwarf.gold[i] != known.private.gold[i] & VALUE)
        if fits and total == paid:
            return 0
        dwarf.gold_count, game.public.gold_left, search.under = held, left, under
    return FAILED if mode == ONCE else HOPELESS


@kernel
def _pay_exactly(game: State, search: GoldSearch, taker: int, due: int, mode: int) -> bool:
    # As in gold.py, from unseen cards; False where the deck came round and must not.
    public, secret, dwarf = game.public, game.secret, game.private[taker]
    held, left, fruitless = np.int64(dwarf.gold_count), due, 0
    while left > 0 and fruitless < public.gold_left:
        if mode == UNTIL_FIT and public.gold_left == search.under:
            return False
        value = draw(game, search)
        if value <= left:
            dwarf.gold[dwarf.gold_count] = value
            dwarf.gold_count += 1
            left -= value
            fruitless = 0
        else:
            public.gold_left += 1
            if mode != LOOSELY:
                secret.gold_deck[search.under] = value
                search.under += 1
                fruitless += 1
    if left > 0 and mode == ONCE:
        for i in range(held, dwarf.gold_count):
            secret.gold_deck[public.gold_left] = dwarf.gold[i]
            public.gold_left += 1
        for i in range(held, GOLD_CARDS):
            dwarf.gold[i] = 0
        dwarf.gold_count = held
        settle(game, taker, due)
        search.under = np.int64(public.gold_left)
    return True


@separate
def _pay_miners(game: State, known: InfoState, search: GoldSearch) -> int:
    # A round that the miners won (6.1), from whose cards `drawn - end` are still on offer. Returns how many
    # large cards it is known to take at least, or FAILED.
    public, private, seat = known
    start, left = np.int64(game.public.gold_count), np.int64(game.public.gold_left)
    cards, end = search.drawn - start, search.end
    held = entries = np.int64(game.private[seat].gold_count)
    drafted, taken, shown = is_drafted(public, search.number), 0, 0
    for index in range(start, end):
        if public.gold_seat[index] == seat:
            taken = index + 1 - start if private.gold[entries] & 2 and not drafted else taken
            entries += 1
    entries += search.drawn > end and public.seat == seat
    if drafted and held < entries:
        shown = np.int64(private.gold[held]) & ~VALUE
        taken = offered(shown, 2) + offered(shown, 3)
    mode = _mode(search, search.drawn, taken)
    if cards > min(MOST_SHARED, left if mode == ONCE else left - search.under):
        return FAILED
    shown = 0 if mode == ONCE else shown
    for _ in range(1 if mode == ONCE else RETRIES):
        pool = shown
        for _ in range(cards - cards_in(shown)):
            pool += cards_of(draw(game, search), 1)
        game.public.gold_left = left - cards
        if _share_out(game, known, search, entries, pool, mode != ONCE):
            return taken
        for index in range(start, game.public.gold_count):
            game.private[public.gold_seat[index]].gold_count -= 1
        game.public.gold_count = start
    return FAILED if mode == ONCE else HOPELESS


@kernel
def cards_in(pool: int) -> int:
    """How many gold cards an offer holds."""
    return offered(pool, 1) + offered(pool, 2) + offered(pool, 3)


@kernel
def _share_out(game: State, known: InfoState, search: GoldSearch, entries: int, pool: int, steer: bool) -> bool:
    # The best card first or (drafted) any; `steer`: none that the seat saw on offer later.
    public, private, seat = known
    drafted = is_drafted(public, search.number)
    for index in range(game.public.gold_count, search.end):
        taker, index_of_seat = np.int64(public.gold_seat[index]), np.int64(game.private[seat].gold_count)
        value = 3 if offered(pool, 3) else 2 if offered(pool, 2) else 1
        if taker == seat:
            value = np.int64(private.gold[index_of_seat]) & VALUE if drafted else value
            if private.gold[index_of_seat] != (value | pool if drafted else value):
                return False
        elif drafted:
            free = pool - (np.int64(private.gold[index_of_seat]) & ~VALUE if steer and index_of_seat < entries else 0)
            if cards_in(free) <= 0:
                return False
            pick = random_below(search, cards_in(free))
            ones, twos = offered(free, 1), offered(free, 2)
            value = 1 if pick < ones else 2 if pick < ones + twos else 3
        dwarf = game.private[taker]
        dwarf.gold[dwarf.gold_count] = value
        dwarf.gold_count += 1
        game.public.gold_count += 1
        pool -= cards_of(value, 1)
    for value in range(1, 4):
        game.secret.offer[value - 1] = offered(pool, value)
    index_of_seat = np.int64(game.private[seat].gold_count)
    return index_of_seat == entries or private.gold[index_of_seat] == pool


@separate
def _by_seat(game: State, known: InfoState, search: GoldSearch) -> int:
    # As many cards for each seat as it took, adding up to its nuggets where those are known.
    public, private, seat = known
    for index in range(public.gold_count):
        game.private[public.gold_seat[index]].gold_count += 1
    for other in range(public.rules.players):
        dwarf = game.private[other]
        for _ in range(RETRIES):
            for i in range(dwarf.gold_count):
                dwarf.gold[i] = private.gold[i] & VALUE if other == seat else draw(game, search)
            game.public.gold_left = GOLD_CARDS
            if other == seat or not _is_told(public) or nuggets(dwarf) == public.nuggets[other]:
                break
    pending = np.int64(private.gold[private.gold_count]) if public.choice == CHOOSE_GOLD and public.seat == seat else 0
    for value in range(1, 4):
        game.secret.offer[value - 1] = offered(pending, value)
    for _ in range(GOLD_CARDS - np.int64(public.gold_count) - np.int64(public.gold_left) - cards_in(pending)):
        game.secret.offer[draw(game, search) - 1] += 1
    game.public.gold_left = public.gold_left
    return 0


@kernel
def _is_told(public: Public) -> bool:
    # At the end of the match all sums are public.
    return public.over and public.round_number == public.rules.rounds


@kernel
def _adds_up(game: State, public: Public) -> bool:
    if _is_told(public):
        for seat in range(public.rules.players):
            if nuggets(game.private[seat]) != public.nuggets[seat]:
                return False
    return True
