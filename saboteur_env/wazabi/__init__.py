"""Wazabi, a game of dice and cards for 2 to 6 players. It shares its basis with Saboteur."""

from .engine.moves import IllegalMove
from .game import Game

__all__ = ["Game", "IllegalMove"]
