"""Win rates by number of players: play matches on all cores, then a table, CSV, Parquet and a plot.

Run as ``saboteur-env win-rates``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from saboteur_env.agents.matches.kernel_matches import play_matches
from saboteur_env.agents.scripted.presets import number_of
from saboteur_env.core.frozen import freeze
from saboteur_env.core.seeds import Purpose, deal_seed
from saboteur_env.engine.editions import Rules

from ..common.executor import in_threads
from ..common.folders import default_folder
from ..common.report import has_report_extra, write_csv, write_parquet
from ..common.statistics import Row, round_columns, rows_of, win_rate_rows
from .plots import plot_win_rates

BATCH = 20  # matches a task: small enough for a smooth bar and a quick stop, large enough to keep a core busy


@dataclass(frozen=True)
class Study:
    """What is played. The same study gives the same rounds, whatever the number of workers.

    Attributes:
        players: the numbers of players, each with as many matches.
        miners, saboteurs: names of dwarfs (agents/scripted/presets.py) for the two roles.
        options: switches besides the edition (docs/rules.md, section 8).
        purpose: whose deals are played.
    """

    players: tuple[int, ...] = tuple(range(3, 11))
    matches: int = 400
    edition: str = "lv"
    rounds: int = 3
    miners: str = "scripted"
    saboteurs: str = "scripted"
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    purpose: Purpose = Purpose.WIN_RATES

    def __post_init__(self) -> None:
        freeze(self)

    def rules(self) -> list[Rules]:
        """The settings for each number of players. Raises: ValueError where they are impossible."""
        return [Rules.make(players, self.edition, self.rounds, self.options) for players in self.players]

    def folder(self) -> Path:
        """The folder for its tables where none is given."""
        return default_folder("results/win_rates", asdict(self), asdict(Study()))


def play(
    study: Study, workers: int | None = None, progress: Callable[[int], object] = lambda rounds: None
) -> list[Row]:
    """Play a study and return a row for each round, in order.

    Args:
        workers: threads; all cores where missing. The kernels run without the interpreter lock.
        progress: called with the number of rounds just finished.

    Raises: ValueError for impossible settings; Interrupted, with the finished rounds, on Ctrl-C.
    """
    dwarfs = number_of(study.miners), number_of(study.saboteurs)
    return in_threads([partial(_play_part, rules, seeds, dwarfs) for rules, seeds in _tasks(study)], workers, progress)


def _play_part(rules: Rules, seeds: Any, dwarfs: tuple[int, int]) -> list[Row]:
    return rows_of(round_columns(rules, play_matches(rules, seeds, *dwarfs)))


def _tasks(study: Study) -> Iterator[tuple[Rules, Any]]:
    for rules in study.rules():
        deals = [deal_seed(study.seed, study.purpose, i, rules.players) for i in range(study.matches)]
        seeds = np.array(deals, np.uint64)
        for first in range(0, study.matches, BATCH):
            yield rules, seeds[first : first + BATCH]


def write(study: Study, rounds: list[Row], folder: Path) -> list[Path]:
    """Write rounds and win rates as CSV; with the `report` extra as Parquet and a plot besides."""
    rates = win_rate_rows(rounds)
    written = [write_csv(folder / "rounds.csv", rounds), write_csv(folder / "win_rates.csv", rates)]
    if rounds and has_report_extra():
        title = f"{study.miners} miners against {study.saboteurs} saboteurs, edition {study.edition}"
        written.append(write_parquet(folder / "rounds.parquet", rounds))
        written.append(write_parquet(folder / "win_rates.parquet", rates))
        written.append(plot_win_rates(rates, title).save(folder / "win_rates.png"))
    return written
