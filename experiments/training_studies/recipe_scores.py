"""How what a recipe for another library has learned plays: its returns on fresh deals, beside random play on the same.

The names that a recipe leaves behind, such as `actor` or `algorithm`, are those of its text on the page.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from saboteur_env.single_agent.gym_vec import GymVec

Names: TypeAlias = dict[str, Any]
Returns: TypeAlias = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]  # learned and random, by deal
Policy: TypeAlias = Callable[[npt.NDArray[np.int8], npt.NDArray[np.int8]], Any]  # actions from observations and masks
FRESH_DEALS = 7


class Recipe(NamedTuple):
    """A recipe on a page.

    Attributes:
        heading: the line above its block.
        libraries: the distributions whose versions matter.
        returns: of what it learned and of random play, from its names and a number of rounds.
    """

    page: str
    heading: str
    libraries: tuple[str, ...]
    returns: Callable[[Names, int], Returns]


def returns_in_batch(policy_of: Callable[[Names], Policy], names: Names, rounds: int) -> Returns:
    """The returns of the learner in a batch: all miners among random saboteurs, or as the recipe's `vec_env` has it."""
    if "vec_env" in names:
        games = names["vec_env"].games
        table = {"settings": games.settings, "opponents": games.opponents}
    else:
        table = {**names["mine"], "learner": "miners", "opponents": "random"}
    return _played(policy_of(names), rounds, table), _played(_random_policy(), rounds, table)


def _played(policy: Policy, rounds: int, table: dict[str, Any]) -> npt.NDArray[np.float64]:
    env = GymVec(rounds, **table)
    seen, infos = env.reset(seed=FRESH_DEALS)
    total, over = np.zeros(rounds), np.zeros(rounds, np.bool_)
    while not over.all():
        seen, reward, ended, truncated, infos = env.step(np.asarray(policy(seen, infos["action_mask"])))
        total += reward * ~over
        over |= ended | truncated
    env.close()
    return total


def _random_policy() -> Policy:
    rng = np.random.default_rng(1)
    return lambda seen, mask: (rng.random(mask.shape) * mask).argmax(axis=1)


def _drawing(logits: Callable[[Any, Any], Any]) -> Policy:
    # Actions drawn by the logits of all of them.
    rng = np.random.default_rng(1)
    return lambda seen, mask: (np.asarray(logits(seen, mask)) + rng.gumbel(size=mask.shape)).argmax(axis=1)


def _of_sb3(names: Names) -> Policy:
    return lambda seen, mask: names["model"].predict(seen, action_masks=mask)[0]


def _of_rllib(names: Names) -> Policy:
    import torch

    module = names["algorithm"].get_module("miner")

    def logits(seen: Any, mask: Any) -> Any:
        shown = {"observations": torch.as_tensor(seen).float(), "action_mask": torch.as_tensor(mask).float()}
        with torch.no_grad():
            return module.forward_inference({"obs": shown})["action_dist_inputs"]

    return _drawing(logits)


def _of_torchrl(names: Names) -> Policy:
    import torch
    from tensordict import TensorDict

    def act(seen: Any, mask: Any) -> Any:
        shown = {"observation": torch.as_tensor(seen).float(), "action_mask": torch.as_tensor(mask).bool()}
        with torch.no_grad():
            return names["actor"](TensorDict(shown, [len(seen)]))["action"].numpy()

    return act


def _of_jax(names: Names) -> Policy:
    return _drawing(lambda seen, mask: names["network"].apply(names["weights"], seen, mask)[0])


def _of_tianshou(names: Names) -> Policy:
    from tianshou.data import Batch

    policy = names["algorithm"].get_algorithm("dwarf_0").policy
    policy.eval()
    return lambda seen, mask: policy(Batch(obs=Batch(obs=seen, mask=mask.astype(np.bool_)), info=Batch())).act


def _of_agilerl(names: Names) -> Policy:
    return lambda seen, mask: names["agent"].get_action(seen, action_mask=mask)[0]


def _returns_in_openspiel(names: Names, rounds: int) -> Returns:
    game, learned, rng = names["game"], names["solver"].average_policy(), np.random.default_rng(FRESH_DEALS)
    pairs = []
    for _ in range(rounds):
        deals, chances = zip(*game.new_initial_state().chance_outcomes(), strict=True)
        dealt = game.new_initial_state().child(int(rng.choice(deals, p=chances)))
        pairs.append((_end(dealt.clone(), learned, rng), _end(dealt, None, rng)))
    return tuple(np.array(pairs).T)


def _end(state: Any, learned: Any, rng: np.random.Generator) -> float:
    # What seat 0 is paid; the others, and it where nothing was learned, play at random.
    while not state.is_terminal():
        shares = learned.action_probabilities(state) if learned and state.current_player() == 0 else None
        actions = [*shares] if shares else state.legal_actions()
        state.apply_action(int(rng.choice(actions, p=[*shares.values()] if shares else None)))
    return float(state.returns()[0])


def _batch(policy_of: Callable[[Names], Policy]) -> Callable[[Names, int], Returns]:
    return partial(returns_in_batch, policy_of)


BRIDGES = "bridges.md"
RECIPES = {
    "sb3": Recipe(
        "howto/train_one_seat.md",
        "# Train one seat with stable-baselines3",
        ("stable-baselines3", "sb3-contrib"),
        _batch(_of_sb3),
    ),
    "rllib": Recipe(BRIDGES, "## RLlib", ("ray",), _batch(_of_rllib)),
    "torchrl": Recipe(BRIDGES, "## TorchRL", ("torchrl", "tensordict"), _batch(_of_torchrl)),
    "jax": Recipe(BRIDGES, "## JAX", ("jax", "flax", "optax"), _batch(_of_jax)),
    "tianshou": Recipe(BRIDGES, "## Tianshou", ("tianshou",), _batch(_of_tianshou)),
    "agilerl": Recipe(BRIDGES, "## AgileRL", ("agilerl", "pettingzoo"), _batch(_of_agilerl)),
    "openspiel": Recipe("howto/open_spiel.md", "# OpenSpiel", ("open-spiel",), _returns_in_openspiel),
}
