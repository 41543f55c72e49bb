"""Kernels that are called by their symbol: right at once and from the cache, and whatever of the cache is lost."""

import shutil

import pytest

from saboteur_env.core.compiled.jit import separate
from tests.core.test_jit import files_in, run

KERNELS = """
from __future__ import annotations

import numpy as np

from saboteur_env.core.compiled.jit import kernel, separate

@separate
def gold(nuggets, dwarfs) -> float:
    total = nuggets[0] * 0
    for i in range(dwarfs):
        total += nuggets[i]
    return total

@kernel
def round_of(nuggets):
    return gold(nuggets, 2) + 1

@separate
def match_of(nuggets) -> float:
    return 10 * round_of(nuggets) + gold(nuggets, 3)

@kernel
def season_of(nuggets):
    return 100 * match_of(nuggets)
"""
BONUS = """
@kernel
def bonus(nuggets, dwarfs):
    return np.int64(gold(nuggets, dwarfs)) if dwarfs else 0
"""
BROKEN = """
@separate
def broken(nuggets) -> int:
    return nuggets[0]

@kernel
def caller(nuggets):
    return broken(nuggets) + 1
"""
HILL = """
from saboteur_env.core.compiled.jit import inlined, kernel

@kernel
def top(x):
    return x * x

@inlined
def slope(x):
    return top(x) + 1

@kernel
def hill(x):
    return slope(x)
"""
COUNTING = """
import sys
import numpy as np
from numba.core import event
import kernels

class Count(event.Listener):
    compiled = 0
    def on_start(self, event):
        self.compiled += 1
    def on_end(self, event):
        pass

count = Count()
event.register("numba:compile", count)
"""
PLAY = f"""{COUNTING}
nuggets = np.array([5, 1, 2], sys.argv[2])
print(getattr(kernels, sys.argv[1])(nuggets), count.compiled)
"""
SEASON = 100 * (10 * (5 + 1 + 1) + 5 + 1 + 2)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "kernels.py").write_text(KERNELS)
    return tmp_path


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A folder with the kernels, all of them compiled."""
    folder = tmp_path_factory.mktemp("played") / "season"
    folder.mkdir()
    (folder / "kernels.py").write_text(KERNELS)
    play(folder)
    return folder


def play(folder, what="season_of", dtype="int64"):
    """What a fresh process gets of a kernel, and how many kernels it compiled for that."""
    value, compiled = run(PLAY, folder, folder / "cache", what, dtype).split()
    return float(value), int(compiled)


def test_callers_are_right_when_compiled_and_from_the_cache(folder):
    assert play(folder) == (SEASON, 4)
    assert play(folder) == (SEASON, 0)
    assert play(folder, "round_of") == (7, 1), "its own way in from Python alone"


def test_each_signature_has_its_own_code(folder):
    play(folder)
    assert play(folder, dtype="float32") == (SEASON, 4)
    assert play(folder, dtype="int64") == play(folder, dtype="float32") == (SEASON, 0)


def test_a_caller_is_compiled_where_only_the_called_kernel_is_kept(folder):
    assert play(folder, "round_of") == (7, 2)
    assert play(folder) == (SEASON, 3)


def test_a_kernel_is_inlined_by_its_own_word_alone(folder):
    code = """
import numpy as np
import kernels

kernels.hill(1)
for kernel in (kernels.slope, kernels.top):
    (compiled,) = kernel.within.overloads.values()
    print(kernel.py_func.__name__, "alwaysinline" in compiled.library.get_llvm_str())
"""
    (folder / "kernels.py").write_text(HILL)
    assert run(code, folder, folder / "cache") == "slope True\ntop False"


@pytest.mark.parametrize(
    ("lost", "damage"),
    [("*gold*.nbc", None), ("*gold*.nb?", b""), ("*match_of*.nbc", b"not a cache"), ("*round_of*.nb?", None)],
)
def test_what_is_lost_is_compiled_again_for_callers_that_are_kept(played, tmp_path, lost, damage):
    folder = shutil.copytree(played, tmp_path / "season")
    harmed = files_in(folder / "cache", lost)
    assert harmed
    for path in harmed:
        path.unlink() if damage is None else path.write_bytes(damage)
    assert play(folder)[0] == SEASON
    assert play(folder) == (SEASON, 0)


def test_a_kernel_is_compiled_when_it_is_first_called(folder):
    code = """
import numpy as np
from numba.core import event
import kernels

compiled = []
class Note(event.Listener):
    def on_start(self, event):
        compiled.append(event.data["dispatcher"].py_func.__name__)
    def on_end(self, event):
        pass

event.register("numba:compile", Note())
nuggets = np.array([5, 1, 2])
print(kernels.bonus(nuggets, 0), *compiled, kernels.bonus(nuggets, 3), *compiled[1:])
"""
    (folder / "kernels.py").write_text(KERNELS + BONUS)
    assert run(code, folder, folder / "cache") == "0 bonus 8 gold"


def test_slots_are_filled_ahead_down_to_the_last(folder):
    code = """
import numpy as np
import kernels
from saboteur_env.core.compiled.separate import fill_slots

kernels.season_of(np.array([5, 1, 2]))
kernels.bonus(np.array([5, 1, 2]), 0)
fill_slots()
print(len(kernels.match_of.within.overloads), len(kernels.gold.within.overloads))
"""
    (folder / "kernels.py").write_text(KERNELS + BONUS)
    assert run(code, folder, folder / "cache") == "1 1"


def test_a_kernel_that_does_not_compile_is_an_error_of_its_caller(folder):
    code = """
import numpy as np
import kernels

kernels.broken.within.compile = None
try:
    kernels.caller(np.array([5, 1, 2]))
except RuntimeError as error:
    print(error)
"""
    (folder / "kernels.py").write_text(KERNELS + BROKEN)
    assert run(code, folder, folder / "cache") == "kernels.broken could not be compiled"


def test_ctrl_c_waits_until_a_kernel_is_compiled(folder):
    code = """
import os, signal, time
import numpy as np
from numba.core import event
import kernels

class Interrupt(event.Listener):
    done = False
    def on_start(self, event):
        if not self.done and event.data["dispatcher"].py_func.__name__ == "gold":
            self.done = True
            os.kill(os.getpid(), signal.SIGINT)
    def on_end(self, event):
        pass

signal.signal(signal.SIGINT, signal.default_int_handler)
event.register("numba:compile", Interrupt())
try:
    played = kernels.bonus(np.array([5, 1, 2]), 3)
    time.sleep(60)
except KeyboardInterrupt:
    print("interrupted after", played)
"""
    (folder / "kernels.py").write_text(KERNELS + BONUS)
    assert run(code, folder, folder / "cache") == "interrupted after 8"


def test_a_separate_kernel_says_what_it_returns():
    def unsaid(nuggets):
        return nuggets[0]

    def pair(nuggets) -> "tuple[int, int]":
        return nuggets[0], nuggets[1]

    for function in (unsaid, pair):
        with pytest.raises(TypeError, match=f"None, bool, float, int, np.uint64.*{function.__name__} needs"):
            separate(function)
