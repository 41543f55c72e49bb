"""Saboteur as a multi-agent environment of RLlib, with action masks and a policy for each role. Needs RLlib.

An agent is a seat with its role, `miner_0` or `saboteur_3`, so that `policy_of` can give each role a policy of its own.
Observations are those that RLlib's `ActionMaskingTorchRLModule` expects: `observations` and `action_mask`, as floats.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from ..core.extras import extra
from ..engine.cards import ROLES
from ..environment.aec import raw_env
from ..environment.settings import Settings

with extra("bridges"):
    from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.env.multi_agent_env import MultiAgentEnv
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule


class SaboteurMultiAgent(MultiAgentEnv):
    """A round as an episode; in each step one agent acts, and all are paid at the end.

    Args:
        config: settings of the environment (docs/environments/saboteur.md), as RLlib's `env_config`.

    Raises: ValueError that names an impossible setting; more than one round, as each deals roles again.
    """

    def __init__(self, config: Any = None) -> None:
        super().__init__()
        self._aec = raw_env(**{"rounds": 1, **(config or {})})
        settings = self._aec.settings
        if settings.rounds != 1:
            raise ValueError("RLlib's policies by role are for rounds=1: every round deals the roles again")
        self.possible_agents = [f"{role}_{seat}" for seat in range(settings.players) for role in ROLES]
        seen, acts = spaces_of(settings)
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = dict.fromkeys(self.possible_agents, acts)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        """Begin a round. Raises: ValueError for a bad seed."""
        self._aec.reset(seed=None if seed is None else int(seed))
        infos = self._aec.infos
        self._name = {agent: f"{ROLES[infos[agent]['role']]}_{agent[6:]}" for agent in self._aec.agents}
        self.agents = [*self._name.values()]
        return self._decision(), {}

    def step(self, action_dict: Any) -> Any:
        """Let the agent that was shown a decision act.

        Raises: IllegalMove that says why an action is illegal.
        """
        aec = self._aec
        aec.step(int(action_dict[self._name[aec.agent_selection]]))
        over = any(aec.terminations.values())
        rewards = {self._name[agent]: reward for agent, reward in aec.rewards.items()}
        ended = dict.fromkeys(self.agents, True) if over else {}
        seen = {name: self._observed(agent) for agent, name in self._name.items()} if over else self._decision()
        return seen, rewards, ended | {"__all__": over}, {"__all__": False}, {}

    def _decision(self) -> dict[str, Any]:
        agent = self._aec.agent_selection
        return {self._name[agent]: self._observed(agent)}

    def _observed(self, agent: str) -> dict[str, Any]:
        seen = self._aec.observe(agent)
        mask = seen["action_mask"].astype(np.float32)
        return {"observations": seen["observation"].astype(np.float32), "action_mask": mask}


def spaces_of(settings: Settings) -> tuple[spaces.Dict, spaces.Discrete]:
    """The spaces of an agent's observations and actions."""
    acts = spaces.Discrete(settings.actions.count)
    flat = settings.observations.flat_space()
    seen = spaces.Box(-128.0, 127.0, flat.shape, np.float32)
    return spaces.Dict({"observations": seen, "action_mask": spaces.Box(0.0, 1.0, (acts.n,), np.float32)}), acts


def policy_of(agent: str, *_: Any, **__: Any) -> str:
    """The policy of an agent, as RLlib's `policy_mapping_fn`: `miner` or `saboteur`."""
    return agent.partition("_")[0]


def masked_modules(config: dict[str, Any], hidden: int = 128) -> Any:
    """The specification of masked networks, one for each role.

    Args:
        config: settings of the environment; hidden: width of both hidden layers.
    """
    seen, acts = spaces_of(Settings(**{"rounds": 1, **config}))
    model = {"fcnet_hiddens": [hidden, hidden], "vf_share_layers": True}
    kind: dict[str, Any] = {"module_class": ActionMaskingTorchRLModule, "model_config": model}
    spec = RLModuleSpec(observation_space=seen, action_space=acts, **kind)
    return MultiRLModuleSpec(rl_module_specs=dict.fromkeys(ROLES, spec))
