"""A training run as one file: weights, optimiser, league, games, random states. It resumes to the same learning curve.

The file is safetensors with a JSON part and a digest of everything. Reading it executes nothing. It is written whole or
not at all. So a killed run loses only what came after the last checkpoint.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from safetensors.torch import save_file
from torch import Tensor, nn

from saboteur_env.agents.learned.weights import read_tensors
from saboteur_env.core.schema import read_json, shown
from saboteur_env.core.versions import VERSIONS
from saboteur_env.environment.settings import Settings

from ..common.report import write_atomically
from ..common.statistics import Row
from .config import EvaluationConfig

FORMAT = "saboteur-checkpoint/4"


class Learner(Protocol):
    """A learner that can be resumed: self-play (self_play.py), or the baseline (baseline.py).

    Attributes:
        network: what learns; vec: the games.
        decisions: how many were learned from.
    """

    device: torch.device
    decisions: int

    @property
    def network(self) -> nn.Module:
        """The network that is trained."""

    @property
    def optimizer(self) -> torch.optim.Optimizer:
        """Its optimizer."""

    @property
    def vec(self) -> Any:
        """The batch that it plays."""

    def collect(self) -> None:
        """Play a rollout, and compute its advantages."""

    def update(self, left: float) -> dict[str, float]:
        """Learn from the rollout, with this share of the run left; returns the measurements."""

    def weights(self, card: Mapping[str, Any]) -> dict[str, bytes]:
        """The files of weights to play with, by their names.

        Args:
            card: what the weights say of themselves, as JSON data.
        """

    def evaluate(self, settings: Settings, config: EvaluationConfig, seed: int, threads: int | None) -> list[Row]:
        """Play rounds with one side learned and the other scripted; what `evaluation.evaluate_policy` returns."""

    def state_dict(self) -> tuple[dict[str, Tensor], dict[str, Any]]:
        """What it goes on from, besides weights, optimiser, games and torch's chance: tensors, and JSON data."""

    def load_state_dict(self, tensors: Mapping[str, Tensor], state: Mapping[str, Any]) -> None:
        """Go on from what was kept. Requires: the games are those of then."""


def write_checkpoint(path: Path, learner: Learner, state: Mapping[str, Any]) -> Path:
    """Write the state of a run between two rollouts.

    Args:
        state: what else is to come back, as JSON data.
    """
    own, facts = learner.state_dict()
    tensors = _tensors(learner) | {name: tensor.detach().cpu().contiguous() for name, tensor in own.items()}
    data = {
        "format": FORMAT,
        "versions": VERSIONS,
        "decisions": learner.decisions,
        "batch_seed": learner.vec.seed,
        "learner": facts,
        **state,
    }
    text = json.dumps(data, sort_keys=True)
    metadata = {"data": text, "digest": _digest(tensors, text)}
    return write_atomically(path, lambda file: save_file(tensors, file, metadata))


def read_checkpoint(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The tensors of a checkpoint, and its JSON part.

    Raises: ValueError for a file that is damaged, none of ours, or of another version of observations or actions.
    """
    tensors, metadata = read_tensors(path)
    text = metadata.get("data", "")
    if metadata.get("digest") != _digest(tensors, text):
        raise ValueError(f"{path} is not a complete checkpoint: it is damaged, or another kind of file")
    data = read_json(text, f"checkpoint {path}")
    state = data if isinstance(data, dict) else {}
    if (state.get("format"), state.get("versions")) != (FORMAT, VERSIONS):
        there = f"{shown(state.get('format'))} {shown(state.get('versions'))}"
        raise ValueError(
            f"{path} is a checkpoint of {there}; this library has {FORMAT} {VERSIONS}: "
            "resume with the version that wrote it, or start a run in another folder"
        )
    return tensors, data


def restore(learner: Learner, tensors: Mapping[str, Tensor], data: Mapping[str, Any]) -> None:
    """Put a learner, made with the same settings, where the checkpoint was written."""
    learner.network.load_state_dict(_part(tensors, "network."))
    learner.optimizer.load_state_dict(_optimizer_state(learner, tensors))
    vec = learner.vec
    vec.seed = data["batch_seed"]
    vec.restore(*(_unpacked(tensors[name], getattr(vec, name).dtype) for name in ("records", "results")))
    learner.load_state_dict(tensors, data["learner"])
    learner.decisions = data["decisions"]
    torch.set_rng_state(tensors["chance.cpu"])
    if learner.device.type == "cuda" and "chance.cuda" in tensors:
        torch.cuda.set_rng_state(tensors["chance.cuda"], learner.device)


def _tensors(learner: Learner) -> dict[str, Tensor]:
    result = {f"network.{name}": tensor for name, tensor in learner.network.state_dict().items()}
    for number, state in learner.optimizer.state_dict()["state"].items():
        result |= {f"optimizer.{number}.{name}": tensor for name, tensor in state.items()}
    for name in ("records", "results"):
        result[name] = torch.frombuffer(bytearray(zlib.compress(getattr(learner.vec, name), 1)), dtype=torch.uint8)
    result["chance.cpu"] = torch.get_rng_state()
    if learner.device.type == "cuda":
        result["chance.cuda"] = torch.cuda.get_rng_state(learner.device)
    return {name: tensor.detach().cpu().contiguous() for name, tensor in result.items()}


def _unpacked(packed: Tensor, kind: np.dtype[Any]) -> Any:
    return np.frombuffer(zlib.decompress(packed.numpy().tobytes()), kind)


def _optimizer_state(learner: Learner, tensors: Mapping[str, Tensor]) -> dict[str, Any]:
    # Moments lie in memory as their weights do, which fused steps take for granted.
    states: dict[int, dict[str, Tensor]] = {}
    weights = [weight for group in learner.optimizer.param_groups for weight in group["params"]]
    for name, tensor in _part(tensors, "optimizer.").items():
        number, _, part = name.partition(".")
        like = weights[int(number)].detach()
        states.setdefault(int(number), {})[part] = tensor if part == "step" else torch.empty_like(like).copy_(tensor)
    return {"state": states, "param_groups": learner.optimizer.state_dict()["param_groups"]}


def _part(tensors: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}


def _digest(tensors: Mapping[str, Tensor], text: str) -> str:
    digest = hashlib.sha256(text.encode())
    for name in sorted(tensors):
        digest.update(f"{name} {tensors[name].dtype} {tuple(tensors[name].shape)}".encode())
        digest.update(tensors[name].reshape(-1).view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()
