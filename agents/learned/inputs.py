"""Inputs of a network: observations and the legal actions, as tensors."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from saboteur_env.core.extras import extra

with extra("learned"):
    import torch
    from torch import Tensor

from saboteur_env.core.compiled.jit import kernel

from ..beliefs.tracker import BeliefTracker


class PolicyInputs(NamedTuple):
    """The inputs of a policy.

    Attributes:
        observation: int8[b, bytes].
        legal: int64[sum of counts], the legal actions of all decisions, one after the other.
        counts: int64[b], how many each has.
        suspects: float32[b, 10], the probability of each seat, from oneself clockwise, to be a saboteur (tracker.py);
            None for networks that take none.
    """

    observation: Tensor
    legal: Tensor
    counts: Tensor
    suspects: Tensor | None = None

    def rows(self, rows: Tensor) -> PolicyInputs:
        """Some of the decisions, int64[k]."""
        counts = self.counts[rows]
        first = self.counts.cumsum(0) - self.counts
        begins = torch.repeat_interleave(first[rows] - (counts.cumsum(0) - counts), counts)
        indices = begins + torch.arange(len(begins), device=begins.device)
        suspects = None if self.suspects is None else self.suspects[rows]
        return PolicyInputs(self.observation[rows], self.legal[indices], counts, suspects)


def inputs_of(vec: Any, device: torch.device | str = "cpu", tracker: BeliefTracker | None = None) -> PolicyInputs:
    """What a batch with observations (vector.py) shows now. Its observations are not copied on the same device.

    Args:
        tracker: of the batch, where the seats' suspicions are to be seen.
    """
    counts = vec.legal_count.astype(np.int64)
    legal = torch.from_numpy(flat_legal(vec.legal, counts, int(counts.sum())))
    seen = torch.from_numpy(vec.observation)
    parts = [seen, legal, torch.from_numpy(counts)]
    if tracker is not None:
        parts.append(torch.from_numpy(tracker.saboteur_probabilities()))
    return PolicyInputs(*(part.to(device, non_blocking=True) for part in parts))


def flat_legal(legal: Any, counts: Any, total: int) -> npt.NDArray[np.int64]:
    """The legal actions of all rows, one after the other: int64[total]."""
    flat = np.empty(total, np.int64)
    _flatten(legal, counts, flat)
    return flat


@kernel
def _flatten(legal: Any, counts: Any, flat: Any) -> None:
    at = 0
    for i in range(len(counts)):
        for j in range(counts[i]):
            flat[at + j] = legal[i, j]
        at += counts[i]
