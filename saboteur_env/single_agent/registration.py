"""Registration with Gymnasium: the id for `gymnasium.make` and `gymnasium.make_vec`."""

from __future__ import annotations

import gymnasium

ENV_ID = "saboteur_env/Solo-v0"

# Gymnasium takes the place of a class as text, and loads it with its first use.
if ENV_ID not in gymnasium.registry:
    gymnasium.register(
        ENV_ID,
        entry_point="saboteur_env.single_agent.gym_env:SingleAgentEnv",
        vector_entry_point="saboteur_env.single_agent.gym_vec:GymVec",
    )
