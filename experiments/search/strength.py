"""Strength of the search agent against the scripted dwarf: as one seat and as a team, by budget, and part by part.

Every deal is played twice: by scripted dwarfs only, and with a search agent in one seat, or in all seats of a role. The
difference in rounds won by that side is computed deal by deal.

Run as ``saboteur-env study search-strength``; the same command resumes a stopped run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from time import process_time
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import typer

from saboteur_env.agents.matches.kernel_matches import play_matches
from saboteur_env.agents.matches.search_matches import play_searched
from saboteur_env.agents.scripted.presets import number_of
from saboteur_env.agents.search.ismcts import Settings
from saboteur_env.core.compiled.kernel_cache import sources_key
from saboteur_env.core.seeds import Purpose, deal_seed
from saboteur_env.core.versions import VERSIONS
from saboteur_env.engine.editions import Rules
from saboteur_env.engine.state import MINERS

from ..common.deals import play_left, write_study
from ..common.folders import default_folder
from ..common.options import Fresh, Out, Seed, Workers
from ..common.page import markdown_table, share_of
from ..common.shards import ResultStore
from ..common.statistics import Columns, Row, bootstrap

STUDY = "search-strength"

BASE = "scripted"
DEALS_A_PART = 10  # deals of a unit
SEAT_BUDGET = "iterations=4000"  # of one seat: some 60 ms a move
TEAM_BUDGET = "iterations=1000"  # of each of all seats: some 15 ms a move
ABLATED = "iterations=400"
SEATS = ("one miner", "one saboteur", "all miners")


@dataclass(frozen=True)
class Cell:
    """A row of a table: the seats of the search agent and its settings (agents/search/ismcts.py)."""

    table: str
    players: int
    seats: str
    search: str


def strength() -> list[Cell]:
    """For all seats, with few players and many."""
    budgets = dict(zip(SEATS, (SEAT_BUDGET, SEAT_BUDGET, TEAM_BUDGET), strict=True))
    return [Cell("strength", players, seats, budgets[seats]) for players in (3, 5, 7) for seats in SEATS]


def curve() -> list[Cell]:
    """By budget."""
    budgets = (10, 30, 100, 300, 1000, 3000)
    return [Cell("curve", 5, seats, f"iterations={budget}") for seats in SEATS[:2] for budget in budgets]


def ablation() -> list[Cell]:
    """One part changed at a time."""
    changes = (
        "",
        "action_model=none",
        "action_model=scripted",
        "rollout_depth=0",
        "rollout_depth=10",
        "rollout_depth=-1",
        "rollout_depth=-1:rollout=random",
        "prior_scale=0",
        "prior_visits=1",
        "max_candidates=4",
        "opponents=script",
        "opponents=tree",
        "c_uct=0",
        "trees=1",
    )
    return [
        Cell("ablation", 5, seats, ":".join(filter(None, (ABLATED, change))))
        for seats in SEATS[:2]
        for change in changes
    ]


CELL = tuple(field.name for field in fields(Cell))
TABLES = {"strength": strength, "curve": curve, "ablation": ablation}
DEALS = 500
DEFAULTS = {"tables": [*TABLES], "deals": DEALS, "seed": 0}


@dataclass(frozen=True)
class Unit:
    """Some deals of a cell."""

    cell: Cell
    first: int
    deals: int

    def __str__(self) -> str:
        words = (self.cell.table, self.cell.players, self.cell.seats, self.cell.search, f"{self.first:06}")
        return "-".join(str(word).replace(" ", "_").replace("/", "_") for word in words)


def play_unit(seed: int, unit: Unit) -> Columns:
    """A row for each deal: the winner with and without the search agent, and the seconds on one core."""
    cell, deals = unit.cell, range(unit.first, unit.first + unit.deals)
    rules, role = Rules.make(cell.players, rounds=1), 1 if "saboteur" in cell.seats else 0
    seeds = np.array([deal_seed(seed, Purpose.SEARCH, deal, cell.players) for deal in deals], np.uint64)
    team, base = cell.seats.startswith("all"), number_of(BASE)
    plain = play_matches(rules, seeds, base, base, base, role)
    start = process_time()
    searched = play_searched(rules, seeds, Settings.read(cell.search), role, team, BASE)
    seconds = process_time() - start
    return outcomes(unit, plain, searched, MINERS + role, seconds)


def outcomes(
    unit: Unit, plain: npt.NDArray[np.void], searched: npt.NDArray[np.void], side: int, seconds: float
) -> Columns:
    """The rows of a part of the study, one for each deal.

    Args:
        plain: records [deals], how the rounds ended without the searcher; searched: records [deals], with it.
        side: the winner that the searcher's side is.
        seconds: of all deals together.
    """
    return {
        **{name: np.full(unit.deals, value) for name, value in vars(unit.cell).items()},
        "deal": np.arange(unit.first, unit.first + unit.deals),
        "seated": plain["substitute"] >= 0,
        "plain_won": plain["winner"] == side,
        "search_won": searched["winner"] == side,
        "turns": searched["turns"],
        "seconds": np.full(unit.deals, seconds / unit.deals),
    }


def summary(table: Any) -> list[Row]:
    """Wins with and without the search agent in the rounds in which it had a seat, with 95 % intervals, by cell."""
    played = table.filter(table["seated"]).to_pylist()
    cells: dict[tuple[Any, ...], list[Row]] = {}
    for row in played:
        cells.setdefault(tuple(row[name] for name in CELL), []).append(row)
    return [{**dict(zip(CELL, cell, strict=True)), **_worth(rows)} for cell, rows in cells.items()]


def _worth(rows: list[Row]) -> Row:
    plain, won = (np.array([row[name] for row in rows], np.float64) for name in ("plain_won", "search_won"))
    result: Row = {"rounds": len(rows)}
    intervals = bootstrap(np.stack([plain, won, won - plain], axis=1), (0, 0, -1)).tolist()
    for name, (mean, low, high) in zip(("plain", "search", "more"), intervals, strict=True):
        result |= {f"{name}_won": mean, f"{name}_low": low, f"{name}_high": high}
    return result | {"seconds_a_round": float(np.mean([row["seconds"] for row in rows]))}


def page(rows: Sequence[Row], command: str) -> str:
    """The tables in Markdown."""
    parts = []
    for table in TABLES:
        lines = [row for row in rows if row["table"] == table]
        if lines:
            parts.append(f"## {table.capitalize()}\n\n{_table(lines)}")
    return f"# Strength of the search agent\n\n{_INTRODUCTION}\n\n" + "\n".join(parts) + f"\n```\n{command}\n```\n"


_INTRODUCTION = f"""Rounds won by the side of the search agent, in %. The first figure has `{BASE}`
dwarfs in all seats. The second has the search agent in the seats named, and `{BASE}` dwarfs in the others. The third is
the difference, deal by deal. The 95 % intervals come from a bootstrap over deals. `tables.csv` has these figures, and
the seconds on one core for a round. `rounds.parquet` has every round."""


def _table(rows: Iterable[Row]) -> str:
    lines = []
    for row in rows:
        shares = [share_of(row, "plain_"), share_of(row, "search_"), share_of(row, "more_", "+")]
        lines.append([str(row["players"]), row["seats"], f"`{row['search']}`", f"{row['rounds']:,}", *shares])
    heads = ("players", "seats", "search", "rounds", "scripted", "searcher", "more")
    return markdown_table(heads, lines) + "\n"


def main(
    tables: Annotated[str, typer.Option(help=f"Which of {', '.join(TABLES)}.")] = ",".join(TABLES),
    deals: Annotated[int, typer.Option(min=1, help="Deals for each row.")] = DEALS,
    seed: Seed = 0,
    workers: Workers = None,
    fresh: Fresh = False,
    out: Out = None,
) -> None:
    """Measure the strength of the search agent: by seat and team, by budget, and part by part.

    Writes README.md, tables.csv and rounds.parquet.
    """
    out = out or default_folder("results/search", {"tables": tables.split(","), "deals": deals, "seed": seed}, DEFAULTS)
    rows = summary(play(tables, deals, seed, out, fresh, workers))
    command = f"saboteur-env study search-strength --tables {tables} --deals {deals} --seed {seed}"
    write_study(page(rows, command), out / "tables.csv", rows)


def play(tables: str, deals: int, seed: int, out: Path, fresh: bool, workers: int | None) -> Any:
    """Play what is left of a study, with a bar: a pyarrow table with the columns of `play_unit`.

    Raises: ValueError for a table there is not, and where the folder holds another study.
    """
    parts = ResultStore(out, _settings(tables, deals, seed), fresh)
    return play_left(parts, _units(tables, deals), partial(play_unit, seed), workers)


def _units(tables: str, deals: int) -> list[Unit]:
    cells = [cell for name in tables.split(",") for cell in TABLES[name]()]
    return [
        Unit(cell, first, min(DEALS_A_PART, deals - first)) for first in range(0, deals, DEALS_A_PART) for cell in cells
    ]


def _settings(tables: str, deals: int, seed: int) -> dict[str, Any]:
    if unknown := set(tables.split(",")) - set(TABLES):
        raise ValueError(f"there is no table {', '.join(sorted(unknown))}; there are {', '.join(TABLES)}")
    return {"tables": tables, "deals": deals, "seed": seed, "versions": {**VERSIONS, "sources": sources_key()}}
