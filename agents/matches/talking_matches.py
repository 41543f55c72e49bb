"""Whole matches of dwarfs that talk in one kernel, as kernel_matches.py plays them, and what was claimed in them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.core.compiled.jit import kernel
from saboteur_env.core.compiled.memory import record_dtype
from saboteur_env.engine.cards import MINER, ROLES, TREASURE
from saboteur_env.engine.editions import Rules
from saboteur_env.engine.moves import (
    ACCUSE,
    CLAIM,
    CLAIMS,
    READ,
    SAY_NOTHING,
    SAY_TREASURE,
    card_of,
    move_of,
    seat_of,
    target_of,
    verb_of,
)
from saboteur_env.engine.play import play_unchecked
from saboteur_env.engine.state import Games, State, blank, to_move

from ..talk.talker import HEARD, Talking, choose_talking
from .kernel_matches import ROUND, deal_next, random_key_of, write_result

# What was said in a round, with the truth in hand.
SAID = record_dtype(
    ("maps", "i2", len(ROLES)),  # read, by role
    ("claims", "i2", (len(ROLES), 2, len(CLAIMS))),  # by role, face (stone, treasure) and claim
    ("lies", "i2", len(ROLES)),
    ("words", "i2", (len(ROLES), len(ROLES), 2)),  # by role of the speaker and of whom it names: accusations, vouchers
)


def play_talking(
    rules: Rules, seeds: npt.NDArray[np.uint64], miner: Talking, saboteur: Talking
) -> tuple[npt.NDArray[np.void], npt.NDArray[np.void]]:
    """Play one match for each seed, all miners by one talker and all saboteurs by another.

    Releases the interpreter lock, so that threads share the work.

    Args:
        seeds: uint64[n].

    Returns: ROUND[n * rounds] and SAID[n * rounds], the rounds of each match one after the other.
    """
    games = blank()
    rules.write(games[0].public.rules)
    results, said = np.zeros(len(seeds) * rules.rounds, ROUND), np.zeros(len(seeds) * rules.rounds, SAID)
    _play(games, seeds, miner, saboteur, np.zeros(1, HEARD), results, said)
    return results, said


@kernel
def _play(games: Games, seeds: Any, miner: Talking, saboteur: Talking, rooms: Any, results: Any, said: Any) -> None:
    game, public = games[0], games[0].public
    for i in range(len(results)):
        seed = deal_next(game, seeds, i)
        while not public.over:
            known = to_move(game)
            talker = miner if known.private.role == MINER else saboteur
            play_unchecked(game, choose_talking(talker, known, random_key_of(public, seed), rooms[0]))
        write_result(game, seed, -1, results[i])
        _write_said(game, said[i])


@kernel
def _write_said(game: State, said: Any) -> None:
    public = game.public
    for i in range(public.event_count):
        event = np.int64(public.events[i])
        number, role = move_of(event), np.int64(game.private[seat_of(event)].role)
        if verb_of(number) == READ:
            said.maps[role] += 1
        if verb_of(number) >= ACCUSE:
            said.words[role, np.int64(game.private[target_of(number)].role), verb_of(number) - ACCUSE] += 1
        if verb_of(number) == CLAIM:
            face, claim = np.int64(game.secret.face[target_of(number)] == TREASURE), card_of(number)
            said.claims[role, face, claim] += 1
            said.lies[role] += claim != SAY_NOTHING and (claim == SAY_TREASURE) != face
