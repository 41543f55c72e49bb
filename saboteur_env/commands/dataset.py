"""`saboteur-env dataset`: decisions of many matches as Parquet files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from saboteur_env.experiments.common.options import Edition, Players, Rounds, Seed, Switches

from ..terminal import options, parse_players, progress, report_files


def dataset(
    out: Annotated[Path, typer.Option(help="Folder to write to; what it holds already is not played again.")],
    agents: Annotated[str, typer.Option(help="Who plays, each seat one of them: names with commas.")] = "scripted",
    matches: Annotated[int, typer.Option(min=1, help="How many matches.")] = 1000,
    players: Players = "5",
    edition: Edition = "lv",
    rounds: Rounds = 1,
    reward: Annotated[str, typer.Option(help="What `return` is: side, zero_sum, nuggets or match.")] = "side",
    option: Switches = None,
    views: Annotated[bool, typer.Option("--views", help="Write observations and legal actions too.")] = False,
    window: Annotated[str, typer.Option(help="Of the views: printed, mine, small, medium, large or full.")] = "medium",
    history: Annotated[int, typer.Option(min=0, max=128, help="Of the views: how many events.")] = 16,
    seed: Seed = 0,
) -> None:
    """Decisions of whole matches for imitation and offline learning (extra `report`)."""
    from saboteur_env.experiments.datasets.record import DatasetConfig, write_dataset

    names, counts, switches = tuple(agents.split(",")), parse_players(players), options(option or [])
    rules = (names, matches, counts, edition, rounds, reward, seed, switches)
    config = DatasetConfig(*rules, views, window, history)
    with progress() as bar:
        task = bar.add_task("matches", total=matches)
        files = write_dataset(config, out, lambda count: bar.advance(task, count))
    report_files(files)
