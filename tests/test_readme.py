"""The README's examples run, and its commands exist."""

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def test_the_examples_run_one_after_the_other():
    names, said = {}, io.StringIO()
    with contextlib.redirect_stdout(said):
        for block in BLOCKS:
            exec(compile(block, "README.md", "exec"), names)
    assert len(BLOCKS) >= 4
    assert "-S-" in said.getvalue()
    assert names["game"].round_over
    assert not names["env"].agents


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)#]+)", README))))
def test_links_lead_somewhere(link):
    assert (ROOT / link).exists()


def test_citations_of_rules_lead_somewhere():
    rules = (ROOT / "docs" / "rules.md").read_text()
    sources = [path for folder in ("saboteur_env", "agents", "experiments") for path in (ROOT / folder).rglob("*.py")]
    cited = {number for path in sources for number in re.findall(r"Rules (\d(?:\.\d)?)", path.read_text())}
    assert len(cited) > 10
    assert not [number for number in cited if f'id="{number.replace(".", "-")}"' not in rules]
