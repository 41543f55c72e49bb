"""The PettingZoo loop of this environment beside `connect_four_v3`, in turn, with the same sampler.

Run as ``python -m experiments.aec_speed`` (needs PettingZoo's ``classic`` extra for the comparison).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np


def moves_a_second(make: Callable[[], Any], moves: int, seed: int = 0) -> float:
    """Random masked moves a second through `last` and `step`, whole matches, until `moves` are made."""
    env, rng, made = make(), np.random.default_rng(seed), 0
    env.reset(seed=seed)
    began = time.perf_counter()
    while made < moves:
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = observation["action_mask"].view(bool).nonzero()[0]
            env.step(int(legal[int(rng.random() * len(legal))]))
            made += 1
    return made / (time.perf_counter() - began)


def compare(moves: int = 20_000, runs: int = 5) -> dict[str, list[float]]:
    """Moves a second of each environment, run by run in turn."""
    import saboteur_env

    makers: dict[str, Callable[[], Any]] = {"saboteur_env, 5 players": lambda: saboteur_env.env(players=5)}
    try:
        from pettingzoo.classic import connect_four_v3

        makers["connect_four_v3"] = connect_four_v3.env
    except ImportError as error:
        print(f"connect_four_v3 is missing: {error}")
    for make in makers.values():
        moves_a_second(make, 500)  # compiles, loads
    speeds: dict[str, list[float]] = {name: [] for name in makers}
    for run in range(runs):
        for name, make in makers.items():
            speeds[name].append(moves_a_second(make, moves if "saboteur" in name else moves // 5, run))
    return speeds


if __name__ == "__main__":
    found = compare()
    for name, speeds in found.items():
        print(f"{name:>24}: {median(speeds):10,.0f} moves a second (median of {len(speeds)} runs)")
    ratios = [ours / theirs for ours, theirs in zip(*found.values(), strict=True)] if len(found) == 2 else []
    if ratios:
        print(f"{'ratio':>24}: {median(ratios):10.1f} (median, run by run)")
