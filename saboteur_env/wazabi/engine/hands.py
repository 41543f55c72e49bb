"""Cards that change hands: who holds them, and who knows it (Wazabi 5).

`secret.hands` is the truth. `private[who].known[whose]` are the cards that `who` is sure of in a hand; its own hand is
complete there. `public.sure[who, whose]` is the number of these cards that all seats can derive.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.compiled.jit import ZERO, kernel
from ...core.prng import below, key, shuffle
from .cards import KINDS, MISS
from .state import MAX_PLAYERS

START, DECK, DICE, PICKS = range(4)  # purposes of chance


@kernel
def stream_of(game: Any, purpose: int, number: int) -> np.uint64:
    """The key of the `number`-th thing of its purpose that chance decides in this game."""
    return key(key(game.secret.seed, np.int64(game.public.game_number), purpose), number, 0)


@kernel
def gain(game: Any, seat: int, kind: int) -> None:
    """Add a card that nobody else sees to a hand. Mutates: game."""
    game.secret.hands[seat, kind] += 1
    game.private[seat].known[seat, kind] += 1
    game.public.hand_count[seat] += 1
    game.public.sure[seat, seat] += 1


@kernel
def lose(game: Any, seat: int, kind: int) -> None:
    """Take a card out of a hand for all to see. Mutates: game."""
    public = game.public
    game.secret.hands[seat, kind] -= 1
    public.hand_count[seat] -= 1
    for who in range(public.rules.players):
        known = game.private[who].known
        known[seat, kind] -= known[seat, kind] > 0
        public.sure[who, seat] -= public.sure[who, seat] > 0


@kernel
def take_random(game: Any, seat: int, victim: int) -> None:
    """Move a random card from the hand of `victim` to that of `seat`. Mutates: game. Requires: there is one.

    A third seat does not see which: it goes on being sure of one card fewer of each kind (5.2).
    """
    public, cards = game.public, game.secret.hands[victim]
    size = np.int64(public.hand_count[victim])
    pick, _ = below(stream_of(game, PICKS, np.int64(public.picks)), ZERO, size)
    public.picks += 1
    kind = 0
    while pick >= cards[kind]:
        pick -= np.int64(cards[kind])
        kind += 1
    for who in range(public.rules.players):
        if who in (seat, victim):
            continue
        known = game.private[who].known
        certain = known[victim, kind] == size
        for other in range(len(KINDS)):
            known[victim, other] -= known[victim, other] > 0
        known[seat, kind] += certain
        public.sure[who, victim] = 0
    cards[kind] -= 1
    public.hand_count[victim] -= 1
    public.sure[victim, victim] -= 1
    public.sure[seat, victim] -= public.sure[seat, victim] > 0
    known = game.private[seat].known
    known[victim, kind] -= known[victim, kind] > 0
    game.private[victim].known[victim, kind] -= 1
    game.private[victim].known[seat, kind] += 1
    public.sure[victim, seat] += 1
    gain(game, seat, kind)


@kernel
def exchange(game: Any, one: int, other: int) -> None:
    """Two hands change places; `look` must follow. Mutates: game."""
    public = game.public
    _swap(public.hand_count, one, other)
    _swap_rows(game.secret.hands, one, other)
    for who in range(public.rules.players):
        _swap_rows(game.private[who].known, one, other)
        _swap(public.sure[who], one, other)


@kernel
def look(game: Any) -> None:
    """Every seat looks at the hand it has got. Mutates: game."""
    for seat in range(game.public.rules.players):
        game.public.sure[seat, seat] = game.public.hand_count[seat]
        for kind in range(len(KINDS)):
            game.private[seat].known[seat, kind] = game.secret.hands[seat, kind]


@kernel
def _swap(values: Any, one: int, other: int) -> None:
    held = values[one]
    values[one] = values[other]
    values[other] = held


@kernel
def _swap_rows(table: Any, one: int, other: int) -> None:
    for kind in range(len(KINDS)):
        held = table[one, kind]
        table[one, kind] = table[other, kind]
        table[other, kind] = held


@kernel
def draw(game: Any, seat: int) -> None:
    """Draw the next card of the pile. Mutates: game. Requires: there is one."""
    public = game.public
    public.pile_count -= 1
    kind = np.int64(game.secret.pile[public.pile_count])
    game.secret.pile[public.pile_count] = 0
    gain(game, seat, kind)
    turn_over(game)


@kernel
def turn_over(game: Any) -> None:
    """Where the pile is empty, shuffle the discards to be the pile (3.7). Mutates: game."""
    public, pile = game.public, game.secret.pile
    if public.pile_count > 0:
        return
    size = 0
    for kind in range(len(KINDS)):
        for _ in range(public.discards[kind]):
            pile[size] = kind
            size += 1
    if size == 0:
        return
    count_out(game)
    public.discards[:] = 0
    public.pile_count = size
    public.shuffles += 1
    shuffle(pile, size, stream_of(game, DECK, np.int64(public.shuffles)))


@kernel
def count_out(game: Any) -> None:
    """Seats that know all hands but one, know that one too (5.4). Mutates: game. Requires: the pile is empty."""
    public = game.public
    for who in range(public.rules.players):
        known, hidden, indices = game.private[who].known, -1, 0
        for seat in range(public.rules.players):
            unknown = np.int64(public.hand_count[seat])
            for kind in range(len(KINDS)):
                unknown -= np.int64(known[seat, kind])
            if unknown > 0:
                hidden, indices = seat, indices + 1
        for kind in range(len(KINDS) * np.int64(indices == 1)):
            known[hidden, kind] += unseen(public, game.private[who], kind)


@kernel
def unseen(public: Any, private: Any, kind: int) -> int:
    """How many cards of a kind the seat with this private record cannot place."""
    left = np.int64(public.rules.deck[kind]) - np.int64(public.discards[kind])
    left -= np.int64(public.card == kind)
    for seat in range(MAX_PLAYERS):
        left -= np.int64(private.known[seat, kind])
        if kind == MISS:
            left -= np.int64(public.misses[seat])
    return left
