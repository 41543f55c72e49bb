"""What talk is worth: the same deals played by scripted dwarfs with and without claims, and with and without maps.

Run as ``saboteur-env study talk``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

from saboteur_env.agents.matches.talking_matches import play_talking
from saboteur_env.agents.talk.talker import talking
from saboteur_env.core.compiled.kernel_cache import sources_key
from saboteur_env.core.extras import extra
from saboteur_env.core.seeds import Purpose, deal_seed
from saboteur_env.core.versions import versions_of
from saboteur_env.engine.editions import PLAYERS, Rules
from saboteur_env.engine.state import MINERS

from ..common.deals import play_left, write_study
from ..common.folders import default_folder
from ..common.options import Fresh, Out, Seed, Workers
from ..common.page import markdown_rows, percent
from ..common.shards import ResultStore
from ..common.statistics import Columns, Row, estimated

STUDY = "talk"

DEALS_PER_COUNT = 20_000
DEALS_OF_A_UNIT = 500
DEFAULTS = {"deals": DEALS_PER_COUNT, "seed": 0}


class Table(NamedTuple):
    """A kind of table.

    Attributes:
        talk: the switch (docs/rules.md, section 9).
        saboteurs: what they claim; miners are honest.
        hears: how all read claims (agents/talk/talker.py).
        reads: whether maps are read.
    """

    talk: str
    saboteurs: str
    hears: str
    reads: bool = True


TABLE_KINDS = {
    "no maps": Table("none", "liar", "nothing", reads=False),
    "no talk": Table("none", "liar", "nothing"),
    "silent saboteurs": Table("claims", "silent", "weighed"),
    "lies weighed": Table("claims", "liar", "weighed"),
    "lies believed": Table("claims", "liar", "believed"),
}
# Differences of the rates of two tables, deal by deal.
WORTH = {
    "maps": ("no talk", "no maps"),
    "maps_with_claims": ("lies weighed", "no maps"),
    "talk_without_lies": ("silent saboteurs", "no talk"),
    "talk": ("lies weighed", "no talk"),
    "credulity": ("lies believed", "no talk"),
}


@dataclass(frozen=True)
class Unit:
    """Some deals of a number of players."""

    players: int
    first: int
    deals: int

    def __str__(self) -> str:
        return f"{self.players:02}-{self.first:06}"


def play_unit(seed: int, unit: Unit) -> Columns:
    """A row for each deal: for each kind of table whether the miners won, the maps read, the claims and the lies."""
    deals = range(unit.first, unit.first + unit.deals)
    seeds = np.array([deal_seed(seed, Purpose.TALK, deal, unit.players) for deal in deals], np.uint64)
    columns: Columns = {"players": np.full(unit.deals, unit.players, np.int8), "deal": np.array(deals)}
    for name, table in TABLE_KINDS.items():
        rules = Rules.make(unit.players, rounds=1, options={"talk": table.talk})
        talker = talking("honest", table.saboteurs, table.hears, reads=table.reads)
        rounds, said = play_talking(rules, seeds, talker, talker)
        columns[f"{name}: won"] = rounds["winner"] == MINERS
        columns[f"{name}: maps"] = said["maps"].sum(axis=1).astype(np.int8)
        columns[f"{name}: claims"] = said["claims"][..., 1:].sum(axis=(1, 2, 3)).astype(np.int8)
        columns[f"{name}: lies"] = said["lies"].sum(axis=1).astype(np.int8)
    return columns


def talk_rows(table: Any) -> list[Row]:
    """For each number of players the rounds that the miners win, and what talk and maps change, with 95 % intervals.

    `maps_read` are those of a round without talk; `claims` and `lies` those of a round where lies are weighed.
    """
    columns = {name: np.array(table[name]) for name in table.column_names}
    return estimated([_draft(columns, players) for players in dict.fromkeys(columns["players"].tolist())])


def _draft(columns: Columns, players: int) -> tuple[Row, Columns]:
    selected = columns["players"] == players
    won = {name: columns[f"{name}: won"][selected].astype(np.float64) for name in TABLE_KINDS}
    row: Row = {"players": players, "deals": int(selected.sum())}
    row["maps_read"] = float(columns["no talk: maps"][selected].mean())
    row |= {name: float(columns[f"lies weighed: {name}"][selected].mean()) for name in ("claims", "lies")}
    worth = {name: won[more] - won[less] for name, (more, less) in WORTH.items()}
    return row, {**{column_of(name): rates for name, rates in won.items()}, **worth}


def kept_rows(folder: Path) -> list[Row]:
    """The rows of `talk_rows` for a study that is kept in a folder."""
    with extra("report"):
        import pyarrow.parquet

    return talk_rows(pyarrow.parquet.ParquetFile(folder / "rounds.parquet").read())


def column_of(name: str) -> str:
    """The column of a kind of table.

    >>> column_of("lies weighed")
    'lies_weighed'
    """
    return name.replace(" ", "_")


def page(rows: Iterable[Row], command: str) -> str:
    """The tables in Markdown."""
    rows = [_shown(row) for row in rows]
    rates = {name: f"{{{column_of(name)}}}" for name in TABLE_KINDS}
    worth = {
        "maps": "{maps}",
        "maps with claims": "{maps_with_claims}",
        "talk without lies": "{talk_without_lies}",
        "talk, lies weighed": "{talk}",
        "talk, lies believed": "{credulity}",
    }
    heard = {"maps read": "{maps_read:.1f}", "claims": "{claims:.1f}", "lies": "{lies:.1f}"}
    return f"""# What talk is worth

{_INTRODUCTION}

## Rounds won by the miners

{markdown_rows(rows, {"players": "{players}", "deals": "{deals:,}", **rates})}

## What maps and talk change

{markdown_rows(rows, {"players": "{players}", **worth})}

## A round

{markdown_rows(rows, {"players": "{players}", **heard})}

```
{command}
```
"""


_INTRODUCTION = """Scripted dwarfs play each deal at five kinds of tables. Shares are in %, differences in points, with
95 % intervals from a bootstrap over deals; differences are taken deal by deal. Miners claim what they saw. At the
tables with lies saboteurs claim the opposite. `weighed` reads claims through the Bayes filter, by how each speaker has
played; `believed` takes every claim for true. `table.csv` has these figures, `rounds.parquet` has every deal."""


def _shown(row: Row) -> Row:
    shares = {name: percent(*_estimate(row, name)) for name in map(column_of, TABLE_KINDS)}
    return row | shares | {name: percent(*_estimate(row, name), "+") for name in WORTH}


def _estimate(row: Row, name: str) -> tuple[float, float, float]:
    return row[name], row[f"{name}_low"], row[f"{name}_high"]


def main(
    deals: Annotated[int, typer.Option(min=1, help="Deals of each number of players.")] = DEALS_PER_COUNT,
    seed: Seed = 0,
    workers: Workers = None,
    fresh: Fresh = False,
    out: Out = None,
) -> None:
    """Measure what talk is worth: win rates with and without claims, and with and without maps.

    Writes README.md, table.csv and rounds.parquet.
    """
    out = out or default_folder("results/talk", {"deals": deals, "seed": seed}, DEFAULTS)
    rows = talk_rows(play(deals, seed, out, fresh, workers))
    write_study(page(rows, f"saboteur-env study talk --deals {deals} --seed {seed}"), out / "table.csv", rows)


def play(deals: int, seed: int, out: Path, fresh: bool, workers: int | None) -> Any:
    """Play what is left of a study, with a bar: a pyarrow table with the columns of `play_unit`.

    Raises: ValueError where the folder holds another study.
    """
    settings = {"deals": deals, "seed": seed, "versions": {**versions_of(True), "sources": sources_key()}}
    parts = ResultStore(out, settings, fresh)
    units = [
        Unit(players, first, min(DEALS_OF_A_UNIT, deals - first))
        for first in range(0, deals, DEALS_OF_A_UNIT)
        for players in PLAYERS
    ]
    return play_left(parts, units, partial(play_unit, seed), workers)
