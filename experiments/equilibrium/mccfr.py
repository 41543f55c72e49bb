"""External-sampling Monte Carlo CFR: one deal at a time, all moves of one seat, one move of every other.

After Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo Sampling for Regret Minimization in Extensive Games" (2009).
The average of a seat is taken along a walk of its own, where that seat plays its profile and all others any legal move.
With three seats or more the others' profiles must not decide where the average is taken: what they have given up would
never be averaged again, and the seat that could go there would be answered by early play.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from saboteur_env.core.compiled.jit import ONE, ZERO, kernel
from saboteur_env.core.prng import SAMPLED, key, number
from saboteur_env.core.seeds import checked_seed

from .passes import in_sets
from .tree import Floats, Ints, Links, Tree

_TO_UNIT = 2.0**-53
_11 = np.uint64(11)


class Run(NamedTuple):
    """What the kernels of a run read and write.

    Attributes:
        seats: who moves at each node.
        payoffs: float64[seats, nodes].
        until: float64[deals], how likely the deals up to each are together.
        regrets, sums: of each move, and how often it was played.
        queue, worth: the nodes of a sample, level by level, and what each node of it is worth to the learner.
    """

    seats: Ints
    payoffs: Floats
    until: Floats
    regrets: Floats
    sums: Floats
    queue: Ints
    worth: Floats


class Mccfr:
    """A run of external sampling. The same seed gives the same run.

    Attributes:
        iterations: done so far; one is a sampled deal for every seat.
    """

    def __init__(self, tree: Tree, seed: int = 0) -> None:
        self.tree, self.iterations = tree, 0
        self._seed = np.uint64(checked_seed(seed))
        regrets, sums = np.zeros((2, tree.first[-1]))
        queue, worth = np.empty(tree.nodes, np.int64), np.empty(tree.nodes)
        until = np.cumsum(tree.deals.chances)
        self._run = Run(tree.seat, tree.payoffs, until, regrets, sums, queue, worth)

    def step(self, iterations: int = 1) -> None:
        """Some iterations."""
        _iterate(self.tree.links, self._run, self._seed, self.iterations, self.iterations + iterations)
        self.iterations += iterations

    def profile(self) -> Floats:
        """The average so far."""
        return in_sets(self.tree, self._run.sums)


@kernel
def _iterate(links: Links, run: Run, seed: np.uint64, begin: int, end: int) -> None:
    for iteration in range(begin, end):
        for seat in range(len(run.payoffs)):
            stream = key(seed, iteration * len(run.payoffs) + seat, SAMPLED)
            counter = _traverse(links, run, seat, stream)
            _average(links, run, seat, stream, counter)


@kernel
def _dealt(run: Run, stream: np.uint64, counter: np.uint64) -> int:
    lot = _unit(stream, counter) * run.until[-1]
    return 1 + np.searchsorted(run.until, lot, side="right")


@kernel
def _unit(stream: np.uint64, counter: np.uint64) -> float:
    return np.float64(number(stream, counter) >> _11) * _TO_UNIT


@kernel
def _traverse(links: Links, run: Run, seat: int, stream: np.uint64) -> np.uint64:
    # Level by level: first down, sampling, then up, with what was sampled. Mutates: run. Returns: the next counter.
    seats, regrets, queue, worth = run.seats, run.regrets, run.queue, run.worth
    queue[0], size, at, counter = _dealt(run, stream, ZERO), 1, 0, ONE
    while at < size:
        node = queue[at]
        at += 1
        worth[node] = run.payoffs[seat, node]
        begin, end = links.child[node], links.child[node + 1]
        if begin < end and seats[node] != seat:
            begin += _sampled(regrets, links.edge[begin], end - begin, _unit(stream, counter))
            end, counter = begin + 1, counter + ONE
        for child in range(begin, end):
            queue[size] = child
            size += 1
    for i in range(size - 1, -1, -1):
        _learn(links, seats[queue[i]] == seat, queue[i], regrets, worth)
        if i > 0 and seats[links.parent[queue[i]]] != seat:
            worth[links.parent[queue[i]]] = worth[queue[i]]
    return counter


@kernel
def _average(links: Links, run: Run, seat: int, stream: np.uint64, counter: np.uint64) -> None:
    # Mutates: run.
    node, counter = _dealt(run, stream, counter), counter + ONE
    while links.child[node] < links.child[node + 1]:
        begin, count = links.child[node], links.child[node + 1] - links.child[node]
        first, lot = links.edge[begin], _unit(stream, counter)
        counter += ONE
        if run.seats[node] != seat:
            node = begin + np.int64(lot * count)
            continue
        for choice in range(count):
            run.sums[first + choice] += _played(run.regrets, first, count, choice)
        node = begin + _sampled(run.regrets, first, count, lot)


@kernel
def _sampled(regrets: Any, first: int, count: int, lot: float) -> int:
    picked = 0
    for choice in range(count):
        share = _played(regrets, first, count, choice)
        if share > 0 and lot >= 0:
            picked = choice
        lot -= share
    return picked


@kernel
def _learn(links: Links, own: bool, node: int, regrets: Any, worth: Any) -> None:
    begin, end = links.child[node], links.child[node + 1]
    if not own or begin == end:
        return
    first, mean = links.edge[begin], 0.0
    for child in range(begin, end):
        mean += _played(regrets, first, end - begin, child - begin) * worth[child]
    for child in range(begin, end):
        regrets[first + child - begin] += worth[child] - mean
    worth[node] = mean


@kernel
def _played(regrets: Any, first: int, count: int, choice: int) -> float:
    # Regret matching: in proportion to regrets above 0.
    total = 0.0
    for edge in range(first, first + count):
        total += max(regrets[edge], 0.0)
    return max(regrets[first + choice], 0.0) / total if total > 0 else 1.0 / count
