"""The small network in torch: the policy of each role, as kernels compute it, and a critic of each role beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn.functional import relu

from saboteur_env.agents.learned.network import PolicyOutput, pad_rows
from saboteur_env.agents.scripted.net_rows import (
    CHOICE,
    KIND_ROW,
    KIND_ROWS,
    MOVE_ROW,
    MOVE_ROWS,
    NETWORK,
    STATE_ROWS,
    WIDTH,
)
from saboteur_env.agents.scripted.policy import NEVER
from saboteur_env.agents.scripted.small_network import load_network
from saboteur_env.agents.search.critic import CRITIC, CRITIC_WIDTH, SECRET_ROWS
from saboteur_env.engine.cards import ROLES
from saboteur_env.engine.moves import BREAK
from saboteur_env.engine.state import MAX_PLAYERS

_LAYERS = ("first", "inner", "context", "query")
# Whether a kind of move breaks a tool.
_BREAKS = torch.from_numpy(np.isin(np.arange(KIND_ROWS), np.trim_zeros(KIND_ROW[BREAK << 5 :][:32])))


class SmallPolicy(nn.Module):
    """The small network of one role, as kernels compute it."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.inner = nn.Linear(len(STATE_ROWS), WIDTH), nn.Linear(WIDTH, WIDTH)
        self.context, self.query = nn.Linear(WIDTH, CHOICE), nn.Linear(WIDTH, CHOICE)
        self.move, self.kind = nn.Linear(len(MOVE_ROWS), CHOICE, bias=False), nn.Embedding(KIND_ROWS, CHOICE)

    def forward(self, state: Tensor, count: Tensor, move: Tensor, kind: Tensor) -> Tensor:
        """The logits of all moves, float32[m]; that of breaking an own tool is so low that it is never played.

        Args:
            state, count, move, kind: as in `SmallInputs`.
        """
        hidden = relu(self.first(state))
        whole = relu(self.inner(hidden)) + hidden
        owner = torch.repeat_interleave(count, output_size=len(kind))
        chosen = self.move(move) + self.kind(kind) + self.context(whole)[owner]
        scores = (chosen.relu_() * self.query(whole)[owner]).sum(-1)
        return torch.where(_BREAKS[kind] & (move[:, MOVE_ROW.seat_self] > 0), NEVER, scores)

    def write(self, network: npt.NDArray[np.void], role: int) -> None:
        """Write the weights of a role. Mutates: network, NETWORK[1]."""
        for name in _LAYERS:
            layer = getattr(self, name)
            network[name][0, role] = layer.weight.detach().T.numpy()
            network[f"{name}_bias"][0, role] = layer.bias.detach().numpy()
        network["move"][0, role] = self.move.weight.detach().T.numpy()
        network["kind"][0, role] = self.kind.weight.detach().numpy()

    def read(self, network: npt.NDArray[np.void], role: int) -> None:
        """Take the weights of a role.

        Args:
            network: NETWORK[1].
        """
        weights: dict[str, Any] = {"move.weight": network["move"][0, role].T, "kind.weight": network["kind"][0, role]}
        for name in _LAYERS:
            weights |= {f"{name}.weight": network[name][0, role].T, f"{name}.bias": network[f"{name}_bias"][0, role]}
        self.load_state_dict({name: torch.from_numpy(weight.copy()) for name, weight in weights.items()})


class Critic(nn.Module):
    """The expected return of a role, from the view and from what nobody at the table may see."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(len(STATE_ROWS) + len(SECRET_ROWS), CRITIC_WIDTH)
        self.inner, self.value = nn.Linear(CRITIC_WIDTH, CRITIC_WIDTH), nn.Linear(CRITIC_WIDTH, 1)

    def forward(self, state: Tensor, secrets: Tensor) -> Tensor:
        """float32[b], of float32[b, rows] twice."""
        hidden: Tensor = relu(self.first(torch.cat([state, secrets], 1)))
        whole: Tensor = self.value(relu(self.inner(hidden)) + hidden)
        return whole.squeeze(1)

    def write(self, critic: npt.NDArray[np.void], role: int) -> None:
        """Write the weights of a role. Mutates: critic, CRITIC[1]."""
        first = self.first.weight.detach().T.numpy()
        critic["own"][0, role], critic["secrets"][0, role] = np.split(first, [len(STATE_ROWS)])
        critic["bias"][0, role] = self.first.bias.detach().numpy()
        critic["inner"][0, role] = self.inner.weight.detach().T.numpy()
        critic["inner_bias"][0, role] = self.inner.bias.detach().numpy()
        critic["value"][0, role] = self.value.weight.detach().numpy()[0]
        critic["value_bias"][0, role] = float(self.value.bias.detach())


class SmallNetwork(nn.Module):
    """The policies and the critics of both roles."""

    def __init__(self) -> None:
        super().__init__()
        self.policies = nn.ModuleList(SmallPolicy() for _ in ROLES)
        self.critics = nn.ModuleList(Critic() for _ in ROLES)

    def forward(
        self, state: Tensor, role: Tensor, counts: Tensor, move: Tensor, kind: Tensor, secrets: Tensor
    ) -> PolicyOutput:
        """Compute logits and values for a batch of decisions, given as the fields of `SmallInputs`; roles are even."""
        owner = torch.repeat_interleave(counts, output_size=len(kind))
        scores, value = state.new_zeros(len(kind)), state.new_zeros(len(state))
        of_move = role[owner]
        for number, (policy, critic) in enumerate(zip(self.policies, self.critics, strict=True)):
            rows, moves = (torch.nonzero(of == number).squeeze(1) for of in (role, of_move))
            if len(rows):
                scores = scores.index_copy(0, moves, policy(state[rows], counts[rows], move[moves], kind[moves]))
                value = value.index_copy(0, rows, critic(state[rows], secrets[rows]))
        return PolicyOutput(pad_rows(scores, owner, counts), value, state.new_zeros(len(state), MAX_PLAYERS))

    def weights(self) -> npt.NDArray[np.void]:
        """The weights of both policies: NETWORK[1]."""
        result = np.zeros(1, NETWORK)
        for role, policy in enumerate(self.policies):
            policy.write(result, role)  # type: ignore[operator]
        return result

    def judges(self) -> npt.NDArray[np.void]:
        """The weights of both critics: CRITIC[1]."""
        result = np.zeros(1, CRITIC)
        for role, critic in enumerate(self.critics):
            critic.write(result, role)  # type: ignore[operator]
        return result

    def read(self, path: str | Path, logit_scale: float = 1.0) -> None:
        """Take both policies from a file.

        Raises: ValueError as `load_network`.
        """
        network = load_network(path)[0]
        for name in ("query", "query_bias"):
            network[name] *= logit_scale
        for role, policy in enumerate(self.policies):
            policy.read(network, role)  # type: ignore[operator]
