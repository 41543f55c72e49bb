"""Opponents of the learner: scripted dwarfs and its own snapshots, by shares of rounds.

The rest of the rounds is self-play of all seats. Earlier snapshots keep a learner from cycling (Heinrich, Lanctot,
Silver, "Fictitious self-play in extensive-form games", ICML 2015).
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from torch import Tensor, nn

from saboteur_env.agents.registry import check_trainable
from saboteur_env.agents.scripted.presets import PRESETS

MOST_DRAWN, MOST_PRIORITY = 64, 100
FROZEN = 1  # the number of weights that play in the place of snapshots


@dataclass(frozen=True)
class Shares:
    """Shares of rounds with opponents of one kind.

    Args:
        miners: in which the learner plays the miners against an opponent's saboteurs.
        saboteurs: in which it plays the saboteurs.
        mixed: in which every seat is the learner's or an opponent's at random.
        seat: in which one seat is the learner's, in either role, and all others are an opponent's.

    Raises: ValueError if a share is negative or they add up to more than 1.
    """

    miners: float = 0.0
    saboteurs: float = 0.0
    mixed: float = 0.0
    seat: float = 0.0

    def __post_init__(self) -> None:
        if min(self.each) < 0 or sum(self.each) > 1:
            raise ValueError(f"miners, saboteurs, mixed and seat must be shares of 1, not {self}")

    @property
    def each(self) -> list[float]:
        """All of them."""
        return [self.miners, self.saboteurs, self.mixed, self.seat]

    @property
    def played(self) -> bool:
        """Whether there are such rounds."""
        return max(self.each) > 0


@dataclass(frozen=True)
class Opponents(Shares):
    """Shares of rounds against opponents that do not learn.

    Args:
        pool: the opponents: preset dwarfs, and whoever else has a name (agents/registry.py).
        drawn: scripted characters with parameters drawn at random (drawn_characters.py), who play about half of the
            rounds in the place of the pool.
        priority: the power of the share of rounds that an opponent wins against the learner, to which its chance to be
            drawn is proportional (priorities.py); 0 draws evenly.

    Raises: ValueError if a share is negative or they add up to more than 1, for unknown opponents, for those that are
        for judging alone, for more drawn characters than a batch can number, and for a priority out of range.
    """

    pool: tuple[str, ...] = ("scripted",)
    drawn: int = 0
    priority: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.played and not self.pool:
            raise ValueError(f"opponents: these shares of 1 need a pool of opponents: {self}")
        if not 0 <= self.drawn <= MOST_DRAWN:
            raise ValueError(f"opponents: drawn must be from 0 to {MOST_DRAWN}, not {self.drawn}")
        if not 0 <= self.priority <= MOST_PRIORITY:
            raise ValueError(f"opponents: priority must be from 0 to {MOST_PRIORITY}, not {self.priority}")
        for name in self.pool:
            check_trainable(name)

    @property
    def specs(self) -> tuple[str | int, ...]:
        """The opponents as a batch enrolls them, those of the pool as often as it takes to be about half of them.

        Drawn ones are numbered after the presets (embedded.py).
        """
        times = max(1, round(self.drawn / max(1, len(self.pool))))
        return (*self.pool * times, *(-1 - len(PRESETS) - number for number in range(self.drawn)))


@dataclass(frozen=True)
class League(Shares):
    """Shares of rounds against the learner's own past; they are self-play until there is a snapshot of it.

    Args:
        interval: decisions from one snapshot to the next.
        keep: how many can be drawn, all as likely: the newest, the oldest, and others spread evenly between them.
        frozen: weights that play in the place of the learner's past, from the first round to the last, `ppo` for the
            shipped ones. No snapshots are taken then.

    Raises: ValueError if a share is negative or they add up to more than 1, and for numbers out of range.
    """

    interval: int = 5_000_000
    keep: int = 8
    frozen: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.interval < 1 or not 2 <= self.keep <= 50:
            raise ValueError(
                f"league: interval must be 1 or more and keep from 2 to 50, not {self.interval} and {self.keep}"
            )
        if self.frozen and not self.played:
            raise ValueError(f"league: {self.frozen} needs a share of rounds to play in")


class Snapshots:
    """Copies of the learner's network, by the numbers under which a batch knows who plays.

    They are taken by a schedule, and a bounded number of them can be drawn. One that leaves ends the rounds it may play
    in, so that who sits where is fixed for a whole round.

    Attributes:
        networks: of all that play, those included that end their last rounds.
        taken: after how many decisions each that can be drawn was taken, oldest first.
    """

    def __init__(self, league: League) -> None:
        self.league = league
        self.networks: dict[int, nn.Module] = {}
        self.taken: dict[int, int] = {}

    def freeze(self, network: nn.Module) -> None:
        """Let a network play in the place of the learner's past, from the first round to the last."""
        self.add(FROZEN, network)
        self.taken[FROZEN] = 0

    def due(self, decisions: int) -> bool:
        """Whether it is time for the next one."""
        played = self.league.played and not self.league.frozen
        return played and decisions - max(self.taken.values(), default=0) >= self.league.interval

    def take(self, network: nn.Module, decisions: int, vec: Any) -> None:
        """Add a copy of a network; let one leave where there are too many.

        Args:
            vec: the batch that is played.
        """
        playing = {*self.taken, *np.union1d(vec.playing, vec.controller).tolist()}
        self.networks = {number: self.networks[number] for number in playing & self.networks.keys()}
        number = next(number for number in count(1) if number not in self.networks)
        self.add(number, network)
        self.taken[number] = decisions
        if len(self.taken) > self.league.keep:
            del self.taken[_least_missed(self.taken)]

    def add(self, number: int, network: nn.Module, tensors: Mapping[str, Tensor] | None = None) -> None:
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
