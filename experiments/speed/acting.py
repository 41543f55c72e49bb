"""Time for a move: agents decide on the same views of rounds, in turn, and `ppo` also with torch's forward pass.

Dwarfs in kernels are also timed in whole matches. Run as ``saboteur-env study acting-speed`` (needs the extra
``learned``).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Annotated, Any

import numpy as np
import typer

from saboteur_env import Game
from saboteur_env.agents.learned.ppo import Ppo
from saboteur_env.agents.learned.single import TorchForward
from saboteur_env.agents.matches.kernel_matches import play_matches
from saboteur_env.agents.registry import make_agent
from saboteur_env.agents.scripted.presets import PRESETS, number_of
from saboteur_env.core.seeds import game_seed
from saboteur_env.engine.editions import Rules
from saboteur_env.game.view import View

from ..common.machine import machine

STUDY = "acting-speed"

TORCH = "ppo, forward pass by torch"
MATCHES = 200  # of one round, for the speed in whole matches


def views_of(players: Sequence[int], seed: int = 0) -> list[View]:
    """All views of whoever is to move in a round of scripted dwarfs, for each number of players."""
    dwarf, views = make_agent("scripted"), []
    for count in players:
        game = Game(players=count, seed=game_seed(seed, count), rounds=1)
        while not game.over:
            views.append(game.view(game.seat))
            game.play(dwarf.act(views[-1], len(views)))
    return views


def by_torch() -> Any:
    """`ppo` with torch's forward pass."""
    agent = Ppo()
    agent.forward = TorchForward(agent.network)
    return agent


def seconds_a_move(agents: dict[str, Any], views: Sequence[View], runs: int) -> dict[str, list[float]]:
    """Seconds for a move of each agent, run by run in turn; a first run, which compiles, is not counted."""
    spent: dict[str, list[float]] = {name: [] for name in agents}
    for run in range(runs + 1):
        for name, agent in agents.items():
            began = time.perf_counter()
            for number, view in enumerate(views):
                agent.act(view, number)
            if run:
                spent[name].append((time.perf_counter() - began) / len(views))
    return spent


def decisions_a_second(dwarf: str, players: int, runs: int) -> float:
    """Decisions a second, on one core, of matches in which a preset dwarf has all seats: the median of some runs."""
    number, rules = number_of(dwarf), Rules.make(players, rounds=1)
    seeds = np.array([game_seed(0, i) for i in range(MATCHES)], np.uint64)
    return median(_timed(lambda: play_matches(rules, seeds, number, number)["turns"].sum()) for _ in range(runs + 1))


def _timed(play: Callable[[], Any]) -> float:
    began = time.perf_counter()
    return float(play()) / (time.perf_counter() - began)


def main(
    agents: Annotated[str, typer.Option(help="Agents, by name.")] = "scripted,ppo-small,ppo,search:iterations=100",
    runs: Annotated[int, typer.Option(min=1, help="Runs over all views; the result is their median.")] = 7,
) -> None:
    """Time the moves of agents on views of 3 to 10 players, and of dwarfs in kernels in whole matches."""
    named = {name: make_agent(name) for name in agents.split(",")}
    if "ppo" in named:
        named[TORCH] = by_torch()
    views = views_of(range(3, 11))
    spent = seconds_a_move(named, views, runs)
    print(f"{machine()}; {len(views)} views, median of {runs} runs in turn")
    for name, times in spent.items():
        print(f"{name:>32}: {1e3 * median(times):8.3f} ms a move")
    if TORCH in named:
        ratio = median(torch / ours for torch, ours in zip(spent[TORCH], spent["ppo"], strict=True))
        print(f"{'torch by NumPy':>32}: {ratio:8.2f} (median, run by run)")
    for name in filter(PRESETS.__contains__, named):
        speed = decisions_a_second(name, 5, runs)
        print(f"{name:>32}: {speed:8,.0f} decisions a second in matches of five, one core")
