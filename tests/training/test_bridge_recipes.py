"""The study of recipes for other libraries: it runs what the pages say, and what it compares is told with intervals."""

import re

import numpy as np
import pytest

from saboteur_env.experiments.training_studies import bridge_recipes
from saboteur_env.experiments.training_studies.bridge_recipes import main, recipe_text
from saboteur_env.experiments.training_studies.recipe_scores import RECIPES, Recipe, returns_in_batch
from tests.support.pages import ROOT

TOY = """# Toys

## First
```python
mine = {"players": 3, "rounds": 1, "window": "printed", "history": 2}
timesteps = 60_000  # some
best = 1
```

## Second
```python
best = 2
```
"""


def always(names):
    """A policy of a recipe: the first legal action."""
    names["asked"] = names["timesteps"]
    return lambda seen, mask: mask.argmax(axis=1)


@pytest.fixture
def toys(tmp_path, monkeypatch):
    """A page with two recipes, of which the study knows three."""
    (tmp_path / "toys.md").write_text(TOY)
    batch = lambda names, rounds: returns_in_batch(always, names, rounds)  # noqa: E731
    fixed = lambda names, rounds: (np.full(rounds, 0.5), np.linspace(-1, 0, rounds))  # noqa: E731
    recipes = {
        "first": Recipe("toys.md", "## First", ("numpy",), batch),
        "second": Recipe("toys.md", "## Second", ("numpy",), fixed),
        "third": Recipe("toys.md", "## Third", ("no-such-library",), fixed),
    }
    monkeypatch.setattr(bridge_recipes, "RECIPES", recipes)
    return tmp_path


@pytest.mark.parametrize("name", RECIPES)
def test_each_recipe_is_found_on_its_page(name):
    text = recipe_text(RECIPES[name], ROOT / "docs")
    compile(text, name, "exec")
    assert name == "openspiel" or re.search(r"^timesteps = ", text, re.MULTILINE)


def test_a_recipe_runs_with_other_timesteps_and_rows_of_others_stay(toys):
    for only in ("second", "first"):
        main(only, rounds=20, timesteps=7, docs=toys, out=toys)
    table = (toys / "table.csv").read_text().splitlines()
    assert [line.partition(",")[0] for line in table] == ["library", "second", "first"]
    page = (toys / "README.md").read_text()
    assert f"| second | numpy {np.__version__} |  | 0 | 20 | 0.50 [0.34, 0.66] | -0.50 [-0." in page
    assert "| +1.00 [+0.8" in page
    assert re.search(r"\| first \| numpy [\d.]+ \| 7 \| 0 \| 20 \| -?[01]\.\d\d \[", page)


def test_what_is_not_installed_is_left_out_and_told(toys, capsys):
    main(rounds=2, timesteps=1, docs=toys, out=toys)
    assert "no-such-library is missing" in capsys.readouterr().out
    assert "third" not in (toys / "table.csv").read_text()


@pytest.mark.parametrize(
    ("only", "docs", "said"),
    [
        ("third", ".", "no-such-library is missing: docs/bridges.md says"),
        ("fourth", ".", "there is no recipe fourth; there are first, second, third"),
        ("first", "elsewhere", "there is no page .*toys.md: run this in a checkout"),
    ],
)
def test_what_cannot_be_run_is_said(toys, capsys, only, docs, said):
    with pytest.raises(SystemExit):
        main(only, docs=toys / docs, out=toys)
    assert re.search(said, capsys.readouterr().err.replace("\n", ""))


def test_a_page_without_the_recipe_is_named(toys):
    with pytest.raises(ValueError, match="has no block of Python under '## Fourth'"):
        recipe_text(Recipe("toys.md", "## Fourth", (), lambda names, rounds: None), toys)
