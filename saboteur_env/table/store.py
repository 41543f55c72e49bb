"""Tables in SQLite: every answered move is stored, so a killed server continues where it was."""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .setup import Setup

FORMAT = "1"
LISTED = 30  # tables of a summary
SCHEMA = """
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tables (
    id TEXT PRIMARY KEY, setup TEXT NOT NULL, started INTEGER NOT NULL DEFAULT 0,
    made TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE TABLE IF NOT EXISTS events (
    table_id TEXT NOT NULL, number INTEGER NOT NULL, seat INTEGER NOT NULL, text TEXT NOT NULL,
    player TEXT NOT NULL, thought TEXT, PRIMARY KEY (table_id, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS messages (
    table_id TEXT NOT NULL, number INTEGER NOT NULL, events INTEGER NOT NULL, seat INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (table_id, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sitting (
    table_id TEXT NOT NULL, seat INTEGER NOT NULL, player TEXT NOT NULL, PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class Event:
    """A move, or `next_round`, and who made it.

    Attributes:
        player: `PERSON` or the name of a dwarf.
        thought: what a dwarf thought of this position, and said to all before its move (players.py).
    """

    seat: int
    text: str
    player: str
    thought: dict[str, Any] | None = None


@dataclass(frozen=True)
class Kept:
    """The stored data of a table.

    Attributes:
        sitting: the players of seats that were handed over.
        messages: what people said to all: the number of events before it, the seat, the text.
    """

    setup: Setup
    started: bool
    events: list[Event] = field(default_factory=list)
    sitting: dict[int, str] = field(default_factory=dict)
    messages: list[tuple[int, int, str]] = field(default_factory=list)


class Store:
    """The database of one server.

    A commit survives the death of the process at any moment: the file is written ahead (WAL). A machine that loses its
    power may lose the last moves, and no more.

    Args:
        path: of the file, made where it is missing, for its owner alone: it holds the cards of every table.

    Raises: ValueError where it cannot be used, or another server has it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            self._base = sqlite3.connect(path, isolation_level=None, timeout=0.5)
            # A second server on the same file would play on without seeing the moves of the first.
            self._base.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._base.execute("PRAGMA journal_mode = WAL")
            self._base.execute("PRAGMA synchronous = NORMAL")  # waiting for the disk takes 4 ms a move
            self._base.executescript(SCHEMA)
            self._base.execute("INSERT OR IGNORE INTO facts VALUES ('format', ?)", (FORMAT,))
            self._base.execute("INSERT OR IGNORE INTO facts VALUES ('secret', ?)", (secrets.token_bytes(32),))
        except (OSError, sqlite3.Error) as error:
            busy = "; a server has it open: stop that one, or name another file" if "locked" in str(error) else ""
            raise ValueError(f"cannot keep tables in {path}: {error}{busy}") from None
        if self._fact("format") != FORMAT:
            raise ValueError(f"{path} has tables of format {self._fact('format')}; this version reads {FORMAT}")

    def close(self) -> None:
        """Let go of the file."""
        self._base.close()

    @property
    def secret(self) -> bytes:
        """The secret from which the keys of links are made."""
        return bytes(self._fact("secret"))

    def _fact(self, name: str) -> Any:
        return self._base.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()[0]

    def new_table(self, setup: Setup) -> str:
        """Keep a new table; returns its id."""
        table = secrets.token_urlsafe(9)
        self._base.execute("INSERT INTO tables (id, setup) VALUES (?, ?)", (table, setup.to_json()))
        return table

    def tables(self) -> list[str]:
        """The ids of all tables, the oldest first."""
        return [row[0] for row in self._base.execute("SELECT id FROM tables ORDER BY made, rowid")]

    def summaries(self) -> list[tuple[str, Setup, bool, int, str]]:
        """The latest tables, the newest first: id, settings, whether it has started, events, when it was made."""
        result = self._base.execute(
            "SELECT id, setup, started, (SELECT count(*) FROM events WHERE table_id = id), made FROM tables "
            "ORDER BY made DESC, rowid DESC LIMIT ?",
            (LISTED,),
        )
        return [(table, Setup.from_json(setup), bool(started), *rest) for table, setup, started, *rest in result]

    def kept(self, table: str) -> Kept | None:
        """The stored data of a table; None if there is no table with this id."""
        row = self._base.execute("SELECT setup, started FROM tables WHERE id = ?", (table,)).fetchone()
        if row is None:
            return None
        result = self._base.execute(
            "SELECT seat, text, player, thought FROM events WHERE table_id = ? ORDER BY number", (table,)
        )
        events = [Event(seat, text, player, thought and json.loads(thought)) for seat, text, player, thought in result]
        sitting = dict(self._base.execute("SELECT seat, player FROM sitting WHERE table_id = ?", (table,)))
        said = "SELECT events, seat, text FROM messages WHERE table_id = ? ORDER BY number"
        messages = self._base.execute(said, (table,)).fetchall()
        return Kept(Setup.from_json(row[0]), bool(row[1]), events, sitting, messages)

    def start(self, table: str) -> None:
        """Note that all people have sat down."""
        self._base.execute("UPDATE tables SET started = 1 WHERE id = ?", (table,))

    def append(self, table: str, number: int, event: Event) -> None:
        """Keep event `number` of a table, counted from 0. Raises: sqlite3.Error, for one that is there already too."""
        thought = event.thought and json.dumps(event.thought, separators=(",", ":"))
        values = (table, number, event.seat, event.text, event.player, thought)
        self._base.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", values)

    def say(self, table: str, events: int, seat: int, text: str) -> None:
        """Keep a message that is said after so many events of a table. Raises: sqlite3.Error."""
        numbered = "INSERT INTO messages SELECT ?, count(*), ?, ?, ? FROM messages WHERE table_id = ?"
        self._base.execute(numbered, (table, events, seat, text, table))

    def hand_over(self, table: str, seat: int, player: str) -> None:
        """Note who plays a seat from now on."""
        self._base.execute("INSERT OR REPLACE INTO sitting VALUES (?, ?, ?)", (table, seat, player))
