"""Kernels that kernels alone call: their code is linked into their callers, compiled or kept, and is nowhere else."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from saboteur_env.core.compiled.jit import kernel
from saboteur_env.core.compiled.memory import fetch_add, without_refcount
from tests.core.test_jit import run
from tests.core.test_separate import COUNTING

KERNELS = """
from saboteur_env.core.compiled.jit import kernel

@kernel
def depth(x):
    return x * x

@kernel
def shaft(x):
    return depth(x) + 1

@kernel
def mine(x):
    return 10 * shaft(x)

@kernel
def quarry(x):
    return 100 * shaft(x)
"""
DIG = f"""{COUNTING}
value = getattr(kernels, sys.argv[1])(3)
codes = [compiled.library for compiled in kernels.shaft.within.overloads.values()]
print(value, count.compiled, [(type(code).__name__, code.get_pointer_to_function(code.name)) for code in codes])
"""
LINKED = "[('LinkedCode', 0)]"
DRAWS = 20_000


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "kernels.py").write_text(KERNELS)
    return tmp_path


def dig(folder, what):
    """What a fresh process gets of a kernel, how many it compiled for that, and what `shaft` is for kernels."""
    return run(DIG, folder, folder / "cache", what)


def test_a_kernel_of_kernels_has_no_machine_code_and_is_kept_for_other_callers(folder):
    assert dig(folder, "mine") == f"100 3 {LINKED}"
    assert dig(folder, "mine") == "100 0 []"
    assert dig(folder, "quarry") == f"1000 1 {LINKED}"
    assert dig(folder, "quarry") == "1000 0 []"


def test_its_own_way_in_from_python_is_compiled_apart(folder):
    dig(folder, "mine")
    assert dig(folder, "shaft") == "10 1 []"


@pytest.mark.parametrize("damage", [b"", b"not a kernel"])
def test_what_is_damaged_is_compiled_again(folder, damage):
    dig(folder, "mine")
    kept = [path for path in (folder / "cache").rglob("*.nbc") if "shaft" in path.name and "within" in path.parts]
    assert kept
    for path in kept:
        path.write_bytes(damage)
    assert dig(folder, "quarry") == f"1000 2 {LINKED}"


@kernel
def draw(shared, drawn):
    for i in range(len(drawn)):
        drawn[i] = fetch_add(shared, 2)


def test_no_two_threads_get_the_same_number():
    shared, drawn = np.zeros(1, np.int64), np.zeros((4, DRAWS), np.int64)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda mine: draw(shared, mine), drawn))
    assert shared[0] == 8 * DRAWS
    assert np.array_equal(np.sort(drawn.ravel()), np.arange(0, 8 * DRAWS, 2))


@kernel
def disowned(nested):
    (first, second), number = without_refcount(nested)
    return first[0] + second[1] + number


def test_arrays_in_tuples_lose_their_owners_and_nothing_else():
    arrays = np.array([1, 2]), np.array([3, 4], np.int16)
    for _ in range(1000):
        assert disowned((arrays, 5)) == 1 + 4 + 5
    assert [array.tolist() for array in arrays] == [[1, 2], [3, 4]]
