"""A folder of finished work that survives a crash: one immutable file for each unit, joined into one file at the end.

The name of a part ends with a digest of its settings and its bytes. A part that is incomplete, damaged or made with
other settings counts as missing. So a killed run resumes where it was, and nothing is counted twice.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from .executor import run
from .folders import differences
from .report import need_report_extra, parquet_of, write_atomically, write_text


class ResultStore:
    """The parts of one study in a folder: `manifest.json` has its settings, `rounds.parquet` in the end all rounds.

    Needs the extra `report`.

    Args:
        settings: what the results depend on, as JSON data.
        fresh: delete the results in the folder first.

    Raises: ValueError if the folder holds results with other settings.
    """

    def __init__(self, folder: Path, settings: Mapping[str, Any], fresh: bool = False) -> None:
        need_report_extra()
        self.folder, self._settings = folder, json.dumps(settings)
        self._parts, self._manifest = folder / "parts", folder / "manifest.json"
        self._whole = folder / "rounds.parquet"
        if fresh:
            self._drop()
        if self._manifest.exists() or self._whole.exists():
            self._compare()
        else:
            self._write_manifest("")

    def _drop(self) -> None:
        shutil.rmtree(self._parts, ignore_errors=True)
        self._whole.unlink(missing_ok=True)
        self._manifest.unlink(missing_ok=True)

    def _compare(self) -> None:
        there, here = self._read_manifest().get("settings", {}), json.loads(self._settings)
        if "files" in there and "files" in here:  # models that have come since cannot have played then
            here["files"] = {name: digest for name, digest in here["files"].items() if name in there["files"]}
        if there != here:
            listed = differences(there, here) if there else "unknown"
            raise ValueError(
                f"{self.folder} holds results with other settings ({listed}): choose another folder (--out), "
                "or delete its results (--fresh)"
            )
        self._settings = json.dumps(self._read_manifest()["settings"])  # by which its parts are named

    def _read_manifest(self) -> dict[str, Any]:
        with suppress(OSError, ValueError, TypeError):
            return dict(json.loads(self._manifest.read_text(encoding="utf-8")))
        return {}

    def _write_manifest(self, digest: str) -> None:
        data = {"settings": json.loads(self._settings), "rounds": digest}
        text = json.dumps(data, indent=2) + "\n"
        write_text(self._manifest, text)

    def complete(
        self,
        units: Iterable[Any],
        work: Callable[[Any], Any],
        workers: int | None = None,
        ray: str | None = None,
        progress: Callable[[int], object] = lambda rows: None,
    ) -> Any:
        """Do the work that is left, and return the table of the study.

        Args:
            units: all of them, in the order of the table, each with a name of its own as its text.
            work: what gives the columns of a unit; it, `workers` and `ray` are as for `executor.run`.
            progress: called with the number of rows just finished, or found finished.

        Raises: what `executor.run` raises; what was finished by then is kept.
        """
        import pyarrow

        if (whole := self.joined()) is not None:
            progress(whole.num_rows)
            return whole
        named = {str(unit): unit for unit in units}
        tables = self.finished(named)
        progress(sum(table.num_rows for table in tables.values()))
        missing = [unit for name, unit in named.items() if name not in tables]
        for unit, columns in run(missing, work, workers, ray):
            tables[str(unit)] = self.keep(str(unit), pyarrow.table(columns))
            progress(tables[str(unit)].num_rows)
        return self.join(pyarrow.concat_tables([tables[name] for name in named]))

    def finished(self, names: Iterable[str]) -> dict[str, Any]:
        """The tables of those units that are done, by name."""
        wanted = set(names)
        result = {}
        for path in self._parts.glob("[!.]*.parquet"):
            name, _, digest = path.stem.rpartition(".")
            if name in wanted and (table := self._read(path, digest)) is not None:
                result[name] = table
        return result

    def keep(self, name: str, table: Any) -> Any:
        """Write the table of a unit, whole or not at all, and return it."""
        data = parquet_of(table)
        path = self._parts / f"{name}.{self._digest(data)}.parquet"
        write_atomically(path, lambda file: file.write_bytes(data))
        return table

    def joined(self) -> Any | None:
        """The one table of a study that is done, None before."""
        return self._read(self._whole, self._read_manifest().get("rounds", ""))

    def join(self, table: Any) -> Any:
        """Write the one table in place of all parts, and return it."""
        data = parquet_of(table)
        write_atomically(self._whole, lambda file: file.write_bytes(data))
        self._write_manifest(self._digest(data))
        shutil.rmtree(self._parts, ignore_errors=True)
        return table

    def _digest(self, data: bytes) -> str:
        return hashlib.sha256(self._settings.encode() + data).hexdigest()[:32]

    def _read(self, path: Path, digest: str) -> Any | None:
        import pyarrow.parquet

        with suppress(OSError):
            data = path.read_bytes()
            if self._digest(data) == digest:
                return pyarrow.parquet.ParquetFile(pyarrow.BufferReader(data)).read()
        return None
