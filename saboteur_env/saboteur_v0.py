"""The environment by its versioned name, as PettingZoo's users import it: ``saboteur_v0.env(players=5)``."""

from .aec import env, raw_env

__all__ = ["env", "raw_env"]
