"""A gold deck whose cards are revealed only as they are drawn: possible past payments, as one seat sees them (Rules 6).

During the search, the gold of the record is scratch memory, and a GOLD_SEARCH record counts. The cards that went
`under` the deck lie first in `secret.gold_deck`, with 0 for an unseen card. The other cards of the deck lie above them,
and all of them are unseen.

Every unseen card is drawn with replacement, so a draw does not depend on the draws before it. `weigh` gives the
likelihood ratio of drawing without replacement.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

import numpy as np

from ..core import prng
from ..core.compiled.jit import ZERO, kernel
from ..core.compiled.memory import Record, record_dtype
from ..engine.cards import GOLD_CARDS, GOLD_COPIES
from ..engine.gold import VALUE, cards_of
from ..engine.state import CHOOSE_GOLD, MAX_PLAYERS, MINERS, RUNNING, SABOTEURS, Public, State

GOLD_SEARCH = record_dtype(
    ("random_key", "u8"),  # random key
    ("under", "i8"),  # cards that went under the deck
    # The payment that is being made:
    ("number", "i8"),  # of its round
    ("end", "i8"),  # of its entries in `public.gold_seat`,
    ("drawn", "i8"),  # and where they would end if the cards still on offer were taken
    ("room", "i8"),  # cards drawn so far from which on the deck may have come round, or FAILED
    ("spare", "i8"),  # cards that may lie under the deck for being too large
)


class GoldSearch(Record):
    """A `GOLD_SEARCH` record, as kernels take it."""


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
def shuffle_all(game: State, search: GoldSearch) -> None:
    """Put all gold back into the deck, unseen. Mutates: game, search."""
    game.public.gold_left, game.public.gold_count, search.under = GOLD_CARDS, 0, 0
    for i in range(3):
        game.secret.offer[i] = 0
    for seat in range(MAX_PLAYERS):
        game.private[seat].gold_count = 0


@kernel
def random_below(search: GoldSearch, bound: int) -> int:
    """An even choice of 0 … bound-1. Mutates: search."""
    pick, used = prng.below(search.random_key, ZERO, bound)
    search.random_key += used * prng.GOLDEN
    return pick


@kernel
def draw(game: State, search: GoldSearch) -> int:
    """Draw the top card and return its value. Mutates: game, search. Requires: the deck is not empty."""
    public, secret, value = game.public, game.secret, 0
    public.gold_left -= 1
    if public.gold_left < search.under:
        value = np.int64(secret.gold_deck[0])
        search.under -= 1
        for i in range(search.under):
            secret.gold_deck[i] = secret.gold_deck[i + 1]
    if value == 0:
        pick = random_below(search, GOLD_CARDS)
        value = 1 if pick < GOLD_COPIES[0] else 2 if pick < GOLD_CARDS - GOLD_COPIES[2] else 3
    return value


@kernel
def put_under(game: State, search: GoldSearch, cards: int) -> int:
    """Move the top cards under the deck unseen (6.4). Mutates: game, search."""
    public, secret = game.public, game.secret
    for _ in range(cards):
        top = 0
        if public.gold_left == search.under:
            top = np.int64(secret.gold_deck[0])
            for i in range(public.gold_left - 1):
                secret.gold_deck[i] = secret.gold_deck[i + 1]
            search.under -= 1
        secret.gold_deck[search.under] = top
        search.under += 1
    return cards


@kernel
def count_seen(game: State, search: GoldSearch, value: int) -> int:
    """The cards of a value that were seen: on offer, under the deck, taken."""
    seen = np.int64(game.secret.offer[value - 1])
    for i in range(search.under):
        seen += game.secret.gold_deck[i] == value
    for seat in range(MAX_PLAYERS):
        dwarf = game.private[seat]
        for i in range(dwarf.gold_count):
            seen += dwarf.gold[i] & VALUE == value
    return seen


@kernel
def likelihood_ratio(game: State, search: GoldSearch) -> float:
    """How much likelier the cards seen are without laying back than with. At most BOUND of their number."""
    ones, twos, threes = count_seen(game, search, 1), count_seen(game, search, 2), count_seen(game, search, 3)
    if ones > GOLD_COPIES[0] or twos > GOLD_COPIES[1] or threes > GOLD_COPIES[2]:
        return 0.0
    return RATIO[ones, twos, threes]


@kernel
def lay_deck(game: State, search: GoldSearch) -> None:
    """Lay what is left of each value where the deck is unseen. Mutates: game, search."""
    deck, size, known = game.secret.gold_deck, np.int64(game.public.gold_left), search.under
    ones, twos = GOLD_COPIES[0] - count_seen(game, search, 1), GOLD_COPIES[1] - count_seen(game, search, 2)
    threes = GOLD_COPIES[2] - count_seen(game, search, 3)
    for i in range(GOLD_CARDS - 1, -1, -1):
        deck[i] = deck[i - size + known] if size - known <= i < size else 0
    for i in range(size):
        if deck[i] == 0:
            pick = random_below(search, max(1, ones + twos + threes))
            deck[i] = 1 if pick < ones else 2 if pick < ones + twos else 3
            ones -= deck[i] == 1
            twos -= deck[i] == 2
            threes -= deck[i] == 3


@kernel
def show_offers(game: State, public: Public) -> None:
    """Let each seat remember the offer of each of its picks in a draft. Mutates: game."""
    private, number, pool = game.private, np.int64(public.round_number), 0
    for value in range(1, 4):
        pool += cards_of(value, np.int64(game.secret.offer[value - 1]))
    for seat in range(MAX_PLAYERS):
        for i in range(private[seat].gold_count, GOLD_CARDS):
            private[seat].gold[i] = 0
    if public.choice == CHOOSE_GOLD:
        private[public.seat].gold[private[public.seat].gold_count] = pool
    for index in range(np.int64(public.gold_count) - 1, -1, -1):
        if public.gold_round[index] != number:
            number, pool = np.int64(public.gold_round[index]), 0
        taker = private[public.gold_seat[index]]
        taker.gold_count -= 1
        value = np.int64(taker.gold[taker.gold_count]) & VALUE
        pool += cards_of(value, 1)
        taker.gold[taker.gold_count] = value | pool if is_drafted(public, number) else value
    for index in range(public.gold_count):
        private[public.gold_seat[index]].gold_count += 1


@kernel
def is_drafted(public: Public, number: int) -> bool:
    """Whether the gold of a round was picked as moves, or is now."""
    winner = np.int64(public.past[number - 1].winner) if number > 0 else SABOTEURS
    return public.rules.draft and winner in (MINERS, RUNNING)
