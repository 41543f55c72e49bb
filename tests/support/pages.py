"""The pages of the documentation, and what their blocks need to run."""

import contextlib
import io
import re
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").rglob("*.md"))
}
BLOCKS = {
    f"{name}:{number}": block
    for name, text in PAGES.items()
    for number, block in enumerate(re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
    if ">>> " not in block
}
HOWTO = "docs/howto/"
EXTRAS = {
    "sb3_contrib": "sb3_contrib",
    "experiments.benchmark": "pyarrow",
    "experiments.tournament": "pyarrow",
    "agents.learned": "torch",
    "bridges.open_spiel": "pyspiel",
    "bridges.rllib": "tree",
    "bridges.torchrl": "torchrl",
    "bridges.flax_ppo": "flax",
    "tianshou": "tianshou",
    "agilerl": "agilerl",
    "supersuit": "supersuit",
    "datasets.minari": "minari",
}
OTHERS = ("ray", "torchrl", "flax", "tianshou", "agilerl", "supersuit", "minari")  # they warn of their own


def run_alone(name, folder, monkeypatch):
    """Run a block of a page by itself, a training shorter than the page says; data sets go to a folder."""
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(folder))
    for used, extra in EXTRAS.items():
        if used in BLOCKS[name]:
            pytest.importorskip(extra, reason="needs an extra")
    smaller = re.sub(r"^timesteps = 60_000 ", "timesteps = 4_096 ", BLOCKS[name], flags=re.MULTILINE)
    smaller = re.sub(r"^timesteps = 4_000 ", "timesteps = 512 ", smaller, flags=re.MULTILINE)
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        if any(library in BLOCKS[name] for library in OTHERS):
            warnings.simplefilter("ignore")
        exec(compile(smaller, name, "exec"), {})
