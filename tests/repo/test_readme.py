"""The README's examples run, and its commands exist."""

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes import PATIENCE

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


EXTRAS = {"sb3_contrib": "sb3_contrib", "experiments.tournament": "pyarrow"}


def block_with(text):
    """The example that has a text."""
    (block,) = [block for block in BLOCKS if text in block]
    return block


def run(block, names):
    """What a block prints that somebody pastes alone."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(block, "README.md", "exec"), names)
    return said.getvalue()


@pytest.mark.parametrize("block", [block for block in BLOCKS if "sb3" not in block])
def test_each_example_runs_alone(block):
    for name, extra in EXTRAS.items():
        if name in block:
            pytest.importorskip(extra, reason="needs an extra")
    run(block, {})


def test_the_examples_do_what_they_say():
    assert len(BLOCKS) >= 6
    names = {}
    assert "-S-" in run(block_with("# the mine, drawn"), names)
    assert names["game"].round_over
    names = {}
    assert "dwarf_4" in run(block_with("PettingZoo AEC: dwarf_0"), names)
    assert not names["env"].agents


def test_the_readme_can_be_read_in_one_go():
    assert len(README.splitlines()) <= 200


def test_the_example_of_gymnasium_runs_in_a_process_that_has_imported_nothing():
    told = '\nprint(infos["action_mask"].shape[0])'
    ended = subprocess.run(
        [sys.executable, "-c", block_with("import gymnasium") + told], capture_output=True, text=True, timeout=PATIENCE
    )
    assert (ended.stdout, ended.returncode) == ("64\n", 0), ended.stderr


def test_the_training_example_runs_scaled_down():
    pytest.importorskip("sb3_contrib", reason="needs the extra sb3")
    block = block_with("MaskablePPO")
    shorter, times = re.subn(r"^timesteps = 60_000 ", "timesteps = 2_048 ", block, flags=re.MULTILINE)
    assert times == 1
    names = {}
    assert -1 <= float(run(shorter, names)) <= 1
    assert names["model"].num_timesteps == 2048


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)#]+)", README))))
def test_links_lead_somewhere(link):
    assert (ROOT / link).exists()


def test_citations_of_rules_lead_somewhere():
    rules = (ROOT / "docs" / "rules.md").read_text()
    sources = [path for folder in ("saboteur_env", "agents", "experiments") for path in (ROOT / folder).rglob("*.py")]
    cited = {number for path in sources for number in re.findall(r"Rules (\d(?:\.\d)?)", path.read_text())}
    assert len(cited) > 10
    assert not [number for number in cited if f'id="{number.replace(".", "-")}"' not in rules]
