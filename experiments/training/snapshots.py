"""The learner's own past as opponents: copies of its network, taken by a schedule, a bounded number of them kept.

Older selves keep a learner from running in circles (Heinrich, Lanctot, Silver, "Fictitious self-play in extensive-form
games", ICML 2015). One that leaves ends the rounds it plays in, so that who sits where is fixed for a whole round.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from itertools import count
from typing import Any

import numpy as np
from torch import Tensor

from saboteur_env.agents.learned.network import Network

from .opponents import League


class Snapshots:
    """The networks of a league, by the numbers under which a batch knows who plays.

    Attributes:
        networks: of all that play, those included that end their last rounds.
        taken: after how many decisions each that can be drawn was taken, oldest first.
    """

    def __init__(self, league: League) -> None:
        self.league = league
        self.networks: dict[int, Network] = {}
        self.taken: dict[int, int] = {}

    def due(self, decisions: int) -> bool:
        """Whether it is time for the next one."""
        return self.league.played and decisions - max(self.taken.values(), default=0) >= self.league.every

    def take(self, network: Network, decisions: int, vec: Any) -> None:
        """Add a copy of a network; let one leave where there are too many.

        Args:
            vec: the batch that is played.
        """
        playing = {*self.taken, *np.unique([vec.playing, vec.controller]).tolist()}
        self.networks = {number: self.networks[number] for number in playing & self.networks.keys()}
        number = next(number for number in count(1) if number not in self.networks)
        self.add(number, network)
        self.taken[number] = decisions
        if len(self.taken) > self.league.keep:
            del self.taken[_least_missed(self.taken)]

    def add(self, number: int, network: Network, tensors: Mapping[str, Tensor] | None = None) -> None:
        """Let a copy of a network play under a number.

        Args:
            tensors: as of `tensors`, with weights that it has instead.
        """
        self.networks[number] = deepcopy(network)
        if tensors is not None:
            begin = f"snapshot.{number}."
            own = {name.removeprefix(begin): tensor for name, tensor in tensors.items() if name.startswith(begin)}
            self.networks[number].load_state_dict(own)

    def tensors(self) -> dict[str, Tensor]:
        """The weights of all."""
        return {
            f"snapshot.{number}.{name}": tensor
            for number, network in self.networks.items()
            for name, tensor in network.state_dict().items()
        }


def _least_missed(taken: dict[int, int]) -> int:
    # The one whose neighbours lie closest together.
    numbers, times = list(taken), list(taken.values())
    gaps = [later - earlier for earlier, later in zip(times, times[2:], strict=False)]
    return numbers[1 + gaps.index(min(gaps))]
