"""Plots of speed: compared with other libraries, by size of a batch, and part by part."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..common.plots import HATCHES, Plot, distinct, style
from ..common.statistics import Row
from .batch_scaling import WORKLOADS
from .comparison import FORMAT

OURS, OTHERS = "saboteur_env", "other libraries"


def speed_rows(path: Path) -> list[Row]:
    """The cases of a report that `saboteur-env bench --peers` wrote (speed.json), with the number of their laps.

    Raises: ValueError where the file is not such a report.
    """
    result: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    if result.get("format") != FORMAT:
        raise ValueError(f"{path} is no report of speed ({FORMAT}): write one with saboteur-env bench --peers")
    return [{**row, "laps": len(row["laps"]), "machine": result["machine"]} for row in result["rows"]]


def plot_rivals(rows: Sequence[Row], title: str) -> Plot:
    """Decisions a second of each case, the fastest above, on a scale of powers of ten.

    Points, as such a scale has no zero from which a bar could begin.
    """
    ordered = sorted(rows, key=lambda row: float(row["decisions_a_second"]))
    plot = Plot(9, 1.2 + 0.28 * len(ordered))
    (axes,) = plot.axes()
    for index, who in enumerate((OURS, OTHERS)):
        rows_of = [(y, row) for y, row in enumerate(ordered) if (row["library"] == OURS) == (who == OURS)]
        speeds = [row["decisions_a_second"] for _, row in rows_of]
        axes.plot(speeds, [y for y, _ in rows_of], label=who, **style(index) | {"linestyle": "none"})
        for (y, _), speed in zip(rows_of, speeds, strict=True):
            axes.text(speed * 1.25, y, f"{round(speed, -2):,.0f}", va="center", fontsize=8)
    axes.set_yticks(range(len(ordered)), [_name(row) for row in ordered], fontsize=8)
    axes.set(xscale="log", xlabel="decisions a second, one core", title=title)
    axes.set_xlim(right=axes.get_xlim()[1] * 4)
    axes.grid(axis="x", alpha=0.3)
    axes.legend(loc="lower right")
    plot.note(f"median of {min(row['laps'] for row in rows)} laps or more; {rows[0]['machine']}")
    return plot


def _name(row: Row) -> str:
    many = f", {row['games_at_once']:,} at once" if row["games_at_once"] > 1 else ""
    return f"{row['library']}: {row['game']}, {row['door']}{many}"


def plot_scaling(rows: Sequence[Row], title: str) -> Plot:
    """Decisions a second by games at once (rows of `scaling.measure`): a panel by what is shown, a line by threads."""
    plot, panels = Plot(13, 4), distinct(rows, "shown")
    for axes, shown in zip(plot.axes(1, len(panels), sharey=True), panels, strict=True):
        for index, threads in enumerate(distinct(rows, "threads")):
            current = [row for row in rows if (row["shown"], row["threads"]) == (shown, threads)]
            games, speed = ([row[name] for row in current] for name in ("games", "decisions_a_second"))
            axes.plot(games, speed, label=f"{threads} thread{'s' * (threads > 1)}", **style(index))
        axes.set(xscale="log", yscale="log", xlabel="games at once", title=shown)
        axes.grid(alpha=0.3)
    first = plot.figure.axes[0]
    first.set_ylabel("decisions a second")
    first.legend()
    plot.figure.suptitle(title)
    plot.note(f"median of {rows[0]['runs']} runs; {rows[0]['players']} players; {rows[0]['machine']}")
    return plot


def cost_rows(rows: Sequence[Row]) -> list[Row]:
    """The cost that each part adds to a decision on one thread, in nanoseconds, for each size of the batch.

    Of the fastest runs, as differences of small numbers would else be those of what other programs took.
    """
    result = []
    for games in distinct(rows, "games"):
        before = 0.0
        for shown in WORKLOADS:
            (row,) = (row for row in rows if (row["shown"], row["games"], row["threads"]) == (shown, games, 1))
            whole = 1e9 / row["fastest"]
            part = {"games": games, "part": shown, "nanoseconds": whole - before}
            result.append({**part, "runs": row["runs"], "machine": row["machine"]})
            before = whole
    return result


def plot_costs(rows: Sequence[Row], title: str) -> Plot:
    """The cost that each part adds to a decision, as stacked bars (rows of `cost_rows`)."""
    plot, games = Plot(8, 4), distinct(rows, "games")
    (axes,) = plot.axes()
    below = np.zeros(len(games))
    for index, part in enumerate(distinct(rows, "part")):
        height = np.array([row["nanoseconds"] for row in rows if row["part"] == part])
        look = {"color": style(index)["color"], "edgecolor": "black", "hatch": HATCHES[index]}
        axes.bar([f"{count:,}" for count in games], height, bottom=below, label=part, **look)
        below += height
    axes.set(xlabel="games at once", ylabel="nanoseconds a decision, one thread", title=title)
    axes.grid(axis="y", alpha=0.3)
    axes.legend()
    plot.note(f"fastest of {rows[0]['runs']} runs; {rows[0]['machine']}")
    return plot
