"""Self-play: one network decides for every seat, and learns from the rewards of each seat for its own decisions.

Each iteration collects a rollout from a raw batch, in which the seat to move changes with every step. Then it computes
the advantages along each seat's own decisions (rollout.py), and updates the network (ppo.py).
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.core.extras import extra

with extra("train"):
    import torch
    from torch import Tensor, nn

from saboteur_env.agents.beliefs.action_model import ActionModel
from saboteur_env.agents.beliefs.action_model_file import digest_of, kept_model
from saboteur_env.agents.beliefs.tracker import BeliefTracker
from saboteur_env.agents.learned.inputs import PolicyInputs
from saboteur_env.agents.learned.network import Network, NetworkConfig, sample
from saboteur_env.agents.learned.weights import weights_of
from saboteur_env.batch.seats import LEARNER
from saboteur_env.environment.settings import Settings

from ..common.statistics import Row
from .config import EvaluationConfig, Learning
from .evaluation import Policy, evaluate_policy
from .ppo import optimizer_of, predict, update
from .rollout import Inputs, ObservationReader, Reader, Rollout
from .seating import Seating


class SelfPlay:
    """A network that learns at every seat of a batch.

    Args:
        vec: a batch with observations and without masks.
        seating: who plays.
        config: of the network.
        seed: of torch; the batch has a seed of its own.

    Attributes:
        decisions: how many were learned from.
        action_model_name: the digest of the action model behind the beliefs that the network gets;
            None if it gets none.
    """

    def __init__(
        self,
        vec: Any,
        seating: Seating,
        config: NetworkConfig,
        learning: Learning,
        seed: int,
        device: torch.device,
    ) -> None:
        torch.manual_seed(seed)
        self.learning, self.device, self.decisions = learning, device, 0
        self.network: Any = self._new_network(vec, config).to(device)
        self.optimizer = optimizer_of(self.network, learning.learning_rate)
        self.action_model_name = digest_of(learning.action_model) if config.suspects else None
        self.seat_at(vec, seating)

    def _new_network(self, vec: Any, config: NetworkConfig) -> Any:
        return Network(vec.settings.window, vec.settings.history, config)

    def _reader(self, vec: Any) -> Reader:
        if self.device.type == "cuda":
            pin(vec.observation)
        tracker = BeliefTracker(vec, self.action_model) if self.action_model_name else None
        return ObservationReader(vec, self.learning.n_steps, self.device, tracker)

    @property
    def action_model(self) -> ActionModel | None:
        """The action model behind the belief inputs of the network."""
        return kept_model(self.action_model_name) if self.action_model_name else None

    def seat_at(self, vec: Any, seating: Seating) -> None:
        """Go on with another batch."""
        self.vec, self.seating = vec, seating
        self.rollout = Rollout(self.learning.n_steps, vec.num_games, self._reader(vec), self.device)

    def collect(self) -> None:
        """Play, keep every decision, and work out what each seat is to learn from it."""
        began, self._in_batch = time.perf_counter(), 0.0
        self.rollout.reset()
        for _ in range(self.learning.n_steps):
            inputs = self.rollout.see(self.vec)
            decided = self.decide(inputs, self.rollout.controller[self.rollout.step])
            self.rollout.act(*decided)
            self._take(decided[0])
            self.rollout.pay(self.vec.reward, self.vec.round_over)
            self.seating.after_step(self.vec, np.flatnonzero(self.vec.round_over))
        self.rollout.finish(self.learning.gamma, self.learning.gae_lambda)
        self.decisions += int(self.rollout.learned.sum())
        self._collecting = time.perf_counter() - began

    def _take(self, index: Tensor) -> None:
        chosen = index.cpu().numpy()
        began = time.perf_counter()
        self.vec.take(chosen)
        self._in_batch += time.perf_counter() - began

    @torch.no_grad()
    def decide(self, inputs: Inputs, controller: npt.NDArray[np.int8]) -> tuple[Tensor, Tensor, Tensor]:
        """Draw a legal action for each decision: its place int64[b], its log-probability and the value float32[b].

        Args:
            controller: int8[b], who decides: the learner, or the snapshot of that number.
        """
        numbers, snapshots = np.unique(controller).tolist(), self.seating.snapshots.networks
        if numbers == [LEARNER]:
            return self._draw(self.network, inputs)
        kinds = torch.int64, torch.float32, torch.float32
        index, log_prob, value = (torch.zeros(len(controller), dtype=kind, device=self.device) for kind in kinds)
        for number in numbers:
            rows = torch.from_numpy(np.flatnonzero(controller == number)).to(self.device)
            network = self.network if number == LEARNER else snapshots[number]
            index[rows], log_prob[rows], value[rows] = self._draw(network, inputs.rows(rows))
        return index, log_prob, value

    def _draw(self, network: nn.Module, inputs: Inputs) -> tuple[Tensor, Tensor, Tensor]:
        output = predict(network, inputs, self.learning.bf16)
        return *sample(output.logits), output.value

    def update(self, left: float) -> dict[str, float]:
        """Learn from the rollout; returns what was measured, by the names of the training log.

        Args:
            left: the share of the run that is still to come.
        """
        began = time.perf_counter()
        facts = update(self.network, self.optimizer, self.rollout, self.learning, left)
        updating = time.perf_counter() - began
        whole = self._collecting + updating
        times = {
            "time/decisions_a_second": float(self.rollout.learned.sum() / whole),
            "time/environment_share": self._in_batch / whole,
            "time/training_share": updating / whole,
        }
        return {**facts, **self.rollout.facts(), **times}

    @torch.no_grad()
    def choose(self, inputs: PolicyInputs) -> Tensor:
        """Sample a legal action for each decision: its index, int64[b]."""
        return self._draw(self.network, inputs)[0]

    def weights(self, card: Mapping[str, Any]) -> dict[str, bytes]:
        """See checkpoints.py. The file plays as `ppo:FILE`."""
        return {"weights": weights_of(self.network, {**card, "action_model": self.action_model_name})}

    def evaluate(self, settings: Settings, config: EvaluationConfig, seed: int, threads: int | None) -> list[Row]:
        """As `evaluate_policy`."""
        policy = Policy(self.choose, self.device, self.action_model)
        return evaluate_policy(policy, settings, config, seed, threads)

    def state_dict(self) -> tuple[dict[str, Tensor], dict[str, Any]]:
        """See checkpoints.py."""
        snapshots = self.seating.snapshots
        state: dict[str, Any] = {"playing": [*snapshots.networks], "taken": [*snapshots.taken.items()]}
        if self.seating.priorities:
            state["rounds"] = self.seating.priorities.rounds.tolist()
        return snapshots.tensors(), {
            "seating": self.seating.rng.bit_generator.state,
            "action_model_name": self.action_model_name,
            **state,
        }

    def load_state_dict(self, tensors: Mapping[str, Tensor], state: Mapping[str, Any]) -> None:
        """See checkpoints.py."""
        self.seating.rng.bit_generator.state = state["seating"]
        self.action_model_name = state.get("action_model_name", self.action_model_name)
        self.seat_at(self.vec, self.seating)
        snapshots = self.seating.snapshots
        for number in state["playing"]:
            snapshots.add(number, self.network, tensors)
        snapshots.taken = dict(state["taken"])
        if self.seating.priorities:
            self.seating.priorities.rounds[:] = state["rounds"]
            self.seating.priorities.see(self.vec)


def pin(array: npt.NDArray[Any]) -> None:
    """Lock an array's memory, so that the GPU fetches it directly; for as long as the array lives.

    Args:
        array: of any dtype and shape [...].
    """
    runtime: Any = torch.cuda.cudart()  # type: ignore[no-untyped-call]
    if int(runtime.cudaHostRegister(array.ctypes.data, array.nbytes, 0)) == 0:
        weakref.finalize(array, runtime.cudaHostUnregister, array.ctypes.data)
