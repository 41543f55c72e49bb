"""The README's examples run, and its commands exist."""

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def run(blocks, names):
    """What the blocks print, run one after the other."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        for block in blocks:
            exec(compile(block, "README.md", "exec"), names)
    return said.getvalue()


def test_the_examples_run_one_after_the_other():
    names = {}
    said = run([block for block in BLOCKS if "sb3" not in block], names)
    assert len(BLOCKS) >= 6
    assert "-S-" in said
    assert names["game"].round_over
    assert not names["env"].agents
    assert names["infos"]["action_mask"].shape[0] == 64


def test_the_training_example_runs_scaled_down():
    pytest.importorskip("sb3_contrib", reason="needs the extra sb3")
    (block,) = [block for block in BLOCKS if "sb3" in block]
    shorter, times = re.subn(r"^decisions = 60_000 ", "decisions = 2_048 ", block, flags=re.MULTILINE)
    assert times == 1
    names = {}
    assert -1 <= float(run([shorter], names)) <= 1
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
