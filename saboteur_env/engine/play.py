"""Playing a move: what it changes, which goals it reaches, when the round ends (Rules 3-5)."""

from __future__ import annotations

import numpy as np

from ..core.compiled.jit import ZERO, inlined, kernel, separate
from .bitboard import STEPS, lowest
from .cards import (
    ALL_SIDES,
    FACE_ORIENTATION,
    FIRST_BREAK,
    FIRST_REPAIR,
    KIND_OF_ORIENTATION,
    MAP,
    ROCKFALL,
    TREASURE,
    UNKNOWN,
)
from .deal import deal_round, draw
from .gold import pay, take
from .moves import (
    BREAK,
    CLAIM,
    DISCARD,
    LAY,
    PASS,
    READ,
    REPAIR,
    REVEAL,
    ROCK,
    TAKE,
    TURN,
    card_of,
    hidden,
    target_of,
    verb_of,
)
from .state import (
    ASIDE,
    CHOOSE_CLAIM,
    CHOOSE_GOAL,
    CHOOSE_TURN,
    MINERS,
    NO_CHOICE,
    NOBODY,
    RUNNING,
    SABOTEURS,
    Private,
    Public,
    State,
)
from .tunnels import contacts, face_up, join, near_connected, orientation_at, put, reached_sides, survey, take_up


@inlined
def play_unchecked(game: State, number: int) -> None:
    """Play a move (moves.py). Mutates: game. Requires: the move is legal."""
    public, verb = game.public, verb_of(number)
    _record(public, number)
    if verb > PASS:
        if not _play_choice(game, number):
            return
    else:
        public.last_seat = public.seat
        idle = public.deck_count == 0 and verb in (DISCARD, PASS)
        public.passes = public.passes + 1 if idle else 0
        _play_card(game, verb, card_of(number), target_of(number))
    if verb in (LAY, TURN, REVEAL) and goals_reached(public):
        _turn_up_reached(game)
    if public.choice == NO_CHOICE:
        _end_turn(game)


@separate
def _play_choice(game: State, number: int) -> bool:
    # A choice in the middle of a turn, gold or a word; whether the turn goes on.
    public, verb = game.public, verb_of(number)
    if verb == TURN:
        _turn_stone(public, lowest(np.uint64(public.choice_goals)), card_of(number))
    elif verb == REVEAL:
        goal = target_of(number)
        public.declined |= public.choice_goals & ~(1 << goal)
        public.choice = NO_CHOICE
        _turn_up(game, goal)
    elif verb == TAKE:
        take(game, card_of(number))
    elif verb == CLAIM:
        public.choice, public.choice_goals = NO_CHOICE, 0
    return verb in (TURN, REVEAL, CLAIM)


@separate
def next_round_unchecked(game: State) -> None:
    """Deal the next round (Rules 7). Mutates: game. Requires: the round is over and is not the last."""
    public = game.public
    public.round_number += 1
    deal_round(game, (np.int64(public.last_seat) + 1) % np.int64(public.rules.players))


@inlined
def _record(public: Public, number: int) -> None:
    public.events[public.event_count] = np.int64(public.seat) << 24 | hidden(number)
    public.event_count += 1


@inlined
def _play_card(game: State, verb: int, card: int, target: int) -> None:
    public, seat = game.public, np.int64(game.public.seat)
    private = game.private[seat]
    if verb == LAY:
        _spend(public, private, KIND_OF_ORIENTATION[card])
        _lay(public, card, target)
    elif verb == DISCARD:
        _spend(public, private, card)
        private.discards[private.discard_count] = card
        private.discard_count += 1
        public.hidden[seat] += 1
    elif verb == BREAK:
        _spend(public, private, FIRST_BREAK + card)  # it lies before its victim until it is repaired
        public.broken[target] |= 1 << card
    elif verb == REPAIR:
        _spend_open(public, private, FIRST_REPAIR + (card & 7))
        public.broken[target] &= ~(1 << (card >> 3))
        public.played[FIRST_BREAK + (card >> 3)] += 1
    elif verb == ROCK:
        _spend_open(public, private, ROCKFALL)
        _fall(public, target)
    elif verb == READ:
        _spend_open(public, private, MAP)
        public.maps[seat] |= 1 << target
        private.face[target] = game.secret.face[target]
        if public.rules.talk:
            public.choice, public.choice_goals = CHOOSE_CLAIM, 1 << target


@separate
def _fall(public: Public, cell: int) -> None:
    public.played[KIND_OF_ORIENTATION[orientation_at(public.board, cell)]] += 1
    take_up(public.board, cell)
    public.last_cell = cell
    _narrow(public)
    survey(public.board, np.int64(public.low), np.int64(public.high))


@inlined
def _spend(public: Public, private: Private, kind: int) -> None:
    private.hand[kind] -= 1
    if private.hand[kind] == 0:
        private.kinds &= ~(1 << kind)
    public.hand_count[public.seat] -= 1


@inlined
def _spend_open(public: Public, private: Private, kind: int) -> None:
    _spend(public, private, kind)
    public.played[kind] += 1


@inlined
def _lay(public: Public, orientation: int, cell: int) -> None:
    if public.rules.one_goal:
        public.before = goal_sides(public)
    public.last_cell = cell
    _put(public, cell, orientation)


@inlined
def _put(public: Public, cell: int, orientation: int) -> None:
    public.low = min(np.int64(public.low), cell >> 6)
    public.high = max(np.int64(public.high), cell >> 6)
    put(public.board, cell, orientation)
    join(public.board, cell, orientation, np.int64(public.low), np.int64(public.high))


@kernel
def _narrow(public: Public) -> None:
    while face_up(public.board, np.int64(public.low)) == ZERO:  # the start's row never is
        public.low += 1
    while face_up(public.board, np.int64(public.high)) == ZERO:
        public.high -= 1


@inlined
def goal_sides(public: Public) -> int:
    """The sides of face-down goals that a way reaches, 4 bits a goal from the northernmost."""
    sides = 0
    for goal in range(public.rules.goals):
        cell = np.int64(public.rules.goal_cell[goal])
        if near_connected(public.board, cell) and public.goal_face[goal] == UNKNOWN:
            sides |= reached_sides(public.board, cell) << 4 * goal
    return sides


@kernel
def goals_reached(public: Public) -> int:
    """The face-down goals newly reached in this turn and not declined in it, as bits (4.1, 4.4)."""
    sides, goals = goal_sides(public) & ~np.int64(public.before), 0
    for goal in range(public.rules.goals):
        if sides >> 4 * goal & ALL_SIDES:
            goals |= 1 << goal
    return goals & ~np.int64(public.declined)


@separate
def _turn_up_reached(game: State) -> None:
    # Rules 4.4: one goal at a time, looking again after each.
    public = game.public
    while public.choice == NO_CHOICE and public.winner == RUNNING:
        goals = goals_reached(public)
        if goals == 0:
            return
        if public.rules.one_goal and goals & (goals - 1):
            public.choice, public.choice_goals = CHOOSE_GOAL, goals
            return
        first = lowest(np.uint64(goals))
        for goal in range(first, public.rules.goals):
            if goals >> goal & 1 and game.secret.face[goal] == TREASURE:
                first = goal
        _turn_up(game, first)


@separate
def _turn_up(game: State, goal: int) -> None:
    # Rules 4.2 and 4.3.
    public = game.public
    face = np.int64(game.secret.face[goal])
    public.goal_face[goal] = face
    orientation = FACE_ORIENTATION[face]
    if face == TREASURE:
        public.winner = MINERS
        _turn_stone(public, goal, orientation)
        return
    other = ALL_SIDES - orientation
    if fits(public, goal, orientation):
        _turn_stone(public, goal, orientation)
    elif fits(public, goal, other):
        _turn_stone(public, goal, other)
    elif public.rules.stone_joins:
        _turn_stone(public, goal, orientation if orientation & _joining(public, goal) else other)
    else:
        public.choice, public.choice_goals = CHOOSE_TURN, 1 << goal


@kernel
def fits(public: Public, goal: int, orientation: int) -> bool:
    """Whether a stone that lies so matches all face-up neighbours of its goal cell."""
    met = contacts(public.board, np.int64(public.rules.goal_cell[goal]))
    return orientation & met == met & ALL_SIDES and not orientation & met >> 4


@kernel
def _joining(public: Public, goal: int) -> int:
    # The sides of which a stone that fits nowhere must have one: where the card just laid leads to it,
    # else where any way does.
    cell = np.int64(public.rules.goal_cell[goal])
    reached = reached_sides(public.board, cell)
    for side in range(4):
        if cell + STEPS[side] == public.last_cell and reached >> side & 1:
            return 1 << side
    return reached


@separate
def _turn_stone(public: Public, goal: int, orientation: int) -> None:
    public.choice, public.choice_goals = NO_CHOICE, 0
    _put(public, np.int64(public.rules.goal_cell[goal]), orientation)


@inlined
def _end_turn(game: State) -> None:
    public, players = game.public, np.int64(game.public.rules.players)
    public.before = public.declined = 0
    if public.winner == RUNNING:
        draw(game, np.int64(public.seat))
        if not _spent(public) and not (public.rules.end_when_all_passed and public.passes >= players):
            public.seat = public.seat + 1 if public.seat + 1 < players else 0
            return
    _end_round(game)


@separate
def _end_round(game: State) -> None:
    # The miners have the treasure, or nobody can dig any longer.
    public = game.public
    public.roles = _roles(game)
    if public.winner == RUNNING:
        public.winner = SABOTEURS if public.roles & (1 << ASIDE) - 1 else NOBODY
    pay(game)


@kernel
def _spent(public: Public) -> bool:
    if public.deck_count > 0:
        return False
    for seat in range(public.rules.players):
        if public.hand_count[seat] > 0:
            return False
    return True


@kernel
def _roles(game: State) -> int:
    roles = 0
    for seat in range(game.public.rules.players):
        roles |= np.int64(game.private[seat].role) << seat
    return roles | (1 << ASIDE if game.secret.aside > 0 else 0)
