"""Fit the role network (agents/beliefs/role_network.py) on the rounds of a population (role_tables.py).

The loss is the cross-entropy of the posterior over worlds, so the network is fitted through the filter that reads it.
The best weights and the temperature are chosen on other deals and other characters. No held-out character is met.

Run as ``saboteur-env study fit-role-network`` (needs the extra ``learned``).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import typer
from scipy.optimize import minimize_scalar

from saboteur_env.core.extras import extra

with extra("learned"):
    import torch
    from torch import Tensor

from saboteur_env.agents.beliefs.action_model_file import digest_of
from saboteur_env.agents.beliefs.role_inputs import N_POPULATIONS, SEAT_ROW, SEAT_ROWS, ReadModels
from saboteur_env.agents.beliefs.role_network import (
    MOST_LOG_ODDS,
    ROLE_NETWORK,
    ROLE_WIDTH,
    SHIPPED_ROLE_NETWORK,
    log_odds,
    network_bytes,
)
from saboteur_env.core.seeds import Purpose
from saboteur_env.terminal import report_files

from ..common.options import Seed
from ..common.report import write_atomically
from .calibration import log_loss
from .role_rounds import Positions, believed, others, role_sets
from .role_tables import population

STUDY = "fit-role-network"

Weights = npt.NDArray[np.void]
Data = dict[int, Positions]  # by number of players

WARM_UP = 100  # steps in which the rate rises
FOLLOWING = 0.005  # how far the mean of the weights moves to those of each step
DROPPED_EVIDENCE = (
    0.1  # how often the evidence of an action model is hidden, so that the network is not led by it alone
)
LOOKS = 8  # how often the weights are looked at on other deals
DECAY = 0.01


@dataclass(frozen=True)
class Study:
    """The settings. The same give the same weights on the same machine.

    Attributes:
        tables: to fit on, four rounds each (role_tables.py).
        chosen_on: other tables, with other characters, that weights and temperature are chosen on.
        steps, batch_size, learning_rate: of AdamW; the rate rises, and falls to a fiftieth.
        learned: dwarfs by name that play in kernels, besides those of the package.
    """

    tables: int = 40_000
    chosen_on: int = 3_000
    steps: int = 10_000
    batch_size: int = 512
    learning_rate: float = 2e-3
    seed: int = 0
    learned: tuple[str, ...] = ()

    def data(self, tables: int, purpose: Purpose) -> Data:
        """The positions of drawn tables."""
        parts: dict[int, list[Positions]] = {}
        for _, part in population(tables, purpose, self.seed, self.learned):
            seats = part.seats.astype(np.float16)
            parts.setdefault(part.saboteur.shape[1], []).append(part._replace(seats=seats))
        return {players: Positions(*map(np.concatenate, zip(*each, strict=True))) for players, each in parts.items()}


class Network(torch.nn.Module):
    """The role network, to be fitted. It begins as the doubting action model."""

    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Linear(len(SEAT_ROWS), ROLE_WIDTH)
        self.inner, self.last = (torch.nn.Linear(3 * ROLE_WIDTH, ROLE_WIDTH) for _ in range(2))
        self.out = torch.nn.Linear(ROLE_WIDTH, 1, bias=False)
        self.direct = torch.nn.Linear(len(SEAT_ROWS), 1)
        with torch.no_grad():
            self.out.weight *= 0.1
            self.direct.weight *= 0.1
            self.direct.weight[0, SEAT_ROW.doubting] = 3.0

    def forward(self, seats: Tensor) -> Tensor:
        """As `log_odds` of the package: float32[n, players]."""
        hidden = torch.relu(self.first(seats))
        for layer in (self.inner, self.last):
            table = hidden.mean(1, keepdim=True), hidden.amax(1, keepdim=True)
            hidden = torch.relu(layer(torch.cat([hidden, *(item.expand_as(hidden) for item in table)], -1)))
        return (self.out(hidden) + self.direct(seats)).squeeze(-1).clamp(-MOST_LOG_ODDS, MOST_LOG_ODDS)

    def weights(self, temperature: float = 1.0) -> Weights:
        """The weights as the package reads them, ROLE_NETWORK[1].

        Args:
            temperature: by which all log odds are divided.
        """
        result, scale = np.zeros(1, ROLE_NETWORK), 1 / temperature
        for name in ("first", "inner", "last"):
            layer = getattr(self, name)
            result[name], result[f"{name}_bias"] = _numbers(layer.weight.T), _numbers(layer.bias)
        result["out"], result["direct"] = scale * _numbers(self.out.weight[0]), scale * _numbers(self.direct.weight[0])
        result["bias"] = scale * _numbers(self.direct.bias)
        return result


def _numbers(tensor: Tensor) -> npt.NDArray[np.float32]:
    result: npt.NDArray[np.float32] = tensor.detach().numpy()
    return result


def fit(study: Study) -> tuple[Weights, dict[str, Any]]:
    """The weights, ROLE_NETWORK[1], and how well they do on the tables they were chosen on, in nats."""
    torch.manual_seed(study.seed)
    data = study.data(study.tables, Purpose.LEARNING)
    other = study.data(study.chosen_on, Purpose.HELD_OUT)
    best = min(_fitted(study, data), key=lambda network: loss_of(network.weights(), other))
    found = minimize_scalar(lambda value: loss_of(best.weights(value), other), bounds=(0.5, 2.0), method="bounded")
    weights = best.weights(float(found.x))
    return weights, {"log_loss": round(float(found.fun), 4), "temperature": round(float(found.x), 3)}


def loss_of(weights: Weights, data: Data) -> float:
    """The mean log loss of the beliefs of the seats to move, in nats."""
    parts = [_said(weights, part) for part in data.values()]
    said, true = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return log_loss(said, true)


def _said(weights: Weights, part: Positions) -> tuple[Any, Any]:
    odds = log_odds(weights[0], part.seats.astype(np.float32))
    mask = others(part)
    return believed(odds, part)[mask], part.saboteur[mask].astype(np.float64)


def _fitted(study: Study, data: Data) -> Iterator[Network]:
    # The mean of the latest weights, now and then.
    network, rng = Network(), np.random.default_rng(study.seed)
    mean = deepcopy(network)
    optimizer = torch.optim.AdamW(network.parameters(), study.learning_rate, weight_decay=DECAY)
    counts, sizes = list(data), np.array([len(part.mover) for part in data.values()], np.float64)
    for step in range(study.steps):
        for group in optimizer.param_groups:
            group["lr"] = study.learning_rate * _rate(step, study.steps)
        part = data[int(rng.choice(counts, p=sizes / sizes.sum()))]
        loss = _loss(network, part, rng.integers(len(part.mover), size=study.batch_size), rng)
        _step(network, optimizer, loss)
        _follow(mean, network)
        if (step + 1) % max(study.steps // LOOKS, 1) == 0:
            yield deepcopy(mean)


def _step(network: Network, optimizer: torch.optim.Optimizer, loss: Tensor) -> None:
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()


def _follow(mean: Network, network: Network) -> None:
    with torch.no_grad():
        for kept, now in zip(mean.parameters(), network.parameters(), strict=True):
            kept.lerp_(now, FOLLOWING)


def _rate(step: int, steps: int) -> float:
    return min(1.0, (step + 1) / WARM_UP) * max(0.02, (1 + math.cos(math.pi * step / steps)) / 2)


def _loss(network: Network, part: Positions, drawn: npt.NDArray[np.int64], rng: np.random.Generator) -> Tensor:
    # Of what an observer drawn at random says of the other seats.
    players, rows = part.saboteur.shape[1], np.arange(len(drawn))
    observer = torch.from_numpy(rng.integers(players, size=len(drawn)))
    saboteur = torch.from_numpy(part.saboteur[drawn].astype(np.float32))
    seats = torch.from_numpy(part.seats[drawn].astype(np.float32) * _shown(len(drawn), rng))
    sets = torch.from_numpy(role_sets(players).astype(np.float32))
    logits = network(seats) @ sets.T
    logits = logits.masked_fill(saboteur[rows, observer][:, None] != sets[:, observer].T, -torch.inf)
    said = (torch.softmax(logits, 1) @ sets).clamp(1e-6, 1 - 1e-6)
    losses = torch.nn.functional.binary_cross_entropy(said, saboteur, reduction="none")
    losses[rows, observer] = 0.0
    return losses.sum() / (len(drawn) * (players - 1))


def _shown(count: int, rng: np.random.Generator) -> npt.NDArray[np.float32]:
    result = np.ones((count, 1, len(SEAT_ROWS)), np.float32)
    for rows in (
        slice(SEAT_ROW.fitted, SEAT_ROW.fitted + 1),
        slice(SEAT_ROW.doubting, SEAT_ROW.doubting + 1),
        slice(SEAT_ROW.populations, SEAT_ROW.populations + N_POPULATIONS),
    ):
        result[rng.random(count) < DROPPED_EVIDENCE, :, rows] = 0.0
    return result


def save(weights: Weights, study: Study, facts: dict[str, Any], path: Path) -> Path:
    """Write a role network with its settings, and the action models that it reads."""
    settings = {**asdict(study), "learned": [Path(name).name for name in study.learned]}
    digests = {name: digest_of(name) for name in ReadModels._fields}
    content = network_bytes(weights, digests, {"study": settings, **facts})
    return write_atomically(path, lambda draft: draft.write_bytes(content))


def _names(text: str) -> Sequence[str]:
    return [name for name in text.split(",") if name]


def main(
    tables: Annotated[int, typer.Option(min=8, help="Tables to fit on, four rounds each.")] = Study.tables,
    chosen_on: Annotated[int, typer.Option(min=8, help="Other tables to choose on.")] = Study.chosen_on,
    steps: Annotated[int, typer.Option(min=1, help="Steps of the fit.")] = Study.steps,
    learned: Annotated[str, typer.Option(help="More learned dwarfs, as ppo-small:FILE, with commas.")] = "",
    seed: Seed = 0,
    out: Annotated[Path, typer.Option(help="Folder for the weights.")] = Path("runs/role_network"),
    keep: Annotated[bool, typer.Option("--keep", help="Make this the role network of the package.")] = False,
) -> None:
    """Fit the role network on the rounds of a population of scripted, drawn, random and learned dwarfs.

    Writes weights.safetensors. `study doubt` evaluates the network of the package.
    """
    study = Study(tables, chosen_on, steps, seed=seed, learned=tuple(_names(learned)))
    weights, facts = fit(study)
    written = [save(weights, study, facts, out / "weights.safetensors")]
    if keep:
        written.append(save(weights, study, facts, SHIPPED_ROLE_NETWORK))
    report_files(written)
