"""Cross-play of training seeds: what does a side lose when one of its seats is played by another seed of the same run?

A convention that copies of a dwarf have made among themselves is worth nothing beside another seed (Hu, Lerer,
Peysakhovich, Foerster, "Other-play for zero-shot coordination", ICML 2020). All ordered pairs of seeds are met on the
same deals, in kernels. The deals are those of `Purpose.LEARNED`.

Run as ``saboteur-env study cross-play`` (needs the extras ``train`` and ``report``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from hashlib import sha256
from itertools import permutations
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

from saboteur_env.agents.matches.matchups import Matchup, play_matchup
from saboteur_env.agents.scripted.presets import PPO_SMALL
from saboteur_env.core.compiled.kernel_cache import sources_key
from saboteur_env.core.seeds import Purpose, deal_seed
from saboteur_env.core.versions import VERSIONS
from saboteur_env.engine.cards import ROLES
from saboteur_env.engine.editions import Rules
from saboteur_env.terminal import parse_players, progress

from ..common.deals import play_left, with_saboteurs, write_study
from ..common.folders import default_folder
from ..common.options import Fresh, OneWorker, Out, Seed
from ..common.page import markdown_rows, percent
from ..common.shards import ResultStore
from ..common.statistics import Columns, Row, bootstrap, interval_columns
from ..training.evaluation import WINNER_OF_ROLE
from .populations import ARM_DECISIONS, POPULATION, train_arm

STUDY = "cross-play"

OPPONENT = "scripted"
CROSS_DEALS = 300  # added to the number of players: deals of its own
CROSS_UNIT = 500
DEFAULTS: dict[str, Any] = {
    "seeds": 4, "decisions": ARM_DECISIONS, "players": [3, 5, 7, 10], "deals": 1000, "seed": 1,
}  # fmt: skip


class Unit(NamedTuple):
    """Some deals of a number of players, with one side played by training seeds."""

    players: int
    role: str
    first: int
    deals: int

    def __str__(self) -> str:
        return f"{self.players}-{self.role}-{self.first:06}"


def play_unit(agents: list[str], seed: int, unit: Unit) -> Columns:
    """A row for each deal: the shares of ordered pairs with which the side wins, in self-play and in cross-play.

    Args:
        agents: the training seeds, by name.
    """
    rules, role = Rules.make(unit.players, rounds=1), unit.role
    root = deal_seed(seed, Purpose.LEARNED, unit.first, CROSS_DEALS + unit.players)
    seeds = with_saboteurs(rules, root, unit.deals).tolist()
    own, mixed = np.zeros((2, unit.deals))
    pairs = list(permutations(agents, 2))
    for one, other in pairs:
        teams = (one, OPPONENT) if role == ROLES[0] else (OPPONENT, one)
        for won, substitute in ((own, one), (mixed, other)):
            won += play_matchup(rules, seeds, Matchup(*teams, substitute, role))["winner"] == WINNER_OF_ROLE[role]
    facts = {"players": np.full(unit.deals, unit.players), "role": np.full(unit.deals, role)}
    return {**facts, "own": own / len(pairs), "mixed": mixed / len(pairs)}


def units(players: list[int], deals: int) -> list[Unit]:
    """All parts of the judging."""
    starts = range(0, deals, CROSS_UNIT)
    return [
        Unit(count, role, first, min(CROSS_UNIT, deals - first))
        for count in players
        for role in ROLES
        for first in starts
    ]


def table_rows(rounds: Any) -> Iterator[Row]:
    """For each number of players, and over all of them, each side: the shares won, and what cross-play loses.

    Args:
        rounds: a pyarrow table with the columns of `play_unit`.
    """
    played = {name: np.asarray(rounds[name]) for name in rounds.column_names}
    for count in [*dict.fromkeys(played["players"].tolist()), "all"]:
        for role in ROLES:
            rows = (played["role"] == role) & ((played["players"] == count) | (count == "all"))
            own, mixed = played["own"][rows], played["mixed"][rows]
            row: Row = {"players": count, "role": role, "deals": len(own)}
            intervals = bootstrap(np.stack([own, mixed, own - mixed], 1), (0, 0, -1)).tolist()
            yield row | interval_columns(("own", "mixed", "lost"), intervals)


def page(rows: list[Row], seeds: int, decisions: int, command: str) -> str:
    """The table in Markdown."""
    shown = [
        {**row, **{name: percent(*(row[f"{name}{end}"] for end in ("", "_low", "_high"))) for name in ("own", "mixed")}}
        | {"lost": percent(row["lost"], row["lost_low"], row["lost_high"], "+")}
        for row in rows
    ]
    heads = {"players": "{players}", "side": "{role}s", "deals": "{deals:,}", "self-play": "{own}"}
    heads |= {"cross-play": "{mixed}", "lost": "{lost}"}
    return f"""# Cross-play of training seeds

{seeds} training seeds of the small network, {decisions:,} decisions each, as the arm `{POPULATION}` of
[the study of the unknown](../unknown/README.md). A side against `{OPPONENT}`: rounds won, in %, with all seats played
by one seed (`self-play`), with one seat played by another seed (`cross-play`), and the difference on the same deals,
in points, with 95 % intervals from a bootstrap over deals. Figures are means over all ordered pairs of seeds. All
seeds began from the same distilled weights.

{markdown_rows(shown, heads)}

```
{command}
```
"""


def _trained(seeds: int, runs: Path, decisions: int) -> Mapping[str, Path]:
    with progress() as bar:
        trained = {}
        for number in range(1, seeds + 1):
            task = bar.add_task(f"seed {number}", total=decisions)
            show = lambda name, done, task=task: bar.update(task, completed=done)  # noqa: E731
            folder = runs / f"seed-{number}"
            trained[folder.name] = train_arm(POPULATION, folder, decisions, [f"seed={number}"], show)
    return trained


def main(
    seeds: Annotated[int, typer.Option(min=2, help="How many training seeds.")] = DEFAULTS["seeds"],
    decisions: Annotated[int, typer.Option(min=2, help="Learned from by each.")] = ARM_DECISIONS,
    players: Annotated[str, typer.Option(help="Numbers of players.")] = "3,5,7,10",
    deals: Annotated[int, typer.Option(min=1, help="Deals for each number of players and role.")] = DEFAULTS["deals"],
    seed: Seed = DEFAULTS["seed"],
    workers: OneWorker = 1,
    fresh: Fresh = False,
    out: Out = None,
) -> None:
    """What a side of the small network loses when one seat is played by another training seed.

    Writes README.md, table.csv and rounds.parquet.
    """
    given: dict[str, Any] = {"seeds": seeds, "decisions": decisions, "players": [*parse_players(players)]}
    given |= {"deals": deals, "seed": seed}
    out = out or default_folder("results/cross_play", given, DEFAULTS)
    weights = _trained(seeds, out / "runs", decisions)
    digests = {name: sha256(path.read_bytes()).hexdigest() for name, path in weights.items()}
    settings = given | {"weights": digests, "versions": {**VERSIONS, "sources": sources_key()}}
    parts = ResultStore(out, settings, fresh)
    agents = [f"{PPO_SMALL}:{path}" for path in weights.values()]
    rounds = play_left(parts, units(given["players"], deals), partial(play_unit, agents, seed), workers)
    rows = list(table_rows(rounds))
    asked = f"--seeds {seeds} --decisions {decisions} --players {players} --deals {deals} --seed {seed}"
    write_study(page(rows, seeds, decisions, f"saboteur-env study cross-play {asked}"), out / "table.csv", rows)
