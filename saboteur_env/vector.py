"""Thousands of games at once: an array of records stepped by the kernels of the single game, on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from .actions import Box, move_of_action
from .engine.cards import KINDS, PATH_KINDS, ROCKFALL
from .engine.chance import below, key
from .engine.deal import start_match
from .engine.editions import Rules
from .engine.game import Game, checked_seed
from .engine.jit import kernel
from .engine.play import next_round_unchecked, play_unchecked
from .engine.state import MAX_PLAYERS, blank
from .observations import observe
from .rewards import REWARDS, pay_round
from .settings import Settings
from .stepping import STEP, list_actions

MASKS = ("int8", "packed", None)


def make_vec(
    num_games: int,
    players: int | Sequence[int] = 5,
    seed: int | None = None,
    threads: int | None = None,
    observations: bool = True,
    mask: str | None = "int8",
    settings: Settings | None = None,
    **keywords: Any,
) -> Vec:
    """A batch of games.

    Args:
        players: one number for all, or one for each game.
        seed: game i begins as `Game(seed=game_seed(seed, i))`, its next episode with `game_seed(seed, i, 1)`.
        threads: all cores if not given.
        observations: whether they are written.
        mask: `int8`, `packed` (bits, `numpy.packbits` order little) or None.
        settings: as for the single environment, or by keywords; its `players` does not count here.

    Raises: ValueError that names an impossible setting.
    """
    base = settings if settings is not None else Settings(**keywords)
    return Vec(num_games, players, checked_seed(seed), threads or os.cpu_count() or 1, observations, mask, base)


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
        ],
    )
)


class Vec:
    """A batch of games, each waiting for the decision of one seat. The arrays are overwritten by every step.

    Attributes:
        observation: int8[n, bytes], what the seat to move sees (observations.py); None where switched off.
        mask: int8[n, actions] or uint8[n, bytes of bits]; None where switched off.
        legal: int16 or int32[n, L], the legal actions of the seat to move, the first `legal_count` of each row.
        legal_count: int32[n]. At least one.
        seat: int8[n], the seat to move.
        reward: float32[n, 10], paid to each seat by the last step.
        round_over: bool[n], whether the last step ended a round (the next is dealt already).
        ended: bool[n], whether it ended the match (the next episode has begun already, as in SAME_STEP autoreset).
        winner: int8[n], of the round that ended (engine/state.py), 0 where none did.
        nuggets: int8[n, 10], at the end of a match that ended, 0 elsewhere.
        episode: int64[n], counted from 0.
        players: int8[n].
    """

    legal_count: npt.NDArray[np.int32]
    seat: npt.NDArray[np.int8]
    reward: npt.NDArray[np.float32]
    round_over: npt.NDArray[np.bool_]
    ended: npt.NDArray[np.bool_]
    winner: npt.NDArray[np.int8]
    nuggets: npt.NDArray[np.int8]
    episode: npt.NDArray[np.int64]

    def __init__(
        self,
        num_games: int,
        players: int | Sequence[int],
        seed: int,
        threads: int,
        observations: bool,
        mask: str | None,
        settings: Settings,
    ) -> None:
        if not isinstance(num_games, int) or num_games < 1:
            raise ValueError(f"num_games must be a whole number from 1, not {num_games!r}")
        if mask not in MASKS:
            raise ValueError(f"mask must be one of {MASKS}, not {mask!r}")
        counts = [players] * num_games if isinstance(players, int) else list(players)
        if len(counts) != num_games:
            raise ValueError(f"players must be one number, or one for each of {num_games} games, not {len(counts)}")
        self.num_games, self.settings, self.seed, self.threads = num_games, settings, seed, threads
        self._rules = {count: replace(settings, players=count).rules for count in sorted(set(counts))}
        self.players = np.array(counts, np.int8)
        self._records = blank(num_games)
        for count, rules in self._rules.items():
            one = blank()
            rules.write(one[0].public.rules)
            self._records["public"]["rules"][self.players == count] = one["public"]["rules"][0]
        self._allocate(observations, mask)
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._shares = _shares(num_games, threads)
        self._scratch = np.zeros(threads, STEP)
        self.reset()

    def _allocate(self, observations: bool, mask: str | None) -> None:
        n, actions = self.num_games, self.settings.actions.count
        most = max(most_actions(rules) for rules in self._rules.values())
        width = self.settings.observations.bytes if observations else 0
        self._observation = np.zeros((n, width), np.int8)
        self._mask = np.zeros((n, actions if mask == "int8" else 0), np.int8)
        self._bits = np.zeros((n, (actions + 7) // 8 if mask == "packed" else 0), np.uint8)
        self._results = np.zeros(n, RESULT)
        self.observation = self._observation if observations else None
        self.mask = {"int8": self._mask, "packed": self._bits, None: None}[mask]
        self.legal = np.zeros((n, most), np.int16 if actions < 1 << 15 else np.int32)
        for name in RESULT.names or ():
            setattr(self, name, self._results[name])

    def reset(self, seed: int | None = None) -> None:
        """Begin every game anew with its episode 0. Raises: ValueError for a bad seed."""
        self.seed = self.seed if seed is None else checked_seed(seed)
        self._each_share(lambda first, last, scratch: _begin(first, last, np.uint64(self.seed), *self._arrays(scratch)))

    def step(self, actions: npt.ArrayLike) -> None:
        """Let the seat to move of every game take an action.

        Args:
            actions: whole numbers [n].

        Raises: ValueError naming the games whose action is not legal; then no game is advanced.
        """
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_games,) or chosen.dtype.kind not in "iu":
            raise ValueError(
                f"actions must be {self.num_games} whole numbers, not {chosen.dtype} of shape {chosen.shape}"
            )
        chosen = np.ascontiguousarray(chosen, np.int64)
        wrong = np.flatnonzero(_illegal(chosen, self.legal, self.legal_count))
        if len(wrong):
            shown = ", ".join(f"{i} (action {chosen[i]})" for i in wrong[:10].tolist())
            more = f" and {len(wrong) - 10} more" if len(wrong) > 10 else ""
            raise ValueError(f"the actions of these games are not legal, and no game was advanced: {shown}{more}")
        paying, seed = REWARDS.index(self.settings.reward), np.uint64(self.seed)
        self._each_share(
            lambda first, last, scratch: _advance(chosen, paying, first, last, seed, *self._arrays(scratch))
        )

    def sample(self, seed: int) -> npt.NDArray[np.int64]:
        """A random legal action for every game, int64[n]; the same seed gives the same."""
        return _sample(self.legal, self.legal_count, np.uint64(checked_seed(seed)))

    def game(self, index: int) -> Game:
        """A copy of one game as a checked game, secrets included."""
        return Game.of_records(self._records[index : index + 1].copy(), self._rules[int(self.players[index])])

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def _arrays(self, scratch: Any) -> tuple[Any, ...]:
        shown = (self.legal, self._mask, self._bits, self._observation)
        return self._records, self._results, *shown, self.settings.actions.box, self.settings.history, scratch

    def _each_share(self, work: Callable[[int, int, Any], object]) -> None:
        if self._pool is None:
            work(0, self.num_games, self._scratch)
            return
        tasks = [
            self._pool.submit(work, first, last, self._scratch[i : i + 1])
            for i, (first, last) in enumerate(self._shares)
        ]
        for task in tasks:
            task.result()


def most_actions(rules: Rules) -> int:
    """More legal actions than any position of these rules has.

    A piece of k cards has at most 2 k + 2 free open sides, and a rockfall leaves at most three pieces more.
    """
    cards = sum(rules.deck[:PATH_KINDS]) + 4
    fronts = 2 * cards + 2 * (1 + 3 * rules.deck[ROCKFALL])
    return fronts * min(26, 2 * rules.hand_size) + cards + 12 * rules.players + 3 + len(KINDS)


def _shares(games: int, threads: int) -> list[tuple[int, int]]:
    edges = np.linspace(0, games, threads + 1).astype(int).tolist()
    return [(first, last) for first, last in pairwise(edges) if last > first]


@kernel
def _illegal(actions: Any, legal: Any, counts: Any) -> Any:
    wrong = np.ones(len(actions), np.bool_)
    for i in range(len(actions)):
        for j in range(counts[i]):
            if legal[i, j] == actions[i]:
                wrong[i] = False
                break
    return wrong


@kernel
def _sample(legal: Any, counts: Any, seed: np.uint64) -> Any:
    actions = np.empty(len(counts), np.int64)
    for i in range(len(counts)):
        place, _ = below(seed, np.uint64(i), np.int64(counts[i]))
        actions[i] = legal[i, place]
    return actions


@kernel
def _begin(
    first: int,
    last: int,
    seed: np.uint64,
    records: Any,
    results: Any,
    legal: Any,
    mask: Any,
    bits: Any,
    observation: Any,
    box: Box,
    history: int,
    scratch: Any,
) -> None:
    for i in range(first, last):
        _hide(results[i].legal_count, i, legal, mask, bits)
        _clear(results[i])
        results[i].episode = 0
        start_match(records[i], key(seed, i, 0))
        _show(records[i], results[i], i, legal, mask, bits, observation, box, history, scratch[0])


@kernel
def _advance(
    actions: Any,
    paying: int,
    first: int,
    last: int,
    seed: np.uint64,
    records: Any,
    results: Any,
    legal: Any,
    mask: Any,
    bits: Any,
    observation: Any,
    box: Box,
    history: int,
    scratch: Any,
) -> None:
    for i in range(first, last):
        game, result = records[i], results[i]
        public = game.public
        if result.round_over:
            _clear(result)
        play_unchecked(game, move_of_action(actions[i], np.int64(public.seat), np.int64(public.rules.players), box))
        _hide(result.legal_count, i, legal, mask, bits)
        if public.over:
            _end_round(game, result, paying, key(seed, i, result.episode + 1), scratch[0])
        _show(game, result, i, legal, mask, bits, observation, box, history, scratch[0])


@kernel
def _clear(result: Any) -> None:
    result.reward[:] = 0.0
    result.nuggets[:] = 0
    result.round_over = result.ended = False
    result.winner = 0


@kernel
def _end_round(game: Any, result: Any, paying: int, next_seed: np.uint64, step: Any) -> None:
    public = game.public
    result.round_over, result.winner = True, public.winner
    pay_round(game, paying, step.paid)
    for seat in range(MAX_PLAYERS):
        result.reward[seat] = step.paid[seat]
    if public.round_number < public.rules.rounds:
        next_round_unchecked(game)
        return
    result.ended = True
    for seat in range(MAX_PLAYERS):
        result.nuggets[seat] = public.nuggets[seat]
    result.episode += 1
    start_match(game, next_seed)


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
