"""A dwarf that plays any legal move."""

from __future__ import annotations

import numpy as np

from saboteur_env.core.chance import below
from saboteur_env.core.compiled.jit import ZERO, kernel


@kernel
def choose_random(count: int, stream: np.uint64) -> int:
    """Any of `count` legal moves, each as likely."""
    return below(stream, ZERO, count)[0]
