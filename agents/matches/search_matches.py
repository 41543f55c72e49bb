"""Whole matches with a search agent in some seats, in one kernel: for studies of its strength.

The deals, the replaced seats and the random numbers of the scripted dwarfs are those of kernel_matches.py. A match here
and a match there with the same seed are therefore a pair.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from saboteur_env.core.compiled.jit import kernel
from saboteur_env.engine.editions import Rules
from saboteur_env.engine.play import play_unchecked
from saboteur_env.engine.state import Games, State, blank, to_move

from ..scripted.presets import DWARFS, number_of
from ..scripted.select import choose
from ..search.ismcts import Settings
from ..search.sequential_halving import Searcher, search
from ..search.tree import Plan
from .kernel_matches import ROUND, deal_next, random_key_of, substitute_seat, write_result


class Side(NamedTuple):
    """The seats of a search agent and its settings, as kernels read them.

    Attributes:
        role: that of its seats.
        team: whether it takes all seats of that role in each round, or one of them.
        searcher, width, iterations, plan: as of `search`.
    """

    role: int
    team: bool
    searcher: Searcher
    width: int
    iterations: int
    plan: Plan


def play_searched(
    rules: Rules,
    seeds: npt.NDArray[np.uint64],
    settings: Settings,
    role: int,
    team: bool = False,
    base: str = "scripted",
) -> npt.NDArray[np.void]:
    """Play one match for each seed with a search agent among preset dwarfs.

    Releases the interpreter lock, so that threads share the work.

    Args:
        seeds: uint64[n].
        settings: how it searches, by number of games; a time is not looked at.
        role: MINER or SABOTEUR (engine/cards.py), that of the seats it takes.
        team: all seats of that role in each round; one of them, at random, otherwise.
        base: who sits in the others.

    Returns: ROUND[n * rounds], the rounds of each match one after the other. `substitute` is the seat taken, -1 where
        there was none, and for a team.
    """
    games, results = blank(), np.zeros(len(seeds) * rules.rounds, ROUND)
    rules.write(games[0].public.rules)
    side = Side(role, team, settings.searcher(), settings.max_candidates, settings.iterations, settings.plan())
    _play(games, seeds, DWARFS[[number_of(base)]], side, results)
    return results


@kernel
def _play(games: Games, seeds: Any, dwarfs: Any, side: Side, results: Any) -> None:
    game = games[0]
    for i in range(len(results)):
        seed = deal_next(game, seeds, i)
        seat = -1 if side.team else substitute_seat(game, seed, side.role)
        _play_round(game, seed, dwarfs[0], seat, side)
        write_result(game, seed, seat, results[i])


@kernel
def _play_round(game: State, seed: np.uint64, dwarf: Any, searching: int, side: Side) -> None:
    # The others borrow the room of the first tree.
    public, searcher = game.public, side.searcher
    while not public.over:
        known, random_key = to_move(game), random_key_of(public, seed)
        if known.seat == searching or (side.team and known.private.role == side.role):
            number = search(searcher, known, side.width, side.iterations, random_key, side.plan)
        else:
            number = choose(dwarf, known, random_key, searcher.trees[0].space)
        play_unchecked(game, number)
