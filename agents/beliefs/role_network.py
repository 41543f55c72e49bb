"""The role network: a learned model of who is a saboteur (filter.py), apart from any policy.

It reads the numbers of each seat (role_inputs.py), and gives how much they raise the log odds of the seat to be a
saboteur. All seats share the weights, and each is seen beside the mean and the most of the table::

    hidden = relu(first(seat));  for layer in inner, last: hidden = relu(layer(hidden, mean, most))
    log odds = out(hidden) + direct(seat)

The filter weighs whole worlds with it. So beliefs agree with the number of roles dealt. The network tells nothing of
the treasure. Weights are a file of safetensors with a JSON card. Loading executes nothing of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.core.compiled.memory import PerThread, record_dtype
from saboteur_env.core.files import shipped
from saboteur_env.engine.cards import ROLES, SABOTEUR
from saboteur_env.engine.state import MAX_GOALS, MAX_PLAYERS, Public

from ..scripted.small_network import load_record, record_bytes
from .action_model_file import kept_model
from .role_inputs import EVIDENCE, SEAT_ROWS, ReadModels, gather

Floats = npt.NDArray[np.float64]

FORMAT = "saboteur-role-network/1"
ROLE_ROWS = sha256("\n".join(SEAT_ROWS).encode()).hexdigest()[:16]  # of what it reads
SHIPPED_ROLE_NETWORK = shipped("saboteur_env.agents", "models/beliefs/role-network.safetensors")
ROLE_WIDTH = 48
MOST_LOG_ODDS = 12.0  # log odds, either way
ROLE_SHAPES = {
    "first": (len(SEAT_ROWS), ROLE_WIDTH),
    "first_bias": (ROLE_WIDTH,),
    "inner": (3 * ROLE_WIDTH, ROLE_WIDTH),
    "inner_bias": (ROLE_WIDTH,),
    "last": (3 * ROLE_WIDTH, ROLE_WIDTH),
    "last_bias": (ROLE_WIDTH,),
    "out": (ROLE_WIDTH,),
    "direct": (len(SEAT_ROWS),),
    "bias": (1,),
}
ROLE_NETWORK = record_dtype(*((name, "f4", shape) for name, shape in ROLE_SHAPES.items()))


class RoleNetwork:
    """Who is a saboteur, by what all seats did. A `Model` (filter.py) that threads may share.

    Args:
        weights: ROLE_NETWORK[1].
        styles: of the two action models that it reads.
    """

    def __init__(self, weights: npt.NDArray[np.void], styles: ReadModels) -> None:
        self.weights, self.styles = weights, styles
        self._room = PerThread(_room)

    def log_likelihood(self, public: Public) -> Floats:
        """The log odds of each seat at role `saboteur`: float64[10, 2, 3], by seat, role and treasure.

        All zeros before the first move, and if the record does not begin with the round.
        """
        result, room = np.zeros((MAX_PLAYERS, len(ROLES), MAX_GOALS)), self._room.local
        if public.event_count and gather(public, self.styles, room):
            players = int(public.rules.players)
            result[:players, SABOTEUR] = log_odds(self.weights[0], room["seats"][:, :players])[0, :, None]
        return result


def _room() -> npt.NDArray[np.void]:
    return np.zeros(1, EVIDENCE)


def log_odds(weights: Any, seats: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """How much their acts raise the log odds of seats to be a saboteur: float32[n, players], bounded on both sides.

    Args:
        weights: a ROLE_NETWORK record.
        seats: float32[n, players, rows], without empty seats.
    """
    hidden = _rectified(seats @ weights["first"] + weights["first_bias"])
    for layer in ("inner", "last"):
        hidden = _rectified(_beside_table(hidden) @ weights[layer] + weights[f"{layer}_bias"])
    result = hidden @ weights["out"] + seats @ weights["direct"] + weights["bias"]
    return np.clip(result, -MOST_LOG_ODDS, MOST_LOG_ODDS)


def _rectified(numbers: Any) -> Any:
    return np.maximum(numbers, 0)


def _beside_table(hidden: Any) -> Any:
    table = hidden.mean(1, keepdims=True), hidden.max(1, keepdims=True)
    return np.concatenate([hidden, *(np.broadcast_to(item, hidden.shape) for item in table)], -1)


@cache
def role_network(path: str | Path = SHIPPED_ROLE_NETWORK) -> RoleNetwork:
    """The role network of a file, that of the package if not given.

    Raises: ValueError for a file that is damaged, none of ours, made for other inputs, or of a missing action model.
    """
    weights, card = load_record(path, ROLE_NETWORK, {"format": FORMAT, "rows": ROLE_ROWS})
    return RoleNetwork(weights, ReadModels(*(kept_model(card.get(name)).styles for name in ReadModels._fields)))


def network_bytes(weights: npt.NDArray[np.void], digests: Mapping[str, str], facts: Mapping[str, Any]) -> bytes:
    """A role network and its card as the bytes of a file; weights are rounded to 16 bits.

    Args:
        weights: ROLE_NETWORK[1].
        digests: the SHA-256 of the files of both action models, by the names in `ReadModels`.
        facts: what the card is to say besides, as JSON data.
    """
    return record_bytes(weights, {"format": FORMAT, "rows": ROLE_ROWS, **digests, **facts})
