"""Studies of deals that can be stopped: what is left of them is played with a bar, and what they found is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from saboteur_env.agents.matches.kernel_matches import play_matches
from saboteur_env.agents.scripted.presets import number_of
from saboteur_env.core.seeds import game_seed
from saboteur_env.engine.editions import Rules
from saboteur_env.terminal import report_files, resumable

from .report import write_csv, write_text
from .shards import ResultStore
from .statistics import Columns, Row


def with_saboteurs(rules: Rules, root: int, count: int) -> npt.NDArray[np.uint64]:
    """The seeds of some deals, uint64[count]: of each game of a batch the first with a saboteur at the table.

    Args:
        root: the seed of the batch.
    """
    result, episode, number = np.zeros(count, np.uint64), 0, number_of("random")
    left: Any = np.arange(count)
    while len(left):
        result[left] = [game_seed(root, i, episode) for i in left.tolist()]
        roles = play_matches(rules, result[left], number, number)["roles"]
        left, episode = left[roles & (1 << rules.players) - 1 == 0], episode + 1
    return result


class Deals(Protocol):
    """Some deals of a study; its text names it."""

    @property
    def deals(self) -> int:
        """How many they are."""


def play_left(parts: ResultStore, units: Sequence[Deals], work: Callable[[Any], Columns], workers: int | None) -> Any:
    """Play what is left of a study: a pyarrow table with the columns that `work` gives, a row for each deal."""
    with resumable(parts.folder) as bar:
        task = bar.add_task("deals", total=sum(unit.deals for unit in units))
        return parts.complete(units, work, workers, progress=lambda rows: bar.advance(task, rows))


def write_study(page: str, table: Path, rows: list[Row]) -> None:
    """Write the page and the table of a study into the folder of its rounds, and name the three."""
    folder = table.parent
    report_files([write_text(folder / "README.md", page), write_csv(table, rows), folder / "rounds.parquet"])
