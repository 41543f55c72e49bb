"""The small network: a policy in kernels, without torch. A move is scored by the state and by its own numbers.

Each role has its own weights. They are distilled from a large network (experiments/training_studies/distil.py), and go
on by self-play (experiments/training/small)::

    logit(move) = < query(state), relu(kind(move) + numbers(move) + context(state)) >

Weights are a file of safetensors with a JSON card. Loading executes nothing of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from saboteur_env.core.compiled.jit import kernel, separate
from saboteur_env.core.files import shipped
from saboteur_env.engine.moves import BREAK, target_of, verb_of
from saboteur_env.engine.state import InfoState

from .net_inputs import look_at_move, look_at_table
from .net_rows import CHOICE, KIND_ROW, MOVE_ROWS, NETWORK, STATE_ROWS, WIDTH, NetRoom
from .policy import NEVER, Workspace

FORMAT = "saboteur-small-network/1"
ROWS = sha256("\n".join([*STATE_ROWS, "", *MOVE_ROWS]).encode()).hexdigest()[:16]  # of what it reads
DISTILLED = shipped("saboteur_env.agents", "models/ppo-small/distilled.safetensors")  # before any self-play
SHIPPED_SMALL = shipped("saboteur_env.agents", "models/ppo-small/weights.safetensors")


@separate
def score_by_network(dwarf: Any, known: InfoState, count: int, space: Workspace, scores: Any) -> float:
    """Compute the logit of each move, given the own role.

    Args:
        dwarf: a DWARF record with a network.
        count: how many legal moves are listed in `space`.
        scores: float64[>= count], overwritten.

    Mutates: space. Returns: the temperature, 1.
    """
    room, weights, role = space.net, dwarf.network, np.int64(known.private.role)
    goals = look_at_table(dwarf, known, space)
    _read_state(weights, role, room)
    kinds, moves = weights.kind[role], weights.move[role]
    for i in range(count):
        number = np.int64(space.moves[i])
        look_at_move(known, goals, number, space)
        kind = KIND_ROW[number >> 12]
        for j in range(CHOICE):
            room.chosen[j] = room.context[j] + kinds[kind, j]
        add_layer(room.move, moves, room.chosen)
        score = np.float32(0.0)
        for j in range(CHOICE):
            score += max(room.chosen[j], np.float32(0.0)) * room.query[j]
        own = verb_of(number) == BREAK and target_of(number) == known.seat
        scores[i] = NEVER if own else np.float64(score)
    return 1.0


@kernel
def _read_state(weights: Any, role: int, room: NetRoom) -> None:
    hidden, whole = room.hidden, room.whole
    _layer(room.state, weights.first[role], weights.first_bias[role], hidden)
    rectify(hidden)
    _layer(hidden, weights.inner[role], weights.inner_bias[role], whole)
    rectify(whole)
    for j in range(WIDTH):
        whole[j] += hidden[j]
    _layer(whole, weights.context[role], weights.context_bias[role], room.context)
    _layer(whole, weights.query[role], weights.query_bias[role], room.query)


@kernel
def _layer(numbers: Any, weights: Any, bias: Any, total: Any) -> None:
    for j in range(len(total)):
        total[j] = bias[j]
    add_layer(numbers, weights, total)


@kernel
def rectify(numbers: Any) -> None:
    """Set negative numbers to 0. Mutates: numbers."""
    for j in range(len(numbers)):
        numbers[j] = max(numbers[j], np.float32(0.0))


@kernel
def add_layer(numbers: Any, weights: Any, total: Any) -> None:
    """Add the products of numbers and rows of weights. Mutates: total.

    Most numbers of an input are 0, and a row of weights is added at once.
    """
    for i in range(len(numbers)):
        number = numbers[i]
        if number != 0:
            for j in range(len(total)):
                total[j] += number * weights[i, j]


def weights_of(network: npt.NDArray[np.void], facts: Mapping[str, Any]) -> bytes:
    """A network, NETWORK[1], and its card as the bytes of a file; weights are rounded to 16 bits.

    Args:
        facts: what the card is to say besides, as JSON data.
    """
    return record_bytes(network, {"format": FORMAT, "rows": ROWS, **facts})


def load_network(path: str | Path) -> tuple[npt.NDArray[np.void], dict[str, Any]]:
    """A network, NETWORK[1], and its card.

    Raises: ValueError for a file that is damaged, none of ours, or made for other inputs.
    """
    return load_record(path, NETWORK, {"format": FORMAT, "rows": ROWS})


def record_bytes(record: npt.NDArray[np.void], card: Mapping[str, Any]) -> bytes:
    """The fields of a record, [1], as the tensors of a file, rounded to 16 bits.

    Args:
        card: as JSON data.
    """
    names = record.dtype.names or ()
    return save({name: np.array(record[name][0], np.float16) for name in names}, {"card": json.dumps(card)})


def load_record(
    path: str | Path, kind: np.dtype[np.void], expected: Mapping[str, str]
) -> tuple[npt.NDArray[np.void], dict[str, Any]]:
    """A record, [1], and its card, as `record_bytes` made them.

    Args:
        expected: the `format` and the `rows` of the card.

    Raises: ValueError for a file that is damaged, of another format, or made for other inputs.
    """
    result = np.zeros(1, kind)
    try:
        with safe_open(path, "np") as file:
            card = json.loads((file.metadata() or {}).get("card", "{}"))
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError, ValueError, RecursionError) as error:
        raise ValueError(f"cannot read {path} as safetensors: {error}") from None
    if not isinstance(card, dict) or card.get("format") != expected["format"]:
        raise ValueError(f"{path} holds no weights of {expected['format']}")
    shapes = {name: kind[name].shape for name in kind.names or ()}
    if card.get("rows") != expected["rows"] or {name: tensor.shape for name, tensor in tensors.items()} != shapes:
        raise ValueError(f"{path} was made for other inputs or sizes than those of this library: train it again")
    for name, tensor in tensors.items():
        result[name] = tensor
    return result, card
