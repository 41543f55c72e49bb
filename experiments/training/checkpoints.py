"""A training run as one file from which it goes on to the same curve: weights, optimiser, league, games, all chance.

The file is safetensors with a JSON part and a digest of everything; reading it executes nothing. It is written whole
or not at all, so that a killed run loses at most what came after the last one.
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

from ..common.report import write_atomically

FORMAT = "saboteur-checkpoint/3"


class Learner(Protocol):
    """What is to go on: MaskablePPO for self-play (self_play.py), or stock (baseline.py)."""

    policy: Any
    device: torch.device
    num_timesteps: int
    _n_updates: int

    @property
    def network(self) -> nn.Module:
        """What learns."""

    @property
    def batch(self) -> Any:
        """The games."""

    def kept(self) -> tuple[dict[str, Tensor], dict[str, Any]]:
        """What it goes on from, besides weights, optimiser, games and torch's chance: tensors, and JSON data."""

    def go_on(self, tensors: Mapping[str, Tensor], told: Mapping[str, Any]) -> None:
        """Go on from what was kept. Requires: the games are those of then."""


def write_checkpoint(path: Path, model: Learner, told: Mapping[str, Any]) -> Path:
    """Keep a run as it is between two rollouts.

    Args:
        told: what else is to come back, as JSON data.
    """
    own, facts = model.kept()
    tensors = _tensors(model) | {name: tensor.detach().cpu().contiguous() for name, tensor in own.items()}
    data = {
        "format": FORMAT,
        "versions": VERSIONS,
        "counters": {"decisions": model.num_timesteps, "updates": model._n_updates},
        "batch_seed": model.batch.seed,
        "learner": facts,
        **told,
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
        raise ValueError(f"{path} is no whole checkpoint: it is damaged, or another kind of file")
    data = read_json(text, f"checkpoint {path}")
    told = data if isinstance(data, dict) else {}
    if (told.get("format"), told.get("versions")) != (FORMAT, VERSIONS):
        there = f"{shown(told.get('format'))} {shown(told.get('versions'))}"
        raise ValueError(f"{path} is a checkpoint of {there}; this library has {FORMAT} {VERSIONS}")
    return tensors, data


def restore(model: Learner, tensors: Mapping[str, Tensor], data: Mapping[str, Any]) -> None:
    """Put a model, made with the same settings, where the checkpoint was written."""
    model.network.load_state_dict(_part(tensors, "network."))
    model.policy.optimizer.load_state_dict(_optimizer_state(model, tensors))
    vec = model.batch
    vec.seed = data["batch_seed"]
    vec.restore(*(_unpacked(tensors[name], getattr(vec, name).dtype) for name in ("records", "results")))
    model.go_on(tensors, data["learner"])
    model.num_timesteps, model._n_updates = data["counters"]["decisions"], data["counters"]["updates"]
    torch.set_rng_state(tensors["chance.cpu"])
    if model.device.type == "cuda" and "chance.cuda" in tensors:
        torch.cuda.set_rng_state(tensors["chance.cuda"], model.device)


def _tensors(model: Learner) -> dict[str, Tensor]:
    found = {f"network.{name}": tensor for name, tensor in model.network.state_dict().items()}
    for number, state in model.policy.optimizer.state_dict()["state"].items():
        found |= {f"optimizer.{number}.{name}": tensor for name, tensor in state.items()}
    for name in ("records", "results"):
        found[name] = torch.frombuffer(bytearray(zlib.compress(getattr(model.batch, name), 1)), dtype=torch.uint8)
    found["chance.cpu"] = torch.get_rng_state()
    if model.device.type == "cuda":
        found["chance.cuda"] = torch.cuda.get_rng_state(model.device)
    return {name: tensor.detach().cpu().contiguous() for name, tensor in found.items()}


def _unpacked(packed: Tensor, kind: np.dtype[Any]) -> Any:
    return np.frombuffer(zlib.decompress(packed.numpy().tobytes()), kind)


def _optimizer_state(model: Learner, tensors: Mapping[str, Tensor]) -> dict[str, Any]:
    # Moments lie in memory as their weights do, which fused steps take for granted.
    states: dict[int, dict[str, Tensor]] = {}
    weights = list(model.policy.parameters())
    for name, tensor in _part(tensors, "optimizer.").items():
        number, _, part = name.partition(".")
        like = weights[int(number)].detach()
        states.setdefault(int(number), {})[part] = tensor if part == "step" else torch.empty_like(like).copy_(tensor)
    return {"state": states, "param_groups": model.policy.optimizer.state_dict()["param_groups"]}


def _part(tensors: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}


def _digest(tensors: Mapping[str, Tensor], text: str) -> str:
    digest = hashlib.sha256(text.encode())
    for name in sorted(tensors):
        digest.update(f"{name} {tensors[name].dtype} {tuple(tensors[name].shape)}".encode())
        digest.update(tensors[name].reshape(-1).view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()
