"""The rewards of each seat at the end of a game."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.compiled.jit import kernel

REWARDS = ("win", "places", "points")
WIN, PLACES, POINTS = range(3)


@kernel
def pay_game(public: Any, reward: int, paid: Any) -> None:
    """Pay for a game that is over.

    `win`: 1 to the winner and its team, -1 to the others. `places`: from 1 for the first to -1 for the last place in
    even steps, those that share places the mean of them. `points`: the dice left with the opponents, to the winner
    and its team.

    Args:
        paid: float[6], overwritten for the seats of the game.
    """
    players, team = np.int64(public.rules.players), public.rules.team
    dice = 0.0
    for seat in range(players):
        dice += public.dice[seat] * (team[seat] != team[public.winner])
    for seat in range(players):
        won = team[seat] == team[public.winner]
        if reward == WIN:
            paid[seat] = 1.0 if won else -1.0
        elif reward == POINTS:
            paid[seat] = dice if won else 0.0
        else:
            first = np.int64(public.place[seat])
            last = players if first > public.finished else first
            paid[seat] = 1.0 - (first + last - 2.0) / (players - 1.0)
