"""The search agent: information-set Monte Carlo tree search over games sampled from its view (docs/search.md)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from time import perf_counter
from typing import Any, TypeVar

import numpy as np

from saboteur_env.core.checks import SEEDS, checked_int
from saboteur_env.core.compiled.memory import PerThread
from saboteur_env.engine.moves import text_of
from saboteur_env.engine.state import InfoState
from saboteur_env.game.view import View

from ..scripted.presets import DWARFS, PPO_SMALL, number_of
from .critic import CRITIC, load_critic
from .determinization import BELIEF, Evidence, saboteur_shares
from .evaluation import net
from .sequential_halving import (
    ARMS,
    Searcher,
    halve,
    move_values,
    phases,
    prepare,
    run,
    select_arms,
    visit_shares,
    worlds_of_phase,
)
from .tree import NODE, OPPONENTS, TREE, Plan

_REALS = ("time", "c_uct", "prior_visits", "prior_scale")
_KINDS = {int: "a whole number", float: "a number"}
# Settings of earlier versions, and what they are called now.
RENAMED = {
    "width": "max_candidates",
    "evidence": "action_model",
    "others": "opponents",
    "cutoff": "rollout_depth",
    "explore": "c_uct",
    "faith": "prior_visits",
    "slope": "prior_scale",
}
EVALUATIONS = ("fitted", "critic")
# What a search with the small network does where nothing else is said.
SMALL_NET: dict[str, Any] = {
    "prior": PPO_SMALL, "rollout": PPO_SMALL, "evaluation": "critic", "action_model": f"doubting+{PPO_SMALL}",
    "rollout_depth": 4, "max_candidates": 8, "prior_visits": 20.0, "prior_scale": 0.03,
}  # fmt: skip
MOST_NODES = 1 << 16  # of one tree
Kind = TypeVar("Kind")


def read_settings(kind: type[Kind], text: str) -> Kind:
    """Settings of a kind from `name=value:name=value`.

    Raises: ValueError as `given_settings`, and as the kind.
    """
    return kind(**given_settings(kind, text))


def given_settings(kind: type[Any], text: str) -> dict[str, Any]:
    """The settings that a text gives, by name.

    Raises: ValueError that names what cannot be read.
    """
    kinds: dict[str, Any] = {field.name: type(field.default) for field in fields(kind)}
    given: dict[str, Any] = {}
    for part in filter(None, text.split(":")):
        name, _, value = part.partition("=")
        if name in RENAMED:
            raise ValueError(f"search: the setting {name} is now called {RENAMED[name]}")
        if name not in kinds:
            raise ValueError(f"search: there is no setting {name!r}; there are {', '.join(kinds)}")
        try:
            given[name] = kinds[name](value)
        except ValueError:
            raise ValueError(f"search: {name} must be {_KINDS[kinds[name]]}, not {value!r}") from None
    return given


def check_range(settings: Any, least: Mapping[str, float]) -> None:
    """Raises: ValueError where a setting is less than it may be, or not finite."""
    for name, low in least.items():
        if not low <= getattr(settings, name) < math.inf:
            raise ValueError(f"search: {name} must be {low} or more, not {getattr(settings, name)!r}")


@dataclass(frozen=True)
class Settings:
    """The settings of a search agent.

    Attributes:
        net: `ppo-small` for other values of what is not given (`SMALL_NET`): the small network plays the roll-outs and
            says which moves promise most, its critic judges where roll-outs end.
        iterations: games played for a move, over all trees.
        time: seconds for a move; 0 counts games instead. Which move is found then depends on the machine.
        trees: how many are grown side by side; part of what a search is.
        threads: how many threads grow them; they change nothing but the time.
        max_candidates: how many moves are looked at.
        rollout: a preset dwarf that plays on behind the tree.
        prior: one whose points say which moves promise most.
        action_model: what explains the acts of the others, and so who they are: `fitted` or `doubting`, models that
            the package keeps; a preset dwarf, by whose script they are explained; one of both kinds for each seat, as
            in `doubting+ppo-small`; or `none`.
        opponents: how the others move in the tree: `tree`, `script` or `open` (docs/search.md).
        rollout_depth: turns of a roll-out until its end is estimated; -1 plays to the end of the round.
        evaluation: what estimates it: `fitted` to scripted dwarfs (evaluation.py), or the `critic` of `ppo-small`.
        c_uct, prior_visits, prior_scale: as in `tree.Plan`.

    Raises: ValueError that says which setting is impossible.
    """

    net: str = ""
    iterations: int = 400
    time: float = 0.0
    trees: int = 2
    threads: int = 1
    max_candidates: int = 32
    rollout: str = "scripted"
    prior: str = "scripted"
    action_model: str = "fitted"
    opponents: str = "open"
    rollout_depth: int = 5
    evaluation: str = "fitted"
    c_uct: float = 0.2
    prior_visits: float = 10.0
    prior_scale: float = 0.005

    def __post_init__(self) -> None:
        least = {"iterations": 1, "trees": 1, "threads": 1, "max_candidates": 1, "rollout_depth": -1} | dict.fromkeys(
            _REALS, 0
        )
        check_range(self, least)
        if not self.prior_visits:
            raise ValueError("search: prior_visits must be more than 0, or no move would be worth a first try")
        if self.opponents not in OPPONENTS:
            raise ValueError(f"search: opponents must be one of {', '.join(OPPONENTS)}, not {self.opponents!r}")
        if self.evaluation not in EVALUATIONS:
            raise ValueError(f"search: evaluation must be one of {', '.join(EVALUATIONS)}, not {self.evaluation!r}")
        self.plan()

    @classmethod
    def read(cls, text: str) -> Settings:
        """Settings from `name=value:name=value`.

        Raises: ValueError that names what cannot be read.
        """
        given = given_settings(cls, text)
        if given.get("net", "") not in ("", PPO_SMALL):
            raise ValueError(f"search: net must be {PPO_SMALL}, ppo or a file of weights, not {given['net']!r}")
        return cls(**(SMALL_NET if given.get("net") else {}) | given)

    def plan(self) -> Plan:
        """The same for kernels."""
        dwarfs = DWARFS[[number_of(self.rollout), number_of(self.prior)]]
        critic = load_critic() if self.evaluation == "critic" else np.zeros(0, CRITIC)
        numbers = float(self.c_uct), float(self.prior_visits), float(self.prior_scale)
        return Plan(
            dwarfs,
            net(),
            critic,
            Evidence.of(self.action_model),
            OPPONENTS.index(self.opponents),
            self.rollout_depth,
            *numbers,
        )

    def searcher(self) -> Searcher:
        """The memory of a search: in each tree slots for twice as many nodes as it plays games, up to 65,536."""
        wanted = MOST_NODES if self.time else 2 * self.iterations // self.trees
        indices = min(1 << max(wanted - 1, 63).bit_length(), MOST_NODES)
        trees = np.zeros(self.trees, TREE), np.zeros((self.trees, indices), NODE)
        return Searcher(np.zeros(1, ARMS), np.zeros(1, BELIEF), *trees)


class Search:
    """The search agent.

    Threads may share it. It holds trees for each thread, to grow them again for every move: at most 2 MiB of nodes and
    0.3 MiB besides for each tree, and another 0.4 MiB.

    Args:
        settings: `Settings`, or their names and values as `name=value:name=value`.

    Raises: ValueError for bad settings.
    """

    def __init__(self, settings: str | Settings = "") -> None:
        self.settings = Settings.read(settings) if isinstance(settings, str) else settings
        self._plan, self._scratch = self.settings.plan(), PerThread(self.settings.searcher)

    def __repr__(self) -> str:
        return f"<Search: {', '.join(f'{name}={value}' for name, value in vars(self.settings).items())}>"

    @property
    def _searcher(self) -> Searcher:
        return self._scratch.local

    @property
    def _arms(self) -> Any:
        return self._searcher.arms[0]

    def act(self, view: View, seed: int) -> str:
        """The best move found.

        Raises: ValueError where the view's seat is not to move, and for a bad seed.
        """
        if view.turn != view.seat or view.public.over:
            raise ValueError(f"seat {view.seat} is not to move")
        return text_of(self.choose(view.info_state, np.uint64(checked_int("seed", seed, SEEDS))))

    def choose(self, known: InfoState, random_key: np.uint64) -> int:
        """The number of the best move found for the seat that is to move."""
        settings, trees = self.settings, self._searcher.trees
        arms, iterations = self._arms, -1 if settings.time else settings.iterations
        select_arms(arms, trees[0], known, settings.max_candidates, iterations, self._plan)
        if arms["left"] > 1:
            prepare(self._searcher, known, self._plan)
        with ThreadPoolExecutor(settings.threads) as pool:
            while arms["left"] > 1:
                worlds = (self._timed_heat if settings.time else self._heat)(pool, known, random_key)
                halve(arms, trees, worlds, int(known.private.role), self._plan)
        return int(arms["move"][arms["order"][0]])

    def probabilities(self, view: View) -> dict[str, float]:
        """For each move considered, its share of the simulated games.

        Raises: as `act`.
        """
        best = self.act(view, 0)
        return visit_shares(self._arms) or {best: 1.0}

    def values(self, view: View, seed: int = 0) -> dict[str, float]:
        """For each move considered, how often its side wins in the simulated games; empty where one move is possible.

        Raises: as `act`.
        """
        self.act(view, seed)
        return move_values(self._arms)

    @property
    def played(self) -> int:
        """The number of games simulated for its last move in this thread."""
        arms = self._arms
        return int(arms["visits"][: arms["count"]].sum())

    def beliefs(self, view: View) -> list[float | None]:
        """The share of the sampled games in which each seat is a saboteur; None for its own."""
        prepare(self._searcher, view.info_state, self._plan)
        return saboteur_shares(self._searcher.beliefs[0], view)

    def _heat(self, pool: ThreadPoolExecutor, known: InfoState, seed: np.uint64) -> int:
        worlds = worlds_of_phase(self._arms, self.settings.iterations)
        self._run(pool, known, seed, 0, worlds)
        return worlds

    def _timed_heat(self, pool: ThreadPoolExecutor, known: InfoState, seed: np.uint64) -> int:
        share, worlds = self.settings.time / phases(int(self._arms["count"])), 0
        end = perf_counter() + share
        while not worlds or perf_counter() < end:
            self._run(pool, known, seed, worlds, worlds + self.settings.trees)
            worlds += self.settings.trees
        return worlds

    def _run(self, pool: ThreadPoolExecutor, known: InfoState, seed: np.uint64, first: int, last: int) -> None:
        searcher, before, trees = self._searcher, int(self._arms["worlds"]), self.settings.trees

        def grow(i: int) -> None:
            run(searcher, i, known, (before + first + i, before + last, trees), seed, self._plan)

        list((pool.map if self.settings.threads > 1 else map)(grow, range(trees)))
