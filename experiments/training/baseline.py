"""sb3-contrib's unchanged MaskablePPO for one seat among preset dwarfs: the baseline for self-play.

It uses the multilayer perceptron and the rollouts of stock MaskablePPO, with every action. A run is stored, resumed and
evaluated like one of self-play. On resuming only the clock of its log is lost.
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
    from stable_baselines3.common.logger import KVWriter, Logger
    from torch import Tensor, nn

from saboteur_env.agents.learned.inputs import PolicyInputs
from saboteur_env.environment.settings import Settings
from saboteur_env.single_agent.sb3 import SaboteurVecEnv

from ..common.statistics import Row
from .config import EvaluationConfig, Learning
from .evaluation import Policy, evaluate_policy


class StockPPO(MaskablePPO):
    """MaskablePPO whose `learn` is done step by step, as a `Learner` (checkpoints.py).

    Args:
        env: games with one learner each.
        width: of both hidden layers.
    """

    env: SaboteurVecEnv
    policy: Any

    def __init__(self, env: SaboteurVecEnv, width: int, learning: Learning, seed: int, device: torch.device) -> None:
        layers = {"net_arch": [width, width]}
        super().__init__("MlpPolicy", env, policy_kwargs=layers, seed=seed, device=device, **_keywords(learning))
        self._measured = _Measured()
        self._callback: Any = None
        self.set_logger(Logger(None, [self._measured]))

    @property
    def network(self) -> nn.Module:
        """The network that learns."""
        return self.policy

    @property
    def optimizer(self) -> torch.optim.Optimizer:
        """The optimiser of its weights."""
        return self.policy.optimizer

    @property
    def vec(self) -> Any:
        """The games."""
        return self.env.games.vec

    @property
    def decisions(self) -> int:
        """The number of decisions used for training."""
        return self.num_timesteps

    @decisions.setter
    def decisions(self, decisions: int) -> None:
        """Set the number of decisions used for training."""
        self.num_timesteps = decisions

    def collect(self) -> None:
        """Play a rollout, and compute its advantages."""
        if self._callback is None:  # the games are begun once, and not where they go on
            _, self._callback = self._setup_learn(0, None, reset_num_timesteps=False)
        self.collect_rollouts(self.env, self._callback, self.rollout_buffer, self.n_steps)

    def update(self, left: float) -> dict[str, float]:
        """Learn from the rollout, with this share of the run left; returns the measurements."""
        self._current_progress_remaining = left
        self.train()
        self.dump_logs()
        return self._measured.values

    @torch.no_grad()
    def choose(self, inputs: PolicyInputs) -> Tensor:
        """Sample a legal action for each decision: its index, int64[b]."""
        counts = inputs.counts
        owner = torch.repeat_interleave(counts)
        shape = len(counts), self.action_space.n  # type: ignore[attr-defined]
        mask = torch.zeros(shape, dtype=torch.bool, device="cpu")
        mask[owner.cpu(), inputs.legal.cpu()] = True
        action = self.policy(inputs.observation, action_masks=mask.numpy())[0]
        taken = torch.nonzero(inputs.legal == action[owner]).squeeze(1)
        return taken - (counts.cumsum(0) - counts)

    def weights(self, card: Mapping[str, Any]) -> dict[str, bytes]:
        """See checkpoints.py. A stock run writes none."""
        return {}

    def evaluate(self, settings: Settings, config: EvaluationConfig, seed: int, threads: int | None) -> list[Row]:
        """As `evaluate_policy`."""
        return evaluate_policy(Policy(self.choose, self.device), settings, config, seed, threads)

    def state_dict(self) -> tuple[dict[str, Tensor], dict[str, Any]]:
        """See checkpoints.py."""
        chance: Any = np.random.get_state()
        _, keys, *index = chance
        running = {"returns": self.env.returns, "lengths": self.env.lengths, "starts": self._last_episode_starts}
        tensors = {f"column.{name}": torch.from_numpy(np.array(array)) for name, array in running.items()}
        tensors["chance.numpy"] = torch.from_numpy(keys.astype(np.int64))  # safetensors knows no uint32
        return tensors, {"chance": index, "ended": list(self.ep_info_buffer or ()), "updates": self._n_updates}

    def load_state_dict(self, tensors: Mapping[str, Tensor], state: Mapping[str, Any]) -> None:
        """See checkpoints.py."""
        games = self.env.games
        self.env.returns[:], self.env.lengths[:] = tensors["column.returns"], tensors["column.lengths"]
        games.look()
        self._last_obs = games.shaped(games.observation)
        self._last_episode_starts = tensors["column.starts"].numpy().copy()
        self.ep_info_buffer = deque(state["ended"], maxlen=self._stats_window_size)
        self._n_updates = state["updates"]
        self.ep_success_buffer = deque(maxlen=self._stats_window_size)
        index, spare, random_number = state["chance"]
        np.random.set_state(("MT19937", tensors["chance.numpy"].numpy().astype(np.uint32), index, spare, random_number))


class _Measured(KVWriter):
    """Keeps what the algorithm logs of one rollout."""

    values: dict[str, Any]

    def write(self, key_values: dict[str, Any], key_excluded: dict[str, Any], step: int = 0) -> None:
        self.values = dict(key_values)

    def close(self) -> None: ...


def _keywords(learning: Learning) -> dict[str, Any]:
    return {
        "learning_rate": lambda left: learning.at(left).learning_rate,
        "n_steps": learning.n_steps,
        "batch_size": learning.batch_size,
        "n_epochs": learning.n_epochs,
        "gamma": learning.gamma,
        "gae_lambda": learning.gae_lambda,
        "clip_range": learning.clip_range,
        "ent_coef": learning.ent_coef,
        "vf_coef": learning.vf_coef,
        "max_grad_norm": learning.max_grad_norm,
        "target_kl": learning.target_kl or None,
    }
