"""Do learners reach the equilibrium of a small mine? Self-play by PPO and magnetic mirror descent, judged exactly.

Both hold their profiles back towards the uniform one: PPO by a log barrier, mirror descent by its magnet. Both let
go of it on the way, as only so their last profiles come near an equilibrium (Sokota et al., "A unified approach to
reinforcement learning, quantal response equilibria, and two-player zero-sum games", ICLR 2023). Both are run with
several strengths and seeds.

An answer to a move that nobody makes is not learned, and what was learned of it is forgotten, though it is what keeps
others from the move. A bonus for entropy lets moves die out. The log barrier keeps each of them in play, the rarer the
more it costs, as in the proper equilibria of Myerson ("Refinements of the Nash equilibrium concept", 1978).

Run as ``saboteur-env study mine-learners`` (extra `train`); the same command goes on where it was stopped.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

from saboteur_env.agents.learned.network import NetworkConfig
from saboteur_env.agents.learned.ppo import Ppo
from saboteur_env.core.versions import VERSIONS
from saboteur_env.mines import Mine, mine_of
from saboteur_env.terminal import report_files, resumable

from ..common.folders import default_folder
from ..common.options import Fresh, OneWorker, Out
from ..common.page import markdown_rows
from ..common.report import write_csv, write_text
from ..common.shards import ResultStore
from ..common.statistics import Row
from ..equilibrium.mirror_descent import MirrorDescent
from ..equilibrium.profiles import profile_of
from ..equilibrium.tree import build
from ..equilibrium.values import miners_win, nash_conv
from ..training.config import CurriculumStage, EvaluationConfig, Learning, RunConfig
from ..training.train_ppo import train

STUDY = "mine-learners"
PPO, MIRROR_DESCENT = "PPO", "mirror descent"
STRENGTHS = {PPO: (0.05, 0.1, 0.2, 0.4), MIRROR_DESCENT: (0.05, 0.1, 0.2, 0.4)}
LEARNER_SEEDS, DECISIONS, MIRROR_ITERATIONS, AIM = 5, 500_000, 600, 0.01
DEFAULTS = {
    "mine": "K8",
    "methods": [*STRENGTHS],
    "seeds": LEARNER_SEEDS,
    "decisions": DECISIONS,
    "iterations": MIRROR_ITERATIONS,
}
LAST_BONUS = 0.02  # of PPO, from every strength: less of it, and moves are given up before their worth is known
TEMPERATURE = 0.5  # at which PPO's weights play: mistakes that the bonus left become rarer


class Unit(NamedTuple):
    """A learner.

    Attributes:
        strength: of the entropy bonus at first, or of the magnet's first pull.
    """

    method: str
    strength: float
    seed: int

    def __str__(self) -> str:
        return f"{self.method}-{self.strength}-{self.seed}".replace(" ", "_")


def work(mine: str, decisions: int, iterations: int, folder: Path, unit: Unit) -> dict[str, list[Any]]:
    """The columns of a unit, one row: its NashConv, and the seconds on one core that it learned for.

    Args:
        folder: keeps the training runs.
    """
    tree, began = build(mine_of(mine).rules()), time.process_time()
    if unit.method == MIRROR_DESCENT:
        solver = MirrorDescent(tree, pull=unit.strength, seed=unit.seed)
        solver.step(iterations)
        seconds, profile = time.process_time() - began, solver.profile()
    else:
        run = train(run_config(mine_of(mine), unit, decisions), folder / str(unit), "cpu")
        seconds, profile = time.process_time() - began, profile_of(tree, Ppo(run.out / "weights.safetensors"))
    found = {"nash_conv": nash_conv(tree, profile), "miners_win": miners_win(tree, profile), "seconds": seconds}
    return {name: [value] for name, value in (unit._asdict() | found).items()}


def _learners(methods: Sequence[str], seeds: int) -> list[Unit]:
    if unknown := set(methods) - set(STRENGTHS):
        raise ValueError(f"there is no method {', '.join(sorted(unknown))}; there are {', '.join(STRENGTHS)}")
    return [
        Unit(method, strength, seed) for method in methods for strength in STRENGTHS[method] for seed in range(seeds)
    ]


def run_config(mine: Mine, unit: Unit, decisions: int) -> RunConfig:
    """The training run of a PPO learner: self-play of all seats, with all moves of a round in sight.

    A network of few channels is enough for so small a board, and faster.
    """
    learning = Learning(
        n_steps=16,
        batch_size=1024,
        n_epochs=2,
        learning_rate=3e-3,
        final_learning_rate=2e-5,
        gae_lambda=1.0,
        ent_coef=unit.strength,
        final_ent_coef=LAST_BONUS,
        ent_decay="exponential",
        regularizer="log_barrier",
    )
    cards = sum(mine.options["deck"].values())
    return RunConfig(
        decisions=decisions,
        games=256,
        players=(mine.players,),
        seed=unit.seed,
        temperature=TEMPERATURE,
        settings={"rounds": 1, "window": "mine", "history": cards, "edition": mine.edition},
        network=NetworkConfig(channels=8),
        learning=learning,
        curriculum=(CurriculumStage(options=dict(mine.options)),),
        evaluation=EvaluationConfig(interval=0),
    )


def main(
    mine: Annotated[str, typer.Option(help="The small mine.")] = "K8",
    methods: Annotated[str, typer.Option(help=f"Which of {', '.join(STRENGTHS)}.")] = ",".join(STRENGTHS),
    seeds: Annotated[int, typer.Option(min=1, help="Learners of each method and strength.")] = LEARNER_SEEDS,
    decisions: Annotated[int, typer.Option(min=1, help="Of PPO.")] = DECISIONS,
    iterations: Annotated[int, typer.Option(min=1, help="Of mirror descent.")] = MIRROR_ITERATIONS,
    workers: OneWorker = 1,
    fresh: Fresh = False,
    out: Out = None,
) -> None:
    """Self-play by PPO and mirror descent on a small mine: how near they come to an equilibrium.

    Writes README.md, table.csv and rounds.parquet.
    """
    budget = {"seeds": seeds, "decisions": decisions, "iterations": iterations}
    settings: dict[str, Any] = {"mine": mine, "methods": methods.split(","), **budget}
    out = out or default_folder("results/mine_learners", settings, DEFAULTS)
    parts = ResultStore(out, settings | {"strengths": STRENGTHS, "versions": VERSIONS}, fresh)
    if fresh:
        shutil.rmtree(out / "runs", ignore_errors=True)
    learners = _learners(settings["methods"], seeds)
    with resumable(out) as bar:
        advance = partial(bar.advance, bar.add_task("learners", total=len(learners)))
        todo = partial(work, mine, decisions, iterations, out / "runs")
        rows = parts.complete(learners, todo, workers, progress=advance).to_pylist()
    command = f"saboteur-env study mine-learners --mine {mine} --methods '{methods}' --seeds {seeds}"
    command += f" --decisions {decisions} --iterations {iterations}"
    report_files([write_text(out / "README.md", page(rows, mine, command)), write_csv(out / "table.csv", rows)])


def page(rows: Sequence[Row], mine: str, command: str) -> str:
    """The tables in Markdown."""
    learned = {"last_bonus": LAST_BONUS, "temperature": TEMPERATURE}
    return _PAGE.format(mine=mine, table=markdown_rows(summary(rows), _COLUMNS), aim=AIM, command=command, **learned)


def summary(rows: Sequence[Row]) -> list[Row]:
    """A row for each method and strength, over the seeds."""
    groups: dict[tuple[str, float], list[Row]] = {}
    for row in rows:
        groups.setdefault((row["method"], row["strength"]), []).append(row)
    return [_summed(method, strength, group) for (method, strength), group in groups.items()]


def _summed(method: str, strength: float, group: list[Row]) -> Row:
    conv = np.array([row["nash_conv"] for row in group])
    facts = {"median": np.median(conv), "least": conv.min(), "most": conv.max(), "reached": int((conv < AIM).sum())}
    means = {name: float(np.mean([row[name] for row in group])) for name in ("miners_win", "seconds")}
    return {"method": method, "strength": strength, "seeds": len(group), **facts, **means}


_PAGE = """# Learners on the small mine {mine}

NashConv of what each learner plays at its end, exactly (docs/equilibria.md), over the seeds. `strength` is the first
weight of PPO's log barrier, which falls by the same factor with every decision, to {last_bonus}, or the first pull of
the magnet of mirror descent. PPO learns by self-play of all seats, and its weights play at temperature {temperature}.
Every seed of mirror descent begins with other logits. Seconds are those of one core, busy with other work.

{table}

`reached` counts the seeds with a NashConv below {aim}.

```
{command}
```
"""
_COLUMNS = {
    "method": "{method}", "strength": "{strength}", "seeds": "{seeds}", "NashConv, median": "{median:.2g}",
    "least": "{least:.2g}", "most": "{most:.2g}", "reached": "{reached}", "miners win": "{miners_win:.2%}",
    "seconds": "{seconds:.1f}",
}  # fmt: skip
