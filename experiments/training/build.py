"""Build the parts of a training run: its games, its learner, its device."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch.nn.functional import pad

from saboteur_env import game_seed, make_vec
from saboteur_env.agents.learned.network import Network
from saboteur_env.agents.learned.weights import load_network
from saboteur_env.single_agent.sb3 import SaboteurVecEnv

from .baseline import StockPPO
from .config import RunConfig
from .opponents import Snapshots
from .seating import Seating
from .self_play import SelfPlay


def make_learner(config: RunConfig, stage: int, device: torch.device) -> SelfPlay | StockPPO:
    """A new learner at a stage of the curriculum.

    Raises: ValueError for weights to begin from that cannot be used.
    """
    if config.stock:
        return StockPPO(_columns(config, stage), config.network.width, config.learning, config.seed, device)
    vec, seating = make_games(config, stage, Snapshots(config.league))
    learner = SelfPlay(vec, seating, config.network, config.learning, config.seed, device)
    if config.init_from:
        _init_from(learner.network, config.init_from, config.logit_scale)
    return learner


def _init_from(network: Network, path: str, logit_scale: float) -> None:
    there = load_network(path)[0]
    like = replace(there.config, suspects=network.config.suspects)
    fits = {"window": there.window, "history": there.history, "config": like}
    for name, value in fits.items():
        if getattr(network, name) != value:
            raise ValueError(f"{path} has {name} {value}, this run {getattr(network, name)}")
    weights = there.state_dict()
    more = network.seats.first.in_features - there.seats.first.in_features
    weights["seats.first.weight"] = pad(weights["seats.first.weight"], (0, more))  # new beliefs mean nothing yet
    weights |= {
        name: logit_scale * weights[name] for name in ("query.weight", "query.bias")
    }  # logits are linear in them
    network.load_state_dict(weights)


def _columns(config: RunConfig, stage: int) -> SaboteurVecEnv:
    settings, (opponent, *_) = config.settings_of(config.curriculum[stage]), config.opponents.pool
    seed, threads = game_seed(config.seed, stage), config.threads or None
    return SaboteurVecEnv(config.games, _players(config), opponent, seed, threads, settings)


def _players(config: RunConfig) -> list[int]:
    return [config.players[i % len(config.players)] for i in range(config.games)]


def make_games(config: RunConfig, stage: int, snapshots: Snapshots) -> tuple[Any, Seating]:
    """The games of a stage, and who sits at them."""
    settings, seed = config.settings_of(config.curriculum[stage]), game_seed(config.seed, stage)
    vec = make_vec(config.games, _players(config), seed, config.threads or None, mask=None, settings=settings)
    return vec, Seating(config.opponents, vec, np.random.default_rng([config.seed, stage]), snapshots)


def device_of(name: str) -> torch.device:
    """The device of a name; `auto` is CUDA where there is one. Raises: ValueError where there is no such device."""
    try:
        device = torch.device(("cuda" if torch.cuda.is_available() else "cpu") if name == "auto" else name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise ValueError(f"there is no device {name!r} here: {error}") from None
    return device
