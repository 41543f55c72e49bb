"""The batch as a vector environment of stable-baselines3, for sb3-contrib's unchanged MaskablePPO.

It needs the extra `sb3`. For self-play over all seats use `make_vec` and trajectories.py instead.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.extras import extra

with extra("sb3"):
    from stable_baselines3.common.vec_env import VecEnv

from ..core.seeds import checked_seed, game_seed
from ..environment.infos import HIDDEN_INFOS
from ..environment.settings import Settings
from ..game.game import Game
from .base import RewardFn, SingleAgentBatch, check_options

_AT_DECISION = {"action_mask": None, "role": 0, **HIDDEN_INFOS, "TimeLimit.truncated": False}


class _EnvView:
    """One game, as stable-baselines3 asks after single environments by `get_attr` and `env_method`."""

    render_mode = spec = None

    def __init__(self, games: SingleAgentBatch, index: int) -> None:
        self._learners, self._index = games, index

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions the learner may take now: bool[actions]."""
        return self._learners.mask[self._index].view(np.bool_)

    @property
    def game(self) -> Game:
        """A copy of the game, secrets included."""
        return self._learners.vec.game(self._index)


class SaboteurVecEnv(VecEnv):
    """Games with one learner each (`SingleAgentBatch`) as a VecEnv: a step leads to each learner's next decision.

    An episode is a match. An info has the keys of infos.py and `TimeLimit.truncated`; where a match ends it is that
    of the end, with `terminal_observation` and `episode` (return, decisions and seconds, so that no monitor is needed)
    too. Arrays are not overwritten. A pickled environment continues exactly, in another process too.

    Args:
        num_envs: how many games.
        players, opponents, seed, threads, settings, reward_fn, learner, keywords: as for `SingleAgentBatch`.

    Attributes:
        returns: float64[n], what each learner was paid in its match so far.

    Raises: ValueError that names an impossible setting.
    """

    def __init__(
        self,
        num_envs: int,
        players: int | Sequence[int] | None = None,
        opponents: Any = "scripted",
        seed: int | None = None,
        threads: int | None = None,
        settings: Settings | Mapping[str, Any] | None = None,
        reward_fn: RewardFn | None = None,
        learner: int | str = 0,
        **keywords: Any,
    ) -> None:
        self.games = SingleAgentBatch(
            num_envs, players, opponents, seed, threads, settings, reward_fn, learner, **keywords
        )
        num_envs = self.games.vec.num_games
        self.columns = [_EnvView(self.games, i) for i in range(num_envs)]
        self._seed: int | None = None
        self._actions: Any = None
        self._began = time.time()
        self.returns = np.zeros(num_envs)
        super().__init__(num_envs, self.games.observation_space(), self.games.action_space())

    __copy__ = deepcopy  # one that shared the arrays would play in them

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """The decisions of each learner in its match so far: int64[n]."""
        return self.games.length

    def seed(self, seed: int | None = None) -> Sequence[int]:
        """Set the seed of the next `reset`; column i will be `Game(seed=game_seed(seed, i))`.

        Returns: those seeds.

        Raises: ValueError for a bad seed.
        """
        self._seed = checked_seed(seed)
        return [game_seed(self._seed, i) for i in range(self.num_envs)]

    def reset(self) -> Any:
        """Begin all games again, by the seed set last; without one the first match of each, or its next.

        Raises: ValueError for options set before, as there are none; RuntimeError after `close`.
        """
        check_options(next(filter(None, self._options), None))
        self.games.reset(self._seed)
        self._seed = None
        self.returns[:] = 0.0
        return self.games.shaped(self.games.observation)

    def step_async(self, actions: npt.ArrayLike) -> None:
        """Take the actions, int[n], that `step_wait` plays."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """Play the actions. Raises: as `SingleAgentBatch.step`."""
        item = self.games
        item.step(self._actions)
        self.returns += item.reward
        infos = self._infos()
        for i, final, how in item.ends():
            seconds = round(time.time() - self._began, 6)
            episode = {"r": float(self.returns[i]), "l": int(item.final_length[i]), "t": seconds}
            infos[i] |= {**how, "terminal_observation": final, "episode": episode}
            infos[i]["TimeLimit.truncated"] = bool(item.truncated[i])
        self.returns[item.over] = 0.0
        return item.shaped(item.observation), item.reward, item.over, infos

    def _infos(self) -> list[dict[str, Any]]:
        # Of the decisions that follow, a dict for each column.
        item = self.games
        infos = [_AT_DECISION.copy() for _ in range(self.num_envs)]
        for info, mask, role in zip(infos, item.mask, item.role.tolist(), strict=True):
            info["action_mask"], info["role"] = mask, role
        return infos

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of each column. Raises: AttributeError where a column has none of that name."""
        return [getattr(column, attr_name) for column in self._chosen(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of each column."""
        for column in self._chosen(indices):
            setattr(column, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Call a method of each environment: mostly `action_masks`, which is called at every step."""
        if method_name == "action_masks":
            masks = self.games.mask.view(np.bool_)
            return [*masks] if indices is None else [masks[i] for i in self._get_indices(indices)]
        return [method(*method_args, **method_kwargs) for method in self.get_attr(method_name, indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """False for each column: nothing is wrapped inside."""
        return [False for _ in self._chosen(indices)]

    def _chosen(self, indices: Any) -> list[_EnvView]:
        return [self.columns[i] for i in self._get_indices(indices)]

    def set_opponents(self, opponents: Any) -> None:
        """Play against others from the next round on. Raises: as `SingleAgentBatch.set_opponents`."""
        self.games.set_opponents(opponents)

    def __repr__(self) -> str:
        return self.games.described_by(type(self).__name__)

    def close(self) -> None:
        """End the threads; a step after that is an error."""
        self.games.close()
