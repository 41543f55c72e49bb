"""The rollout buffer of self-play: the data of each decision, and the learning targets of each seat.

Advantages are computed along the decisions of one seat in one round, as `trajectories.link` joins them. The end of the
round is the end of the episode, because roles are then dealt again. A seat's last decision before the end of the
rollout is not used for learning. Its value is the bootstrap value for the decisions before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from saboteur_env.agents.beliefs.tracker import BeliefTracker
from saboteur_env.agents.learned.inputs import PolicyInputs, inputs_of
from saboteur_env.batch.seats import LEARNER
from saboteur_env.batch.trajectories import Transitions, link
from saboteur_env.engine.cards import MINER, SABOTEUR
from saboteur_env.engine.state import MAX_PLAYERS
from saboteur_env.environment.privileged import roles_dealt


class Inputs(Protocol):
    """What decisions are made from: the arguments of a network, as a named tuple."""

    @property
    def counts(self) -> Tensor:
        """How many legal actions each has, int64[b]."""

    def rows(self, rows: Tensor) -> Any:
        """Some of the decisions, int64[k]."""

    def __iter__(self) -> Iterator[Any]:
        """The arguments."""


class Reader(Protocol):
    """Reads from a batch what the seats to move decide from."""

    def __call__(self, step: int) -> Any:
        """The inputs of a step of the rollout, which stay as they are until that step of the next rollout."""

    def joined(self, seen: Sequence[Any]) -> Any:
        """The inputs of all steps, one after the other."""


class ObservationReader:
    """Reads observations, and keeps them on the device that learns.

    Args:
        steps: of a rollout.
        tracker: as for `inputs_of`.
    """

    def __init__(self, vec: Any, steps: int, device: torch.device, tracker: BeliefTracker | None) -> None:
        self._vec, self._device, self._tracker = vec, device, tracker
        shape = steps, vec.num_games, vec.settings.observations.bytes
        self._observation = torch.zeros(shape, dtype=torch.int8, device=device)

    def __call__(self, step: int) -> PolicyInputs:
        """See `Reader`."""
        shown = inputs_of(self._vec, self._device, self._tracker)
        self._observation[step] = shown.observation
        return shown._replace(observation=self._observation[step])

    def joined(self, seen: Sequence[PolicyInputs]) -> PolicyInputs:
        """See `Reader`."""
        legal, counts = (torch.cat(parts) for parts in zip(*((each.legal, each.counts) for each in seen), strict=True))
        suspects = [each.suspects for each in seen if each.suspects is not None]
        return PolicyInputs(self._observation.flatten(0, 1), legal, counts, torch.cat(suspects) if suspects else None)


class Batch(NamedTuple):
    """Decisions to learn from, all of length b.

    Attributes:
        inputs: what they were made from.
        action_index: int64, which of the legal actions was taken.
        log_prob, value: float32, of the policy that took it.
        advantage, returns: float32.
        roles: int8[b, 10], 1 for a saboteur, 0 for a miner, from the acting seat clockwise; -1 where nobody sits.
    """

    inputs: Any
    action_index: Tensor
    log_prob: Tensor
    value: Tensor
    advantage: Tensor
    returns: Tensor
    roles: Tensor

    def split(self, size: int) -> Iterator[Batch]:
        """The same in parts of about the same length, at most `size`."""
        if len(self.action_index) <= size:
            yield self
            return
        rows = torch.arange(len(self.action_index), device=self.action_index.device)
        for part in rows.chunk(-(-len(rows) // size)):
            yield Batch(self.inputs.rows(part), *(kept[part] for kept in self[1:]))


class Rollout:
    """Decisions of `steps` steps of `games` games, on the device that learns.

    Args:
        reader: of what is decided from.

    Attributes:
        step: how many steps are kept.
        seat, controller: int8[steps, games], who decided; reward, ended: as `link` takes them.
        action_index: int64[steps, games], which of the legal actions was taken; log_prob, value: float32[steps, games].
        learned: bool[steps, games], the decisions to learn from, after `finish`.
        advantage, returns: float32[steps, games], after `finish`.
    """

    def __init__(self, steps: int, games: int, reader: Reader, device: torch.device) -> None:
        self.steps, self.games, self.device, self._reader = steps, games, device, reader
        shape = (steps, games)
        self.seat, self.controller = np.zeros(shape, np.int8), np.zeros(shape, np.int8)
        self.reward, self.ended = np.zeros((*shape, MAX_PLAYERS), np.float32), np.zeros(shape, np.bool_)
        self.roles = np.zeros((*shape, MAX_PLAYERS), np.int8)
        self.action_index = torch.zeros(shape, dtype=torch.int64, device=device)
        self.log_prob, self.value = torch.zeros((2, *shape), dtype=torch.float32, device=device)
        self.reset()

    def reset(self) -> None:
        """Forget all decisions."""
        self.step = 0
        self._sights: list[Any] = []

    def see(self, vec: Any) -> Any:
        """Keep what a batch shows now, and return it."""
        step, dealt, index = self.step, roles_dealt(vec.records), np.arange(MAX_PLAYERS)
        clockwise = np.take_along_axis(dealt, (vec.seat[:, None] + index) % vec.players[:, None], 1)
        self.seat[step], self.roles[step] = vec.seat, np.where(index < vec.players[:, None], clockwise, -1)
        self.controller[step] = vec.playing[np.arange(self.games), vec.seat]
        self._sights.append(self._reader(step))
        return self._sights[-1]

    def act(self, index: Tensor, log_prob: Tensor, value: Tensor) -> None:
        """Keep what was decided: of length games, as in `Batch`."""
        self.action_index[self.step], self.log_prob[self.step], self.value[self.step] = index, log_prob, value

    def pay(self, reward: npt.NDArray[np.float32], ended: npt.NDArray[np.bool_]) -> None:
        """Keep what the step brought, and go on to the next.

        Args:
            reward: float32[n, 10], paid to each seat; ended: bool[n], whether the match ended.
        """
        self.reward[self.step], self.ended[self.step] = reward, ended
        self.step += 1

    def finish(self, gamma: float, gae_lambda: float) -> None:
        """Work out advantages and returns. Requires: all steps are kept."""
        joined = link(self.seat, self.reward, self.ended)
        self.learned = (joined.terminal | (joined.following >= 0)) & (self.controller == LEARNER)
        self._joined = joined
        value = self.value.cpu().numpy()
        advantage = advantages(joined, value, gamma, gae_lambda)
        self.advantage = torch.from_numpy(advantage).to(self.device)
        self.returns = torch.from_numpy(advantage + value).to(self.device)
        self._seen = self._reader.joined(self._sights)
        self._roles = torch.from_numpy(self.roles).to(self.device)

    def paid(self, role: int) -> npt.NDArray[np.float64]:
        """What learners of a role were paid for each round that ended, the mean over their seats: float64[rounds]."""
        own = self.learned & (self.roles[..., 0] == role)
        rounds = self.games * (np.cumsum(self.ended, axis=0) - self.ended) + np.arange(self.games)
        seats = np.bincount(rounds[own & self._joined.terminal])
        total = np.bincount(rounds[own], self._joined.reward[own], len(seats))[: len(seats)]
        return total[seats > 0] / seats[seats > 0]

    def batches(self, size: int) -> Iterator[Batch]:
        """All decisions to learn from, once, in random batches of about `size`."""
        learned = torch.from_numpy(np.flatnonzero(self.learned)).to(self.device)
        order = learned[torch.randperm(len(learned), device=self.device)]
        for rows in order.chunk(max(1, round(len(order) / size))):
            yield self.batch(rows)

    def batch(self, rows: Tensor) -> Batch:
        """The decisions of these rows, int64[b]: step * games + game."""
        kept = (self.action_index, self.log_prob, self.value, self.advantage, self.returns)
        index, log_prob, value, advantage, returns = (part.flatten()[rows] for part in kept)
        roles = self._roles.flatten(0, 1)[rows]
        return Batch(self._seen.rows(rows), index, log_prob, value, advantage, returns, roles)

    def facts(self) -> dict[str, float]:
        """What was played, by the names of the training log. Requires: `finish`."""
        learned = torch.from_numpy(self.learned)
        returns, value = self.returns.cpu()[learned], self.value.cpu()[learned]
        return {
            "rollout/paid_miners": _mean(self.paid(MINER)),
            "rollout/paid_saboteurs": _mean(self.paid(SABOTEUR)),
            "rollout/rounds": int(self.ended.sum()),
            "rollout/learned": float(learned.float().mean()),
            "train/explained_variance": float(1 - (returns - value).var() / returns.var()),
        }


def _mean(values: npt.NDArray[np.float64]) -> float:
    return float(values.mean()) if len(values) else float("nan")


def advantages(
    joined: Transitions, value: npt.NDArray[np.float32], gamma: float, gae_lambda: float
) -> npt.NDArray[np.float32]:
    """Generalised advantage estimates along each seat's own decisions: float32[steps, games], 0 for those cut off.

    Schulman et al., "High-dimensional continuous control using generalized advantage estimation", ICLR 2016.

    Args:
        joined: the decisions of each seat, linked.
        value: float32[steps, games], expected returns.
    """
    steps, games = value.shape
    result, column = np.zeros_like(value), np.arange(games)
    for step in range(steps - 1, -1, -1):
        after = joined.following[step]
        goes_on = after >= 0
        ahead = np.where(goes_on, value[after, column] + gae_lambda * result[after, column], 0)
        surprise = joined.reward[step] + gamma * ahead - value[step]
        result[step] = np.where(goes_on | joined.terminal[step], surprise, 0)
    return result
