"""Ablation of the trainer: the same small run without each part, with several seeds.

Every variant has the same budget of decisions on the mine of configs/ablation.toml. It is evaluated on the same deals
as `whole`, the complete configuration, with the same seed. Seeds are few and the mine is small. If an interval contains
0, the study does not show a difference. Runs are stored, so the study resumes after a stop, also with more seeds.

Run as ``saboteur-env study ablation`` (needs the extras ``train`` and ``report``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from scipy import stats

from saboteur_env.core.extras import extra
from saboteur_env.engine.cards import ROLES
from saboteur_env.terminal import exit_interrupted, progress, report_files

from ..common.folders import default_folder
from ..common.options import Out
from ..common.page import markdown_rows, percent
from ..common.report import write_csv, write_parquet, write_text
from ..common.statistics import Row

with extra("train"):
    from ..training.config import RunConfig, load_config
    from ..training.train_ppo import train

STUDY = "ablation"

WHOLE = "whole"
VARIANTS = {
    WHOLE: [],
    "no history": ["network.events=none"],
    "history by attention": ["network.events=attention"],
    "history by a recurrence": ["network.events=gru"],
    "beliefs told": ["network.suspects=true"],
    "no role head": ["learning.role_coef=0.0"],
    "no curriculum": ["curriculum=[{options = {goal_cells = [[6, -2], [6, 0], [6, 2]]}}]"],
    "no league": ["league.miners=0.0", "league.saboteurs=0.0"],
    "no scripted opponents": ["opponents.miners=0.0", "opponents.saboteurs=0.0"],
}
BUDGET = 2_000_000
DEFAULTS = {"decisions": BUDGET, "set": list[str]()}
PAGE_COLUMNS = {
    "variant": "{variant}",
    "seeds": "{seeds}",
    "hours a run": "{hours:.2f}",
    "miners": "{miner}",
    "saboteurs": "{saboteur}",
    "both, against the whole": "{difference}",
}


def config_of(variant: str, seed: int, changes: Sequence[str] = ()) -> RunConfig:
    """The run of a variant. Raises: ValueError for a variant there is not, and for impossible changes."""
    if variant not in VARIANTS:
        raise ValueError(f"there is no variant {variant!r}; there are {', '.join(VARIANTS)}")
    return load_config("ablation", [*VARIANTS[variant], *changes, f"seed={seed}"])


def play(
    variants: Iterable[str],
    seeds: Sequence[int],
    folder: Path,
    changes: Sequence[str] = (),
    progress: Callable[[str, int], object] = lambda name, decisions: None,
) -> list[Row]:
    """Train all variants, or what is left of them: a row for each run, with what its teams won on average.

    Args:
        folder: keeps the runs.
        changes: of the config, for all of them.
        progress: called with the name of a run and the decisions it has made.

    Raises: ValueError as `config_of`, for runs that are not evaluated, and if the folder holds a run with other
        settings.
    """
    runs = [(name, seed, config_of(name, seed, changes)) for seed in seeds for name in variants]
    if not all(config.evaluation.interval for *_, config in runs):
        raise ValueError("evaluation.interval=0 evaluates no run: leave it out, or give a number above 0")
    return [_row(name, seed, config, folder, progress) for name, seed, config in runs]


def _row(name: str, seed: int, config: RunConfig, folder: Path, progress: Callable[[str, int], object]) -> Row:
    label = f"{name.replace(' ', '-')}-{seed}"
    run = train(config, folder / label, "cpu", progress=lambda decisions, judged: progress(label, decisions))
    progress(label, config.decisions)
    won = {role: float(np.mean([row["won"] for row in run.evaluated if row["role"] == role])) for role in ROLES}
    both = sum(won.values()) / len(won)
    return {
        "variant": name,
        "seed": seed,
        "decisions": config.decisions,
        "hours": run.seconds / 3600,
        **won,
        "both": both,
    }


def summary(rows: Sequence[Row]) -> list[Row]:
    """For each variant the means over its seeds, and the difference to the whole, seed by seed, with 95 % intervals.

    Intervals are Student's: they take seeds for all the chance there is, and are nan where there is but one.
    """
    whole = {row["seed"]: row["both"] for row in rows if row["variant"] == WHOLE}
    return [_means([row for row in rows if row["variant"] == name], whole) for name in _names(rows)]


def _names(rows: Iterable[Row]) -> list[str]:
    return list(dict.fromkeys(row["variant"] for row in rows))


def _means(rows: Sequence[Row], whole: dict[int, float]) -> Row:
    result: Row = {
        "variant": rows[0]["variant"],
        "seeds": len(rows),
        "hours": float(np.mean([row["hours"] for row in rows])),
    }
    values = {role: [row[role] for row in rows] for role in ROLES}
    values["difference"] = [row["both"] - whole[row["seed"]] for row in rows if row["seed"] in whole]
    for name, each in values.items():
        mean = float(np.mean(each)) if each else np.nan
        reach = float(stats.t.ppf(0.975, len(each) - 1) * stats.sem(each)) if len(each) > 1 else np.nan
        least = -1 if name == "difference" else 0
        result |= {name: mean, f"{name}_low": max(mean - reach, least), f"{name}_high": min(mean + reach, 1)}
    return result


def page(rows: Sequence[Row], command: str) -> str:
    """The table in Markdown."""
    state = [{**row, **{name: _interval(row, name) for name in (*ROLES, "difference")}} for row in summary(rows)]
    table, budget = (
        markdown_rows(state, PAGE_COLUMNS),
        " or ".join(f"{item:,}" for item in sorted({row["decisions"] for row in rows})),
    )
    return f"""# Ablation of the trainer

Rounds won by a team of learned dwarfs against scripted dwarfs, in %: the mean over numbers of players. Every run had
{budget} decisions on the short mine of `experiments/configs/ablation.toml`. 95 % intervals are over seeds (Student's).
The last column is the mean of both sides minus that of `whole`, the complete configuration, with the same seed on the
same deals. If an interval contains 0, so few seeds of so small a run do not show a difference.

{table}

```
{command}
```
"""


def _interval(row: Row, name: str) -> str:
    return percent(*(row[f"{name}{end}"] for end in ("", "_low", "_high")))


def main(
    variants: Annotated[str, typer.Option(help="Variants, separated by commas; all if not given.")] = "",
    seeds: Annotated[int, typer.Option(min=1, help="Runs of each variant.")] = 3,
    decisions: Annotated[int, typer.Option(min=1, help="Decisions of a run.")] = BUDGET,
    set_: Annotated[list[str] | None, typer.Option("--set", help="A setting of all runs, such as games=64.")] = None,
    out: Out = None,
) -> None:
    """What each part of the trainer brings: the same small run without it.

    Trains all variants in turn and writes README.md, runs.parquet and table.csv.
    """
    names, numbers = variants.split(",") if variants else [*VARIANTS], range(1, 1 + seeds)
    changes = [f"decisions={decisions}", *(set_ or [])]
    out = out or default_folder("results/ablation", {"decisions": decisions, "set": set_ or []}, DEFAULTS)
    with progress() as bar:
        task, result = bar.add_task("decisions", total=len(names) * seeds * decisions), dict[str, int]()

        def show(label: str, count: int) -> None:
            result[label] = min(count, decisions)
            bar.update(task, description=label, completed=sum(result.values()))

        try:
            rows = play(names, numbers, out, changes, show)
        except KeyboardInterrupt:
            exit_interrupted(
                f"Stopped; {out} keeps the runs, and the same command goes on from their last checkpoints."
            )
    asked = " ".join([f"--variants '{','.join(names)}' --seeds {seeds}", *(f"--set {item}" for item in set_ or [])])
    command = f"saboteur-env study ablation {asked} --decisions {decisions}"
    report_files([write_parquet(out / "runs.parquet", rows), write_csv(out / "table.csv", summary(rows))])
    report_files([write_text(out / "README.md", page(rows, command))])
