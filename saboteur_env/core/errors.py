"""The error that both games raise for a move that is not allowed."""

from __future__ import annotations


class IllegalMove(ValueError):
    """A move that is not legal now, or a text that is no move. The game is as it was."""
