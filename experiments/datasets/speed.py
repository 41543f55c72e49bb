"""How fast decisions of scripted agents are written as a data set, and how large a million of them is.

Run as ``saboteur-env study dataset-speed`` (needs the extra ``report``).
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from saboteur_env.experiments.datasets.read import open_dataset
from saboteur_env.experiments.datasets.record import SHARD, DatasetConfig, record_shard, write_dataset

STUDY = "dataset-speed"


def measure(matches: int) -> tuple[float, float]:
    """Decisions a second on one core, and megabytes of a million decisions, of matches of five scripted agents."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.process_time()
        files = write_dataset(DatasetConfig(matches=matches), Path(folder))
        spent = time.process_time() - began
        decisions = open_dataset(folder).count_rows()
        return decisions / spent, sum(file.stat().st_size for file in files) / decisions


def main(matches: int = 10 * SHARD) -> None:
    """Measure how fast decisions are written as a data set, and how large a million of them is."""
    record_shard(DatasetConfig(matches=2), 0)  # compiles
    speed, size = measure(matches)
    print(f"{speed:10,.0f} decisions for each second of one core")
    print(f"{size:10.1f} MB for a million decisions")
