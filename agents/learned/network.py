"""One network for both roles and 3 to 10 players, in plain torch.

Observations are bytes, and only legal actions are scored. Small convolutions read the mine. One network reads all
seats, with what each seat did and what was done to it. An action is a kind (an orientation, a tool, a kind of card)
with a target (a cell, a seat, a goal)::

    logit(action) = < query(state), relu(kind(action) + target(action) + context(state)) >

So what the network learns about a card at one cell, or about a tool at one seat, applies to all others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from saboteur_env.core.extras import extra

with extra("learned"):
    import torch
    from torch import Tensor, nn
    from torch.nn.functional import relu

from saboteur_env.core.field import split_fields
from saboteur_env.core.schema import BOOLEAN, one_of, validation_errors, whole
from saboteur_env.engine.moves import BREAK, READ, REPAIR, REVEAL, card_of, target_of, verb_of
from saboteur_env.engine.state import MAX_GOALS, MAX_PLAYERS
from saboteur_env.environment.actions import ACTION_PLANES, REST_MOVES, Actions
from saboteur_env.environment.encoder import MINE_PLANES
from saboteur_env.environment.fields import FIXED, GOAL_PARTS, SEAT_PARTS
from saboteur_env.environment.observations import Observations

PLAIN = tuple(field.name for field in FIXED if field.name != "seats")
READERS = ("sum", "attention", "gru", "none")
N_VERBS, N_CARDS, N_TOOLS, N_SEATS = 11, 32, 4, 11  # numbers that parts of an event can have; 0 is none

# Weights begin on the CPU in float32, whatever torch's defaults are.
FLOATS: dict[str, Any] = {"dtype": torch.float32, "device": "cpu"}
Linear: Callable[..., nn.Linear] = partial(nn.Linear, **FLOATS)
Embedding: Callable[..., nn.Embedding] = partial(nn.Embedding, **FLOATS)
LayerNorm: Callable[..., nn.LayerNorm] = partial(nn.LayerNorm, **FLOATS)
Conv2d: Callable[..., nn.Conv2d] = partial(nn.Conv2d, **FLOATS)


@dataclass(frozen=True)
class NetworkConfig:
    """How large a network is.

    Args:
        channels: numbers for each cell.
        width: numbers of the state.
        seat: numbers for each seat and each event.
        choice: numbers for each legal action.
        blocks: residual layers of the state.
        events: how the history is read: `sum`, every event by itself; `attention`, each in the light of all others;
            `gru`, each after those before it; `none`, not at all.
        suspects: whether the saboteur probabilities of all seats are an input (tracker.py).

    Raises: ValueError for numbers out of range, and for an unknown `events`.
    """

    channels: int = 16
    width: int = 128
    seat: int = 32
    choice: int = 32
    blocks: int = 1
    events: str = "sum"
    suspects: bool = False

    def __post_init__(self) -> None:
        sizes = {name: whole(1, 1 << 16) for name in ("channels", "width", "seat", "choice")}
        parts = {**sizes, "blocks": whole(0, 256), "events": one_of("one of " + ", ".join(READERS), READERS)}
        if faults := validation_errors(vars(self), parts | {"suspects": BOOLEAN}, "network"):
            raise ValueError("; ".join(faults))


class PolicyOutput(NamedTuple):
    """The outputs of the network for a batch of decisions.

    Attributes:
        logits: float32[b, L], of the legal actions in their order; -inf beyond the count of each row.
        value: float32[b], the expected return.
        roles: float32[b, 10], the logit of each seat, from oneself clockwise, to be a saboteur.
    """

    logits: Tensor
    value: Tensor
    roles: Tensor


class Network(nn.Module):
    """The network for a window and a history (observations.py)."""

    kind_index: Tensor
    target_index: Tensor

    def __init__(self, window: str, history: int, config: NetworkConfig) -> None:
        super().__init__()
        self.window, self.history, self.config = window, history, config
        self.fields = Observations(window, history).fields
        kinds, targets = kinds_and_targets(window)
        self.register_buffer("kind_index", torch.from_numpy(kinds), persistent=False)
        self.register_buffer("target_index", torch.from_numpy(targets), persistent=False)
        plain = sum(field.size for field in FIXED if field.name in PLAIN)
        wide, choice = config.width, config.choice
        self.seats = Seats(history, config)
        self.mine = Mine(Actions(window).shape, wide, config.channels)
        self.plain = Linear(plain + 3 * config.seat, wide)
        self.blocks = nn.Sequential(*(Block(wide) for _ in range(config.blocks)))
        self.deed = Embedding(int(kinds.max()) + 1, choice)
        self.at_seat = Linear(config.seat, config.channels)
        self.at_goal = Linear(len(GOAL_PARTS), config.channels)
        self.place = Linear(config.channels, choice)
        self.context, self.query = Linear(wide, choice), Linear(wide, choice)
        self.value, self.suspect = Linear(wide, 1), Linear(wide, config.seat)
        for last in (self.query, self.value, self.suspect):
            nn.init.normal_(last.weight, std=0.01)  # begins nearly even

    def forward(
        self, observation: Tensor, legal: Tensor, counts: Tensor, suspects: Tensor | None = None
    ) -> PolicyOutput:
        """Compute the outputs for a batch of decisions, given as the fields of a `PolicyInputs` (inputs.py).

        Args:
            observation: int8[b, bytes].
            legal: integers [sum of counts], the legal actions of all decisions, one after the other.
            counts: int64[b], how many each has.
            suspects: float32[b, 10], for a network that takes them.
        """
        owner = torch.repeat_interleave(counts, output_size=len(legal))
        scores, value, roles = self.score(observation, legal, owner, suspects)
        return PolicyOutput(pad_rows(scores, owner, counts), value, roles)

    def score(
        self, observation: Tensor, legal: Tensor, owner: Tensor, suspects: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The logits of actions, float32[n], with the values float32[b] and the role logits float32[b, 10].

        Args:
            observation: int8[b, bytes]; suspects: float32[b, 10].
            legal: integers [n], actions; owner: int64[n], the decision that each belongs to.
        """
        parts: Any = split_fields(self.fields, observation)  # type: ignore[arg-type]
        seats = self.seats(parts, suspects)
        plain = signed_log1p(torch.cat([parts[name].flatten(1) for name in PLAIN], 1))
        first = relu(self.plain(torch.cat([plain, seats[:, 0], seats.mean(1), seats.amax(1)], 1)))
        cells, whole = self.mine(parts["mine"], first)
        state = self.blocks(first + whole)
        seated, goals = self.at_seat(seats), self.at_goal(signed_log1p(parts["goals"]))
        others = torch.cat([seated, goals, torch.zeros_like(goals[:, :1])], 1)
        place = self.place(_at(cells, others, owner, self.target_index[legal]))
        chosen = self.deed(self.kind_index[legal])
        chosen += place
        chosen += self.context(state)[owner]
        scores = (chosen.relu_() * self.query(state)[owner]).sum(-1)
        roles = (seats * self.suspect(state)[:, None]).sum(-1)
        return scores.float(), self.value(state).squeeze(1).float(), roles.float()


class Seats(nn.Module):
    """One network for all seats, clockwise from the observer: the state of each, its actions, actions against it."""

    numbers: Tensor

    def __init__(self, history: int, config: NetworkConfig) -> None:
        super().__init__()
        size, self.history = config.seat, 0 if config.events == "none" else history
        self.deed = Embedding(N_VERBS * N_CARDS, size)
        self.aim = Embedding(N_TOOLS * N_SEATS, size)
        self.age = nn.Parameter(torch.zeros(self.history, size, **FLOATS))
        self.register_buffer("numbers", torch.arange(1, N_SEATS, device="cpu")[:, None], persistent=False)
        self.place = Linear(2, size)
        self.read = {"attention": Attention, "gru": Recurrence}.get(config.events, nn.Identity)(size)
        self.first = Linear(len(SEAT_PARTS) + (2 * size if self.history else 0) + config.suspects, size)
        self.second = Linear(2 * size, size)

    def forward(self, parts: Any, suspects: Tensor | None) -> Tensor:
        """float[b, 10, size] of the fields of observations, and of float[b, 10] where they are taken."""
        seen = [signed_log1p(parts["seats"])]
        if self.history:
            seen += self._deeds(parts["events"].long())
        if suspects is not None:
            seen.append(suspects[..., None])
        seats = relu(self.first(torch.cat(seen, -1)))
        table = seats.mean(1, keepdim=True).expand_as(seats)
        return relu(self.second(torch.cat([seats, table], -1))) + seats

    def _deeds(self, events: Tensor) -> tuple[Tensor, Tensor]:
        actor, verb, card, tool, column, row, target = events.unbind(-1)
        index = torch.stack([column, row], -1).to(self.age.dtype) / 8
        features = self.deed(verb * N_CARDS + card)
        for part in (self.aim(tool * N_SEATS + target), self.place(index), self.age):
            features += part
        features = self.read(features.relu_())
        struck = torch.where(tool > 0, target, 0)
        by, on = (torch.eq(self.numbers, who[:, None]).to(features.dtype) for who in (actor, struck))
        return by @ features, on @ features


class Attention(nn.Module):
    """Attention over the events (Vaswani et al., "Attention is all you need", NeurIPS 2017)."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.norm = LayerNorm(size)
        self.look = nn.MultiheadAttention(size, 1, batch_first=True, **FLOATS)

    def forward(self, features: Tensor) -> Tensor:
        """float[b, history, size], as given."""
        seen = self.norm(features)
        return features + self.look(seen, seen, seen, need_weights=False)[0]


class Recurrence(nn.Module):
    """A recurrent network over the events (Cho et al., "Learning phrase representations using RNN", EMNLP 2014)."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.memory = nn.GRU(size, size, batch_first=True, **FLOATS)

    def forward(self, features: Tensor) -> Tensor:
        """float[b, history, size], as given: the last first."""
        return features + self.memory(features.flip(1))[0].flip(1)


class Mine(nn.Module):
    """Convolutions over the mine, given the position of a cell and the rest of the observation."""

    def __init__(self, shape: tuple[int, int], wide: int, channels: int) -> None:
        super().__init__()
        height, width = shape
        self.near = Conv2d(len(MINE_PLANES), channels, 3, padding=1)
        self.where = nn.Parameter(torch.randn(height, width, channels, **FLOATS) * 0.1)
        self.news = Linear(wide, channels)
        self.around = Conv2d(channels, channels, 3, padding=1)
        self.far = Conv2d(channels, channels, 3, stride=2, padding=1)
        self.whole = Linear(channels * ((height + 1) // 2) * ((width + 1) // 2), wide)
        for layer in (self.near, self.around, self.far):  # a third faster, and the numbers of a cell lie together
            layer.weight.data = layer.weight.data.contiguous(memory_format=torch.channels_last)

    def forward(self, mine: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """float[b, cells, channels], and the whole as float[b, wide]."""
        # In place, as memory for every sum takes longer than the sums.
        near = self.near(mine.to(self.near.weight.dtype, memory_format=torch.channels_last))
        near += self.where.permute(2, 0, 1)
        near += self.news(state)[:, :, None, None]
        cells = self.around(near.relu_()).relu_()
        cells = cells + near if cells.requires_grad else cells.add_(near)
        whole = relu(self.whole(relu(self.far(cells)).flatten(1)))
        return cells.permute(0, 2, 3, 1).flatten(1, 2), whole


class Block(nn.Module):
    """A residual layer."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = LayerNorm(width)
        self.inner, self.outer = Linear(width, width), Linear(width, width)

    def forward(self, state: Tensor) -> Tensor:
        """float[b, width], as given."""
        return state + self.outer(relu(self.inner(self.norm(state))))


def signed_log1p(counts: Tensor) -> Tensor:
    """Small whole numbers as floats of about one size: sign(x) log(1 + |x|)."""
    plain = counts.float()
    return plain.sign() * plain.abs().log1p()


def _at(cells: Tensor, others: Tensor, owner: Tensor, target: Tensor) -> Tensor:
    # What stands at each target; joining both first would copy all cells.
    count, rest = cells.shape[1], others.shape[1]
    at_cell = cells.flatten(0, 1)[owner * count + target.clamp(max=count - 1)]
    elsewhere = others.flatten(0, 1)[owner * rest + (target - count).clamp(min=0)]
    return torch.where((target < count)[:, None], at_cell, elsewhere)


def sample(logits: Tensor, generator: torch.Generator | None = None) -> tuple[Tensor, Tensor]:
    """Sample one of the legal actions in each row: its index, int64[b], and its log-probability, float32[b]."""
    log_probs = logits.log_softmax(1)
    random_key = torch.empty_like(log_probs).exponential_(generator=generator)  # the smallest exponential wins
    target = (log_probs - random_key.log()).argmax(1)
    return target, log_probs.gather(1, target[:, None]).squeeze(1)


def pad_rows(flat: Tensor, owner: Tensor, counts: Tensor) -> Tensor:
    """Numbers of all legal actions as float[b, L], -inf beyond each row's count."""
    column = torch.arange(len(flat), device=flat.device) - (counts.cumsum(0) - counts)[owner]
    padded = flat.new_full((len(counts), int(counts.max())), -torch.inf)
    return padded.index_put((owner, column), flat)


def kinds_and_targets(window: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """For each action its kind and its target: int64[actions] twice.

    Targets are the cells, ten seats, three goals, and a last one for actions without a target.
    """
    height, width = Actions(window).shape
    cells = height * width
    nowhere = cells + MAX_PLAYERS + MAX_GOALS
    kinds, targets = (
        np.repeat(np.arange(ACTION_PLANES), cells).tolist(),
        np.tile(np.arange(cells), ACTION_PLANES).tolist(),
    )
    known: dict[tuple[int, int], int] = {}
    for number in REST_MOVES.tolist():
        verb = verb_of(number)
        kinds.append(ACTION_PLANES + known.setdefault((verb, card_of(number)), len(known)))
        at = {BREAK: cells, REPAIR: cells, READ: cells + MAX_PLAYERS, REVEAL: cells + MAX_PLAYERS}.get(verb)
        targets.append(nowhere if at is None else at + target_of(number))
    return np.array(kinds), np.array(targets)
