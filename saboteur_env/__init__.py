"""Saboteur, the hidden-role card game, as an environment for research: exact, fast, without leaks."""

from typing import TYPE_CHECKING, Any

from .core.errors import IllegalMove
from .core.seeds import game_seed
from .game.game import Game
from .single_agent import registration as registration

if TYPE_CHECKING:
    from .agents.matches.embedded import make_vec
    from .environment.aec import env, raw_env
    from .environment.settings import Settings
    from .game.view import View
    from .single_agent.sb3 import SaboteurVecEnv
    from .wazabi.aec import wazabi_env

__all__ = [
    "Game",
    "IllegalMove",
    "SaboteurVecEnv",
    "Settings",
    "View",
    "env",
    "game_seed",
    "make_vec",
    "raw_env",
    "wazabi_env",
]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    # Doors whose libraries load with their first use.
    if name in ("env", "raw_env"):
        from .environment import aec

        return getattr(aec, name)
    if name == "make_vec":
        from .agents.matches.embedded import make_vec

        return make_vec
    if name == "Settings":
        from .environment.settings import Settings

        return Settings
    if name == "View":
        from .game.view import View

        return View
    if name == "SaboteurVecEnv":
        from .single_agent.sb3 import SaboteurVecEnv

        return SaboteurVecEnv
    if name == "wazabi_env":
        from .wazabi.aec import wazabi_env

        return wazabi_env
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])
