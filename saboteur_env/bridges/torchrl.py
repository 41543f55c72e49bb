"""A batch with one learner in each game as an environment of TorchRL, and networks for it. Needs TorchRL."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from ..core.extras import extra
from ..single_agent.gym_vec import GymVec

with extra("bridges"):
    import torch
    from tensordict import TensorDict, TensorDictBase
    from tensordict.nn import TensorDictModule
    from torch import nn
    from torchrl.data import Binary, Categorical, Composite, Unbounded
    from torchrl.envs import EnvBase
    from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator


class SaboteurTorchRL(EnvBase):
    """Games with one learner each (`GymVec`), with `observation` float32[n, bytes] and `action_mask` bool[n, actions].

    TorchRL's collectors begin the matches that are over again. The mask where a match is over is that of the first
    decision of the next one.

    Args:
        num_envs: how many games; keywords: as for `GymVec`.
        device: where its tensors are; the games are played on the CPU.

    Raises: ValueError that names an impossible setting.
    """

    def __init__(self, num_envs: int, device: Any = "cpu", **keywords: Any) -> None:
        self._games = games = GymVec(num_envs, autoreset_mode=AutoresetMode.DISABLED, **keywords)
        super().__init__(device=device, batch_size=torch.Size([num_envs]))
        seen, acts = games.games.observation.shape, games.games.mask.shape
        self._first_seed: int | None = None
        mask = Binary(acts[1], shape=acts, dtype=torch.bool)
        self.observation_spec = Composite(observation=Unbounded(seen), action_mask=mask, shape=(num_envs,))
        self.action_spec = Categorical(acts[1], shape=(num_envs,))
        self.reward_spec = Unbounded((num_envs, 1))
        over = {name: Binary(1, shape=(num_envs, 1), dtype=torch.bool) for name in ("done", "terminated", "truncated")}
        self.full_done_spec = Composite(over, shape=(num_envs,))
        self.to(device)

    def _reset(self, tensordict: TensorDictBase | None = None, **_: Any) -> TensorDictBase:
        mask = None if tensordict is None else tensordict.get("_reset", None)
        if mask is None or mask.all():
            seen, _infos = self._games.reset(seed=self._first_seed)
            self._first_seed = None
        else:
            seen, _infos = self._games.reset(options={"reset_mask": mask.view(-1).cpu().numpy()})
        return self._as_tensors(seen)

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        result = self._games.step(tensordict["action"].cpu().numpy())
        seen, reward, terminated, truncated, _ = result
        columns = {"reward": reward.astype(np.float32), "terminated": terminated, "truncated": truncated}
        columns["done"] = terminated | truncated
        return self._as_tensors(seen, **columns)

    def _as_tensors(self, seen: npt.NDArray[np.int8], **columns: npt.NDArray[Any]) -> TensorDictBase:
        tensors = {name: torch.from_numpy(column)[:, None] for name, column in columns.items()}
        tensors["observation"] = torch.from_numpy(seen).float()
        tensors["action_mask"] = torch.from_numpy(self._games.action_masks())
        return TensorDict(tensors, self.batch_size).to(self.device)

    def _set_seed(self, seed: int | None) -> None:
        self._first_seed = seed


def masked_networks(env: SaboteurTorchRL, hidden: int = 128) -> tuple[ProbabilisticActor, ValueOperator]:
    """An actor that draws legal actions, and a critic.

    Args:
        hidden: width of the one hidden layer of each.
    """
    logits = TensorDictModule(_layers(env, hidden, env.action_spec.n), ["observation"], ["logits"])
    keys = {"logits": "logits", "mask": "action_mask"}
    actor = ProbabilisticActor(logits, in_keys=keys, distribution_class=MaskedCategorical, return_log_prob=True)
    return actor, ValueOperator(_layers(env, hidden, 1), ["observation"])


def _layers(env: SaboteurTorchRL, hidden: int, outputs: int) -> nn.Module:
    seen = env.observation_spec["observation"].shape[1]
    layers = [nn.LayerNorm(seen), nn.Linear(seen, hidden), nn.ReLU(), nn.Linear(hidden, outputs)]
    return nn.Sequential(*layers).to(env.device)
