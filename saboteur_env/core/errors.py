"""The error that both games raise for an illegal move."""

from __future__ import annotations


class IllegalMove(ValueError):
    """A move that is not legal now, or a text that is no move. The game is as it was."""
