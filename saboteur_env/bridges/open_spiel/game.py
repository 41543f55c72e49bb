"""The game of OpenSpiel: where its states begin, and how far its chance has drawn."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote

from ...core.extras import extra
from ...environment.settings import Settings
from .chance import SampledDeals, deals_of
from .observer import Observer
from .parameters import EXPLICIT_CHANCE, GAME_PARAMETERS, game_info, game_type
from .state import SaboteurState

with extra("bridges"):
    import pyspiel


class SaboteurGame(pyspiel.Game):  # type: ignore[misc]
    """The game, by parameters of OpenSpiel (`GAME_PARAMETERS`).

    Raises: ValueError that names an impossible setting.
    """

    def __init__(self, params: Any = None) -> None:
        given = {**GAME_PARAMETERS, **(params or {})}
        chance, count, seed = (given.pop(name) for name in ("chance", "deals", "rng_seed"))
        self.settings = Settings(**{**given, "options": json.loads(unquote(given["options"]))})
        self.deals = deals_of(self.settings, chance, count, seed)
        self._type = game_type(self.settings.reward, chance)
        # To its C++ side chance is always explicit: it refuses to write sampled games of Python to a file.
        kind = game_type(self.settings.reward, EXPLICIT_CHANCE)
        super().__init__(kind, game_info(self.settings, len(self.deals.probabilities)), params or {})

    def get_type(self) -> Any:
        """What the game is like."""
        return self._type

    def __reduce__(self) -> Any:
        return _game_again, (str(self), getattr(self.deals, "drawn", 0))

    def new_initial_state(self) -> Any:
        """The state before the deal."""
        return SaboteurState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """What writes observations, or information states where all is to be recalled.

        Raises: ValueError for parameters, as there are none.
        """
        if params:
            raise ValueError(f"observations take no parameters, not {params}")
        return Observer(self.settings, iig_obs_type is not None and iig_obs_type.perfect_recall)


def _game_again(name: str, drawn: int) -> Any:
    # A game out of a pickle: it goes on drawing where the other was.
    game = pyspiel.load_game(name)
    if isinstance(game.deals, SampledDeals):
        game.deals.drawn = drawn
    return game
