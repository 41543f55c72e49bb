"""Evaluation of a position: the probability that the miners win. A small network, fitted to rounds of scripted dwarfs.

It reads a whole game, as the search samples one, so it may use roles, hands and the position of the treasure.
experiments/search/fit_evaluation.py fits it to the side that won. Its weights are in models/evaluation.json.
"""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.core.compiled.jit import kernel
from saboteur_env.core.field import named_rows
from saboteur_env.core.files import shipped
from saboteur_env.engine.bitboard import count
from saboteur_env.engine.cards import (
    DEAD,
    FIRST_REPAIR,
    KINDS,
    MAP,
    MINER,
    ORIENTATION_OF_KIND,
    PATH_KINDS,
    ROCKFALL,
    TREASURE,
    UNKNOWN,
)
from saboteur_env.engine.state import MAX_GOALS, Private, State, known_face
from saboteur_env.heuristics.card_distance import Scratch, measure
from saboteur_env.heuristics.flood import ALL_GOALS, FAR

GROUPS = ("tunnels", "dead ends", "breaks", "repairs", "rockfalls", "maps")  # of cards
FEATURE, FEATURES = named_rows(
    to_treasure="cards to the treasure",
    no_way="no way to the treasure",
    to_goals="cards to the goals face down, on average",
    face_down="goals face down",
    turns="turns left",
    spare_turns="turns left of the miners, less the cards to the treasure",
    deck_empty="deck empty",
    players="players",
    saboteurs="saboteurs",
    whole_miners="miners with whole tools",
    broken_of_miners="broken tools of the miners",
    broken_of_saboteurs="broken tools of the saboteurs",
    knowing_miners="miners who know the treasure",
    miner_moves="a miner moves",
    whole_mover="the seat to move has whole tools",
    hands=tuple(f"{cards} of the {who}" for who in ("miners", "saboteurs") for cards in GROUPS),
    deck=tuple(f"{cards} in the deck" for cards in GROUPS),
)
_GROUP = np.array(
    [
        (1 if ORIENTATION_OF_KIND[kind] & DEAD else 0) if kind < PATH_KINDS
        else 2 if kind < FIRST_REPAIR else 3 if kind < ROCKFALL else 4 if kind < MAP else 5
        for kind in range(len(KINDS))
    ],
    np.int64,
)  # fmt: skip
FITTED_NET = shipped("saboteur_env.agents", "models/evaluation.json")
Net = tuple[npt.NDArray[np.float64], ...]


@cache
def net(path: Path = FITTED_NET) -> Net:
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
        raise ValueError(f"{path} was fitted to other features: saboteur-env study fit-evaluation fits it again")
    return values


@kernel
def miners_probability(game: State, scratch: Scratch, net: Net) -> float:
    """The chance that the miners win a whole game. Mutates: space, a SCRATCH record (heuristics/card_distance.py)."""
    features, (hidden, hidden_bias, out, out_bias) = scratch.scores, net
    describe(game, scratch, features)
    total = out_bias[0]
    for unit in range(len(hidden_bias)):
        value = hidden_bias[unit]
        for i in range(len(FEATURES)):
            value += hidden[unit, i] * features[i]
        total += out[unit] * max(value, 0.0)
    return 1 / (1 + math.exp(-total))


@kernel
def describe(game: State, scratch: Scratch, features: Any) -> None:
    """Write the features of the network. Mutates: space; features, float64[>= len(FEATURES)]."""
    public, players = game.public, np.int64(game.public.rules.players)
    for i in range(len(FEATURES)):
        features[i] = 0.0
    _look_at_way(game, scratch, features)
    turns = np.float64(public.deck_count)
    for seat in range(players):
        private = game.private[seat]
        turns += public.hand_count[seat]
        whole, broken = np.float64(public.broken[seat] == 0), count(np.uint64(public.broken[seat]))
        if private.role == MINER:
            features[FEATURE.whole_miners] += whole / 4
            features[FEATURE.broken_of_miners] += broken / 4
            features[FEATURE.knowing_miners] += _knows_treasure(game, private) / 4
        else:
            features[FEATURE.saboteurs] += 1 / 2
            features[FEATURE.broken_of_saboteurs] += broken / 4
        _look_at_hand(private, features)
    for i in range(public.deck_count):
        features[FEATURE.deck + _GROUP[game.secret.deck[i]]] += 1 / 8
    miners = players - 2 * features[FEATURE.saboteurs]
    features[FEATURE.turns] = turns / 32
    features[FEATURE.spare_turns] = (turns * miners / players - 8 * features[FEATURE.to_treasure]) / 16
    features[FEATURE.deck_empty] = np.float64(public.deck_count == 0)
    features[FEATURE.players] = players / 8
    features[FEATURE.miner_moves] = np.float64(game.private[public.seat].role == MINER)
    features[FEATURE.whole_mover] = np.float64(public.broken[public.seat] == 0)


@kernel
def _look_at_way(game: State, scratch: Scratch, features: Any) -> None:
    public, cards, face_down = game.public, 0, 0
    measure(public, ALL_GOALS, scratch)
    for goal in range(public.rules.goals):
        needed = scratch.now.needed[goal]
        if public.goal_face[goal] == UNKNOWN:
            cards, face_down = cards + needed, face_down + 1
        if game.secret.face[goal] == TREASURE:
            features[FEATURE.to_treasure], features[FEATURE.no_way] = needed / 8, np.float64(needed == FAR)
    features[FEATURE.to_goals] = cards / max(face_down, 1) / 8
    features[FEATURE.face_down] = face_down / MAX_GOALS


@kernel
def _look_at_hand(private: Private, features: Any) -> None:
    first = FEATURE.hands + len(GROUPS) * np.int64(private.role)
    for kind in range(len(KINDS)):
        features[first + _GROUP[kind]] += private.hand[kind] / 8


@kernel
def _knows_treasure(game: State, private: Private) -> bool:
    unknown = 0
    for goal in range(game.public.rules.goals):
        known = known_face(game.public, private, goal)
        if known == TREASURE:
            return True
        unknown += known == UNKNOWN
    return unknown == 1
