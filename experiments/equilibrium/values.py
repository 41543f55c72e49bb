"""Expected values, best responses and NashConv: exact, by passes over a whole tree."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from saboteur_env.core.compiled.jit import kernel
from saboteur_env.engine.cards import SABOTEUR

from .tree import END, Floats, Links, Tree


class Response(NamedTuple):
    """A best response to a profile.

    Attributes:
        profile: what was answered to, with the answer in the place of the responder's own moves.
        value: of the answer, for the responder.
        gain: by how much it is better than what the responder did before; never below 0 but for rounding.
    """

    profile: Floats
    value: float
    gain: float


def values(tree: Tree, profile: Floats) -> Floats:
    """What every seat gets on average, float64[seats], by full enumeration.

    Args:
        profile: float64[moves], the probabilities of all moves (tree.py).
    """
    return tree.payoffs @ reach(tree, profile)


def miners_win(tree: Tree, profile: Floats) -> float:
    """How likely the miners win.

    Args:
        profile: float64[moves], the probabilities of all moves (tree.py).
    """
    return float(tree.miners_won @ reach(tree, profile))


def reach(tree: Tree, profile: Floats) -> Floats:
    """How likely each node is reached, float64[nodes].

    Args:
        profile: float64[moves], the probabilities of all moves (tree.py).
    """
    return _reach_without(tree, profile, np.zeros(len(tree.info_seat), np.bool_))


def best_response(tree: Tree, profile: Floats, seat: int) -> Response:
    """The best that one seat can do, in either role, while the others play a profile.

    Its mates are unknown to it, as the rules have it: it plays from its own information sets alone.

    Args:
        profile: float64[moves], the probabilities of all moves (tree.py).
    """
    return _respond(tree, profile, tree.info_seat == seat, tree.payoffs[seat])


def saboteur_response(tree: Tree, profile: Floats) -> Response:
    """The best that the one saboteur can do, wherever it sits, while the miners play a profile. Payoff: 1 or -1.

    Args:
        profile: float64[moves], the probabilities of all moves (tree.py).

    Raises: ValueError for rules with several saboteurs: a side that knows neither its mates nor what they know has no
        perfect recall, and its best response is another problem (docs/equilibria.md).
    """
    if tree.rules.role_table[0] != 1:
        raise ValueError(f"the best response of a side is exact for one saboteur, not {tree.rules.role_table[0]}")
    return _respond(tree, profile, tree.info_role == SABOTEUR, saboteurs_payoff(tree))


def saboteurs_payoff(tree: Tree) -> Floats:
    """1 at ends that the miners lost, -1 where they won."""
    return np.where(tree.seat == END, 1 - 2 * tree.miners_won, 0.0)


def nash_conv(tree: Tree, profile: Floats) -> float:
    """The sum over seats of what each could gain alone (Lanctot et al., "A Unified Game-Theoretic Approach", 2017).

    Args:
        profile: float64[moves], the probabilities of all moves (tree.py).
    """
    return sum(best_response(tree, profile, seat).gain for seat in range(tree.rules.players))


def _respond(tree: Tree, profile: Floats, own: npt.NDArray[np.bool_], payoff: Floats) -> Response:
    best, answer, worth = np.zeros(len(own), np.int64), profile.copy(), payoff * _reach_without(tree, profile, own)
    _climb(tree.links, own, np.zeros(len(profile)), best, worth)
    for info in np.flatnonzero(own):
        answer[tree.first[info] : tree.first[info + 1]] = 0
        answer[best[info]] = 1
    value = float(worth[0])
    return Response(answer, value, value - float(payoff @ reach(tree, profile)))


def _reach_without(tree: Tree, profile: Floats, own: npt.NDArray[np.bool_]) -> Floats:
    # How likely others and chance lead to each node, where the information sets `own` do all for it.
    chances = np.ones(tree.nodes)
    _descend(tree.links, own, profile, chances)
    return chances


@kernel
def _descend(links: Links, own: Any, profile: Any, chances: Any) -> None:
    for node in range(1, len(links.parent)):
        above, edge = links.parent[node], links.edge[node]
        chances[node] = chances[above] * links.share[node]
        if edge >= 0 and not own[links.info[above]]:
            chances[node] *= profile[edge]


@kernel
def _climb(links: Links, own: Any, sums: Any, best: Any, worth: Any) -> None:
    # All nodes of an information set lie on one level, as all see every move. Mutates: sums, best, worth.
    info, edge, levels = links.info, links.edge, links.levels
    for level in range(len(levels) - 2, 0, -1):
        below, end = levels[level], levels[level + 1]
        for node in range(below, end):
            if edge[node] >= 0 and own[info[links.parent[node]]]:
                sums[edge[node]] += worth[node]
        for node in range(levels[level - 1], below):
            if info[node] >= 0 and own[info[node]]:
                begin = links.first[info[node]]
                best[info[node]] = begin + np.argmax(sums[begin : links.first[info[node] + 1]])
        for node in range(below, end):
            above = links.parent[node]
            if edge[node] < 0 or not own[info[above]] or edge[node] == best[info[above]]:
                worth[above] += worth[node]
