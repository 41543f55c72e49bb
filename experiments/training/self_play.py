"""Self-play of all seats by sb3-contrib's MaskablePPO, one network for every seat's decisions.

What differs from stock: the batch is the raw one (vector.py), in which the seat to move changes with every step;
advantages run along each seat's own decisions (rollout.py); policy and rollout know legal actions alone, where stock
scores and stores every action there is; and the network may learn to tell roles on the way.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from saboteur_env.core.extras import extra

with extra("train"):
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.policies import BasePolicy
    from stable_baselines3.common.utils import FloatSchedule
    from torch import Tensor
    from torch.nn.functional import binary_cross_entropy_with_logits, mse_loss

from saboteur_env.agents.beliefs.tracker import Onlooker
from saboteur_env.agents.learned.inputs import Sight
from saboteur_env.agents.learned.network import Network, Outlook, Shape, draw
from saboteur_env.engine.cards import MINER, SABOTEUR
from saboteur_env.environment.privileged import roles_dealt

from .rollout import LEARNER, Batch, Rollout
from .seating import Seating

PART = 512  # decisions that go through the network at once on a CPU: so many stay in its cache, which is twice as fast


class LegalPolicy(BasePolicy):
    """A network and its optimiser, as MaskablePPO holds them.

    Args:
        network: of agents/learned/network.py.
        rate: the learning rate to begin with.
        bf16: compute in bfloat16 where that is exact enough; weights stay float32.
    """

    def __init__(self, network: Network, seen: spaces.Space[Any], actions: spaces.Space[Any], rate: float, bf16: bool):
        super().__init__(seen, actions)
        self.network, self.bf16 = network, bf16
        self.optimizer = torch.optim.Adam(network.parameters(), rate, eps=1e-5, fused=True)

    def forward(self, sight: Sight, network: Network | None = None) -> Outlook:
        """What a network makes of decisions, that of the policy if none is given."""
        with torch.autocast(sight.observation.device.type, torch.bfloat16, enabled=self.bf16):
            return (network or self.network)(*sight)

    @torch.no_grad()
    def act(self, sight: Sight, network: Network | None = None) -> tuple[Tensor, Tensor, Tensor]:
        """Draw a legal action for each decision: its place, its log-probability, the value; each [b].

        Args:
            network: that of the policy if not given.
        """
        outlook = self(sight, network)
        return *draw(outlook.logits), outlook.value

    def _predict(self, observation: Any, deterministic: bool = False) -> Tensor:
        raise RuntimeError("an observation does not tell the legal actions: ask `act`")


class SelfPlayPPO(MaskablePPO):
    """MaskablePPO whose environment is a raw batch, and whose every seat is a learner.

    Args:
        vec: a batch with observations and without masks.
        seating: who plays.
        shape: of the network.
        role_weight: of the loss of the role head, in which privileged roles are targets.
        bf16: see `LegalPolicy`.
        keywords: as for MaskablePPO.
    """

    env: Any
    policy: Any
    rollout_buffer: Any

    def __init__(
        self, vec: Any, seating: Seating, shape: Shape, role_weight: float = 0.1, bf16: bool = False, **keywords: Any
    ) -> None:
        super().__init__(LegalPolicy, None, _init_setup_model=False, **keywords)  # type: ignore[arg-type]
        self.shape, self.role_weight, self.bf16 = shape, role_weight, bf16
        self.seat_at(vec, seating)
        self._setup_model()

    def seat_at(self, vec: Any, seating: Seating) -> None:
        """Go on with another batch."""
        if self.device.type == "cuda":
            pin(vec.observation)
        self.env, self.seating, self.n_envs = vec, seating, vec.num_games
        self.observation_space = vec.settings.observations.flat_space()
        self.action_space = spaces.Discrete(vec.settings.actions.count)
        self._last_obs = vec.observation
        self.onlooker = Onlooker(vec) if self.shape.suspects else None
        self.rollout_buffer = Rollout(self.n_steps, self.n_envs, vec.settings.observations.bytes, self.device)

    @property
    def network(self) -> Network:
        """What learns."""
        return self.policy.network

    @property
    def batch(self) -> Any:
        """The games."""
        return self.env

    def choose(self, sight: Sight) -> Tensor:
        """Draw a legal action for each decision: its place, int64[b]."""
        return self.policy.act(sight)[0]

    def kept(self) -> tuple[dict[str, Tensor], dict[str, Any]]:
        """See checkpoints.py."""
        snapshots = self.seating.snapshots
        told = {"playing": [*snapshots.networks], "taken": [*snapshots.taken.items()]}
        return snapshots.tensors(), {"lots": self.seating.rng.bit_generator.state, **told}

    def go_on(self, tensors: Mapping[str, Tensor], told: Mapping[str, Any]) -> None:
        """See checkpoints.py."""
        self.seating.rng.bit_generator.state = told["lots"]
        snapshots = self.seating.snapshots
        for number in told["playing"]:
            snapshots.add(number, self.network, tensors)
        snapshots.taken = dict(told["taken"])

    def _setup_model(self) -> None:
        self._setup_lr_schedule()
        self.set_random_seed(self.seed)
        self.clip_range = FloatSchedule(self.clip_range)
        settings = self.env.settings
        network = Network(settings.window, settings.history, self.shape).to(self.device)
        spaces_of = self.observation_space, self.action_space
        self.policy = LegalPolicy(network, *spaces_of, self.lr_schedule(1), self.bf16)

    def set_random_seed(self, seed: int | None = None) -> None:
        """Seed torch and NumPy; the batch has a seed of its own."""
        if seed is not None:
            torch.manual_seed(seed)
            np.random.seed(seed % (1 << 32))

    def collect_rollouts(
        self, env: Any, callback: BaseCallback, rollout_buffer: Any, n_rollout_steps: int, use_masking: bool = True
    ) -> bool:
        """Play, and keep every decision. Returns False where the callback asks to stop."""
        callback.on_rollout_start()
        if not callback.on_step():
            return False
        vec, rollout, began = self.env, self.rollout_buffer, time.perf_counter()  # a new stage may have changed them
        rollout.reset()
        outside, dealt = 0.0, roles_dealt(vec.records)
        for _ in range(n_rollout_steps):
            sight = rollout.see(vec, dealt, self.onlooker)
            place, log_prob, value = self._decide(sight, rollout.controller[len(rollout) - 1])
            rollout.act(place, log_prob, value)
            taken = vec.legal[np.arange(vec.num_games), place.cpu().numpy()]
            entered = time.perf_counter()
            vec.step(taken)
            outside += time.perf_counter() - entered
            rollout.pay(vec.reward, vec.round_over)
            anew = np.flatnonzero(vec.round_over)
            dealt[anew] = roles_dealt(vec.records, anew)
            self.seating.after_step(vec, anew)
        rollout.finish(self.gamma, self.gae_lambda)
        self.num_timesteps += int(rollout.learned.sum())
        self._outside, self._playing = outside, time.perf_counter() - began
        callback.on_rollout_end()
        return True

    def _decide(self, sight: Sight, controller: Any) -> tuple[Tensor, Tensor, Tensor]:
        numbers, networks = np.unique(controller).tolist(), self.seating.snapshots.networks
        if numbers == [LEARNER]:
            return self.policy.act(sight)
        kinds = torch.int64, torch.float32, torch.float32
        place, log_prob, value = (torch.zeros(self.n_envs, dtype=kind, device=self.device) for kind in kinds)
        for number in numbers:
            rows = torch.from_numpy(np.flatnonzero(controller == number)).to(self.device)
            place[rows], log_prob[rows], value[rows] = self.policy.act(sight.rows(rows), networks.get(number))
        return place, log_prob, value

    def dump_logs(self, iteration: int = 0) -> None:
        """Nothing yet: a rollout is logged once it is learned from."""

    def train(self) -> None:
        """Some epochs over the rollout: stock's clipped objective, and the loss of the role head."""
        began = time.perf_counter()
        self._update_learning_rate(self.policy.optimizer)
        clip = self.clip_range(self._current_progress_remaining)  # type: ignore[operator]
        told: list[dict[str, Tensor]] = []
        for _ in range(self.n_epochs):
            for batch in self.rollout_buffer.batches(self.batch_size):
                self.policy.optimizer.zero_grad()
                told.append(self._gradient(batch, clip))
                if self.target_kl is not None and told[-1]["approx_kl"] > 1.5 * self.target_kl:
                    break
                torch.nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
                self.policy.optimizer.step()
            else:
                self._n_updates += 1
                continue
            break
        for name in told[0]:
            self.logger.record(f"train/{name}", float(torch.stack([facts[name] for facts in told]).mean()))
        self._log(clip, time.perf_counter() - began)

    def _gradient(self, batch: Batch, clip: float) -> dict[str, Tensor]:
        if self.normalize_advantage:
            advantage = (batch.advantage - batch.advantage.mean()) / (batch.advantage.std() + 1e-8)
            batch = batch._replace(advantage=advantage)
        told: dict[str, Tensor] = {}
        for part in batch.split(PART) if self.device.type == "cpu" else [batch]:
            share = len(part.place) / len(batch.place)
            loss, facts = self._loss(part, clip)
            (share * loss).backward()  # type: ignore[no-untyped-call]
            told = {name: told.get(name, 0) + share * fact for name, fact in facts.items()}
        return told

    def _loss(self, batch: Batch, clip: float) -> tuple[Tensor, dict[str, Tensor]]:
        outlook = self.policy(batch.sight)
        log_probs = outlook.logits.log_softmax(1)
        log_ratio = log_probs.gather(1, batch.place[:, None]).squeeze(1) - batch.log_prob
        ratio, advantage = log_ratio.exp(), batch.advantage
        policy = -torch.min(advantage * ratio, advantage * ratio.clamp(1 - clip, 1 + clip)).mean()
        value = mse_loss(outlook.value, batch.returns)
        entropy = -(log_probs.exp() * log_probs.clamp(min=-1e9)).sum(1).mean()
        roles = role_loss(outlook.roles, batch.roles)
        loss = policy - self.ent_coef * entropy + self.vf_coef * value + self.role_weight * roles
        with torch.no_grad():
            kl = (ratio - 1 - log_ratio).mean()
            clipped = ((ratio - 1).abs() > clip).float().mean()
        facts = {"policy_loss": policy, "value_loss": value, "entropy": entropy, "belief_loss": roles}
        return loss, {
            name: fact.detach() for name, fact in {**facts, "approx_kl": kl, "clip_fraction": clipped}.items()
        }

    def _log(self, clip: float, training: float) -> None:
        rollout, record = self.rollout_buffer, self.logger.record
        learned = torch.from_numpy(rollout.learned)
        returns, value = rollout.returns.cpu()[learned], rollout.value.cpu()[learned]
        for name, role in (("miners", MINER), ("saboteurs", SABOTEUR)):
            paid = rollout.paid(role)
            record(f"rollout/paid_{name}", float(paid.mean()) if len(paid) else float("nan"))
        record("rollout/rounds", int(rollout.ended.sum()))
        record("rollout/learned", float(learned.float().mean()))
        record("train/explained_variance", float(1 - (returns - value).var() / returns.var()))
        record("train/clip_range", clip)
        whole = self._playing + training
        record("time/decisions_a_second", len(returns) / whole)
        record("time/environment_share", self._outside / whole)
        record("time/training_share", training / whole)
        self.logger.dump(self.num_timesteps)


def role_loss(logits: Tensor, roles: Tensor) -> Tensor:
    """Cross-entropy of the roles of the others at the table, in nats a seat, the mean over decisions."""
    others, told = logits[:, 1:], roles[:, 1:]
    losses = binary_cross_entropy_with_logits(others, told.clamp(min=0).float(), reduction="none")
    return ((losses * (told >= 0)).sum(1) / (told >= 0).sum(1).clamp(min=1)).mean()


def pin(array: npt.NDArray[Any]) -> None:
    """Lock an array's memory, so that the GPU fetches it directly; for as long as the array lives."""
    runtime: Any = torch.cuda.cudart()  # type: ignore[no-untyped-call]
    if int(runtime.cudaHostRegister(array.ctypes.data, array.nbytes, 0)) == 0:
        weakref.finalize(array, runtime.cudaHostUnregister, array.ctypes.data)
