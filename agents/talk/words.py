"""Accusations and vouchers: what they say of their speaker and of whom they name, for the filter (filter.py).

A word is weighed by the roles of two dwarfs. So its likelihood is no sum over seats, as that of cards and claims is,
and it is multiplied into the probabilities of whole worlds.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.core.compiled.jit import kernel
from saboteur_env.engine.cards import MINER
from saboteur_env.engine.moves import ACCUSE, VOUCH, move, move_of, seat_of, target_of, verb_of
from saboteur_env.engine.state import InfoState, Public
from saboteur_env.game.view import View
from saboteur_env.inference.worlds import Worlds

from ..beliefs.filter import Belief, Floats, Model

ACCUSED = 0.75  # a dwarf is named a saboteur from this probability on,
VOUCHED_FOR = 0.1  # and a miner at or below this one
# How often a word is an accusation, by the role of its speaker (miner, saboteur) and of whom it names. These are
# chosen, not fitted. They lie near a half: a word that follows from cards that all have seen would count twice.
WORD_RATES = np.array([[0.4, 0.6], [0.6, 0.4]])


class TalkingBelief(Belief):
    """The filter with accusations and vouchers.

    Args:
        model: of cards and claims, as for `Belief`.
        rates: float64[2, 2], as WORD_RATES.

    Raises: ValueError where a rate does not lie between 0 and 1.
    """

    def __init__(self, model: Model | None = None, rates: npt.ArrayLike = WORD_RATES) -> None:
        super().__init__(model)
        self.rates: Floats = np.array(rates, np.float64)
        if self.rates.shape != (2, 2) or not ((self.rates > 0) & (self.rates < 1)).all():
            raise ValueError(f"rates must be probabilities [speaker, named] between 0 and 1, not {rates!r}")

    def _weigh(self, view: View, worlds: Worlds, weights: Floats) -> int:
        size = super()._weigh(view, worlds, weights)
        weigh_words(view.info_state, self.rates, worlds, weights, size)
        return size


@kernel
def weigh_words(known: InfoState, rates: Any, worlds: Worlds, weights: Floats, size: int) -> None:
    """Multiply the probabilities of worlds by the likelihood of what other seats have said of each other.

    Args:
        rates: float64[2, 2], as WORD_RATES.
        worlds, weights, size: as `weigh_worlds` left them. Mutates: weights.
    """
    public, total = known.public, 0.0
    for i in range(public.event_count):
        event = np.int64(public.events[i])
        verb, speaker, named = verb_of(move_of(event)), seat_of(event), target_of(move_of(event))
        if verb >= ACCUSE and speaker != known.seat:
            for j in range(size):
                world = np.int64(worlds[j])
                rate = rates[world >> speaker & 1, world >> named & 1]
                weights[j] *= rate if verb == ACCUSE else 1 - rate
    for j in range(size):
        total += weights[j]
    for j in range(size):
        weights[j] /= total


@kernel
def word_about(known: InfoState, worlds: Worlds, weights: Floats, size: int) -> int:
    """The word of the seat to move about whom it is surest of, -1 for none; what it has said before it does not repeat.

    A miner accuses saboteurs and vouches for miners. A saboteur does the contrary.
    """
    public, private, seat = known
    best, word = 0.0, -1
    for other in range(public.rules.players):
        saboteur = 0.0
        for j in range(size):
            saboteur += weights[j] * (np.int64(worlds[j]) >> other & 1)
        if other == seat or VOUCHED_FOR < saboteur < ACCUSED:
            continue
        accuses = (saboteur >= ACCUSED) == (private.role == MINER)
        said = move(ACCUSE if accuses else VOUCH, 0, other)
        if max(saboteur, 1 - saboteur) > best and not _has_said(public, seat, said):
            best, word = max(saboteur, 1 - saboteur), said
    return word


@kernel
def _has_said(public: Public, seat: int, word: int) -> bool:
    for i in range(public.event_count):
        event = np.int64(public.events[i])
        if seat_of(event) == seat and move_of(event) == word:
            return True
    return False
