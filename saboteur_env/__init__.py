"""Saboteur, the hidden-role card game, as an environment for research: exact, fast, without leaks."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .core.errors import IllegalMove
from .core.seeds import game_seed
from .game.game import Game
from .single_agent import registration as registration

if TYPE_CHECKING:
    from .batch.vector import make_vec
    from .environment.aec import env, raw_env
    from .wazabi.aec import wazabi_env

__all__ = ["Game", "IllegalMove", "env", "game_seed", "make_vec", "raw_env", "wazabi_env"]
__version__ = "0.1.0"

# Doors whose libraries load with their first use.
_LATER = {
    "env": ".environment.aec",
    "make_vec": ".batch.vector",
    "raw_env": ".environment.aec",
    "wazabi_env": ".wazabi.aec",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATER[name], __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
