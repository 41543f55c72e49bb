"""Words side by side, compiled, against the same in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from saboteur_env.core.compiled.jit import ONE, ZERO, kernel
from saboteur_env.core.compiled.simd import LANES, load, some, store


@kernel
def _work(rows: Any, word: np.uint64) -> int:
    first, second = load(rows, 0), load(rows, 1)
    store(rows, 2, (first << ONE | second >> ONE) & ~first)
    store(rows, 3, first & word | second)
    store(rows, 4, word)
    return some(first & second)


def test_compiled_words_side_by_side_are_those_of_numpy() -> None:
    rows = np.random.default_rng(0).integers(0, 1 << 64, (5, LANES), dtype=np.uint64)
    first, second = rows[:2].copy()
    second[1], second[2] = ~first[1], ZERO
    rows[1], word = second, np.uint64(0xF0F0)
    assert _work(rows, word) == 0b1001
    assert (rows[:2] == [first, second]).all()
    assert (rows[2] == (first << ONE | second >> ONE) & ~first).all()
    assert (rows[3] == first & word | second).all()
    assert (rows[4] == word).all()
