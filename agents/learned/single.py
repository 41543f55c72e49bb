"""The forward pass of a network for one view. NumPy and a kernel compute it, without torch's overhead on one row."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from saboteur_env.core.extras import extra

with extra("learned"):
    import torch

from saboteur_env.core.compiled.jit import kernel
from saboteur_env.core.field import first_places
from saboteur_env.engine.legal import MAX_MOVES
from saboteur_env.engine.state import MAX_GOALS, MAX_PLAYERS
from saboteur_env.environment.encoder import EVENT_PARTS, MINE_PLANES
from saboteur_env.environment.fields import GOAL_PARTS, SEAT_PARTS

from .inputs import PolicyInputs
from .network import N_CARDS, N_SEATS, Network, signed_log1p

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]


class SingleOutput(NamedTuple):
    """The outputs of a network for one decision, as of a `PolicyOutput`.

    Attributes:
        logits: float32[n], of the actions asked for.
        value: the expected return.
        roles: float32[10].
    """

    logits: Floats
    value: float
    roles: Floats


# Takes int8[bytes], int64[n] and float32[10], the last for networks with belief inputs.
SingleForward = Callable[[npt.NDArray[np.int8], Integers, "Floats | None"], SingleOutput]


def single_forward(network: Network) -> SingleForward:
    """What computes the outputs of a network for single views: the one place that chooses.

    The weights are those that the network has now.
    """
    return NumpyForward(network) if network.config.events in ("sum", "none") else TorchForward(network)


class TorchForward:
    """The network itself, for one row."""

    def __init__(self, network: Network) -> None:
        self.network = network

    @torch.inference_mode()
    def __call__(self, seen: npt.NDArray[np.int8], actions: Integers, suspects: Floats | None) -> SingleOutput:
        """The outputs for an observation and some of its actions."""
        observation, counts = torch.from_numpy(seen[None]), torch.tensor([len(actions)], device="cpu")
        beliefs = None if suspects is None else torch.from_numpy(suspects[None])
        with one_thread():
            logits, value, roles = self.network(*PolicyInputs(observation, torch.from_numpy(actions), counts, beliefs))
        return SingleOutput(logits[0].numpy(), float(value[0]), roles[0].numpy())


_ALONE = threading.Lock()  # torch has one global number of threads: the code that sets it must reset it


@contextmanager
def one_thread() -> Iterator[None]:
    """Run torch on one thread: a single decision is too small for several, and threads wait long on a busy machine."""
    with _ALONE:
        before = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(before)


class NumpyForward:
    """The network in NumPy, for one row, where events are read one by one or not at all (network.py).

    Cells stand in rows, and a convolution is one product with the cells around each cell side by side. Threads may
    share it.
    """

    def __init__(self, network: Network) -> None:
        weights = {name: tensor.detach().cpu().float().numpy() for name, tensor in network.state_dict().items()}
        self._history = network.seats.history
        self._sizes = [field.size for field in network.fields]
        self._at: Any = first_places(network.fields)
        self._kinds, self._targets = network.kind_index.cpu().numpy(), network.target_index.cpu().numpy()
        self._seats = _Seats(weights, self._history, network.config.suspects)
        self._mine = _Mine(weights)
        self._first, self._state = _Layer(weights, "plain"), [_Block(weights, i) for i in range(network.config.blocks)]
        self._deed = weights["deed.weight"]
        layers = ("at_seat", "at_goal", "place", "context", "query", "value", "suspect")
        self._layers = {name: _Layer(weights, name) for name in layers}

    def __call__(self, seen: npt.NDArray[np.int8], actions: Integers, suspects: Floats | None) -> SingleOutput:
        """The outputs for an observation and some of its actions."""
        at, layers = self._at, self._layers
        numbers = _LOG1P[seen[at.role :].view(np.uint8)]
        goals, first_seat, table = at.goals - at.role, at.seats - at.role, at.table - at.role
        rows = numbers[first_seat:table].reshape(MAX_PLAYERS, len(SEAT_PARTS))
        events = seen[at.events : at.role].reshape(-1, len(EVENT_PARTS)) if self._history else None
        seats = self._seats(rows, events, suspects)
        plain = [numbers[:first_seat], numbers[table:], seats[0], seats.mean(0), seats.max(0)]
        first = _relu(self._first(np.concatenate(plain)))
        cells, whole = self._mine(seen[: self._sizes[0]], first)
        state = first + whole
        for block in self._state:
            state = block(state)
        goal_rows = numbers[goals:first_seat].reshape(MAX_GOALS, len(GOAL_PARTS))
        others = [layers["at_seat"](seats), layers["at_goal"](goal_rows), np.zeros((1, cells.shape[1]), np.float32)]
        place = layers["place"](np.concatenate([cells, *others])[self._targets[actions]])
        chosen = _relu(self._deed[self._kinds[actions]] + place + layers["context"](state))
        logits, roles = chosen @ layers["query"](state), seats @ layers["suspect"](state)
        return SingleOutput(logits, float(layers["value"](state)[0]), roles)


class _Layer:
    """A linear layer; its weights are turned so that inputs come first."""

    def __init__(self, weights: dict[str, Floats], name: str) -> None:
        self.weight, self.bias = np.ascontiguousarray(weights[f"{name}.weight"].T), weights[f"{name}.bias"]

    def __call__(self, numbers: Floats) -> Floats:
        rows = np.atleast_2d(numbers)
        return _product(rows, _EACH[: len(rows)], self.weight, self.bias).reshape(*numbers.shape[:-1], -1)


@kernel
def _product(rows: Floats, around: Integers, weight: Floats, bias: Floats) -> Floats:
    """Products of some rows side by side with a matrix, on this thread alone.

    NumPy's products wake other threads, and wait long for them on a busy machine. Two numbers are added at a time, so
    that a total is read and written half as often, and those that are 0 are left out.

    Args:
        rows: float32[m, inputs].
        around: int64[n, k], the rows that lie side by side; -1 for one of zeros.
        weight: float32[k * inputs, outputs]; bias: float32[outputs].

    Returns: float32[n, outputs].
    """
    used, counts = np.empty(rows.shape, np.int64), np.zeros(len(rows), np.int64)
    for row in range(len(rows)):
        for i in range(rows.shape[1]):  # without a branch, which would be mispredicted
            used[row, counts[row]] = i
            counts[row] += np.int64(rows[row, i] != 0)
    result = np.empty((len(around), len(bias)), np.float32)
    for n in range(len(around)):
        for j in range(len(bias)):
            result[n, j] = bias[j]
        for side in range(around.shape[1]):
            row, first = around[n, side], side * rows.shape[1]
            count = counts[row] if row >= 0 else 0
            for k in range(0, count - 1, 2):
                one, other = used[row, k], used[row, k + 1]
                number, second = rows[row, one], rows[row, other]
                for j in range(len(bias)):
                    result[n, j] = result[n, j] + number * weight[first + one, j] + second * weight[first + other, j]
            if count % 2:
                last = used[row, count - 1]
                for j in range(len(bias)):
                    result[n, j] += rows[row, last] * weight[first + last, j]
    return result


class _Block:
    """A residual layer of the state."""

    def __init__(self, weights: dict[str, Floats], number: int) -> None:
        name = f"blocks.{number}"
        self.scale, self.shift = weights[f"{name}.norm.weight"], weights[f"{name}.norm.bias"]
        self.inner, self.outer = _Layer(weights, f"{name}.inner"), _Layer(weights, f"{name}.outer")

    def __call__(self, state: Floats) -> Floats:
        centred = state - state.mean()
        normed = centred * (1 / np.sqrt(np.dot(centred, centred) / len(state) + 1e-5)) * self.scale + self.shift
        return state + self.outer(_relu(self.inner(normed)))


class _Seats:
    """The network of all seats, with the events of each."""

    def __init__(self, weights: dict[str, Floats], history: int, suspects: bool) -> None:
        self.history, self.suspects = history, suspects
        self.first, second = _Layer(weights, "seats.first"), _Layer(weights, "seats.second")
        size = len(second.bias)
        self.own, self.shared, self.bias = second.weight[:size], second.weight[size:], second.bias
        if history:
            self.deed, self.aim, self.age = (weights[f"seats.{name}"] for name in ("deed.weight", "aim.weight", "age"))
            self.where, self.age = weights["seats.place.weight"].T / 8, self.age + weights["seats.place.bias"]

    def __call__(self, rows: Floats, events: npt.NDArray[np.int8] | None, suspects: Floats | None) -> Floats:
        seen = [rows]
        if events is not None:
            seen += self._deeds(events.astype(np.int64))
        if suspects is not None:
            seen.append(suspects[:, None])
        seats = _relu(self.first(np.concatenate(seen, 1)))
        shared = _product(seats.mean(0)[None], _EACH[:1], self.shared, self.bias)
        return _relu(_product(seats, _EACH[: len(seats)], self.own, shared[0])) + seats

    def _deeds(self, events: Integers) -> list[Floats]:
        actor, verb, card, tool, _, _, target = events.T
        where = events[:, 4:6].astype(np.float32) @ self.where
        features = _relu(self.deed[verb * N_CARDS + card] + self.aim[tool * N_SEATS + target] + where + self.age)
        struck = np.where(tool > 0, target, 0)
        return [(who == _SEATS).astype(np.float32) @ features for who in (actor, struck)]


class _Mine:
    """The convolutions over the mine."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        height, width, channels = weights["mine.where"].shape
        self.beside, self.beside_every_second = _beside(height, width, 1), _beside(height, width, 2)
        self.where = weights["mine.where"].reshape(-1, channels) + weights["mine.near.bias"]
        kernels = {name: weights[f"mine.{name}.weight"].transpose(2, 3, 1, 0) for name in ("near", "around", "far")}
        self.near, self.around, self.far = (
            np.ascontiguousarray(kernel.reshape(-1, channels)) for kernel in kernels.values()
        )
        self.around_bias, self.far_bias = weights["mine.around.bias"], weights["mine.far.bias"]
        self.news, self.whole = _Layer(weights, "mine.news"), _Layer(weights, "mine.whole")
        coarse = (channels, (height + 1) // 2, (width + 1) // 2)  # torch has the channels first
        order = np.arange(len(self.whole.weight)).reshape(coarse).transpose(1, 2, 0).ravel()
        self.whole.weight = np.ascontiguousarray(self.whole.weight[order])

    def __call__(self, mine: npt.NDArray[np.int8], state: Floats) -> tuple[Floats, Floats]:
        planes = mine.reshape(len(MINE_PLANES), -1).T
        near = _product(np.ascontiguousarray(planes, np.float32), self.beside, self.near, self.news(state))
        near += self.where
        np.maximum(near, 0, out=near)
        cells = _product(near, self.beside, self.around, self.around_bias)
        np.maximum(cells, 0, out=cells)
        cells += near
        far = _relu(_product(cells, self.beside_every_second, self.far, self.far_bias))
        return cells, _relu(self.whole(far.ravel()))


def _beside(height: int, width: int, stride: int) -> Integers:
    # The nine cells around each cell, row by row, or around every second; -1 beyond the edge: int64[cells, 9].
    cells = np.pad(np.arange(height * width).reshape(height, width), 1, constant_values=-1)
    windows = np.lib.stride_tricks.sliding_window_view(cells, (3, 3))[::stride, ::stride]
    return windows.reshape(-1, 9).astype(np.int64)


def _relu(numbers: Floats) -> Floats:
    return np.maximum(numbers, 0)


_SEATS = np.arange(1, MAX_PLAYERS + 1)[:, None]
_EACH = np.arange(MAX_MOVES)[:, None]  # rows that stand alone
_LOG1P: Floats = signed_log1p(torch.arange(256, dtype=torch.uint8).view(torch.int8)).numpy()  # by the byte
