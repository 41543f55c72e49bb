"""`saboteur-env warm`: compile ahead."""

from __future__ import annotations

from collections.abc import Iterable
from math import isnan
from typing import TYPE_CHECKING

from rich.table import Table

from ..terminal import console, plain_table, progress

if TYPE_CHECKING:
    from saboteur_env.experiments.speed.cold import Opened


def warm() -> None:
    """Compile all kernels ahead. They are kept for this version of the library, so that no first call waits again."""
    from saboteur_env.experiments.speed.cold import open_doors

    console.print(doors_table("Compiled now", open_doors()))


def doors_table(title: str, doors: Iterable[Opened]) -> Table:
    """The doors as a table, with a bar while they are opened."""
    from saboteur_env.experiments.speed.cold import DOORS

    rows = []
    with progress() as bar:
        task = bar.add_task(next(iter(DOORS)), total=len(DOORS))
        for opened, following in zip(doors, [*list(DOORS)[1:], ""], strict=False):
            seconds = "an extra is missing" if isnan(opened.seconds) else f"{opened.seconds:.1f}"
            rows.append((opened.door, seconds, str(opened.kernels)))
            bar.update(task, description=following, advance=1)
    return plain_table(title, ("door", "seconds", "kernels compiled"), rows)
