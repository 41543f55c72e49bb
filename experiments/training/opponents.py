"""How rounds of self-play are shared out: what the shares leave of 1 is self-play of all seats."""

from __future__ import annotations

from dataclasses import dataclass

from saboteur_env.agents.scripted.presets import number_of


@dataclass(frozen=True)
class Shares:
    """Shares of rounds with opponents of one kind.

    Args:
        miners: in which the learner plays the miners against an opponent's saboteurs.
        saboteurs: in which it plays the saboteurs.
        mixed: in which every seat is the learner's or an opponent's by lot.

    Raises: ValueError for shares that are none.
    """

    miners: float = 0.0
    saboteurs: float = 0.0
    mixed: float = 0.0

    def __post_init__(self) -> None:
        if min(self.each) < 0 or sum(self.each) > 1:
            raise ValueError(f"miners, saboteurs and mixed must be shares of 1, not {self}")

    @property
    def each(self) -> list[float]:
        """The three of them."""
        return [self.miners, self.saboteurs, self.mixed]

    @property
    def played(self) -> bool:
        """Whether there are such rounds."""
        return max(self.each) > 0


@dataclass(frozen=True)
class Opponents(Shares):
    """Shares of rounds against scripted dwarfs.

    Args:
        pool: the opponents, drawn evenly: dwarfs of the roster.

    Raises: ValueError for shares that are none, and for opponents nobody knows.
    """

    pool: tuple[str, ...] = ("scripted",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.played and not self.pool:
            raise ValueError(f"opponents: these shares of 1 need a pool of opponents: {self}")
        for name in self.pool:
            number_of(name)

    @property
    def controllers(self) -> list[int]:
        """The pool as `Vec.control` knows it."""
        return [-1 - number_of(name) for name in self.pool]


@dataclass(frozen=True)
class League(Shares):
    """Shares of rounds against the learner's own past; they are self-play until there is a snapshot of it.

    Args:
        every: decisions from one snapshot to the next.
        keep: how many can be drawn, all as likely: the newest, the oldest, and others spread evenly between them.

    Raises: ValueError for shares that are none, and for numbers out of range.
    """

    every: int = 5_000_000
    keep: int = 8

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.every < 1 or not 2 <= self.keep <= 50:
            raise ValueError(f"league: every must be 1 or more and keep from 2 to 50, not {self.every} and {self.keep}")
