"""Rounds between any agents (registry.py), all of them side by side: who plays a seat is drawn by its role."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from saboteur_env.agents.matches.kernel_matches import random_key_of
from saboteur_env.agents.matches.players import PresetPlayer, player_of
from saboteur_env.core import prng
from saboteur_env.core.compiled.jit import ZERO, kernel
from saboteur_env.engine.cards import MINER
from saboteur_env.engine.deal import start_match
from saboteur_env.engine.editions import Rules
from saboteur_env.engine.play import play_unchecked
from saboteur_env.engine.state import MAX_PLAYERS, Games, blank
from saboteur_env.game.game import Game

from .mixed_tables import Rounds

Integers = npt.NDArray[np.int64]


class _Settings(NamedTuple):
    rules: Rules


class AnyTables:
    """Rounds as players see a batch (batch/opponents.py).

    Attributes:
        records: STATE[n].
    """

    def __init__(self, rules: Rules, seeds: npt.NDArray[np.uint64]) -> None:
        self.settings, self.seeds, self.num_games = _Settings(rules), seeds, len(seeds)
        self.records = blank(len(seeds))
        rules.write(self.records[0].public.rules)
        self.records["public"]["rules"] = self.records[0].public.rules

    def rules(self, i: int) -> Rules:
        """Those of a game."""
        return self.settings.rules

    def transcript(self, i: int) -> str:
        """What was played in a game."""
        return Game.of_records(self.records[i : i + 1], self.settings.rules).transcript()


def play_any(
    rules: Rules,
    seeds: npt.NDArray[np.uint64],
    miners: Sequence[Any],
    saboteurs: Sequence[Any],
    progress: Callable[[int], object] = lambda done: None,
) -> Rounds:
    """Play the first round of a match for each seed.

    Args:
        seeds: uint64[n].
        miners, saboteurs: specs of agents (docs/opponents.md); every seat draws one of its role, each as likely.
        progress: called with the number of rounds that have just ended.

    Raises: ValueError for an unknown spec, and OpponentError for an agent that fails.
    """
    players: list[Any] = [player_of(spec) for spec in (*miners, *saboteurs)]
    players = [PresetPlayer(item) if isinstance(item, int) else item for item in players]
    tables, dwarfs = AnyTables(rules, seeds), np.full((len(seeds), MAX_PLAYERS), -1, np.int64)
    _deal(tables.records, seeds, len(miners), len(players), dwarfs)
    playing, games = np.arange(len(seeds)), tables.records
    while len(playing):
        seat = games["public"]["seat"][playing].astype(np.int64)
        for number, player in enumerate(players):
            asked = playing[dwarfs[playing, seat] == number]
            if len(asked):
                _play(games, asked, player.moves(tables, asked, _keys(games, seeds, asked)))
        left = playing[games["public"]["over"][playing] == 0]
        progress(len(playing) - len(left))
        playing = left
    return Rounds(games, dwarfs)


@kernel
def _deal(games: Games, seeds: Any, miners: int, players: int, dwarfs: Integers) -> None:
    # Who sits where is drawn as in mixed_tables.py.
    for i in range(len(games)):
        game = games[i]
        start_match(game, seeds[i])
        for seat in range(game.public.rules.players):
            random_key = prng.key(seeds[i], prng.SEAT_DRAWS, seat)
            if game.private[seat].role == MINER:
                dwarfs[i, seat] = prng.below(random_key, ZERO, miners)[0]
            else:
                dwarfs[i, seat] = miners + prng.below(random_key, ZERO, players - miners)[0]


@kernel
def _keys(games: Games, seeds: Any, asked: Integers) -> Any:
    keys = np.empty(len(asked), np.uint64)
    for k in range(len(asked)):
        keys[k] = random_key_of(games[asked[k]].public, seeds[asked[k]])
    return keys


@kernel
def _play(games: Games, asked: Integers, moves: Integers) -> None:
    for k in range(len(asked)):
        play_unchecked(games[asked[k]], moves[k])
