"""What chat dwarfs said and what it cost: counts, and JSON lines from which they can be counted again."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any


@dataclass
class Bill:
    """Counts of a chat dwarf; `seconds` were spent waiting, `cost` is in the currency of the prices."""

    moves: int = 0
    answers: int = 0
    unreadable: int = 0
    failed: int = 0
    fallbacks: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    seconds: float = 0.0
    cost: float = 0.0

    def add(self, line: dict[str, Any]) -> None:
        """Take in one line of a log."""
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + line.get(field.name, 0))


class Log:
    """Keeps lines in a folder, a file for each process; nothing where the folder is empty."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder) if folder else None

    def write(self, line: dict[str, Any]) -> None:
        """Append a line."""
        if self._folder is None:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        with open(self._folder / f"chat-{os.getpid()}.jsonl", "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def read_log(folder: str | Path) -> Iterator[dict[str, Any]]:
    """The lines that chat dwarfs kept in a folder. Raises: ValueError for a line that is none, by file and number."""
    for path in sorted(Path(folder).glob("chat-*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                yield json.loads(line)
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from None


def bills(folder: str | Path) -> dict[str, Bill]:
    """What each model in a folder of logs has cost."""
    result: dict[str, Bill] = {}
    for line in read_log(folder):
        result.setdefault(line["model"], Bill()).add(line)
    return result
