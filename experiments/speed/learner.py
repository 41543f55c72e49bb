"""Speed for a learner: decisions per second, and the environment's share of the training time.

Five players, the others scripted. The study times the batch through its single-agent environments, and Gymnasium's
`SyncVectorEnv` over the PettingZoo environment, in turn. Run as ``saboteur-env study learner-speed`` (needs the extra
``sb3``).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import saboteur_env
from saboteur_env.agents.scripted.agent import KernelAgent
from saboteur_env.batch.opponents import random_keys
from saboteur_env.core.extras import extra

STUDY = "learner-speed"


class AecSeat(gymnasium.Env[Any, np.int64]):
    """Seat 0 of the PettingZoo environment, all others played by one dwarf, as anyone would write it.

    The same matches, move by move, as those of the batch for the same seeds: its slow reference. But a dwarf of
    this environment cannot leave the window, where those inside a batch may; there it takes the last legal action.

    Args:
        opponent: a preset dwarf.
        keywords: settings of the environment.
    """

    def __init__(self, opponent: str = "scripted", **keywords: Any) -> None:
        self.aec = saboteur_env.env(**keywords)
        self.observation_space = self.aec.settings.observations.flat_space()
        self.action_space = self.aec.action_space("dwarf_0")
        self._dwarf = KernelAgent(opponent)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin the match of `Game(seed=seed)`, or of a seed drawn by `np_random`."""
        super().reset(seed=seed)
        self._match = int(self.np_random.integers(1 << 63)) if seed is None else seed
        self.aec.reset(seed=self._match)
        self._let_others_play()
        if self.aec.terminations["dwarf_0"]:
            return self.reset()
        observation, _, _, _, info = self._last()
        return observation, info

    def step(self, action: int | np.int64) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take an action; the others follow."""
        self.aec.step(int(action))
        self._let_others_play()
        return self._last()

    def _last(self) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        seen, reward, over, cut, info = self.aec.last()
        return seen["observation"], float(reward), over, cut, {**info, "action_mask": seen["action_mask"]}

    def _let_others_play(self) -> None:
        aec, actions = self.aec, self.aec.settings.actions
        while aec.agent_selection != "dwarf_0" and not aec.terminations["dwarf_0"]:
            seat = aec.possible_agents.index(aec.agent_selection)
            view = aec.game.view(seat)
            random_key = random_keys(
                np.uint64(self._match), int(view.public.round_number), int(view.public.event_count)
            )
            action = actions.number(self._dwarf.act(view, int(random_key)), seat, aec.settings.players)
            aec.step(action if action >= 0 else int(np.flatnonzero(aec.last()[0]["action_mask"])[-1]))


def native(games: int = 256, opponents: str = "scripted") -> Callable[[], int]:
    """A random step, masks fetched, of the door to stable-baselines3."""
    from saboteur_env.single_agent.sb3 import SaboteurVecEnv

    env, rng = SaboteurVecEnv(games, players=5, opponents=opponents, seed=1, threads=1), np.random.default_rng(1)
    env.reset()

    def step() -> int:
        env.env_method("action_masks")
        env.step(env.games.vec.sample(int(rng.integers(1 << 63))))
        return games

    return step


def sync(games: int = 8) -> Callable[[], int]:
    """A random step of Gymnasium's vector environment over `AecSeat`."""
    env = SyncVectorEnv([lambda: AecSeat(players=5)] * games, autoreset_mode=AutoresetMode.SAME_STEP)
    rng, (_, infos) = np.random.default_rng(1), env.reset(seed=1)

    def step() -> int:
        nonlocal infos
        infos = env.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]]))[-1]
        return games

    return step


def decisions_a_second(step: Callable[[], int], seconds: float) -> float:
    """Learner decisions a second."""
    result, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        result += step()
    return result / (time.perf_counter() - began)


def compare(seconds: float = 2.0, runs: int = 5) -> dict[str, list[float]]:
    """Learner decisions a second of each case, run by run in turn."""
    steps = {"native VecEnv, 256 games": native(), "SyncVectorEnv over the AEC environment, 8 games": sync()}
    for step in steps.values():
        step()  # compiles
    speeds: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(runs):
        for name, step in steps.items():
            speeds[name].append(decisions_a_second(step, seconds))
    return speeds


def among_learned(seconds: float = 10.0) -> float:
    """Learner decisions for each CPU second among learned opponents, `ppo`, on one core."""
    with extra("learned"):
        import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    step = native(opponents="ppo")
    step()
    decisions, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        decisions += step()
    torch.set_num_threads(threads)
    return decisions / (time.process_time() - began)


def share_of_training(rollouts: int = 3, games: int = 256, n_steps: int = 32, **keywords: Any) -> tuple[float, float]:
    """MaskablePPO, defaults but for its batches: the environment's part of the time, and decisions a second."""
    with extra("sb3"):
        from sb3_contrib import MaskablePPO

    from saboteur_env.single_agent.sb3 import SaboteurVecEnv

    env = SaboteurVecEnv(games, players=5, seed=1, **keywords)
    model = MaskablePPO("MlpPolicy", env, n_steps=n_steps, batch_size=1024, seed=1, device="cpu")
    model.learn(games * n_steps)  # compiles, fills buffers
    spent = [_timed(env, name) for name in ("step_wait", "env_method")]
    began = time.perf_counter()
    model.learn(rollouts * games * n_steps)
    whole = time.perf_counter() - began
    return sum(map(sum, spent)) / whole, rollouts * games * n_steps / whole


def _timed(env: Any, name: str) -> list[float]:
    method, spent = getattr(env, name), [0.0]

    def measured(*args: Any, **keywords: Any) -> Any:
        began = time.perf_counter()
        result = method(*args, **keywords)
        spent[0] += time.perf_counter() - began
        return result

    setattr(env, name, measured)
    return spent


def main() -> None:
    """Measure how fast a learner collects decisions in each environment, and the environment's share of the time."""
    result = compare()
    for name, speeds in result.items():
        print(f"{name:>48}: {median(speeds):10,.0f} learner decisions a second (median of {len(speeds)} runs)")
    ratios = [ours / theirs for ours, theirs in zip(*result.values(), strict=True)]
    print(f"{'ratio':>48}: {median(ratios):10.1f} (median, run by run)")
    print(f"{'among learned opponents (ppo), one core':>48}: {among_learned():10,.0f} learner decisions a CPU second")
    share, speed = share_of_training()
    print(f"{'MaskablePPO':>48}: {speed:10,.0f} decisions a second, {share:.1%} of the time in the environment")
