"""The kernels of a batch: an array of records, each waiting for one decision, stepped one after the other."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .actions import action_of, move_of_action
from .encoder import observe
from .engine.chance import below, key
from .engine.deal import start_match
from .engine.jit import kernel
from .engine.legal import legal_moves
from .engine.memory import borrowed, record
from .engine.play import next_round_unchecked, play_unchecked
from .engine.state import MAX_PLAYERS
from .rewards import pay_round

# What the last step of one game brought. One record instead of many arrays: an array costs two atomic
# operations each time a kernel passes it on, a record none.
RESULT = record(
    ("episode", "i8"),
    ("legal_count", "i4"),
    ("seat", "i1"),
    ("round_over", "?"),
    ("ended", "?"),
    ("winner", "i1"),
    ("playing", "i1", MAX_PLAYERS),  # who plays each seat in this round
    ("controller", "i1", MAX_PLAYERS),  # and from the next deal on
    ("nuggets", "i1", MAX_PLAYERS),
    ("pad", "i1", 2),
    ("reward", "f4", MAX_PLAYERS),
)


class Shown(NamedTuple):
    """The arrays in which a batch shows its games; those switched off have no columns. Vec says what they are."""

    legal: Any
    mask: Any
    bits: Any
    observation: Any
    final: Any
    frames: Any
    history: int


def whole_numbers(name: str, values: npt.ArrayLike, games: int) -> npt.NDArray[np.int64]:
    """One number for each game as int64[games]. Raises: ValueError for anything but whole numbers [games]."""
    given = np.asarray(values)
    if given.shape != (games,) or given.dtype.kind not in "iu":
        raise ValueError(f"{name} must be {games} whole numbers, not {given.dtype} of shape {given.shape}")
    return np.ascontiguousarray(given, np.int64)


@kernel
def borrow(shown: Shown) -> Shown:
    """The same arrays, to be passed on at no cost."""
    return Shown(
        borrowed(shown.legal),
        borrowed(shown.mask),
        borrowed(shown.bits),
        borrowed(shown.observation),
        borrowed(shown.final),
        borrowed(shown.frames),
        shown.history,
    )


@kernel
def illegal(actions: Any, legal: Any, counts: Any) -> Any:
    """Which games' actions are not among the legal ones: int64[k]."""
    wrong = np.empty(len(actions), np.int64)
    found = 0
    for i in range(len(actions)):
        action, matches = actions[i], 0
        for j in range(counts[i]):
            matches += np.int64(legal[i, j] == action)  # a way out of the loop would be mispredicted
        wrong[found] = i
        found += matches == 0
    return wrong[:found]


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
    episodes: Any,
    seed: np.uint64,
    first: int,
    last: int,
    records: Any,
    results: Any,
    _shown: Shown,
    _scratch: Any,
) -> None:
    """Begin these episodes of the games first … last-1; one with a negative number goes on. `show` must follow.

    Mutates: records and results.
    """
    for i in range(first, last):
        if episodes[i] < 0:
            continue
        result = results[i]
        clear(result)
        result.episode = episodes[i]
        start_match(records[i], key(seed, i, episodes[i]))
        result.playing[:] = result.controller


@kernel
def advance(
    actions: Any,
    paying: int,
    showing: bool,
    seed: np.uint64,
    first: int,
    last: int,
    records: Any,
    results: Any,
    shown: Shown,
    scratch: Any,
) -> None:
    """Let the games first … last-1 take their actions.

    Mutates: all arrays of theirs, what they show only if `showing`; `show` must follow else. Requires: legal actions.
    """
    shown = borrow(shown)
    for i in range(first, last):
        game, result = records[i], results[i]
        public = game.public
        if result.round_over:
            clear(result)
        seat, players = np.int64(public.seat), np.int64(public.rules.players)
        play_unchecked(game, move_of_action(actions[i], seat, players, shown.frames[0]))
        if public.over:
            end_round(game, result, i, paying, seed, shown, scratch[0])
        if showing:
            _show(game, result, i, shown, scratch[0])


@kernel
def clear(result: Any) -> None:
    """Forget what the step before brought. Mutates: result."""
    result.reward[:] = 0.0
    result.nuggets[:] = 0
    result.round_over = result.ended = False
    result.winner = 0


@kernel
def end_round(game: Any, result: Any, i: int, paying: int, seed: np.uint64, shown: Shown, step: Any) -> None:
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
            _show_end(game, result, i, shown)
        result.ended = True
        result.episode += 1
        start_match(game, key(seed, i, result.episode))
    result.playing[:] = result.controller


@kernel
def _show_end(game: Any, result: Any, i: int, shown: Shown) -> None:
    # The last observation of the first seat that is played from outside.
    public = game.public
    learner = 0
    for seat in range(MAX_PLAYERS):
        result.nuggets[seat] = public.nuggets[seat]
    while learner + 1 < public.rules.players and result.playing[learner] < 0:
        learner += 1
    if shown.final.shape[1]:
        shown.final[i] = 0
        observe(public, game.private[learner], learner, shown.frames[0], shown.history, shown.final[i])


@kernel
def show(first: int, last: int, records: Any, results: Any, shown: Shown, scratch: Any) -> None:
    """Write what the seats to move of the games first … last-1 see. Mutates: results, what `shown` holds."""
    shown = borrow(shown)
    for i in range(first, last):
        _show(records[i], results[i], i, shown, scratch[0])


@kernel
def _show(game: Any, result: Any, i: int, shown: Shown, step: Any) -> None:
    public, legal, frame = game.public, shown.legal, shown.frames[0]
    seat, players = np.int64(public.seat), np.int64(public.rules.players)
    own = game.private[seat]
    masked = shown.mask.shape[1] > 0 or shown.bits.shape[1] > 0
    if masked:
        _mark(i, result.legal_count, legal, shown.mask, shown.bits, 0)
    kept = 0
    for j in range(legal_moves(public, own, step.moves)):
        action = action_of(np.int64(step.moves[j]), seat, players, frame)
        legal[i, kept] = action
        kept += action >= 0
    result.legal_count, result.seat = kept, seat
    if masked:
        _mark(i, kept, legal, shown.mask, shown.bits, 1)
    if shown.observation.shape[1]:
        shown.observation[i] = 0
        observe(public, own, seat, frame, shown.history, shown.observation[i])


@kernel
def _mark(i: int, count: int, legal: Any, mask: Any, bits: Any, value: int) -> None:
    # Only the bits that were set are taken back: a mask is long and nearly empty.
    for j in range(count * (mask.shape[1] > 0)):
        mask[i, legal[i, j]] = value
    for j in range(count * (bits.shape[1] > 0)):
        bits[i, legal[i, j] >> 3] = value * (bits[i, legal[i, j] >> 3] | 1 << (legal[i, j] & 7))
