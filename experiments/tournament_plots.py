"""Plots of a tournament, to be told apart without colours too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .analysis import Row
from .report import write_atomically

MARKERS = "os^DvPX"
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")  # Okabe and Ito's, for all eyes


def plot_estimates(path: Path, rows: list[Row], name: str, panel: str, title: str) -> Path:
    """A quantity of each agent by number of players, with 95 % intervals; a panel for each side or role (PNG)."""
    figure = _figure(10, 4)
    panels, agents, players = (_distinct(rows, key) for key in (panel, "agent", "players"))
    for axes, kind in zip(figure.subplots(1, len(panels), sharey=True, squeeze=False)[0], panels, strict=True):
        for place, agent in enumerate(agents):
            shift = 0.5 * ((place + 0.5) / len(agents) - 0.5)
            _errorbar(axes, [row for row in rows if (row[panel], row["agent"]) == (kind, agent)], name, shift, place)
        axes.set(title=kind, xlabel="players", xticks=players)
        axes.grid(axis="y", alpha=0.3)
    unit = "rounds won, %" if name == "won" else "gain in rounds won, points"
    figure.axes[0].set_ylabel(f"{unit} (95 % interval)")
    figure.axes[0].legend()
    figure.suptitle(f"{title}; {min(row['deals'] for row in rows):,} deals or more a count")
    return write_atomically(path, lambda file: figure.savefig(file, dpi=150))


def _errorbar(axes: Any, rows: list[Row], name: str, shift: float, place: int) -> None:
    value, low, high = (100 * np.array([row[key] for row in rows]) for key in (name, f"{name}_low", f"{name}_high"))
    style = {"color": COLORS[place % len(COLORS)], "marker": MARKERS[place % len(MARKERS)], "linestyle": ":"}
    where = [row["players"] + shift for row in rows]
    axes.errorbar(where, value, yerr=[value - low, high - value], capsize=3, label=rows[0]["agent"], **style)


def plot_crossplay(path: Path, rows: list[Row], title: str) -> Path:
    """Who beats whom: a square of shares for each number of players (PNG)."""
    counts, agents = _distinct(rows, "players"), _distinct(rows, "miners")
    wide, high = min(len(counts), 4), -(-len(counts) // 4)
    side = 1.8 + 0.7 * len(agents)
    figure = _figure(wide * side + 1, high * side + 0.7)
    squares = figure.subplots(high, wide, squeeze=False).flat
    for players in counts:
        shares = [100 * row["won"] for row in rows if row["players"] == players]
        image = _square(next(squares), np.reshape(shares, (len(agents), -1)), agents, f"{players} players")
    for empty in squares:
        empty.set_axis_off()
    figure.colorbar(image, ax=figure.axes, label="rounds won by the miners, %", shrink=0.8)
    figure.suptitle(f"{title}; {rows[0]['deals']:,} deals a count")
    return write_atomically(path, lambda file: figure.savefig(file, dpi=150))


def _square(axes: Any, shares: Any, agents: list[str], title: str) -> Any:
    image = axes.imshow(shares, vmin=0, vmax=100, cmap="cividis")
    for (row, column), share in np.ndenumerate(shares):
        color = "black" if share > 50 else "white"
        axes.text(column, row, f"{share:.0f}", ha="center", va="center", color=color)
    axes.set(title=title, ylabel="miners", xlabel="saboteurs")
    axes.set_xticks(range(len(agents)), agents, rotation=45, ha="right")
    axes.set_yticks(range(len(agents)), agents)
    return image


def _figure(width: float, height: float) -> Any:
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _distinct(rows: list[Row], name: str) -> list[Any]:
    return list(dict.fromkeys(row[name] for row in rows))
