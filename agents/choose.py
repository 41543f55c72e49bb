"""The one place where a kernel turns the number of a dwarf into its choice."""

from __future__ import annotations

from typing import Any

import numpy as np

from saboteur_env.engine.jit import kernel

from .random import choose_random
from .roster import SCRIPTED
from .scripted import choose_scripted


@kernel
def choose(dwarf: int, public: Any, own: Any, moves: Any, count: int, stream: np.uint64, scratch: Any) -> int:
    """The place in `moves` of the move that a dwarf of the roster chooses."""
    if dwarf == SCRIPTED:
        return choose_scripted(public, own, moves, count, stream, scratch)
    return choose_random(count, stream)
