"""Plots of a tournament, to be told apart without colours too."""

from __future__ import annotations

import numpy as np

from .analysis import Row
from .plots import Plot, apart, called, distinct, draw_estimates, draw_square, style


def plot_estimates(rows: list[Row], name: str, panel: str, title: str) -> Plot:
    """A quantity of each agent by number of players, with 95 % intervals; a panel for each side or role."""
    plot = Plot(11, 4)
    panels, agents, players = (distinct(rows, key) for key in (panel, "agent", "players"))
    for axes, kind in zip(plot.axes(1, len(panels), sharey=True), panels, strict=True):
        for place, agent in enumerate(agents):
            these = [row for row in rows if (row[panel], row["agent"]) == (kind, agent)]
            draw_estimates(axes, these, "players", name, apart(place, len(agents)), place, label=called(agent))
        axes.set(title=kind, xlabel="players", xticks=players)
        axes.grid(axis="y", alpha=0.3)
    first = plot.figure.axes[0]
    unit = "rounds won, %" if name == "won" else "gain in rounds won, points"
    first.set_ylabel(f"{unit} (95 % interval)")
    plot.figure.legend(*first.get_legend_handles_labels(), loc="outside right upper")
    plot.figure.suptitle(title)
    plot.note(f"{min(row['deals'] for row in rows):,} deals or more a count")
    return plot


def plot_ratings(rows: list[Row], title: str) -> Plot:
    """Ratings with two standard deviations to either side (rows of `ratings.rating_rows`)."""
    agents = distinct(rows, "agent")
    plot = Plot(8, 1.6 + 0.4 * len(agents))
    (axes,) = plot.axes()
    for place, side in enumerate(distinct(rows, "side")):
        these = [row for row in rows if row["side"] == side]
        where = [agents.index(row["agent"]) + apart(place, 2, 0.3) for row in these]
        spread = [2 * row["uncertainty"] for row in these]
        look = style(place) | {"linestyle": "none", "capsize": 3, "label": f"as the {side}"}
        axes.errorbar([row["rating"] for row in these], where, xerr=spread, **look)
    axes.set_yticks(range(len(agents)), list(map(called, agents)))
    axes.set(xlabel="rating (± 2 standard deviations)", ylim=(len(agents) - 0.5, -0.5), title=title)
    axes.grid(alpha=0.3)
    axes.legend()
    plot.note(f"{min(row['rounds'] for row in rows):,} rounds or more each")
    return plot


def plot_crossplay(rows: list[Row], title: str) -> Plot:
    """Who beats whom: a square of shares for each number of players."""
    counts, agents = distinct(rows, "players"), distinct(rows, "miners")
    wide, high = min(len(counts), 4), -(-len(counts) // 4)
    names = list(map(called, agents))
    side = 1 + 0.45 * len(agents) + 0.09 * max(map(len, names))
    plot = Plot(wide * side + 1, high * side + 0.7)
    squares = iter(plot.axes(high, wide))
    for players in counts:
        axes = next(squares)
        shares = np.array([100 * row["won"] for row in rows if row["players"] == players])
        image = draw_square(axes, shares.reshape(len(agents), -1), names, names)
        axes.set(title=f"{players} players", ylabel="miners", xlabel="saboteurs", aspect="equal")
    for empty in squares:
        empty.set_axis_off()
    plot.figure.colorbar(image, ax=plot.figure.axes, label="rounds won by the miners, %", shrink=0.8)
    plot.figure.suptitle(title)
    plot.note(f"{rows[0]['deals']:,} deals a count")
    return plot
