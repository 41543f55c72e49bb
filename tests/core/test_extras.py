"""Whatever needs a package of an extra says so, and how to install it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from saboteur_env.core.extras import MissingExtra, extra

tomllib = pytest.importorskip("tomllib", reason="comes with Python 3.11")
ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]

# What a user does, the package that is not there, and the extra that has it.
DOORS = [
    ("import saboteur_env.agents.learned.ppo", "torch", "learned"),
    ("from saboteur_env.agents.registry import make_agent; make_agent('ppo')", "torch", "learned"),
    ("import saboteur_env.single_agent.sb3", "stable_baselines3", "sb3"),
    ("import saboteur_env.experiments.training.train_ppo", "stable_baselines3", "train"),
    ("import saboteur_env.experiments.training.train_ppo", "sb3_contrib", "train"),
    ("import saboteur_env.experiments.training_studies.ablation", "sb3_contrib", "train"),
    ("import saboteur_env.experiments.training_studies.learned_tables", "torch", "learned"),
    ("import saboteur_env.experiments.maintenance.notebooks", "nbclient", "notebooks"),
    ("from saboteur_env.experiments.common.plots import Plot; Plot()", "matplotlib", "report"),
    ("from saboteur_env.experiments.common.report import write_parquet; write_parquet(None, [])", "pyarrow", "report"),
    ("from saboteur_env.experiments.tournament.ratings import rating_rows; rating_rows(None)", "openskill", "report"),
    ("from saboteur_env.experiments.tournament.standings import kept_tables; kept_tables(None)", "pyarrow", "report"),
    ("from saboteur_env.experiments.common.executor import run; list(run([1], print, ray='local'))", "ray", "scale"),
    ("from saboteur_env.render import to_png; to_png('<svg/>')", "resvg_py", "render"),
    ("from saboteur_env.render import Window; Window()", "pygame", "render"),
    ("from saboteur_env.cli import main; main(['train', '--out', 'none'])", "torch", "train"),
    ("from saboteur_env.cli import main; main(['tournament', '--agents', 'ppo'])", "torch", "learned"),
]
# The doors of one package in one process: each is tried with the package hidden, and ours forgotten.
TRY = """
import io, sys
from contextlib import redirect_stderr
sys.modules[{package!r}] = None
for code in {codes}:
    for name in [*sys.modules]:
        if name.startswith(("saboteur_env.agents", "saboteur_env.experiments", "saboteur_env.single_agent.sb3")):
            del sys.modules[name]
    said = io.StringIO()
    try:
        with redirect_stderr(said):
            exec(code, {{}})
    except SystemExit:
        pass
    except Exception as error:
        said.write(str(error))
    print(*said.getvalue().split())
"""


@pytest.mark.parametrize("package", dict.fromkeys(package for _, package, _ in DOORS))
def test_every_door_names_its_extra(package, tmp_path):
    """A process for each package: what holds compiled code is not loaded twice."""
    doors = {code: name for code, missing, name in DOORS if missing == package}
    program = TRY.format(package=package, codes=[*doors])
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for (code, name), said in zip(doors.items(), done.stdout.splitlines(), strict=True):
        assert f'{package} is not installed: pip install "saboteur-env[{name}]"' in said, code


def test_of_two_extras_the_outer_one_is_named():
    said = r'no_such is not installed: pip install "saboteur-env\[train\]"'
    with pytest.raises(MissingExtra, match=said), extra("train"), extra("learned"):
        import no_such.part  # noqa: F401


def test_a_fault_of_our_own_is_no_missing_extra():
    with pytest.raises(ModuleNotFoundError, match=r"saboteur_env\.no_such"), extra("train"):
        import saboteur_env.no_such  # noqa: F401


def test_every_extra_that_is_named_exists():
    sources = [path for folder in ("saboteur_env", "agents", "experiments") for path in (ROOT / folder).rglob("*.py")]
    named = {name for path in sources for name in re.findall(r'extra\("(\w+)"\)', path.read_text(encoding="utf-8"))}
    assert named <= set(EXTRAS) and len(named) > 5


def test_the_table_of_the_readme_has_every_extra():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)` \|", readme, re.M)) >= set(EXTRAS)
