"""The network of this library as a policy of stable-baselines3: it reads the history, and scores legal actions alone.

`MaskablePPO` takes it as it is. The history of a round is part of each observation, so a recurrent reading of it needs
no hidden state from step to step, which MaskablePPO would not keep (docs/howto/recurrent_policy.md).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.core.extras import extra

with extra("sb3"):
    import torch
    from sb3_contrib.common.maskable.distributions import MaskableDistribution
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
    from torch import Tensor

from .network import Network, NetworkConfig
from .stable_baselines import observations_of

LEFT_OUT = -1e8  # the logit of an illegal action, as MaskablePPO has it


class HistoryPolicy(MaskableActorCriticPolicy):
    """A policy and a value for `MaskablePPO(HistoryPolicy, vec_env, …)`, over flat observations.

    Args:
        network: what differs from the defaults of `NetworkConfig`; events are read by a recurrent network (`gru`)
            if it does not say otherwise.
        keywords: those of MaskablePPO's policies. They have no say in the layers.

    Raises: ValueError for the spaces of another environment, and for impossible networks.
    """

    def __init__(self, *spaces_and_rate: Any, network: dict[str, Any] | None = None, **keywords: Any) -> None:
        self.chosen = network or {}
        super().__init__(*spaces_and_rate, **keywords)

    def _build(self, lr_schedule: Any) -> None:
        seen = observations_of(self.observation_space, self.action_space)
        self.network = Network(seen.window, seen.history, NetworkConfig(**{"events": "gru", **self.chosen}))
        make_optimizer: Any = self.optimizer_class
        self.optimizer = make_optimizer(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        return {**super()._get_constructor_parameters(), "network": self.chosen}

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions int64[b], values float32[b, 1] and log-probabilities float32[b] of observations [b, bytes]."""
        distribution, value = self._outputs(obs, action_masks)
        action = distribution.get_actions(deterministic=deterministic)
        return action, value, distribution.log_prob(action)

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Values, log-probabilities of these actions, and entropies."""
        distribution, value = self._outputs(obs, action_masks)
        return value, distribution.log_prob(actions), distribution.entropy()

    def get_distribution(self, obs: Any, action_masks: Any = None) -> MaskableDistribution:
        """The distribution over actions."""
        return self._outputs(obs, action_masks)[0]

    def predict_values(self, obs: Any) -> Tensor:
        """The values, float32[b, 1]."""
        nothing = torch.zeros(0, dtype=torch.int64, device=obs.device)
        return self.network.score(obs, nothing, nothing)[1][:, None]

    def _outputs(self, obs: Any, action_masks: npt.NDArray[np.bool_] | Tensor | None) -> tuple[Any, Tensor]:
        count: int = self.action_space.n  # type: ignore[attr-defined]
        shape = (len(obs), count)
        if action_masks is None:
            mask = torch.ones(shape, dtype=torch.bool, device=obs.device)
        else:
            mask = torch.as_tensor(action_masks, device=obs.device).reshape(shape).bool()
        owner, legal = mask.nonzero(as_tuple=True)
        scores, value, _ = self.network.score(obs, legal, owner)
        logits = scores.new_full(shape, LEFT_OUT).index_put((owner, legal), scores)
        distribution: Any = self.action_dist.proba_distribution(action_logits=logits)
        distribution.apply_masking(mask.cpu().numpy())
        return distribution, value[:, None]
