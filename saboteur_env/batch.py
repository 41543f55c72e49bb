"""The kernels of a batch: an array of records, each waiting for one decision, stepped one after the other."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .actions import Box, move_of_action
from .encoder import observe
from .engine.chance import below, key
from .engine.deal import start_match
from .engine.jit import kernel
from .engine.play import next_round_unchecked, play_unchecked
from .engine.state import MAX_PLAYERS
from .rewards import pay_round
from .stepping import list_actions

# What the last step of one game brought. One record instead of many arrays: an array costs two atomic
# operations each time a kernel passes it on, a record none.
RESULT = np.dtype(
    (
        np.record,
        [
            ("reward", "f4", MAX_PLAYERS),
            ("episode", "i8"),
            ("legal_count", "i4"),
            ("seat", "i1"),
            ("round_over", "?"),
            ("ended", "?"),
            ("winner", "i1"),
            ("nuggets", "i1", MAX_PLAYERS),
            ("controller", "i1", MAX_PLAYERS),  # who plays each seat from the next deal on
            ("playing", "i1", MAX_PLAYERS),  # and in this round
        ],
    )
)


class Shown(NamedTuple):
    """The arrays in which a batch shows its games; those switched off have no columns. Vec says what they are."""

    legal: Any
    mask: Any
    bits: Any
    observation: Any
    final: Any
    box: Box
    history: int


@kernel
def illegal(actions: Any, legal: Any, counts: Any) -> Any:
    """Which games' actions are not among the legal ones: bool[n]."""
    wrong = np.ones(len(actions), np.bool_)
    for i in range(len(actions)):
        for j in range(counts[i]):
            if legal[i, j] == actions[i]:
                wrong[i] = False
                break
    return wrong


@kernel
def sample(legal: Any, counts: Any, seed: np.uint64) -> Any:
    """A random legal action for every game: int64[n]."""
    actions = np.empty(len(counts), np.int64)
    for i in range(len(counts)):
        place, _ = below(seed, np.uint64(i), np.int64(counts[i]))
        actions[i] = legal[i, place]
    return actions


@kernel
def begin(
    episodes: Any, first: int, last: int, seed: np.uint64, records: Any, results: Any, shown: Shown, scratch: Any
) -> None:
    """Begin these episodes of the games first … last-1; one with a negative number goes on. Mutates: their arrays."""
    legal, mask, bits, observation, _final, box, history = shown  # a bundle passed on costs per array
    for i in range(first, last):
        if episodes[i] < 0:
            continue
        _hide(results[i].legal_count, i, legal, mask, bits)
        clear(results[i])
        results[i].episode = episodes[i]
        start_match(records[i], key(seed, i, episodes[i]))
        results[i].playing[:] = results[i].controller
        _show(records[i], results[i], i, legal, mask, bits, observation, box, history, scratch[0])


@kernel
def advance(
    actions: Any,
    paying: int,
    first: int,
    last: int,
    seed: np.uint64,
    records: Any,
    results: Any,
    shown: Shown,
    scratch: Any,
) -> None:
    """Let the games first … last-1 take their actions. Mutates: all arrays of theirs. Requires: legal actions."""
    legal, mask, bits, observation, final, box, history = shown  # a bundle passed on costs per array
    for i in range(first, last):
        game, result = records[i], results[i]
        public = game.public
        if result.round_over:
            clear(result)
        play_unchecked(game, move_of_action(actions[i], np.int64(public.seat), np.int64(public.rules.players), box))
        _hide(result.legal_count, i, legal, mask, bits)
        if public.over:
            end_round(game, result, i, paying, seed, final, box, history, scratch[0])
        _show(game, result, i, legal, mask, bits, observation, box, history, scratch[0])


@kernel
def clear(result: Any) -> None:
    """Forget what the step before brought. Mutates: result."""
    result.reward[:] = 0.0
    result.nuggets[:] = 0
    result.round_over = result.ended = False
    result.winner = 0


@kernel
def end_round(
    game: Any, result: Any, i: int, paying: int, seed: np.uint64, final: Any, box: Box, history: int, step: Any
) -> None:
    """Pay for a round that is over and deal the next, or begin the next episode. Mutates: all but `game`'s rules.

    What happens after an episode's end within the same step belongs to no one's last decision and is not paid.
    """
    public = game.public
    if not result.ended:
        result.round_over, result.winner = True, public.winner
        pay_round(game, paying, step.paid)
        for seat in range(MAX_PLAYERS):
            result.reward[seat] += step.paid[seat]
    if public.round_number < public.rules.rounds:
        next_round_unchecked(game)
    else:
        if not result.ended:
            _show_end(game, result, i, final, box, history)
        result.ended = True
        result.episode += 1
        start_match(game, key(seed, i, result.episode))
    result.playing[:] = result.controller


@kernel
def _show_end(game: Any, result: Any, i: int, final: Any, box: Box, history: int) -> None:
    # The last observation of the first seat that is played from outside.
    public = game.public
    learner = 0
    for seat in range(MAX_PLAYERS):
        result.nuggets[seat] = public.nuggets[seat]
    while learner + 1 < public.rules.players and result.playing[learner] < 0:
        learner += 1
    if final.shape[1]:
        final[i] = 0
        observe(public, game.private[learner], learner, box, history, final[i])


@kernel
def _hide(count: int, i: int, legal: Any, mask: Any, bits: Any) -> None:
    # Only the bits that were set are taken back: a mask is long and nearly empty.
    for j in range(count * (mask.shape[1] > 0)):
        mask[i, legal[i, j]] = 0
    for j in range(count * (bits.shape[1] > 0)):
        bits[i, legal[i, j] >> 3] = 0


@kernel
def _show(
    game: Any,
    result: Any,
    i: int,
    legal: Any,
    mask: Any,
    bits: Any,
    observation: Any,
    box: Box,
    history: int,
    step: Any,
) -> None:
    public = game.public
    seat = np.int64(public.seat)
    count = list_actions(public, game.private[seat], box, step)
    result.legal_count, result.seat = count, seat
    for j in range(count):
        legal[i, j] = step.actions[j]
    for j in range(count * (mask.shape[1] > 0)):
        mask[i, step.actions[j]] = 1
    for j in range(count * (bits.shape[1] > 0)):
        bits[i, step.actions[j] >> 3] |= 1 << (step.actions[j] & 7)
    if observation.shape[1]:
        observation[i] = 0
        observe(public, game.private[seat], seat, box, history, observation[i])


@kernel
def show(first: int, last: int, records: Any, results: Any, shown: Shown, scratch: Any) -> None:
    """Write anew what the seats to move of the games first … last-1 see, after moves not made by `advance`."""
    legal, mask, bits, observation, _final, box, history = shown  # a bundle passed on costs per array
    for i in range(first, last):
        _hide(results[i].legal_count, i, legal, mask, bits)
        _show(records[i], results[i], i, legal, mask, bits, observation, box, history, scratch[0])
