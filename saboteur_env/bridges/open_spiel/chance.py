"""How chance deals, once, at the root: sampled, for large decks, or explicit, for small mines.

OpenSpiel calls chance sampled where it has one outcome and playing that outcome draws; every distinct deal of a large
deck could not be listed. An explicit chance lists deals with their probabilities, as solvers of whole trees need it.
"""

from __future__ import annotations

import numpy as np

from ...core.seeds import game_seed
from ...environment.settings import Settings
from ...extensive_form.deals import all_deals
from ...game.game import Game
from .parameters import EXPLICIT_CHANCE, SAMPLED_CHANCE


class SampledDeals:
    """One outcome, and a new deal whenever it is played.

    Attributes:
        probabilities: float64[outcomes].
        drawn: how many deals were drawn. Deals are numbered, so this is the whole state of the random numbers.
    """

    probabilities = np.ones(1)

    def __init__(self, settings: Settings, seed: int) -> None:
        self._settings, self._seed, self.drawn = settings, seed, 0

    def deal(self, outcome: int) -> Game:
        """A new deal."""
        self.drawn += 1
        return _drawn(self._settings, self._seed, self.drawn - 1)


class ListedDeals:
    """So many deals drawn by a seed, each as likely as the others."""

    def __init__(self, settings: Settings, seed: int, count: int) -> None:
        self._settings, self._seed, self.probabilities = settings, seed, np.full(count, 1 / count)

    def deal(self, outcome: int) -> Game:
        """The deal of this number."""
        return _drawn(self._settings, self._seed, outcome)


class AllDeals:
    """Every distinct deal of a small mine, as likely as the rules make it.

    Raises: ValueError where deals are not all there is to chance.
    """

    def __init__(self, settings: Settings) -> None:
        if settings.rounds != 1 or settings.reward == "nuggets":
            raise ValueError("every distinct deal is for one round and a reward that no gold decides")
        self._settings, deals = settings, all_deals(settings.rules)
        self._games, self.probabilities = deals.games, deals.chances

    def deal(self, outcome: int) -> Game:
        """The deal of this number."""
        return Game.of_records(self._games[outcome : outcome + 1].copy(), self._settings.rules)


def deals_of(settings: Settings, chance: str, count: int, seed: int) -> SampledDeals | ListedDeals | AllDeals:
    """The deals of a game of OpenSpiel, by its parameters.

    Args:
        count: how many are listed, 0 for every distinct one.

    Raises: ValueError that names an impossible parameter.
    """
    if chance not in (SAMPLED_CHANCE, EXPLICIT_CHANCE):
        raise ValueError(f"chance must be {SAMPLED_CHANCE} or {EXPLICIT_CHANCE}, not {chance!r}")
    if count < 0 or (count and chance == SAMPLED_CHANCE):
        raise ValueError(f"deals={count} must be a number of deals to list, 0 for all, with chance={EXPLICIT_CHANCE!r}")
    if chance == SAMPLED_CHANCE:
        return SampledDeals(settings, seed)
    return ListedDeals(settings, seed, count) if count else AllDeals(settings)


def _drawn(settings: Settings, seed: int, number: int) -> Game:
    return Game(settings.players, settings.edition, game_seed(seed, number), settings.rounds, settings.options)
