"""The update of PPO: some epochs over a rollout, with the clipped objective and an extra loss of the role head.

Schulman et al., "Proximal policy optimization algorithms", 2017. There are two differences from stable-baselines3: a
batch has legal actions only, and the network also learns to predict roles.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, mse_loss

from saboteur_env.agents.learned.network import PolicyOutput

from .config import Learning
from .rollout import Batch, Inputs, Rollout

CHUNK = 512  # decisions that go through the network at once on a CPU: so many stay in its cache, which is twice as fast


def optimizer_of(network: nn.Module, rate: float) -> torch.optim.Optimizer:
    """The optimiser of a network, with the learning rate to begin with."""
    return torch.optim.Adam(network.parameters(), rate, eps=1e-5, fused=True)


def predict(network: nn.Module, inputs: Inputs, bf16: bool) -> PolicyOutput:
    """What a network makes of decisions.

    Args:
        bf16: compute in bfloat16 where that is exact enough; weights stay float32.
    """
    with torch.autocast(inputs.counts.device.type, torch.bfloat16, enabled=bf16):
        output: PolicyOutput = network(*inputs)
        return output


def update(
    network: nn.Module, optimizer: torch.optim.Optimizer, rollout: Rollout, learning: Learning, left: float
) -> dict[str, float]:
    """Learn from a rollout.

    Args:
        left: the share of the run that is still to come, by which the learning rate and the entropy bonus fall.

    Returns: what was measured, by the names of the training log.
    """
    learning = learning.at(left)
    for group in optimizer.param_groups:
        group["lr"] = learning.learning_rate
    measured: list[dict[str, Tensor]] = []
    for batch in _epochs(rollout, learning):
        optimizer.zero_grad()
        measured.append(gradient(network, batch, learning))
        if learning.target_kl and measured[-1]["approx_kl"] > 1.5 * learning.target_kl:
            break
        torch.nn.utils.clip_grad_norm_(network.parameters(), learning.max_grad_norm)
        optimizer.step()
    means = {f"train/{name}": float(torch.stack([item[name] for item in measured]).mean()) for name in measured[0]}
    return {"train/learning_rate": learning.learning_rate, "train/clip_range": learning.clip_range, **means}


def _epochs(rollout: Rollout, learning: Learning) -> Iterator[Batch]:
    for _ in range(learning.n_epochs):
        yield from rollout.batches(learning.batch_size)


def gradient(network: nn.Module, batch: Batch, learning: Learning) -> dict[str, Tensor]:
    """Add the gradient of a batch's loss to the weights; returns what was measured, by name."""
    advantage = (batch.advantage - batch.advantage.mean()) / (batch.advantage.std() + 1e-8)
    batch = batch._replace(advantage=advantage)
    measured: dict[str, Tensor] = {}
    for part in batch.split(CHUNK) if advantage.device.type == "cpu" else [batch]:
        share = len(part.action_index) / len(batch.action_index)
        loss, facts = _loss(network, part, learning)
        (share * loss).backward()  # type: ignore[no-untyped-call]
        measured = {name: measured.get(name, 0) + share * fact for name, fact in facts.items()}
    return measured


def _loss(network: nn.Module, batch: Batch, learning: Learning) -> tuple[Tensor, dict[str, Tensor]]:
    output = predict(network, batch.inputs, learning.bf16)
    log_probs = output.logits.log_softmax(1)
    log_ratio = log_probs.gather(1, batch.action_index[:, None]).squeeze(1) - batch.log_prob
    ratio, advantage = log_ratio.exp(), batch.advantage
    policy = -torch.min(
        advantage * ratio, advantage * ratio.clamp(1 - learning.clip_range, 1 + learning.clip_range)
    ).mean()
    value = mse_loss(output.value, batch.returns)
    entropy = -(log_probs.exp() * log_probs.clamp(min=-1e9)).sum(1).mean()
    roles = role_loss(output.roles, batch.roles)
    bonus = entropy if learning.regularizer == "entropy" else log_barrier(log_probs)
    loss = policy - learning.ent_coef * bonus + learning.vf_coef * value + learning.role_coef * roles
    with torch.no_grad():
        kl = (ratio - 1 - log_ratio).mean()
        clipped = ((ratio - 1).abs() > learning.clip_range).float().mean()
    facts = {"policy_loss": policy, "value_loss": value, "entropy": entropy, "belief_loss": roles}
    facts |= {"approx_kl": kl, "clip_fraction": clipped}
    return loss, {name: fact.detach() for name, fact in facts.items()}


def log_barrier(log_probs: Tensor) -> Tensor:
    """The mean log-probability of the legal actions of a decision, the mean over decisions.

    Args:
        log_probs: float32[b, L]; -inf beyond the legal actions of each row.
    """
    legal = log_probs > -torch.inf
    return (torch.where(legal, log_probs, 0).sum(1) / legal.sum(1)).mean()


def role_loss(logits: Tensor, roles: Tensor) -> Tensor:
    """Cross-entropy of the roles of the others at the table, in nats a seat, the mean over decisions."""
    others, state = logits[:, 1:], roles[:, 1:]
    losses = binary_cross_entropy_with_logits(others, state.clamp(min=0).float(), reduction="none")
    return ((losses * (state >= 0)).sum(1) / (state >= 0).sum(1).clamp(min=1)).mean()
