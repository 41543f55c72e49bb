"""Do the recipes for other libraries learn? Each is run as its page has it, and then plays fresh deals.

What was learned and a player that draws legal actions play the same deals against the same opponents. Run in a
checkout, which has the pages, as ``saboteur-env study bridges`` (extras ``bridges`` and ``sb3``).
"""

from __future__ import annotations

import csv
import re
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from saboteur_env.terminal import console, exit_on_error, report_files

from ..common.page import markdown_rows
from ..common.report import write_csv, write_text
from ..common.statistics import Row, bootstrap, interval_columns
from .recipe_scores import RECIPES, Recipe, Returns

STUDY = "bridges"
_BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
_TEXTS = ("library", "versions", "timesteps")


def recipe_text(recipe: Recipe, docs: Path) -> str:
    """The block of Python of a recipe, as its page has it.

    Args:
        docs: the folder of the pages.

    Raises: ValueError where there is no such page, or no block under the heading.
    """
    page = docs / recipe.page
    if not page.is_file():
        raise ValueError(f"there is no page {page}: run this in a checkout, or say where the pages are (--docs)")
    _, _, section = f"\n{page.read_text(encoding='utf-8')}".partition(f"\n{recipe.heading}\n")
    block = _BLOCK.search(section)
    if block is None:
        raise ValueError(f"{page} has no block of Python under {recipe.heading!r}")
    return block[1]


def learn(text: str, timesteps: int | None) -> tuple[dict[str, Any], float]:
    """Run a recipe: the names that it leaves, and the seconds that it took.

    Args:
        timesteps: instead of those on the page.
    """
    if timesteps is not None:
        text = re.sub(r"^timesteps = [\d_]+", f"timesteps = {timesteps}", text, flags=re.MULTILINE)
    names: dict[str, Any] = {}
    began = time.perf_counter()
    exec(compile(text, "recipe", "exec"), names)
    return names, time.perf_counter() - began


def compared(returns: Returns) -> Row:
    """Mean returns of both players and their difference, deal by deal, with 95 % intervals."""
    learned, at_random = returns
    columns = np.stack([learned, at_random, learned - at_random], axis=1)
    intervals = bootstrap(columns, (-1, -1, -2), most=2).tolist()
    return {"rounds": len(learned), **interval_columns(("learned", "random", "gain"), intervals)}


def versions(recipe: Recipe) -> str:
    """The versions of the libraries of a recipe. Raises: ValueError where one is missing."""
    try:
        return ", ".join(f"{name} {version(name)}" for name in recipe.libraries)
    except PackageNotFoundError as missing:
        raise ValueError(f"{missing.name} is missing: docs/bridges.md says how it is installed") from None


def main(
    only: Annotated[str, typer.Option(help=f"Some of {', '.join(RECIPES)}; all that are installed if empty.")] = "",
    rounds: Annotated[int, typer.Option(min=2, help="Fresh deals that each plays.")] = 1000,
    timesteps: Annotated[int | None, typer.Option(min=1, help="Instead of those on the page.")] = None,
    docs: Annotated[Path, typer.Option(help="The folder of the pages.")] = Path("docs"),
    out: Annotated[Path, typer.Option(help="Folder of the table; rows of other libraries stay.")] = Path(
        "results/bridges"
    ),
) -> None:
    """Run the recipes for other libraries, and compare what was learned with random play on fresh deals.

    Writes README.md and table.csv.
    """
    with exit_on_error():
        table = out / "table.csv"
        for name in _chosen(only):
            recipe = RECIPES[name]
            found = {"library": name, "versions": versions(recipe)}
            console.print(f"{name}: {found['versions']}", highlight=False)
            names, seconds = learn(recipe_text(recipe, docs), timesteps)
            trained = {"timesteps": f"{names['timesteps']:,}" if "timesteps" in names else "", "seconds": seconds}
            row = found | trained | compared(recipe.returns(names, rounds))
            rows = [*(_kept(table) | {name: row}).values()]
            report_files([write_csv(table, rows), write_text(out / "README.md", page(rows))])


def _chosen(only: str) -> list[str]:
    if unknown := {*only.split(",")} - {*RECIPES, ""}:
        raise ValueError(f"there is no recipe {', '.join(sorted(unknown))}; there are {', '.join(RECIPES)}")
    return only.split(",") if only else [name for name, recipe in RECIPES.items() if _installed(recipe)]


def _installed(recipe: Recipe) -> bool:
    try:
        return bool(versions(recipe))
    except ValueError as missing:
        console.print(f"[dim]left out:[/] {missing}", highlight=False)
        return False


def _kept(table: Path) -> dict[str, Row]:
    if not table.exists():
        return {}
    with table.open(encoding="utf-8", newline="") as file:
        rows = [*csv.DictReader(file)]
    return {
        row["library"]: {name: value if name in _TEXTS else float(value) for name, value in row.items()} for row in rows
    }


def page(rows: list[Row]) -> str:
    """The table in Markdown."""
    return _PAGE.format(table=markdown_rows(sorted(rows, key=lambda row: row["library"]), _COLUMNS))


_PAGE = """# Do the recipes for other libraries learn?

Mean returns, +1 for a round won and -1 for one lost, with 95 % intervals, of what each recipe of docs/bridges.md
learned and of a player that draws legal actions. Both play the same fresh deals: all miners among random saboteurs;
with stable-baselines3 one seat among scripted agents; with OpenSpiel seat 0 among random players on a mine of
three cards, where returns are zero-sum. `gain` is the difference, deal by deal. Seconds are those of the recipe, on a
machine busy with other work.

{table}

```
saboteur-env study bridges
```

`--only` runs some of the recipes, and `--timesteps` changes the steps of their pages.
"""
_COLUMNS = {
    "library": "{library}", "versions": "{versions}", "timesteps": "{timesteps}", "seconds": "{seconds:.0f}",
    "rounds": "{rounds:,.0f}",
    "learned": "{learned:.2f} [{learned_low:.2f}, {learned_high:.2f}]",
    "random": "{random:.2f} [{random_low:.2f}, {random_high:.2f}]",
    "gain": "{gain:+.2f} [{gain_low:+.2f}, {gain_high:+.2f}]",
}  # fmt: skip
