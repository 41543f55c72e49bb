"""Speed compared with other libraries. All installed libraries play in turn, in one run, on one core.

Run as ``saboteur-env bench --peers``; docs/speed.md is a page it wrote.
"""

from __future__ import annotations

import json
import platform
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from math import floor, log10
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from ..common.machine import machine
from ..common.page import markdown_table
from ..common.report import write_text
from .cases import STATE_ONLY, WITH_OBSERVATIONS
from .interleaved import Comparison, Timing

FORMAT = "saboteur-speed/1"
YARDSTICK = "batch"  # the key of the row that the others of a view are measured by
COMPARED_PACKAGES = ("saboteur-env", "numpy", "numba", "pettingzoo", "open-spiel", "rlcard", "pgx", "jax", "envpool")

# The headline ratios: one case by another, as keys and view.
HEADLINES = (
    (YARDSTICK, "kernel", STATE_ONLY),
    ("batch of 4,096", "kernel", STATE_ONLY),
    ("batch actions", "kernel", STATE_ONLY),
    (YARDSTICK, "OpenSpiel hanabi NumPy", WITH_OBSERVATIONS),
    (YARDSTICK, "OpenSpiel hanabi lists", WITH_OBSERVATIONS),
    (YARDSTICK, "Pgx hex", WITH_OBSERVATIONS),
    (YARDSTICK, "Pgx hex categorical", WITH_OBSERVATIONS),
    ("aec", "PettingZoo connect_four_v3", WITH_OBSERVATIONS),
)

HEADLINE_HEADS = ("saboteur_env", "beside", "with", "ours, decisions/s", "theirs", "ours / theirs")
ROW_HEADS = ("played", "at once", "decisions/s", "CPU s/million", "ours / this", "counted")

Report = dict[str, Any]


class Section(NamedTuple):
    """A table of a report: on the screen and in Markdown alike."""

    title: str
    heads: tuple[str, ...]
    rows: list[tuple[str, ...]]


def report(result: Comparison) -> Report:
    """All measurements, in the form of the JSON file."""
    runners = {(timing.contestant.key, timing.contestant.view): timing for timing in result.runners}
    samples = [sample for timing in result.runners for sample in timing.laps]
    return {
        "format": FORMAT,
        "unit": "one decision of one player",
        "machine": machine(),
        "core": result.core,
        "share_of_core": sum(sample.cpu for sample in samples) / sum(sample.seconds for sample in samples)
        if samples
        else None,
        "versions": {"python": platform.python_version(), **_versions()},
        "laps": min((len(timing.laps) for timing in result.runners), default=0),
        "seconds_a_lap": result.seconds / result.runs,
        "headlines": [
            _headline(runners[ours, view], runners[theirs, view])
            for ours, theirs, view in HEADLINES
            if {(ours, view), (theirs, view)} <= runners.keys()
        ],
        "rows": [_row(timing, runners.get((YARDSTICK, timing.contestant.view))) for timing in result.runners],
        "missing": [
            {"library": item.contestant.library, "name": item.contestant.name, "reason": item.reason}
            for item in result.missing
        ],
    }


def _versions() -> dict[str, str]:
    result = {}
    for name in COMPARED_PACKAGES:
        try:
            result[name] = version(name)
        except PackageNotFoundError:
            continue
    return result


def ratio(ours: Timing, theirs: Timing) -> float:
    """The ratio of speeds by CPU time: the median over the laps run in the same turn."""
    return median(other.cost / one.cost for one, other in zip(ours.laps, theirs.laps, strict=False))


def _headline(ours: Timing, theirs: Timing) -> Report:
    size = f", {ours.size:,} games at once" if ours.size > 1 else ""
    return {
        "ours": ours.contestant.door + size,
        "theirs": theirs.contestant.title,
        "view": ours.contestant.view,
        "ours_a_second": _speed(ours),
        "theirs_a_second": _speed(theirs),
        "ratio": ratio(ours, theirs),
    }


def _speed(timing: Timing) -> float:
    return median(sample.speed for sample in timing.laps)


def _row(timing: Timing, yardstick: Timing | None) -> Report:
    item, samples = timing.contestant, timing.laps
    return {
        "library": item.library,
        "game": item.game,
        "door": item.door,
        "view": item.view,
        "games_at_once": timing.size,
        "decisions_a_second": _speed(timing),
        "cpu_seconds_a_million": median(sample.cost for sample in samples),
        "ours_by_this": ratio(yardstick, timing) if yardstick else None,
        "counted": item.counted,
        "laps": [asdict(sample) for sample in samples],
    }


def sections(result: Report) -> list[Section]:
    """A report as tables; those without rows are left out."""
    lines = [_headline_cells(item) for item in result["headlines"]]
    tables = [
        Section(view.capitalize(), ROW_HEADS, [_cells(row) for row in result["rows"] if row["view"] == view])
        for view in (STATE_ONLY, WITH_OBSERVATIONS)
    ]
    absent = Section("Not measured", ("library", "reason", "what"), _absent(result["missing"]))
    how = Section("How it was measured", ("", ""), list(_facts(result).items()))
    return [section for section in (Section("In short", HEADLINE_HEADS, lines), *tables, absent, how) if section.rows]


def _headline_cells(item: Report) -> tuple[str, ...]:
    speeds = (_three(item[name]) for name in ("ours_a_second", "theirs_a_second", "ratio"))
    return item["ours"], item["theirs"], item["view"], *speeds


def _cells(row: Report) -> tuple[str, ...]:
    played = f"{row['library']}: {row['game']}, {row['door']}"
    numbers = (_three(row[name]) for name in ("decisions_a_second", "cpu_seconds_a_million", "ours_by_this"))
    return played, f"{row['games_at_once']:,}", *numbers, row["counted"]


def _three(number: float | None) -> str:
    # Three digits that count.
    if not number:
        return "–"
    indices = 2 - floor(log10(number))
    return f"{round(number, indices):,.{max(indices, 0)}f}"


def _absent(missing: list[dict[str, str]]) -> list[tuple[str, ...]]:
    names: dict[tuple[str, str], list[str]] = {}
    for item in missing:
        names.setdefault((item["library"], item["reason"]), []).append(item["name"])
    return [(library, reason, "; ".join(selected)) for (library, reason), selected in names.items()]


def _facts(result: Report) -> dict[str, str]:
    share = "–" if result["share_of_core"] is None else f"{result['share_of_core']:.0%}"
    return {
        "unit": f"{result['unit']}, random among the legal ones; chance and new episodes take time but do not count",
        "laps": f"{result['laps']} of {result['seconds_a_lap']:.2g} s for each, in turn; the figures are medians",
        "games at once": "the number with the least CPU time among a few, if there is a choice",
        "ratios": "ratios of CPU time, lap by lap; ours is make_vec with the same view",
        "core": f"{result['core']}; {share} of its time was available (if this is far below 100 %, other programs ran "
        "on it: trust the CPU seconds more than the speeds)",
        "machine": result["machine"],
        "versions": ", ".join(f"{name} {number}" for name, number in result["versions"].items()),
    }


INTRODUCTION = """# Speed compared with other libraries

`saboteur-env bench --peers --out docs` writes this page, and `speed.json` with every lap. The extra `bench` installs
the other libraries. The page lists libraries that are not installed."""


def markdown(result: Report) -> str:
    """A report as a page of Markdown."""
    parts = [f"## {part.title}\n\n{markdown_table(part.heads, part.rows)}" for part in sections(result)]
    return "\n\n".join([INTRODUCTION, *parts]) + "\n"


def write(result: Report, folder: Path) -> list[Path]:
    """Write a report as `speed.md` and `speed.json`."""
    page, data = markdown(result), json.dumps(result, indent=1) + "\n"
    return [
        write_text(folder / "speed.md", page),
        write_text(folder / "speed.json", data),
    ]
