"""`saboteur-env win-rates`: how often each side wins."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table

from saboteur_env.experiments.common.options import Edition, Out, Players, Rounds, Seed, Switches, Workers
from saboteur_env.experiments.common.page import share_of

from ..terminal import (
    console,
    exit_interrupted,
    left_out,
    options,
    parse_players,
    plain_table,
    progress,
    report_files,
)

_ALONE = {"wazabi": ("edition", "rounds", "miners", "saboteurs"), "saboteur": ("agent",)}  # mean nothing in that game


def win_rates(
    context: typer.Context,
    players: Players = "",
    matches: Annotated[int, typer.Option(min=1, help="Matches for each number of players.")] = 400,
    rounds: Rounds = 3,
    edition: Edition = "lv",
    option: Switches = None,
    miners: Annotated[str, typer.Option(help="The agent that plays the miners.")] = "scripted",
    saboteurs: Annotated[str, typer.Option(help="The agent that plays the saboteurs.")] = "scripted",
    seed: Seed = 0,
    workers: Workers = None,
    out: Out = None,
    game: Annotated[str, typer.Option(help="saboteur, or wazabi: win rates by seat.")] = "saboteur",
    agent: Annotated[str, typer.Option(help="With wazabi: the agent, greedy or random.")] = "greedy",
) -> None:
    """Win rates by number of players and role, with 95 % Wilson intervals."""
    if game not in _ALONE:
        raise typer.BadParameter(f"{game!r}: saboteur or wazabi", param_hint="--game")
    _refuse_given(context, _ALONE[game], game)
    switches = options(option or [])
    if game == "wazabi":
        from saboteur_env.experiments.win_rates import wazabi

        counts = parse_players(players or "2-6", 2, 6)
        _wazabi(wazabi.Study(counts, matches, switches.pop("deck", "sheet"), agent, seed, switches), workers, out)
    else:
        from saboteur_env.experiments.win_rates.win_rates import Study

        counts = parse_players(players or "3-10")
        _saboteur(Study(counts, matches, edition, rounds, miners, saboteurs, seed, switches), workers, out)


def _refuse_given(context: typer.Context, names: Iterable[str], game: str) -> None:
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise typer.BadParameter(f"means nothing in {game}", param_hint=f"--{name}")


def _saboteur(study: Any, workers: int | None, out: Path | None) -> None:
    from saboteur_env.experiments.common.report import report_extra_missing
    from saboteur_env.experiments.common.statistics import win_rate_rows
    from saboteur_env.experiments.win_rates import win_rates as study_of

    study.rules()
    total = len(study.players) * study.matches * study.rounds
    played, stopped = _played("rounds", total, lambda advance: study_of.play(study, workers, advance))
    written = study_of.write(study, played, out or study.folder())
    if played:
        console.print(_table(win_rate_rows(played)))
    report_files(written)
    left_out("Parquet and plot", report_extra_missing())
    if stopped:
        exit_interrupted(f"Stopped; the {len(played)} finished rounds are written.")


def _wazabi(study: Any, workers: int | None, out: Path | None) -> None:
    from saboteur_env.experiments.common.report import report_extra_missing
    from saboteur_env.experiments.win_rates import wazabi

    total = len(study.players) * study.games
    played, stopped = _played("games", total, lambda advance: wazabi.play(study, workers, advance))
    written = wazabi.write(played, out or study.folder())
    title = f"Wazabi, {study.deck_label}: games won, %, with 95 % intervals"
    rows = [
        (str(row["players"]), str(row["seat"]), f"{row['games']:,}", share_of(row), f"{row['turns']:.1f}")
        for row in wazabi.seat_rows(played)
    ]
    console.print(plain_table(title, ("players", "seat from the first", "games", "won", "turns"), rows))
    report_files(written)
    left_out("Parquet", report_extra_missing())
    if stopped:
        exit_interrupted(f"Stopped; the {len(played)} finished games are written.")


def _played(what: str, total: int, play: Callable[[Callable[[int], None]], list[Any]]) -> tuple[list[Any], bool]:
    """The rows of what was played under a bar of progress, and whether it was stopped before its end."""
    from saboteur_env.experiments.common.executor import Interrupted

    with progress() as bar:
        task = bar.add_task(what, total=total)
        try:
            return play(lambda count: bar.advance(task, count)), False
        except Interrupted as interrupted:
            return interrupted.rows, True


def _table(rows: list[dict[str, Any]]) -> Table:
    table = Table(title="Rounds won, %, with 95 % intervals", title_justify="left", box=box.SIMPLE_HEAD)
    for head in ("players", "sab.", "rounds", "miners", "saboteurs", "turns", "nuggets\na miner", "\na sab."):
        table.add_column(head, justify="right")
    for row in rows:
        whole = row["saboteurs"] == "all"
        if whole and table.rows:
            table.add_section()
        table.add_row(
            str(row["players"]) if whole else "",
            row["saboteurs"],
            f"{row['rounds']:,}",
            share_of(row, "miners_"),
            share_of(row, "saboteurs_"),
            f"{row['turns']:.1f}",
            _nuggets(row["nuggets_a_miner"]),
            _nuggets(row["nuggets_a_saboteur"]),
            style="bold" if whole else "",
        )
    return table


def _nuggets(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
