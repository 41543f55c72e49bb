"""What claims say: how often dwarfs of a role claim what, and the likelihood of claims for the filter (filter.py).

Whoever claims something about a goal has read it, so the face is known to the speaker. A claim then depends on the role
of its speaker and on the face alone. Its likelihood is a table: role, face, claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.core.compiled.jit import kernel
from saboteur_env.engine.cards import ROLES
from saboteur_env.engine.moves import CLAIM, CLAIMS, card_of, move_of, seat_of, target_of, verb_of
from saboteur_env.engine.state import MAX_GOALS, MAX_PLAYERS, Public

from ..beliefs.filter import Floats, Model

# How often a dwarf claims nothing, treasure, stone: of a stone, then of the treasure.
CLAIM_RATES = {
    "honest": ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0)),
    "liar": ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "hider": ((0.0, 0.0, 1.0), (0.0, 0.0, 1.0)),  # a stone is told, the treasure is denied
    "silent": ((1.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
}
ANY_CLAIM = 0.02  # how often a model expects any claim instead, so that none is impossible


def claim_rates(miner: str, saboteur: str) -> Floats:
    """How often dwarfs of each role claim what: float64[2, 2, 3], by role, face (stone, treasure) and claim.

    Raises: ValueError that lists the claimants there are.
    """
    for name in (miner, saboteur):
        if name not in CLAIM_RATES:
            raise ValueError(f"there is no claimant {name!r}; there are {', '.join(CLAIM_RATES)}")
    return np.array([CLAIM_RATES[miner], CLAIM_RATES[saboteur]])


class ClaimModel:
    """A model of claims for the Bayes filter.

    Args:
        rates: float64[2, 2, 3], as of `claim_rates`, stated or fitted (`fit_claim_rates`).
        slip: how often any claim is made instead.

    Raises: ValueError where the rates are no probabilities, or slip is none above 0.
    """

    def __init__(self, rates: npt.ArrayLike, slip: float = ANY_CLAIM) -> None:
        table = np.array(rates, np.float64)
        if table.shape != (len(ROLES), 2, len(CLAIMS)) or (table < 0).any() or not np.allclose(table.sum(2), 1):
            raise ValueError(f"rates must be probabilities [role, face, claim], not {rates!r}")
        if not 0 < slip <= 1:
            raise ValueError(f"slip must be a probability above 0, not {slip!r}")
        self.log_rates: Floats = np.log((1 - slip) * table + slip / len(CLAIMS))

    def log_likelihood(self, public: Public) -> Floats:
        """The log-likelihood of the claims of each seat: float64[10, 2, 3], by seat, role and treasure."""
        log_likelihood = np.zeros((MAX_PLAYERS, len(ROLES), MAX_GOALS))
        add_claims(public, self.log_rates, log_likelihood)
        return log_likelihood


class Together:
    """Models of different moves, such as cards and claims: their log-likelihoods are added."""

    def __init__(self, models: Sequence[Model]) -> None:
        self.models = tuple(models)

    def log_likelihood(self, public: Public) -> Floats:
        """As of `Model`."""
        return np.sum([model.log_likelihood(public) for model in self.models], axis=0)


@kernel
def add_claims(public: Public, log_rates: Any, log_likelihood: Any) -> None:
    """Add the log-likelihood of the claims of a round.

    Args:
        log_rates: float64[2, 2, 3], by role, face and claim.
        log_likelihood: float64[10, 2, 3], by seat, role and treasure. Mutates it.
    """
    for i in range(public.event_count):
        event = np.int64(public.events[i])
        number, seat = move_of(event), seat_of(event)
        if verb_of(number) == CLAIM:
            for role in range(2):
                for treasure in range(public.rules.goals):
                    face = np.int64(target_of(number) == treasure)
                    log_likelihood[seat, role, treasure] += log_rates[role, face, card_of(number)]


def fit_claim_rates(claims: npt.NDArray[np.int64], weight: float = 1.0) -> Floats:
    """Rates from claims whose truth is known, as after a match: float64[2, 2, 3].

    Args:
        claims: int64[n, 3], each a role, a face (0 stone, 1 treasure) and what was claimed.
        weight: claims of each kind that are counted before (Laplace's rule of succession at 1).
    """
    counts = np.full((len(ROLES), 2, len(CLAIMS)), weight)
    np.add.at(counts, tuple(claims.T), 1)
    return np.asarray(counts / counts.sum(axis=2, keepdims=True))
