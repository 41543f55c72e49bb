"""What agents play, as profiles of a tree, so that they can be valued and answered exactly."""

from __future__ import annotations

from typing import Any

import numpy as np

from saboteur_env.agents.base import Agent
from saboteur_env.core.compiled.jit import kernel
from saboteur_env.engine.moves import text_of
from saboteur_env.engine.play import play_unchecked
from saboteur_env.engine.state import Games
from saboteur_env.game.view import View

from .tree import Floats, Ints, Tree

SETS_AT_ONCE = 512  # for an agent that answers many views together


def profile_of(tree: Tree, agent: Agent) -> Floats:
    """How an agent plays in all information sets, in every seat and role.

    One with `probabilities_of(views)` is asked for many at once.

    Raises: ValueError for an agent that cannot say how likely it plays each move, or whose answer does not sum to 1.
    """
    profile, sets = tree.uniform(), np.flatnonzero(np.diff(tree.first) > 1)
    for some in np.array_split(sets, -(-len(sets) // SETS_AT_ONCE)):
        views = [view_at(tree, tree.info_node[info]) for info in some]
        for info, chances in zip(some.tolist(), _probabilities(agent, views), strict=True):
            begin, end = tree.first[info], tree.first[info + 1]
            moves = moves_at(tree, info)
            profile[begin:end] = [chances.get(move, 0.0) for move in moves]
            if abs(profile[begin:end].sum() - 1) > 1e-4:
                raise ValueError(f"the probabilities of {moves} are {chances}: they do not sum to 1")
            profile[begin:end] /= profile[begin:end].sum()
    return profile


def _probabilities(agent: Any, views: list[View]) -> list[dict[str, float]]:
    if together := getattr(agent, "probabilities_of", None):
        answers: list[dict[str, float]] = together(views)
        return answers
    if not hasattr(agent, "probabilities"):
        raise ValueError(f"{type(agent).__name__} cannot be solved exactly: it has no probabilities(view)")
    return [agent.probabilities(view) for view in views]


def moves_at(tree: Tree, info: int) -> list[str]:
    """The moves of an information set as texts, in the order of a profile."""
    node, child = tree.info_node[info], tree.links.child
    return [text_of(int(number)) for number in tree.move[child[node] : child[node + 1]]]


def view_at(tree: Tree, node: int) -> View:
    """What the seat to move at a node sees."""
    return View.of(game_at(tree, node), tree.rules, int(tree.seat[node]))


def game_at(tree: Tree, node: int) -> Games:
    """The whole game at a node, STATE[1]."""
    deal = tree.deal[node]
    games, moves = tree.deals.games[deal : deal + 1].copy(), []
    while tree.edge[node] >= 0:
        moves.append(tree.move[node])
        node = tree.parent[node]
    _replay(games, np.array(moves[::-1], np.int64))
    return games


@kernel
def _replay(games: Any, moves: Ints) -> None:
    for number in moves:
        play_unchecked(games[0], number)
