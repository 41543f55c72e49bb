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
from saboteur_env.game.view import View

from .base import Agent
from .scripted.agent import KernelAgent
from .scripted.presets import PPO_SMALL, PRESETS, plays_in_kernels

PACKAGE = "saboteur_env.agents"


def _ppo() -> Any:
    from .learned.ppo import Ppo

    return Ppo


def _sb3() -> Any:
    from .learned.stable_baselines import Sb3Agent

    return Sb3Agent


def _search() -> Any:
    from .search.ismcts import Search

    return lambda text="": Search(text) if _net_of(text) in ("", PPO_SMALL) else _network_search()(text)


def _network_search() -> Any:
    from .search.network_search import NetworkSearch

    return NetworkSearch


def _net_of(text: str) -> str:
    # The network that a search is given, empty for none.
    return next((part[4:] for part in text.split(":") if part.startswith("net=")), "")


def _chat() -> Any:
    from .chat.dwarf import chat_by_name

    return chat_by_name


def _held_out() -> Any:
    from .held_out.characters import HeldOut

    return HeldOut


def _talk() -> Any:
    from .talk.talker import Talker

    return Talker


# Agents made in Python: the name, and what loads the class that is given what follows the colon.
FACTORIES: dict[str, Callable[[], Any]] = {
    "chat": _chat,
    "held-out": _held_out,
    "ppo": _ppo,
    "sb3": _sb3,
    "talk": _talk,
    "search": _search,
}


FOR_JUDGING = ("held-out",)  # families on which nothing is trained, fitted or tuned

SPECS = (
    f"{', '.join([*PRESETS, *FACTORIES])}, ppo:FILE, ppo-small:FILE, search:setting=value, "
    "search:net=ppo, search:net=ppo-small, sb3:FILE, package.module.Class:argument; "
    "agents with act(view, seed) and their classes, functions of a view, models of stable-baselines3 and the paths of "
    "their files; a list of (opponent, weight) mixes them"
)

_GIVEN: ContextVar[Mapping[str, Agent]] = ContextVar("agents given as objects, by name", default={})  # noqa: B039


@contextmanager
def names_of(agents: Sequence[Any]) -> Iterator[list[str]]:
    """Names for agents, by which `make_agent` finds those that are no names too, in this thread while the block runs.

    Raises: ValueError as `resolve_agent`.
    """
    given: dict[str, Agent] = {}
    names = [agent if is_name(agent) else _name(agent, given) for agent in agents]
    token = _GIVEN.set(given)
    try:
        yield names
    finally:
        _GIVEN.reset(token)


def check_trainable(name: str) -> None:
    """Raises: ValueError for an unknown agent, and for one that is for judging alone."""
    if name.partition(":")[0] in FOR_JUDGING:
        raise ValueError(f"{name} is for judging alone: nothing is trained against it")
    make_agent(name)


def is_name(spec: Any) -> bool:
    """Whether a spec is a name, by which an agent is found in every process."""
    return isinstance(spec, str) and not spec.endswith(".zip")


def _name(spec: Any, given: dict[str, Agent]) -> str:
    # Its label, numbered from the second of a label on.
    kind, agent = label(spec), resolve_agent(spec)
    taken = sum(name == kind or name.startswith(f"{kind} ") for name in given)
    name = f"{kind} {taken + 1}" if taken else kind
    given[name] = agent
    return name


def make_agent(name: str) -> Agent:
    """The agent of a name. It is made once in each thread, because your own agent may hold state.

    Args:
        name: a preset dwarf, `name:argument` for an agent of `FACTORIES`, or `package.module.Class:argument` for
            one of your own; the argument may be missing.

    Raises: ValueError that lists the names there are, or says why an agent cannot be had.
    """
    given = _GIVEN.get()
    return given[name] if name in given else MADE.local(name)


class FunctionAgent:
    """A function of a view as an agent: it returns a legal move of the seat whose view this is."""

    def __init__(self, function: Callable[[View], str]) -> None:
        self.function = function

    def act(self, view: View, seed: int) -> str:
        """What the function answers."""
        return self.function(view)


def resolve_agent(spec: Any) -> Agent:
    """The agent of a spec: a name, an agent or its class, a model of stable-baselines3 or its file, a function.

    Raises: ValueError that lists what there is.
    """
    if is_name(spec):
        return make_agent(spec)
    if isinstance(spec, str | Path) or (hasattr(spec, "policy") and hasattr(spec, "num_timesteps")):
        agent: Agent = _sb3()(spec)
        return agent
    if isinstance(spec, type) and callable(getattr(spec, "act", None)):
        return resolve_agent(spec())
    if isinstance(spec, Agent):
        return spec
    if callable(spec) and not isinstance(spec, type):
        return FunctionAgent(spec)
    raise ValueError(f"there is no opponent {spec!r}; there are {SPECS}")


def label(spec: Any) -> str:
    """The short name of a spec."""
    if isinstance(spec, str | Path):
        return str(spec)
    return getattr(spec, "__name__", None) or type(spec).__name__


def _make(name: str) -> Agent:
    if plays_in_kernels(name):
        return KernelAgent(name)
    kind, colon, argument = name.partition(":")
    module, dot, attribute = kind.rpartition(".")
    if not dot and kind not in FACTORIES:
        raise ValueError(f"there is no dwarf {name!r}; there are {SPECS}")
    try:
        make = FACTORIES[kind]() if kind in FACTORIES else getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"agent {name!r} cannot be loaded: {error}") from error
    agent = make(argument) if colon else make()
    if not isinstance(agent, Agent):
        raise ValueError(f"agent {name!r} does not play: it lacks act(view, seed) (agents/base.py)")
    return agent


def _file_of(name: str) -> Path:
    kind, _, argument = name.partition(":")
    return Path(_net_of(argument) if kind == "search" else argument)


MADE = PerThread(partial(cache, _make))  # the agents of each thread, by name


def fingerprints(names: Iterable[str]) -> dict[str, str]:
    """The SHA-256 of each file that an agent depends on. It shows whether the agent has changed.

    These are the files after a colon, and for all but scripted dwarfs the fitted models of this package (models/).
    """
    fixed = {"", *PRESETS} - {PPO_SMALL}
    named = {name: _file_of(name) for name in names if name not in fixed}
    paths = {name: path for name, path in named.items() if path.is_file()}
    if named:
        paths |= {name: shipped(PACKAGE, name) for name in shipped_names(PACKAGE, "models")}
    return {name: sha256(path.read_bytes()).hexdigest() for name, path in paths.items()}
