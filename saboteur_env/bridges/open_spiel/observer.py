"""What a seat sees, as OpenSpiel asks for it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...engine.state import MAX_EVENTS
from ...environment.settings import Settings


class Observer:
    """What a seat sees, as a tensor and as text.

    Args:
        recalls: whether the whole round is shown instead of the last events and the present.
    """

    def __init__(self, settings: Settings, recalls: bool) -> None:
        self._recalls = recalls
        self._observations = replace(settings, history=MAX_EVENTS if recalls else settings.history).observations
        self.tensor = np.zeros(self._observations.bytes, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: Any, player: int) -> None:
        """Write the tensor."""
        self.tensor[:] = 0 if state.game is None else self._observations.observe(state.game.view(player))

    def string_from(self, state: Any, player: int) -> str:
        """The text."""
        return state.information_state_string(player) if self._recalls else state.observation_string(player)
