"""`saboteur-env train`: train a learned dwarf by self-play."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer

from saboteur_env.experiments.common.options import Out
from saboteur_env.experiments.common.page import share_of

from ..core.extras import extra
from ..terminal import console, exit_interrupted, plain_table, progress, report_files


def train(
    config: Annotated[str, typer.Option(help="small, default, gpu, stock, or a TOML file of your own.")] = "small",
    out: Out = None,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda, cuda:1 …")] = "auto",
    minutes: Annotated[
        float, typer.Option(min=0, help="Stop after this many minutes; the same command resumes. 0: no limit.")
    ] = 0,
    set_: Annotated[list[str] | None, typer.Option("--set", help="A setting, such as learning.n_epochs=4.")] = None,
) -> None:
    """Train a learned dwarf by self-play (extra `train`); the same command resumes a stopped run."""
    # Threads that wait must not spin where other programs use the cores; read when torch is loaded.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    with extra("train"):
        from saboteur_env.experiments.training import config as run_config
        from saboteur_env.experiments.training import train_ppo

    run = run_config.load_config(config, set_ or [])
    out = out or train_ppo.default_run_folder(config, set_ or [])
    with progress() as bar:
        task = bar.add_task(f"{config}: compiling", total=run.decisions)

        def show(decisions: int, evaluated: list[dict[str, Any]]) -> None:
            won = " ".join(f"{row['players']}{row['role'][0]} {100 * row['won']:.0f}%" for row in evaluated)
            bar.update(task, completed=decisions, description=f"{config} {won}")

        try:
            evaluated = train_ppo.train(run, out, device, minutes, show).evaluated
        except KeyboardInterrupt:
            exit_interrupted("Stopped; the same command goes on from the last checkpoint.")
    if evaluated:
        title = f"Rounds won by the whole side, %, against {run.evaluation.opponent}"
        rows = (
            (str(row["players"]), row["role"], str(row["rounds"]), share_of(row), _percent(row)) for row in evaluated
        )
        heads = ("players", "role", "rounds", "learned", f"{run.evaluation.opponent} in its place")
        console.print(plain_table(title, heads, rows))
    report_files(path for path in (out / "checkpoint.safetensors", out / "weights.safetensors") if path.exists())


def _percent(row: dict[str, Any]) -> str:
    return f"{100 * row['scripted']:.1f}"
