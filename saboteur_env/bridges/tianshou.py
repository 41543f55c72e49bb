"""Deep Q-learning of Tianshou for seats of the PettingZoo environment, with action masks. Needs Tianshou."""

from __future__ import annotations

from typing import Any

from ..core.extras import extra
from ..engine.state import MAX_EVENTS

with extra("bridges"):
    from tianshou.algorithm import DQN
    from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
    from tianshou.algorithm.optim import AdamOptimizerFactory
    from tianshou.utils.net.common import Net


def masked_dqn(env: Any, hidden: int = 128, learning_rate: float = 1e-3, exploration: float = 0.2) -> Any:
    """A learner for a seat, or for several, as observations count seats from the observer.

    It learns what a round pays in the end: Tianshou keeps the decisions of all seats in one row, so the state after a
    decision is another seat's, and no target can be taken from it.

    Args:
        env: Tianshou's `PettingZooEnv`.
        hidden: width of both hidden layers.
        exploration: how often it plays at random while it learns.
    """
    seen, acts = env.observation_space["observation"], env.action_space
    network = Net(state_shape=seen.shape, action_shape=acts.n, hidden_sizes=[hidden, hidden])
    spaces = {"action_space": acts, "observation_space": seen}
    policy = DiscreteQLearningPolicy(model=network, eps_training=exploration, **spaces)
    optimizer = AdamOptimizerFactory(lr=learning_rate)
    return DQN(policy=policy, optim=optimizer, gamma=1.0, n_step_return_horizon=MAX_EVENTS, target_update_freq=100)
