"""An agent that must answer in time."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from saboteur_env.core.checks import checked_real
from saboteur_env.game.view import View

from .registry import label, resolve_agent


class TimeLimit:
    """An agent with a time limit for each move. One that exceeds it is an error, and its thread is left behind.

    Args:
        agent: of any spec that names one agent (docs/opponents.md).
        seconds: for each move.

    Raises: ValueError for an unknown spec, and for seconds out of range.
    """

    def __init__(self, agent: Any, seconds: float) -> None:
        self.agent, self.seconds = resolve_agent(agent), checked_real("seconds", seconds, 0.001, 1e6)
        self.__name__ = label(agent)

    def act(self, view: View, seed: int) -> str:
        """The agent's move. Raises: TimeoutError where it takes too long; what the agent raises."""
        answers: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        Thread(target=self._ask, args=(view, seed, answers), daemon=True).start()
        try:
            move, error = answers.get(timeout=self.seconds)
        except Empty:
            raise TimeoutError(f"no move within {self.seconds:g} seconds") from None
        if error is not None:
            raise error
        return str(move)

    def _ask(self, view: View, seed: int, answers: SimpleQueue[tuple[Any, BaseException | None]]) -> None:
        try:
            answers.put((self.agent.act(view, seed), None))
        except BaseException as error:
            answers.put((None, error))
