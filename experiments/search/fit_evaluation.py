"""Fit the evaluation that ends rollouts of the search agent (agents/search/evaluation.py).

Scripted dwarfs play rounds with all numbers of players and some random moves. Positions are sampled from these rounds,
each with the side that won. A network with one hidden layer is fitted by maximum likelihood (Adam), and evaluated on
other rounds.

Run as ``saboteur-env study fit-evaluation`` (extra `learned`, for torch).
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import typer

from saboteur_env.agents.scripted.policy import WORKSPACE, Workspace
from saboteur_env.agents.scripted.presets import DWARFS, number_of
from saboteur_env.agents.scripted.select import choose
from saboteur_env.agents.search.evaluation import FEATURES, FITTED_NET, describe
from saboteur_env.core import prng
from saboteur_env.core.compiled.jit import ZERO, kernel
from saboteur_env.core.compiled.memory import record_dtype
from saboteur_env.core.extras import extra
from saboteur_env.core.seeds import Purpose, deal_seed
from saboteur_env.engine.deal import start_match
from saboteur_env.engine.editions import PLAYERS, Rules
from saboteur_env.engine.play import play_unchecked
from saboteur_env.engine.state import MINERS, RUNNING, State, blank, to_move

from ..common.options import Seed
from ..common.report import write_text

STUDY = "fit-evaluation"

Floats = npt.NDArray[np.float64]

SAMPLES = 8  # positions of a round
HIDDEN_UNITS = 24

# A position, and whether the miners won its round; all zero where none was drawn.
SAMPLE = record_dtype(("features", "f8", len(FEATURES)), ("won", "f8"))


@kernel
def _sample(game: State, seeds: Any, dwarfs: Any, random_share: float, scratch: Workspace, samples: Any) -> None:
    # Positions drawn evenly from each round (reservoir sampling), and whether the miners won it.
    public = game.public
    for match in range(len(seeds)):
        start_match(game, seeds[match])
        turn, first = 0, match * SAMPLES
        while public.winner == RUNNING:
            index = turn
            if turn >= SAMPLES:
                index = prng.below(prng.key(seeds[match], prng.SAMPLED, turn), ZERO, turn + 1)[0]
            if index < SAMPLES:
                describe(game, scratch.scratch, samples[first + index].features)
            random_key = prng.key(seeds[match], prng.RANDOM_MOVES, turn)
            dwarf = 0 if prng.below(random_key, ZERO, 1000)[0] < 1000 * random_share else 1
            play_unchecked(game, choose(dwarfs[dwarf], to_move(game), random_key, scratch))
            turn += 1
        for index in range(SAMPLES):
            samples[first + index].won = np.float64(public.winner == MINERS)


def sample(dwarf: str, rounds: int, random_share: float, seed: int, purpose: Purpose) -> tuple[Floats, Floats]:
    """Positions and how they ended: float64[positions, features], float64[positions]."""
    dwarfs, scratches = DWARFS[[number_of("random"), number_of(dwarf)]], np.zeros(1, WORKSPACE)
    features, results = [], []
    for players in PLAYERS:
        game = blank()
        Rules.make(players, rounds=1).write(game[0].public.rules)
        seeds = np.array([deal_seed(seed, purpose, i, players) for i in range(rounds)], np.uint64)
        samples = np.zeros(rounds * SAMPLES, SAMPLE)
        _sample(game[0], seeds, dwarfs, random_share, scratches[0], samples)
        filled = samples[samples["features"].any(axis=1)]  # a round of few turns leaves places free
        features.append(filled["features"])
        results.append(filled["won"])
    return np.concatenate(features), np.concatenate(results)


def fit(features: Floats, won: Floats, epochs: int, seed: int) -> Any:
    """The network that finds these results likeliest, as a torch module.

    Args:
        features: float64[n, features]; won: float64[n], 1 where the miners won and 0 elsewhere.
    """
    with extra("learned"):
        torch: Any = import_module("torch")
    torch.manual_seed(seed)
    model = torch.nn.Sequential(
        torch.nn.Linear(len(FEATURES), HIDDEN_UNITS), torch.nn.ReLU(), torch.nn.Linear(HIDDEN_UNITS, 1)
    )
    optimizer = torch.optim.Adam(model.parameters(), 3e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    x, y = torch.tensor(features, dtype=torch.float32), torch.tensor(won, dtype=torch.float32)
    for _ in range(epochs):
        for batch in torch.randperm(len(x)).split(4096):
            loss = torch.nn.functional.binary_cross_entropy_with_logits(model(x[batch])[:, 0], y[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        schedule.step()
    return model


def log_loss(model: Any, features: Floats, won: Floats) -> float:
    """Nats a position.

    Args:
        model: a torch module; features: float64[n, features]; won: float64[n], 1 where the miners won and 0 elsewhere.
    """
    import torch

    with torch.no_grad():
        logits = model(torch.tensor(features, dtype=torch.float32))[:, 0]
        return float(
            torch.nn.functional.binary_cross_entropy_with_logits(logits, torch.tensor(won, dtype=torch.float32))
        )


def main(
    dwarf: Annotated[str, typer.Option(help="The dwarf that plays the rounds.")] = "scripted",
    rounds: Annotated[int, typer.Option(min=10, help="Rounds for each number of players.")] = 20_000,
    random_share: Annotated[float, typer.Option(min=0, max=1, help="The share of random moves.")] = 0.05,
    epochs: Annotated[int, typer.Option(min=1)] = 20,
    seed: Seed = 0,
    out: Annotated[Path, typer.Option(help="File to write the weights to.")] = FITTED_NET,
) -> None:
    """Fit the evaluation with which the search agent ends its rollouts.

    Samples rounds, fits, judges on other rounds and writes the weights.
    """
    features, won = sample(dwarf, rounds, random_share, seed, Purpose.LEARNING)
    model = fit(features, won, epochs, seed)
    unseen, unseen_won = sample(dwarf, max(rounds // 10, 10), random_share, seed, Purpose.HELD_OUT)
    loss, share = log_loss(model, unseen, unseen_won), float(np.mean(won))
    constant = -(share * np.log(share) + (1 - share) * np.log(1 - share))
    hidden, output = model[0], model[2]
    names = ("hidden", "hidden_bias", "out", "out_bias")
    values = (hidden.weight, hidden.bias, output.weight[0], output.bias)
    weights = {
        name: np.round(value.detach().double().numpy(), 4).tolist() for name, value in zip(names, values, strict=True)
    }
    text = json.dumps({"features": list(FEATURES), "log_loss": round(loss, 4), **weights})
    write_text(out, text + "\n")
    print(f"log loss on unseen rounds: {loss:.4f}; of a constant: {constant:.4f}")
