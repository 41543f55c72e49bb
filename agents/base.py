"""The interface of a dwarf: it receives a view and a seed, and returns a move. It holds no game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

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


@dataclass(frozen=True)
class Decision:
    """A move, with what came with it.

    Attributes:
        words: what the dwarf said of it.
        log: what was asked and answered, as JSON data.
        message: what the dwarf says to all before the move, at a table of free talk.
    """

    move: str
    words: str = ""
    log: list[dict[str, Any]] = field(default_factory=list)
    message: str = ""


@runtime_checkable
class Speaker(Agent, Protocol):
    """A dwarf that speaks while it plays, and may wait for its move while others play."""

    def decide(self, view: View, seed: int) -> Decision:
        """A legal move, with words."""
        ...

    async def decide_async(self, view: View, seed: int) -> Decision:
        """As `decide`, waiting in an event loop."""
        ...

    async def aclose(self) -> None:
        """Let go of what `decide_async` holds in the event loop."""
        ...
