"""The slow reference of the doors to learners: each column an AEC environment of its own, all dwarfs in Python."""

from dataclasses import replace

import numpy as np

from saboteur_env import game_seed
from saboteur_env.experiments.speed.learner import AecSeat


class SlowColumns:
    """Columns of one learner each. Their window must be wide enough for the dwarfs (`AecSeat`).

    Attributes:
        observation, mask, reward, ended: of the last step, column by column.
        final: what a learner whose match ended saw last, None elsewhere; how: the AEC's info of that end.
    """

    def __init__(self, players, seed, settings):
        self.seed, self.episode = seed, [0] * len(players)
        self.seats = [AecSeat(settings=replace(settings, players=count)) for count in players]
        self._shown = [self._begin(i) for i in range(len(players))]
        self._show()

    def _begin(self, i):
        return self.seats[i].reset(seed=game_seed(self.seed, i, self.episode[i]))

    def _show(self):
        self.observation = np.array([observation for observation, _ in self._shown])
        self.mask = np.array([info["action_mask"] for _, info in self._shown])

    def step(self, actions):
        columns = range(len(self.seats))
        self.reward, self.ended = np.zeros(len(columns)), np.zeros(len(columns), bool)
        self.final, self.how = [None for _ in columns], [None for _ in columns]
        for i in columns:
            observation, self.reward[i], self.ended[i], _, info = self.seats[i].step(actions[i])
            self._shown[i] = observation, info
            if self.ended[i]:
                self.final[i], self.how[i] = observation, info
                self.episode[i] += 1
                self._shown[i] = self._begin(i)
        self._show()
