"""sb3-contrib's MaskablePPO as it is, for one seat among dwarfs of the roster: what self-play is set beside.

It learns by stock's perceptron, from stock's rollouts of every action there is. A run of it is kept, goes on and is
judged as one of self-play is; nothing but the clock of its log is lost with it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

import numpy as np

from saboteur_env.core.extras import extra

with extra("train"):
    import torch
    from sb3_contrib import MaskablePPO
    from torch import Tensor, nn

from saboteur_env.agents.learned.inputs import Sight
from saboteur_env.single_agent.sb3 import SaboteurVecEnv


class StockPPO(MaskablePPO):
    """MaskablePPO that writes its log once a rollout is learned from, and comes back from a checkpoint.

    Args:
        env: games with one learner each.
        width: of both hidden layers.
        keywords: as for MaskablePPO.
    """

    env: SaboteurVecEnv
    policy: Any

    def __init__(self, env: SaboteurVecEnv, width: int, **keywords: Any) -> None:
        super().__init__("MlpPolicy", env, policy_kwargs={"net_arch": [width, width]}, **keywords)

    @property
    def network(self) -> nn.Module:
        """What learns."""
        return self.policy

    @property
    def batch(self) -> Any:
        """The games."""
        return self.env.learners.vec

    @torch.no_grad()
    def choose(self, sight: Sight) -> Tensor:
        """Draw a legal action for each decision: its place, int64[b]."""
        counts = sight.counts
        owner = torch.repeat_interleave(counts)
        shape = len(counts), self.action_space.n  # type: ignore[attr-defined]
        mask = torch.zeros(shape, dtype=torch.bool, device="cpu")
        mask[owner.cpu(), sight.legal.cpu()] = True
        action = self.policy(sight.observation, action_masks=mask.numpy())[0]
        taken = torch.nonzero(sight.legal == action[owner]).squeeze(1)
        return taken - (counts.cumsum(0) - counts)

    def dump_logs(self, iteration: int = 0) -> None:
        """Nothing yet: a rollout is logged once it is learned from."""

    def train(self) -> None:
        """As stock does."""
        super().train()
        super().dump_logs()

    def kept(self) -> tuple[dict[str, Tensor], dict[str, Any]]:
        """See checkpoints.py."""
        lots: Any = np.random.get_state()
        _, keys, *place = lots
        running = {"returns": self.env.returns, "lengths": self.env.lengths, "starts": self._last_episode_starts}
        tensors = {f"column.{name}": torch.from_numpy(np.array(array)) for name, array in running.items()}
        tensors["chance.numpy"] = torch.from_numpy(keys.astype(np.int64))  # safetensors knows no uint32
        return tensors, {"chance": place, "ended": list(self.ep_info_buffer or ())}

    def go_on(self, tensors: Mapping[str, Tensor], told: Mapping[str, Any]) -> None:
        """See checkpoints.py."""
        learners = self.env.learners
        self.env.returns[:], self.env.lengths[:] = tensors["column.returns"], tensors["column.lengths"]
        learners.look()
        self._last_obs = learners.shaped(learners.observation)
        self._last_episode_starts = tensors["column.starts"].numpy().copy()
        self.ep_info_buffer = deque(told["ended"], maxlen=self._stats_window_size)
        self.ep_success_buffer = deque(maxlen=self._stats_window_size)
        place, spare, lot = told["chance"]
        np.random.set_state(("MT19937", tensors["chance.numpy"].numpy().astype(np.uint32), place, spare, lot))
