"""Prioritised play: who wins more rounds against the learner is drawn more often as its opponent.

Vinyals et al., "Grandmaster level in StarCraft II using multi-agent reinforcement learning", Nature 2019 (prioritised
fictitious self-play).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.batch.seats import LEARNER
from saboteur_env.engine.cards import MINER, SABOTEUR
from saboteur_env.engine.state import MAX_PLAYERS, MINERS, SABOTEURS

NUMBERS = 129  # of controllers below 0 in int8, and 0
LEAST_SHARE = 0.1  # an opponent that never wins is drawn as if it had won this share
WINNER = np.array([MINERS, SABOTEURS])[[MINER, SABOTEUR]]  # by the role that wins


class Priorities:
    """What opponents have won against the learner, in each role, and how likely each is to be drawn for it.

    A round counts where an opponent plays all of one role and the learner all of the other.

    Args:
        pool: the controllers of the opponents, each as often as it is among them.
        power: of the share of rounds won, to which the chances are proportional.

    Attributes:
        rounds: int64[2, 129, 2], how many each opponent lost and won, by its role and its controller without the sign.
    """

    def __init__(self, pool: Sequence[int], power: float) -> None:
        self._pool, self._power = -np.array(pool), power
        self.rounds = np.zeros((2, NUMBERS, 2), np.int64)

    def see(self, vec: Any) -> None:
        """Keep who plays the present rounds of a batch."""
        self._opponent, self._role = meetings(vec)

    def after_step(self, vec: Any) -> None:
        """Count the rounds that the last step of a batch has ended, and see those that it has dealt."""
        over = vec.round_over & (self._opponent != LEARNER)
        opponent, role = self._opponent[over], self._role[over]
        won = vec.winner[over] == WINNER[role]
        np.add.at(self.rounds, (role, -opponent, won.astype(np.int64)), 1)
        self.see(vec)

    @property
    def chances(self) -> npt.NDArray[np.float64]:
        """How likely each opponent of the pool is to be drawn, by its role: float64[2, k].

        The share of rounds won is (won + 1) / (played + 2), 1/2 for who has played none.
        """
        won = (self.rounds[..., 1] + 1) / (self.rounds.sum(-1) + 2)
        weights = np.maximum(won[:, self._pool], LEAST_SHARE) ** self._power
        result: npt.NDArray[np.float64] = weights / weights.sum(1, keepdims=True)
        return result


def meetings(vec: Any) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int8]]:
    """Who plays one whole side of each present round against the learner, and its role: int64[n], int8[n].

    It is the learner's number where nobody does.
    """
    seated, dealt = np.arange(MAX_PLAYERS) < vec.players[:, None], vec.records["private"]["role"]
    opponent = np.where(seated, vec.playing, LEARNER).min(1).astype(np.int64)
    theirs = seated & (vec.playing == opponent[:, None])
    role = np.take_along_axis(dealt, theirs.argmax(1)[:, None], 1)
    whole = (theirs == (seated & (dealt == role))).all(1)
    return np.where(whole, opponent, LEARNER), role[:, 0]
