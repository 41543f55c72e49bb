"""Exploitability against iterations and seconds, for every solver and mine."""

from __future__ import annotations

from collections.abc import Sequence

from ..common.plots import COLORS, Plot, distinct, style
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


def plot_agents(rows: Sequence[Row]) -> Plot:
    """How exploitable each agent is, an axes for each mine: NashConv as bars."""
    mines = distinct(rows, "mine")
    plot = Plot(3.2 * len(mines) + 1, 0.3 * len(distinct(rows, "name")) + 1)
    for axes, mine in zip(plot.axes(1, len(mines), sharey=True), mines, strict=True):
        here = [row for row in rows if row["mine"] == mine]
        bars = axes.barh([row["name"] for row in here], [row["nash_conv"] for row in here], color=COLORS[0])
        axes.bar_label(bars, fmt="%.3f", padding=2, fontsize=7)
        axes.set(title=mine, xlabel="NashConv")
        axes.margins(x=0.2)
    plot.figure.axes[0].invert_yaxis()  # of all: they share it
    return plot
