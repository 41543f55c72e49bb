"""The round again, as all saw it: the table before each of its moves, from the public record alone.

What nobody was shown (hands, cards laid face down, goals face down) plays no part in how the table changes, so
that anything may stand in for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .bitboard import has
from .cards import FITS, STONE_NE, UNKNOWN
from .deal import deal_round
from .jit import kernel
from .legal import path_cards
from .memory import copy_record
from .moves import DISCARD, LAY, REVEAL, ROCK, TURN, card_of, move, move_of, place_in, seat_of, verb_of
from .play import play_unchecked
from .state import CHOOSE_GOAL, CHOOSE_TURN, MAX_GOALS, MAX_PLAYERS, NO_CHOICE, PLANES
from .tunnels import contacts, fronts


@kernel
def rewind(public: Any, game: Any) -> None:
    """Set up the round as it began. Everything but gold and past rounds in `game.public` is as all saw it then.

    Args:
        public: a `PUBLIC` record, whose events `replay` may then go through in order.
        game: a STATE record, overwritten; what is not public in it stands for nothing.
    """
    copy_record(game.public, public)
    game.public.gold_left = game.public.gold_count = 0
    deal_round(game, np.int64(public.first_seat))
    for goal in range(MAX_GOALS):
        face = np.int64(public.goal_face[goal])
        game.secret.face[goal] = face if face != UNKNOWN else STONE_NE
    for seat in range(MAX_PLAYERS):
        game.private[seat].role = public.roles >> seat & 1
    game.secret.aside = public.roles >> MAX_PLAYERS & 1


@kernel
def replay(game: Any, event: int) -> None:
    """Play the next event of a round that was rewound; nothing where it takes gold or cannot have been played here.

    Mutates: game.
    """
    number = move_of(event)
    if game.public.winner == 0 and _possible(game.public, number):
        game.public.seat = seat_of(event)
        play_unchecked(game, move(DISCARD, 0, 0) if verb_of(number) == DISCARD else number)


@kernel
def _possible(public: Any, number: int) -> bool:
    # Positions are loaded with any record of moves, true or not.
    verb, place, row = verb_of(number), place_in(number), place_in(number) >> 6
    if verb == TURN:
        return bool(public.choice == CHOOSE_TURN)
    if verb == REVEAL:
        return bool(public.choice == CHOOSE_GOAL and public.choice_goals >> place & 1)
    if public.choice != NO_CHOICE:
        return False
    if verb == LAY:
        front = has(fronts(public.mine, row, np.int64(public.rules.touching)), place & 63)
        return bool(front & FITS[contacts(public.mine, place)] >> card_of(number) & 1)
    return verb != ROCK or bool(has(path_cards(public, row), place & 63))


@kernel
def same_table(public: Any, other: Any) -> bool:
    """Whether two public records show the same mine, goals, tools and numbers of cards.

    A record that does not begin with the round (docs/positions.md) replays to another table.
    """
    same = public.deck_count == other.deck_count
    for row in range(len(public.mine)):
        for plane in range(PLANES):
            same &= public.mine[row, plane] == other.mine[row, plane]
    for goal in range(MAX_GOALS):
        same &= public.goal_face[goal] == other.goal_face[goal]
    for seat in range(MAX_PLAYERS):
        same &= public.broken[seat] == other.broken[seat] and public.hand_count[seat] == other.hand_count[seat]
    return same
