"""The frozen tasks of the benchmark. A task that changes gets a new version, and rows of other versions are not shown.

All deals come from one random stream (core/seeds.py) that no training run, no fit and no other study deals from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from saboteur_env.agents.held_out.characters import CHARACTERS
from saboteur_env.core.seeds import Purpose, deal_seed
from saboteur_env.engine.cards import ROLES

STRENGTH, CROSS_PLAY, ROLE_INFERENCE, EXACT = "strength", "cross-play", "role inference", "exact"  # kinds of tasks
TEAM, ONE_SEAT = "team", "one seat"
BASE = "scripted"  # in whose place an agent plays
SCRIPTED_FAMILY = ("scripted", "loyal", "careless", "two-faced")
HELD_OUT_FAMILY = tuple(f"held-out:{name}" for name in CHARACTERS)
SEED = 0  # of all deals
BENCHMARK_UNIT = 30


@dataclass(frozen=True)
class Task:
    """A frozen task.

    Attributes:
        kind: STRENGTH, CROSS_PLAY, ROLE_INFERENCE or EXACT.
        version: goes up with every change of what is played or measured.
        family: the agents that are met, in turn from deal to deal.
        players: the numbers of players.
        deals: for each number of players, role and kind of seats.
        mine: a small mine (saboteur_env.mines), for EXACT.
    """

    kind: str
    version: int = 1
    family: tuple[str, ...] = ()
    players: tuple[int, ...] = (5,)
    deals: int = 120
    mine: str = ""


TASKS = {
    "scripted family": Task(STRENGTH, 1, SCRIPTED_FAMILY, (3, 5, 7, 10)),
    "held-out family": Task(STRENGTH, 1, HELD_OUT_FAMILY),
    "cross-play": Task(CROSS_PLAY, 1, (BASE,)),
    "roles among scripted": Task(ROLE_INFERENCE, 1, SCRIPTED_FAMILY, deals=60),
    "roles among held-out": Task(ROLE_INFERENCE, 1, HELD_OUT_FAMILY, deals=60),
    "exact K3": Task(EXACT, 1, players=(3,), mine="K3"),
    "exact K8": Task(EXACT, 1, players=(3,), mine="K8"),
}


class Unit(NamedTuple):
    """A part of a task.

    Attributes:
        role: of the seats that the agent takes; empty where it takes none.
        seats: TEAM, all seats of the role, or ONE_SEAT; empty where it takes none.
        first, deals: which deals.
    """

    task: str
    players: int
    role: str = ""
    seats: str = ""
    first: int = 0
    deals: int = 0

    def __str__(self) -> str:
        words = f"{self.task}-{self.players}-{self.role}-{self.seats}-{self.first:05}"
        return words.replace(" ", "_")


def units(names: Sequence[str], deals: int, crossed: bool) -> list[Unit]:
    """The parts of some tasks, in the order of the table.

    Args:
        names: of the tasks.
        deals: of each task at most so many, its first ones.
        crossed: whether there are other training seeds for the cross-play.

    Raises: ValueError that lists the tasks there are.
    """
    if unknown := set(names) - set(TASKS):
        raise ValueError(f"there is no task {', '.join(sorted(unknown))}; there are {', '.join(TASKS)}")
    return [unit for name in names if crossed or TASKS[name].kind != CROSS_PLAY for unit in _units(name, deals)]


def _units(name: str, most: int) -> Iterator[Unit]:
    task = TASKS[name]
    if task.kind == EXACT:
        yield Unit(name, task.players[0])
        return
    deals, seated = min(task.deals, most), {STRENGTH: (TEAM, ONE_SEAT), CROSS_PLAY: (ONE_SEAT,)}
    for players in task.players:
        for role in ROLES if task.kind in seated else ("",):
            for seats in seated.get(task.kind, ("",)):
                for first in range(0, deals, BENCHMARK_UNIT):
                    yield Unit(name, players, role, seats, first, min(BENCHMARK_UNIT, deals - first))


def seed_of(players: int, deal: int) -> int:
    """The seed of a deal."""
    return deal_seed(SEED, Purpose.BENCHMARK, deal, players)
