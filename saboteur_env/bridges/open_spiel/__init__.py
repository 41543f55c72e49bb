"""Saboteur as a game of OpenSpiel: importing this registers `python_saboteur`. Needs the extra `bridges`.

Chance deals once, at the root (chance.py). Actions are those of the window, observations those of the environment; an
information state has the whole round.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from ...core.extras import extra
from .game import SaboteurGame
from .parameters import GAME_NAME, game_type

with extra("bridges"):
    import pyspiel


def load_game(options: Mapping[str, Any] | None = None, **parameters: Any) -> Any:
    """The game of OpenSpiel with these options of the rules (docs/rules.md, section 8) and `GAME_PARAMETERS`.

    Raises: ValueError that names an impossible setting.
    """
    return pyspiel.load_game(GAME_NAME, {**parameters, "options": quote(json.dumps({**(options or {})}))})


pyspiel.register_game(game_type(), SaboteurGame)
