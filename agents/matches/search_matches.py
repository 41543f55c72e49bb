"""Whole matches with a search agent in some seats, the others played in a kernel: for studies of its strength.

The deals, the replaced seats and the random numbers of the scripted dwarfs are those of kernel_matches.py. A match here
and a match there with the same seed are therefore a pair.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.core.compiled.jit import kernel
from saboteur_env.engine.bitboard import has
from saboteur_env.engine.editions import Rules
from saboteur_env.engine.play import play_unchecked
from saboteur_env.engine.state import InfoState, State, blank, to_move

from ..scripted.policy import WORKSPACE, Workspace
from ..scripted.presets import DWARFS, number_of
from ..scripted.select import choose
from ..search.ismcts import Search, Settings
from .kernel_matches import ROUND, deal_next, random_key_of, substitute_seat, write_result


def play_searched(
    rules: Rules,
    seeds: npt.NDArray[np.uint64],
    settings: Settings,
    role: int,
    team: bool = False,
    base: str = "scripted",
) -> npt.NDArray[np.void]:
    """Play one match for each seed with a search agent among preset dwarfs.

    Args:
        seeds: uint64[n].
        settings: how it searches.
        role: MINER or SABOTEUR (engine/cards.py), that of the seats it takes.
        team: all seats of that role in each round; one of them, at random, otherwise.
        base: who sits in the others.

    Returns: ROUND[n * rounds], the rounds of each match one after the other. `substitute` is the seat taken, -1 where
        there was none, and for a team.
    """
    games, results, search = blank(), np.zeros(len(seeds) * rules.rounds, ROUND), Search(settings)
    rules.write(games[0].public.rules)
    game, public, dwarf, scratch = games[0], games[0].public, DWARFS[number_of(base)], np.zeros(1, WORKSPACE)[0]
    for i in range(len(results)):
        seed = np.uint64(deal_next(game, seeds, i))
        seat = -1 if team else substitute_seat(game, seed, role)
        seats = [who for who in range(rules.players) if who == seat or (team and game.private[who].role == role)]
        searching = np.uint64(sum(1 << who for who in seats))
        while _play_on(game, seed, dwarf, searching, scratch):
            known = InfoState(public, game.private[public.seat], int(public.seat))
            play_unchecked(game, search.choose(known, np.uint64(random_key_of(public, seed))))
        write_result(game, seed, seat, results[i])
    return results


@kernel
def _play_on(game: State, seed: np.uint64, dwarf: Any, searching: np.uint64, scratch: Workspace) -> bool:
    """Let a dwarf move for all seats outside a set; whether a seat of the set is to move then, or the round is over."""
    public = game.public
    while not (public.over or has(searching, public.seat)):
        known = to_move(game)
        play_unchecked(game, choose(dwarf, known, random_key_of(public, seed), scratch))
    return not public.over
