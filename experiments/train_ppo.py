"""Train one network for both roles by self-play: `saboteur-env train --config small --out runs/first`.

A run is a folder:

- `config.json`: all settings; a run goes on only with the same, but for FREE.
- `checkpoint.safetensors`: where it goes on (checkpoints.py).
- `curve.jsonl` and TensorBoard's events: what it measured, a line for each rollout.
- `weights.safetensors`: the network to play with, `ppo:FILE` (agents/weights.py).
"""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import KVWriter, Logger

import saboteur_env
from saboteur_env import game_seed, make_vec
from saboteur_env.agents.weights import weights_of

from .analysis import Row
from .checkpoints import read_checkpoint, restore, write_checkpoint
from .judge import judge
from .report import write_atomically, write_text
from .run_config import RunConfig
from .seating import Seating
from .self_play import SelfPlayPPO
from .snapshots import Snapshots

FREE = ("decisions", "minutes", "threads", "judging")


def train(
    config: RunConfig,
    out: Path,
    device: str = "auto",
    minutes: float = 0.0,
    progress: Callable[[SelfPlayPPO, list[Row]], object] = lambda model, judged: None,
) -> Run:
    """Train until the run has its decisions, from its last checkpoint where it has one.

    Args:
        out: the folder of the run.
        device: `auto` is CUDA where there is one.
        minutes: stop after so many, with a checkpoint; 0 for no limit.
        progress: called before every rollout with the model and what was judged last.

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


def make_model(config: RunConfig, stage: int, device: torch.device) -> SelfPlayPPO:
    """A new model at a stage of the curriculum."""
    one = config.learning
    return SelfPlayPPO(
        *tables(config, stage, Snapshots(config.league)),
        config.network,
        one.roles,
        one.bf16,
        learning_rate=lambda left: one.last_rate + (one.rate - one.last_rate) * left,
        n_steps=one.steps,
        batch_size=one.batch,
        n_epochs=one.epochs,
        gamma=one.gamma,
        gae_lambda=one.gae_lambda,
        clip_range=one.clip,
        ent_coef=one.entropy,
        vf_coef=one.value,
        max_grad_norm=one.max_grad,
        target_kl=one.target_kl or None,
        seed=config.seed,
        device=device,
    )


def tables(config: RunConfig, stage: int, snapshots: Snapshots) -> tuple[Any, Seating]:
    """The games of a stage, and who sits at them."""
    players = [config.players[i % len(config.players)] for i in range(config.games)]
    settings = config.settings_of(config.stages[stage])
    seed = game_seed(config.seed, stage)
    vec = make_vec(config.games, players, seed, config.threads or None, mask=None, settings=settings)
    return vec, Seating(config.opponents, vec, np.random.default_rng([config.seed, stage]), snapshots)


def device_of(name: str) -> torch.device:
    """The device of a name; `auto` is CUDA where there is one. Raises: ValueError where there is no such device."""
    try:
        device = torch.device(("cuda" if torch.cuda.is_available() else "cpu") if name == "auto" else name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise ValueError(f"there is no device {name!r} here: {error}") from None
    return device


class Run(BaseCallback):
    """What happens between two rollouts: checkpoints, judging, the next stage, the end of the time."""

    model: SelfPlayPPO

    def __init__(
        self,
        config: RunConfig,
        out: Path,
        data: Mapping[str, Any],
        deadline: float,
        progress: Callable[[SelfPlayPPO, list[Row]], object],
    ) -> None:
        super().__init__()
        self.config, self.out, self.deadline, self.progress = config, out, deadline, progress
        self.stage, self.seconds = data["stage"], data["seconds"]
        self.judged: list[Row] = data.get("judged", [])
        self.last_judged = data.get("last_judged", 0)
        self.entered = self.kept = time.time()

    def _on_rollout_start(self) -> None:
        decisions = self.model.num_timesteps
        if time.time() - self.kept >= 60 * self.config.minutes:
            self.keep()
        if self.config.judging.every and decisions - self.last_judged >= self.config.judging.every:
            self.judge()
        if self.config.stage(decisions) != self.stage:
            self.stage = self.config.stage(decisions)
            self.model.seat_at(*tables(self.config, self.stage, self.model.seating.snapshots))
        snapshots = self.model.seating.snapshots
        if snapshots.due(decisions):
            snapshots.take(self.model.policy.network, decisions, self.model.env)
        self.logger.record("rollout/stage", self.stage)
        self.logger.record("rollout/snapshots", len(snapshots.taken))
        self.progress(self.model, self.judged)

    def _on_step(self) -> bool:
        return time.time() < self.deadline

    def judge(self) -> None:
        """Play against the fixed opponent of the run."""
        one, model = self.config.judging, self.model
        settings = self.config.settings_of(self.config.stages[self.stage])
        players = one.players or self.config.players
        threads = self.config.threads or None
        with torch.random.fork_rng():  # judging changes nothing of the training
            torch.manual_seed(self.config.seed)
            self.judged = judge(
                lambda sight: model.policy.act(sight)[0],
                settings, players, one.rounds, one.opponent, self.config.seed, threads, model.device,
            )  # fmt: skip
        self.last_judged = model.num_timesteps
        for row in self.judged:
            self.logger.record(f"judged/{row['role']}_{row['players']}", row["won"])
            self.logger.record(f"judged_gain/{row['role']}_{row['players']}", row["won"] - row["scripted"])

    def keep(self) -> None:
        """Write the checkpoint and the weights."""
        now = time.time()
        self.seconds, self.entered, self.kept = self.seconds + now - self.entered, now, now
        told = {"stage": self.stage, "seconds": self.seconds, "judged": self.judged, "last_judged": self.last_judged}
        write_checkpoint(self.out / "checkpoint.safetensors", self.model, told)
        network = weights_of(self.model.policy.network, self.card())
        write_atomically(self.out / "weights.safetensors", lambda file: file.write_bytes(network))

    def card(self) -> dict[str, Any]:
        """What the weights say of their training."""
        device = self.model.device
        machine = torch.cuda.get_device_name(device) if device.type == "cuda" else platform.processor() or "CPU"
        record = {"decisions": self.model.num_timesteps, "hours": self.seconds / 3600, "machine": machine}
        return {
            "library": saboteur_env.__version__,
            "training": {**record, "config": json.loads(self.config.as_json())},
            "evaluation": self.judged,
        }

    def finish(self) -> None:
        """Judge a run that has all its decisions; keep it."""
        if self.model.num_timesteps >= self.config.decisions and self.config.judging.every:
            self.judge()
            self.logger.dump(self.model.num_timesteps)
        self.keep()


class Curve(KVWriter):
    """What was measured, as a line of JSON for each rollout and for TensorBoard.

    What a killed run wrote after its last checkpoint is taken back.
    """

    def __init__(self, out: Path, decisions: int) -> None:
        from torch.utils.tensorboard import SummaryWriter

        self.path = out / "curve.jsonl"
        kept = self.path.read_text(encoding="utf-8").splitlines(keepends=True) if self.path.exists() else []
        kept = [line for line in kept if line.endswith("\n") and json.loads(line)["decisions"] <= decisions]
        write_text(self.path, "".join(kept))
        self.board = SummaryWriter(str(out), purge_step=decisions + 1)

    def write(self, key_values: dict[str, Any], key_excluded: dict[str, Any], step: int = 0) -> None:
        """Add one rollout."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"decisions": step, **key_values}) + "\n")
        for name, value in key_values.items():
            self.board.add_scalar(name, value, step)
        self.board.flush()

    def close(self) -> None:
        """End the events."""
        self.board.close()


def _keep_config(config: RunConfig, path: Path) -> None:
    here = json.loads(config.as_json())
    there = json.loads(path.read_text(encoding="utf-8")) if path.exists() else here
    differ = [name for name in here if name not in FREE and there.get(name) != here[name]]
    if differ:
        raise ValueError(f"{path.parent} holds a run with another {', '.join(differ)}: choose another folder")
    write_text(path, config.as_json())
