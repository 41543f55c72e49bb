"""Hidden information as arrays: targets for belief heads and centralised critics, in training only.

Only this module turns secrets into arrays. Agents and encoders never import it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.compiled.jit import kernel
from ..core.field import Field, first_places, split_fields
from ..engine.cards import FACES, GOLD_VALUES, KINDS, ROLES, TREASURE
from ..engine.gold import VALUE
from ..engine.state import MAX_GOALS, MAX_PLAYERS, Games
from ..game.game import Game
from .encoder import observe
from .settings import Settings

FIELDS = (
    Field("roles", (MAX_PLAYERS, len(ROLES)), 0, 1, "roles from the given seat clockwise", ROLES),
    Field("aside", (len(ROLES),), 0, 1, "the role that nobody holds", ROLES),
    Field("faces", (MAX_GOALS, len(FACES) - 1), 0, 1, "what each goal shows", FACES[1:]),
    Field("hands", (MAX_PLAYERS, len(KINDS)), 0, 96, "cards of each kind in each hand", KINDS),
    Field("left", (len(KINDS),), 0, 96, "cards of each kind still to be drawn", KINDS),
    Field("gold", (MAX_PLAYERS, len(GOLD_VALUES)), 0, 28, "gold cards of each value", ("1", "2", "3")),
)
BYTES = sum(field.size for field in FIELDS)
_AT = first_places(FIELDS)


def privileged(game: Game, seat: int) -> dict[str, npt.NDArray[np.int8]]:
    """The secrets of a game, seen from a seat: an int8 array for each of FIELDS."""
    flat = np.zeros(BYTES, np.int8)
    write_privileged(game.records, seat, flat)
    return split_fields(FIELDS, flat)


def state_space(settings: Settings) -> Any:
    """The space of `state_of`: an int8 box."""
    from gymnasium import spaces

    seen = settings.observations.flat_space()
    low = np.concatenate([seen.low, *(np.full(field.size, field.low, np.int8) for field in FIELDS)])
    high = np.concatenate([seen.high, *(np.full(field.size, field.high, np.int8) for field in FIELDS)])
    return spaces.Box(low, high, dtype=np.int8)


def state_of(records: Games, settings: Settings) -> npt.NDArray[np.int8]:
    """The state for a centralised critic: the observation of seat 0, and all secrets from seat 0 on, as one vector."""
    seen = settings.observations.bytes
    flat = np.zeros(seen + BYTES, np.int8)
    game = records[0]
    observe(game.public, game.private[0], 0, settings.actions.codecs[0], settings.history, flat[:seen])
    write_privileged(records, 0, flat[seen:])
    return flat


@kernel
def write_privileged(games: Games, seat: int, flat: Any) -> None:
    """Write the secrets of the first game from a seat on.

    Args:
        flat: int8[BYTES]. Requires: all zero. Mutates it.
    """
    game = games[0]
    public, secret, players = game.public, game.secret, np.int64(game.public.rules.players)
    for offset in range(players):
        private = game.private[(seat + offset) % players]
        flat[_AT.roles + len(ROLES) * offset + private.role] = 1
        for kind in range(len(KINDS)):
            flat[_AT.hands + len(KINDS) * offset + kind] = private.hand[kind]
        for i in range(private.gold_count):
            flat[_AT.gold + len(GOLD_VALUES) * offset + (private.gold[i] & VALUE) - 1] += 1
    if secret.aside >= 0:
        flat[_AT.aside + secret.aside] = 1
    for goal in range(public.rules.goals):
        flat[_AT.faces + (len(FACES) - 1) * goal + secret.face[goal] - TREASURE] = 1
    for i in range(public.deck_count):
        flat[_AT.left + secret.deck[i]] += 1


def roles_dealt(records: Games) -> npt.NDArray[np.int8]:
    """The roles at the tables of a batch, by seat: int8[n, 10]; those of empty seats mean nothing."""
    return records["private"]["role"].copy()
