"""A network that plays seats of a batch: it decides for many games at once, from what each seat to move sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.core.extras import extra

with extra("learned"):
    import torch
    from torch import Tensor

from saboteur_env.batch.seats import uniform
from saboteur_env.core.compiled.jit import kernel
from saboteur_env.engine.legal import MAX_MOVES, legal_moves
from saboteur_env.engine.state import InfoState, to_move
from saboteur_env.environment.actions import Actions, action_of
from saboteur_env.environment.encoder import observe
from saboteur_env.environment.observations import Observations

from ..beliefs.action_model import ActionModel
from ..beliefs.tracker import BeliefTracker
from .inputs import PolicyInputs


def check_words(talks: bool, observations: Observations) -> None:
    """Raise ValueError where a table talks and a policy knows no words."""
    if talks and not observations.talk:
        raise ValueError("this policy knows no words; let it play at a table without them (option talk: none)")


class PolicyPlayer:
    """A policy over the actions of a window, with a window and a history of its own.

    A decision is drawn by its own seed, so the same game and seed give the same move in any batch.

    Args:
        spec: what it was named by.
        observations: what the policy sees.
        logits: float[b, L] of the legal actions of b decisions, -inf beyond the count of each row.
        action_model: behind the beliefs that the policy is told; None if it is told none.
    """

    def __init__(
        self,
        spec: Any,
        observations: Observations,
        logits: Callable[[PolicyInputs], Tensor],
        action_model: ActionModel | None = None,
    ) -> None:
        self.spec, self._observations, self._logits, self._action_model = spec, observations, logits, action_model
        self._tracker: BeliefTracker | None = None

    def follow(self, tracker: BeliefTracker) -> None:
        """Take beliefs from a tracker that somebody else has begun."""
        self._tracker = tracker

    def moves(self, vec: Any, games: npt.NDArray[np.int64], seeds: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """Legal moves of the seats to move, as of a `Player`: int64[k].

        Args:
            vec: the batch.
            games: int64[k], the games that wait; seeds: uint64[k], of each decision.
        """
        inputs, moves = self.look(vec, games)
        with torch.inference_mode():
            probabilities = self._logits(inputs).double().softmax(1).cumsum(1).numpy()
        counts = inputs.counts.numpy()
        return moves[counts.cumsum() - counts + _draw(probabilities, counts, seeds)]

    def look(self, vec: Any, games: npt.NDArray[np.int64]) -> tuple[PolicyInputs, npt.NDArray[np.int64]]:
        """What the policy sees in some games of a batch, and the moves of its legal actions, one after the other.

        Args:
            games: int64[k].
        """
        codecs, seen = Actions(self._observations.window).codecs, self._observations
        check_words(vec.settings.rules.talks, seen)
        observation = np.zeros((len(games), seen.bytes), np.int8)
        counts, row = np.empty(len(games), np.int64), np.empty(MAX_MOVES, np.int32)
        actions, moves = np.empty((2, len(games) * MAX_MOVES), np.int64)
        total = _see(vec.records, games, codecs, seen.history, observation, counts, row, actions, moves)
        parts = [torch.from_numpy(part) for part in (observation, actions[:total], counts)]
        if self._action_model is not None:
            if self._tracker is None:
                self._tracker = BeliefTracker(vec, self._action_model)
            parts.append(torch.from_numpy(self._tracker.saboteur_probabilities(games)))
        return PolicyInputs(*parts), moves

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_tracker": None}  # it follows one batch, and finds all again


@kernel
def _see(
    records: Any,
    games: Any,
    codecs: Any,
    history: int,
    observation: Any,
    counts: Any,
    row: Any,
    actions: Any,
    moves: Any,
) -> int:
    total = 0
    for i in range(len(games)):
        game = records[games[i]]
        public, seat = game.public, np.int64(game.public.seat)
        observe(public, game.private[seat], seat, codecs[0], history, observation[i])
        counts[i] = moves_in_window(to_move(game), codecs, row, actions[total:], moves[total:])
        total += counts[i]
    return total


@kernel
def moves_in_window(known: InfoState, codecs: Any, row: Any, actions: Any, moves: Any) -> int:
    """Write the legal moves of the seat to move that are actions of a window, and these actions; return their number.

    Args:
        codecs: WINDOW_CODEC[1], of the window.
        row: int32[MAX_MOVES], scratch.
        actions, moves: int64[>= the number], overwritten from the front.
    """
    players, count = np.int64(known.public.rules.players), 0
    for j in range(legal_moves(known.public, known.private, row)):
        action = action_of(np.int64(row[j]), known.seat, players, codecs[0])
        if action >= 0:
            actions[count], moves[count] = action, row[j]
            count += 1
    return count


@kernel
def _draw(probabilities: Any, counts: Any, seeds: Any) -> Any:
    # The first action at which the sum of probabilities exceeds a number drawn by the seed.
    index = np.zeros(len(counts), np.int64)
    for i in range(len(counts)):
        lot = uniform(seeds[i]) * probabilities[i, counts[i] - 1]
        while index[i] + 1 < counts[i] and probabilities[i, index[i]] <= lot:
            index[i] += 1
    return index
