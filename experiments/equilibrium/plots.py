"""Exploitability against iterations and seconds, for every solver and mine."""

from __future__ import annotations

from collections.abc import Sequence

from ..common.plots import Plot, distinct, style
from ..common.statistics import Row


def plot_curves(rows: Sequence[Row]) -> Plot:
    """NashConv of each solver, a line of axes for each mine: by iterations on the left, by seconds on the right."""
    mines, solvers = distinct(rows, "mine"), distinct(rows, "name")
    plot = Plot(9, 3.2 * len(mines))
    axes = plot.axes(len(mines), 2, sharey="row")
    for line, mine in enumerate(mines):
        for column, x in enumerate(("iterations", "seconds")):
            here = axes[2 * line + column]
            for number, solver in enumerate(solvers):
                points = [row for row in rows if (row["mine"], row["name"]) == (mine, solver)]
                values = [row["nash_conv"] for row in points]
                here.plot([row[x] for row in points], values, label=solver, **style(number))
            here.set(xscale="log", yscale="log", xlabel=x, title=mine)
            here.grid(alpha=0.3)
        axes[2 * line].set_ylabel("NashConv")
    axes[0].legend(fontsize=8)
    return plot
