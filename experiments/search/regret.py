"""What the choice of a move costs: a long search says what moves are worth, and agents choose among them.

Positions are drawn from games of one agent at all seats. The regret of a choice is how much more often the side of the
seat wins after the best move than after the chosen one. The judge's beliefs and evaluation are taken for true, so what
they are wrong about does not show; but a few dozen positions tell settings apart that many rounds do not.

Run as ``saboteur-env study search-regret``; the same command resumes a stopped run.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from time import process_time
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

from saboteur_env import Game
from saboteur_env.agents.registry import fingerprints, make_agent
from saboteur_env.agents.search.ismcts import Search
from saboteur_env.core.compiled.kernel_cache import sources_key
from saboteur_env.core.seeds import Purpose, deal_seed
from saboteur_env.core.versions import VERSIONS
from saboteur_env.game.view import View
from saboteur_env.terminal import parse_players

from ..common.deals import play_left, write_study
from ..common.options import Fresh, Seed, Workers
from ..common.page import markdown_rows, percent
from ..common.shards import ResultStore
from ..common.statistics import Columns, Row, bootstrap, interval_columns

STUDY = "search-regret"

JUDGE = "net=ppo-small:iterations=30000"
CHOOSERS = (
    "ppo-small,ppo,search:net=ppo-small:iterations=300,search:net=ppo-small:iterations=1000:action_model=doubting,"
    "search:net=ppo-small:iterations=1000,search:net=ppo-small:iterations=3000"
)
DEALS_APART = 200  # added to the number of players: deals of its own
LAST_TURN = 6  # for each player, of those that positions are drawn from


class Unit(NamedTuple):
    """Some positions."""

    players: int
    first: int
    deals: int

    def __str__(self) -> str:
        return f"{self.players}-{self.first:05}"


def position(base: str, players: int, seed: int) -> View | None:
    """The view of the seat to move at a drawn turn of a game; None if the round was over, or one move is possible."""
    game, agent, rng = Game(players, seed=seed, rounds=1), make_agent(base), np.random.default_rng([seed, 1])
    for _ in range(int(rng.integers(LAST_TURN * players))):
        if game.round_over:
            return None
        game.play(agent.act(game.view(game.seat), int(rng.integers(2**62))))
    return None if game.round_over or len(game.legal_moves()) < 2 else game.view(game.seat)


def play_unit(seed: int, base: str, judge: str, agents: Sequence[str], unit: Unit) -> Columns:
    """A row for each position and agent: what its choice lost, in wins, and the seconds that it took."""
    rows, judging, choosers = [], Search(judge), {name: make_agent(name) for name in agents}
    for number in range(unit.first, unit.first + unit.deals):
        drawn = deal_seed(seed, Purpose.SEARCH, number, DEALS_APART + unit.players)
        view = position(base, unit.players, drawn)
        values = judging.values(view, drawn) if view else {}
        if not view or not values:
            continue
        for name, chooser in choosers.items():
            began = process_time()
            move = chooser.act(view, drawn + 1)
            lost = max(values.values()) - values.get(move, min(values.values()))
            rows.append((name, unit.players, number, lost, process_time() - began))
    kinds: dict[str, Any] = {"agent": str, "players": int, "position": int, "lost": float, "seconds": float}
    return {name: np.array([row[i] for row in rows], kind) for i, (name, kind) in enumerate(kinds.items())}


def regret_rows(choices: Any) -> list[Row]:
    """What each agent loses with a move.

    Args:
        choices: a pyarrow table with the columns of `play_unit`.
    """
    columns = {name: np.asarray(choices[name]) for name in choices.column_names}
    rows = list[Row]()
    for agent in dict.fromkeys(columns["agent"].tolist()):
        here = columns["agent"] == agent
        intervals = bootstrap(columns["lost"][here][:, None], 0).tolist()
        row: Row = {"agent": agent, "positions": int(here.sum()), "seconds": float(np.median(columns["seconds"][here]))}
        rows.append(row | interval_columns(("lost",), intervals))
    return rows


def page(rows: Sequence[Row], judge: str, command: str) -> str:
    """The table in Markdown."""
    shown = [row | {"points": percent(row["lost"], row["lost_low"], row["lost_high"])} for row in rows]
    parts = ("# What the choice of a move costs", _INTRODUCTION.format(judge), markdown_rows(shown, _COLUMNS))
    return "\n\n".join((*parts, f"```\n{command}\n```")) + "\n"


_INTRODUCTION = """Positions from games of one agent at all seats. A search (`{}`) says how often the side of the
seat wins after each move that it considers. Agents choose a move. The figures are how many points of the round less
that move is worth than the best one, with 95 % intervals from a bootstrap over positions, and the median time of a
choice. A move that the search does not consider counts as the worst that it does. The judge is taken for right: what
it is wrong about does not show."""
_COLUMNS = {
    "who chooses": "`{agent}`", "positions": "{positions:,}", "points lost with a move": "{points}",
    "seconds": "{seconds:.3f}",
}  # fmt: skip


def main(
    agents: Annotated[str, typer.Option(help="Who chooses, by name.")] = CHOOSERS,
    base: Annotated[str, typer.Option(help="Whose games the positions are from.")] = "ppo-small",
    judge: Annotated[str, typer.Option(help="The settings of the search that judges.")] = JUDGE,
    players: Annotated[str, typer.Option(help="Numbers of players.")] = "3,5,7",
    positions: Annotated[int, typer.Option(min=1, help="Positions drawn for each of them.")] = 40,
    seed: Seed = 0,
    workers: Workers = None,
    fresh: Fresh = False,
    out: Annotated[Path, typer.Option(help="Folder for the table.")] = Path("results/search_regret"),
) -> None:
    """What the choice of a move costs, by a long search: settings compared on positions instead of rounds.

    Writes README.md, table.csv and rounds.parquet.
    """
    counts, names = parse_players(players), agents.split(",")
    for name in (base, *names):
        make_agent(name)
    given = {"agents": names, "base": base, "judge": judge, "players": [*counts], "positions": positions, "seed": seed}
    made_with = {"versions": {**VERSIONS, "sources": sources_key()}, "files": fingerprints([base, *names])}
    parts = ResultStore(out, given | made_with, fresh)
    units = [Unit(count, first, 1) for first in range(positions) for count in counts]
    rows = regret_rows(play_left(parts, units, partial(play_unit, seed, base, judge, names), workers))
    options = f"--agents {agents} --base {base} --judge {judge} --players {players} --positions {positions}"
    command = f"saboteur-env study search-regret {options} --seed {seed}"
    write_study(page(rows, judge, command), out / "table.csv", rows)
