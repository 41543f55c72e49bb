"""The round played again from the public record: the public state before each of its moves.

Hidden cards (hands, cards discarded face down, goals face down) do not affect how the public state changes. So any
cards can take their place.
"""

from __future__ import annotations

import numpy as np

from ..core.compiled.jit import kernel
from ..core.compiled.memory import copy_record
from ..engine.cards import STONE_NE, UNKNOWN
from ..engine.deal import deal_round
from ..engine.moves import DISCARD, PASS, move, move_of, seat_of, verb_of
from ..engine.play import play_unchecked
from ..engine.state import ASIDE, MAX_GOALS, MAX_PLAYERS, RUNNING, Public, State


@kernel
def rewind(public: Public, game: State) -> None:
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
    game.secret.aside = public.roles >> ASIDE & 1


@kernel
def replay(game: State, event: int) -> None:
    """Play the next event of a round that was rewound; nothing where it takes gold.

    Mutates: game. Requires: the event was possible here, as those of a record that begins with the round are.
    """
    number = move_of(event)
    if game.public.winner == RUNNING:
        game.public.seat = seat_of(event)
        play_unchecked(game, move(DISCARD, 0, 0) if verb_of(number) == DISCARD else number)


@kernel
def begins_with_round(public: Public) -> bool:
    """Whether the record tells of the whole round: from its first seat on, of each card that has left deck and hands.

    See docs/positions.md.
    """
    if public.event_count and seat_of(np.int64(public.events[0])) != public.first_seat:
        return False
    unused = np.int64(public.deck_count)
    for seat in range(public.rules.players):
        unused += np.int64(public.hand_count[seat])
    for i in range(public.event_count):
        unused += verb_of(move_of(np.int64(public.events[i]))) < PASS
    return unused == public.rules.deck.sum()
