"""Thousands of games at once: an array of records stepped by the kernels of the single game."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.checks import COUNTS, checked_int
from ..core.compiled.jit import kernel
from ..core.legal_lists import as_int_array, indices_of, sample
from ..core.prng import key
from ..core.schema import among, shown
from ..core.seeds import checked_seed
from .actions import ACTIONS
from .engine.legal import MAX_MOVES
from .engine.play import start_match
from .engine.rules import Rules
from .engine.state import MAX_PLAYERS, Games, blank
from .game import Game
from .observations import BYTES, observe
from .rewards import REWARDS
from .stepping import GOES_ON, MATCH_OVER, list_actions, step_unchecked


class Vec:
    """A batch of matches, each waiting for the decision of one seat. The arrays are overwritten by every step.

    Args:
        num_games: how many matches.
        seed: match i begins as `Game(seed=game_seed(seed, i))`, its next episode with `game_seed(seed, i, 1)`.
        reward: `win`, `places` or `points` (rewards.py).
        players, deck, games, options: as for the game (game.py).

    Attributes:
        observation: int8[n, BYTES], what the seat to move sees (observations.py).
        mask: int8[n, ACTIONS], its legal actions (actions.py).
        legal: int32[n, MAX_MOVES], the same listed, the first `legal_count` (int32[n]) of each row.
        seat: int8[n], the seat to move.
        reward: float32[n, 6], paid to each seat by the last step.
        game_over: bool[n], whether the last step ended a game (the next is dealt already).
        ended: bool[n], whether it ended the match (the next episode has begun already).
        episode: int64[n], counted from 0.

    Raises: ValueError that names an impossible setting.
    """

    def __init__(
        self,
        num_games: int,
        players: int = 4,
        deck: str | Mapping[str, int] = "sheet",
        seed: int | None = None,
        games: int = 1,
        options: Mapping[str, Any] | None = None,
        reward: str = "win",
    ) -> None:
        num_games = checked_int("num_games", num_games, COUNTS)
        if not among(reward, REWARDS):
            raise ValueError(f"reward must be one of {', '.join(REWARDS)}, not {shown(reward)}")
        self.rules, self.seed = Rules.make(players, deck, games, options), checked_seed(seed)
        self.num_games, self._reward_id, self.records = num_games, REWARDS.index(reward), blank(num_games)
        item = blank()
        self.rules.write(item[0].public.rules)
        self.records["public"]["rules"] = item["public"]["rules"]
        self.observation = np.zeros((num_games, BYTES), np.int8)
        self.mask = np.zeros((num_games, ACTIONS), np.int8)
        self.legal = np.zeros((num_games, MAX_MOVES), np.int32)
        self.legal_count, self.seat = np.zeros(num_games, np.int32), np.zeros(num_games, np.int8)
        self.reward = np.zeros((num_games, MAX_PLAYERS), np.float32)
        self.game_over, self.ended = np.zeros((2, num_games), np.bool_)
        self.episode = np.zeros(num_games, np.int64)
        self.reset()

    __copy__ = deepcopy  # one that shared the arrays would play in them

    def __repr__(self) -> str:
        return f"<Wazabi Vec of {self.num_games:,} matches, {self.rules.players} players>"

    def reset(self, seed: int | None = None) -> None:
        """Begin every match again with its episode 0. Raises: ValueError for a bad seed."""
        self.seed = self.seed if seed is None else checked_seed(seed)
        for array in (self.reward, self.game_over, self.ended, self.episode):
            array[:] = 0
        _begin(self.records, np.uint64(self.seed))
        self._show()

    def step(self, actions: npt.ArrayLike) -> None:
        """Let the seat to move of every game take an action.

        Args:
            actions: whole numbers [n].

        Raises: ValueError naming the games whose action is not legal; then no game is advanced.
        """
        chosen = as_int_array("actions", actions, self.num_games)
        wrong = np.flatnonzero(indices_of(chosen, self.legal, self.legal_count) < 0)
        if len(wrong):
            raise ValueError(f"the actions of games {wrong[:10].tolist()} are not legal, and no game was advanced")
        outputs = _StepOutputs(self.reward, self.game_over, self.ended, self.episode)
        _advance(self.records, chosen, self._reward_id, np.uint64(self.seed), outputs)
        self._show()

    def sample(self, seed: int) -> npt.NDArray[np.int64]:
        """A random legal action for every game, int64[n]; the same seed gives the same."""
        return sample(self.legal, self.legal_count, np.uint64(checked_seed(seed)))

    def game(self, index: int) -> Game:
        """A copy of one game as a `Game`, secrets included."""
        return Game.of_records(self.records[index : index + 1].copy(), self.rules)

    def _show(self) -> None:
        _show(self.records, self.observation, self.mask, self.legal, self.legal_count, self.seat)


@kernel
def _begin(records: Games, seed: np.uint64) -> None:
    for i in range(len(records)):
        start_match(records[i], key(seed, i, 0))


class _StepOutputs(NamedTuple):
    reward: Any
    game_over: Any
    ended: Any
    episode: Any


@kernel
def _advance(records: Games, actions: Any, reward_id: int, seed: np.uint64, outputs: _StepOutputs) -> None:
    for i in range(len(records)):
        outcome = step_unchecked(records[i], actions[i], reward_id, outputs.reward[i])
        outputs.game_over[i], outputs.ended[i] = outcome != GOES_ON, outcome == MATCH_OVER
        if outputs.ended[i]:
            outputs.episode[i] += 1
            start_match(records[i], key(seed, i, outputs.episode[i]))


@kernel
def _show(records: Games, observation: Any, mask: Any, legal: Any, legal_count: Any, seat: Any) -> None:
    for i in range(len(records)):
        public = records[i].public
        private = records[i].private[public.seat]
        for j in range(legal_count[i]):
            mask[i, legal[i, j]] = 0
        seat[i], legal_count[i] = public.seat, list_actions(public, private, legal[i])
        for j in range(legal_count[i]):
            mask[i, legal[i, j]] = 1
        observation[i] = 0
        observe(public, private, np.int64(public.seat), observation[i])
