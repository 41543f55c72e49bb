"""The inputs of the small network (agents/scripted/net_rows.py) and of its critic, for all games of a batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from saboteur_env.agents.scripted.net_inputs import look_at_move, look_at_table
from saboteur_env.agents.scripted.net_rows import KIND_ROW, MOVE_ROWS, STATE_ROWS
from saboteur_env.agents.scripted.policy import WORKSPACE
from saboteur_env.agents.scripted.presets import DWARFS, number_of
from saboteur_env.agents.search.critic import SECRET_ROWS, write_secrets
from saboteur_env.core.compiled.jit import kernel
from saboteur_env.engine.legal import legal_moves
from saboteur_env.engine.state import to_move

MOST = 64  # moves of a decision with room for all
READER = DWARFS[[number_of("loyal+blatant")]]  # whose clues are those of the small network (presets.py)


class SmallInputs(NamedTuple):
    """What n decisions with m legal moves in all are made from.

    Attributes:
        state: float32[n, rows]; move: float32[m, rows]; kind: int64[m], as `KIND_ROW` (net_rows.py).
        role, counts: int64[n], of who decides, and how many moves it has.
        secrets: float32[n, rows] (agents/search/critic.py), for the critic alone.
    """

    state: Tensor
    role: Tensor
    counts: Tensor
    move: Tensor
    kind: Tensor
    secrets: Tensor

    def rows(self, rows: Tensor) -> SmallInputs:
        """Some of the decisions, int64[k]."""
        moves, counts = moves_of(self.counts, rows), self.counts[rows]
        return SmallInputs(
            self.state[rows], self.role[rows], counts, self.move[moves], self.kind[moves], self.secrets[rows]
        )


def moves_of(counts: Tensor, rows: Tensor) -> Tensor:
    """The indices of all moves of some decisions.

    Args:
        counts: int64[n], of all decisions; rows: int64[k].
    """
    first, chosen = counts.cumsum(0) - counts, counts[rows]
    begins = torch.repeat_interleave(first[rows] - (chosen.cumsum(0) - chosen), chosen)
    return begins + torch.arange(len(begins))


class SmallReader:
    """Reads what the seats to move of a batch decide from.

    Args:
        vec: a batch whose `legal` lists moves.
    """

    def __init__(self, vec: Any) -> None:
        self._vec, self._space = vec, np.zeros(1, WORKSPACE)

    def __call__(self, step: int) -> SmallInputs:
        """What they decide from now, in arrays of their own."""
        games = self._vec.num_games
        state, secrets = np.empty((games, len(STATE_ROWS)), np.float32), np.empty((games, len(SECRET_ROWS)), np.float32)
        move, kind = np.empty((games * MOST, len(MOVE_ROWS)), np.float32), np.empty(games * MOST, np.int64)
        role, count = np.empty((2, games), np.int64)
        total = _write(self._vec.records, READER, self._space, state, secrets, role, count, move, kind)
        arrays = state, role, count, move[:total].copy(), kind[:total].copy(), secrets
        return SmallInputs(*map(torch.from_numpy, arrays))

    def joined(self, seen: Sequence[SmallInputs]) -> SmallInputs:
        """All decisions of several steps."""
        return SmallInputs(*map(torch.cat, zip(*seen, strict=True)))


@kernel
def _write(
    records: Any, dwarfs: Any, spaces: Any, state: Any, secrets: Any, role: Any, count: Any, move: Any, kind: Any
) -> int:
    # The inputs of each game's decision, all its legal moves in their order; returns the number of moves.
    total, space = 0, spaces[0]
    for i in range(len(records)):
        known = to_move(records[i])
        role[i] = known.private.role
        count[i] = min(legal_moves(known.public, known.private, space.moves), MOST)
        goals = look_at_table(dwarfs[0], known, space)
        write_secrets(records[i], space.scratch.now.needed, secrets[i])
        for row in range(state.shape[1]):
            state[i, row] = space.net.state[row]
        for j in range(count[i]):
            number = np.int64(space.moves[j])
            look_at_move(known, goals, number, space)
            for row in range(move.shape[1]):
                move[total, row] = space.net.move[row]
            kind[total] = KIND_ROW[number >> 12]
            total += 1
    return total
