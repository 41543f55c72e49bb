"""Sequential halving: all moves are tried on the same worlds, and the worse half is dropped after each phase.

The method (Karnin, Koren, Somekh, "Almost Optimal Exploration in Multi-Armed Bandits", 2013) starts with the moves that
have the most scripted points, as at the root of Gumbel MuZero (Danihelka and others, "Policy improvement by planning
with Gumbel", 2022). Every move that is left is tried in each determinized game, with the same random numbers for the
simulated players. So the noise that two moves share cancels out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from saboteur_env.core.compiled.jit import kernel
from saboteur_env.core.compiled.memory import copy_record, record_dtype
from saboteur_env.core.prng import key
from saboteur_env.engine.cards import MINER
from saboteur_env.engine.legal import quiet_moves
from saboteur_env.engine.moves import text_of
from saboteur_env.engine.state import RUNNING, InfoState

from ..scripted.select import score_moves
from .determinization import sample_determinization, update_belief
from .tree import MAX_ARMS, PRIOR, Plan, clear, try_arm

# The moves in the race, as the scripted dwarf likes them, the best first.
ARMS = record_dtype(
    ("count", "i8"),
    ("left", "i8"),  # still in the race: the first of `order`
    ("worlds", "i8"),  # played so far
    ("order", "i8", MAX_ARMS),
    ("move", "i4", MAX_ARMS),
    ("prior", "f8", MAX_ARMS),  # points less than the best
    ("visits", "f8", MAX_ARMS),
    ("won", "f8", MAX_ARMS),  # of these, by the observer's side
    ("value", "f8", MAX_ARMS),
)


class Searcher(NamedTuple):
    """The memory of a search.

    Attributes:
        arms: ARMS[1].
        beliefs: BELIEF[1] (determinization.py).
        trees: TREE[trees] (tree.py); nodes: NODE[trees, slots].
    """

    arms: Any
    beliefs: Any
    trees: Any
    nodes: Any


@kernel
def select_arms(arms: Any, tree: Any, known: InfoState, width: int, iterations: int, plan: Plan) -> None:
    """Select the moves with the most scripted points, as many as the budget can distinguish.

    Args:
        arms: an ARMS record, overwritten.
        tree: a TREE record, used as scratch.
        width: at most so many; at least two are entered where there are.
        iterations: games that can be played; -1 for as many as there is time for.
    """
    moves, scores = tree.space.moves, tree.space.scratch.scores
    count = quiet_moves(known.public, known.private, moves)
    score_moves(plan.dwarfs[PRIOR], known, count, tree.space, scores)
    arms.count = arms.worlds = 0
    while arms.count < min(count, width, MAX_ARMS) and (arms.count < 2 or affordable(arms.count + 1, iterations)):
        best = 0
        for i in range(1, count):
            if scores[i] > scores[best]:
                best = i
        arm = arms.count
        arms.order[arm], arms.move[arm], arms.prior[arm] = arm, moves[best], scores[best]
        arms.visits[arm] = arms.won[arm] = 0.0
        scores[best] = -1e300
        arms.count += 1
    for arm in range(arms.count - 1, -1, -1):
        arms.prior[arm] = arms.prior[0] - arms.prior[arm]
    arms.left = arms.count if known.public.winner == RUNNING else min(arms.count, 1)  # gold: the script knows best


def visit_shares(arms: Any) -> dict[str, float]:
    """For each move of an ARMS record, its share of the simulated games; empty where none was simulated."""
    visits = arms["visits"][: arms["count"]]
    return _by_move(arms, visits / max(visits.sum(), 1.0))


def move_values(arms: Any) -> dict[str, float]:
    """For each move of an ARMS record, how often its side wins, its prior included; empty where none was simulated."""
    return _by_move(arms, arms["value"][: arms["count"]])


def _by_move(arms: Any, numbers: npt.NDArray[np.float64]) -> dict[str, float]:
    if not arms["visits"][: arms["count"]].sum():
        return {}
    moves = [text_of(number) for number in arms["move"][: arms["count"]].tolist()]
    return dict(zip(moves, numbers.tolist(), strict=True))


@kernel
def affordable(arms: int, iterations: int) -> bool:
    """Whether the budget is enough for so many moves: every move left is tried in each phase."""
    return iterations < 0 or arms * phases(arms) <= iterations


@kernel
def phases(arms: int) -> int:
    """How often the moves are halved until one is left."""
    number = 0
    while 1 << number < arms:
        number += 1
    return number


@kernel
def worlds_of_phase(arms: Any, iterations: int) -> int:
    """How many determinised games the next phase is run on."""
    return max(1, iterations // (phases(np.int64(arms.count)) * np.int64(arms.left)))


@kernel
def run(
    searcher: Searcher, number: int, known: InfoState, worlds: tuple[int, int, int], seed: np.uint64, plan: Plan
) -> None:
    """Try all moves that are left in some worlds, given as a range (start, stop, step).

    Args:
        number: of the tree that grows.

    Mutates: that tree and its nodes.
    """
    arms, belief = searcher.arms[0], searcher.beliefs[0]
    tree, nodes = searcher.trees[number], searcher.nodes[number]
    for world in range(*worlds):
        sample_determinization(belief, known, tree.world, key(seed, 0, world))
        for index in range(arms.left):
            arm = np.int64(arms.order[index])
            copy_record(tree.game, tree.world)
            try_arm(tree, nodes, arm, np.int64(arms.move[arm]), plan, key(seed, 1, world))


@kernel
def halve(arms: Any, trees: Any, worlds: int, role: int, plan: Plan) -> None:
    """Collect the results of the trees for a seat of a role, sort the moves, and drop the worse half.

    Args:
        arms: an ARMS record, overwritten.
        trees: TREE[trees].
        worlds: how many were tried since the last phase.
    """
    arms.worlds += worlds
    for arm in range(arms.count):
        arms.visits[arm] = arms.won[arm] = 0.0
        for i in range(len(trees)):
            visits, won = np.float64(trees[i].visits[arm]), trees[i].won[arm]
            arms.visits[arm] += visits
            arms.won[arm] += won if role == MINER else visits - won
    rank(arms, plan.prior_visits, plan.prior_scale)


@kernel
def rank(arms: Any, prior_visits: float, prior_scale: float) -> None:
    """Sort the moves by their values, and drop the worse half. Mutates: arms.

    Args:
        prior_visits, prior_scale: as in `tree.Plan`.
    """
    _value(arms, prior_visits, prior_scale)
    for index in range(1, arms.left):  # insertion keeps the order of equals
        arm, before = np.int64(arms.order[index]), index - 1
        while before >= 0 and arms.value[arms.order[before]] < arms.value[arm]:
            arms.order[before + 1] = arms.order[before]
            before -= 1
        arms.order[before + 1] = arm
    arms.left = (arms.left + 1) // 2


@kernel
def _value(arms: Any, prior_visits: float, prior_scale: float) -> None:
    # How often the observer's side wins after each move; its prior counts as some visits.
    visits, won = 0.0, 0.0
    for index in range(arms.left):
        visits += arms.visits[arms.order[index]]
        won += arms.won[arms.order[index]]
    for arm in range(arms.count):
        prior = won / max(visits, 1.0) - prior_scale * arms.prior[arm]
        arms.value[arm] = (arms.won[arm] + prior_visits * prior) / (arms.visits[arm] + prior_visits)


@kernel
def prepare(searcher: Searcher, known: InfoState, plan: Plan) -> None:
    """Begin with a new position. Mutates: searcher."""
    update_belief(searcher.beliefs[0], known, plan.action_model)
    for i in range(len(searcher.trees)):
        clear(searcher.trees[i], searcher.nodes[i], known.seat)
