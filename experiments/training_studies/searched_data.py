"""Decisions whose moves were searched, for expert iteration: policies as a search would improve them.

The student plays. Where it hesitates a search tries its moves, and says how often its side wins after each. The
improved policy plays a move more often if it wins more than the moves of the policy do on average (Danihelka and
others, "Policy improvement by planning with Gumbel", 2022). Moves that were not tried count as average ones. Other
decisions are kept with the policy as it is, so that nothing else is unlearned.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env import make_vec
from saboteur_env.agents.search.ismcts import Search
from saboteur_env.core.seeds import game_seed
from saboteur_env.engine.moves import text_of
from saboteur_env.engine.state import MAX_PLAYERS
from saboteur_env.environment.settings import Settings

from ..training.small.inputs import SmallReader
from .distil_data import Decisions, Student, controllers, drawn, joined, read_decisions

CLEAR_CHOICE = 0.9  # a decision is searched where no move is likelier
SEARCHED_A_STEP = 4  # decisions that are searched in a step of the batch, and others that are kept
SHARPNESS = 50.0  # what a win is worth in log-probability

Floats = npt.NDArray[np.float32]


def collect_searched(
    search: Search,
    decisions: int,
    seed: int,
    student: Student,
    games: int = 128,
    progress: Callable[[int], object] = lambda decisions: None,
) -> Decisions:
    """Play games of 3 to 10 players by a student, and search some of its decisions.

    Args:
        decisions: at least so many, half of them searched.
        seed: of the deals (`Purpose.LEARNING`), and of all that is drawn.
        student: whose policy is improved.
        progress: called with the number of decisions just kept.
    """
    players = [3 + i % (MAX_PLAYERS - 2) for i in range(games)]
    rules = Settings(rounds=1)
    vec: Any = make_vec(
        games, players, game_seed(seed, 0), 1, observations=False, legal="moves", mask=None, settings=rules
    )
    rng, reader, parts = np.random.default_rng([seed, 2]), SmallReader(vec), list[Decisions]()
    vec.control(controllers(rng, games))
    vec.reset()
    while sum(len(part.counts) for part in parts) < decisions:
        seen = read_decisions(reader)
        likely = student(seen)
        searched, others = _chosen(seen.counts, likely, rng)
        shares = likely.copy()
        for row in searched.tolist():
            moves = seen.moves_of(np.array([row]))
            won = search_moves(search, vec, row, len(moves), int(rng.integers(2**62)))
            shares[moves] = improved_policy(likely[moves], won)
        parts.append(seen._replace(share=shares).part(np.concatenate([searched, others])))
        vec.take(drawn(likely, seen.counts, places(seen.counts), rng.random(games)))
        progress(len(parts[-1].counts))
    return joined(parts)


def _chosen(counts: Any, likely: Floats, rng: np.random.Generator) -> tuple[Any, Any]:
    # Decisions to search, among those where the student hesitates, and others.
    most = np.maximum.reduceat(likely, np.cumsum(counts) - counts)
    open_, order = np.flatnonzero(most < CLEAR_CHOICE), rng.permutation(len(counts))
    searched = rng.permutation(open_)[:SEARCHED_A_STEP]
    return searched, order[~np.isin(order, searched)][:SEARCHED_A_STEP]


def places(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """For each move of all decisions, its place among those of its decision: int64[m].

    Args:
        counts: int64[n], the moves of each decision.
    """
    return np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)


def search_moves(search: Search, vec: Any, game: int, moves: int, seed: int) -> npt.NDArray[np.float64]:
    """How often its side wins after each of the first moves of a decision: float64[moves], NaN for those not tried.

    Args:
        vec: a batch whose `legal` lists moves; game: the number of one of its games.
    """
    values = search.values(vec.game(game).view(int(vec.seat[game])), seed)
    listed = vec.legal[game, :moves].tolist()
    return np.array([values.get(text_of(number), math.nan) for number in listed])


def improved_policy(policy: Floats, won: npt.NDArray[np.float64]) -> Floats:
    """A policy that plays a move more often, the more often it wins.

    Args:
        policy: float32[k], how likely it plays each move.
        won: float64[k], how often its side wins after each, NaN for moves that were not tried.
    """
    tried = ~np.isnan(won)
    if not tried.any():
        return policy
    mean = (policy * won)[tried].sum() / policy[tried].sum()
    weights = policy * np.exp(SHARPNESS * np.where(tried, won - mean, 0.0))
    result: Floats = (weights / weights.sum()).astype(np.float32)
    return result
