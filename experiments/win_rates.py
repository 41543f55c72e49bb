"""Win rates by number of players: play matches on all cores, then a table, CSV, Parquet and a plot.

Run as ``saboteur-env win-rates`` or ``python -m saboteur_env.experiments.win_rates``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from saboteur_env.agents.matches import play_matches
from saboteur_env.agents.roster import number_of
from saboteur_env.engine.chance import game_seed
from saboteur_env.engine.editions import Rules

from .analysis import Row, round_columns, rows_of, win_rate_rows
from .report import has_report_extra, plot_win_rates, write_csv, write_parquet

BATCH = 20  # matches a task: small enough for a smooth bar and a quick stop, large enough to keep a core busy


@dataclass(frozen=True)
class Study:
    """What is played. The same study gives the same rounds, whatever the number of workers.

    Attributes:
        players: the numbers of players, each with as many matches.
        miners, saboteurs: names of dwarfs (agents/roster.py) for the two roles.
        options: switches besides the edition (docs/rules.md, section 8).
    """

    players: tuple[int, ...] = tuple(range(3, 11))
    matches: int = 400
    edition: str = "lv"
    rounds: int = 3
    miners: str = "scripted"
    saboteurs: str = "scripted"
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)

    def rules(self) -> list[Rules]:
        """The settings for each number of players. Raises: ValueError where they are impossible."""
        return [Rules.make(players, self.edition, self.rounds, self.options) for players in self.players]


def play(study: Study, workers: int | None = None, tick: Callable[[int], object] = lambda rounds: None) -> list[Row]:
    """Play a study and return a row for each round, in order.

    Args:
        workers: threads; all cores where missing. The kernels run without the interpreter lock.
        tick: called with the number of rounds just finished.

    Raises: ValueError for impossible settings; Interrupted, with the finished rounds, on Ctrl-C.
    """
    dwarfs = number_of(study.miners), number_of(study.saboteurs)
    tasks = list(_tasks(study))
    finished: dict[int, list[Row]] = {}
    pool = ThreadPoolExecutor(workers or os.cpu_count())
    waiting: dict[Future[Any], int] = {
        pool.submit(play_matches, rules, seeds, *dwarfs): number for number, (rules, seeds) in enumerate(tasks)
    }
    try:
        for done in as_completed(waiting):
            rows = rows_of(round_columns(tasks[waiting[done]][0], done.result()))
            finished[waiting[done]] = rows
            tick(len(rows))
    except KeyboardInterrupt:
        raise Interrupted(_in_order(finished)) from None
    finally:
        pool.shutdown(cancel_futures=True)
    return _in_order(finished)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in the middle of a study; `rows` has the rounds finished by then."""

    def __init__(self, rows: list[Row]) -> None:
        super().__init__(f"interrupted after {len(rows)} rounds")
        self.rows = rows


def _tasks(study: Study) -> Iterator[tuple[Rules, Any]]:
    for rules in study.rules():
        seeds = np.array([game_seed(study.seed, i, rules.players) for i in range(study.matches)], np.uint64)
        for first in range(0, study.matches, BATCH):
            yield rules, seeds[first : first + BATCH]


def _in_order(finished: dict[int, list[Row]]) -> list[Row]:
    return [row for number in sorted(finished) for row in finished[number]]


def write(study: Study, rounds: list[Row], folder: Path) -> list[Path]:
    """Write rounds and win rates as CSV; with the `report` extra as Parquet and a plot besides."""
    rates = win_rate_rows(rounds)
    written = [write_csv(folder / "rounds.csv", rounds), write_csv(folder / "win_rates.csv", rates)]
    if rounds and has_report_extra():
        title = f"{study.miners} miners against {study.saboteurs} saboteurs, edition {study.edition}"
        written.append(write_parquet(folder / "rounds.parquet", rounds))
        written.append(write_parquet(folder / "win_rates.parquet", rates))
        written.append(plot_win_rates(folder / "win_rates.png", rates, title))
    return written


if __name__ == "__main__":
    from saboteur_env.cli import main

    main(["win-rates"])
