"""A dwarf that plays any legal move."""

from __future__ import annotations

import numpy as np

from saboteur_env.core.compiled.jit import ZERO, kernel
from saboteur_env.core.prng import below


@kernel
def choose_random(count: int, random_key: np.uint64) -> int:
    """Any of `count` legal moves, each as likely."""
    return below(random_key, ZERO, count)[0]
