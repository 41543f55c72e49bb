"""The text door as an environment of TextArena (extra `textarena`)."""

from __future__ import annotations

from typing import Any

from ..core.extras import extra
from .env import TextEnv

with extra("textarena"):
    import textarena


class SaboteurTextArena(textarena.Env):
    """Saboteur for agents and wrappers of TextArena.

    Args:
        settings: as for `TextEnv`, but for the number of players, which `reset` is given.
    """

    def __init__(self, **settings: Any) -> None:
        self._settings = settings

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Deal a match."""
        self._env = TextEnv(num_players, **self._settings)
        self._env.reset(seed)
        self.state = textarena.State(num_players)
        self.state.standard_resets(game_state={}, role_mapping={seat: f"dwarf {seat}" for seat in range(num_players)})
        self._observe()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Take the answer of the current player."""
        done, info = self._env.step(action)
        self.state.done = done
        self.state.step()
        self._observe()
        return done, info

    def close(self) -> tuple[dict[int, int], dict[int, dict[str, Any]]]:
        """Rewards and what there is to tell of each player."""
        return self._env.close()

    def _observe(self) -> None:
        seat, text = self._env.get_observation()
        self.state.current_player_id = seat
        if text:
            self.state.add_observation(text, textarena.ObservationType.PROMPT, to_id=seat)
