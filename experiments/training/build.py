"""Build the parts of a training run: its games, its learner, its device."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import pad

from saboteur_env import game_seed, make_vec
from saboteur_env.agents.beliefs.action_model_file import digest_of
from saboteur_env.agents.learned.network import Network, NetworkConfig
from saboteur_env.agents.learned.weights import load_network
from saboteur_env.agents.matches.embedded import embedded_dwarfs
from saboteur_env.agents.scripted.small_network import load_network as load_small_network
from saboteur_env.single_agent.sb3 import SaboteurVecEnv

from ..common.drawn_characters import drawn_characters
from .baseline import StockPPO
from .config import RunConfig, weights_file
from .opponents import Snapshots
from .seating import Seating
from .self_play import SelfPlay
from .small.network import SmallNetwork
from .small.self_play import SmallSelfPlay


def make_learner(config: RunConfig, stage: int, device: torch.device) -> SelfPlay | StockPPO:
    """A new learner at a stage of the curriculum.

    Raises: ValueError for weights to begin from that cannot be used.
    """
    if config.stock:
        return StockPPO(_columns(config, stage), config.network.width, config.learning, config.seed, device)
    if config.small:
        return _small_learner(config, stage, device)
    vec, seating = make_games(config, stage, _snapshots(config, device))
    learner = SelfPlay(vec, seating, config.network, config.learning, config.seed, device)
    if config.init_from:
        _init_from(learner.network, config.first_weights, config.logit_scale)
    return learner


def _small_learner(config: RunConfig, stage: int, device: torch.device) -> SmallSelfPlay:
    snapshots = Snapshots(config.league)
    if config.league.frozen:
        frozen = SmallNetwork()
        frozen.read(weights_file(config.league.frozen))
        snapshots.freeze(frozen)
    vec, seating = make_games(config, stage, snapshots)
    learner = SmallSelfPlay(vec, seating, config.network, config.learning, config.seed, device)
    if config.init_from:
        learner.network.read(config.first_weights, config.logit_scale)
    return learner


def first_card(config: RunConfig) -> dict[str, Any]:
    """What the weights to begin from say of themselves.

    Raises: ValueError for weights that cannot be read.
    """
    return (load_small_network if config.small else load_network)(config.first_weights)[1]


DRAWN_STREAM = 1_000_000  # of the random numbers that draw characters; stages have the smaller ones


def _snapshots(config: RunConfig, device: torch.device) -> Snapshots:
    snapshots = Snapshots(config.league)
    if config.league.frozen:
        path = weights_file(config.league.frozen)
        network, card = load_network(path)
        settings = config.settings_of(config.curriculum[0])
        _check_fit(network, path, settings.window, settings.history, config.network)
        if card["action_model"] not in (None, digest_of(config.learning.action_model)):
            raise ValueError(f"{path} was trained with another action model than {config.learning.action_model}")
        network.load_state_dict(_scaled(network.state_dict(), 1 / card["temperature"]))
        snapshots.freeze(network.to(device))
    return snapshots


def _check_fit(network: Network, path: str, window: str, history: int, config: NetworkConfig) -> None:
    for name, value in (("window", window), ("history", history), ("config", config)):
        if getattr(network, name) != value:
            raise ValueError(f"{path} has {name} {getattr(network, name)}, this run {value}")


def _scaled(weights: dict[str, Tensor], logit_scale: float) -> dict[str, Tensor]:
    # Logits are linear in these.
    return weights | {name: logit_scale * weights[name] for name in ("query.weight", "query.bias")}


def _init_from(network: Network, path: str, logit_scale: float) -> None:
    there = load_network(path)[0]
    config = replace(network.config, suspects=there.config.suspects)
    _check_fit(there, path, network.window, network.history, config)
    weights = there.state_dict()
    more = network.seats.first.in_features - there.seats.first.in_features
    weights["seats.first.weight"] = pad(weights["seats.first.weight"], (0, more))  # new beliefs mean nothing yet
    network.load_state_dict(_scaled(weights, logit_scale))


def _columns(config: RunConfig, stage: int) -> SaboteurVecEnv:
    settings, opponents = config.settings_of(config.curriculum[stage]), [(name, 1) for name in config.opponents.pool]
    seed, threads = game_seed(config.seed, stage), config.threads or None
    return SaboteurVecEnv(config.games, _players(config), opponents, seed, threads, settings)


def _players(config: RunConfig) -> list[int]:
    return [config.players[i % len(config.players)] for i in range(config.games)]


def make_games(config: RunConfig, stage: int, snapshots: Snapshots) -> tuple[Any, Seating]:
    """The games of a stage, and who sits at them."""
    settings, seed = config.settings_of(config.curriculum[stage]), game_seed(config.seed, stage)
    drawn = drawn_characters(config.opponents.drawn, np.random.default_rng([config.seed, DRAWN_STREAM]))
    vec = make_vec(
        config.games,
        _players(config),
        seed,
        config.threads or None,
        mask=None,
        settings=settings,
        opponents=embedded_dwarfs(drawn),
        **({"observations": False, "legal": "moves"} if config.small else {}),
    )
    return vec, Seating(config.opponents, vec, np.random.default_rng([config.seed, stage]), snapshots)


def device_of(name: str) -> torch.device:
    """The device of a name; `auto` is CUDA where there is one. Raises: ValueError where there is no such device."""
    try:
        device = torch.device(("cuda" if torch.cuda.is_available() else "cpu") if name == "auto" else name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise ValueError(f"there is no device {name!r} here: {error}") from None
    return device
