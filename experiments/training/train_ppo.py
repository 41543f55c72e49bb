"""Train one network for both roles by self-play: `saboteur-env train --config small --out runs/first`.

A run is a folder:

- `config.json`: all settings; a run resumes only with the same settings, except those in FREE.
- `checkpoint.safetensors`: the state to resume from (checkpoints.py).
- `curve.jsonl` and TensorBoard's events: the measurements, one line for each rollout.
- `weights.safetensors`: the trained network, `ppo:FILE` (agents/learned/weights.py), or `ppo-small:FILE` of the small
  one (agents/scripted/small_network.py); stock runs have none.
- `critic.safetensors`: the critic of a small network (agents/search/critic.py).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import saboteur_env
from saboteur_env.core.extras import extra

with extra("train"):
    import torch

from ..common.folders import default_folder, differences
from ..common.machine import commit_of, machine
from ..common.report import write_atomically, write_text
from ..common.statistics import Row
from ..common.training_log import TrainingLog
from .baseline import StockPPO
from .build import device_of, first_card, make_games, make_learner
from .checkpoints import read_checkpoint, restore, write_checkpoint
from .config import RunConfig

Progress = Callable[[int, list[Row]], object]
FREE = ("decisions", "minutes", "threads", "evaluation", "temperature")
_BEGUN: dict[str, Any] = {"stage": 0, "seconds": 0.0, "evaluated": [], "last_evaluated": 0, "unwritten": {}}


def train(
    config: RunConfig,
    out: Path,
    device: str = "auto",
    minutes: float = 0.0,
    progress: Progress = lambda decisions, evaluated: None,
) -> Run:
    """Train until the run has its decisions, from its last checkpoint where it has one.

    Args:
        out: the folder of the run.
        device: `auto` is CUDA where there is one.
        minutes: stop after so many, once a rollout is learned from, with a checkpoint; 0 for no limit.
        progress: called before every rollout with the decisions made and the last evaluation.

    Returns: the run, with its learner and the last evaluation.

    Raises: ValueError where the folder holds a run with other settings, or a checkpoint that cannot be used.
    """
    deadline = time.time() + 60 * minutes if minutes else float("inf")
    torch.set_num_threads(config.threads or 1)
    run = Run(config, out, device_of(device))
    learner, stops = run.learner, False
    while not (run.done or stops):
        progress(learner.decisions, run.evaluated)
        run.set_tables()
        learner.collect()
        run.log(learner.update(1 - learner.decisions / config.decisions))
        if run.evaluation_due:
            run.evaluate()
        stops = time.time() >= deadline
        if run.done or stops or run.checkpoint_due:
            run.checkpoint()
    return run


class Run:
    """A run in its folder.

    Args:
        out: the folder, in which a checkpoint may be.

    Attributes:
        learner: what is trained (build.py).
        stage: of the curriculum.
        evaluated: the last evaluation.

    Raises: as `train`.
    """

    def __init__(self, config: RunConfig, out: Path, device: torch.device) -> None:
        out.mkdir(parents=True, exist_ok=True)
        _keep_config(config, out / "config.json")
        self.config, self.out = config, out
        self._entered = self._kept = time.time()
        tensors, data = read_checkpoint(self._checkpoint) if self._checkpoint.exists() else ({}, _BEGUN)
        self.stage, self.seconds = data["stage"], data["seconds"]
        self.evaluated, self.last_evaluated, self._unwritten = (
            data["evaluated"],
            data["last_evaluated"],
            {**data["unwritten"]},
        )
        self.learner = make_learner(config, self.stage, device)
        if tensors:
            restore(self.learner, tensors, data)
        self.training_log = TrainingLog(out, self.learner.decisions)
        self.commit = commit_of(Path(__file__))
        self.before = first_card(config).get("training") if config.init_from else None

    @property
    def done(self) -> bool:
        """Whether the run has all its decisions."""
        return self.learner.decisions >= self.config.decisions

    def set_tables(self) -> None:
        """Begin the stage of the curriculum whose time has come, and take a snapshot where one is due."""
        if isinstance(self.learner, StockPPO):
            return
        decisions, snapshots = self.learner.decisions, self.learner.seating.snapshots
        if self.config.stage(decisions) != self.stage:
            self.stage = self.config.stage(decisions)
            self.learner.seat_at(*make_games(self.config, self.stage, snapshots))
        if snapshots.due(decisions):
            snapshots.take(self.learner.network, decisions, self.learner.vec)
        self._unwritten |= {"rollout/stage": self.stage, "rollout/snapshots": len(snapshots.taken)}

    def log(self, measured: Mapping[str, float]) -> None:
        """Write a line of the learning curve, with the evaluation since the last line."""
        self.training_log.write(self.learner.decisions, {**self._unwritten, **measured})
        self._unwritten = {}

    @property
    def evaluation_due(self) -> bool:
        """Whether it is time to play against the fixed opponent of the run."""
        every = self.config.evaluation.interval
        return every > 0 and (self.done or self.learner.decisions - self.last_evaluated >= every)

    def evaluate(self) -> None:
        """Play against the fixed opponent of the run. The next line tells how it went; at the end, one of its own."""
        config, learner = self.config, self.learner
        settings = config.settings_of(config.curriculum[self.stage])
        matches = replace(config.evaluation, players=config.evaluation.players or config.players)
        with torch.random.fork_rng():  # judging changes nothing of the training
            torch.manual_seed(config.seed)
            self.evaluated = learner.evaluate(settings, matches, config.seed, config.threads or None)
        self.last_evaluated = learner.decisions
        for row in self.evaluated:
            side = f"{row['role']}_{row['players']}"
            self._unwritten[f"judged/{side}"] = row["won"]
            self._unwritten[f"judged_gain/{side}"] = row["won"] - row["scripted"]
        if self.done:
            self.log({})

    @property
    def checkpoint_due(self) -> bool:
        """Whether the last checkpoint is old."""
        return time.time() - self._kept >= 60 * self.config.minutes

    def checkpoint(self) -> None:
        """Write the checkpoint, and the weights to play with."""
        now = time.time()
        self.seconds, self._entered, self._kept = self.seconds + now - self._entered, now, now
        state = {name: getattr(self, name) for name in ("stage", "seconds", "evaluated", "last_evaluated")}
        write_checkpoint(self._checkpoint, self.learner, {**state, "unwritten": self._unwritten})
        for name, weights in self.learner.weights(self.card()).items():
            write_atomically(self.out / f"{name}.safetensors", partial(Path.write_bytes, data=weights))

    @property
    def _checkpoint(self) -> Path:
        return self.out / "checkpoint.safetensors"

    def card(self) -> dict[str, Any]:
        """What the weights say of their training."""
        device = self.learner.device
        where = torch.cuda.get_device_name(device) if device.type == "cuda" else machine()
        record = {"decisions": self.learner.decisions, "hours": self.seconds / 3600, "machine": where}
        record |= {"commit": self.commit} | ({"before": self.before} if self.config.init_from else {})
        return {
            "library": saboteur_env.__version__,
            "temperature": self.config.temperature,
            "training": {**record, "config": json.loads(self.config.as_json())},
            "evaluation": self.evaluated,
        }


def default_run_folder(config: str, changes: Sequence[str]) -> Path:
    """The folder of a run where none is given: that of its config, and what is changed of it but for FREE."""
    kept = [change for change in changes if change.partition("=")[0].split(".")[0] not in FREE]
    return default_folder(Path("runs") / Path(config).stem, {"changes": kept}, {"changes": []})


def _keep_config(config: RunConfig, path: Path) -> None:
    there = RunConfig.of_json(path.read_text(encoding="utf-8")) if path.exists() else config
    differ = differences(*({**json.loads(item.as_json()), **dict.fromkeys(FREE)} for item in (there, config)))
    if differ:
        raise ValueError(f"{path.parent} holds a run with other settings ({differ}): choose another folder (--out)")
    write_text(path, config.as_json())
