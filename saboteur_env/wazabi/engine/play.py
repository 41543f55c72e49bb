"""Playing: a move, and all automatic steps until the next decision (Wazabi 2-4)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.compiled.jit import ZERO, kernel
from .cards import (
    CARD,
    DIE,
    DRAW_THREE,
    GIVE_DIE,
    KEEP_ONE,
    KEEP_TWO,
    KINDS,
    MISS,
    PASS_CARDS,
    PASS_DICE,
    REMOVE_ONE,
    REMOVE_TWO,
    REVERSE,
    SWAP_CARDS,
    SWAP_DICE,
    TAKE_CARD,
)
from .deal import deal, first_seat, roll_die
from .hands import DICE, draw, exchange, look, lose, stream_of, take_random, turn_over
from .moves import GIVE, KEEP, PASS, PLAY, TAKE, first_of, second_of, verb_of
from .state import MAX_PLAYERS


@kernel
def start_match(game: Any, seed: np.uint64) -> None:
    """Deal the first game. Mutates: game. Requires: a record with its rules filled in, blank or used."""
    game.secret.seed = seed
    game.public.points[:] = 0
    game.public.game_number = 0
    next_game(game)


@kernel
def next_game(game: Any) -> None:
    """Deal again and go on to the first decision (2). Mutates: game. Requires: a match begins, or a game is over."""
    public = game.public
    public.game_number += 1
    public.turns = public.shuffles = public.picks = 0
    public.over = public.finished = public.keepers = 0
    public.winner = public.card = -1
    public.direction = 1
    for seat in range(MAX_PLAYERS):
        public.misses[seat] = public.place[seat] = public.hand_count[seat] = 0
        public.dice[seat] = public.rules.dice if seat < public.rules.players else 0
        public.sure[seat, :] = 0
        game.secret.hands[seat, :] = 0
        game.private[seat].known[:, :] = 0
    deal(game)
    public.first_seat = first_seat(game)
    public.mover = public.first_seat
    _begin_turn(game)
    _go_on(game)


@kernel
def neighbour(public: Any, seat: int, step: int) -> int:
    """The next seat in play clockwise (`step` 1) or the other way (-1)."""
    players = np.int64(public.rules.players)
    seat = (seat + step) % players
    while public.place[seat] > 0:
        seat = (seat + step) % players
    return seat


@kernel
def _begin_turn(game: Any) -> None:
    # A seat that misses a turn discards one card (3.6); then all dice are rolled.
    public = game.public
    while public.misses[public.mover] > 0:
        public.misses[public.mover] -= 1
        public.discards[MISS] += 1
        public.mover = neighbour(public, np.int64(public.mover), np.int64(public.direction))
    turn_over(game)
    public.rolled[:] = 0
    random_key, counter = stream_of(game, DICE, np.int64(public.turns)), ZERO
    for _ in range(public.dice[public.mover]):
        face, counter = roll_die(public.rules, random_key, counter)
        public.rolled[face] += 1
    public.turns += 1
    public.seat, public.choice, public.due = public.mover, TAKE, public.rolled[CARD]


@kernel
def play_unchecked(game: Any, number: int) -> None:
    """Play a move (moves.py). Mutates: game. Requires: the move is legal."""
    public = game.public
    verb, first, second, seat = verb_of(number), first_of(number), second_of(number), np.int64(public.seat)
    if verb == TAKE:
        take_random(game, seat, second)
        public.due -= 1
    elif verb == GIVE:
        _hand_over(public, seat, second)
        public.due -= 1
    elif verb == KEEP:
        _keep(game, seat, first, second)
    else:
        public.choice = PASS
        if verb == PLAY:
            lose(game, seat, first)
            public.card = first
            _take_effect(game, seat, first, second)
    _go_on(game)


@kernel
def _hand_over(public: Any, seat: int, target: int) -> None:
    public.dice[seat] -= 1
    public.dice[target] += 1


@kernel
def _keep(game: Any, seat: int, first: int, second: int) -> None:
    # All but the chosen cards are discarded.
    public = game.public
    for kind in range(len(KINDS)):
        kept = np.int64(kind == first) + np.int64(kind == second)
        for _ in range(np.int64(game.secret.hands[seat, kind]) - kept):
            lose(game, seat, kind)
            public.discards[kind] += 1
    public.keepers &= ~(1 << seat)


@kernel
def _take_effect(game: Any, seat: int, kind: int, target: int) -> None:
    public = game.public
    if kind in (REMOVE_ONE, REMOVE_TWO):
        public.dice[seat] -= min(np.int64(public.dice[seat]), 1 if kind == REMOVE_ONE else 2)
    elif kind == KEEP_TWO:
        for other in range(public.rules.players):
            public.keepers |= np.int64(other != seat and public.hand_count[other] > 2) << other
        public.choice = KEEP
    elif kind == DRAW_THREE:
        public.choice, public.due = TAKE, 3
    elif kind in (SWAP_DICE, SWAP_CARDS):
        _trade(game, kind == SWAP_CARDS, seat, target)
    elif kind in (PASS_DICE, PASS_CARDS):
        step = 1 - 2 * target
        other = neighbour(public, seat, step)
        while other != seat:
            _trade(game, kind == PASS_CARDS, seat, other)
            other = neighbour(public, other, step)
    elif kind == MISS:
        public.misses[target] += 1
    elif kind == GIVE_DIE:
        _hand_over(public, seat, target)
    elif kind == TAKE_CARD:
        take_random(game, seat, target)
    elif kind == KEEP_ONE:
        public.keepers = np.int64(public.hand_count[target] > 1) << target
        public.choice = KEEP
    if kind in (SWAP_CARDS, PASS_CARDS):
        look(game)


@kernel
def _trade(game: Any, cards: bool, one: int, other: int) -> None:
    # Hands or dice change places.
    dice = game.public.dice
    if cards:
        exchange(game, one, other)
    else:
        dice[one], dice[other] = dice[other], dice[one]


@kernel
def _go_on(game: Any) -> None:
    # Until a decision is due or the game is over.
    public = game.public
    while not public.over and public.choice != PLAY:
        if public.choice == PASS:
            _end_turn(game)
        elif public.choice == TAKE:
            _draw_due(game)
            if public.due > 0:
                return
            if public.card == DRAW_THREE:
                public.choice = PASS
            else:
                public.choice, public.due = GIVE, public.rolled[DIE]
        elif public.choice == GIVE:
            if public.due > 0:
                return
            public.choice = PLAY if public.dice[public.mover] > 0 else PASS
        elif public.keepers > 0:
            public.seat = public.mover
            while not public.keepers >> public.seat & 1:
                public.seat = neighbour(public, np.int64(public.seat), np.int64(public.direction))
            return
        else:
            public.seat, public.choice = public.mover, PASS


@kernel
def _draw_due(game: Any) -> None:
    # What stays due is taken from others, unless they have nothing (3.8).
    public, seat, others = game.public, np.int64(game.public.mover), 0
    while public.due > 0 and public.pile_count > 0:
        draw(game, seat)
        public.due -= 1
    for other in range(public.rules.players):
        others += np.int64(public.hand_count[other]) * (other != seat)
    if others == 0:
        public.due = 0


@kernel
def _end_turn(game: Any) -> None:
    public, kind = game.public, np.int64(game.public.card)
    if kind >= 0 and kind != MISS:
        public.discards[kind] += 1
    public.card = -1
    if public.dice[public.mover] == 0:
        _leave(game, np.int64(public.mover))
    if public.over:
        return
    if kind == REVERSE:
        public.direction = -public.direction
    else:
        public.mover = neighbour(public, np.int64(public.mover), np.int64(public.direction))
    _begin_turn(game)


@kernel
def _leave(game: Any, seat: int) -> None:
    # A seat without dice has won, or has its place; its cards are discarded (4).
    public = game.public
    public.finished += 1
    public.place[seat] = public.finished
    if public.winner < 0:
        public.winner = seat
        _score(public, seat)
    for kind in range(len(KINDS)):
        for _ in range(game.secret.hands[seat, kind]):
            lose(game, seat, kind)
            public.discards[kind] += 1
    if not public.rules.play_on or public.finished == public.rules.players - 1:
        public.over = 1
        for other in range(public.rules.players):
            if public.place[other] == 0:
                public.place[other] = public.finished + 1


@kernel
def _score(public: Any, winner: int) -> None:
    # A point for each die left with the opponents, for the winner and its team (4.5).
    team = public.rules.team
    for seat in range(public.rules.players):
        for other in range(public.rules.players):
            if team[seat] == team[winner] and team[other] != team[winner]:
                public.points[seat] += public.dice[other]
