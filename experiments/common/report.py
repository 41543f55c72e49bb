"""Tables and pictures on disk. Every file is written whole or not at all."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from saboteur_env import __version__
from saboteur_env.core.extras import MissingExtra, extra, missing_extra
from saboteur_env.core.files import write_whole
from saboteur_env.core.versions import VERSIONS

from .statistics import Row


def write_atomically(path: Path, write: Callable[[Path], object]) -> Path:
    """Let `write` fill a file next to `path`, then move it into place atomically; its folder is made."""
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


def report_extra_missing() -> MissingExtra | None:
    """An error that names what is missing of the `report` extra; None where nothing is."""
    return missing_extra(", ".join(_missing()), "report") if _missing() else None


def need_report_extra() -> None:
    """Raises: MissingExtra that names what is missing of the `report` extra."""
    if missing := report_extra_missing():
        raise missing


def _missing() -> list[str]:
    return [name for name in ("matplotlib", "openskill", "pyarrow") if not find_spec(name)]


def write_parquet(path: Path, rows: list[Row]) -> Path:
    """Rows as a Parquet table (extra `report`)."""
    with extra("report"):
        import pyarrow

    kinds = {"seed": pyarrow.uint64()}
    columns = {name: pyarrow.array([row[name] for row in rows], kinds.get(name)) for name in rows[0]}
    data = parquet_of(pyarrow.table(columns))
    return write_atomically(path, lambda file: file.write_bytes(data))


def read_parquet(path: Path) -> list[Row]:
    """The rows of a Parquet table (extra `report`). Raises: ValueError where there is none."""
    with extra("report"):
        import pyarrow.parquet

    if not path.is_file():
        raise ValueError(f"there is no table {path}; docs/tables.md says which command writes it")
    rows: list[Row] = pyarrow.parquet.ParquetFile(path).read().to_pylist()
    return rows


def parquet_of(table: Any) -> bytes:
    """A pyarrow table as a Parquet file (extra `report`), the versions of the library in its metadata."""
    with extra("report"):
        import pyarrow.parquet

    stamp = {name: str(version) for name, version in {"saboteur_env": __version__, **VERSIONS}.items()}
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(table.replace_schema_metadata(stamp), sink)
    return bytes(sink.getvalue())
