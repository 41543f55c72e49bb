"""Expert iteration: the small network learns the moves that a search by it finds better.

The method is that of Anthony, Tian, Barber, "Thinking fast and slow with deep learning and tree search", NeurIPS 2017.
Decisions are collected by searched_data.py, on deals of `Purpose.LEARNING`. The network goes on from the shipped
weights, as `study distil` fits. Then its teams and those of the shipped weights play the same deals of
`Purpose.LEARNED`.

Run as ``saboteur-env study expert-iteration`` (needs the extras ``learned`` and ``report``).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from itertools import product
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

from saboteur_env.core.extras import extra

with extra("learned"):
    import torch

from saboteur_env.agents.matches.matchups import Matchup, play_matchup
from saboteur_env.agents.registry import fingerprints
from saboteur_env.agents.scripted.presets import PPO_SMALL
from saboteur_env.agents.scripted.small_network import SHIPPED_SMALL, load_network, weights_of
from saboteur_env.agents.search.ismcts import Search
from saboteur_env.core.compiled.kernel_cache import sources_key
from saboteur_env.core.seeds import Purpose, deal_seed, game_seed
from saboteur_env.core.versions import VERSIONS
from saboteur_env.engine.cards import ROLES
from saboteur_env.engine.editions import Rules
from saboteur_env.terminal import parse_players, progress

from ..common.deals import play_left, with_saboteurs, write_study
from ..common.machine import commit_of, machine
from ..common.options import Fresh, OneWorker, Seed
from ..common.page import markdown_rows, percent
from ..common.report import write_atomically
from ..common.shards import ResultStore
from ..common.statistics import Columns, Row, bootstrap, interval_columns
from ..training.evaluation import WINNER_OF_ROLE
from .distil import Fit, Study
from .distil_data import Decisions, joined
from .searched_data import collect_searched

STUDY = "expert-iteration"

DEFAULT_SEARCH = "net=ppo-small:iterations=1000"
OTHER_SIDES = ("scripted", PPO_SMALL)  # the other side
EXPERT_UNIT = 1000  # deals
EXPERT_DEALS = 300  # added to the number of players: deals of its own


def learn_from_search(study: Study, step: Callable[[int], object] = lambda decisions: None) -> bytes:
    """The file of the weights that a study leads to; its `teacher` are the settings of a search.

    Args:
        step: called with the number of decisions just collected, or fitted to.

    Raises: ValueError for bad settings.
    """
    began, search = time.process_time(), Search(study.teacher)
    fit, parts, fits = Fit(study, load_network(SHIPPED_SMALL)[0]), list[Decisions](), list[Any]()
    for number in range(study.rounds):
        size, seed = study.decisions // study.rounds, game_seed(study.seed, number)
        parts.append(collect_searched(search, size, seed, fit.student, study.games, step))
        fits.append(dict(zip(ROLES, fit.learn(joined(parts), step), strict=True)))
    facts = {
        "teacher": repr(search),
        "study": asdict(study),
        "core_minutes": round((time.process_time() - began) / 60, 1),
        "machine": machine(),
        "commit": commit_of(Path(__file__)),
        "rounds": fits,
    }
    return weights_of(fit.network(), facts)


class Unit(NamedTuple):
    """Deals of a side, with the new weights and with the shipped ones in its place."""

    against: str
    role: str
    players: int
    first: int
    deals: int

    def __str__(self) -> str:
        return "-".join(map(str, self))


def units(players: Sequence[int], deals: int) -> list[Unit]:
    """All parts of the judging."""
    cells = product(OTHER_SIDES, ROLES, players, range(0, deals, EXPERT_UNIT))
    return [Unit(*cell, min(EXPERT_UNIT, deals - cell[-1])) for cell in cells]


def play_unit(weights: Path, seed: int, unit: Unit) -> Columns:
    """A row for each deal: whether the side won it by each of both weights."""
    rules = Rules.make(unit.players, rounds=1)
    root = deal_seed(seed, Purpose.LEARNED, unit.first, EXPERT_DEALS + unit.players)
    seeds = with_saboteurs(rules, root, unit.deals).tolist()
    facts = {name: np.full(unit.deals, getattr(unit, name)) for name in ("against", "role", "players")}
    for name, agent in (("won", f"{PPO_SMALL}:{weights}"), ("shipped_won", PPO_SMALL)):
        sides = (agent if side == unit.role else unit.against for side in ROLES)
        facts[name] = play_matchup(rules, seeds, Matchup(*sides))["winner"] == WINNER_OF_ROLE[unit.role]
    return facts


def gain_rows(rounds: Any) -> list[Row]:
    """How many more rounds a side wins by the new weights: over all numbers of players, and for each.

    Args:
        rounds: a pyarrow table with the columns of `play_unit`.
    """
    played = {name: np.asarray(rounds[name]) for name in rounds.column_names}
    rows = list[Row]()
    for against, role in product(OTHER_SIDES, ROLES):
        cell = (played["against"] == against) & (played["role"] == role)
        for count in ("all", *np.unique(played["players"]).tolist()):
            here = cell & ((count == "all") | (played["players"] == count))
            won, shipped = (played[name][here].astype(np.float64) for name in ("won", "shipped_won"))
            intervals = bootstrap(np.stack([won, shipped, won - shipped], 1), (0, 0, -1)).tolist()
            row: Row = {"against": against, "role": role, "players": count, "deals": len(won)}
            rows.append(row | interval_columns(("won", "shipped_won", "more"), intervals))
    return rows


def page(rows: Sequence[Row], card: Row, command: str) -> str:
    """The table in Markdown, and what the fit reached."""
    shown = [
        row | {name: percent(row[name], row[f"{name}_low"], row[f"{name}_high"], sign) for name, sign in _FIGURES}
        for row in rows
    ]
    fitted = [{"role": role, **fit} for role, fit in card["rounds"][-1].items()]
    parts = ("# Expert iteration", _INTRODUCTION, markdown_rows(shown, _COLUMNS))
    return "\n\n".join((*parts, _FIT, markdown_rows(fitted, _FIT_COLUMNS), f"```\n{command}\n```")) + "\n"


_INTRODUCTION = """A team by the weights that learned from searched moves, and one by the shipped weights in its place,
on the same deals: rounds won, in %, and the difference deal by deal, in points, with 95 % intervals from a bootstrap
over deals."""
_FIT = """On decisions held back from the fit: how far the network is from the improved policy (Kullback-Leibler
divergence in nats), and how often both like the same move best."""
_FIGURES = (("won", ""), ("shipped_won", ""), ("more", "+"))
_COLUMNS = {
    "against": "`{against}`", "as the": "{role}s", "players": "{players}", "deals": "{deals:,}", "won": "{won}",
    "shipped weights": "{shipped_won}", "more": "{more}",
}  # fmt: skip
_FIT_COLUMNS = {
    "role": "{role}", "decisions": "{decisions:,}", "divergence": "{divergence:.4f}", "agreement": "{agreement:.1%}",
}  # fmt: skip


def main(
    search: Annotated[str, typer.Option(help="The settings of the search.")] = DEFAULT_SEARCH,
    decisions: Annotated[int, typer.Option(min=2, help="Decisions to learn from, half of them searched.")] = 40_000,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of collecting and fitting.")] = 1,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over all decisions in each round.")] = 4,
    rate: Annotated[float, typer.Option(min=0, help="The step size of the fit.")] = 2e-4,
    players: Annotated[str, typer.Option(help="Numbers of players to judge it at.")] = "3-10",
    deals: Annotated[int, typer.Option(min=1, help="Deals for each of them, each side and each other side.")] = 4000,
    seed: Seed = 1,
    workers: OneWorker = 1,
    fresh: Fresh = False,
    out: Annotated[Path, typer.Option(help="Folder for the weights and the table.")] = Path("results/expert_iteration"),
) -> None:
    """Let the small network learn the moves that a search by it finds better, and judge what came of it.

    Writes weights.safetensors, README.md, table.csv and rounds.parquet.
    """
    counts, weights = parse_players(players), out / "weights.safetensors"
    study = Study(search, decisions, rounds, epochs, batch_size=1024, learning_rate=rate, games=128, seed=seed)
    if fresh or not weights.exists():
        torch.set_num_threads(1)
        with progress() as bar:
            task = bar.add_task("decisions searched and fitted to", total=None)
            data = learn_from_search(study, lambda number: bar.advance(task, number))
        write_atomically(weights, lambda file: file.write_bytes(data))
    card = load_network(weights)[1]
    if card.get("study") != asdict(study):
        raise ValueError(f"{weights} are the weights of another study: give another folder, or --fresh")
    settings = {"players": [*counts], "deals": deals, "seed": seed, "files": fingerprints([f"{PPO_SMALL}:{weights}"])}
    parts = ResultStore(out, settings | {"versions": {**VERSIONS, "sources": sources_key()}}, fresh)
    rows = gain_rows(play_left(parts, units(counts, deals), partial(play_unit, weights, seed), workers))
    command = (
        f"saboteur-env study expert-iteration --search {search} --decisions {decisions} --rounds {rounds} --epochs "
        f"{epochs} --rate {rate} --players {players} --deals {deals} --seed {seed}"
    )
    write_study(page(rows, card, command), out / "table.csv", rows)
