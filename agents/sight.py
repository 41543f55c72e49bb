"""What a network decides from: observations and the legal actions alone, as tensors."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from saboteur_env.engine.jit import kernel


class Sight(NamedTuple):
    """What decisions are made from.

    Attributes:
        observation: int8[b, bytes].
        legal: int64[sum of counts], the legal actions of all decisions, one after the other.
        counts: int64[b], how many each has.
    """

    observation: Tensor
    legal: Tensor
    counts: Tensor

    def rows(self, rows: Tensor) -> Sight:
        """Some of the decisions, int64[k]."""
        counts = self.counts[rows]
        first = self.counts.cumsum(0) - self.counts
        begins = torch.repeat_interleave(first[rows] - (counts.cumsum(0) - counts), counts)
        places = begins + torch.arange(len(begins), device=begins.device)
        return Sight(self.observation[rows], self.legal[places], counts)


def sight_of(vec: Any, device: torch.device | str = "cpu") -> Sight:
    """What a batch with observations (vector.py) shows now. Its observations are not copied on the same device."""
    counts = vec.legal_count.astype(np.int64)
    legal = torch.from_numpy(flat_legal(vec.legal, counts, int(counts.sum())))
    seen = torch.from_numpy(vec.observation)
    return Sight(*(part.to(device, non_blocking=True) for part in (seen, legal, torch.from_numpy(counts))))


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
