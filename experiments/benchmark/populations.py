"""Populations to train in: the arms of the study of training for the unknown, and the exploiter that one of them meets.

Every arm is a run of the small network from the same weights, with the same budget (configs/small-network.toml). The
exploiter is a best response to the arm `population` in both roles; it plays in its arm in the place of the learner's
past (Vinyals et al., "Grandmaster level in StarCraft II using multi-agent reinforcement learning", Nature 2019). In the
prioritised arm the opponents of the population that win more are met more often (training/priorities.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from saboteur_env.core.extras import extra

with extra("train"):
    from ..training.config import RunConfig, load_config
    from ..training.train_ppo import train

NO_OPPONENTS = [f"opponents.{share}=0.0" for share in ("miners", "saboteurs", "mixed", "seat")]
ARM_DECISIONS = 4_000_000
POPULATION = "population"  # the arm of the shipped weights
EXPLOITERS, EXPLOITER = "exploiters", "exploiter"  # the arm, and whom it meets
PRIORITISED = "prioritised"  # the arm in which those that win more are met more often
POPULATIONS: dict[str, list[str]] = {
    "family": ['opponents.pool=["scripted", "patient", "two-faced"]', "opponents.drawn=0"],
    POPULATION: [],
    EXPLOITERS: [],
    PRIORITISED: ["opponents.priority=2.0"],
}
CHANGES = {
    **POPULATIONS,
    EXPLOITER: [*NO_OPPONENTS, "opponents.drawn=0", "league.miners=0.5", "league.saboteurs=0.5"],
}


def runs_of(arms: Iterable[str]) -> list[str]:
    """The runs that arms need, in the order in which they are trained.

    Raises: ValueError for an arm there is not.
    """
    arms = list(arms)
    if unknown := set(arms) - set(POPULATIONS):
        raise ValueError(f"there is no arm {', '.join(sorted(unknown))}; there are {', '.join(POPULATIONS)}")
    needed = [run for arm in arms for run in ([POPULATION, EXPLOITER, arm] if arm == EXPLOITERS else [arm])]
    return [*dict.fromkeys(needed)]


def config_of(name: str, runs: Path, changes: Sequence[str] = ()) -> RunConfig:
    """A training run.

    Args:
        name: of an arm, or of the exploiter.
        runs: the folder of all runs.
        changes: of the config.
    """
    met = {EXPLOITER: POPULATION, EXPLOITERS: EXPLOITER}.get(name)
    frozen = (runs / met / "weights.safetensors").as_posix() if met else ""
    return load_config(
        "small-network", [*CHANGES[name], "evaluation.interval=0", f'league.frozen="{frozen}"', *changes]
    )


def train_arms(
    arms: Iterable[str],
    runs: Path,
    decisions: int,
    changes: Sequence[str] = (),
    progress: Callable[[str, int], object] = lambda name, done: None,
) -> dict[str, Path]:
    """Train arms, or what is left of them; the exploiter has a fifth of their budget.

    Args:
        runs: keeps a folder for each run.
        changes: of the config, for all of them.
        progress: called with the name of a run and the decisions it has made.

    Returns: the weights of each arm.

    Raises: ValueError as `runs_of`, and where a folder holds a run with other settings.
    """
    arms, trained = list(arms), {}
    for name in runs_of(arms):
        budget = decisions // 5 if name == EXPLOITER else decisions
        trained[name] = train_arm(name, runs / name, budget, changes, progress)
    return {name: trained[name] for name in arms}


def train_arm(
    name: str, folder: Path, decisions: int, changes: Sequence[str], progress: Callable[[str, int], object]
) -> Path:
    """Train an arm, or the exploiter; returns its weights.

    Args:
        folder: of the run; those of the others lie beside it.
        changes, progress: as of `train_arms`.
    """
    config = config_of(name, folder.parent, [f"decisions={decisions}", *changes])
    train(config, folder, "cpu", progress=lambda done, _: progress(name, done))
    progress(name, decisions)
    return folder / "weights.safetensors"
