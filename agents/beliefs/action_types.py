"""Action types: what an action says of its player, and which types were available.

The type of an action depends on what its player knows of the goals. The hand is hidden. Each type is therefore weighted
by the probability that a random hand from the unseen cards allows it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from saboteur_env.core.compiled.jit import ONE, ZERO, kernel, separate
from saboteur_env.core.compiled.memory import record_dtype
from saboteur_env.engine.bitboard import lowest
from saboteur_env.engine.cards import (
    DEAD,
    FIRST_BREAK,
    FIRST_REPAIR,
    KIND_OF_ORIENTATION,
    KINDS,
    MAP,
    ROCKFALL,
    TREASURE,
    UNKNOWN,
)
from saboteur_env.engine.legal import MAX_MOVES, quiet_moves
from saboteur_env.engine.moves import BREAK, DISCARD, LAY, READ, REPAIR, ROCK, card_of, target_of, verb_of
from saboteur_env.engine.state import MAX_GOALS, PRIVATE, Public
from saboteur_env.engine.tunnels import orientation_at
from saboteur_env.heuristics.card_distance import SCRATCH, Scratch, measure, try_lay, try_rockfall
from saboteur_env.heuristics.flood import ALL_GOALS, FAR
from saboteur_env.inference.resample import count_unseen

ACTION_TYPES = (
    "lay a card that costs the miners cards",
    "lay a card that saves none",
    "lay a card that saves some on the way to some goals",
    "lay a card that saves one or more on average",
    "lay a dead end that costs cards",
    "lay a dead end that costs none",
    "rockfall that costs cards",
    "rockfall on a tunnel that costs none",
    "rockfall on a dead end that saves none",
    "rockfall that saves cards",
    "break an own tool",
    "break a tool of one that looks honest",
    "break a tool of one that looks like either",
    "break a tool of one that looks guilty",
    "mend an own tool",
    "mend a tool of one that looks honest",
    "mend a tool of one that looks like either",
    "mend a tool of one that looks guilty",
    "read a goal that may be the treasure or not",
    "read a goal that is known",
    "discard",
)
_BACK, _IDLE, _SOME, _ON, _DEAD_BACK, _DEAD_IDLE, _FALL_BACK, _FALL_IDLE, _FALL_DEAD, _FALL_ON = range(10)
_BREAK_OWN, _MEND_OWN, _READ_OPEN, _READ_KNOWN, _DISCARD = 10, 14, 18, 19, 20
FACE_DOWN = -1  # in the place of the card that a discard uses

STAGES = (
    "one or two cards to the nearest goal it hopes for",
    "three or four",
    "five or six",
    "more",
)
CONTEXTS = tuple(
    f"{stage}, {knows}, {deck}"
    for stage in STAGES
    for knows in ("treasure unknown", "treasure known")
    for deck in ("deck left", "deck empty")
)

ROLE_LOG_ODDS = (
    0.7  # log odds, by its acts so far, from which a dwarf looks guilty, and below the negative of which honest
)

# What could have been done at one moment, for each goal that may be the treasure.
OPTIONS = record_dtype(
    ("unseen", "i8", len(KINDS)),  # unseen cards, by kind
    ("hopes", "i8", MAX_GOALS),  # the goals that may be the treasure to the dwarf, as bits
    ("alike", "i8", MAX_GOALS),  # the first goal with the same hopes: all below is the same for both
    ("context", "i8", MAX_GOALS),
    ("kinds", "i8", (MAX_GOALS, len(ACTION_TYPES))),  # of card that could have been used, as bits
    ("move_counts", "f8", (MAX_GOALS, len(ACTION_TYPES))),  # how many moves, each as often as there are cards for it
    ("held", "f8", (MAX_GOALS, len(ACTION_TYPES))),  # the chance that the hand held such a card
    ("act", "i8", MAX_GOALS),  # what was done
    ("every", PRIVATE),  # a hand with all unseen cards
    ("moves", "i4", MAX_MOVES),
    ("space", SCRATCH),
)


@separate
def classify_actions(public: Public, done: int, log_odds: Any, options: Any) -> None:
    """Find the action types of the seat to move, and the type of a move, for each goal that may be the treasure.

    Args:
        public: a `PUBLIC` record in which no choice is open in the middle of a turn.
        done: the move, as all see it.
        log_odds: float64[10], for each seat the log odds to be a saboteur, used to say who looks honest.

    Mutates: choices, a OPTIONS record.
    """
    measure(public, ALL_GOALS, options.space)
    _begin(public, options)
    for i in range(quiet_moves(public, options.every, options.moves)):
        number = np.int64(options.moves[i])
        kind = card_kind(number)
        if kind == FACE_DOWN:
            continue
        _try(public, number, options.space)
        for treasure in range(public.rules.goals):
            if options.alike[treasure] != treasure:
                continue
            act = _act_of(public, number, treasure, log_odds, options)
            options.move_counts[treasure, act] += options.unseen[kind]
            options.kinds[treasure, act] |= 1 << kind
            if number == done:
                options.act[treasure] = act
    _reckon_held(public, options)
    _copy_alike(public, options)


@kernel
def card_kind(number: int) -> int:
    """The card that a move shows; FACE_DOWN for a discard."""
    verb, card = verb_of(number), card_of(number)
    if verb == LAY:
        return np.int64(KIND_OF_ORIENTATION[card])
    if verb == BREAK:
        return FIRST_BREAK + card
    if verb == REPAIR:
        return FIRST_REPAIR + (card & 7)
    if verb == DISCARD:
        return FACE_DOWN
    return ROCKFALL if verb == ROCK else MAP


@kernel
def _begin(public: Public, options: Any) -> None:
    count_unseen(public, options.unseen)
    options.every.kinds = 0
    for kind in range(len(KINDS)):
        options.every.kinds |= np.int64(options.unseen[kind] > 0) << kind
    for treasure in range(MAX_GOALS):
        options.hopes[treasure] = hopes_of(public, treasure)
        options.alike[treasure] = treasure
        for goal in range(treasure, -1, -1):
            if options.hopes[goal] == options.hopes[treasure]:
                options.alike[treasure] = goal
        options.context[treasure] = _context(public, options, treasure)
        options.act[treasure] = _DISCARD
        for act in range(len(ACTION_TYPES)):
            options.kinds[treasure, act] = 0
            options.move_counts[treasure, act] = np.float64(act == _DISCARD)


@kernel
def hopes_of(public: Public, treasure: int) -> int:
    """The goals, as bits, that may be the treasure to the seat to move, if that is where the treasure lies."""
    hopes, read = 0, np.int64(public.maps[public.seat])
    for goal in range(public.rules.goals):
        hopes |= (public.goal_face[goal] == UNKNOWN) << goal
    if read >> treasure & 1 or public.goal_face[treasure] == TREASURE:
        return 1 << treasure
    return hopes & ~read | 1 << treasure


@kernel
def _context(public: Public, options: Any, treasure: int) -> int:
    hopes, nearest = options.hopes[treasure], FAR
    for goal in range(MAX_GOALS):
        if hopes >> goal & 1:
            nearest = min(nearest, options.space.now.needed[goal])
    stage = min(max(nearest - 1, 0) // 2, len(STAGES) - 1)
    return 4 * stage + 2 * (hopes & (hopes - 1) == 0) + (public.deck_count == 0)


@kernel
def _try(public: Public, number: int, scratch: Scratch) -> None:
    verb, target, changed = verb_of(number), target_of(number), True
    if verb == LAY:
        changed = try_lay(public, ALL_GOALS, card_of(number), target, scratch)
    elif verb == ROCK:
        try_rockfall(public, ALL_GOALS, target, scratch)
    if not changed:
        for goal in range(MAX_GOALS):
            scratch.after[goal] = scratch.now.needed[goal]


@kernel
def _act_of(public: Public, number: int, treasure: int, log_odds: Any, options: Any) -> int:
    # The act that the move tried last is, if the treasure lies there.
    verb, target, hopes = verb_of(number), target_of(number), options.hopes[treasure]
    if verb == READ:
        return _READ_OPEN if hopes >> target & 1 and hopes & (hopes - 1) else _READ_KNOWN
    if verb in (BREAK, REPAIR):
        first = _BREAK_OWN if verb == BREAK else _MEND_OWN
        return (
            first
            if target == public.seat
            else first + 2 + (log_odds[target] > ROLE_LOG_ODDS) - (log_odds[target] < -ROLE_LOG_ODDS)
        )
    saved = _saved(options.space, hopes)
    if verb == ROCK and saved == 0:
        return _FALL_DEAD if orientation_at(public.board, target) & DEAD else _FALL_IDLE
    if verb == ROCK:
        return _FALL_BACK if saved < 0 else _FALL_ON
    if card_of(number) & DEAD:
        return _DEAD_BACK if saved < 0 else _DEAD_IDLE
    if saved <= 0:
        return _BACK if saved < 0 else _IDLE
    return _SOME if saved < 1 else _ON


@kernel
def _saved(scratch: Scratch, hopes: int) -> float:
    # Cards, on average over the goals that may be the treasure to the dwarf.
    saved, size = 0.0, 0
    for goal in range(MAX_GOALS):
        if hopes >> goal & 1:
            saved += scratch.now.needed[goal] - scratch.after[goal]
            size += 1
    return saved / size


@kernel
def chance_to_hold(copies: int, unseen: int, hand: int) -> float:
    """The chance that a hand of so many cards holds one of some copies among the unseen cards."""
    return 1.0 - (1.0 - copies / unseen) ** hand


@kernel
def _reckon_held(public: Public, options: Any) -> None:
    unseen, hand = options.unseen.sum(), np.int64(public.hand_count[public.seat])
    for treasure in range(public.rules.goals):
        if options.alike[treasure] != treasure:
            continue
        for act in range(len(ACTION_TYPES)):
            copies, kinds = 0, np.uint64(options.kinds[treasure, act])
            while kinds != ZERO:
                copies += options.unseen[lowest(kinds)]
                kinds &= kinds - ONE
            options.held[treasure, act] = chance_to_hold(copies, unseen, hand)
        options.held[treasure, _DISCARD] = 1.0


@kernel
def _copy_alike(public: Public, options: Any) -> None:
    for treasure in range(public.rules.goals):
        same = options.alike[treasure]
        options.act[treasure] = options.act[same]
        for act in range(len(ACTION_TYPES) * (same != treasure)):
            options.kinds[treasure, act] = options.kinds[same, act]
            options.move_counts[treasure, act] = options.move_counts[same, act]
            options.held[treasure, act] = options.held[same, act]
