"""Plots of win rates, and of what they depend on, by number of players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..common.plots import Plot, apart, distinct, draw_estimates, draw_square, style
from ..common.statistics import Row

TEAMS = ("miners", "saboteurs")


def plot_win_rates(rows: Sequence[Row], title: str) -> Plot:
    """The share of rounds won by either side, with 95 % intervals (rows of `analysis.win_rate_rows`)."""
    plot, whole = Plot(), _whole(rows)
    (axes,) = plot.axes()
    for index, side in enumerate(TEAMS):
        draw_estimates(axes, _of_side(whole, side), "players", "won", apart(index, 2, 0.24), index, label=side)
    _by_players(axes, whole, "rounds won, % (95 % interval)")
    axes.set(ylim=(0, 100), title=title)
    plot.note(f"{_least(whole)} rounds or more a count")
    return plot


def plot_by_saboteurs(rows: Sequence[Row], title: str) -> Plot:
    """The share of rounds won by the miners, a series for each number of saboteurs that were really at the table."""
    plot, parts = Plot(8, 4), [row for row in rows if row["saboteurs"] != "all"]
    (axes,) = plot.axes()
    numbers = sorted(distinct(parts, "saboteurs"))
    for index, number in enumerate(numbers):
        current = _of_side([row for row in parts if row["saboteurs"] == number], "miners")
        label = "1 saboteur" if number == "1" else f"{number} saboteurs"
        draw_estimates(axes, current, "players", "won", apart(index, len(numbers)), index, label=label)
    _by_players(axes, parts, "rounds won by the miners, % (95 % interval)")
    axes.set(ylim=(-2, 104), title=title)
    plot.note(f"{_least(parts)} rounds or more a mark")
    return plot


def plot_nuggets(rows: Sequence[Row], title: str) -> Plot:
    """Nuggets that one dwarf of a role earns in a round, against the share of rounds that its side wins."""
    plot, whole = Plot(7, 4.5), _whole(rows)
    (axes,) = plot.axes()
    for index, side in enumerate(TEAMS):
        won = [100 * row[f"{side}_won"] for row in whole]
        earned = [row[f"nuggets_a_{side[:-1]}"] for row in whole]
        axes.plot(won, earned, label=f"a {side[:-1]}", **style(index) | {"linestyle": "none", "markersize": 9})
        for row, x, y in zip(whole, won, earned, strict=True):
            axes.annotate(str(row["players"]), (x, y), xytext=(7, -3), textcoords="offset points", fontsize=9)
    axes.set(xlabel="rounds won by its side, %", ylabel="nuggets a round", title=title)
    axes.grid(alpha=0.3)
    axes.legend(title="numbers at the marks: players")
    plot.note(f"{_least(whole)} rounds or more a mark")
    return plot


def plot_turns(rows: Sequence[Row], title: str) -> Plot:
    """Turns until the treasure was found: boxes of quartiles with the median, whiskers from 5 to 95 %."""
    plot = Plot()
    (axes,) = plot.axes()
    names = {"whislo": "p5", "q1": "p25", "med": "p50", "q3": "p75", "whishi": "p95"}
    boxes = [{name: row[percentile] for name, percentile in names.items()} for row in rows]
    axes.bxp(boxes, positions=distinct(rows, "players"), showfliers=False, medianprops={"color": "black"})
    _by_players(axes, rows, "turns to the treasure (5, 25, 50, 75, 95 %)")
    axes.set(ylim=(0, None), title=title)
    plot.note(f"{min(row['rounds'] for row in rows):,} rounds or more a box")
    return plot


def plot_editions(rows: Sequence[Row], title: str) -> Plot:
    """The share of rounds won by the miners, by edition and number of players."""
    whole = _whole(rows)
    editions, players = distinct(whole, "edition"), distinct(whole, "players")
    plot = Plot(8, 3.6)
    (axes,) = plot.axes()
    shares = np.array([100 * row["miners_won"] for row in whole]).reshape(len(editions), len(players))
    image = draw_square(axes, shares, editions, players)
    axes.set(xlabel="players", ylabel="edition", title=title)
    plot.figure.colorbar(image, label="rounds won by the miners, %")
    plot.note(f"{_least(whole)} rounds or more a cell")
    return plot


def plot_first_seat(rows: Sequence[Row], title: str) -> Plot:
    """What it changes who begins (rows of `first_seat.first_seat_rows`)."""
    plot = Plot(11, 4)
    quantities = (
        ("gain", 100, "A miner begins, not a saboteur: gain of the miners", "points of rounds won"),
        ("nuggets", 1, "Oneself begins, not another: own gain", "nuggets a round"),
    )
    for axes, (name, scale, panel, unit) in zip(plot.axes(1, 2), quantities, strict=True):
        draw_estimates(axes, rows, "players", name, 0, 0, scale=scale)
        axes.axhline(0, color="black", linewidth=1)
        axes.set_title(panel)
        _by_players(axes, rows, f"{unit} (95 % interval)")
    plot.figure.suptitle(title)
    plot.note(f"{min(row['deals'] for row in rows):,} deals or more a mark, each begun by every seat")
    return plot


def _whole(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row["saboteurs"] == "all"]


def _of_side(rows: Sequence[Row], side: str) -> list[Row]:
    # Estimates under one name, whichever side they are of.
    names = {"won": f"{side}_won", "won_low": f"{side}_low", "won_high": f"{side}_high"}
    return [{"players": row["players"], **{name: row[of] for name, of in names.items()}} for row in rows]


def _least(rows: Sequence[Row]) -> str:
    return f"{min(row['rounds'] for row in rows):,}"


def _by_players(axes: Any, rows: Sequence[Row], label: str) -> None:
    axes.set(xlabel="players", ylabel=label, xticks=distinct(rows, "players"))
    axes.grid(axis="y", alpha=0.3)
    if axes.get_legend_handles_labels()[0]:
        axes.legend()


def plot_talk(rows: Sequence[Row], rates: Mapping[str, str], worth: Mapping[str, str]) -> Plot:
    """Rounds won by the miners with and without words, and what maps and words change (rows of `talk.talk_rows`).

    Args:
        rates, worth: the columns of the left and of the right axes, with their labels.
    """
    plot = Plot(11, 4.2)
    for axes, series in zip(plot.axes(1, 2), (rates, worth), strict=True):
        for index, (name, label) in enumerate(series.items()):
            draw_estimates(axes, rows, "players", name, apart(index, len(series)), index, label=label)
        axes.set(xlabel="players", xticks=distinct(rows, "players"))
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8)
    rated, changed = plot.figure.axes
    rated.set_ylabel("rounds won by the miners, % (95 % interval)")
    changed.set_ylabel("difference on the same deals, points")
    changed.axhline(0, color="black", linewidth=0.8)
    plot.note(f"{min(row['deals'] for row in rows):,} deals a count")
    return plot
