"""`saboteur-env bench`: measure speed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Column, Table

from saboteur_env.experiments.common.options import Count

from ..terminal import console, exit_interrupted, plain_table, progress, report_files
from .warm import doors_table


def bench(
    players: Count = 5,
    moves: Annotated[int, typer.Option(min=1000, help="Moves of one run.")] = 1_000_000,
    runs: Annotated[int, typer.Option(min=1, help="Number of runs; the result is their median.")] = 7,
    peers: Annotated[
        bool, typer.Option("--peers", help="Compare with other libraries (extra `bench`), on one core.")
    ] = False,
    cold: Annotated[
        bool, typer.Option("--cold", help="Instead: how long each door compiles when no compiled kernels are kept yet.")
    ] = False,
    parts: Annotated[
        bool, typer.Option("--parts", help="Instead: where the time of a decision goes, on one core.")
    ] = False,
    seconds: Annotated[float, typer.Option(min=0.1, help="With --peers: seconds for each case, over all runs.")] = 5.0,
    out: Annotated[Path, typer.Option(help="With --peers: folder for speed.md and speed.json.")] = Path(
        "results/speed"
    ),
) -> None:
    """Measure the speed of the engine on one and two threads, or compare it with other libraries. Random legal play."""
    from saboteur_env.experiments.speed import engine as benchmark

    if cold:
        _bench_cold()
        return
    if parts:
        _bench_parts(players, runs)
        return
    if peers:
        _bench_peers(players, seconds, runs, out)
        return
    with console.status("measuring"):
        speed = benchmark.measure(players, moves, runs)
    table = Table(show_header=False)
    for name, value in benchmark.facts(speed).items():
        table.add_row(name, value)
    console.print(table)


def _bench_cold() -> None:
    from saboteur_env.experiments.speed.cold import DOORS, LATER, open_cold

    console.print(doors_table("With an empty cache", [*DOORS, LATER], open_cold()))


def _bench_parts(players: int, runs: int) -> None:
    from saboteur_env.experiments.speed.parts import bare_parts, batch_parts

    with console.status("measuring"):
        tables = {"The bare loop": bare_parts(players, runs=runs)}
        for games in (512, 4096):
            tables[f"A batch of {games:,} games, one thread"] = batch_parts(games, players, runs=runs)
    for title, shares in tables.items():
        rows = [(share.part, f"{share.ns:.0f}", f"{share.ns / shares[-1].ns:.0%}") for share in shares]
        console.print(plain_table(title, ["part", "ns", "share"], rows))


def _bench_peers(players: int, seconds: float, runs: int, out: Path) -> None:
    from saboteur_env.experiments.speed import comparison as peers
    from saboteur_env.experiments.speed.interleaved import interleave
    from saboteur_env.experiments.speed.other_libraries import everyone

    field = everyone(players)
    with progress() as bar:
        task = bar.add_task("", total=len(field) * (runs + 1))
        raced = interleave(field, seconds, runs, lambda what: bar.update(task, description=what, advance=1))
    result = peers.report(raced)
    written = peers.write(result, out) if raced.runners else []
    for title, heads, rows in peers.sections(result):
        columns = [Column(head, overflow="fold") for head in heads]
        console.print(plain_table(title, columns, ([escape(cell) for cell in row] for row in rows)))
    report_files(written)
    if raced.stopped:
        exit_interrupted("Stopped; the laps that were finished count.")
