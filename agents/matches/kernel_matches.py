"""Whole matches in one kernel. It deals, asks the dwarf of each role for its moves, and records how rounds end."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.batch.seats import seat_of_role
from saboteur_env.core import prng
from saboteur_env.core.compiled.jit import kernel
from saboteur_env.core.compiled.memory import Record, record_dtype
from saboteur_env.engine.deal import start_match
from saboteur_env.engine.editions import Rules
from saboteur_env.engine.gold import nuggets
from saboteur_env.engine.moves import PASS, move_of, verb_of
from saboteur_env.engine.play import next_round_unchecked, play_unchecked
from saboteur_env.engine.state import MAX_PLAYERS, Games, Public, State, blank, to_move

from ..scripted.policy import WORKSPACE, Workspace
from ..scripted.presets import DWARFS
from ..scripted.select import choose

# How one round ended. `roles`: a bit for each seat that was a saboteur, bit 10 for the dwarf aside.
ROUND = record_dtype(
    ("seed", "u8"),
    ("number", "i1"),
    ("winner", "i1"),  # as in engine/state.py
    ("first_seat", "i1"),
    ("last_seat", "i1"),
    ("roles", "i2"),
    ("turns", "i2"),
    ("nuggets", "i1", MAX_PLAYERS),  # held at its end
    ("substitute", "i1"),  # the seat that a substitute took, -1 where none did
)


class Round(Record):
    """A `ROUND` record, as kernels take it."""


def play_matches(
    rules: Rules, seeds: npt.NDArray[np.uint64], miner: int, saboteur: int, substitute: int = -1, role: int = -1
) -> npt.NDArray[np.void]:
    """Play one match for each seed, all miners by one preset dwarf and all saboteurs by another.

    Releases the interpreter lock, so that threads share the work.

    Args:
        seeds: uint64[n].
        miner, saboteur: numbers of dwarfs (presets.py).
        substitute: a dwarf that takes one seat of `role` in each round, at random; -1 for none.
        role: MINER or SABOTEUR (engine/cards.py).

    Returns: ROUND[n * rounds], the rounds of each match one after the other.
    """
    return play_teams(rules, seeds, DWARFS[[miner, saboteur, substitute]], role)


def play_teams(
    rules: Rules, seeds: npt.NDArray[np.uint64], dwarfs: npt.NDArray[np.void], role: int = -1
) -> npt.NDArray[np.void]:
    """As `play_matches`.

    Args:
        seeds: uint64[n].
        dwarfs: DWARF[k] (params.py): of the miners, of the saboteurs, and the substitute where there is a `role`.
    """
    games = blank()
    rules.write(games[0].public.rules)
    results = np.zeros(len(seeds) * rules.rounds, ROUND)
    _play_matches(games, seeds, dwarfs, role, np.zeros(1, WORKSPACE), results)
    return results


@kernel
def _play_matches(games: Games, seeds: Any, dwarfs: Any, role: int, scratches: Any, results: Any) -> None:
    game = games[0]
    for i in range(len(results)):
        seed = deal_next(game, seeds, i)
        seat = substitute_seat(game, seed, role)
        _play_round(game, seed, dwarfs, seat, scratches[0])
        write_result(game, seed, seat, results[i])


@kernel
def deal_next(game: State, seeds: npt.NDArray[np.uint64], done: int) -> np.uint64:
    """Deal the next round of some matches, one match after the other; returns the seed of its match.

    Args:
        seeds: uint64[matches].
        done: how many rounds were played before.

    Mutates: game.
    """
    match, number = divmod(done, np.int64(game.public.rules.rounds))
    if number == 0:
        start_match(game, seeds[match])
    else:
        next_round_unchecked(game)
    return seeds[match]


@kernel
def substitute_seat(game: State, seed: np.uint64, role: int) -> int:
    """The seat that a substitute takes in this round: one of those with the role, at random; -1 where there is none."""
    return seat_of_role(game, role, prng.key(seed, np.int64(game.public.round_number) + prng.SUBSTITUTES, role))


@kernel
def random_key_of(public: Public, seed: np.uint64) -> np.uint64:
    """The random key with which a dwarf chooses its next move in the match of a seed."""
    return prng.key(seed, np.int64(public.round_number) + prng.AGENTS, np.int64(public.event_count))


@kernel
def _play_round(game: State, seed: np.uint64, dwarfs: Any, substitute: int, scratch: Workspace) -> None:
    public = game.public
    while not public.over:
        known = to_move(game)
        dwarf = dwarfs[2] if known.seat == substitute else dwarfs[known.private.role]
        play_unchecked(game, choose(dwarf, known, random_key_of(public, seed), scratch))


@kernel
def write_result(game: State, seed: np.uint64, substitute: int, result: Round) -> None:
    """Write the result of a round and its substitute. Mutates: result."""
    public = game.public
    result.seed, result.substitute = seed, substitute
    result.number, result.winner, result.roles = public.round_number, public.winner, public.roles
    result.first_seat, result.last_seat = public.first_seat, public.last_seat
    for i in range(public.event_count):
        verb = verb_of(move_of(np.int64(public.events[i])))
        result.turns += verb <= PASS
    for seat in range(public.rules.players):
        result.nuggets[seat] = nuggets(game.private[seat])
