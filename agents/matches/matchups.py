"""Matches between named agents: dwarfs of kernels play in a kernel, all others in the validated single game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from saboteur_env.core.errors import IllegalMove, OpponentError
from saboteur_env.engine.cards import ROLES
from saboteur_env.engine.editions import Rules
from saboteur_env.game.game import Game

from ..base import Decision
from ..registry import make_agent
from ..scripted.presets import dwarf_of, plays_in_kernels
from .kernel_matches import ROUND, play_teams, random_key_of, substitute_seat, write_result
from .turns import Match, Turn, carry_out, play_alone

Seats = Sequence[str]  # who plays, seat by seat


class Matchup(NamedTuple):
    """The agents of a match, by name (registry.py).

    Attributes:
        miners, saboteurs: one for all seats of that role, in every round.
        substitute: takes one seat of the role `replaced` in every round, at random.
    """

    miners: str
    saboteurs: str
    substitute: str = ""
    replaced_role: str = ""

    @property
    def in_kernel(self) -> bool:
        """Whether all play in kernels."""
        return all(plays_in_kernels(name) for name in self[:3] if name)

    @property
    def role(self) -> int:
        """The number of the replaced role, -1 for none."""
        return ROLES.index(self.replaced_role) if self.replaced_role else -1

    def seats(self, game: Game, substitute: int) -> Seats:
        """The agents of the present round, seat by seat, including the substitute."""
        by_role = dict(zip(ROLES, self[:2], strict=True))
        seats = [by_role[game.view(seat).role] for seat in range(game.rules.players)]
        return [self.substitute if seat == substitute else name for seat, name in enumerate(seats)]


def play_matchup(rules: Rules, seeds: Sequence[int], matchup: Matchup) -> npt.NDArray[np.void]:
    """Play one match for each seed: ROUND[n * rounds], the rounds of each match one after the other.

    Raises: ValueError for an unknown name, and OpponentError for an agent that fails or answers with an illegal move.
    """
    if not matchup.in_kernel:
        return np.concatenate([play_match(rules, seed, matchup)[1] for seed in seeds])
    dwarfs = np.concatenate([dwarf_of(name) for name in matchup[:3] if name])
    return play_teams(rules, np.array(seeds, np.uint64), dwarfs, matchup.role)


class Played(NamedTuple):
    """A finished match: the game, ROUND[rounds], one decision for each move with the name of who took it."""

    game: Game
    rounds: npt.NDArray[np.void]
    decisions: list[tuple[str, Decision]]


def play_match(
    rules: Rules, seed: int, matchup: Matchup, before_move: Callable[[Game, Seats], object] = lambda game, seats: None
) -> tuple[Game, npt.NDArray[np.void]]:
    """Play one match in the validated single game, move for move as the kernel plays it.

    Args:
        before_move: called with the game and who plays.

    Returns: the finished game, and ROUND[rounds].

    Raises: as `play_matchup`.
    """
    return play_alone(matchup_turns(rules, seed, matchup, before_move))[:2]


def matchup_turns(
    rules: Rules, seed: int, matchup: Matchup, before_move: Callable[[Game, Seats], object] = lambda game, seats: None
) -> Match[Played]:
    """The turns of `play_match`."""
    game = Game(rules.players, rules.edition, seed, rules.rounds, rules.options())
    results, decisions = np.zeros(rules.rounds, ROUND), list[tuple[str, Decision]]()
    for number in range(rules.rounds):
        if number:
            game.next_round()
        substitute = substitute_seat(game.records[0], np.uint64(seed), matchup.role)
        seats = matchup.seats(game, substitute)
        while not game.round_over:
            before_move(game, seats)
            name, view, decision = seats[game.seat], game.view(game.seat), None
            try:
                random_key = int(random_key_of(view.public, np.uint64(seed)))
                decision = yield Turn(make_agent(name), view, random_key)
                carry_out(game, decision)
            except Exception as error:
                raise _opponent_error(game, seed, name, decision, error) from error
            decisions.append((name, decision))
        write_result(game.records[0], np.uint64(seed), substitute, results[number])
    return Played(game, results, decisions)


def _opponent_error(game: Game, seed: int, name: str, decision: Decision | None, error: Exception) -> OpponentError:
    why = str(error) if isinstance(error, IllegalMove) else f"{type(error).__name__}: {error}"
    where = f"in round {game.round} of Game(seed={seed})"
    return OpponentError(name, game.seat, decision and decision.move, where, game.transcript(), why)
