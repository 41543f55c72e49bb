"""A folder of finished work that survives anything: one immutable file for each unit, joined into one at the end.

Every part carries a digest of the settings it was made with. What is damaged, half written or made otherwise counts as
not there, so a killed run goes on where it was, and nothing is counted twice.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from .report import need_report_extra, write_atomically, write_table

DIGEST = b"settings"


class Parts:
    """The parts of one study in a folder (extra `report`).

    Args:
        settings: what the results hang on, as JSON data; kept as `manifest.json`.
        fresh: throw away what is there.

    Raises: ValueError where the folder holds work with other settings.
    """

    def __init__(self, folder: Path, settings: Mapping[str, Any], fresh: bool = False) -> None:
        need_report_extra()
        self.whole = folder / "rounds.parquet"
        self._parts, self._manifest = folder / "parts", folder / "manifest.json"
        text = json.dumps(settings, indent=2) + "\n"
        self._digest = hashlib.sha256(text.encode()).hexdigest().encode()
        if fresh:
            self._drop()
        elif self._manifest.exists() or self.whole.exists():
            self._compare(json.loads(text))
        write_atomically(self._manifest, lambda file: file.write_text(text, encoding="utf-8"))

    def _drop(self) -> None:
        shutil.rmtree(self._parts, ignore_errors=True)
        self.whole.unlink(missing_ok=True)

    def _compare(self, settings: dict[str, Any]) -> None:
        there: dict[str, Any] = {}
        with suppress(OSError, ValueError):
            there = json.loads(self._manifest.read_text(encoding="utf-8"))
        if there != settings:
            names = [name for name in {**there, **settings} if there.get(name) != settings.get(name)]
            listed = "; ".join(
                f"{name} was {_short(there.get(name))}, is {_short(settings.get(name))}" for name in names
            )
            raise ValueError(
                f"{self._manifest.parent} holds work with other settings ({listed if there else 'unknown'}): choose "
                "another folder (--out), or throw away what is there (--fresh)"
            )

    def finished(self, names: Iterable[str]) -> dict[str, Any]:
        """The tables of those units that are done, by name."""
        tables = {name: self._read(self._path(name)) for name in names}
        return {name: table for name, table in tables.items() if table is not None}

    def keep(self, name: str, table: Any) -> Any:
        """Write the table of a unit, whole or not at all, and return it."""
        write_table(self._path(name), table, {DIGEST: self._digest})
        return table

    def joined(self) -> Any | None:
        """The one table of a study that is done, None before."""
        return self._read(self.whole)

    def join(self, table: Any) -> Any:
        """Write the one table in place of all parts, and return it."""
        write_table(self.whole, table, {DIGEST: self._digest})
        shutil.rmtree(self._parts, ignore_errors=True)
        return table

    def _path(self, name: str) -> Path:
        return self._parts / f"{name}.parquet"

    def _read(self, path: Path) -> Any | None:
        import pyarrow.parquet

        with suppress(OSError, pyarrow.ArrowException):
            table = pyarrow.parquet.ParquetFile(path, page_checksum_verification=True).read()
            if (table.schema.metadata or {}).get(DIGEST) == self._digest:
                return table
        return None


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) < 60 else text[:57] + "..."
