"""The environment by its versioned name, as PettingZoo's users import it: ``saboteur_v0.env(players=5)``.

With a PettingZoo that keeps a registry, importing this module registers it there:
``pettingzoo.make("aec", "saboteur_env/saboteur-v0", players=5)``, and ``"parallel"`` for the turn-based
parallel form.
"""

from typing import Any

import pettingzoo
from pettingzoo import ParallelEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from .environment.aec import env, raw_env

__all__ = ["env", "parallel_env", "raw_env"]

ENV_ID = "saboteur_env/saboteur-v0"


def parallel_env(**keywords: Any) -> ParallelEnv[str, Any, int | None]:
    """The environment with one action a step from each dwarf, of which the one to move counts."""
    return turn_based_aec_to_parallel(env(**keywords))


if hasattr(pettingzoo, "register") and ENV_ID not in pettingzoo.aec_registry:
    pettingzoo.register("aec", ENV_ID, entry_point="saboteur_env.saboteur_v0:env")
    pettingzoo.register("parallel", ENV_ID, entry_point="saboteur_env.saboteur_v0:parallel_env")
