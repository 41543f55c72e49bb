"""Rounds that the role network learns from and is judged on: the numbers of all seats before moves, and roles."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from saboteur_env.agents.beliefs.action_model_file import doubting, fitted
from saboteur_env.agents.beliefs.role_inputs import EVIDENCE, SEAT_ROW, SEAT_ROWS, ReadModels, forget, note, write_table
from saboteur_env.agents.beliefs.role_network import RoleNetwork, log_odds
from saboteur_env.core.compiled.jit import kernel
from saboteur_env.engine.editions import Rules
from saboteur_env.engine.moves import PASS, move_of, seat_of, verb_of
from saboteur_env.engine.state import MAX_GOALS, Games
from saboteur_env.inference.rewind import replay, rewind

from .belief_scores import THIRDS
from .mixed_tables import Rounds

Floats = npt.NDArray[np.float64]


class Positions(NamedTuple):
    """Positions of rounds with the same number of players, before moves.

    Attributes:
        seats: float32[n, players, rows], the numbers of each seat.
        saboteur: bool[n, players], what was true.
        mover: int8[n], the seat to move.
        round: int32[n], which round.
        third: int8[n], of the moves of the round.
    """

    seats: Any
    saboteur: Any
    mover: Any
    round: Any
    third: Any


def read_styles() -> ReadModels:
    """The action models that the network reads."""
    return ReadModels(fitted().styles, doubting().styles)


def positions(rounds: Rounds, styles: ReadModels, every: npt.NDArray[np.bool_] | None = None) -> Positions:
    """The positions of finished rounds.

    Args:
        styles: of the action models whose evidence the network reads.
        every: bool[all events], which of them to take, by round and event; all if not given.
    """
    public = rounds.games["public"]
    players, events = int(public["rules"]["players"][0]), int(public["event_count"].sum())
    taken = np.ones(events, np.bool_) if every is None else every
    size = int(taken.sum())
    seats = np.zeros((size, players, len(SEAT_ROWS)), np.float32)
    columns = np.zeros((3, size), np.int64)
    done = _collect(rounds.games, taken, styles, np.zeros(1, EVIDENCE), seats, columns)
    mover, number, third = columns[:, :done]
    saboteur = rounds.games["private"]["role"][number, :players] > 0
    return Positions(seats[:done], saboteur, mover, number.astype(np.int32), third.astype(np.int8))


def network_beliefs(rounds: Rounds, network: RoleNetwork) -> Floats:
    """The beliefs of the seat to move about each other seat, before each action, in the order of `score_beliefs`."""
    part = positions(rounds, network.styles)
    odds = log_odds(network.weights[0], part.seats)
    odds[part.seats[:, :, SEAT_ROW.acts].sum(1) == 0] = 0  # before the first act the network says nothing
    return believed(odds, part)[others(part)]


def believed(odds: npt.NDArray[np.float32], part: Positions) -> Floats:
    """What the seats to move believe by Bayes' rule, as `weigh_worlds` (filter.py): float64[n, players].

    Args:
        odds: float32[n, players], what the acts of each seat add to its log odds.
    """
    sets, rows = role_sets(odds.shape[1]), np.arange(len(odds))
    weights = odds.astype(np.float64) @ sets.T
    weights[part.saboteur[rows, part.mover][:, None] != sets[:, part.mover].T] = -np.inf
    weights = np.exp(weights - weights.max(1, keepdims=True))
    result: Floats = weights @ sets / weights.sum(1, keepdims=True)
    return result


def others(part: Positions) -> npt.NDArray[np.bool_]:
    """The seats that do not move: bool[n, players]."""
    result = np.ones(part.saboteur.shape, np.bool_)
    result[np.arange(len(result)), part.mover] = False
    return result


@cache
def role_sets(players: int) -> npt.NDArray[np.bool_]:
    """All sets of saboteurs that can be dealt, each as likely (rule 2.3): bool[sets, players]."""
    saboteurs, miners = Rules.make(players, rounds=1).role_table
    dealt = combinations(range(saboteurs + miners), saboteurs)
    return np.array([[seat in chosen for seat in range(players)] for chosen in dealt])


@kernel
def _collect(games: Games, taken: Any, styles: ReadModels, room: Any, seats: Any, columns: Any) -> int:
    evidence, done, at = room[0], 0, 0
    game = evidence.game
    for i in range(len(games)):
        public = games[i].public
        forget(evidence)
        rewind(public, game)
        for goal in range(MAX_GOALS):  # a map shows its reader the true face
            game.secret.face[goal] = games[i].secret.face[goal]
        for j in range(public.event_count):
            event = np.int64(public.events[j])
            if taken[at] and verb_of(move_of(event)) < PASS:
                write_table(game.public, evidence)
                for seat in range(public.rules.players):
                    for row in range(seats.shape[2]):
                        seats[done, seat, row] = evidence.seats[seat, row]
                columns[0, done], columns[1, done] = seat_of(event), i
                columns[2, done] = len(THIRDS) * j // np.int64(public.event_count)
                done += 1
            at += 1
            note(game.public, event, styles, evidence)
            replay(game, event)
    return done
