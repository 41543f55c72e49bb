"""Speed of a batch by its size and its number of threads, and the cost of each part of a step.

Run as ``saboteur-env study batch-scaling``; the notebook on speed draws the table it writes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import typer
from rich.progress import track

import saboteur_env

from ..common.machine import machine
from ..common.report import write_parquet
from ..common.statistics import Row

STUDY = "batch-scaling"

# What a decision is given, in the order in which the parts of a step are added up.
WORKLOADS: dict[str, dict[str, Any]] = {
    "legal moves": {"observations": False, "mask": None, "legal": "moves"},
    "as actions": {"observations": False, "mask": None},
    "and mask": {"observations": False, "mask": "int8"},
    "and observation": {"observations": True, "mask": "int8"},
}
SIZES = tuple(4**power for power in range(8))

Cell = tuple[str, int, int]


def measure(
    sizes: Sequence[int] = SIZES,
    threads: Sequence[int] = (1, 2),
    players: int = 5,
    seconds: float = 0.3,
    runs: int = 5,
    track: Callable[[Sequence[int]], Iterable[int]] = iter,
) -> list[Row]:
    """Let batches of each size play at random in turn, so that a drift of the machine affects all equally.

    Args:
        seconds: for each batch in each run.
        track: goes through the runs; `rich.progress.track` shows how far.

    Returns: a row for each batch, with the median over the runs (docs/tables.md).
    """
    cells = [cell for cell in product(WORKLOADS, sizes, threads) if cell[2] <= cell[1]]
    batches = {
        (shown, games, many): saboteur_env.make_vec(games, players, seed=1, threads=many, **WORKLOADS[shown])
        for shown, games, many in cells
    }
    for vec in batches.values():
        decisions_a_second(vec, 0)
    samples: dict[Cell, list[float]] = {cell: [] for cell in cells}
    for _ in track(range(runs)):
        for cell, vec in batches.items():
            samples[cell].append(decisions_a_second(vec, seconds))
    return [_row(cell, samples[cell], players) for cell in cells]


def decisions_a_second(vec: Any, seconds: float) -> float:
    """The speed of a batch that plays at random for about so long, one step at least."""
    steps, began = 0, time.perf_counter()
    while True:
        vec.take(vec.sample_indices(steps))
        steps += 1
        if (took := time.perf_counter() - began) >= seconds:
            return steps * vec.num_games / took


def _row(cell: Cell, samples: Sequence[float], players: int) -> Row:
    shown, games, threads = cell
    what = {"shown": shown, "games": games, "threads": threads, "players": players, "runs": len(samples)}
    speeds = {"decisions_a_second": median(samples), "slowest": min(samples), "fastest": max(samples)}
    return {**what, **speeds, "machine": machine(), "cores": os.cpu_count() or 1}


def main(
    threads: Annotated[int, typer.Option(min=1, help="Measure with 1, 2, 4 … threads, up to this number.")] = 2,
    seconds: Annotated[float, typer.Option(min=0, help="Seconds for each batch in each run.")] = 0.3,
    runs: Annotated[int, typer.Option(min=1, help="Number of runs; the result is their median.")] = 5,
    out: Annotated[Path, typer.Option(help="The table to write.")] = Path("results/speed/scaling.parquet"),
) -> None:
    """Measure the speed of a batch by its size and its number of threads."""
    powers = [2**power for power in range(threads.bit_length())]
    write_parquet(out, measure(threads=powers, seconds=seconds, runs=runs, track=track))
