"""The critic: the chance that the miners win a whole game, where dwarfs of the small network play on.

It reads the view of the seat to move (net_rows.py), and what nobody at the table may see: who is a saboteur, where the
treasure lies, which cards each side holds. So it judges games that the search samples, and it never plays. It is
trained beside the small network (Pinto and others, "Asymmetric actor critic for image-based robot learning", RSS 2018).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.core.compiled.jit import kernel, separate
from saboteur_env.core.compiled.memory import record_dtype
from saboteur_env.core.field import named_rows
from saboteur_env.core.files import shipped
from saboteur_env.engine.cards import KINDS, MINER, ROLES, TREASURE
from saboteur_env.engine.state import MAX_GOALS, MAX_PLAYERS, State, to_move

from ..scripted.net_inputs import look_at_table
from ..scripted.net_rows import STATE_ROWS
from ..scripted.policy import Workspace
from ..scripted.small_network import add_layer, load_record, record_bytes, rectify

SECRET_ROW, SECRET_ROWS = named_rows(
    saboteur=tuple(f"seat {seat} is a saboteur" for seat in range(1, MAX_PLAYERS)),
    treasure=tuple(f"goal {goal} is the treasure" for goal in range(MAX_GOALS)),
    needed="cards needed to the treasure",
    hands=tuple(f"{kind} in hands of {role}s" for role in ROLES for kind in KINDS),
)


@kernel
def write_secrets(game: State, needed: Any, row: Any) -> None:
    """Write the secrets of a whole game, from the seat to move on.

    Args:
        needed: cards needed to each goal (heuristics/card_distance.py).
        row: float32[len(SECRET_ROWS)]. Mutates it.
    """
    public, secret, players = game.public, game.secret, game.public.rules.players
    for j in range(len(row)):
        row[j] = 0.0
    for index in range(players):
        private = game.private[(public.seat + index) % players]
        if index > 0:
            row[SECRET_ROW.saboteur + index - 1] = private.role
        first = SECRET_ROW.hands + len(KINDS) * private.role
        for kind in range(len(KINDS)):
            row[first + kind] += private.hand[kind] / 2
    for goal in range(public.rules.goals):
        if secret.face[goal] == TREASURE:
            row[SECRET_ROW.treasure + goal] = 1
            row[SECRET_ROW.needed] = needed[goal] / 8


CRITIC_WIDTH = 128
_FLOATS = {
    "own": (len(STATE_ROWS), CRITIC_WIDTH),
    "secrets": (len(SECRET_ROWS), CRITIC_WIDTH),
    "bias": (CRITIC_WIDTH,),
    "inner": (CRITIC_WIDTH, CRITIC_WIDTH),
    "inner_bias": (CRITIC_WIDTH,),
    "value": (CRITIC_WIDTH,),
    "value_bias": (),
}
# For each role its weights, inputs first.
CRITIC = record_dtype(*((name, "f4", (len(ROLES), *shape)) for name, shape in _FLOATS.items()))

# The room in which it judges.
CRITIC_ROOM = record_dtype(
    ("secrets", "f4", len(SECRET_ROWS)), ("hidden", "f4", CRITIC_WIDTH), ("whole", "f4", CRITIC_WIDTH)
)


@separate
def miners_chance(game: State, dwarf: Any, critic: Any, space: Workspace, room: Any) -> float:
    """The chance that the miners win a game that goes on.

    Args:
        dwarf: a DWARF record with the network beside which the critic was trained.
        critic: a CRITIC record; room: a CRITIC_ROOM record.

    Mutates: space, room.
    """
    known, hidden, whole = to_move(game), room.hidden, room.whole
    role = np.int64(known.private.role)
    look_at_table(dwarf, known, space)
    write_secrets(game, space.scratch.now.needed, room.secrets)
    for j in range(CRITIC_WIDTH):
        hidden[j], whole[j] = critic.bias[role, j], critic.inner_bias[role, j]
    add_layer(space.net.state, critic.own[role], hidden)
    add_layer(room.secrets, critic.secrets[role], hidden)
    rectify(hidden)
    add_layer(hidden, critic.inner[role], whole)
    value = np.float64(critic.value_bias[role])
    for j in range(CRITIC_WIDTH):
        value += (max(whole[j], np.float32(0.0)) + hidden[j]) * critic.value[role, j]
    value = min(max(value, -1.0), 1.0)
    return (1.0 + value) / 2 if role == MINER else (1.0 - value) / 2


FORMAT = "saboteur-critic/1"
CRITIC_ROWS = sha256("\n".join([*STATE_ROWS, "", *SECRET_ROWS]).encode()).hexdigest()[:16]  # of what it reads
SHIPPED_CRITIC = shipped("saboteur_env.agents", "models/ppo-small/critic.safetensors")


def critic_bytes(critic: npt.NDArray[np.void], facts: Mapping[str, Any]) -> bytes:
    """A critic, CRITIC[1], and its card as the bytes of a file; weights are rounded to 16 bits."""
    return record_bytes(critic, {"format": FORMAT, "rows": CRITIC_ROWS, **facts})


@cache
def load_critic(path: str | Path = SHIPPED_CRITIC) -> npt.NDArray[np.void]:
    """A critic, CRITIC[1]. Raises: ValueError as `load_record`."""
    return load_record(path, CRITIC, {"format": FORMAT, "rows": CRITIC_ROWS})[0]
