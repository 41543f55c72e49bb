"""Games sampled from a view, side by side: roll-outs in all of them, and what a network says of where they end."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from saboteur_env.core.extras import extra

with extra("learned"):
    import torch

from saboteur_env.core.compiled.jit import kernel
from saboteur_env.core.compiled.memory import copy_record
from saboteur_env.core.prng import key
from saboteur_env.engine.cards import MINER
from saboteur_env.engine.editions import Rules
from saboteur_env.engine.play import play_unchecked
from saboteur_env.engine.state import MINERS, RUNNING, Games, InfoState, blank, to_move

from ..beliefs.action_model import TRACKED, track
from ..beliefs.tracker import BeliefTracker
from ..learned.ppo import Ppo
from ..learned.single import one_thread
from ..scripted.policy import WORKSPACE
from ..scripted.select import choose
from .determinization import sample_determinization

Integers = npt.NDArray[np.int64]

BATCH_ROWS = 64  # games that a network looks at in one forward pass


class _Table(NamedTuple):
    rules: Rules


class SampledGames:
    """Room for sampled games, as a network sees a batch.

    Args:
        net: the network that judges them.

    Attributes:
        records: STATE[BATCH_ROWS].
    """

    def __init__(self, net: Ppo) -> None:
        self.records, self.seeds = blank(BATCH_ROWS), np.zeros(BATCH_ROWS, np.uint64)
        self.num_games, self.threads = BATCH_ROWS, 1
        self.settings: Any = None
        self._net, self._player = net, net.in_batches(net)
        self._tracked, self._space = np.zeros(1, TRACKED), np.zeros(1, WORKSPACE)
        self._tracker = BeliefTracker(self, net.action_model) if net.action_model else None
        if self._tracker:
            self._player.follow(self._tracker)

    def begin(self, known: InfoState, rules: Rules) -> None:
        """Let all games go on from the record that a seat sees."""
        self.settings = _Table(rules)
        if self._net.action_model:
            self._tracked["count"] = 0
            _track(known, self._net.action_model.styles, self._tracked)

    def sample(self, belief: Any, known: InfoState, moves: Integers, worlds: range, seed: np.uint64) -> int:
        """Sample some worlds, and play each move of the observer in each of them; returns the number of games.

        Args:
            belief: BELIEF[1].
            moves: int64[k]; those of a world lie one after the other.
        """
        if self._tracker:
            self._tracker.start_from(self._tracked[0])
        _sample(belief, known, moves, worlds.start, worlds.stop, seed, self.records, self.seeds)
        return len(worlds) * len(moves)

    def roll_out(self, count: int, depth: int, dwarfs: Any) -> None:
        """Play so many turns on in the first games: by a preset dwarf, DWARF[1], or by the network where it is None."""
        if dwarfs is not None:
            _roll_out(self.records, count, depth, dwarfs, self.seeds, self._space)
            return
        for _ in range(depth):
            games = self._running(count)
            if len(games):
                with one_thread():
                    moves = self._player.moves(self, games, _keys(self.records, games, self.seeds))
                _play(self.records, games, moves)

    def miners_chances(self, count: int) -> npt.NDArray[np.float64]:
        """How likely the miners win each of the first games: float64[count]. The seat to move judges."""
        games, won = self._running(count), (self.records["public"]["winner"][:count] == MINERS).astype(np.float64)
        if len(games):
            inputs, _ = self._player.look(self, games)
            with torch.inference_mode(), one_thread():
                value = self._net.network(*inputs).value.double().clamp(-1, 1).numpy()
            seats = self.records["public"]["seat"][games]
            digs = self.records["private"]["role"][games, seats] == MINER
            won[games] = 0.5 + 0.5 * np.where(digs, value, -value)
        return won

    def _running(self, count: int) -> Integers:
        return np.flatnonzero(self.records["public"]["winner"][:count] == RUNNING)


@kernel
def _track(known: InfoState, styles: Any, tracked: Any) -> None:
    track(known.public, styles, tracked[0])


@kernel
def _sample(
    belief: Any, known: InfoState, moves: Any, first: int, last: int, seed: np.uint64, games: Games, seeds: Any
) -> None:
    for world in range(first, last):
        begin = (world - first) * len(moves)
        sample_determinization(belief[0], known, games[begin], key(seed, 0, world))
        for i in range(1, len(moves)):
            copy_record(games[begin + i], games[begin])
        for i in range(len(moves)):
            play_unchecked(games[begin + i], moves[i])
            seeds[begin + i] = key(seed, 1, world)


@kernel
def _roll_out(games: Games, count: int, depth: int, dwarfs: Any, seeds: Any, spaces: Any) -> None:
    for i in range(count):
        game, turns = games[i], 0
        while game.public.winner == RUNNING and turns != depth:
            turn_key = key(seeds[i], 0, np.int64(game.public.event_count))
            play_unchecked(game, choose(dwarfs[0], to_move(game), turn_key, spaces[0]))
            turns += 1


@kernel
def _keys(games: Games, asked: Integers, seeds: Any) -> Any:
    keys = np.empty(len(asked), np.uint64)
    for k in range(len(asked)):
        keys[k] = key(seeds[asked[k]], 0, np.int64(games[asked[k]].public.event_count))
    return keys


@kernel
def _play(games: Games, asked: Integers, moves: Integers) -> None:
    for k in range(len(asked)):
        play_unchecked(games[asked[k]], moves[k])
