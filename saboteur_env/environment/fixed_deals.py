"""Fixed deals for studies: a whole position, or the role of each seat."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ..core.schema import shown
from ..engine.cards import ROLES
from ..engine.editions import Rules
from ..engine.state import Games
from ..game.game import Game
from ..game.positions import position_of


def fixed_deal(rules: Rules, seed: int, options: Mapping[str, Any]) -> Games:
    """The record of a match about to be played, `STATE[1]`.

    Args:
        seed: of the deal, and of the rounds to come after a fixed position that has no chance of its own.
        options: `position` (JSON text or data) and `roles` (a role for each seat); others are ignored.

    Raises: ValueError for a position with other settings or faults, and for roles that are not in the pool.
    """
    if options.get("position") is None:
        game = Game(rules.players, rules.edition, seed, rules.rounds, rules.options())
    else:
        game = Game.from_json(_text_of({"chance": str(seed), **_data_of(options["position"])}))
        if game.rules != rules:
            raise ValueError("options: the position was not made with the settings of this environment")
        if game.over:
            raise ValueError("options: the match of this position is over")
        if game.round_over:
            game.next_round()
    if options.get("roles") is not None:
        game = with_roles(game, options["roles"])
    return game.records


def _data_of(position: Any) -> dict[str, Any]:
    try:
        data = json.loads(position) if isinstance(position, str | bytes) else position
    except (ValueError, RecursionError) as error:
        raise ValueError(f"options: position is no JSON text ({error})") from None
    if not isinstance(data, dict):
        raise ValueError(f"options: position must be a JSON object, as text or data, not {shown(data)}")
    return data


def _text_of(data: dict[str, Any]) -> str:
    try:
        return json.dumps(data)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"options: position holds what JSON cannot say ({error})") from None


def with_roles(game: Game, roles: Sequence[str]) -> Game:
    """The same deal with other roles; the card left over goes aside.

    Raises: ValueError where the pool does not have these roles.
    """
    saboteurs, miners = game.rules.role_table
    pool = Counter(dict(zip(ROLES, (miners, saboteurs), strict=True)))
    if not isinstance(roles, list | tuple) or not all(isinstance(role, str) for role in roles):
        raise ValueError(f"options: roles must be a list of {', '.join(ROLES)}, not {shown(roles)}")
    if len(roles) != game.rules.players or Counter(roles) - pool:
        raise ValueError(f"options: roles must be one for each of {game.rules.players} seats, out of {dict(pool)}")
    left = [*(pool - Counter(roles)).elements()]
    data = position_of(game.records, game.rules)
    return Game.of_position({**data, "roles": list(roles), "role_aside": left[0] if left else None})
