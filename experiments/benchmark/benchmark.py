"""The benchmark: one command gives an agent all frozen tasks, and writes its row beside those of the others.

Run as ``saboteur-env study benchmark --agent NAME`` (docs/benchmark.md).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

import saboteur_env
from saboteur_env.agents.registry import fingerprints
from saboteur_env.core.versions import VERSIONS
from saboteur_env.terminal import report_files, resumable

from ..common.folders import default_folder
from ..common.options import Fresh, OneWorker
from ..common.report import write_csv, write_text
from ..common.shards import ResultStore
from ..common.statistics import Row
from .figures import figure_rows
from .measures import able, measure
from .page import page
from .tasks import SEED, TASKS, Unit, units

STUDY = "benchmark"
FOLDER = Path("results/benchmark")
ALL_DEALS = max(task.deals for task in TASKS.values())
ROW = "row.json"


@dataclass(frozen=True)
class Entry:
    """What an agent is asked.

    Attributes:
        agent: a name (agents/registry.py).
        seeds: weights of other training seeds of the same method, for the cross-play.
        deals: of each task at most so many, its first ones.
    """

    agent: str
    seeds: tuple[str, ...] = ()
    tasks: tuple[str, ...] = tuple(TASKS)
    deals: int = ALL_DEALS

    @property
    def agents(self) -> list[str]:
        """The agent, and the other training seeds."""
        return [self.agent, *self.seeds]

    def units(self) -> list[Unit]:
        """The parts of the tasks that the agent is able to do. Raises: ValueError for an unknown agent or task."""
        asked = units(self.tasks, self.deals, bool(self.seeds))
        return [unit for unit in asked if able(self.agent, TASKS[unit.task].kind)]

    def settings(self) -> Row:
        """All that the row depends on, as JSON data."""
        versions = {unit.task: TASKS[unit.task].version for unit in self.units()}
        plain = {"agent": self.agent, "seeds": [*self.seeds], "deals": self.deals, "seed": SEED, "tasks": versions}
        return plain | {"files": fingerprints(self.agents), "versions": VERSIONS}


def evaluate(
    entry: Entry,
    folder: Path,
    workers: int | None = 1,
    fresh: bool = False,
    progress: Callable[[int], object] = lambda rows: None,
) -> Row:
    """Give an agent the tasks, or what is left of them: its row.

    Args:
        folder: keeps what is finished, and the row.
        progress: called with the number of rows just measured, or found measured.

    Raises: ValueError for an unknown agent or task, and where the folder holds another row.
    """
    parts = ResultStore(folder, entry.settings(), fresh)
    table = parts.complete(entry.units(), partial(measure, entry.agents), workers, progress=progress)
    row = entry.settings() | {"library": saboteur_env.__version__, "figures": figure_rows(table.to_pylist())}
    write_text(folder / ROW, json.dumps(row, indent=1) + "\n")
    return row


def kept_rows(folder: Path) -> list[Row]:
    """All rows of a benchmark folder, by their names."""
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob(f"*/{ROW}"))]


def main(
    agent: Annotated[str, typer.Option(help="The agent: a name, ppo:FILE, package.module.Class:argument.")],
    seeds: Annotated[str, typer.Option(help="Other training seeds of its method, for the cross-play.")] = "",
    tasks: Annotated[str, typer.Option(help=f"Which of {', '.join(TASKS)}.")] = ",".join(TASKS),
    deals: Annotated[int, typer.Option(min=1, help="Of each task at most so many deals.")] = ALL_DEALS,
    workers: OneWorker = 1,
    fresh: Fresh = False,
    exploited: Annotated[Path, typer.Option(help="Table of exploit-tables, for the page.")] = Path(
        "results/exploit/table.csv"
    ),
    out: Annotated[Path, typer.Option(help="Folder of all rows.")] = FOLDER,
) -> None:
    """Give an agent the frozen tasks of the benchmark, and write its row.

    Writes AGENT/row.json and AGENT/rounds.parquet, and the page of all rows, README.md and figures.csv.
    """
    entry = Entry(agent, tuple(filter(None, seeds.split(","))), tuple(tasks.split(",")), deals)
    folder = default_folder(out / "agent", {"names": entry.agents}, {})
    with resumable(folder) as bar:
        evaluate(entry, folder, workers, fresh, partial(bar.advance, bar.add_task(agent, total=None)))
    report_files([folder / ROW, *write(out, exploited)])


def write(out: Path, exploited: Path) -> list[Path]:
    """Write the page of all rows in a folder, and their figures as a table."""
    rows = kept_rows(out)
    figures = [{"agent": row["agent"], **figure} for row in rows for figure in row["figures"]]
    return [
        write_text(out / "README.md", page(figures, exploited)),
        write_csv(out / "figures.csv", figures),
    ]
