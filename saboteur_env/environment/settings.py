"""All settings of an environment in one frozen object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..core.checks import checked_real
from ..core.frozen import FrozenDict, freeze
from ..core.schema import among, shown
from ..engine.editions import Rules
from .actions import DEFAULT_WINDOW, Actions
from .encoder import Encoding
from .observations import DEFAULT_HISTORY, Observations
from .rewards import REWARDS, SHAPINGS, Wages


@dataclass(frozen=True)
class Settings:
    """The settings of an environment. Settings with equal values are equal and have the same hash.

    Args:
        players: 3 to 10 dwarfs.
        edition: `lv`, `lt`, `uk`, `ru` or `fa`.
        rounds: rounds of a match, which is one episode.
        options: switches of the rules besides the edition (docs/rules.md, section 8); kept as they are now.
        window: the part of the board that actions and observations show (actions.WINDOWS).
        history: how many of the last events an observation shows; 128 shows every round whole.
        form: `flat`, one int8 vector, or `dict`, an array for each field.
        mask_in: where the action mask lies, in the `observation` or in `info`.
        reward: `side`, `zero_sum`, `nuggets` or `match` (rewards.py).
        shaping: potential added to it: None, `public`, or `treasure`, which is privileged.
        gamma: the discount of the learner, used by the shaping alone.
        illegal: `raise` an error, or `penalty`: -1 for the offender, 0 for the others, and all end.

    Raises: ValueError that names the setting and what it may be.
    """

    players: int = 5
    edition: str = "lv"
    rounds: int = 3
    options: Mapping[str, Any] = FrozenDict()
    window: str = DEFAULT_WINDOW
    history: int = DEFAULT_HISTORY
    form: str = "flat"
    mask_in: str = "observation"
    reward: str = "side"
    shaping: str | None = None
    gamma: float = 1.0
    illegal: str = "raise"

    @classmethod
    def of(
        cls,
        settings: Settings | Mapping[str, Any] | None,
        keywords: Mapping[str, Any],
        players: int | Sequence[int] | None = None,
    ) -> Settings:
        """These settings, or those that the keywords name.

        Args:
            settings: as they are, or their fields by name, which is what JSON makes of them.
            players: of a batch, one number or one for each game: the keywords must fit the first.

        Raises: ValueError for both, and for anything else; TypeError that names a setting there is not.
        """
        if settings is not None and keywords:
            raise ValueError(f"give settings or keywords, not both: {', '.join(keywords)}")
        if isinstance(settings, cls):
            return settings
        if not isinstance(settings, Mapping | None):
            raise ValueError(f"settings must be a Settings, or its fields by name, not {settings!r}")
        first: Any = players
        if isinstance(players, Sequence | np.ndarray) and np.ndim(players) > 0:
            first = next(iter(players), None)
        seated = {} if first is None or settings is not None else {"players": first}
        return cls(**seated | dict(keywords if settings is None else settings))

    def __post_init__(self) -> None:
        freeze(self)
        object.__setattr__(self, "options", FrozenDict() if self.options is None else self.options)
        choices = {
            "form": ("flat", "dict"),
            "mask_in": ("observation", "info"),
            "reward": REWARDS,
            "shaping": SHAPINGS,
            "illegal": ("raise", "penalty"),
        }
        for name, allowed in choices.items():
            if not among(value := getattr(self, name), allowed):
                raise ValueError(f"{name} must be one of {', '.join(map(str, allowed))}, not {shown(value)}")
        # Rules and observations check their own parts. What was written as NumPy's number is kept as Python's.
        plain = {
            "gamma": checked_real("gamma", self.gamma, 0, 1),
            "players": self.rules.players,
            "rounds": self.rules.rounds,
            "history": self.observations.history,
        }
        for name, number in plain.items():
            object.__setattr__(self, name, number)

    @cached_property
    def rules(self) -> Rules:
        """The settings of the game alone."""
        return Rules.make(self.players, self.edition, self.rounds, self.options)

    @cached_property
    def actions(self) -> Actions:
        """The numbering of moves."""
        return Actions(self.window, self.rules.talks)

    @cached_property
    def observations(self) -> Observations:
        """The observations of a seat."""
        return Observations(self.window, self.history, self.rules.talks)

    @property
    def encoding(self) -> Encoding:
        """The observations of a seat, for kernels."""
        return Encoding(self.actions.codecs, self.history, self.observations.bytes)

    @property
    def wages(self) -> Wages:
        """The rewards, for kernels."""
        return Wages(REWARDS.index(self.reward), SHAPINGS.index(self.shaping), float(self.gamma))
