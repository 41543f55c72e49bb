"""The search tree of one observer, and one game played through it (information-set Monte Carlo tree search).

A node is what the observer has seen since the search began: its own moves, and the moves of the others as it sees them.
All cards that others discard face down are one move. All determinized games share the same tree (single-observer
ISMCTS: Cowling, Powley, Whitehouse, "Information Set Monte Carlo Tree Search", 2012). Not every move is possible in
each of them. So a node counts how often it was available, and the exploration bound uses that count.

A player knows its own role. So a node keeps separate counts for its mover as a miner and as a saboteur. An untried move
starts with some visits, whose result is predicted from a scripted dwarf's points (Gelly, Silver, "Combining Online and
Offline Knowledge in UCT", 2007).

Memory: the nodes are a hash table of fixed size. Once it is three quarters full, the tree stops growing, and the search
continues in it.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from saboteur_env.core.compiled.jit import kernel, separate
from saboteur_env.core.compiled.memory import record_dtype
from saboteur_env.core.prng import key
from saboteur_env.engine.cards import MINER, ROLES
from saboteur_env.engine.legal import quiet_moves
from saboteur_env.engine.moves import DISCARD, hidden, verb_of
from saboteur_env.engine.play import play_unchecked
from saboteur_env.engine.state import MAX_EVENTS, MINERS, RUNNING, STATE, InfoState, to_move

from ..scripted.policy import WORKSPACE
from ..scripted.select import choose, score_moves
from .critic import CRITIC_ROOM, miners_chance
from .determinization import Evidence
from .evaluation import Net, miners_probability

MAX_ARMS = 64
# How the others move in the tree: by what pays for them; as the scripted dwarf does, seen or not looked at.
OPPONENTS = ("tree", "script", "open")
IN_TREE, BY_SCRIPT, UNSEEN = range(3)
ROLL_OUT, PRIOR = range(2)  # the dwarfs of a plan

NODE = record_dtype(
    ("parent", "i4"),  # a node's place plus one, or -1 - arm
    ("move", "i4"),  # as the observer sees it; 0 for none
    ("visits", "i4", len(ROLES)),  # by the role of who moved
    ("available", "i4", len(ROLES)),
    ("won", "f4", len(ROLES)),  # of these visits by the miners
)
TREE = record_dtype(
    ("world", STATE),  # a determinised game
    ("game", STATE),  # and the one that is played on from it
    ("space", WORKSPACE),
    ("judge", CRITIC_ROOM),
    ("path", "i4", MAX_EVENTS),
    ("roles", "i1", MAX_EVENTS),  # of those who moved along the path
    ("seat", "i8"),  # the observer
    ("nodes", "i8"),
    ("visits", "i8", MAX_ARMS),
    ("won", "f8", MAX_ARMS),
)


class Plan(NamedTuple):
    """How to search, as kernels read it.

    Attributes:
        dwarfs: DWARF[2] (params.py): who plays the roll-outs, and whose points are the priors.
        net: the evaluation (evaluation.py); critic: CRITIC[1] (critic.py) in its place, or CRITIC[0].
        action_model: what explains the acts of the others.
        opponents: IN_TREE, BY_SCRIPT or UNSEEN.
        rollout_depth: turns of a roll-out until it is evaluated; -1 plays it to the end.
        c_uct: weight of the bound (UCB1) by which little tried moves are tried.
        prior_visits: how many visits a prior counts for.
        prior_scale: by how much of a win a move is expected to be worse for each point it has less than the best.
    """

    dwarfs: npt.NDArray[np.void]
    net: Net
    critic: npt.NDArray[np.void]
    action_model: Evidence
    opponents: int
    rollout_depth: int
    c_uct: float
    prior_visits: float
    prior_scale: float


@kernel
def clear(tree: Any, nodes: Any, seat: int) -> None:
    """Clear the tree. Mutates: tree, nodes."""
    tree.seat, tree.nodes = seat, 0
    tree.visits[:] = 0
    tree.won[:] = 0.0
    for i in range(len(nodes)):
        nodes[i].move = 0


@kernel
def find(nodes: Any, parent: int, move: int) -> int:
    """The slot of a node, or the free one where it would be."""
    mask = len(nodes) - 1
    slot = (parent * 40503 ^ move * 40499 ^ move >> 9) & mask
    while nodes[slot].move != 0 and not (nodes[slot].move == move and nodes[slot].parent == parent):
        slot = slot + 1 & mask
    return slot


@kernel
def add(tree: Any, nodes: Any, slot: int, parent: int, move: int) -> bool:
    """Put a node in a free slot, if there is room.

    Args:
        tree: a TREE record; nodes: NODE[slots]. Both are overwritten.
        slot: as `find` gives it.
        parent: the slot of the parent plus one, or -1 - arm.
        move: the number of the move.
    """
    if 4 * (tree.nodes + 1) > 3 * len(nodes):
        return False
    tree.nodes += 1
    node = nodes[slot]
    node.parent, node.move = parent, move
    for role in range(len(ROLES)):
        node.visits[role] = node.available[role] = 0
        node.won[role] = 0.0
    return True


@separate
def try_arm(tree: Any, nodes: Any, arm: int, move: int, plan: Plan, random_key: np.uint64) -> None:
    """Play a move of the observer in `tree.game`, then on down the tree, and note how it ends.

    Args:
        tree: a TREE record; nodes: NODE[slots]. Both are overwritten.
        arm: the number of the move among those tried.
        move: the number of the move (engine/moves.py).
        random_key: of the moves of the others.

    Requires: `tree.game` is a determinised game in which the observer may play the move.
    """
    game, public, parent, depth, growing = tree.game, tree.game.public, -1 - arm, 0, True
    play_unchecked(game, move)
    while growing and public.winner == RUNNING:
        known = to_move(game)
        looked_at = known.seat == tree.seat or plan.opponents == IN_TREE
        if looked_at:
            number = _select(tree, nodes, parent, known, plan)
        else:
            number = choose(plan.dwarfs[ROLL_OUT], known, key(random_key, 0, np.int64(public.event_count)), tree.space)
        if looked_at or plan.opponents == BY_SCRIPT:
            seen = number if known.seat == tree.seat else hidden(number)
            slot = find(nodes, parent, seen)
            if nodes[slot].move == 0:
                growing = False
            if growing or add(tree, nodes, slot, parent, seen):
                nodes[slot].available[known.private.role] += not growing or not looked_at
                tree.path[depth], tree.roles[depth] = slot, known.private.role
                depth += 1
            parent = slot + 1
        play_unchecked(game, number)
    _note(tree, nodes, arm, depth, _roll_out(tree, plan, random_key))


@separate
def _select(tree: Any, nodes: Any, parent: int, known: InfoState, plan: Plan) -> int:
    # The move with the best bound; counts the moves tried before that were available.
    moves, scores, role = tree.space.moves, tree.space.scratch.scores, np.int64(known.private.role)
    count = quiet_moves(known.public, known.private, moves)
    score_moves(plan.dwarfs[PRIOR], known, count, tree.space, scores)
    observed = known.seat == tree.seat
    best_score = _best(scores, count)
    thrown = -1 if observed else _best_discard(moves, scores, count)
    so_far, tried = _result(tree, nodes, parent)
    mean = so_far if role == MINER else 1 - so_far
    best, best_bound = 0, -1.0
    for i in range(count):
        number = np.int64(moves[i])
        if thrown >= 0 and i != thrown and verb_of(number) == DISCARD:
            continue
        node = nodes[find(nodes, parent, number if observed else hidden(number))]
        visits, available, won = 0.0, np.float64(tried), 0.0
        if node.move != 0:
            node.available[role] += 1
            visits, available, won = np.float64(node.visits[role]), np.float64(node.available[role]), node.won[role]
            won = won if role == MINER else visits - won
        prior = max(mean - plan.prior_scale * (best_score - scores[i]), 0.0)
        bound = (won + plan.prior_visits * prior) / (visits + plan.prior_visits)
        bound += plan.c_uct * math.sqrt(math.log(1 + available) / (visits + plan.prior_visits))
        if bound > best_bound:
            best, best_bound = i, bound
    return np.int64(moves[best])


@kernel
def _best(scores: Any, count: int) -> float:
    best = scores[0]
    for i in range(1, count):
        best = max(best, scores[i])
    return best


@kernel
def _best_discard(moves: Any, scores: Any, count: int) -> int:
    best = -1
    for i in range(count):
        if verb_of(np.int64(moves[i])) == DISCARD and (best < 0 or scores[i] > scores[best]):
            best = i
    return best


@kernel
def _result(tree: Any, nodes: Any, parent: int) -> tuple[float, int]:
    # How often the miners won behind a node, and of how many visits.
    if parent < 0:
        visits, won = np.int64(tree.visits[-1 - parent]), tree.won[-1 - parent]
    else:
        node = nodes[parent - 1]
        visits, won = np.int64(node.visits[0]) + np.int64(node.visits[1]), np.float64(node.won[0] + node.won[1])
    return (won / visits if visits else 0.5), visits


@separate
def _roll_out(tree: Any, plan: Plan, random_key: np.uint64) -> float:
    # The chance of the miners, after so many turns or at the end.
    game, public, turns = tree.game, tree.game.public, 0
    while public.winner == RUNNING:
        if turns == plan.rollout_depth:
            return _judged(tree, plan)
        turn_key = key(random_key, 0, np.int64(public.event_count))
        play_unchecked(game, choose(plan.dwarfs[ROLL_OUT], to_move(game), turn_key, tree.space))
        turns += 1
    return np.float64(public.winner == MINERS)


@kernel
def _judged(tree: Any, plan: Plan) -> float:
    if len(plan.critic):
        return miners_chance(tree.game, plan.dwarfs[ROLL_OUT], plan.critic[0], tree.space, tree.judge)
    return miners_probability(tree.game, tree.space.scratch, plan.net)


@kernel
def _note(tree: Any, nodes: Any, arm: int, depth: int, won: float) -> None:
    tree.visits[arm] += 1
    tree.won[arm] += won
    for i in range(depth):
        node, role = nodes[tree.path[i]], np.int64(tree.roles[i])
        node.visits[role] += 1
        node.won[role] += won
