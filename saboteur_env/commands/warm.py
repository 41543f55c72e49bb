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
    """Compile all kernels ahead, by two processes side by side.

    They are kept for this version of the library, so that no first call waits again.
    """
    from saboteur_env.experiments.speed.cold import DOORS, open_side_by_side

    console.print(doors_table("Compiled now", DOORS, open_side_by_side()))


def doors_table(title: str, names: Iterable[str], doors: Iterable[Opened]) -> Table:
    """The doors as a table, with a bar while they are opened."""
    rows, closed = [], list(names)
    with progress() as bar:
        task = bar.add_task(", ".join(closed), total=len(closed))
        for opened in doors:
            seconds = "an extra is missing" if isnan(opened.seconds) else f"{opened.seconds:.1f}"
            rows.append((opened.door, seconds, str(opened.kernels)))
            closed.remove(opened.door)
            bar.update(task, description=", ".join(closed), advance=1)
    return plain_table(title, ("door", "seconds", "kernels compiled"), rows)
