"""Counterfactual regret minimisation over a whole tree: CFR+ and discounted CFR, with seats in turn.

CFR+ is Tammelin's ("Solving Large Imperfect Information Games Using CFR+", 2014), discounted CFR is Brown and
Sandholm's ("Solving Imperfect-Information Games via Discounted Regret Minimization", 2019). For two players who want
opposite things the averages converge to an equilibrium. Here three or more play: no theorem says so, and NashConv tells
whether they did.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .passes import Passes, in_sets
from .tree import Floats, Tree


class Discount(NamedTuple):
    """How the past is forgotten. After iteration t regrets above 0 count t^a / (t^a + 1), those below t^b / (t^b + 1)
    and the profiles averaged so far (t / (t + 1))^g.
    """

    above: float
    below: float
    average: float


DISCOUNTED = Discount(1.5, 0.0, 2.0)  # as its authors advise
PLUS = Discount(np.inf, -np.inf, 1.0)  # regrets below 0 are dropped; the average is linear


class Cfr:
    """A run of CFR.

    Attributes:
        iterations: done so far; one is a pass for every seat.
        current: the profile that is played next.
    """

    def __init__(self, tree: Tree, discount: Discount = PLUS) -> None:
        self.tree, self.discount, self.iterations = tree, discount, 0
        self._passes = Passes(tree)
        self._regrets, self._sums = np.zeros((2, tree.first[-1]))
        self.current = tree.uniform()

    def step(self, iterations: int = 1) -> None:
        """Some iterations."""
        for _ in range(iterations):
            self._iterate()

    def _iterate(self) -> None:
        self.iterations += 1
        for seat in range(self.tree.rules.players):
            result = self._passes.of(self.current, seat)
            self._regrets += result.worth - result.mean
            self._sums += self._weight() * result.own * self.current
            if self.discount == PLUS:
                np.maximum(self._regrets, 0, out=self._regrets)
            self.current = in_sets(self.tree, self._regrets)
        if self.discount != PLUS:
            self._forget()

    def profile(self) -> Floats:
        """The average so far."""
        return in_sets(self.tree, self._sums)

    def _weight(self) -> float:
        # Weights that grow as t^g come to the same as a past that fades as (t / (t + 1))^g.
        return float(self.iterations**self.discount.average)

    def _forget(self) -> None:
        above, below = (float(self.iterations) ** power for power in self.discount[:2])
        self._regrets *= np.where(self._regrets > 0, above / (above + 1), below / (below + 1))
