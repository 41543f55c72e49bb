"""The page of all rows: for each task a table with a line for each agent."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from saboteur_env.engine.cards import ROLES

from ..common.page import markdown_table, percent
from ..common.statistics import Row
from .figures import GAIN, LOST
from .tasks import CROSS_PLAY, EXACT, ONE_SEAT, ROLE_INFERENCE, STRENGTH, TASKS, TEAM

Filled = Callable[[Row], str]


def page(figures: Sequence[Row], exploited: Path) -> str:
    """The tables in Markdown.

    Args:
        figures: of all rows (figures.py), each with its `agent`; those of other versions of a task are left out.
        exploited: the table of exploit-tables, which may be missing.
    """
    shown = [row for row in figures if row["task"] in TASKS and row["version"] == TASKS[row["task"]].version]
    parts = [_part(name, [row for row in shown if row["task"] == name]) for name in TASKS]
    agents = [*dict.fromkeys(row["agent"] for row in shown)]
    return "\n\n".join([_HEAD, *filter(None, parts), *_exploited(exploited, agents), _FOOT]) + "\n"


def _part(name: str, rows: list[Row]) -> str:
    if not rows:
        return ""
    tables = {STRENGTH: _strength, CROSS_PLAY: _cross_play, ROLE_INFERENCE: _inference, EXACT: _exact}
    task = TASKS[name]
    counts = ", ".join(map(str, task.players))
    said = _SAID[task.kind].format(players=counts, family=", ".join(f"`{met}`" for met in task.family), mine=task.mine)
    return f"## {name[0].upper()}{name[1:]}, version {task.version}\n\n{said}\n\n{tables[task.kind](rows)}"


def _strength(rows: list[Row]) -> str:
    counts = [*dict.fromkeys(row["players"] for row in rows)]
    gains = [row for row in rows if row["figure"] == GAIN]
    heads = [(seats, role) for seats in (TEAM, ONE_SEAT) for role in ROLES]
    tables = [
        _table(
            [row for row in gains if row["players"] == count],
            f"agent, {count} players",
            {f"{role}, {seats}": (role, seats) for seats, role in heads},
            lambda row: (row["role"], row["seats"]),
            _points,
        )
        for count in counts
    ]
    return "\n\n".join(tables)


def _cross_play(rows: list[Row]) -> str:
    lost = [row for row in rows if row["figure"] == LOST]
    return _table(lost, "agent", {f"{role}, one seat": role for role in ROLES}, lambda row: row["role"], _points)


def _inference(rows: list[Row]) -> str:
    heads = {row["figure"]: row["figure"] for row in rows if "prior" not in row["figure"]}
    agents = [row for row in rows if "prior" not in row["figure"]]
    prior = [
        row | {"agent": "prior of the rules", "figure": row["figure"].replace(" of the prior", "")}
        for row in rows
        if "prior" in row["figure"] and row["agent"] == rows[0]["agent"]
    ]
    return _table([*agents, *prior], "agent", heads, lambda row: row["figure"], _number)


def _exact(rows: list[Row]) -> str:
    return _table(rows, "agent", {row["figure"]: row["figure"] for row in rows}, lambda row: row["figure"], _number)


def _table(
    rows: Iterable[Row], first: str, heads: dict[str, object], cell: Callable[[Row], object], fill: Filled
) -> str:
    filled: dict[str, dict[Any, str]] = {}
    for row in rows:
        filled.setdefault(row["agent"], {})[cell(row)] = fill(row)
    lines = ([f"`{agent}`", *(cells.get(key, "–") for key in heads.values())] for agent, cells in filled.items())
    return markdown_table([first, *heads], lines)


def _points(row: Row) -> str:
    return percent(row["value"], row["low"], row["high"], "+")


def _number(row: Row) -> str:
    return f"{row['value']:.3f}" + (f" [{row['low']:.3f}, {row['high']:.3f}]" if row["low"] is not None else "")


def _exploited(path: Path, agents: Sequence[str]) -> list[str]:
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["agent"] in agents]
    lines = [
        [f"`{row['agent']}`", row["players"], row["role"], row["method"], row["budget"], _gain(row)] for row in rows
    ]
    heads = ("agent", "players", "who answers", "method", "budget", "gain, points")
    return [f"{_EXPLOITED}\n\n{markdown_table(heads, lines)}"] if lines else []


def _gain(row: Row) -> str:
    return percent(float(row["gain"]), float(row["low"]), float(row["high"]), "+")


_HEAD = """# The benchmark

Frozen tasks with versions, a line for each agent. Intervals are 95 %, from deals drawn again (bootstrap). What each
task asks is in docs/benchmark.md. An agent without `beliefs` or `probabilities` is missing where they are asked for."""

_SAID = {
    STRENGTH: """Players: {players}. Met in turn: {family}.

How many points more rounds the side of the agent wins than `scripted` does in its place, on the same deals. `team`: the
agent has all seats of the role. `one seat`: it has one of them, and the met agent all others.""",
    CROSS_PLAY: """Players: {players}, against {family}.

Self-play minus cross-play, in points: how many more rounds a side of one training seed wins than with another training
seed in one of its seats.""",
    ROLE_INFERENCE: """Players: {players}. Rounds among {family}.

Before each move the agent, in the place of the seat that is to move, says how likely each other seat is a saboteur. Log
loss in nats, the mean over rounds; calibration error over ten bins.""",
    EXACT: """The small mine {mine}, by full enumeration: the sum over seats of what each could gain alone (payoffs 1
and -1), and how often the miners win against the best saboteur.""",
}
_EXPLOITED = """## Exploitability on the full game, approximate

What a best response gains that was searched for with the budget named: lower bounds (docs/exploitability.md)."""
_FOOT = """```
saboteur-env study benchmark --agent NAME
```"""
