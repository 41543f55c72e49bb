"""Thousands of games at once: an array of records stepped by the kernels of the single game, on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.checks import COUNTS, checked_int
from ..core.compiled.memory import aligned_zeros, in_place
from ..core.legal_lists import all_legal, as_int_array, indices_of, random_indices, sample
from ..core.schema import counted
from ..core.seeds import checked_seed
from ..engine.moves import text_of
from ..engine.state import Games, blank
from ..environment.rewards import NO_SHAPING
from ..environment.settings import Settings
from ..environment.stepping import STEP
from .kernels import (
    RESULT_FIELDS,
    STEP_RESULT,
    Column,
    Embedded,
    KernelOutputs,
    Part,
    advance,
    begin_episodes,
    play_moves,
    shape,
)
from .legal_rows import MOVES, blank_rows
from .opponents import Opponents, restored_on_error
from .outputs import Outputs
from .redraw import DRAWN
from .row_length import row_length
from .seated import Seated
from .seats import players_of_games
from .threads import Threads, even_parts

MADE_ANEW = "observation", "final_observation", "mask", "legal", "_counts", "_parts", "_shared", "_threads", "_embedded"
NO_NUMBERS = np.zeros(0, np.int64)


def make_vec(
    num_games: int,
    players: int | Sequence[int] = 5,
    seed: int | None = None,
    threads: int | None = None,
    observations: bool = True,
    mask: str | None = "int8",
    legal: str = "actions",
    settings: Settings | Mapping[str, Any] | None = None,
    opponents: Embedded | None = None,
    **keywords: Any,
) -> Vec:
    """A batch of games.

    Args:
        players: one number for all, or one for each game.
        seed: game i begins as `Game(seed=game_seed(seed, i))`, its next episode with `game_seed(seed, i, 1)`.
        threads: if not given one for each 512 games, at most all cores.
        observations: whether they are written.
        mask: `int8`, `packed` (bits, `numpy.packbits` order little) or None.
        legal: what `legal` lists and `step` takes: `actions` (actions.py), or `moves` of the whole board as the engine
            numbers them (engine/moves.py), for random play, search and statistics; these need `mask=None`.
        settings: as for the single environment, or by keywords; its `players` does not count here.
        opponents: who can play inside, for `Vec.control`; `saboteur_env.make_vec` passes the preset dwarfs.

    Raises: ValueError that names an impossible setting.
    """
    games = checked_int("num_games", num_games, COUNTS)
    many = _that_pay(games) if threads is None else checked_int("threads", threads, COUNTS)
    base = Settings.of(settings, keywords, players)
    outputs = Outputs(observations, mask, legal).check()
    return Vec(players_of_games(players, games), checked_seed(seed), many, outputs, base, opponents)


class Vec(Seated):
    """A batch of games, each waiting for the decision of one seat; `make_vec` makes one.

    All arrays are contiguous, so that DLPack takes them as they are. `observation`, `mask`, `legal` and
    `final_observation` begin where a cache line does and are overwritten by every step; the others are new with it.
    A step writes only what has changed since the last one: copy what is to be changed, and do not write into them.

    Attributes:
        observation: int8[n, bytes], what the seat to move sees (observations.py); None where switched off.
        mask: int8[n, actions] or uint8[n, bytes of bits]; None where switched off.
        legal: int16[n, L], the legal actions of the seat to move, the first `legal_count` of each row. int32[n, L] for
            moves, and where the window has more actions than two bytes can number (`full`).
        legal_count: int32[n]. At least one.
        seat: int8[n], the seat to move.
        reward: float32[n, 10], paid to each seat by the last step, shaping included for seats played from outside.
        round_over: bool[n], whether the last step ended a round (the next is dealt already).
        ended: bool[n], whether it ended the match (the next episode has begun already, as in SAME_STEP autoreset).
        winner: int8[n], of the round that ended (engine/state.py), 0 where none did.
        nuggets: int8[n, 10], at the end of a match that ended, 0 elsewhere.
        roles: int8[n, 10], of the last round of a match that ended (1 a saboteur), -1 elsewhere.
        potential: float32[n, 10], with shaping, of each seat at its last decision (rewards.py), NaN before the first.
        earned: float32[n], paid for rounds to the seats of controller 0 by the last step, the mean over them.
        final_seat: int8[n], the seat of `final_observation`.
        episode: int64[n], counted from 0.
        playing: int8[n, 10], who plays each seat in this round.
        controller: int8[n, 2, 10], who plays each seat from the next deal on, by its role; set it by `control`.
        final_observation: int8[n, bytes], where a match ended what the first seat played from outside saw last.
        players: int8[n].
    """

    legal_count: Column[np.int32] = Column()
    seat: Column[np.int8] = Column()
    reward: Column[np.float32] = Column()
    round_over: Column[np.bool_] = Column()
    ended: Column[np.bool_] = Column()
    winner: Column[np.int8] = Column()
    nuggets: Column[np.int8] = Column()
    roles: Column[np.int8] = Column()
    potential: Column[np.float32] = Column()
    earned: Column[np.float32] = Column()
    final_seat: Column[np.int8] = Column()
    episode: Column[np.int64] = Column()
    playing: Column[np.int8] = Column()
    controller: Column[np.int8] = Column()

    def __init__(
        self,
        counts: Sequence[int],
        seed: int,
        threads: int,
        outputs: Outputs,
        settings: Settings,
        opponents: Embedded | None = None,
    ) -> None:
        self.num_games, self.settings, self.seed, self.threads = len(counts), settings, seed, threads
        self._outputs, self._opponents = outputs, Opponents(opponents)
        self._rules = {count: replace(settings, players=count).rules for count in sorted(set(counts))}
        self.players = np.array(counts, np.int8)
        self._records, self._deals = blank(self.num_games), blank(0)
        item = blank()
        for count, rules in self._rules.items():
            rules.write(item[0].public.rules)
            self._records["public"]["rules"][self.players == count] = item["public"]["rules"][0]
        self._allocate()
        self._wages = settings.wages
        self._workspaces = np.zeros(threads, opponents.workspace if opponents else np.uint8)
        self.reset()

    def _allocate(self) -> None:
        n, actions = self.num_games, self.settings.actions.count
        observations, mask, listed = self._outputs
        most = max(row_length(rules) for rules in self._rules.values())
        width = self.settings.observations.bytes if observations else 0
        self._observation, self._final = aligned_zeros((n, width), np.int8), aligned_zeros((n, width), np.int8)
        self._mask = aligned_zeros((n, actions if mask == "int8" else 0), np.int8)
        self._bits = aligned_zeros((n, (actions + 7) // 8 if mask == "packed" else 0), np.uint8)
        self._results, self._drawn = np.zeros(n, STEP_RESULT), np.zeros(n, DRAWN)
        self._legal = blank_rows(n, self.threads, most, actions if listed == "actions" else MOVES)
        self._bind()

    def _bind(self) -> None:
        # What a pickle leaves out, as it would not come back the same: copies of results, threads, kernels.
        observations, mask, self._listed = self._outputs
        self.observation = self._observation if observations else None
        self.final_observation = self._final if observations else None
        self.legal = self._legal.listed
        self.mask = {"int8": self._mask, "packed": self._bits, None: None}[mask]
        self._counts = self._results["legal_count"]
        self._parts = self._share_out(self.threads)
        handed_out = np.zeros(1, np.int64)
        self._shared = [part._replace(first=0, last=self.num_games, handed_out=handed_out) for part in self._parts]
        self._threads = Threads(len(self._parts))
        self._embedded = min(self._results["controller"].min(), self._results["playing"].min()) < 0

    def __getstate__(self) -> dict[str, Any]:
        left_out = {*RESULT_FIELDS, *MADE_ANEW}
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for name in ("_records", "_deals", "_observation", "_final", "_mask", "_bits"):
            setattr(self, name, in_place(getattr(self, name)))
        self._legal = self._legal.in_place()
        self._bind()

    __copy__ = deepcopy  # one that shared the arrays would play in them

    def reset(self, seed: int | None = None) -> None:
        """Begin every game again with its episode 0. Raises: ValueError for a bad seed."""
        self.seed = self.seed if seed is None else checked_seed(seed)
        self.begin(np.zeros(self.num_games, np.int64))

    def begin(self, episodes: npt.ArrayLike) -> None:
        """Abort games and begin the given episodes. The aborted episodes give no reward.

        Args:
            episodes: whole numbers [n]; a game with a negative one goes on.

        Raises: ValueError for another shape or type.
        """
        chosen = as_int_array("episodes", episodes, self.num_games)
        self._play(partial(begin_episodes, chosen, np.uint64(self.seed)), shows=False)

    def step(self, actions: npt.ArrayLike) -> None:
        """Let the seat to move of every game take an action.

        Args:
            actions: whole numbers [n], as `legal` lists them.

        Raises: ValueError naming the games whose action is not legal; then no game is advanced.
        """
        chosen = as_int_array(self._listed, actions, self.num_games)
        self._advance(indices_of(chosen, self.legal, self._counts), self._listed, chosen)

    def take(self, indices: npt.ArrayLike) -> None:
        """Let the seat to move of every game take the entry at an index in its row of `legal`. This needs no search.

        Args:
            indices: whole numbers [n], each from 0 below `legal_count`.

        Raises: as `step`.
        """
        chosen = as_int_array("indices", indices, self.num_games)
        self._advance(chosen, "indices", chosen)

    def _advance(self, indices: npt.NDArray[np.int64], what: str, given: npt.NDArray[np.int64]) -> None:
        if not all_legal(indices, self._counts):
            wrong = np.flatnonzero((indices < 0) | (indices >= self.legal_count))
            single = {"indices": "index"}.get(what, what[:-1])
            named = ", ".join(f"{i} ({single} {given[i]})" for i in wrong[:10].tolist())
            more = f" and {len(wrong) - 10} more" if len(wrong) > 10 else ""
            raise ValueError(f"the {what} of these games are not legal, and no game was advanced: {named}{more}")
        shows = not self._embedded
        self._play(partial(advance, indices, self._wages, shows, np.uint64(self.seed)), shows, pays=True)

    def sample_indices(self, seed: int) -> npt.NDArray[np.int64]:
        """A random index into `legal` for every game, int64[n]; the same seed gives the same."""
        return random_indices(self._counts, np.uint64(checked_seed(seed)))

    def sample(self, seed: int) -> npt.NDArray[np.int64]:
        """The entries of `legal` at `sample_indices(seed)`, int64[n]."""
        return sample(self.legal, self._counts, np.uint64(checked_seed(seed)))

    def text(self, index: int, number: int | np.integer[Any]) -> str:
        """The move text of what `legal` lists for a game. Raises: ValueError for an action there is not."""
        if self._listed == "moves":
            return text_of(int(number))
        return self.settings.actions.text(int(number), int(self.seat[index]), int(self.players[index]))

    @property
    def results(self) -> npt.NDArray[np.void]:
        """The results of the last step, RESULT[n] (kernels.py); the attributes with the same names come from it."""
        return self._results

    def restore(self, records: Games, results: npt.NDArray[np.void]) -> None:
        """Continue exactly from the `records` and `results` of a batch with the same settings and seed.

        Args:
            records: STATE[n]; results: RESULT[n].

        Raises: ValueError for arrays of another shape or type.
        """
        for name, here, there in (("records", self._records, records), ("results", self._results, results)):
            if (there.shape, there.dtype) != (here.shape, here.dtype):
                raise ValueError(f"{name} must be {here.dtype.name}{list(here.shape)}, of a batch with these settings")
            here[:] = there
        self._mask[:] = self._bits[:] = 0
        self._drawn["of_round"] = False
        self._deals[:] = self._records[: len(self._deals)]
        self._bind()
        self._play(None, shows=False)

    def __repr__(self) -> str:
        seated, games = "/".join(map(str, self._rules)), counted(self.num_games, "game")
        return f"<Vec of {games}, {seated} players, edition {self.settings.edition}, {counted(self.threads, 'thread')}>"

    def close(self) -> None:
        """End the threads. A later step starts new ones."""
        self._threads.close()

    def _share_out(self, threads: int) -> list[Part]:
        # What the kernels of each thread work on.
        settings, scratch, seating = self.settings, np.zeros(threads, STEP), self._opponents.seating
        arrays = (self._mask, self._bits, self._observation, self._final, self._drawn)
        rest = (*arrays, settings.actions.codecs, settings.history, self._listed == "moves")
        games = self._records, self._results
        shown = [KernelOutputs(self._legal.of_thread(i), *rest) for i in range(threads)]
        return [
            Part(first, last, NO_NUMBERS, *games, shown[i], scratch[i : i + 1], seating, self._deals)
            for i, (first, last) in enumerate(even_parts(self.num_games, threads))
            if last > first
        ]

    def _play(self, take: Callable[[Part], object] | None, shows: bool, pays: bool = False) -> None:
        # Every thread works on its part of the games; opponents play until a decision is asked of outside. Where no
        # other kernel follows on these games, threads share all of them, a block at a time.
        for name in RESULT_FIELDS:
            self.__dict__.pop(name, None)
        if take and shows and self._wages.shaping == NO_SHAPING and not self._opponents.players:
            self._shared[0].handed_out[0] = 0
            self._threads.run(lambda i: take(self._shared[i]))
            return
        if not self._opponents.players:
            self._threads.run(lambda i: self._move_and_show(i, take, shows, pays))
            return
        with restored_on_error(self._records, self._results, self._final):
            self._threads.run(lambda i: self._move(i, take))
            self._opponents.play(self, self._play_moves)
        self._threads.run(lambda i: self._show(i, False, pays))

    def _move_and_show(self, number: int, take: Callable[[Part], object] | None, shows: bool, pays: bool) -> None:
        self._move(number, take)
        self._show(number, shows, pays)

    def _move(self, number: int, take: Callable[[Part], object] | None) -> None:
        part, embedded = self._parts[number], self._opponents.embedded
        if take:
            take(part)
        if embedded and self._embedded:
            embedded.play(self._wages, np.uint64(self.seed), self._workspaces[number : number + 1], part)

    def _play_moves(self, games: npt.NDArray[np.int64], moves: npt.NDArray[np.int64]) -> None:
        play_moves(games, moves, self._wages, np.uint64(self.seed), self._parts[0])
        for number in range(len(self._parts)):
            self._move(number, None)

    def _show(self, number: int, shows: bool, pays: bool) -> None:
        if self._wages.shaping != NO_SHAPING:
            shape(self._wages, pays, self._parts[number])
        if not shows:
            advance(NO_NUMBERS, self._wages, True, np.uint64(self.seed), self._parts[number])


def _that_pay(num_games: int) -> int:
    # A step of fewer games is over before a second thread has woken up.
    return max(1, min(os.cpu_count() or 1, num_games // 512))
