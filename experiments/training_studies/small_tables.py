"""The small network in the place of the large one: both play the same deals against preset dwarfs.

For each number of players and each side: rounds won by a team of `ppo`, by a team of the small network, and the
difference, with intervals from a bootstrap over deals. The deals are those of `Purpose.LEARNED`. Finished parts are
stored, so an interrupted study resumes. Run as ``saboteur-env study small-tables`` (needs the extras ``learned``
and ``report``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

from saboteur_env.core.extras import extra

with extra("learned"):
    import torch

from saboteur_env.agents.learned.ppo import Ppo
from saboteur_env.agents.matches.kernel_matches import play_matches
from saboteur_env.agents.registry import fingerprints
from saboteur_env.agents.scripted.presets import PPO_SMALL, number_of
from saboteur_env.core.seeds import Purpose, deal_seed
from saboteur_env.core.versions import VERSIONS
from saboteur_env.engine.editions import Rules
from saboteur_env.environment.settings import Settings
from saboteur_env.terminal import parse_players, report_files, resumable

from ..common.folders import default_folder
from ..common.options import Fresh, OneWorker, Out, Seed
from ..common.page import markdown_rows, percent
from ..common.report import write_csv, write_text
from ..common.shards import ResultStore
from ..common.statistics import Columns, Row, bootstrap, interval_columns
from ..training.evaluation import WINNER_OF_ROLE, Policy, play_deals

STUDY = "small-tables"

SMALL_UNIT = 250


@dataclass(frozen=True)
class Study:
    """The settings of the study.

    Attributes:
        agent: a preset dwarf, in the place of `ppo`.
        opponent: the preset dwarf on the other side.
        players: the numbers of players.
        deals: for each of them, played by both teams on both sides.
    """

    agent: str = PPO_SMALL
    opponent: str = "scripted"
    players: tuple[int, ...] = tuple(range(3, 11))
    deals: int = 2000
    seed: int = 0

    def units(self) -> list[Unit]:
        """The work, in the order of the table."""
        starts = range(0, self.deals, SMALL_UNIT)
        return [Unit(count, first, min(SMALL_UNIT, self.deals - first)) for count in self.players for first in starts]

    def settings(self) -> dict[str, Any]:
        """All that the tables depend on, as JSON data."""
        return {**asdict(self), "files": fingerprints(["ppo"]), "versions": VERSIONS}


class Unit(NamedTuple):
    """Some deals of a number of players."""

    players: int
    first: int
    deals: int

    def __str__(self) -> str:
        return f"{self.players}-{self.first:06}"


def play_unit(study: Study, unit: Unit) -> Columns:
    """By deal `players`; and for each side whether `ppo` won it, and the small network."""
    torch.set_num_threads(1)
    large, seed = Ppo(), deal_seed(study.seed, Purpose.LEARNED, unit.first, unit.players)
    generator = torch.Generator().manual_seed(seed)
    policy = Policy(partial(large.act_batch, generator=generator), action_model=large.action_model)
    settings = Settings(unit.players, rounds=1, window=large.network.window, history=large.network.history)
    played = play_deals(policy, settings, [unit.players] * unit.deals, study.opponent, seed, 1)
    columns = {"players": played["players"]}
    numbers = number_of(study.agent), number_of(study.opponent)
    for role, winner in WINNER_OF_ROLE.items():
        miner, saboteur = numbers if role == "miner" else numbers[::-1]
        result = play_matches(Rules.make(unit.players, rounds=1), played["seed"], miner, saboteur)["winner"]
        columns[f"{role}_large"], columns[f"{role}_small"] = played[f"{role}_learned"], result == winner
        columns[f"{role}_opponent"] = played[f"{role}_scripted"]
    return columns


def table_rows(table: Any) -> Iterator[Row]:
    """A row for each number of players and each side: the shares won, and the difference to `ppo`."""
    played = {name: np.asarray(table[name]) for name in table.column_names}
    for count in dict.fromkeys(played["players"].tolist()):
        for role in WINNER_OF_ROLE:
            teams = [played[f"{role}_{who}"][played["players"] == count] for who in ("large", "small", "opponent")]
            large, small, opponent = (team.astype(np.float64) for team in teams)
            shares = np.stack([large, small, opponent, small - large], 1)
            result: Row = {"players": count, "role": role, "deals": len(large)}
            intervals = bootstrap(shares, (0, 0, 0, -1)).tolist()
            yield result | interval_columns(SHARE_COLUMNS, intervals)


def page(rows: list[Row], study: Study, command: str) -> str:
    """The table in Markdown."""
    shown = [
        {**row, **{name: percent(*(row[f"{name}{end}"] for end in ("", "_low", "_high"))) for name in SHARE_COLUMNS}}
        for row in rows
    ]
    heads = {"players": "{players}", "side": "{role}s", "deals": "{deals:,}", "ppo": "{large}"}
    heads |= {study.agent: "{small}", study.opponent: "{opponent}", "difference": "{difference}"}
    return f"""# {study.agent} in the place of ppo

Rounds won by the team, in %, with 95 % intervals, against `{study.opponent}` on the other side. All teams play the same
deals; those without a saboteur are left out. The last column is {study.agent} less `ppo`, deal by deal, in points.

{markdown_rows(shown, heads)}

```
{command}
```
"""


SHARE_COLUMNS = ("large", "small", "opponent", "difference")


def main(
    agent: Annotated[str, typer.Option(help="The preset dwarf in the place of ppo.")] = Study.agent,
    opponent: Annotated[str, typer.Option(help="The preset dwarf on the other side.")] = Study.opponent,
    players: Annotated[str, typer.Option(help="Numbers of players: 3-10, 5, or 3,5,10.")] = "3-10",
    deals: Annotated[int, typer.Option(min=1, help="Deals for each number of players.")] = Study.deals,
    seed: Seed = Study.seed,
    workers: OneWorker = 1,
    fresh: Fresh = False,
    out: Out = None,
) -> None:
    """Play the small network in the place of the large one, on the same deals.

    Writes README.md, table.csv and rounds.parquet.
    """
    study = Study(agent, opponent, parse_players(players), deals, seed)
    out = out or default_folder("results/small", asdict(study), asdict(Study()))
    with resumable(out) as bar:
        task = bar.add_task("deals", total=sum(unit.deals for unit in study.units()))
        store = ResultStore(out, study.settings(), fresh)
        work = partial(play_unit, study)
        table = store.complete(study.units(), work, workers, progress=lambda rows: bar.advance(task, rows))
    rows = list(table_rows(table))
    asked = f"--agent {agent} --opponent {opponent} --players {players} --deals {deals} --seed {seed}"
    text = page(rows, study, f"saboteur-env study small-tables {asked}")
    report_files([write_text(out / "README.md", text), write_csv(out / "table.csv", rows), out / "rounds.parquet"])
