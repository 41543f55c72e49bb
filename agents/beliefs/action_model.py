"""Action model: how often dwarfs of a role choose each type of action. It is fitted on games, for filter.py.

A dwarf of a player type chooses among the action types (action_types.py) that its hand allows. The probability of each
is proportional to the exponential of the type's preference in the present context. Moves of one action type are equally
likely. This is a conditional logit (McFadden, "Conditional logit analysis of qualitative choice behavior", 1974). The
hand is hidden, so each action type is weighted by the chance that the hand holds a card for it. The player type of a
dwarf is unknown, and it is the same for all its actions in a round. Given player type and knowledge, actions are
assumed to be independent.

Player types belong to populations, and the dwarfs of a table often come from one of them. So before a seat's actions
are weighed, its populations are as likely as the other seats make them. This is a mean-field approximation: a seat
takes the other seats' posteriors as they are, and the posterior over sets of roles (filter.py) stays an enumeration.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from saboteur_env.core.compiled.jit import kernel, separate
from saboteur_env.core.compiled.memory import PerThread, record_dtype
from saboteur_env.engine.cards import MINER, ROLES, SABOTEUR, UNKNOWN
from saboteur_env.engine.moves import PASS, move_of, seat_of, verb_of
from saboteur_env.engine.state import MAX_EVENTS, MAX_GOALS, MAX_PLAYERS, STATE, Public, State
from saboteur_env.inference.rewind import begins_with_round, replay, rewind

from .action_types import ACTION_TYPES, CONTEXTS, OPTIONS, classify_actions

Floats = npt.NDArray[np.float64]

MAX_TYPES = 16
TRACE = record_dtype(
    ("styles", "f8", (MAX_PLAYERS, MAX_TYPES, MAX_GOALS)),  # log likelihood of a seat's acts
    ("log_likelihood", "f8", (MAX_PLAYERS, len(ROLES), MAX_GOALS)),  # the same by role
    ("log_odds", "f8", MAX_PLAYERS),  # log odds of each seat to be a saboteur, by its acts alone
    ("populations", "f8", (MAX_PLAYERS, MAX_TYPES)),  # the probability of each for a seat; zeros before its first act
    ("expected", "f8", MAX_TYPES),  # shares of the styles among those of a role, before the acts of the present seat
    ("chosen", "f8", MAX_GOALS),  # log likelihood of the present act under one style
    ("choices", OPTIONS),
)
# The state of one tracked game: the table after the processed events, and the evidence from them.
TRACKED = record_dtype(("table", STATE), ("trace", TRACE), ("events", "i4", MAX_EVENTS), ("count", "i8"))


class PlayerTypes(NamedTuple):
    """Styles of play, as kernels read them.

    Attributes:
        preference: float64[styles, contexts, acts], how much a style likes an act.
        role: int64[styles], the role that a style belongs to.
        share: float64[styles], how many of a role's dwarfs have it.
        population: int64[styles], the population that a style belongs to.
        pooling: how many seats, for one whose population is known, count as much as the shares; 0 for none.
    """

    preference: Floats
    role: npt.NDArray[np.int64]
    share: Floats
    population: npt.NDArray[np.int64]
    pooling: float


class ActionModel:
    """An action model: styles of play with their names. Threads may share it.

    Attributes:
        names: of the styles.
        styles: what kernels read.

    Raises: ValueError where the styles do not fit the acts and contexts there are, or a role has none.
    """

    def __init__(self, names: Sequence[str], styles: PlayerTypes) -> None:
        _check(names, styles)
        self.names, self.styles = tuple(names), styles
        self._followed = PerThread(_Followed)

    def log_likelihood(self, public: Public) -> Floats:
        """The log-likelihood of the actions of each seat in this round: float64[10, 2, 3], by seat, role and treasure.

        All zeros if the record does not begin with the round. Asked again later in a round, it processes new events
        only.
        """
        followed, rules = self._followed.local, public.rules.tobytes()
        if followed.rules != rules:
            followed.rules, followed.game["count"] = rules, 0
        _follow(public, self.styles, followed.game)
        return followed.game["trace"]["log_likelihood"][0].copy()


class _Followed:
    """The round that a thread asked about last."""

    def __init__(self) -> None:
        self.game, self.rules = np.zeros(1, TRACKED), b""


def _check(names: Sequence[str], styles: PlayerTypes) -> None:
    count = len(names)
    if not 0 < count <= MAX_TYPES or len(set(names)) < count:
        raise ValueError(
            f"action model: from 1 to {MAX_TYPES} styles with names of their own are possible, not {names!r}"
        )
    shapes = {"preference": (count, len(CONTEXTS), len(ACTION_TYPES)), "role": (count,), "share": (count,)}
    for name, shape in shapes.items():
        values = getattr(styles, name)
        if values.shape != shape or not np.isfinite(values).all():
            raise ValueError(f"action model: {name} must be numbers of shape {shape}, not of {values.shape}")
    for role, called in enumerate(ROLES):
        shares = styles.share[styles.role == role]
        if not np.isclose(shares.sum(), 1) or (shares <= 0).any():
            raise ValueError(
                f"action model: the shares of the styles of a {called} must add up to 1, not {shares.tolist()}"
            )
    _check_populations(styles)


def _check_populations(styles: PlayerTypes) -> None:
    numbers = styles.population.dtype.kind == "i" and styles.population.shape == styles.share.shape
    if not numbers or not np.isin(styles.population, range(MAX_TYPES)).all():
        raise ValueError(f"action model: populations are numbers below {MAX_TYPES}, one for each style")
    if not 0 <= styles.pooling < math.inf:
        raise ValueError(f"action model: pooling must be 0 or more, not {styles.pooling!r}")
    if styles.pooling:
        miners, saboteurs = (
            np.bincount(styles.population[here], styles.share[here], MAX_TYPES)
            for here in (styles.role == role for role in range(len(ROLES)))
        )
        if not np.allclose(miners, saboteurs):
            raise ValueError("action model: where seats are pooled, a population has the same share among both roles")


@kernel
def _follow(public: Public, styles: PlayerTypes, followed: Any) -> None:
    track(public, styles, followed[0])


@separate
def update_round(public: Public, styles: PlayerTypes, game: State, trace: Any) -> None:
    """Process all actions of this round; do nothing if the record does not begin with the round.

    Args:
        game: a STATE record, overwritten.

    Mutates: trace, a TRACE record; its `evidence` is the answer.
    """
    begin(trace)
    if not begins_with_round(public):
        return
    rewind(public, game)
    for i in range(public.event_count):
        event = np.int64(public.events[i])
        update_action(game.public, event, styles, trace)
        replay(game, event)


@separate
def track(public: Public, styles: PlayerTypes, item: Any) -> None:
    """Process the events since the last update of a game, or all events of a new round.

    Mutates: item, a TRACKED record. Requires: of the same rules as at the last update, if there was one.
    """
    count, known = np.int64(public.event_count), np.int64(item.count)
    if not begins_with_round(public):
        begin(item.trace)
        item.count = 0
        return
    goes_on = 0 < known <= count
    for i in range(known * goes_on):
        goes_on &= item.events[i] == public.events[i]
    for goal in range(MAX_GOALS):
        face = np.int64(item.table.public.goal_face[goal])
        goes_on &= (face == UNKNOWN) | (face == public.goal_face[goal])
    if not goes_on:
        begin(item.trace)
        rewind(public, item.table)
        known = 0
    for goal in range(MAX_GOALS):
        face = np.int64(public.goal_face[goal])
        if face != UNKNOWN:
            item.table.secret.face[goal] = face
    for i in range(known, count):
        event = np.int64(public.events[i])
        update_action(item.table.public, event, styles, item.trace)
        replay(item.table, event)
        item.events[i] = event
    item.count = count


@kernel
def begin(trace: Any) -> None:
    """Clear all actions. Mutates: trace."""
    trace.styles[:] = 0.0
    trace.log_likelihood[:] = 0.0
    trace.log_odds[:] = 0.0
    trace.populations[:] = 0.0


@separate
def update_action(public: Public, event: int, styles: PlayerTypes, trace: Any) -> None:
    """Process an event. Mutates: trace. Requires: the table is in the state before the event."""
    seat, options = seat_of(event), trace.choices
    if verb_of(move_of(event)) >= PASS:  # no choice of a card
        return
    classify_actions(public, move_of(event), trace.log_odds, options)
    for style in range(len(styles.share)):
        for treasure in range(public.rules.goals):
            same, chosen = np.int64(options.alike[treasure]), trace.chosen
            if same == treasure:
                chosen[treasure] = log_probability(styles.preference[style], options, treasure)
            trace.styles[seat, style, treasure] += chosen[same]
    _expect(public, styles, trace, seat)
    _share_out(public, styles, trace, seat)


@kernel
def log_probability(preference: Any, options: Any, treasure: int) -> float:
    """The log-likelihood of the actions under a style, if the treasure lies at this goal."""
    act, held, likes = options.act[treasure], options.held[treasure], preference[options.context[treasure]]
    total = 0.0
    for other in range(len(ACTION_TYPES)):
        total += held[other] * math.exp(likes[other])
    return likes[act] + math.log(held[act] / (total * options.move_counts[treasure, act]))


@kernel
def _share_out(public: Public, styles: PlayerTypes, trace: Any, seat: int) -> None:
    # From styles to roles, and to the odds wherever the treasure may lie.
    log_likelihood, odds = trace.log_likelihood[seat], (-math.inf, -math.inf)
    log_likelihood[:] = -math.inf
    for treasure in range(public.rules.goals):
        for style in range(len(styles.share)):
            role = styles.role[style]
            likelihood = math.log(trace.expected[style]) + trace.styles[seat, style, treasure]
            log_likelihood[role, treasure] = np.logaddexp(log_likelihood[role, treasure], likelihood)
        if public.goal_face[treasure] == UNKNOWN:
            miner = np.logaddexp(odds[MINER], log_likelihood[MINER, treasure])
            odds = miner, np.logaddexp(odds[SABOTEUR], log_likelihood[SABOTEUR, treasure])
    trace.log_odds[seat] = odds[SABOTEUR] - odds[MINER]


@kernel
def _expect(public: Public, styles: PlayerTypes, trace: Any, seat: int) -> None:
    # The shares of the styles for a seat, by its own population and those of the other seats.
    for style in range(len(styles.share)):
        trace.expected[style] = styles.share[style]
    if styles.pooling == 0:
        return
    acted = 0.0
    for other in range(public.rules.players):
        acted += (other != seat) * trace.populations[other].sum()
    for style in range(len(styles.share)):
        population, alike, prior = styles.population[style], 0.0, 0.0
        for other in range(public.rules.players):
            alike += (other != seat) * trace.populations[other, population]
        for kin in range(len(styles.share)):
            prior += styles.share[kin] * (styles.population[kin] == population and styles.role[kin] == MINER)
        trace.expected[style] *= (1 + styles.pooling * alike / prior) / (1 + styles.pooling * acted)
    _find_population(public, styles, trace, seat)


@kernel
def _find_population(public: Public, styles: PlayerTypes, trace: Any, seat: int) -> None:
    most, total, populations = -math.inf, 0.0, trace.populations[seat]
    for style in range(len(styles.share)):
        for treasure in range(public.rules.goals):
            most = max(most, trace.styles[seat, style, treasure])
    populations[:] = 0.0
    for style in range(len(styles.share)):
        for treasure in range(public.rules.goals):
            likelihood = trace.expected[style] * math.exp(trace.styles[seat, style, treasure] - most)
            populations[styles.population[style]] += likelihood
            total += likelihood
    for population in range(MAX_TYPES):
        populations[population] /= total
