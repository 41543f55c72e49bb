"""Strength of search with a network's judgement: one seat among agents, beside plain search and the base agent there.

Every deal is played with the base agent in all seats, and with each searcher in one seat. Budgets are numbers of games,
so that a busy machine changes nothing but the time.

Run as ``saboteur-env study network-search``; the same command resumes a stopped run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from time import process_time
from typing import Annotated, Any

import typer

from saboteur_env.agents.matches.matchups import Matchup, play_matchup
from saboteur_env.agents.registry import fingerprints, make_agent
from saboteur_env.core.compiled.kernel_cache import sources_key
from saboteur_env.core.seeds import Purpose, deal_seed
from saboteur_env.core.versions import VERSIONS
from saboteur_env.engine.cards import ROLES
from saboteur_env.engine.editions import Rules
from saboteur_env.engine.state import MINERS
from saboteur_env.terminal import parse_players, report_files, resumable

from ..common.options import Fresh, Seed, Workers
from ..common.page import markdown_table, share_of
from ..common.report import write_csv, write_text
from ..common.shards import ResultStore
from ..common.statistics import Columns, Row
from .strength import Cell, Unit, outcomes, summary

STUDY = "network-search"

SEARCHERS = "search:net=ppo-small:iterations=3000"  # about 0.3 s a move
UNIT = 5  # deals
APART = 100  # added to the number of players: deals of its own


def play_unit(seed: int, base: str, unit: Unit) -> Columns:
    """A row for each deal: the winner with and without the searcher, and how many seconds more it took on one core."""
    cell, deals = unit.cell, range(unit.first, unit.first + unit.deals)
    role = cell.seats.removeprefix("one ")
    rules = Rules.make(cell.players, rounds=1)
    seeds = [deal_seed(seed, Purpose.SEARCH, deal, APART + cell.players) for deal in deals]
    start = process_time()
    plain = play_matchup(rules, seeds, Matchup(base, base, base, role))
    between = process_time()
    searched = play_matchup(rules, seeds, Matchup(base, base, cell.search, role))
    seconds = process_time() - 2 * between + start
    return outcomes(unit, plain, searched, MINERS + ROLES.index(role), seconds)


def units(searchers: Iterable[str], base: str, players: Iterable[int], deals: int) -> list[Unit]:
    """All parts of the study, the first deals of all cells first.

    Raises: ValueError for an unknown agent.
    """
    searchers = list(searchers)
    for name in (base, *searchers):
        make_agent(name)
    cells = [Cell(base, count, f"one {role}", name) for count in players for role in ROLES for name in searchers]
    return [Unit(cell, first, min(UNIT, deals - first)) for first in range(0, deals, UNIT) for cell in cells]


def all_rows(rounds: Any) -> list[Row]:
    """The rows of all cells, then those of each searcher over all numbers of players and both roles.

    Args:
        rounds: a pyarrow table with the columns of `play_unit`.
    """
    pooled = rounds
    for name in ("players", "seats"):
        pooled = pooled.set_column(pooled.column_names.index(name), name, [["all"] * len(pooled)])
    return summary(rounds) + summary(pooled)


def page(rows: Sequence[Row], base: str, command: str) -> str:
    """The table in Markdown."""
    lines = []
    for row in rows:
        shares = [share_of(row, "plain_"), share_of(row, "search_"), share_of(row, "more_", "+")]
        seconds = f"{row['seconds_a_round']:.2f}"
        lines.append([str(row["players"]), row["seats"], f"`{row['search']}`", f"{row['rounds']:,}", *shares, seconds])
    heads = ("players", "seat", "searcher", "rounds", f"`{base}` there", "searcher there", "more", "seconds a round")
    parts = ("# Search with a network's judgement", _INTRODUCTION, markdown_table(heads, lines), f"```\n{command}\n```")
    return "\n\n".join(parts) + "\n"


_INTRODUCTION = """One seat of a table is played by a searcher, the others by the base agent. The figures are rounds won
by the side of that seat, in %: with the base agent in it, with the searcher in it on the same deals, and the difference
deal by deal, with 95 % intervals from a bootstrap over deals. The last column is the time on one core that the searcher
took for a round, all its moves together, beyond what the base agent takes. `rounds.parquet` has every round."""


def main(
    searchers: Annotated[str, typer.Option(help="The agents that search, by name.")] = SEARCHERS,
    base: Annotated[str, typer.Option(help="Who plays all other seats.")] = "ppo",
    players: Annotated[str, typer.Option(help="Numbers of players.")] = "3,5,7",
    deals: Annotated[int, typer.Option(min=1, help="Deals for each row.")] = 300,
    seed: Seed = 0,
    workers: Workers = None,
    fresh: Fresh = False,
    out: Annotated[Path, typer.Option(help="Folder for the table.")] = Path("results/network_search"),
) -> None:
    """Measure search with a network's judgement: one seat among agents, beside plain search.

    Writes README.md, table.csv and rounds.parquet.
    """
    counts, names = parse_players(players), searchers.split(",")
    command = (
        f"saboteur-env study network-search --searchers {searchers} --base {base} --players {players} "
        f"--deals {deals} --seed {seed}"
    )
    made_with = {"versions": {**VERSIONS, "sources": sources_key()}, "files": fingerprints([base, *names])}
    store = ResultStore(out, {"command": command, **made_with}, fresh)
    with resumable(out) as bar:
        task = bar.add_task("deals", total=deals * len(counts) * len(ROLES) * len(names))
        rounds = store.complete(
            units(names, base, counts, deals),
            partial(play_unit, seed, base),
            workers,
            progress=lambda rows: bar.advance(task, rows),
        )
    rows = all_rows(rounds)
    written = [write_text(out / "README.md", page(rows, base, command)), write_csv(out / "table.csv", rows)]
    report_files([*written, out / "rounds.parquet"])
