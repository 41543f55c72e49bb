"""The kernels of a batch: an array of records, each waiting for one decision. They step one after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from ..core.compiled.jit import inlined, kernel, separate
from ..core.compiled.memory import Record, copy_record, fetch_add, record_dtype, without_refcount
from ..core.prng import key
from ..engine.deal import start_match
from ..engine.legal import legal_moves
from ..engine.play import next_round_unchecked, play_unchecked
from ..engine.state import MAX_PLAYERS, Games, Public, State, fetch_game
from ..environment.actions import legal_actions, move_of_action
from ..environment.encoder import observe
from ..environment.infos import UNKNOWN_ROLE
from ..environment.rewards import NO_SHAPING, Wages, pay_round, potential
from .legal_rows import LegalRows, number_at, room_for
from .redraw import redraw
from .seats import LEARNER, take_seats

# What the last step of one game brought. One record instead of many arrays: an array costs two atomic
# operations each time a kernel passes it on, a record none.
STEP_RESULT = record_dtype(
    ("episode", "i8"),
    ("legal_count", "i4"),
    ("seat", "i1"),
    ("round_over", "?"),
    ("ended", "?"),
    ("winner", "i1"),
    ("playing", "i1", MAX_PLAYERS),  # who plays each seat in this round
    ("controller", "i1", (2, MAX_PLAYERS)),  # and from the next deal on, by its role
    ("nuggets", "i1", MAX_PLAYERS),
    ("roles", "i1", MAX_PLAYERS),
    ("reward", "f4", MAX_PLAYERS),
    ("potential", "f4", MAX_PLAYERS),
    ("earned", "f4"),
    ("final_seat", "i1"),
)
BLOCK = 64  # games that a thread takes at once, where threads share them
RESULT_FIELDS = STEP_RESULT.names or ()
T = TypeVar("T", bound=np.generic)


class Column(Generic[T]):
    """A field of all results as an array, made when it is first asked for after a step."""

    def __set_name__(self, owner: type[Any], name: str) -> None:
        self._name = name

    def __get__(self, vec: Any, owner: type[Any]) -> npt.NDArray[T]:
        # From now on the attribute of the object is found first, until `_play` takes it away.
        column: npt.NDArray[T] = vec.results[self._name].copy()
        vec.__dict__[self._name] = column
        return column


class Result(Record):
    """A `RESULT` record, as kernels take it."""


class KernelOutputs(NamedTuple):
    """The output arrays of a batch; arrays that are switched off have no columns. Vec describes them."""

    legal: LegalRows
    mask: Any
    bits: Any
    observation: Any
    final: Any
    drawn: Any
    codecs: Any
    history: int
    in_moves: bool


class Part(NamedTuple):
    """A part of a batch, which one thread plays: the games first … last-1.

    Attributes:
        handed_out: int64[1], how many games of the batch threads have begun to play, where they share all of them, a
            block at a time; int64[0] where each has its part.
        records: STATE[n]; results: RESULT[n]; shown: all of the whole batch.
        scratch: STEP[1], of this thread alone.
        seating: SEATING[1], of the whole batch.
        deals: STATE[n], each game as its round was dealt; STATE[0] where they are not kept.
    """

    first: int
    last: int
    handed_out: Any
    records: Games
    results: Any
    shown: KernelOutputs
    scratch: Any
    seating: Any
    deals: Any


class Embedded(NamedTuple):
    """Opponents that play inside a batch, without Python, and who else can be asked to.

    Attributes:
        names: number k of them is controller -1 - k.
        play: plays their decisions in a `Part` until in each game somebody outside is to move. It gets what is
            paid, the batch's seed, the thread's room to think in, and the part; `advance` must show it.
        workspace: dtype of a record, that room.
        player_of: the number of an opponent in `names`, or the `Player` (opponents.py), of a spec.
    """

    names: tuple[str, ...]
    play: Callable[[Wages, np.uint64, Any, Part], object]
    workspace: np.dtype[np.void]
    player_of: Callable[[Any], Any]


@kernel
def begin_episodes(episodes: Any, seed: np.uint64, part: Part) -> None:
    """Begin these episodes of a part's games; a game with a negative number continues. `advance` must show it.

    Mutates: records and results.
    """
    records, results = part.records, part.results
    for i in range(part.first, part.last):
        if episodes[i] < 0:
            continue
        result = results[i]
        clear(result)
        for seat in range(MAX_PLAYERS):
            result.potential[seat] = np.nan
        result.episode = episodes[i]
        start_match(records[i], key(seed, i, episodes[i]))
        _seat(records[i], result, i, seed, part)


@kernel
def advance(indices: Any, wages: Wages, shows: bool, seed: np.uint64, part: Part) -> None:
    """Let a part's games take the legal actions at their indices, and write what the seats to move see.

    Args:
        indices: int64[n], for each game of the batch an index into its row of legal actions; int64[0] if it is only to
            be shown.
        wages: what is paid, and the discount of the shaping.
        shows: whether observations and masks are written.
        seed: of the batch.
        part: the games, their results and their outputs.

    Mutates: all arrays of theirs, what they show only if `shows`; another call must show it else.
    Requires: places in range.
    """
    shared = len(part.handed_out) > 0
    first = fetch_add(part.handed_out, BLOCK) if shared else part.first
    while first < part.last:
        last = min(first + BLOCK, part.last) if shared else part.last
        _advance(first, last, indices, wages, shows, seed, part)
        first = fetch_add(part.handed_out, BLOCK) if shared else last


@inlined
def _advance(first: int, last: int, indices: Any, wages: Wages, shows: bool, seed: np.uint64, part: Part) -> None:
    records, results = part.records, part.results
    outputs, plays = without_refcount(part.shown), len(indices) > 0
    following = _chosen(first, indices, records[first].public, outputs)
    for i in range(first, last):
        game, result = records[i], results[i]
        move, after = following, min(i + 1, last - 1)
        following = _chosen(after, indices, records[after].public, outputs)
        fetch_game(records[after])  # on its way while this one is played: where games are many it comes from far away
        if plays:
            if result.round_over or wages.shaping != NO_SHAPING:
                clear(result)
            play_unchecked(game, move)
            if game.public.over:  # a kernel of its own for these lines would count the owners of all of `part`
                end_round(game, result, i, wages, seed, part)
        if shows:
            _show(game, result, i, outputs)


@inlined
def _chosen(i: int, indices: Any, public: Public, outputs: KernelOutputs) -> int:
    # The move of a game, read while the game before is played: all that follows depends on it.
    if not len(indices):
        return 0
    number = number_at(outputs.legal, i, indices[i])
    if outputs.in_moves:
        return number
    return move_of_action(number, np.int64(public.seat), np.int64(public.rules.players), outputs.codecs[0])


@separate
def clear(result: Result) -> None:
    """Clear the results of the previous step. Mutates: result."""
    for seat in range(MAX_PLAYERS):  # assigned as a whole, they would be checked for their shapes first
        result.reward[seat], result.nuggets[seat], result.roles[seat] = 0.0, 0, UNKNOWN_ROLE
    result.round_over = result.ended = False
    result.winner = 0
    result.earned = 0.0


@kernel
def play_moves(games: Any, moves: Any, wages: Wages, seed: np.uint64, part: Part) -> None:
    """Let the seats to move of these games play moves, within the step that runs. `advance` must show it.

    Args:
        games: int64[k]; moves: int64[k], legal ones.

    Mutates: records and results, what `shown` holds of ends. Requires: nobody else plays in the batch meanwhile.
    """
    for k in range(len(games)):
        i = games[k]
        game = part.records[i]
        play_unchecked(game, moves[k])
        if game.public.over:
            end_round(game, part.results[i], i, wages, seed, part)


@separate
def end_round(game: State, result: Result, i: int, wages: Wages, seed: np.uint64, part: Part) -> None:
    """Pay for a round that is over, show how the episode ends with the last, deal the next, say who plays.

    Args:
        i: the index of the game in the batch.
        wages: what is paid, and the discount of the shaping.
        seed: of the batch.

    Rounds that finish after the episode already ended in this step give no reward.

    Mutates: all but `game`'s rules; what `part.shown` holds of the end.
    """
    public = game.public
    if not result.ended:
        result.round_over, result.winner = True, public.winner
        _pay(game, result, wages, part.scratch[0])
        if public.round_number == public.rules.rounds:
            _show_end(game, result, i, without_refcount(part.shown))
    if public.round_number < public.rules.rounds:
        next_round_unchecked(game)
    else:
        result.ended = True
        result.episode += 1
        start_match(game, key(seed, i, result.episode))
    _seat(game, result, i, seed, part)


@kernel
def _seat(game: State, result: Result, i: int, seed: np.uint64, part: Part) -> None:
    take_seats(game, result, part.seating[0], key(seed, i, result.episode))
    part.shown.drawn[i].of_round = False
    if len(part.deals):
        copy_record(part.deals[i], game)


@kernel
def _pay(game: State, result: Result, wages: Wages, step: Any) -> None:
    pay_round(game, wages.reward, step.paid)
    earned, learners = 0.0, 0
    for seat in range(MAX_PLAYERS):
        result.reward[seat] += step.paid[seat]
        learns = seat < game.public.rules.players and result.playing[seat] == LEARNER
        earned += step.paid[seat] * learns
        learners += np.int64(learns)
    result.earned += earned / max(1, learners)


@separate
def _show_end(game: State, result: Result, i: int, outputs: KernelOutputs) -> None:
    # What all know at the end, and the last observation of the first seat that is played from outside.
    public = game.public
    learner = 0
    for seat in range(MAX_PLAYERS):
        result.nuggets[seat] = public.nuggets[seat]
        if not np.isnan(result.potential[seat]):  # the potential of the end is 0
            result.reward[seat] -= result.potential[seat]
        result.potential[seat] = np.nan
    for seat in range(public.rules.players):
        result.roles[seat] = game.private[seat].role
    while learner + 1 < public.rules.players and result.playing[learner] < 0:
        learner += 1
    result.final_seat = learner
    if outputs.final.shape[1]:
        outputs.final[i] = 0
        observe(public, game.private[learner], learner, outputs.codecs[0], outputs.history, outputs.final[i])


@kernel
def shape(wages: Wages, pays: bool, part: Part) -> None:
    """Note the potential of the seats to move of a part's games.

    Args:
        pays: whether a step was taken, so that each is paid for what became of its potential since its last decision.

    Mutates: `reward` and `potential` of results, scratch. Requires: each of them is played from outside.
    """
    records, results, distance = part.records, part.results, part.scratch[0].distance
    for i in range(part.first, part.last):
        game, result = records[i], results[i]
        seat = np.int64(game.public.seat)
        before, now = result.potential[seat], potential(game, seat, wages.shaping, distance)
        if pays and not np.isnan(before):
            result.reward[seat] += wages.gamma * now - before
        result.potential[seat] = now


@inlined
def _show(game: State, result: Result, i: int, outputs: KernelOutputs) -> None:
    public, legal, codec = game.public, outputs.legal, outputs.codecs[0]
    seat, players = np.int64(public.seat), np.int64(public.rules.players)
    private, row = game.private[seat], room_for(legal, i)
    masked = outputs.mask.shape[1] > 0 or outputs.bits.shape[1] > 0
    if masked:
        _mark(i, np.int64(result.legal_count), outputs, 0)
    count = legal_moves(public, private, row)
    if len(legal.short):
        count = legal_actions(row, count, seat, players, codec, legal.short[i])
    elif not outputs.in_moves:
        count = legal_actions(row, count, seat, players, codec, row)
    result.legal_count, result.seat = count, seat
    if masked:
        _mark(i, count, outputs, 1)
    if outputs.observation.shape[1]:
        redraw(public, private, seat, codec, outputs.history, outputs.observation[i], outputs.drawn[i])


@inlined
def _mark(i: int, count: int, outputs: KernelOutputs, value: int) -> None:
    # Only the bits that were set are taken back: a mask is long and nearly empty.
    legal, mask, bits = outputs.legal, outputs.mask, outputs.bits
    for j in range(count * (mask.shape[1] > 0)):
        mask[i, number_at(legal, i, j)] = value
    for j in range(count * (bits.shape[1] > 0)):
        number = number_at(legal, i, j)
        bits[i, number >> 3] = value * (bits[i, number >> 3] | 1 << (number & 7))
