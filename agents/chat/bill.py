"""What chat dwarfs said and what it cost: counts, and JSON lines from which they can be counted again."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from .settings import Settings


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

    def add(self, line: Mapping[str, Any]) -> None:
        """Take in one line of a log."""
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + line.get(field.name, 0))


class Account:
    """The bill of a chat dwarf, its budgets, and the folder that keeps its lines. Threads may share it."""

    def __init__(self, settings: Settings) -> None:
        self.bill, self._settings, self._lock = Bill(), settings, Lock()

    @property
    def spent(self) -> bool:
        """Whether a budget is used up."""
        bill, given = self.bill, self._settings
        tokens = bill.prompt_tokens + bill.answer_tokens
        return bool(
            (given.token_budget and tokens >= given.token_budget)
            or (given.time_budget and bill.seconds >= given.time_budget)
        )

    def add(self, line: Mapping[str, Any]) -> None:
        """Count a line, and keep it where a folder is given: in a file for each process."""
        with self._lock:
            self.bill.add(line)
            if self._settings.log:
                folder = Path(self._settings.log)
                folder.mkdir(parents=True, exist_ok=True)
                with open(folder / f"chat-{os.getpid()}.jsonl", "a", encoding="utf-8", newline="\n") as file:
                    file.write(json.dumps(line) + "\n")


account_of = cache(Account)  # one for all dwarfs of the same settings in this process


def read_log(folder: str | Path) -> Iterator[dict[str, Any]]:
    """The lines of all `.jsonl` files in a folder. Raises: ValueError for a bad line, by file and number."""
    for path in sorted(Path(folder).glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                yield json.loads(line)
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from None


def bills(folder: str | Path, by: str = "model") -> dict[str, Bill]:
    """What each model in a folder of logs has cost.

    Args:
        by: the entry of a line whose values are told apart; in the log of a tournament also `agent`.
    """
    result: dict[str, Bill] = {}
    for line in read_log(folder):
        result.setdefault(line[by], Bill()).add(line)
    return result
