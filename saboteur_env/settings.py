"""All settings of an environment in one frozen place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from .actions import DEFAULT_WINDOW, Actions
from .engine.editions import Rules
from .observations import DEFAULT_HISTORY, Observations
from .rewards import REWARDS, SHAPINGS


@dataclass(frozen=True)
class Settings:
    """What an environment plays, shows and pays.

    Args:
        players: 3 to 10 dwarfs.
        edition: `lv`, `lt`, `uk`, `ru` or `fa`.
        rounds: rounds of a match, which is one episode.
        options: switches of the rules besides the edition (docs/rules.md, section 8).
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
    options: Mapping[str, Any] = field(default_factory=dict)
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
        cls, settings: Settings | None, keywords: Mapping[str, Any], players: int | Sequence[int] | None = None
    ) -> Settings:
        """These settings, or those that the keywords name.

        Args:
            players: of a batch, one number or one for each game: the keywords must fit them.

        Raises: ValueError for both.
        """
        if settings is not None and keywords:
            raise ValueError(f"give settings or keywords, not both: {', '.join(keywords)}")
        if settings is not None:
            return settings
        first = next(iter(players), None) if isinstance(players, Sequence | np.ndarray) else players
        return cls(**({} if first is None else {"players": first}) | dict(keywords))

    def __post_init__(self) -> None:
        choices = {
            "form": ("flat", "dict"),
            "mask_in": ("observation", "info"),
            "reward": REWARDS,
            "shaping": SHAPINGS,
            "illegal": ("raise", "penalty"),
        }
        for name, allowed in choices.items():
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name} must be one of {', '.join(map(str, allowed))}, not {getattr(self, name)!r}")
        if not isinstance(self.gamma, int | float) or not 0 <= self.gamma <= 1:
            raise ValueError(f"gamma must be a number from 0 to 1, not {self.gamma!r}")
        _ = self.rules, self.observations  # each checks its own part

    @cached_property
    def rules(self) -> Rules:
        """The settings of the game alone."""
        return Rules.make(self.players, self.edition, self.rounds, self.options)

    @cached_property
    def actions(self) -> Actions:
        """The numbering of moves."""
        return Actions(self.window)

    @cached_property
    def observations(self) -> Observations:
        """What a seat is shown."""
        return Observations(self.window, self.history)
