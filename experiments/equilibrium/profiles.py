"""What agents play, as profiles of a tree, so that they can be valued and answered exactly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from saboteur_env.agents.base import Agent
from saboteur_env.core.compiled.jit import kernel
from saboteur_env.engine.moves import text_of
from saboteur_env.engine.play import play_unchecked
from saboteur_env.engine.state import Games
from saboteur_env.game.view import View

from .tree import Floats, Ints, Tree


def profile_of(tree: Tree, agent: Agent) -> Floats:
    """How an agent plays in all information sets, in every seat and role.

    Raises: ValueError for an agent that cannot say how likely it plays each move, or whose answer does not sum to 1.
    """
    probabilities: Callable[[View], dict[str, float]] | None = getattr(agent, "probabilities", None)
    if probabilities is None:
        raise ValueError(f"{type(agent).__name__} cannot be solved exactly: it has no probabilities(view)")
    profile = tree.uniform()
    for info in np.flatnonzero(np.diff(tree.first) > 1).tolist():
        begin, end = tree.first[info], tree.first[info + 1]
        view = view_at(tree, tree.info_node[info])
        chances = probabilities(view)
        moves = moves_at(tree, info)
        profile[begin:end] = [chances.get(move, 0.0) for move in moves]
        if abs(profile[begin:end].sum() - 1) > 1e-4:
            raise ValueError(f"the probabilities of {moves} are {chances}: they do not sum to 1")
        profile[begin:end] /= profile[begin:end].sum()
    return profile


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
