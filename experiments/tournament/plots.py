"""Plots of a tournament, readable without colours too."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..common.plots import POINT_STYLE, Plot, apart, called, distinct, draw_estimates, draw_square, estimates, style
from ..common.statistics import Row

FEW, ACROSS = 4, 4  # agents in one panel, and panels beside one another
BEHIND = {"color": "0.7", "markersize": 4, "capsize": 0, "zorder": 1}


def plot_estimates(rows: list[Row], name: str, panel: str, title: str) -> Plot:
    """A quantity of each agent by number of players, as points with 95 % intervals.

    A panel for each side or role; where many agents would cover one another, a panel for each agent.
    """
    agents, players = distinct(rows, "agent"), distinct(rows, "players")
    draw = _one_count if len(players) == 1 else _few_agents if len(agents) <= FEW else _many_agents
    plot = draw(rows, name, panel)
    plot.figure.suptitle(f"{title}, {players[0]} players" if len(players) == 1 else title)
    plot.note(f"{min(row['deals'] for row in rows):,} deals or more a count")
    return plot


def _one_count(rows: list[Row], name: str, panel: str) -> Plot:
    """A row for each agent."""
    panels, agents = distinct(rows, panel), distinct(rows, "agent")
    plot = Plot(11, 1.6 + 0.4 * len(agents))
    for axes, kind in zip(plot.axes(1, len(panels), sharey=True, sharex=True), panels, strict=True):
        current = [row for row in rows if row[panel] == kind]
        value, reach = estimates(current, name)
        axes.errorbar(value, [agents.index(row["agent"]) for row in current], xerr=reach, **style(0) | POINT_STYLE)
        _scale(axes, name, "x")
        axes.set(title=kind, xlabel=_unit(name))
    first = plot.figure.axes[0]
    first.set_yticks(range(len(agents)), list(map(called, agents)))
    first.set_ylim(len(agents) - 0.5, -0.5)
    return plot


def _few_agents(rows: list[Row], name: str, panel: str) -> Plot:
    """All agents side by side, in a panel for each side or role."""
    plot = Plot(11, 4)
    panels, agents, players = (distinct(rows, key) for key in (panel, "agent", "players"))
    for axes, kind in zip(plot.axes(1, len(panels), sharey=True), panels, strict=True):
        for index, agent in enumerate(agents):
            current = [row for row in rows if (row[panel], row["agent"]) == (kind, agent)]
            draw_estimates(axes, current, "players", name, apart(index, len(agents)), index, label=called(agent))
        _scale(axes, name, "y")
        axes.set(title=kind, xlabel="players", xticks=players)
    first = plot.figure.axes[0]
    first.set_ylabel(_unit(name))
    plot.figure.legend(*first.get_legend_handles_labels(), loc="outside right upper")
    return plot


def _many_agents(rows: list[Row], name: str, panel: str) -> Plot:
    """A panel for each agent, with the sides or roles in it, and the first agent in grey behind the others."""
    panels, agents, players = (distinct(rows, key) for key in (panel, "agent", "players"))
    lines = -(-len(agents) // ACROSS)
    plot = Plot(11, 0.8 + 2.5 * lines)
    squares = plot.axes(lines, ACROSS, sharex=True, sharey=True)
    for axes, agent in zip(squares, agents, strict=False):
        for index, kind in enumerate(panels):
            of = {
                item: [row for row in rows if (row[panel], row["agent"]) == (kind, item)] for item in (agents[0], agent)
            }
            shift = apart(index, len(panels), 0.3)
            if agent != agents[0]:
                draw_estimates(axes, of[agents[0]], "players", name, shift, index, **BEHIND)
            draw_estimates(axes, of[agent], "players", name, shift, index, label=kind, markersize=5, capsize=2)
        _scale(axes, name, "y")
        axes.set_title(called(agent), fontsize=10)
        axes.set(xlabel="players", xticks=players)
        axes.tick_params(labelbottom=True)
    for empty in squares[len(agents) :]:
        empty.set_axis_off()
    plot.figure.supylabel(_unit(name), fontsize=10)
    where: dict[str, Any] = {"loc": "center"} if len(agents) < len(squares) else {"loc": "outside right upper"}
    holder = squares[-1] if len(agents) < len(squares) else plot.figure
    holder.legend(*squares[0].get_legend_handles_labels(), title=f"grey: {called(agents[0])}", **where)
    return plot


def _scale(axes: Any, name: str, along: str) -> None:
    """Shares are seen whole, gains beside zero."""
    axes.grid(axis=along, alpha=0.3)
    if name == "won":
        axes.set(**{f"{along}lim": (-4, 104)})
    else:
        (axes.axhline if along == "y" else axes.axvline)(0, color="black", linewidth=1)


def _unit(name: str) -> str:
    return f"{'rounds won, %' if name == 'won' else 'gain in rounds won, points'} (95 % interval)"


def plot_ratings(rows: list[Row], title: str) -> Plot:
    """Ratings with two standard deviations to either side (rows of `ratings.rating_rows`)."""
    agents = distinct(rows, "agent")
    plot = Plot(8, 1.6 + 0.4 * len(agents))
    (axes,) = plot.axes()
    for index, side in enumerate(distinct(rows, "side")):
        current = [row for row in rows if row["side"] == side]
        where = [agents.index(row["agent"]) + apart(index, 2, 0.3) for row in current]
        spread = [2 * row["uncertainty"] for row in current]
        look = style(index) | POINT_STYLE | {"label": f"as the {side}"}
        axes.errorbar([row["rating"] for row in current], where, xerr=spread, **look)
    axes.set_yticks(range(len(agents)), list(map(called, agents)))
    axes.set(xlabel="rating (± 2 standard deviations)", ylim=(len(agents) - 0.5, -0.5), title=title)
    axes.grid(alpha=0.3)
    axes.legend()
    plot.note(f"{min(row['rounds'] for row in rows):,} rounds or more each")
    return plot


def plot_crossplay(rows: list[Row], title: str) -> Plot:
    """Results of each pair: a square of shares for each number of players."""
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
