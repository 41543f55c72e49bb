"""Team-maxmin with correlation: what miners can secure who agree on everything beforehand, random numbers included.

The miners' side draws one joint plan, which says what every seat does as a miner, and the saboteur does not see which.
Plans are added one at a time (column generation: Celli and Gatti, "Computational Results for Extensive-Form Adversarial
Team Games", AAAI 2018): a linear programme finds the saboteur's best play against a mixture of the plans so far, an
integer programme the plan that does best against it. The value is exact once no plan does better.

Run as ``saboteur-env study team-maxmin --mine K3``.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

from saboteur_env.engine.cards import MINER, SABOTEUR
from saboteur_env.mines import mine_of
from saboteur_env.terminal import console, plain_table, progress

from .cfr import DISCOUNTED, Cfr
from .tree import Floats, Ints, Tree, build
from .values import saboteur_response

STUDY = "team-maxmin"
TOLERANCE = 1e-9  # of values, which are probabilities


class TeamMaxmin(NamedTuple):
    """What a team of miners can secure.

    Attributes:
        value: how likely they win against the best saboteur, with correlation.
        above: no plan does better against the saboteur that was found; at the end as good as `value`.
        plans: how many joint plans were needed.
    """

    value: float
    above: float
    plans: int


class Sequences:
    """The sequence form (von Stengel, "Efficient Computation of Behavior Strategies", 1996): every move as a variable.

    Variable 0 is the empty sequence, variable 1 + edge the move of that edge; a move is played as often as its
    information set is reached by the seat's own moves and then chooses it.

    Attributes:
        ends: int64[ends], the nodes where the miners win.
        last: int64[ends, seats], the variable of the last move of each seat before.
        chances: float64[ends], how likely chance leads there.
        saboteur: int64[ends], the seat of the saboteur.

    Raises: ValueError for rules with several saboteurs.
    """

    def __init__(self, tree: Tree) -> None:
        if tree.rules.role_table[0] != 1:
            raise ValueError(f"team-maxmin is computed for one saboteur, not {tree.rules.role_table[0]}")
        self.tree, self.size = tree, int(tree.first[-1]) + 1
        last = np.zeros((tree.nodes, tree.rules.players), np.int64)
        for node in range(1, tree.nodes):
            last[node] = last[tree.parent[node]]
            if tree.edge[node] >= 0:
                last[node, tree.seat[tree.parent[node]]] = 1 + tree.edge[node]
        self._above = last[tree.info_node, tree.info_seat]
        self.ends = np.flatnonzero(tree.miners_won)
        self.last, deals = last[self.ends], tree.deal[self.ends]
        self.chances = tree.deals.chances[deals]
        roles = np.array([[game.private[seat].role for seat in range(tree.rules.players)] for game in tree.deals.games])
        self.saboteur = (roles == SABOTEUR).argmax(1)[deals]

    def constraints(self, role: int) -> tuple[Any, Floats, Floats]:
        """What makes variables a plan of all seats in a role: a matrix with its right-hand side, and upper bounds."""
        from scipy.sparse import coo_array

        sets = np.flatnonzero(self.tree.info_role == role)
        sizes = np.diff(self.tree.first)[sets]
        moves = np.concatenate([np.arange(*self.tree.first[info : info + 2]) + 1 for info in sets])
        row = np.repeat(np.arange(1, len(sets) + 1), sizes)
        rows = np.concatenate([[0], row, np.arange(1, len(sets) + 1)])
        columns = np.concatenate([[0], moves, self._above[sets]])
        entries = np.concatenate([[1], np.ones(len(moves)), -np.ones(len(sets))])
        most = np.zeros(self.size)
        most[[0, *moves]] = 1
        right = np.zeros(len(sets) + 1)
        right[0] = 1
        return coo_array((entries, (rows, columns)), (len(right), self.size)).tocsr(), right, most

    def worth(self, plan: Floats) -> Floats:
        """How likely the miners win by a plan of theirs after each last move of the saboteur: float64[variables]."""
        theirs = np.arange(self.last.shape[1]) == self.saboteur[:, None]
        reached = np.where(theirs, 1.0, plan[self.last]).prod(1)
        return np.bincount(self._saboteurs_last(), self.chances * reached, self.size).astype(np.float64)

    def likely(self, saboteur: Floats) -> Floats:
        """How likely chance and a saboteur lead to each end: float64[ends]."""
        result: Floats = self.chances * saboteur[self._saboteurs_last()]
        return result

    def _saboteurs_last(self) -> Ints:
        return self.last[np.arange(len(self.ends)), self.saboteur]


def team_maxmin(tree: Tree, advance: Any = lambda value, above: None) -> TeamMaxmin:
    """What miners secure who share random numbers that the saboteur does not see.

    Args:
        advance: called with the bounds of the value after each plan.

    Raises: ValueError for rules with several saboteurs.
    """
    sequences, plans = Sequences(tree), list[Floats]()
    saboteurs, oracle = sequences.constraints(SABOTEUR), _Oracle(sequences)
    while True:
        value, saboteur = _answer(sequences, saboteurs, plans)
        above, plan = oracle.best(sequences.likely(saboteur))
        advance(value, above)
        if above <= value + TOLERANCE:
            return TeamMaxmin(value, above, len(plans))
        plans.append(sequences.worth(plan))


def _answer(sequences: Sequences, constraints: Any, plans: list[Floats]) -> tuple[float, Floats]:
    # The saboteur that holds the best of the plans lowest.
    from scipy.optimize import linprog
    from scipy.sparse import block_array, csr_array

    matrix, right, most = constraints
    goal = np.append(np.zeros(sequences.size), 1.0)
    equal = block_array([[matrix, csr_array((len(right), 1))]])
    below = np.column_stack([np.array(plans), -np.ones(len(plans))]) if plans else None
    bounds = [*((0, bound) for bound in most), (0, 1)]
    found = linprog(goal, below, np.zeros(len(plans)) if plans else None, equal, right, bounds, "highs")
    return float(found.fun), found.x[:-1]


class _Oracle:
    """The joint plan that does best against a saboteur: an integer programme. An end counts if all miners go there."""

    def __init__(self, sequences: Sequences) -> None:
        from scipy.sparse import block_array, coo_array, csr_array

        ends, seats = sequences.last.shape
        matrix, self._right, most = sequences.constraints(MINER)
        end, seat = np.nonzero(np.arange(seats) != sequences.saboteur[:, None])
        rows = np.arange(len(end))
        limits = -coo_array((np.ones(len(end)), (rows, sequences.last[end, seat])), (len(end), sequences.size))
        goes = coo_array((np.ones(len(end)), (rows, end)), (len(end), ends))
        self._equal = block_array([[matrix, csr_array((len(self._right), ends))]])
        self._limits = block_array([[limits, goes]])
        self._most = np.append(most, np.ones(ends))
        self._whole = np.append(np.ones(sequences.size), np.zeros(ends))

    def best(self, likely: Floats) -> tuple[float, Floats]:
        """How likely the miners win by it, and the plan."""
        from scipy.optimize import Bounds, LinearConstraint, milp

        size = len(self._whole) - len(likely)
        constraints = [
            LinearConstraint(self._equal, self._right, self._right),
            LinearConstraint(self._limits, -np.inf, 0),
        ]
        goal = -np.append(np.zeros(size), likely)
        found = milp(goal, integrality=self._whole, bounds=Bounds(0, self._most), constraints=constraints)
        return -float(found.fun), np.round(found.x[:size])


def main(mine: Annotated[str, typer.Option(help="The small mine, with one saboteur.")] = "K3") -> None:
    """What miners can secure on a small mine if they agree on everything beforehand, beside the equilibrium found."""
    tree = build(mine_of(mine).rules())
    with progress() as bar:
        task = bar.add_task("joint plans", total=None)
        secured = team_maxmin(tree, lambda value, above: bar.advance(task))
    solver = Cfr(tree, DISCOUNTED)
    solver.step(300)
    worst = (1 - saboteur_response(tree, solver.profile()).value) / 2
    rows = [
        ["the equilibrium that was found, in the worst case", f"{worst:.4%}", ""],
        ["team-maxmin with correlation", f"{secured.value:.4%}", f"{secured.plans}"],
    ]
    console.print(plain_table(f"How often the miners win on {mine}", ["play", "at least", "joint plans"], rows))
