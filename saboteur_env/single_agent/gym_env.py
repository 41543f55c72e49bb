"""One seat of one game as an environment of Gymnasium."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from ..core.checks import as_int
from ..core.seeds import checked_seed
from ..environment.infos import info_of
from ..environment.settings import Settings
from .base import RewardFn, SingleAgentBatch, check_options
from .frames import RENDER_MODES, checked_render_mode, frame


class SingleAgentEnv(gymnasium.Env[Any, np.int64]):
    """A batch of one game, `SingleAgentBatch`, as `gymnasium.make("saboteur_env/Solo-v0", …)` makes it.

    An episode is a match. Every info has `action_mask`, int8[actions], and the other keys of infos.py, which say at
    the end how the match ended.

    Args:
        players, opponents, settings, reward_fn, learner, keywords: as for `SingleAgentBatch`.
        render_mode: `ansi`, `rgb_array` or None: what the learner may see, at its last decision.

    Raises: ValueError that names an impossible setting.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        players: int | None = None,
        opponents: Any = "scripted",
        render_mode: str | None = None,
        settings: Settings | Mapping[str, Any] | None = None,
        reward_fn: RewardFn | None = None,
        learner: int | str = 0,
        **keywords: Any,
    ) -> None:
        self.render_mode = checked_render_mode(render_mode)
        self.games = SingleAgentBatch(1, players, opponents, None, 1, settings, reward_fn, learner, **keywords)
        self.observation_space, self.action_space = self.games.observation_space(), self.games.action_space()
        self._over = False
        self._view: Any = None

    __copy__ = deepcopy  # one that shared the arrays would play in them

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a match: that of `Game(seed=game_seed(seed, 0))`, without a seed the next one after it.

        Raises: ValueError for a bad seed, and for options, as there are none.
        """
        check_options(options)
        seed = None if seed is None else checked_seed(seed)
        if seed is not None or not self._over:  # after an end the batch has begun the next match by itself
            self.games.reset(seed)
        super().reset(seed=seed)
        self._over = False
        return self._decision()

    def step(self, action: int | np.int64) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take an action; the others follow until this seat decides again or the match ends.

        Raises: as `SingleAgentBatch.step`; RuntimeError after the end of a match.
        """
        if self._over:
            raise RuntimeError("the match is over: call reset()")
        number = as_int(action)
        self.games.step(np.array([action if number is None else number]))
        reward = float(self.games.reward[0])
        for _, final, how in self.games.ends():
            self._over = True
            return final, reward, bool(self.games.ended[0]), bool(self.games.truncated[0]), how
        observation, info = self._decision()
        return observation, reward, False, False, info

    def _decision(self) -> tuple[Any, dict[str, Any]]:
        if self.render_mode is not None:
            self._view = self.games.view(0)
        item = self.games
        return item.shaped(item.observation[0]), {"action_mask": item.mask[0], **info_of(int(item.role[0]))}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions the learner may take now: bool[actions]."""
        return self.games.mask[0].astype(np.bool_)

    def render(self) -> Any:
        """The mine as the learner saw it at its last decision: text, or a picture uint8[h, w, 3]."""
        return frame(self._view, self.render_mode)

    def set_opponents(self, opponents: Any) -> None:
        """Play against others from the next round on. Raises: as `SingleAgentBatch.set_opponents`."""
        self.games.set_opponents(opponents)

    def __repr__(self) -> str:
        return self.games.described_by(type(self).__name__)

    def close(self) -> None:
        """A step after this is an error."""
        self.games.close()
