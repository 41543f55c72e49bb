"""Speed of training: decisions per second, and the environment's share, for stock MaskablePPO and two self-plays.

Stock MaskablePPO over the native VecEnv learns for one seat, and scores and stores every action. Self-play
(self_play.py) learns for all seats, from legal actions only, with the default network or the small one. All play the
full game of five players, against scripted dwarfs or themselves, in turn, on one thread of torch. Run as
``saboteur-env study trainer-speed`` (needs the extra ``train``).
"""

from __future__ import annotations

from statistics import median

from saboteur_env.core.extras import extra

with extra("train"):
    import torch

    from ..training.build import device_of, make_learner
    from ..training.config import RunConfig, load_config
    from .learner import share_of_training

STUDY = "trainer-speed"


def share_of_self_play(config: RunConfig, rollouts: int, device: str = "auto") -> tuple[float, float]:
    """The environment's part of the time, and decisions a second, of so many rollouts after a first."""
    learner = make_learner(config, len(config.curriculum) - 1, device_of(device))
    measured = []
    for _ in range(1 + rollouts):
        learner.collect()
        measured.append(learner.update(1.0))
    shares, speeds = (
        [item[f"time/{name}"] for item in measured[1:]] for name in ("environment_share", "decisions_a_second")
    )
    return median(shares), median(speeds)


def compare(runs: int = 2, rollouts: int = 1) -> dict[str, list[tuple[float, float]]]:
    """(Environment's share, decisions a second) of each case, run by run in turn."""
    configs = {
        "self-play, all seats": load_config("default", ["players=[5]", "games=128"]),
        "small network": load_config("small-network", ["players=[5]"]),
    }
    result: dict[str, list[tuple[float, float]]] = {"stock, one seat": [], **{name: [] for name in configs}}
    for _ in range(runs):
        result["stock, one seat"].append(share_of_training(rollouts, games=64, n_steps=32))
        for name, config in configs.items():
            result[name].append(share_of_self_play(config, rollouts))
    return result


def main() -> None:
    """Measure how fast each trainer learns, and the environment's share of the time."""
    torch.set_num_threads(1)
    speeds = {}
    for name, pairs in compare().items():
        share, speeds[name] = (median(values) for values in zip(*pairs, strict=True))
        print(f"{name:>22}: {speeds[name]:8,.0f} decisions a second, {share:.1%} of the time in the environment")
    stock, *ours = speeds.values()
    print(f"{'by stock':>22}: {', '.join(f'{speed / stock:.1f}' for speed in ours)}")
