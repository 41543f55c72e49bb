"""Rounds at mixed tables: a dwarf drawn at random for its role plays each seat. The whole round is stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from saboteur_env.agents.matches.kernel_matches import random_key_of
from saboteur_env.agents.scripted.policy import WORKSPACE
from saboteur_env.agents.scripted.presets import DWARFS, number_of
from saboteur_env.agents.scripted.select import choose
from saboteur_env.core import prng
from saboteur_env.core.compiled.jit import ZERO, kernel
from saboteur_env.engine.cards import MINER
from saboteur_env.engine.deal import start_match
from saboteur_env.engine.editions import Rules
from saboteur_env.engine.play import play_unchecked
from saboteur_env.engine.state import MAX_PLAYERS, Games, blank, to_move


class Rounds(NamedTuple):
    """Finished rounds.

    Attributes:
        games: STATE[n], each at the end of its round, its events and secrets with it.
        dwarfs: int64[n, 10], who sat where: indices into `miners + saboteurs`, -1 for no seat.
    """

    games: Games
    dwarfs: npt.NDArray[np.int64]


def play_rounds(rules: Rules, seeds: npt.NDArray[np.uint64], miners: Sequence[str], saboteurs: Sequence[str]) -> Rounds:
    """Play the first round of a match for each seed.

    Args:
        seeds: uint64[n].
        miners, saboteurs: names of dwarfs (presets.py); every seat draws one of its role, each as likely.
    """
    rows = [DWARFS[[number_of(name) for name in names]] for names in (miners, saboteurs)]
    return play_dwarfs(rules, seeds, *rows)


def play_dwarfs(rules: Rules, seeds: npt.NDArray[np.uint64], miners: Any, saboteurs: Any) -> Rounds:
    """The same for dwarfs by their parameters.

    Args:
        seeds: uint64[n].
        miners, saboteurs: DWARF[k] (params.py).
    """
    games, dwarfs = blank(len(seeds)), np.full((len(seeds), MAX_PLAYERS), -1, np.int64)
    rules.write(games[0].public.rules)
    games["public"]["rules"] = games[0].public.rules
    matchup = np.concatenate([miners, saboteurs])
    _play(games, seeds, matchup, len(miners), dwarfs, np.zeros(1, WORKSPACE))
    return Rounds(games, dwarfs)


@kernel
def _play(games: Games, seeds: Any, matchup: Any, miners: int, dwarfs: Any, scratches: Any) -> None:
    for i in range(len(games)):
        game, public = games[i], games[i].public
        start_match(game, seeds[i])
        for seat in range(public.rules.players):
            random_key = prng.key(seeds[i], prng.SEAT_DRAWS, seat)
            if game.private[seat].role == MINER:
                dwarfs[i, seat] = prng.below(random_key, ZERO, miners)[0]
            else:
                dwarfs[i, seat] = miners + prng.below(random_key, ZERO, len(matchup) - miners)[0]
        while not public.over:
            dwarf = matchup[dwarfs[i, public.seat]]
            play_unchecked(game, choose(dwarf, to_move(game), random_key_of(public, seeds[i]), scratches[0]))
