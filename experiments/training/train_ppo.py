"""Train one network for both roles by self-play: `saboteur-env train --config small --out runs/first`.

A run is a folder:

- `config.json`: all settings; a run goes on only with the same, but for FREE.
- `checkpoint.safetensors`: where it goes on (checkpoints.py).
- `curve.jsonl` and TensorBoard's events: what it measured, a line for each rollout.
- `weights.safetensors`: the network to play with, `ppo:FILE` (agents/learned/weights.py); stock runs have none.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import saboteur_env
from saboteur_env.core.extras import extra

with extra("train"):
    import torch
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.logger import Logger

from saboteur_env.agents.learned.weights import load_network, weights_of

from ..common.folders import default_folder, differences
from ..common.machine import machine
from ..common.report import write_atomically, write_text
from ..common.statistics import Row
from .build import device_of, make_model, tables
from .checkpoints import read_checkpoint, restore, write_checkpoint
from .config import RunConfig
from .evaluation import judge
from .training_log import Curve

Progress = Callable[[int, list[Row]], object]
FREE = ("decisions", "minutes", "threads", "judging", "temperature")


def train(
    config: RunConfig,
    out: Path,
    device: str = "auto",
    minutes: float = 0.0,
    progress: Progress = lambda decisions, judged: None,
) -> Run:
    """Train until the run has its decisions, from its last checkpoint where it has one.

    Args:
        out: the folder of the run.
        device: `auto` is CUDA where there is one.
        minutes: stop after so many, with a checkpoint; 0 for no limit.
        progress: called before every rollout with the decisions made and what was judged last.

    Returns: the run, with its model and what was judged last.

    Raises: ValueError where the folder holds a run with other settings, or a checkpoint that cannot be used.
    """
    began, chosen = time.time(), device_of(device)
    torch.set_num_threads(config.threads or 1)
    out.mkdir(parents=True, exist_ok=True)
    _keep_config(config, out / "config.json")
    checkpoint = out / "checkpoint.safetensors"
    tensors, data = read_checkpoint(checkpoint) if checkpoint.exists() else ({}, {"stage": 0, "seconds": 0.0})
    model = make_model(config, data["stage"], chosen)
    if tensors:
        restore(model, tensors, data)
    model.set_logger(Logger(str(out), [Curve(out, model.num_timesteps)]))
    run = Run(config, out, data, began + 60 * minutes if minutes else float("inf"), progress)
    run.init_callback(model)
    left = config.decisions - model.num_timesteps
    if left > 0:
        model.learn(left, run, reset_num_timesteps=False)
        run.finish()
    return run


class Run(BaseCallback):
    """What happens between two rollouts: checkpoints, judging, the next stage, the end of the time."""

    model: Any

    def __init__(
        self, config: RunConfig, out: Path, data: Mapping[str, Any], deadline: float, progress: Progress
    ) -> None:
        super().__init__()
        self.config, self.out, self.deadline, self.progress = config, out, deadline, progress
        self.stage, self.seconds = data["stage"], data["seconds"]
        self.judged: list[Row] = data.get("judged", [])
        self.last_judged = data.get("last_judged", 0)
        self.entered = self.kept = time.time()
        self.late = False
        self.commit = commit_of(Path(__file__))
        self.before = load_network(config.begin)[1].get("training") if config.begin else None

    def _on_rollout_start(self) -> None:
        decisions, now = self.model.num_timesteps, time.time()
        self.late = now >= self.deadline
        if self.late or now - self.kept >= 60 * self.config.minutes:
            self.keep()
        if self.late:
            return
        if self.config.judging.every and decisions - self.last_judged >= self.config.judging.every:
            self.judge()
        if not self.config.stock:
            self._seat(decisions)
        self.progress(decisions, self.judged)

    def _seat(self, decisions: int) -> None:
        snapshots = self.model.seating.snapshots
        if self.config.stage(decisions) != self.stage:
            self.stage = self.config.stage(decisions)
            self.model.seat_at(*tables(self.config, self.stage, snapshots))
        if snapshots.due(decisions):
            snapshots.take(self.model.network, decisions, self.model.batch)
        self.logger.record("rollout/stage", self.stage)
        self.logger.record("rollout/snapshots", len(snapshots.taken))

    def _on_step(self) -> bool:
        return not self.late

    def judge(self) -> None:
        """Play against the fixed opponent of the run."""
        one, model = self.config.judging, self.model
        settings = self.config.settings_of(self.config.stages[self.stage])
        players = one.players or self.config.players
        threads = self.config.threads or None
        with torch.random.fork_rng():  # judging changes nothing of the training
            torch.manual_seed(self.config.seed)
            self.judged = judge(
                model.choose,
                settings,
                players,
                one.rounds,
                one.opponent,
                self.config.seed,
                threads,
                model.device,
                self.config.network.suspects,
            )
        self.last_judged = model.num_timesteps
        for row in self.judged:
            self.logger.record(f"judged/{row['role']}_{row['players']}", row["won"])
            self.logger.record(f"judged_gain/{row['role']}_{row['players']}", row["won"] - row["scripted"])

    def keep(self) -> None:
        """Write the checkpoint, and the weights to play with."""
        now = time.time()
        self.seconds, self.entered, self.kept = self.seconds + now - self.entered, now, now
        told = {"stage": self.stage, "seconds": self.seconds, "judged": self.judged, "last_judged": self.last_judged}
        write_checkpoint(self.out / "checkpoint.safetensors", self.model, told)
        if not self.config.stock:
            network = weights_of(self.model.network, self.card())
            write_atomically(self.weights, lambda file: file.write_bytes(network))

    @property
    def weights(self) -> Path:
        """The file to play with."""
        return self.out / "weights.safetensors"

    def card(self) -> dict[str, Any]:
        """What the weights say of their training."""
        device = self.model.device
        where = torch.cuda.get_device_name(device) if device.type == "cuda" else machine()
        record = {"decisions": self.model.num_timesteps, "hours": self.seconds / 3600, "machine": where}
        record |= {"commit": self.commit} | ({"before": self.before} if self.config.begin else {})
        return {
            "library": saboteur_env.__version__,
            "temperature": self.config.temperature,
            "training": {**record, "config": json.loads(self.config.as_json())},
            "evaluation": self.judged,
        }

    def finish(self) -> None:
        """Judge a run that has all its decisions, and keep it; one that is late is kept already."""
        if self.late:
            return
        if self.config.judging.every:
            self.judge()
            self.logger.dump(self.model.num_timesteps)
        self.keep()


def commit_of(file: Path) -> str | None:
    """The commit that a source file is of, `-dirty` where files were changed since; None where it is of none."""
    git = ["git", "-C", str(file.parent)]
    try:
        subprocess.run([*git, "ls-files", "--error-unmatch", file.name], check=True, capture_output=True)
        asked = [*git, "describe", "--always", "--abbrev=12", "--dirty"]
        return subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def default_run_folder(config: str, changes: Sequence[str]) -> Path:
    """The folder of a run where none is given: that of its config, and what is changed of it but for FREE."""
    kept = [change for change in changes if change.partition("=")[0].split(".")[0] not in FREE]
    return default_folder(Path("runs") / Path(config).stem, {"changes": kept}, {"changes": []})


def _keep_config(config: RunConfig, path: Path) -> None:
    there = RunConfig.of_json(path.read_text(encoding="utf-8")) if path.exists() else config
    differ = differences(*({**json.loads(one.as_json()), **dict.fromkeys(FREE)} for one in (there, config)))
    if differ:
        raise ValueError(f"{path.parent} holds a run with other settings ({differ}): choose another folder (--out)")
    write_text(path, config.as_json())
