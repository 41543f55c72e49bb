"""Games of people: transcripts, and the long table that tournaments write (docs/tables.md)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..agents.matches.kernel_matches import ROUND, write_result
from ..core.extras import extra
from ..engine.cards import ROLES
from ..experiments.common.report import has_report_extra, parquet_of, write_atomically, write_text
from ..experiments.common.statistics import Columns, round_columns
from .store import Store
from .tables import Table, play_event

if TYPE_CHECKING:
    from ..game.game import Game

SUBSTITUTE = ("miners_by", "saboteurs_by", "substitute", "replaced", "substitute_seat")


def write_games(store: Store, folder: Path) -> list[Path]:
    """Write the transcript of every match that has begun, and the table of finished rounds (extra `report`)."""
    tables = _begun(store)
    written = [write_text(folder / f"{table.name}.json", table.game.transcript()) for table in tables]
    if has_report_extra() and any(table.finished for table in tables):
        data = parquet_of(rounds_of(store))
        written.append(write_atomically(folder / "rounds.parquet", lambda file: file.write_bytes(data)))
    return written


def rounds_of(store: Store) -> Any:
    """The finished rounds of all tables, with the columns of a tournament's; `deal` counts the tables.

    Where one seat was played by somebody else than all others, it is the substitute. Otherwise those who played a
    role are named together, as in `person+scripted`.

    Returns: a pyarrow.Table (extra `report`). Functions that compare agents on the same deals find no pairs in it.

    Raises: ValueError where no round is finished.
    """
    with extra("report"):
        import pyarrow

    finished = [(number, table) for number, table in enumerate(_begun(store)) if table.finished]
    if not finished:
        raise ValueError(f"no round is finished at the tables of {store.path}")
    return pyarrow.concat_tables([pyarrow.table(_columns(number, table)) for number, table in finished])


def _begun(store: Store) -> list[Table]:
    tables = (Table(store, name) for name in store.tables())
    return [table for table in tables if table.started]


def _columns(number: int, table: Table) -> Columns:
    game, rounds = table.setup.game(), table.finished
    played, who = np.zeros(rounds, ROUND), list[tuple[Any, ...]]()
    for event in table.events:
        play_event(game, event)
        if game.round_over:
            write_result(game.records[0], np.uint64(table.setup.seed), -1, played[len(who)])
            who.append(_who_played(game, _players(table, len(who) + 1)))
    named = {name: np.array(column) for name, column in zip(SUBSTITUTE, zip(*who, strict=True), strict=True)}
    named["substitute_seat"] = named["substitute_seat"].astype(np.int8)
    return {"deal": np.full(rounds, number), **named, **round_columns(game.rules, played)}


def _players(table: Table, round_number: int) -> list[str]:
    """Who played each seat in a round; joined where a seat was handed over in the middle."""
    by_seat: list[set[str]] = [set() for _ in table.sitting]
    for event in table.round_events(round_number):
        by_seat[event.seat].add(event.player)
    return ["+".join(sorted(names)) or now for names, now in zip(by_seat, table.sitting, strict=True)]


def _who_played(game: Game, players: Sequence[str]) -> tuple[str, str, str, str, int]:
    """The cast of a round that is over: miners, saboteurs, substitute, its role, its seat."""
    roles = game.view(0).roles or []
    for seat, player in enumerate(players):
        others = {*players[:seat], *players[seat + 1 :]}
        if len(others) == 1 and player not in others:
            base = others.pop()
            return base, base, player, roles[seat], seat
    sides = ({player for player, its in zip(players, roles, strict=True) if its == role} for role in ROLES)
    miners, saboteurs = ("+".join(sorted(side)) for side in sides)
    return miners, saboteurs or miners, "", "", -1
