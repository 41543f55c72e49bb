"""Whole matches with a searcher at some seats, in one kernel: for studies of what searching is worth.

The deals, the seats that are replaced and the lots of the scripted dwarfs are those of kernel_matches.py, so that
what it plays on the same seeds is the other half of a pair.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.core.compiled.jit import kernel
from saboteur_env.engine.deal import start_match
from saboteur_env.engine.editions import Rules
from saboteur_env.engine.legal import legal_moves
from saboteur_env.engine.play import next_round_unchecked, play_unchecked
from saboteur_env.engine.state import blank

from ..scripted.presets import DWARFS, number_of
from ..scripted.select import choose
from ..search.ismcts import Settings
from ..search.sequential_halving import search
from .kernel_matches import ROUND, note_round, stream_of, substitute_seat


def play_searched(
    rules: Rules,
    seeds: npt.NDArray[np.uint64],
    settings: Settings,
    role: int,
    team: bool = False,
    base: str = "scripted",
) -> npt.NDArray[np.void]:
    """Play one match for each seed with a searcher among dwarfs of the roster.

    Releases the interpreter lock, so that threads share the work.

    Args:
        seeds: uint64[n].
        settings: how it searches, by number of games; a time is not looked at.
        role: MINER or SABOTEUR (engine/cards.py), that of the seats it takes.
        team: all seats of that role in each round; one of them, by lot, otherwise.
        base: who sits in the others.

    Returns: ROUND[n * rounds], the rounds of each match one after the other. `substitute` is the seat taken, -1 where
        there was none, and for a team.
    """
    games, results = blank(), np.zeros(len(seeds) * rules.rounds, ROUND)
    rules.write(games[0].public.rules)
    search_with = settings.searcher(), settings.width, settings.iterations, settings.plan()
    _play(games, seeds, DWARFS[[number_of(base)]], role, team, search_with, results)
    return results


@kernel
def _play(games: Any, seeds: Any, dwarfs: Any, role: int, team: bool, search_with: Any, results: Any) -> None:
    game, done = games[0], 0
    for match in range(len(seeds)):
        start_match(game, seeds[match])
        while True:
            seat = -1 if team else substitute_seat(game, seeds[match], role)
            _play_round(game, seeds[match], dwarfs[0], seat, role if team else -1, search_with)
            note_round(game, seeds[match], seat, results, done)
            done += 1
            if game.public.round_number == game.public.rules.rounds:
                break
            next_round_unchecked(game)


@kernel
def _play_round(game: Any, seed: np.uint64, dwarf: Any, searching: int, role: int, search_with: Any) -> None:
    # One seat is searching, or all of a role; the others borrow the room of the first tree.
    public, (searcher, width, iterations, plan) = game.public, search_with
    room = searcher[2][0]
    while not public.over:
        seat, stream = np.int64(public.seat), stream_of(public, seed)
        own = game.private[seat]
        if seat == searching or own.role == role:
            number = search(searcher, (public, own, seat), width, iterations, stream, plan)
        else:
            count = legal_moves(public, own, room.moves)
            number = np.int64(room.moves[choose(dwarf, public, own, room.moves, count, stream, room.space)])
        play_unchecked(game, number)
