"""What iterative solvers share: what each move of a seat is worth against the rest of a profile."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from saboteur_env.core.compiled.jit import kernel

from .tree import Floats, Links, Tree


class Counterfactual(NamedTuple):
    """What a seat's moves are worth while everybody plays a profile; vectors like a profile, 0 for the other seats.

    Attributes:
        worth: of each move, times how likely the others and chance lead to it.
        mean: of the moves of its information set, each as often as it is played.
        likely: how likely the others and chance lead to the information set.
        own: how likely the seat itself leads there.
    """

    worth: Floats
    mean: Floats
    likely: Floats
    own: Floats


class Passes:
    """Room for passes through a tree."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._nodes = np.ones((3, tree.nodes))

    def of(self, profile: Floats, seat: int) -> Counterfactual:
        """What the moves of one seat are worth. One pass down, one up.

        Args:
            profile: float64[moves], the probabilities of all moves (tree.py).
        """
        result = Counterfactual(*np.zeros((4, len(profile))))
        self._nodes[2] = self.tree.payoffs[seat]
        _pass(self.tree.links, self.tree.seat, seat, profile, self._nodes, result)
        return result


@kernel
def _pass(links: Links, seats: Any, seat: int, profile: Any, nodes: Any, result: Counterfactual) -> None:
    parent, edge = links.parent, links.edge
    own, others, worth = nodes[0], nodes[1], nodes[2]
    for node in range(1, len(parent)):
        above = parent[node]
        own[node], others[node] = own[above], others[above] * links.share[node]
        if edge[node] >= 0 and seats[above] == seat:
            own[node] *= profile[edge[node]]
        elif edge[node] >= 0:
            others[node] *= profile[edge[node]]
    for node in range(len(parent) - 1, 0, -1):
        worth[parent[node]] += worth[node] * (profile[edge[node]] if edge[node] >= 0 else links.share[node])
    for node in range(1, len(parent)):
        above = parent[node]
        if edge[node] >= 0 and seats[above] == seat:
            result.worth[edge[node]] += others[above] * worth[node]
            result.mean[edge[node]] += others[above] * worth[above]
            result.likely[edge[node]] += others[above]
            result.own[edge[node]] = own[above]


def in_sets(tree: Tree, weights: Floats) -> Floats:
    """Weights of moves as a profile: in proportion within each information set, even where none is above 0.

    Args:
        weights: float64[moves].
    """
    profile = np.empty(len(weights))
    _normalise(tree.first, weights, profile)
    return profile


@kernel
def _normalise(first: Any, weights: Any, profile: Any) -> None:
    for info in range(len(first) - 1):
        begin, end = first[info], first[info + 1]
        total = 0.0
        for edge in range(begin, end):
            total += max(weights[edge], 0.0)
        for edge in range(begin, end):
            profile[edge] = max(weights[edge], 0.0) / total if total > 0 else 1.0 / (end - begin)
