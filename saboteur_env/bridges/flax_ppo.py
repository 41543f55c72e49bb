"""PPO in JAX and Flax on the arrays of a batch: self-play of all seats. Needs JAX, Flax and Optax.

Each step overwrites the arrays, so a rollout keeps copies. PPO: Schulman et al., "Proximal policy optimization
algorithms", 2017.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..batch.trajectories import link
from ..core.extras import extra

with extra("bridges"):
    import jax
    import jax.numpy as jnp
    import optax

from .flax_network import Network, act, seen_by_jax


@dataclass(frozen=True)
class PPO:
    """How to learn: `steps` of all games for a rollout, `epochs` over it in `parts`."""

    steps: int = 64
    epochs: int = 4
    parts: int = 8
    learning_rate: float = 1e-3
    gae_lambda: float = 0.95
    clip_range: float = 0.2
    ent_coef: float = 0.01

    def train(self, vec: Any, seed: int = 0) -> Iterator[tuple[Network, Any]]:
        """Learn on and on: the network and its weights after every rollout.

        Args:
            vec: a batch with observations and int8 masks (`make_vec`).
        """
        net, key = Network(vec.mask.shape[1]), jax.random.PRNGKey(seed)
        weights = net.init(key, vec.observation, vec.mask)
        optimizer, rng = optax.adam(self.learning_rate), np.random.default_rng(seed)
        state, update = optimizer.init(weights), jax.jit(partial(self._update, net, optimizer))
        while True:
            key, part = jax.random.split(key)
            batch = self._collect(vec, net, weights, part)
            for _ in range(self.epochs):
                for rows in rng.permutation(len(batch[0])).reshape(self.parts, -1):
                    weights, state = update(weights, state, *(column[rows] for column in batch))
            yield net, weights

    def _collect(self, vec: Any, net: Network, weights: Any, key: Any) -> list[Any]:
        rows = []
        for part in jax.random.split(key, self.steps):
            chosen = [np.asarray(column) for column in act(net, weights, *seen_by_jax(vec), part)]
            now = (vec.observation.copy(), vec.mask.copy(), *chosen, vec.seat)
            vec.step(chosen[0])
            rows.append((*now, vec.reward, vec.round_over))
        seen, mask, action, log_prob, value, seat, reward, over = map(np.stack, zip(*rows, strict=True))
        links = link(seat, reward, over)
        gained = self._advantages(links, value)
        counts = links.terminal | (links.following >= 0)  # the rest was cut off by the rollout
        flat = (seen, mask, action, log_prob, gained, gained + value, counts.astype(np.float32))
        return [column.reshape(-1, *column.shape[2:]) for column in flat]

    def _advantages(self, links: Any, value: Any) -> Any:
        # Generalised advantage estimation, each seat along its own decisions.
        gained, games = np.zeros_like(value), np.arange(value.shape[1])
        for step in reversed(range(len(value))):
            after = links.following[step]
            later = value[after, games] + self.gae_lambda * gained[after, games]
            gained[step] = links.reward[step] + np.where(after >= 0, later, 0.0) - value[step]
        return gained

    def _update(self, net: Network, optimizer: Any, weights: Any, state: Any, *batch: Any) -> tuple[Any, Any]:
        changes, state = optimizer.update(jax.grad(self._loss)(weights, net, *batch), state)
        return optax.apply_updates(weights, changes), state

    def _loss(self, weights: Any, net: Network, seen: Any, mask: Any, action: Any, old: Any, *targets: Any) -> Any:
        gained, returns, counts = targets
        logits, value = net.apply(weights, seen, mask)
        log_probs = jax.nn.log_softmax(logits)
        ratio = jnp.exp(jnp.take_along_axis(log_probs, action[:, None], 1)[:, 0] - old)
        gained = (gained - gained.mean()) / (gained.std() + 1e-8)
        clipped = jnp.clip(ratio, 1 - self.clip_range, 1 + self.clip_range)
        entropy = -(jnp.exp(log_probs) * log_probs).sum(1)
        losses = -jnp.minimum(ratio * gained, clipped * gained) - self.ent_coef * entropy
        return ((losses + 0.5 * (value - returns) ** 2) * counts).sum() / counts.sum()
