"""Agents by name: preset dwarfs, other agents of this package, and your own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, partial
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

from saboteur_env.core.compiled.memory import PerThread
from saboteur_env.core.files import shipped, shipped_names

from .base import Agent
from .scripted.agent import KernelAgent
from .scripted.presets import PRESETS

PACKAGE = "saboteur_env.agents"


def _ppo() -> Any:
    from .learned.ppo import Ppo

    return Ppo


def _search() -> Any:
    from .search.ismcts import Search

    return Search


# Agents made in Python: the name, and what loads the class that is given what follows the colon.
FACTORIES: dict[str, Callable[[], Any]] = {"ppo": _ppo, "search": _search}


_GIVEN: ContextVar[Mapping[str, Agent]] = ContextVar("agents given as objects, by name", default={})  # noqa: B039


@contextmanager
def names_of(agents: Sequence[str | Agent]) -> Iterator[list[str]]:
    """Names for agents, by which `make_agent` finds those given as objects too, in this thread while the block runs.

    Raises: ValueError for what is neither a name nor an agent.
    """
    given: dict[str, Agent] = {}
    names = [agent if isinstance(agent, str) else _name(agent, given) for agent in agents]
    token = _GIVEN.set(given)
    try:
        yield names
    finally:
        _GIVEN.reset(token)


def _name(agent: Agent, given: dict[str, Agent]) -> str:
    # The name of its class, numbered from the second of a class on.
    if not isinstance(agent, Agent) or isinstance(agent, type):
        raise ValueError(f"an agent is a name, or an object with act(view, seed) (agents/base.py), not {agent!r}")
    kind = type(agent).__name__
    taken = sum(type(other) is type(agent) for other in given.values())
    name = f"{kind} {taken + 1}" if taken else kind
    given[name] = agent
    return name


def make_agent(name: str) -> Agent:
    """The agent of a name. It is made once in each thread, because your own agent may hold state.

    Args:
        name: a preset dwarf, `name:argument` for an agent of `AGENTS`, or `package.module.Class:argument` for
            one of your own; the argument may be missing.

    Raises: ValueError that lists the names there are, or says why an agent cannot be had.
    """
    given = _GIVEN.get()
    return given[name] if name in given else MADE.local(name)


def _make(name: str) -> Agent:
    if name in PRESETS:
        return KernelAgent(name)
    kind, colon, argument = name.partition(":")
    module, dot, attribute = kind.rpartition(".")
    if not dot and kind not in FACTORIES:
        names = ", ".join([*PRESETS, *FACTORIES])
        raise ValueError(f"there is no dwarf {name!r}; there are {names}, and your own as package.module.Class")
    try:
        make = FACTORIES[kind]() if kind in FACTORIES else getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"agent {name!r} cannot be loaded: {error}") from error
    agent = make(argument) if colon else make()
    if not isinstance(agent, Agent):
        raise ValueError(f"agent {name!r} does not play: it lacks act(view, seed) (agents/base.py)")
    return agent


MADE = PerThread(partial(cache, _make))  # the agents of each thread, by name


def fingerprints(names: Iterable[str]) -> dict[str, str]:
    """The SHA-256 of each file that an agent depends on. It shows whether the agent has changed.

    These are the files after a colon, and for agents written in Python the fitted models of this package (models/).
    """
    named = {name: Path(name.partition(":")[2]) for name in names if name and name not in PRESETS}
    paths = {name: path for name, path in named.items() if path.is_file()}
    if named:
        paths |= {name: shipped(PACKAGE, name) for name in shipped_names(PACKAGE, "models")}
    return {name: sha256(path.read_bytes()).hexdigest() for name, path in paths.items()}
