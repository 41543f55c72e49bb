"""Tables and pictures on disk. Every file is written whole or not at all."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from saboteur_env import __version__
from saboteur_env.engine.versions import VERSIONS
from saboteur_env.files import write_whole

from .analysis import Row


def write_atomically(path: Path, write: Callable[[Path], object]) -> Path:
    """Let `write` fill a file beside `path`, then put it in place in one step; its folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_whole(path, write)


def write_text(path: Path, text: str) -> Path:
    """Write a text as UTF-8."""
    return write_atomically(path, lambda file: file.write_text(text, encoding="utf-8"))


def write_csv(path: Path, rows: list[Row]) -> Path:
    """Rows as CSV, with the keys of the first as head."""
    text = io.StringIO()
    table = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return write_text(path, text.getvalue())


def has_report_extra() -> bool:
    """Whether the packages of the `report` extra are installed."""
    return not _missing()


def need_report_extra() -> None:
    """Raises: ValueError that names what is missing of the `report` extra."""
    if _missing():
        raise ValueError(f"{', '.join(_missing())} is not installed: pip install 'saboteur-env[report]'")


def _missing() -> list[str]:
    return [name for name in ("matplotlib", "openskill", "pyarrow") if not find_spec(name)]


def write_parquet(path: Path, rows: list[Row]) -> Path:
    """Rows as a Parquet table (extra `report`)."""
    import pyarrow

    kinds = {"seed": pyarrow.uint64()}
    columns = {name: pyarrow.array([row[name] for row in rows], kinds.get(name)) for name in rows[0]}
    data = parquet_of(pyarrow.table(columns))
    return write_atomically(path, lambda file: file.write_bytes(data))


def parquet_of(table: Any) -> bytes:
    """A pyarrow table as a Parquet file (extra `report`), the versions of the library in its metadata."""
    import pyarrow.parquet

    stamp = {name: str(version) for name, version in {"saboteur_env": __version__, **VERSIONS}.items()}
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(table.replace_schema_metadata(stamp), sink)
    return bytes(sink.getvalue())


def plot_win_rates(path: Path, rows: list[Row], title: str) -> Path:
    """Win rates by number of players with their intervals, as PNG (extra `report`)."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    whole = [row for row in rows if row["saboteurs"] == "all"]
    players = [row["players"] for row in whole]
    for side, color, marker, shift in (("miners", "#0072B2", "o", -0.06), ("saboteurs", "#D55E00", "s", 0.06)):
        share = [100 * row[f"{side}_won"] for row in whole]
        low = [100 * (row[f"{side}_won"] - row[f"{side}_low"]) for row in whole]
        high = [100 * (row[f"{side}_high"] - row[f"{side}_won"]) for row in whole]
        places = [count + shift for count in players]
        axes.errorbar(places, share, yerr=[low, high], color=color, marker=marker, capsize=3, label=side)
    axes.set(xlabel="players", ylabel="rounds won, % (95 % interval)", ylim=(0, 100), xticks=players, title=title)
    axes.grid(axis="y", alpha=0.3)
    axes.legend()
    sample = f"{min(row['rounds'] for row in whole):,} rounds or more a count"
    figure.text(0.99, 0.01, sample, ha="right", fontsize=8)
    return write_atomically(path, lambda file: figure.savefig(file, dpi=150))
