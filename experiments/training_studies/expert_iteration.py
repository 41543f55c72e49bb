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
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from saboteur_env.core.extras import extra

with extra("learned"):
    import torch

from saboteur_env.agents.matches.matchups import Matchup, play_matchup
from saboteur_env.agents.scripted.presets import PPO_SMALL
from saboteur_env.agents.scripted.small_network import SHIPPED_SMALL, load_network, weights_of
from saboteur_env.agents.search.ismcts import Search
from saboteur_env.core.seeds import Purpose, deal_seed, game_seed
from saboteur_env.engine.cards import ROLES
from saboteur_env.engine.editions import Rules
from saboteur_env.terminal import parse_players, progress, report_files

from ..common.deals import with_saboteurs
from ..common.machine import machine
from ..common.options import Seed
from ..common.page import markdown_rows, percent
from ..common.report import write_atomically, write_csv, write_text
from ..common.statistics import Row, bootstrap, interval_columns
from ..training.evaluation import WINNER_OF_ROLE
from .distil import Fit, Study
from .distil_data import Decisions, joined
from .searched_data import collect_searched

STUDY = "expert-iteration"

DEFAULT_SEARCH = "net=ppo-small:iterations=1000"
JUDGES = ("scripted", PPO_SMALL)  # the other side
OTHER_DEALS = 300  # added to the number of players: deals of its own


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
        "rounds": fits,
    }
    return weights_of(fit.network(), facts)


def gain_rows(weights: Path, players: Sequence[int], deals: int, seed: int) -> list[Row]:
    """How many more rounds a team by these weights wins than one by the shipped ones, on the same deals.

    Args:
        weights: a file.
        deals: for each number of players, side and other side.
    """
    rows = list[Row]()
    for other in JUDGES:
        for role in ROLES:
            won = [_won((f"{PPO_SMALL}:{weights}", PPO_SMALL), other, role, count, deals, seed) for count in players]
            for count, part in zip(("all", *players), (np.concatenate(won), *won), strict=True):
                now, before, more = bootstrap(np.column_stack([part, part[:, 0] - part[:, 1]]), (0, 0, -1)).tolist()
                row: Row = {"against": other, "role": role, "players": count, "deals": len(part)}
                rows.append(row | interval_columns(("won", "shipped_won", "more"), [now, before, more]))
    return rows


def _won(agents: Sequence[str], other: str, role: str, players: int, deals: int, seed: int) -> Any:
    # Whether each agent's team won each deal: float64[deals, agents].
    rules = Rules.make(players, rounds=1)
    seeds = with_saboteurs(rules, deal_seed(seed, Purpose.LEARNED, 0, OTHER_DEALS + players), deals).tolist()
    sides = [tuple(agent if side == role else other for side in ROLES) for agent in agents]
    winners = [play_matchup(rules, seeds, Matchup(*side))["winner"] for side in sides]
    return np.stack([winner == WINNER_OF_ROLE[role] for winner in winners], 1).astype(np.float64)


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
    out: Annotated[Path, typer.Option(help="Folder for the weights and the table.")] = Path("results/expert_iteration"),
) -> None:
    """Let the small network learn the moves that a search by it finds better, and judge what came of it.

    Writes weights.safetensors, README.md and table.csv.
    """
    counts = parse_players(players)
    study = Study(search, decisions, rounds, epochs, batch_size=1024, learning_rate=rate, games=128, seed=seed)
    torch.set_num_threads(1)
    with progress() as bar:
        task = bar.add_task("decisions searched and fitted to", total=decisions + epochs * decisions * (rounds + 1) / 2)
        data = learn_from_search(study, lambda number: bar.advance(task, number))
    weights = write_atomically(out / "weights.safetensors", lambda file: file.write_bytes(data))
    rows = gain_rows(weights, counts, deals, seed)
    command = (
        f"saboteur-env study expert-iteration --search {search} --decisions {decisions} --rounds {rounds} --epochs "
        f"{epochs} --rate {rate} --players {players} --deals {deals} --seed {seed}"
    )
    text = page(rows, load_network(weights)[1], command)
    report_files([weights, write_text(out / "README.md", text), write_csv(out / "table.csv", rows)])
