"""The interface of a dwarf: it receives a view and a seed, and returns a move. It holds no game."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from saboteur_env.game.view import View


@runtime_checkable
class Agent(Protocol):
    """A dwarf for the validated single game.

    An agent may also have `probabilities(view) -> dict[str, float]` over the legal moves, and `beliefs(view) ->
    list[float | None]`: for each seat the probability that it is a saboteur, or None if the agent does not say.
    """

    def act(self, view: View, seed: int) -> str:
        """A legal move of the seat whose view this is. The same view and seed give the same move."""
        ...
