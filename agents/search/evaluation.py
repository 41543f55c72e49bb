"""How likely the miners win from here, as a small network fitted to rounds of scripted dwarfs.

It looks at a whole game, as a searcher makes one up, so it may know roles, hands and the place of the treasure. It is
fitted by experiments/search/fit_evaluation.py to which side won; what it has learnt lies in models/evaluation.json.
"""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.core.files import shipped
from saboteur_env.core.jit import kernel
from saboteur_env.engine.bitboard import count
from saboteur_env.engine.cards import (
    DEAD,
    FIRST_REPAIR,
    KINDS,
    LIE_OF_KIND,
    MAP,
    MINER,
    PATH_KINDS,
    ROCKFALL,
    TREASURE,
    UNKNOWN,
)
from saboteur_env.engine.state import MAX_GOALS, known_face
from saboteur_env.heuristics.card_distance import measure
from saboteur_env.heuristics.flood import ALL_GOALS, FAR

FEATURES = (
    "cards to the treasure",
    "no way to the treasure",
    "cards to the goals face down, on average",
    "goals face down",
    "turns left",
    "turns left of the miners, less the cards to the treasure",
    "deck empty",
    "players",
    "saboteurs",
    "miners with whole tools",
    "broken tools of the miners",
    "broken tools of the saboteurs",
    "miners who know the treasure",
    "a miner moves",
    "the seat to move has whole tools",
    *(
        f"{cards} of the {who}"
        for who in ("miners", "saboteurs")
        for cards in ("tunnels", "dead ends", "breaks", "repairs", "rockfalls", "maps")
    ),
    *(f"{cards} in the deck" for cards in ("tunnels", "dead ends", "breaks", "repairs", "rockfalls", "maps")),
)
GROUPS = 6  # of cards: tunnels, dead ends, breaks, repairs, rockfalls, maps
_HANDS = 15  # the first feature of hands
_GROUP = np.array(
    [
        (1 if LIE_OF_KIND[kind] & DEAD else 0) if kind < PATH_KINDS
        else 2 if kind < FIRST_REPAIR else 3 if kind < ROCKFALL else 4 if kind < MAP else 5
        for kind in range(len(KINDS))
    ],
    np.int64,
)  # fmt: skip
FITTED = shipped("saboteur_env.agents", "models/evaluation.json")
Net = tuple[npt.NDArray[np.float64], ...]


@cache
def net(path: Path = FITTED) -> Net:
    """The fitted network: weights and biases of the hidden layer, then of the output.

    Raises: ValueError where the file is no such network, or was fitted to other features.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        values = tuple(np.array(data[name], np.float64) for name in ("hidden", "hidden_bias", "out", "out_bias"))
        fits = data["features"] == list(FEATURES) and values[0].shape == (len(values[1]), len(FEATURES))
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise ValueError(f"{path} holds no evaluation: {error!r}") from None
    if not fits:
        raise ValueError(f"{path} was fitted to other features: saboteur-env study fit-evaluation fits it anew")
    return values


@kernel
def miners_chance(game: Any, space: Any, net: Net) -> float:
    """The chance that the miners win a whole game. Mutates: space, a SCRATCH record (heuristics/card_distance.py)."""
    features, (hidden, hidden_bias, out, out_bias) = space.scores, net
    describe(game, space, features)
    total = out_bias[0]
    for unit in range(len(hidden_bias)):
        value = hidden_bias[unit]
        for i in range(len(FEATURES)):
            value += hidden[unit, i] * features[i]
        total += out[unit] * max(value, 0.0)
    return 1 / (1 + math.exp(-total))


@kernel
def describe(game: Any, space: Any, features: Any) -> None:
    """Write what the network looks at. Mutates: space; features, float64[>= len(FEATURES)]."""
    public, players = game.public, np.int64(game.public.rules.players)
    for i in range(len(FEATURES)):
        features[i] = 0.0
    _look_at_way(game, space, features)
    turns = np.float64(public.deck_count)
    for seat in range(players):
        own = game.private[seat]
        turns += public.hand_count[seat]
        whole, broken = np.float64(public.broken[seat] == 0), count(np.uint64(public.broken[seat]))
        if own.role == MINER:
            features[9] += whole / 4
            features[10] += broken / 4
            features[12] += _knows_treasure(game, own) / 4
        else:
            features[8] += 1 / 2
            features[11] += broken / 4
        _look_at_hand(own, features)
    for i in range(public.deck_count):
        features[_HANDS + 2 * GROUPS + _GROUP[game.secret.deck[i]]] += 1 / 8
    miners = players - 2 * features[8]
    features[4] = turns / 32
    features[5] = (turns * miners / players - 8 * features[0]) / 16
    features[6], features[7] = np.float64(public.deck_count == 0), players / 8
    features[13] = np.float64(game.private[public.seat].role == MINER)
    features[14] = np.float64(public.broken[public.seat] == 0)


@kernel
def _look_at_way(game: Any, space: Any, features: Any) -> None:
    public, cards, face_down = game.public, 0, 0
    measure(public, ALL_GOALS, space)
    for goal in range(public.rules.goals):
        needed = space.now.needed[goal]
        if public.goal_face[goal] == UNKNOWN:
            cards, face_down = cards + needed, face_down + 1
        if game.secret.face[goal] == TREASURE:
            features[0], features[1] = needed / 8, np.float64(needed == FAR)
    features[2], features[3] = cards / max(face_down, 1) / 8, face_down / MAX_GOALS


@kernel
def _look_at_hand(own: Any, features: Any) -> None:
    first = _HANDS + GROUPS * np.int64(own.role)
    for kind in range(len(KINDS)):
        features[first + _GROUP[kind]] += own.hand[kind] / 8


@kernel
def _knows_treasure(game: Any, own: Any) -> bool:
    unknown = 0
    for goal in range(game.public.rules.goals):
        known = known_face(game.public, own, goal)
        if known == TREASURE:
            return True
        unknown += known == UNKNOWN
    return unknown == 1
