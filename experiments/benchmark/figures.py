"""The figures of a row: what was measured as means, with 95 % intervals where deals were drawn."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..beliefs.calibration import MOST_LOSS, log_losses, scores
from ..common.statistics import Row, bootstrap
from .tasks import CROSS_PLAY, EXACT, ROLE_INFERENCE, TASKS

FIGURE_CELL = ("task", "players", "role", "seats")
LOST = "self-play minus cross-play"
SUMMARY_FIGURES = {CROSS_PLAY: ("self-play", LOST)}  # by kind of task: the share of rounds won, and the difference
GAIN = "gain"


def figure_rows(measured: Sequence[Row]) -> list[Row]:
    """A row for each figure: its cell, `version`, `figure`, `deals`, `value`, `low` and `high`.

    Where a task has several numbers of players, a row for `all` of them stands before theirs: each deal counts alike.
    An exact figure has no interval.

    Args:
        measured: rows as of `measures.measure`.
    """
    return [
        dict(zip(FIGURE_CELL, cell, strict=True)) | {"version": TASKS[cell[0]].version} | row
        for cell, rows in _cells(measured)
        for row in _figures(TASKS[cell[0]].kind, rows)
    ]


def _cells(measured: Sequence[Row]) -> Iterator[tuple[tuple[Any, ...], list[Row]]]:
    def cell(row: Row) -> tuple[Any, ...]:
        return tuple(row[name] for name in FIGURE_CELL)

    for (task, role, seats), rows in _grouped(measured, lambda row: (row["task"], row["role"], row["seats"])):
        if len(TASKS[task].players) > 1:
            yield (task, "all", role, seats), rows
        yield from _grouped(rows, cell)


def _grouped(rows: Sequence[Row], key: Any) -> list[tuple[Any, list[Row]]]:
    groups: dict[Any, list[Row]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return list(groups.items())


def _figures(kind: str, rows: list[Row]) -> Iterator[Row]:
    if kind == EXACT:
        for row in rows:
            yield _exactly(row["measure"], None, row["value"])
    elif kind == ROLE_INFERENCE:
        for third, beliefs in _grouped(rows, lambda row: row["measure"]):
            yield from _inferred(third, beliefs)
    else:
        won, beside = (np.array([row[name] for row in rows], np.float64) for name in ("value", "beside"))
        yield from _estimates(SUMMARY_FIGURES.get(kind, ("won", GAIN)), np.stack([won, won - beside], 1), (0, -1), 1)


def _inferred(third: str, beliefs: list[Row]) -> Iterator[Row]:
    said, prior, true = (np.array([row[name] for row in beliefs]) for name in ("value", "beside", "truth"))
    losses = np.stack([log_losses(said, true), log_losses(prior, true)], 1)
    _, deal = np.unique([row["deal"] for row in beliefs], return_inverse=True)
    means = np.stack([np.bincount(deal, column) / np.bincount(deal) for column in losses.T], 1)
    names = (f"log loss, {third} third", f"log loss of the prior, {third} third")
    yield from _estimates(names, means, (0, 0), MOST_LOSS)
    error = scores(said, true)["ece"]
    yield _exactly(f"calibration error, {third} third", len(means), error)


def _exactly(name: str, deals: int | None, value: float) -> Row:
    return {"figure": name, "deals": deals, "value": value, "low": None, "high": None}


def _estimates(
    names: Sequence[str], values: npt.NDArray[np.float64], least: tuple[float, ...], most: float
) -> Iterator[Row]:
    deals = int((~np.isnan(values[:, 0])).sum())
    for name, estimate in zip(names, bootstrap(values, least, most=most).tolist(), strict=True):
        value, low, high = (None if math.isnan(number) else number for number in estimate)
        yield {"figure": name, "deals": deals, "value": value, "low": low, "high": high}
