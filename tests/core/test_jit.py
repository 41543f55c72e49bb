"""The compiler's cache: an edit anywhere is noticed, nothing breaks it, and starting costs what it should.

Each test runs Python again on a copy of the package with a cache folder of its own.
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import saboteur_env
from saboteur_env.core.compiled import kernel_cache
from tests.support.processes import PATIENCE

PACKAGE = Path(saboteur_env.__file__).parent
# A few small kernels; `lie_at` is in tunnels.py and calls `has` of bitboard.py.
SMALL = """
import numpy as np
from saboteur_env.engine.tunnels import orientation_at, put
mine = np.zeros((64, 6), np.uint64)
put(mine, 2016, 6)
print(orientation_at(mine, 2016))
"""
GAME = "import saboteur_env; g = saboteur_env.Game(seed=1); g.play(g.legal_moves()[0]); print(g.legal_moves())"
KERNELS = "import gc; print(sum(bool(k.overloads) for k in gc.get_objects() if isinstance(k, jit._Kept)))"
# A kernel for two types, stored slowly: so many seconds before the index, so many before the code.
TWICE = """
from saboteur_env.core.compiled.jit import kernel
@kernel
def twice(x):
    return x + x
"""
SLOWLY = """
import sys, time
import numpy as np
from numba.core.caching import IndexDataCacheFile
from twice import twice
def late(name, seconds):
    real = getattr(IndexDataCacheFile, name)
    def slow(*arguments):
        time.sleep(seconds)
        real(*arguments)
    setattr(IndexDataCacheFile, name, slow)
kinds, start, index, code = sys.argv[1].split(","), *map(float, sys.argv[2:])
late("_save_index", index)
late("_save_data", code)
time.sleep(max(0.0, start - time.time()))
for kind in kinds:
    assert (twice(np.full(3, 3, kind)) == 6).all(), kind
"""
LIMIT_FILES = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n"


@pytest.fixture
def copy(tmp_path):
    """A copy of the package, in a folder to import it from."""
    shutil.copytree(PACKAGE, tmp_path / "copy" / "saboteur_env", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "copy"


@pytest.fixture(scope="module")
def unedited(tmp_path_factory):
    """A copy of the package that stays as it is, and a cache in which the small kernels are kept."""
    folder = tmp_path_factory.mktemp("unedited")
    shutil.copytree(PACKAGE, folder / "copy" / "saboteur_env", ignore=shutil.ignore_patterns("__pycache__"))
    assert run(SMALL, folder / "copy", folder / "cache") == "6"
    return folder


@pytest.fixture
def kept(unedited, tmp_path):
    """The kept kernels of `unedited`, to be harmed."""
    return shutil.copytree(unedited / "cache", tmp_path / "cache")


def start(code, folder, cache, *arguments):
    """A process that runs `code` on the package in `folder`, with the cache of all tests where none is named."""
    settings = {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    settings |= {"NUMBA_CACHE_DIR": str(cache)} if cache else {}
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=folder, env=os.environ | settings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def end(process):
    """What a process printed.

    Raises: AssertionError with its complaint where it failed.
    """
    printed, complaint = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, complaint
    return printed.strip()


def run(code, folder, cache, *arguments):
    return end(start(code, folder, cache, *arguments))


def edit(folder, file, old, new):
    path = folder / "saboteur_env" / "engine" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def files_in(folder, pattern):
    return sorted(folder.rglob(pattern))


@pytest.fixture
def layout(tmp_path, monkeypatch):
    """The folders of a package, its agents and a study, each with a folder of its own inside."""
    for name in ("package", "package/engine", "agents", "agents/search", "study", "study/speed"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("")
        (tmp_path / name / "kernels.py").write_text("card = 1")
    monkeypatch.setattr(kernel_cache, "_roots", lambda: (tmp_path / "package", tmp_path / "agents"))
    return tmp_path


def key_of(file):
    return kernel_cache.sources_key(kernel_cache._beside(file))


INSIDE = ["package/engine", "package", "agents/search", "agents"]


@pytest.mark.parametrize("edited", INSIDE)
def test_an_edit_anywhere_in_package_and_agents_changes_every_key(layout, edited):
    files = [layout / folder / "kernels.py" for folder in (*INSIDE, "study", "study/speed")]
    before = [key_of(file) for file in files]
    (layout / edited / "kernels.py").write_text("card = 2")
    assert not {*before} & {key_of(file) for file in files}
    (layout / edited / "kernels.py").write_text("card = 1")
    assert [key_of(file) for file in files] == before
    (layout / edited / "new.py").write_text("")
    assert not {*before} & {key_of(file) for file in files}


@pytest.mark.parametrize("edited", ["study", "study/speed"])
def test_an_edited_study_changes_the_keys_of_studies_alone(layout, edited):
    study, inside = layout / "study" / "speed" / "kernels.py", layout / "agents" / "search" / "kernels.py"
    before = key_of(study), key_of(inside)
    (layout / edited / "kernels.py").write_text("card = 2")
    assert key_of(study) != before[0]
    assert key_of(inside) == before[1]


def test_the_key_changes_with_the_checks_of_indices(monkeypatch):
    keys = set()
    for checked in (None, 1):
        monkeypatch.setattr(kernel_cache.numba.config, "BOUNDSCHECK", checked)
        keys.add(kernel_cache.sources_key())
    assert len(keys) == 2


def test_a_kernel_outside_any_package_is_keyed_by_the_files_beside_it(layout):
    own = layout / "own.py"
    before = key_of(own)
    (layout / "helper.py").write_text("card = 1")
    assert key_of(own) != before


def test_the_sources_of_this_package_are_found():
    package, agents = kernel_cache._roots()
    assert package == PACKAGE.resolve()
    assert (agents / "scripted" / "policy.py").is_file()
    assert kernel_cache.sources_key() == kernel_cache.sources_key(None)
    assert kernel_cache._beside(agents / "search" / "tree.py") is None


def test_old_folders_of_the_cache_are_dropped(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    for i in range(kernel_cache.KEPT + 5):
        (tmp_path / f"kernels-{i}").mkdir()
    kernel_cache._folder.__wrapped__(None)
    assert len(list(tmp_path.iterdir())) == kernel_cache.KEPT


def test_an_edited_rule_takes_effect_in_the_kernels_of_other_files(copy, tmp_path):
    cache, rule = tmp_path / "cache", "(word >> np.uint64(index)) & ONE"
    assert run(SMALL, copy, cache) == "6"
    edit(copy, "bitboard.py", rule, f"ONE - ({rule})")
    assert run(SMALL, copy, cache) == "25"
    edit(copy, "bitboard.py", f"ONE - ({rule})", rule)
    assert run(SMALL, copy, cache) == "6"


def test_two_versions_side_by_side_keep_apart(copy, tmp_path):
    cache, other, rule = tmp_path / "cache", tmp_path / "other", "(word >> np.uint64(index)) & ONE"
    shutil.copytree(copy, other)
    edit(other, "bitboard.py", rule, f"ONE - ({rule})")
    for _ in range(2):
        both = [start(SMALL, folder, cache) for folder in (copy, other)]
        assert [end(process) for process in both] == ["6", "25"]


def test_what_was_compiled_is_read_again(unedited, kept):
    stored = {path: path.stat().st_mtime_ns for path in files_in(kept, "*.nb?")}
    assert stored
    run(SMALL, unedited / "copy", kept)
    assert {path: path.stat().st_mtime_ns for path in files_in(kept, "*.nb?")} == stored


def test_another_checkout_of_the_same_sources_reads_it_too(copy, kept):
    stored = {path: path.stat().st_mtime_ns for path in files_in(kept, "*.nb?")}
    run(SMALL, copy, kept)
    assert {path: path.stat().st_mtime_ns for path in files_in(kept, "*.nb?")} == stored


def test_nothing_is_written_beside_the_sources(copy, unedited):
    assert [path.relative_to(unedited) for path in files_in(unedited / "copy", "*")] == [
        path.relative_to(copy.parent) for path in files_in(copy, "*")
    ]


def test_four_processes_start_with_an_empty_cache_at_once(unedited, tmp_path):
    processes = [start(SMALL, unedited / "copy", tmp_path / "cache") for _ in range(4)]
    assert [end(process) for process in processes] == ["6"] * 4


def test_processes_that_store_different_signatures_at_once_do_not_mix_them_up(copy, tmp_path):
    (copy / "twice.py").write_text(TWICE)
    cache, begin = tmp_path / "cache", time.time() + 1.5
    processes = [
        start(SLOWLY, copy, cache, "int32", begin, 0.5, 1),
        start(SLOWLY, copy, cache, "float64", begin, 1, 0),
    ]
    for process in processes:
        end(process)
    run(SLOWLY, copy, cache, "float64,int32", 0, 0, 0)


def test_a_cache_that_cannot_be_made_is_done_without(unedited, tmp_path):
    (tmp_path / "file").write_text("")
    assert run(SMALL, unedited / "copy", tmp_path / "file" / "cache") == "6"


def test_a_full_disk_is_done_without(unedited, tmp_path):
    assert run(LIMIT_FILES + SMALL, unedited / "copy", tmp_path / "cache") == "6"
    assert run(SMALL, unedited / "copy", tmp_path / "cache") == "6"


@pytest.mark.parametrize("damage", [b"", b"not a cache"])
@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_damaged_files_are_compiled_anew(unedited, kept, ending, damage):
    for path in files_in(kept, f"*.{ending}"):
        path.write_bytes(damage)
    assert run(SMALL, unedited / "copy", kept) == "6"
    assert all(path.read_bytes() != damage for path in files_in(kept, f"*.{ending}"))


def test_a_folder_that_is_taken_away_while_it_is_used(unedited, kept):
    code = f"import saboteur_env.engine.tunnels, shutil; shutil.rmtree({str(kept)!r})\n{SMALL}"
    assert run(code, unedited / "copy", kept) == "6"


def test_killing_the_first_compilation_leaves_no_harm(unedited, tmp_path):
    cache = tmp_path / "cache"
    for more in (1, 2, 1, 3):
        process, wanted = start(SMALL, unedited / "copy", cache), len(files_in(cache, "*.*")) + more
        while process.poll() is None and len(files_in(cache, "*.*")) < wanted:
            time.sleep(0.001)
        process.kill()
        process.communicate()
    assert run(SMALL, unedited / "copy", cache) == "6"


# Gymnasium is light, and has to know the name of the environment with one learner.
HEAVY = ["torch", "stable_baselines3", "pettingzoo", "scipy", "typer", "matplotlib", "pyarrow", "pygame", "PIL"]


def test_importing_the_package_brings_in_nothing_heavy(unedited, tmp_path):
    code = "import sys, numba; before = set(sys.modules); import saboteur_env; print(*set(sys.modules) - before)"
    brought = {name.split(".")[0] for name in run(code, unedited / "copy", tmp_path / "cache").split()}
    assert not brought & set(HEAVY)
    assert not {"agents", "experiments", "saboteur_env.environment.aec"} & brought
    assert not files_in(tmp_path / "cache", "within"), "no kernel looks for kept code before it is needed"


def time_of_children():
    """Seconds of processor time, which a busy machine leaves as they are."""
    spent = os.times()
    return spent.children_user + spent.children_system


def test_starting_is_quick_and_a_first_move_needs_few_kernels():
    """Generous bounds of processor time; measured on two cores at 2.1 GHz: 0.6 s to play, 0.3 s to import.

    What a new user waits for is about as long as the list of kernels that are compiled; there were 133.
    """
    seconds, first = {}, f"from saboteur_env.core.compiled import jit; {GAME}; {KERNELS}"
    assert int(run(first, PACKAGE.parent, None).splitlines()[-1]) < 150
    for what, code in (("again", GAME), ("import", "import saboteur_env")):
        began = time_of_children()
        run(code, PACKAGE.parent, None)
        seconds[what] = time_of_children() - began
    assert seconds["again"] < 6
    assert seconds["import"] < 3
