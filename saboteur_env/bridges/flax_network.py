"""A network of Flax that plays in a batch: JAX takes the arrays by DLPack, without copies. Needs JAX and Flax."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..core.extras import extra

with extra("bridges"):
    import jax
    import jax.numpy as jnp
    from flax import linen as nn


class Network(nn.Module):
    """The logits of all actions, float32[b, actions], and the value, float32[b], of observations int8[b, bytes]."""

    actions: int
    width: int = 128

    @nn.compact
    def __call__(self, seen: Any, mask: Any) -> tuple[Any, Any]:
        hidden = nn.relu(nn.Dense(self.width)(nn.relu(nn.Dense(self.width)(seen.astype(jnp.float32) / 8))))
        logits = nn.Dense(self.actions, kernel_init=nn.initializers.normal(0.01))(hidden)
        return jnp.where(mask > 0, logits, -1e9), nn.Dense(1)(hidden)[:, 0]


def seen_by_jax(vec: Any) -> tuple[Any, Any]:
    """The observations and masks of a batch as arrays of JAX, which share its memory until its next step."""
    return jax.dlpack.from_dlpack(vec.observation), jax.dlpack.from_dlpack(vec.mask)


@partial(jax.jit, static_argnums=0)
def act(net: Network, weights: Any, seen: Any, mask: Any, key: Any) -> tuple[Any, Any, Any]:
    """Draw actions: with their log-probabilities and the values of the decisions."""
    logits, value = net.apply(weights, seen, mask)
    action = jax.random.categorical(key, logits)
    return action, jnp.take_along_axis(jax.nn.log_softmax(logits), action[:, None], 1)[:, 0], value
