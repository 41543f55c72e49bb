"""Beliefs of a dwarf: a Bayes filter over the worlds that agree with what it knows (inference/worlds.py).

A model gives the likelihood of each public action. It depends on the role of the player, and on what that player knows
of the goals. This knowledge follows from the maps it played and from the position of the treasure. Actions are assumed
to be independent once role and treasure are given. Then the posterior is exact: it is the prior of the rules (Rules
2.1, 2.3) times the likelihood of all actions of all other seats, over all worlds. The dwarf's own actions tell it
nothing new.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from saboteur_env.core import prng
from saboteur_env.core.compiled.jit import ZERO, kernel, separate
from saboteur_env.core.compiled.memory import PerThread
from saboteur_env.core.seeds import checked_seed
from saboteur_env.engine.state import ASIDE, MAX_PLAYERS, Games, InfoState, Public, State, blank
from saboteur_env.game.game import Game
from saboteur_env.game.view import View
from saboteur_env.inference.resample import resample_in
from saboteur_env.inference.worlds import MAX_WORLDS, Worlds, list_worlds, roles_in, treasure_in

from .action_model_file import fitted

Floats = npt.NDArray[np.float64]


class Model(Protocol):
    """A model of the likelihood of actions."""

    def log_likelihood(self, public: Public) -> Floats:
        """The log-likelihood of the actions of each seat in this round.

        Args:
            public: a `PUBLIC` record.

        Returns: float64[10, 2, 3], by seat, role (engine/cards.py) and goal with the treasure; a term that is the same
            for all roles and goals may be left out.
        """
        ...


@dataclass(frozen=True)
class Posterior:
    """The posterior of a seat.

    Attributes:
        worlds: int16[w], the worlds that fit what it knows.
        weights: float64[w], their probabilities.
        saboteur: float64[players], the probability of each seat to be a saboteur; of the own one 0 or 1.
        aside: that the dwarf aside is one, 0 where none is aside. With `saboteur` it adds up to the saboteurs dealt.
        treasure: float64[goals], the probability of each goal to be the treasure.
    """

    worlds: Worlds
    weights: Floats
    saboteur: Floats
    aside: float
    treasure: Floats


class Belief:
    """The filter for the validated single game: the posterior of a view, given an action model.

    Threads may share it if they may share the model. They may share the models of this package.

    Args:
        model: of acts; the default action model of the package if not given.
    """

    def __init__(self, model: Model | None = None) -> None:
        self.model, self._scratch = model or fitted(), PerThread(_scratch)

    def game(self, view: View, seed: int) -> Game:
        """A whole game that agrees with a view, with roles and treasure sampled from the posterior.

        Raises: ValueError for a bad seed.
        """
        believed, games = self.of(view), blank()
        worlds, weights = believed.worlds, believed.weights
        _draw(view.info_state, worlds, weights, len(worlds), games, np.uint64(checked_seed(seed)))
        return Game.of_records(games, view.rules, view.messages)

    def of(self, view: View) -> Posterior:
        """The posterior of the seat of a view; before the first move, the prior of the rules."""
        worlds, weights = self._scratch.local
        size = self._weigh(view, worlds, weights)
        worlds, weights = worlds[:size].copy(), weights[:size].copy()
        dwarfs = weights @ (worlds[:, None] >> np.arange(ASIDE + 1) & 1)
        treasure = weights @ (treasure_in(worlds)[:, None] == np.arange(view.public.rules.goals))
        return Posterior(worlds, weights, dwarfs[: view.rules.players], float(dwarfs[ASIDE]), treasure)

    def _weigh(self, view: View, worlds: Worlds, weights: Floats) -> int:
        return weigh_worlds(view.info_state, self.model.log_likelihood(view.public), worlds, weights)

    def clockwise(self, view: View) -> npt.NDArray[np.float32]:
        """For each seat, from the own one clockwise, the probability to be a saboteur; 0 where nobody sits."""
        (worlds, weights), seen = self._scratch.local, np.zeros(MAX_PLAYERS, np.float32)
        write_clockwise(view.info_state, worlds, weights, self._weigh(view, worlds, weights), seen)
        return seen


def _scratch() -> tuple[Worlds, Floats]:
    return np.empty(MAX_WORLDS, np.int16), np.empty(MAX_WORLDS)


@kernel
def weigh_worlds(known: InfoState, log_likelihood: Any, worlds: Worlds, weights: Floats) -> int:
    """Write the worlds that agree with what a seat knows, and their probabilities; return their number.

    Args:
        log_likelihood: float64[10, 2, 3], as of `Model.log_likelihood`.
        worlds, weights: int16[MAX_WORLDS] and float64[MAX_WORLDS], overwritten from the front.
    """
    size, most, total = list_worlds(known, worlds), -math.inf, 0.0
    for i in range(size):
        world = np.int64(worlds[i])
        weights[i] = 0.0
        for other in range(known.public.rules.players):
            if other != known.seat:
                weights[i] += log_likelihood[other, world >> other & 1, treasure_in(world)]
        most = max(most, weights[i])
    for i in range(size):
        weights[i] = math.exp(weights[i] - most)
        total += weights[i]
    for i in range(size):
        weights[i] /= total
    return size


@kernel
def write_clockwise(known: InfoState, worlds: Worlds, weights: Floats, size: int, seen: Any) -> None:
    """Write the probability of each seat, from the observer clockwise, to be a saboteur.

    Args:
        worlds, weights, size: as `weigh_worlds` left them for this seat.
        seen: float32[10]. Requires: all zero. Mutates it.
    """
    players = np.int64(known.public.rules.players)
    for i in range(size):
        for offset in range(players):
            seen[offset] += weights[i] * (np.int64(worlds[i]) >> (known.seat + offset) % players & 1)


@kernel
def _draw(known: InfoState, worlds: Worlds, weights: Floats, size: int, games: Games, seed: np.uint64) -> None:
    draw_game(known, worlds, weights, size, games[0], seed)


@separate
def draw_game(known: InfoState, worlds: Worlds, weights: Floats, size: int, game: State, seed: np.uint64) -> None:
    """Fill a whole game as `resample` does, with roles and treasure sampled from the posterior.

    Args:
        worlds, weights, size: as `weigh_worlds` left them for this seat.

    Mutates: game, a STATE record.
    """
    world = np.int64(worlds[draw_world(weights, size, prng.key(seed, prng.IMAGINED, 0))])
    resample_in(known, roles_in(world), treasure_in(world), game, seed)


@kernel
def draw_world(weights: Floats, size: int, random_key: np.uint64) -> int:
    """The index of a world sampled by its weight."""
    random_number = np.float64(prng.number(random_key, ZERO) >> np.uint64(11)) / (1 << 53)
    for index in range(size - 1):
        random_number -= weights[index]
        if random_number < 0:
            return index
    return size - 1
