"""Where the package runs: without a home folder, without source files, in terminals that know few letters."""

import compileall
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from io import BytesIO, TextIOWrapper
from pathlib import Path
from types import SimpleNamespace

import pytest

import saboteur_env
import saboteur_env.agents
import saboteur_env.experiments
from saboteur_env.cli import main
from saboteur_env.core.compiled import kernel_cache
from saboteur_env.experiments.studies import find_studies
from saboteur_env.terminal import app_of, console, exit_on_error

posix = pytest.mark.skipif(os.name != "posix", reason="owners and modes of folders")


@pytest.fixture
def temporary(monkeypatch, tmp_path):
    """A folder for temporary files, in a world without `NUMBA_CACHE_DIR`, where nothing has been warned of yet."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    kernel_cache._warn_once.cache_clear()
    yield tmp_path
    kernel_cache._warn_once.cache_clear()


def homeless(*_, **__):
    raise RuntimeError("could not determine the home directory")


def unwritable(*_, **__):
    return Path(__file__) / "cache"  # below a file, which stops the superuser too


def folder_of_kernels():
    return kernel_cache._folder.__wrapped__(None)


def said_by_default():
    """The folder, and what was said about it."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        return folder_of_kernels(), [str(warning.message) for warning in said]


@pytest.mark.parametrize("user_cache", [homeless, lambda *_, **__: Path("~/.cache/saboteur_env"), unwritable])
def test_where_nothing_can_be_kept_at_home_kernels_go_to_a_private_temporary_folder(user_cache, temporary, monkeypatch):
    monkeypatch.setattr(kernel_cache, "user_cache_path", user_cache)
    monkeypatch.chdir(temporary)
    folder, (said,) = said_by_default()
    base = folder.parent
    assert base.parent == temporary
    assert f"They go to {base}" in said and "NUMBA_CACHE_DIR" in said
    if os.name == "posix":
        assert base.stat().st_mode & 0o777 == 0o700
    assert [path.name for path in temporary.iterdir()] == [base.name]  # and no folder named ~
    assert said_by_default() == (folder, []), "a folder that is simply found is no news"


@posix
@pytest.mark.parametrize("trap", ["symlink", "open to others", "another's", "file"])
def test_a_temporary_folder_that_others_could_fill_is_not_used(trap, temporary, monkeypatch):
    monkeypatch.setattr(kernel_cache, "user_cache_path", homeless)
    base, elsewhere = temporary / f"saboteur_env-{os.getuid()}", temporary / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    if trap == "symlink":
        base.symlink_to(elsewhere)
    elif trap == "file":
        base.write_text("")
    else:
        base.mkdir(mode=0o700)
        base.chmod(0o777 if trap == "open to others" else 0o700)
    if trap == "another's":
        other = os.getuid() + 1
        base.rename(temporary / f"saboteur_env-{other}")
        monkeypatch.setattr(os, "getuid", lambda: other)
    folder, (said,) = said_by_default()
    assert folder is None
    assert "compiled again at every start" in said and "NUMBA_CACHE_DIR" in said
    assert said_by_default() == (None, []), "it is said once"
    assert not any(elsewhere.iterdir())


def test_the_folder_that_was_asked_for_is_taken_without_a_word(temporary, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(temporary / "asked"))
    folder, said = said_by_default()
    assert folder.parent == temporary / "asked"
    assert said == []


# A kernel compiled, a game, and every file that comes with the package.
EVERYTHING = """
import sys
import numpy as np
import saboteur_env
from saboteur_env.agents.registry import make_agent, fingerprints
from saboteur_env.agents.search.evaluation import net
from saboteur_env.agents.beliefs.action_model_file import fitted
from saboteur_env.core.compiled import jit
from saboteur_env.engine import bitboard
from saboteur_env.render import draw, scene_of_view
from saboteur_env.render.page import replay_page
from saboteur_env.render.raster import _fonts
game = saboteur_env.Game(players=3, seed=1)
game.play(game.legal_moves()[0])
assert make_agent("scripted").act(game.view(game.seat), 1) in game.legal_moves()
assert len(fitted().names) and len(net())
assert "<html" in replay_page(game.transcript())
assert len(_fonts()) == 2 and all(open(font, "rb").read(4) == b"\\0\\1\\0\\0" for font in _fonts())
assert {"models/beliefs/default.txt", "models/evaluation.json"} <= set(fingerprints(["a.B:c"]))
try:
    from saboteur_env.experiments.training.config import load_config
except ImportError as missing:
    assert "pip install" in str(missing)
else:
    assert load_config("small").decisions
print(saboteur_env.__file__)
"""
COMPILED = """
import warnings
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    import numpy as np
    from saboteur_env.engine.tunnels import orientation_at, put
mine = np.zeros((64, 6), np.uint64)
put(mine, 2016, 6)
print(orientation_at(mine, 2016), len(said), said[0].message)
"""


@pytest.fixture
def installed(tmp_path):
    """The package as pip lays it out, agents and experiments inside."""
    for package in (saboteur_env, saboteur_env.agents, saboteur_env.experiments):
        index = tmp_path.joinpath("installed", *package.__name__.split("."))
        shutil.copytree(package.__path__[0], index, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    return tmp_path / "installed"


def run(code, index, **settings):
    """What `code` prints with the package in `place`, a folder or a zip."""
    settings = {"PYTHONPATH": str(index), "PYTHONDONTWRITEBYTECODE": "1", **settings}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=index.parent, env=os.environ | settings, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def zipped(folder):
    return Path(shutil.make_archive(str(folder), "zip", folder))


def compiled_alone(folder):
    assert compileall.compile_dir(folder, legacy=True, quiet=1)
    for source in folder.rglob("*.py"):
        source.unlink()
    return folder


@pytest.mark.parametrize("form", [zipped, compiled_alone])
def test_without_source_files_everything_works(form, installed):
    index = form(installed)
    assert Path(run(EVERYTHING, index, NUMBA_DISABLE_JIT="1")).is_relative_to(index)
    orientation, warned, said = run(COMPILED, index).split(maxsplit=2)
    assert (orientation, warned) == ("6", "1")
    assert "without source files" in said and "compiled again at every start" in said


ENCODINGS = ["ascii", "latin-1", "cp437", "cp932", "cp949"]


@pytest.fixture
def terminal(monkeypatch):
    """A function that puts a terminal of an encoding in place, and returns what reads it."""

    def of(encoding, errors="strict"):
        shown = [TextIOWrapper(BytesIO(), encoding, errors) for _ in "12"]
        for name, stream in zip(("stdout", "stderr"), shown, strict=True):
            monkeypatch.setattr(sys, name, stream)
        return lambda: "".join(map(_shown, shown))

    return of


def _shown(stream):
    stream.flush()
    return stream.buffer.getvalue().decode(stream.encoding)


@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_what_a_terminal_cannot_show_is_replaced(encoding, errors, terminal, monkeypatch):
    def command() -> None:
        console.print("wins – 5 … ┃ Δ")
        print("wins – 5 … ┃ Δ ⛏")

    read = terminal(encoding, errors)
    monkeypatch.setattr(sys, "argv", ["command"])
    with pytest.raises(SystemExit, match="0"), exit_on_error():
        app_of(command)()
    assert read().count("wins") == 2


@pytest.mark.parametrize("study", find_studies())
def test_every_study_explains_itself_in_a_terminal_of_ascii(study, terminal, monkeypatch):
    pytest.importorskip("sb3_contrib", reason="needs the extra train")
    pytest.importorskip("nbclient", reason="needs the extra notebooks")
    read = terminal("ascii")
    monkeypatch.setattr(sys, "argv", ["saboteur-env"])
    with pytest.raises(SystemExit, match="0"):
        main(["study", study, "--help"])
    assert "Usage" in read()


COMMANDS = {
    "tables": [],
    "win-rates": ["--players", "3", "--matches", "1", "--out", "rates"],
    "win-rates --game wazabi": ["--players", "2", "--matches", "1", "--out", "wazabi"],
    "tournament": ["--agents", "random", "--players", "3", "--deals", "1", "--workers", "1", "--out", "tournament"],
    "bench": ["--moves", "1000", "--runs", "1"],
    "watch": ["--players", "3", "--seed", "1", "--delay", "0", "--dwarf", "random", "--save", "match.json"],
    "replay match.json": ["--html", "match.html"],
    "train": ["--help"],
    "": ["--help"],
}
WRITTEN = ["rates/win_rates.csv", "wazabi/wazabi_win_rates.csv", "tournament/report.md", "match.json", "match.html"]


def test_every_command_runs_in_a_terminal_of_ascii(terminal, monkeypatch, tmp_path):
    pytest.importorskip("openskill", reason="needs the extra report")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["saboteur-env"])
    for command, options in COMMANDS.items():
        read = terminal("ascii")
        with pytest.raises(SystemExit) as ended:
            main([*command.split(), *options])
        assert not ended.value.code, read()
    assert all((tmp_path / name).is_file() for name in WRITTEN)


@pytest.mark.parametrize("command", ["win-rates", "win-rates --game wazabi", "tournament", "watch"])
def test_results_are_written_before_anything_is_shown(command, monkeypatch, tmp_path):
    """A reader that goes away (`saboteur-env win-rates | head`) costs no result."""
    pytest.importorskip("openskill", reason="needs the extra report")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["saboteur-env"])
    gone = SimpleNamespace(print=lambda *_, **__: 1 / 0, is_terminal=False)
    for module in ("win_rates", "tournament", "pictures"):
        monkeypatch.setattr(f"saboteur_env.commands.{module}.console", gone)
    with pytest.raises(ZeroDivisionError):
        main([*command.split(), *COMMANDS[command]])
    assert any((tmp_path / name).is_file() for name in WRITTEN)
