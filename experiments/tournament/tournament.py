"""Tournaments: every agent plays every agent in both roles, on the same deals.

On every deal each agent plays the miners against each agent as the saboteurs. So all agents meet the same cards, roles
and goals from both sides. Each agent also takes one seat of either role in a team of the base agent, and is compared
with it.

Run as ``saboteur-env tournament``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import product, starmap
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import saboteur_env
from saboteur_env.agents.base import Agent
from saboteur_env.agents.matches.matchups import Matchup
from saboteur_env.agents.registry import fingerprints, make_agent, names_of
from saboteur_env.core.checks import COUNTS, SEEDS, checked_int
from saboteur_env.core.compiled.kernel_cache import sources_key
from saboteur_env.core.frozen import freeze
from saboteur_env.core.seeds import Purpose, deal_seed
from saboteur_env.core.versions import VERSIONS
from saboteur_env.engine.cards import ROLES
from saboteur_env.engine.editions import Rules

from ..common.folders import default_folder
from ..common.shards import ResultStore
from ..common.statistics import Columns, round_columns
from .speakers import CHATS, MATCHES_AT_ONCE, play_kept, speaks
from .trained_on import strange_rules

DEALS_A_UNIT = 50  # deals of a unit where all play in kernels; others may take minutes for one


@dataclass(frozen=True)
class Tournament:
    """The settings of a tournament. The same settings give the same table with any executor.

    Attributes:
        agents: names of agents (agents/registry.py).
        players, editions: every pair of them is a tournament of its own, on as many deals.
        base: who fills the seats around a substitute; the first of the agents where missing.
        options: switches besides the edition (docs/rules.md, section 8).

    Raises: ValueError that says which setting is impossible.
    """

    agents: tuple[str, ...]
    players: tuple[int, ...] = (5,)
    editions: tuple[str, ...] = ("lv",)
    deals: int = 1000
    rounds: int = 1
    seed: int = 0
    base: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        freeze(self)
        for name in ("agents", "players", "editions"):
            given = getattr(self, name)
            if not given or isinstance(given, str) or len(set(given)) < len(given):
                raise ValueError(f"{name}: give one or more, each once, not {given!r}")
        object.__setattr__(self, "deals", checked_int("deals", self.deals, COUNTS))
        for edition in self.editions:
            for players in self.players:
                self.rules(edition, players)
        object.__setattr__(self, "seed", checked_int("seed", self.seed, SEEDS))
        self.deal(self.players[0], 0)
        for name in dict.fromkeys([*self.agents, self.base or self.agents[0]]):
            make_agent(name)

    def rules(self, edition: str, players: int) -> Rules:
        """The settings of a match. Raises: ValueError where they are impossible."""
        return Rules.make(players, edition, self.rounds, self.options)

    def strange(self) -> list[str]:
        """A line for each agent that was trained on other rules."""
        return strange_rules(self.agents, starmap(self.rules, product(self.editions, self.players)))

    def deal(self, players: int, number: int) -> int:
        """The seed of a deal. Raises: ValueError for a bad seed."""
        return deal_seed(self.seed, Purpose.TOURNAMENT, number, players)

    def matchups(self) -> list[Matchup]:
        """The match-ups of every deal: all pairs, and all substitutes in teams of the base agent."""
        base = self.base or self.agents[0]
        pairs = [Matchup(miners, saboteurs) for miners in self.agents for saboteurs in self.agents]
        substitutes = [Matchup(base, base, item, role) for item in self.agents if item != base for role in ROLES]
        return list(dict.fromkeys([*pairs, Matchup(base, base), *substitutes]))

    def in_kernels(self) -> bool:
        """Whether all who play are preset dwarfs."""
        return all(matchup.in_kernel for matchup in self.matchups())

    def spoken(self) -> bool:
        """Whether somebody who plays speaks, as chat dwarfs do."""
        return any(map(speaks, self.matchups()))

    def units(self) -> list[Unit]:
        """The work, in the order of the table."""
        together = max(1, MATCHES_AT_ONCE // len(self.matchups())) if self.spoken() else 1
        block = DEALS_A_UNIT if self.in_kernels() else together
        return [
            Unit(edition, players, first, min(block, self.deals - first))
            for edition in self.editions
            for players in self.players
            for first in range(0, self.deals, block)
        ]

    def total(self) -> int:
        """The rounds of all matches."""
        return len(self.editions) * len(self.players) * self.deals * len(self.matchups()) * self.rounds

    def settings(self) -> dict[str, Any]:
        """Everything that the table depends on, including sources and files of agents, as JSON data."""
        versions = {"saboteur_env": saboteur_env.__version__, **VERSIONS, "sources": sources_key()}
        return {**asdict(self), "files": fingerprints([*self.agents, self.base]), "versions": versions}

    def folder(self) -> Path:
        """The default folder of the tournament."""
        defaults = asdict(Tournament(("random",)))
        del defaults["agents"], defaults["players"]
        return default_folder("results/tournament", asdict(self), defaults)


@dataclass(frozen=True)
class Unit:
    """Some deals, to be played by all casts."""

    edition: str
    players: int
    first: int
    deals: int

    def __str__(self) -> str:
        return f"{self.edition}-{self.players}-{self.first:07}"


def evaluate(
    agents: Sequence[str | Agent],
    players: Sequence[int] = (5,),
    editions: Sequence[str] = ("lv",),
    deals: int = 1000,
    rounds: int = 1,
    seed: int = 0,
    base: str = "",
    options: Mapping[str, Any] | None = None,
    **how: Any,
) -> Any:
    """Play a tournament: a row for each round of each match.

    Columns: `deal`, `miners_by`, `saboteurs_by`, `substitute`, `replaced` (the role), `substitute_seat` (-1 where
    nobody had the role), and those of `analysis.round_columns`; ordered by edition, players, deal, cast and round.

    Args:
        agents: names as in `Tournament`, or objects (agents/base.py), which go by the names of their classes and play
            in this process alone.
        players, editions, deals, rounds, seed, base, options: as in `Tournament`.
        how: as for `play`.

    Returns: a pyarrow.Table (extra `report`), for the functions of standings.py and ratings.py.

    Raises: ValueError for impossible settings; what else `play` raises.
    """
    if isinstance(agents, str) or not isinstance(agents, Sequence):
        raise ValueError(f"agents: give one or more, each once, not {agents!r}")
    with names_of(agents) as names:
        if names != list(agents):
            how = _in_this_process(**how)
        return play(
            Tournament(tuple(names), tuple(players), tuple(editions), deals, rounds, seed, base, options or {}), **how
        )


def _in_this_process(workers: int | None = None, **how: Any) -> dict[str, Any]:
    # Neither other processes nor a folder for later could tell whether they have the same object.
    if workers not in (None, 1) or how.get("ray") is not None or how.get("folder") is not None:
        raise ValueError(
            "agents given as objects play in this process: leave out workers, ray and folder, or name their class as "
            "package.module.Class:argument"
        )
    return {**how, "workers": 1}


def play(
    tournament: Tournament,
    folder: Path | None = None,
    fresh: bool = False,
    workers: int | None = None,
    ray: str | None = None,
    progress: Callable[[int], object] = lambda rounds: None,
) -> Any:
    """Play a tournament, or what is left of it.

    Args:
        folder: keeps what is finished, so that a killed run goes on where it was; the same settings played to the end
            are not played again. A temporary one where missing.
        fresh: throw away what the folder holds.
        workers, ray: as for `executor.run`.
        progress: called with the number of rounds just finished, or found finished.

    Returns: as `evaluate`.

    Raises: ValueError where the folder holds another tournament, or an agent plays an illegal move; WorkerDied
        (executor.py). In the folder nothing is lost by any of them, nor by Ctrl-C.
    """
    if folder is None:
        with TemporaryDirectory() as temporary:
            return play(tournament, Path(temporary), fresh, workers, ray, progress)
    if ray is not None and tournament.spoken():
        raise ValueError("dwarfs that speak are kept word by word on this machine: leave out ray")
    parts = ResultStore(folder, tournament.settings(), fresh)
    if fresh:
        rmtree(folder / CHATS, ignore_errors=True)
    return parts.complete(tournament.units(), partial(play_unit, tournament, folder / CHATS), workers, ray, progress)


def play_unit(tournament: Tournament, chats: Path, unit: Unit) -> Columns:
    """All matches of a unit, as columns of the table.

    Args:
        chats: folder that keeps the matches of those who speak (speakers.py).
    """
    rules, matchups = tournament.rules(unit.edition, unit.players), tournament.matchups()
    deals = range(unit.first, unit.first + unit.deals)
    results = play_kept(tournament, unit, chats)
    played = np.stack([result.reshape(unit.deals, -1) for result in results], axis=1).ravel()
    who = np.tile(np.repeat(matchups, rules.rounds, axis=0), (unit.deals, 1))
    named = dict(zip(("miners_by", "saboteurs_by", "substitute", "replaced"), who.T, strict=True))
    deal = np.repeat(deals, len(matchups) * rules.rounds)
    return {"deal": deal, **named, "substitute_seat": played["substitute"], **round_columns(rules, played)}
