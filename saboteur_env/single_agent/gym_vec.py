"""The batch as a vector environment of Gymnasium."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ..core.seeds import checked_seed
from ..environment.settings import Settings
from .base import RewardFn, SingleAgentBatch, check_options


class GymVec(VectorEnv[Any, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Games with one learner each, `SingleAgentBatch`, as `gymnasium.make_vec("saboteur_env/Solo-v0", …)` makes them.

    An episode is a match. A game that ends begins its next match in the same step: the step returns the new
    observation, `infos["final_obs"]` holds the last one and `infos["final_info"]` how it ended. Infos are columns of
    the keys of infos.py; `infos["action_mask"]` is int8[n, actions]. All arrays are free to keep.

    Args:
        num_envs: how many games.
        players, opponents, threads, settings, reward_fn, learner, keywords: as for `SingleAgentBatch`.

    Raises: ValueError that names an impossible setting.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        players: int | Sequence[int] | None = None,
        opponents: Any = "scripted",
        threads: int | None = None,
        settings: Settings | Mapping[str, Any] | None = None,
        reward_fn: RewardFn | None = None,
        learner: int | str = 0,
        **keywords: Any,
    ) -> None:
        self.games = SingleAgentBatch(
            num_envs, players, opponents, None, threads, settings, reward_fn, learner, **keywords
        )
        self.num_envs = num_envs = self.games.vec.num_games
        self.autoreset_mode = AutoresetMode.SAME_STEP
        self.single_observation_space = self.games.observation_space()
        self.single_action_space = self.games.action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    __copy__ = deepcopy  # one that shared the arrays would play in them

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin all games again: game i is `Game(seed=game_seed(seed, i))`, without a seed the next match of each.

        Raises: ValueError for a bad seed, and for options, as there are none.
        """
        check_options(options)
        seed = None if seed is None else checked_seed(seed)
        self.games.reset(seed)
        super().reset(seed=seed)
        return self.games.shaped(self.games.observation), self._infos(())

    def step(self, actions: npt.ArrayLike) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Take an action in every game. Nothing is ever truncated.

        Args:
            actions: whole numbers [n].

        Raises: as `SingleAgentBatch.step`.
        """
        item = self.games
        item.step(actions)
        infos, truncated = self._infos(item.ends()), np.zeros(self.num_envs, np.bool_)
        return item.shaped(item.observation), item.reward.astype(np.float64), item.ended, truncated, infos

    def _infos(self, ends: Iterable[tuple[int, Any, dict[str, Any]]]) -> dict[str, Any]:
        infos: dict[str, Any] = {}
        for i, final, how in ends:
            infos = self._add_info(infos, {"final_obs": final, "final_info": how}, i)
        columns, all_have = self.games.infos(), np.ones(self.num_envs, np.bool_)
        return {**infos, **columns, **{f"_{name}": all_have for name in columns}}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions the learners may take now: bool[n, actions]."""
        return self.games.mask.astype(np.bool_)

    def set_opponents(self, opponents: Any) -> None:
        """Play against others from the next round on. Raises: as `SingleAgentBatch.set_opponents`."""
        self.games.set_opponents(opponents)

    def __repr__(self) -> str:
        return self.games.described_by(type(self).__name__)

    def close_extras(self, **_: Any) -> None:
        """End the threads; a step after that is an error."""
        self.games.close()
