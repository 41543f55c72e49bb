"""Magnetic mirror descent over a whole tree: every information set climbs towards what pays, held back by a magnet.

After Sokota et al., "A Unified Approach to Reinforcement Learning, Quantal Response Equilibria, and Two-Player Zero-Sum
Games" (2023), in behavioural form with full feedback: it is the policy gradient's kin that was shown to converge. The
magnet is the uniform profile; its pull and the step shrink as 1 / sqrt(t), so the last profile itself nears an
equilibrium.
"""

from __future__ import annotations

import numpy as np

from .passes import Passes, in_sets
from .tree import Floats, Tree


class MirrorDescent:
    """A run of magnetic mirror descent.

    Args:
        step_size: of the first iteration.
        pull: of the magnet in the first iteration: the temperature of the quantal response aimed at.
        seed: of the logits to begin with, normally distributed; the uniform profile if not given.

    Attributes:
        iterations: done so far.
    """

    def __init__(self, tree: Tree, step_size: float = 1.0, pull: float = 0.2, seed: int | None = None) -> None:
        self.tree, self.iterations = tree, 0
        self._step_size, self._pull = step_size, pull
        self._passes, moves = Passes(tree), tree.first[-1]
        self._logits = np.zeros(moves) if seed is None else np.random.default_rng(seed).standard_normal(moves)

    def step(self, iterations: int = 1) -> None:
        """Some iterations."""
        for _ in range(iterations):
            self._iterate()

    def _iterate(self) -> None:
        # All seats at once.
        self.iterations += 1
        fade = self.iterations**-0.5
        step, pull = self._step_size * fade, self._pull * fade
        profile, worth = self.profile(), np.zeros(len(self._logits))
        for seat in range(self.tree.rules.players):
            result = self._passes.of(profile, seat)
            worth += np.divide(result.worth, result.likely, out=np.zeros_like(worth), where=result.likely > 0)
        self._logits = (self._logits + step * worth) / (1 + step * pull)

    def profile(self) -> Floats:
        """The profile of the last iteration."""
        starts, sizes = self.tree.first[:-1], np.diff(self.tree.first)
        highest = np.repeat(np.maximum.reduceat(self._logits, starts), sizes)
        return in_sets(self.tree, np.exp(self._logits - highest))
