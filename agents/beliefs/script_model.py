"""A scripted dwarf as an action model (filter.py): the chance that it plays an action, with any possible hand.

Hands are hidden. For each action some hands are sampled from the unseen cards, always with the card that was used. The
probability of the action is averaged over them. Each action has its own sampled hands, as if the dwarf drew a new hand
every turn.

The hand must hold the card, too. That chance is divided by the copies of the card, as in the fitted action models
(action_model.py), so that models can be mixed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from saboteur_env.core import prng
from saboteur_env.core.compiled.jit import ZERO, kernel, separate
from saboteur_env.core.compiled.memory import PerThread, record_dtype
from saboteur_env.engine.cards import KINDS, ROLES, STONE_NE, TREASURE, UNKNOWN
from saboteur_env.engine.legal import MAX_MOVES
from saboteur_env.engine.moves import DISCARD, PASS, move_of, seat_of, verb_of
from saboteur_env.engine.state import MAX_GOALS, MAX_PLAYERS, PRIVATE, Games, InfoState, Public, State, blank
from saboteur_env.inference.resample import count_unseen
from saboteur_env.inference.rewind import begins_with_round, replay, rewind

from ..scripted.policy import WORKSPACE
from ..scripted.presets import DWARFS, PPO_SMALL, number_of
from ..scripted.select import action_probabilities
from .action_model_file import doubting
from .action_types import FACE_DOWN, card_kind, chance_to_hold
from .filter import Model

Floats = npt.NDArray[np.float64]

HANDS, SLIP = 12, 0.05  # of a script that is weighed at every move
SCRIPT_SHARE = 0.2  # of the dwarfs play by it where a fitted model explains the others

SCRIPT_SCRATCH = record_dtype(
    ("private", PRIVATE),
    ("unseen", "i8", len(KINDS)),
    ("left", "i8", len(KINDS)),
    ("chances", "f8", MAX_MOVES),
    ("space", WORKSPACE),
)


class Script(NamedTuple):
    """A script as an action model, as kernels read it.

    Attributes:
        dwarf: a DWARF record (params.py).
        hands: how many are drawn for an act.
        slip: how often it plays any legal move instead.
    """

    dwarf: Any
    hands: int
    slip: float


class ScriptModel:
    """Acts as a preset dwarf plays them. Threads may share it.

    Args:
        name: of the dwarf, which has a character for each role.
        hands: how many are drawn for an act; time grows with them.
        slip: how often it plays any legal move instead, so that no act is impossible.

    Attributes:
        script: what kernels read.

    Raises: ValueError for an unknown dwarf, no hands, or a slip that is no probability above 0.
    """

    def __init__(self, name: str, hands: int = 24, slip: float = 0.02) -> None:
        if hands < 1 or not 0 < slip <= 1:
            raise ValueError(f"hands must be 1 or more and slip from above 0 to 1, not {hands!r} and {slip!r}")
        self.script = Script(DWARFS[number_of(name)], hands, float(slip))
        self._scratch = PerThread(_scratch)

    def log_likelihood(self, public: Public) -> Floats:
        """The log-likelihood of the actions of each seat: float64[10, 2, 3], by seat, role and treasure."""
        log_likelihood = np.zeros((MAX_PLAYERS, len(ROLES), MAX_GOALS))
        _weigh(public, self.script, *self._scratch.local, log_likelihood)
        return log_likelihood


def _scratch() -> tuple[Any, Any]:
    return blank(), np.zeros(1, SCRIPT_SCRATCH)


class Mixture:
    """A dwarf that is one of several for a whole round; it is unknown which one.

    Args:
        models: they must count the same terms; those of this package do.
        shares: how likely each is; the same for all where missing.

    Raises: ValueError where the shares are not positive numbers, one for each model.
    """

    def __init__(self, models: Sequence[Model], shares: Sequence[float] | None = None) -> None:
        self._models = list(models)
        given = np.ones(len(self._models)) if shares is None else np.array(shares, np.float64)
        if len(given) != len(self._models) or not len(given) or not (given > 0).all():
            raise ValueError(f"shares must be positive, one for each of {len(self._models)} models, not {shares!r}")
        self._shares = np.log(given / given.sum())

    def log_likelihood(self, public: Public) -> Floats:
        """As `Model.evidence`."""
        return self.mix([model.log_likelihood(public) for model in self._models])

    def mix(self, each: Sequence[Floats]) -> Floats:
        """The log-likelihood by the mixture.

        Args:
            each: what each of the models says, float64[..., 10, 2, 3].
        """
        return np.logaddexp.reduce([share + said for share, said in zip(self._shares, each, strict=True)])


def doubting_or_learned() -> Mixture:
    """Each seat is a dwarf as the doubting action model knows it, or one that plays as `ppo-small` does."""
    return Mixture([doubting(), ScriptModel(PPO_SMALL, HANDS, SLIP)], [1 - SCRIPT_SHARE, SCRIPT_SHARE])


@kernel
def _weigh(public: Public, script: Script, games: Games, scratches: Any, log_likelihood: Any) -> None:
    update_by_script(public, script, games[0], scratches[0], log_likelihood)


@separate
def update_by_script(public: Public, script: Script, game: State, scratch: Any, log_likelihood: Any) -> None:
    """Write the log-likelihood of a round's acts under a script. It stays 0 where the record begins later.

    Args:
        game: a STATE record, overwritten.
        scratch: a SCRIPT_SCRATCH record, overwritten.
        log_likelihood: float64[10, 2, 3], by seat, role and treasure; zeros before, overwritten.
    """
    if not begins_with_round(public):
        return
    rewind(public, game)
    for i in range(public.event_count):
        event = np.int64(public.events[i])
        weigh_action(game.public, event, script, scratch, log_likelihood)
        replay(game, event)


@separate
def weigh_action(public: Public, event: int, script: Script, scratch: Any, log_likelihood: Any) -> None:
    """Add the log-likelihood of an event. Requires: the table is in the state before the event.

    Args:
        scratch: a SCRIPT_SCRATCH record, overwritten.

    Mutates: log_likelihood, float64[10, 2, 3].
    """
    if verb_of(move_of(event)) < PASS:  # others are no choice of a card
        _weigh_act(public, event, script, scratch, log_likelihood[seat_of(event)])


@kernel
def _weigh_act(public: Public, event: int, script: Script, scratch: Any, log_likelihood: Any) -> None:
    private, known = scratch.private, InfoState(public, scratch.private, np.int64(public.seat))
    count_unseen(public, scratch.unseen)
    held = _held(card_kind(move_of(event)), np.int64(public.hand_count[public.seat]), scratch.unseen)
    for role in range(len(ROLES)):
        private.role = role
        for treasure in range(public.rules.goals):
            for goal in range(MAX_GOALS):
                read = public.maps[public.seat] >> goal & 1
                private.face[goal] = (TREASURE if goal == treasure else STONE_NE) if read else UNKNOWN
            total = 0.0
            for hand in range(script.hands):
                _draw_hand(public, move_of(event), prng.key(ZERO, np.int64(public.event_count), hand), scratch)
                count = action_probabilities(script.dwarf, known, scratch.space, scratch.chances)
                total += script.slip / count + (1.0 - script.slip) * _chance_of(move_of(event), scratch, count)
            log_likelihood[role, treasure] += math.log(held * total / script.hands)


@kernel
def _held(kind: int, hand: int, unseen: Any) -> float:
    # The chance that the hand held the card, for each copy of it, as in action_model.log_probability.
    if kind == FACE_DOWN:
        return 1.0
    copies = np.int64(unseen[kind])
    return chance_to_hold(copies, unseen.sum(), hand) / copies


@kernel
def _draw_hand(public: Public, number: int, random_key: np.uint64, scratch: Any) -> None:
    private, left, kind, counter = scratch.private, scratch.left, card_kind(number), ZERO
    total = 0
    for other in range(len(KINDS)):
        left[other], private.hand[other] = scratch.unseen[other], 0
        total += left[other]
    private.kinds = 0
    for card in range(min(np.int64(public.hand_count[public.seat]), total)):
        if card > 0 or kind == FACE_DOWN:
            pick, counter = prng.below(random_key, counter, total)
            kind = 0
            while pick >= left[kind]:
                pick -= left[kind]
                kind += 1
        left[kind] -= 1
        total -= 1
        private.hand[kind] += 1
        private.kinds |= 1 << kind


@kernel
def _chance_of(number: int, scratch: Any, count: int) -> float:
    # Of all discards, where the card was laid face down.
    total = 0.0
    for i in range(count):
        move = np.int64(scratch.space.moves[i])
        if move == number or (verb_of(move) == DISCARD and verb_of(number) == DISCARD):
            total += scratch.chances[i]
    return total
