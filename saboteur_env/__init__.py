"""Saboteur, the hidden-role card game, as an environment for research: exact, fast, without leaks."""

from .engine.chance import game_seed
from .engine.game import Game
from .engine.moves import IllegalMove

__all__ = ["Game", "IllegalMove", "game_seed"]
__version__ = "0.1.0"
