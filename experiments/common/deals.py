"""Studies of deals that can be stopped: what is left of them is played with a bar, and what they found is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from saboteur_env.terminal import report_files, resumable

from .report import write_csv, write_text
from .shards import ResultStore
from .statistics import Columns, Row


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
