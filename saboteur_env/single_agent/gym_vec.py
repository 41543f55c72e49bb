"""The batch as a vector environment of Gymnasium."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ..core.seeds import checked_seed
from ..environment.infos import Info
from ..environment.settings import Settings
from ..game.view import View
from .base import RewardFn, SingleAgentBatch, check_options
from .frames import RENDER_MODES, checked_render_mode, frame


class GymVec(VectorEnv[Any, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Games with one learner each, `SingleAgentBatch`, as `gymnasium.make_vec("saboteur_env/Solo-v0", …)` makes them.

    An episode is a match. Infos are columns of the keys of infos.py; `infos["action_mask"]` is int8[n, actions]. All
    arrays are free to keep. What follows the end of a match is the autoreset mode, as Gymnasium's own vectors have it:

    - `SAME_STEP`: the next match begins in the same step. The step returns its first observation,
      `infos["final_obs"]` holds the last one and `infos["final_info"]` how the match ended.
    - `NEXT_STEP`: the step returns the last observation and how the match ended; the next step begins the next match,
      whatever the action.
    - `DISABLED`: as before, but `reset(options={"reset_mask": bool[n]})` begins the next match.

    Args:
        num_envs: how many games.
        players, opponents, threads, settings, reward_fn, learner, keywords: as for `SingleAgentBatch`.
        autoreset_mode: one of Gymnasium's `AutoresetMode`, or its value.
        render_mode: `ansi`, `rgb_array` or None: what the learners may see, at their last decisions.
        max_episode_steps: the learner's decisions after which a match is truncated, None for no limit.

    Raises: ValueError that names an impossible setting.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "autoreset_mode": AutoresetMode.SAME_STEP,
        "render_modes": RENDER_MODES,
        "render_fps": 2,
    }

    def __init__(
        self,
        num_envs: int = 1,
        players: int | Sequence[int] | None = None,
        opponents: Any = "scripted",
        threads: int | None = None,
        settings: Settings | Mapping[str, Any] | None = None,
        reward_fn: RewardFn | None = None,
        learner: int | str = 0,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        render_mode: str | None = None,
        max_episode_steps: int | None = None,
        **keywords: Any,
    ) -> None:
        self.autoreset_mode, self.render_mode = _mode(autoreset_mode), checked_render_mode(render_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.games = SingleAgentBatch(
            num_envs, players, opponents, None, threads, settings, reward_fn, learner, max_episode_steps, **keywords
        )
        self.num_envs = num_envs = self.games.vec.num_games
        self.single_observation_space = self.games.observation_space()
        self.single_action_space = self.games.action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._waiting = np.zeros(num_envs, np.bool_)  # for a reset: their next match has begun, but was not shown
        self._views: list[View | None] = [None] * num_envs

    __copy__ = deepcopy  # one that shared the arrays would play in them

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin all games again: game i is `Game(seed=game_seed(seed, i))`, without a seed the next match of each.

        Args:
            options: `reset_mask`, bool[n], the games to begin with their next match; the others go on.

        Raises: ValueError for a bad seed, and for other options.
        """
        chosen = self._chosen({**(options or {})}, seed)
        seed, games = None if seed is None else checked_seed(seed), self.games
        if seed is None and games.begun:
            games.begin(np.where(chosen, games.vec.episode + ~self._waiting, -1))
        else:
            games.reset(seed)
        super().reset(seed=seed)
        self._waiting &= ~chosen
        self._look(chosen)
        return games.shaped(games.observation), _columns(games.infos())

    def _chosen(self, options: dict[str, Any], seed: int | None) -> npt.NDArray[np.bool_]:
        mask = np.asarray(options.pop("reset_mask", np.ones(self.num_envs, np.bool_)))
        check_options(options)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise ValueError(f"reset_mask must be bool[{self.num_envs}] with at least one game, not {mask!r}")
        if seed is not None and not mask.all():
            raise ValueError("a seed is for all games: a reset of some takes none")
        return mask

    def step(self, actions: npt.ArrayLike) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Take an action in every game.

        Args:
            actions: whole numbers [n]; those of games that begin their next match do not count.

        Raises: as `SingleAgentBatch.step`; RuntimeError where a match is over and resets are left to you.
        """
        item = self.games
        if self.autoreset_mode == AutoresetMode.DISABLED and self._waiting.any():
            over = ", ".join(map(str, np.flatnonzero(self._waiting)))
            raise RuntimeError(f'the matches of these games are over: {over}; call reset(options={{"reset_mask": …}})')
        item.step(actions, self._waiting)
        same_step = self.autoreset_mode == AutoresetMode.SAME_STEP
        observation, infos = self._with_finals() if same_step else self._with_ends()
        self._waiting = item.over & (not same_step)
        self._look(~self._waiting)
        return item.shaped(observation), item.reward.astype(np.float64), item.ended, item.truncated, infos

    def _with_finals(self) -> tuple[npt.NDArray[np.int8], dict[str, Any]]:
        # What the next matches begin with, and beside it how the last ones ended.
        item, over = self.games, self.games.over
        infos = _columns(item.infos())
        if over.any():
            seen = np.full(self.num_envs, None, object)
            for i, final in zip(np.flatnonzero(over), item.final_observation, strict=True):
                seen[i] = item.shaped(final)
            infos |= {"final_obs": seen, "final_info": _columns(_spread(item.final_infos(), over), over)}
            infos |= {"_final_obs": over, "_final_info": over}
        return item.observation, infos

    def _with_ends(self) -> tuple[npt.NDArray[np.int8], dict[str, Any]]:
        # How the last matches ended, in the rows of their games.
        item, over = self.games, self.games.over
        if not over.any():
            return item.observation, _columns(item.infos())
        observation = item.observation.copy()
        observation[over] = item.final_observation
        return observation, _columns(_spread(item.final_infos(), over, item.infos()))

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions the learners may take now, bool[n, actions]; where a match is over, first in the next one."""
        return self.games.mask.astype(np.bool_)

    def _look(self, which: npt.NDArray[np.bool_]) -> None:
        if self.render_mode is not None:
            for i in np.flatnonzero(which).tolist():
                self._views[i] = self.games.view(i)

    def render(self) -> tuple[Any, ...]:
        """The mines as the learners saw them at their last decisions: texts, or pictures uint8[h, w, 3]."""
        return tuple(frame(view, self.render_mode) for view in self._views)

    def set_opponents(self, opponents: Any) -> None:
        """Play against others from the next round on. Raises: as `SingleAgentBatch.set_opponents`."""
        self.games.set_opponents(opponents)

    def __repr__(self) -> str:
        return self.games.described_by(type(self).__name__)

    def close_extras(self, **_: Any) -> None:
        """End the threads; a step after that is an error."""
        self.games.close()


def _mode(said: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(said)
    except ValueError:
        there = ", ".join(mode.value for mode in AutoresetMode)
        raise ValueError(f"autoreset_mode must be one of {there}, not {said!r}") from None


def _columns(infos: Info, which: npt.NDArray[np.bool_] | None = None) -> Info:
    # With the masks of Gymnasium, which say in which rows there is an info; in all of them if not given.
    rows = np.ones(len(infos["role"]), np.bool_) if which is None else which
    return infos | {f"_{name}": rows for name in infos}


def _spread(infos: Info, which: npt.NDArray[np.bool_], others: Info | None = None) -> Info:
    # Columns of k games in the rows of all games; zeros elsewhere, or what the others say.
    spread = {}
    for name, column in infos.items():
        shape = len(which), *column.shape[1:]
        spread[name] = np.zeros(shape, column.dtype) if others is None else others[name].copy()
        spread[name][which] = column
    return spread
