"""Win rates of scripted dwarfs for all numbers of players in all editions, as data and as a page.

Run as ``saboteur-env study scripted-tables``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Annotated

import typer
from rich.progress import track

from saboteur_env.core.seeds import Purpose
from saboteur_env.engine.editions import EDITIONS, PLAYERS
from saboteur_env.terminal import left_out

from ..common.folders import default_folder
from ..common.options import Out, Seed
from ..common.page import markdown_table, share_of
from ..common.report import has_report_extra, report_extra_missing, write_csv, write_parquet, write_text
from ..common.statistics import Row, win_rate_rows
from .win_rates import Study, play

STUDY = "scripted-tables"

Cell = tuple[str, int]

DEFAULT_ROUNDS = 40_000  # a cell: a 95 % interval is then less than one point wide
DEFAULTS = {"miners": "scripted", "saboteurs": "scripted", "rounds": DEFAULT_ROUNDS, "seed": 0}


def scripted_tables(
    miners: str = "scripted",
    saboteurs: str = "scripted",
    rounds: int = DEFAULT_ROUNDS,
    seed: int = 0,
    track: Callable[[Sequence[Cell]], Iterable[Cell]] = iter,
) -> list[Row]:
    """Win rates by edition, players and saboteurs at the table; every cell from as many matches of one round.

    Args:
        track: goes through the pairs of edition and players; `rich.progress.track` shows how far.
    """
    rows: list[Row] = []
    for edition, players in track([*product(EDITIONS, PLAYERS)]):
        study = Study((players,), rounds, edition, 1, miners, saboteurs, seed, purpose=Purpose.SCRIPTED)
        rows += [{"edition": edition, **row} for row in win_rate_rows(play(study))]
    return rows


def page(rows: list[Row], command: str, title: str) -> str:
    """The tables in Markdown: the share of rounds that the miners win, by players and edition."""
    whole = {(row["players"], row["edition"]): row for row in rows if row["saboteurs"] == "all"}
    editions = list(dict.fromkeys(edition for _, edition in whole))
    counts = dict.fromkeys(players for players, _ in whole)
    cells = (
        [str(players), *(share_of(whole[players, edition], "miners_") for edition in editions)] for players in counts
    )
    table = markdown_table(["players", *editions], cells)
    rounds = min(row["rounds"] for row in whole.values())
    return f"""# {title}

Rounds won by the miners, in %, with 95 % Wilson intervals, by number of players and edition; {rounds:,} rounds a cell.
`win_rates.csv` also has the wins of the saboteurs, the turns, the nuggets, and every cell by the number of saboteurs.

{table}

```
{command}
```
"""


def main(
    miners: Annotated[str, typer.Option(help="The agent that plays the miners.")] = "scripted",
    saboteurs: Annotated[str, typer.Option(help="The agent that plays the saboteurs.")] = "scripted",
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of each cell.")] = DEFAULT_ROUNDS,
    seed: Seed = 0,
    out: Out = None,
) -> None:
    """Win rates of scripted dwarfs for all counts in all editions.

    Writes README.md, CSV and Parquet.
    """
    given = {"miners": miners, "saboteurs": saboteurs, "rounds": rounds, "seed": seed}
    out = out or default_folder("results/scripted", given, DEFAULTS)
    rows = scripted_tables(miners, saboteurs, rounds, seed, track)
    who = f"--miners {miners} --saboteurs {saboteurs}"
    command = f"saboteur-env study scripted-tables {who} --rounds {rounds} --seed {seed}"
    text = page(rows, command, f"{miners} miners against {saboteurs} saboteurs")
    write_csv(out / "win_rates.csv", rows)
    if has_report_extra():
        write_parquet(out / "win_rates.parquet", rows)
    write_text(out / "README.md", text)
    left_out("Parquet", report_extra_missing())
