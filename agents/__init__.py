"""Agents (dwarfs): they receive a view and return a move."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .base import Agent
    from .beliefs.filter import Belief
    from .registry import make_agent
    from .scripted.agent import KernelAgent as ScriptedAgent
    from .time_limit import TimeLimit

__all__ = ["Agent", "Belief", "ScriptedAgent", "TimeLimit", "make_agent"]


def __getattr__(name: str) -> Any:
    # Each loads with its first use: `import saboteur_env` needs none of them.
    if name == "Agent":
        from .base import Agent

        return Agent
    if name == "Belief":
        from .beliefs.filter import Belief

        return Belief
    if name == "ScriptedAgent":
        from .scripted.agent import KernelAgent

        return KernelAgent
    if name == "TimeLimit":
        from .time_limit import TimeLimit

        return TimeLimit
    if name == "make_agent":
        from .registry import make_agent

        return make_agent
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
