"""Results of a tournament: wins by role, results of each pair, and the effect of one seat.

All shares are means over deals. Their intervals come from a bootstrap over deals (`analysis.bootstrap`). Differences
are computed deal by deal first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from saboteur_env.agents.matches.matchups import Matchup
from saboteur_env.core.extras import extra
from saboteur_env.engine.cards import ROLES

from ..common.statistics import Draft, Row, Values, estimated, mean_where

TEAMS = ("miners", "saboteurs")
SIDE_OF = dict(zip(ROLES, TEAMS, strict=True))


@dataclass(frozen=True)
class Cell:
    """All that was played in one edition by one number of players; `all` where it is more than one.

    Attributes:
        matchups: who played, in the order of the table.
        columns: the columns of the table, each `[deals, casts, rounds]`.
    """

    edition: str
    players: int | str
    matchups: list[Matchup]
    columns: dict[str, Values]

    @property
    def agents(self) -> list[str]:
        """The agents that played all others."""
        return list(dict.fromkeys(matchup.miners for matchup in self.matchups if not matchup.substitute))

    @property
    def where(self) -> Row:
        """The first columns of every row about this cell."""
        return {"edition": self.edition, "players": self.players}

    def won(self, side: str, matchup: Matchup) -> Values:
        """Whether a side won: bool[deals, rounds]."""
        wins: Values = self.columns["winner"][:, self.matchups.index(matchup)] == side
        return wins


def cells(table: Any) -> Iterator[Cell]:
    """The cells of a table that `tournament.evaluate` returned, or of whole deals of it."""
    with extra("report"):
        import pyarrow.compute

    for where in _distinct(table.select(["edition", "players"])):
        wanted = [pyarrow.compute.field(name) == value for name, value in where.items()]
        played = table.filter(wanted[0] & wanted[1])
        first_deal = played.filter(pyarrow.compute.field("deal") == played["deal"][0])
        names = first_deal.select(["miners_by", "saboteurs_by", "substitute", "replaced"])
        matchups = [Matchup(*who.values()) for who in _distinct(names)]
        shape = (-1, len(matchups), pyarrow.compute.max(played["round"]).as_py())
        columns = {name: np.asarray(played[name]).reshape(shape) for name in played.column_names}
        yield Cell(where["edition"], where["players"], matchups, columns)


def pooled(table: Any) -> list[Cell]:
    """All cells as one, in a list: the deals of every edition and number of players, each counting alike."""
    result = list(cells(table))
    columns = {name: np.concatenate([cell.columns[name] for cell in result]) for name in result[0].columns}
    return [Cell("all", "all", result[0].matchups, columns)]


def _distinct(table: Any) -> list[Row]:
    # In the order of the table, which no grouping of pyarrow promises.
    placed = table.append_column("place", [np.arange(len(table))]).group_by(table.column_names)
    rows: list[Row] = placed.aggregate([("place", "min")]).sort_by("place_min").drop_columns("place_min").to_pylist()
    return rows


def kept_tables(folder: Path) -> list[Any]:
    """The table of a tournament that a folder holds, as a list of one; of none where there is none yet."""
    with extra("report"):
        import pyarrow.parquet

    path = folder / "rounds.parquet"
    return [pyarrow.parquet.ParquetFile(path).read()] if path.is_file() else []


def standing_rows(table: Any) -> list[Row]:
    """For each agent and role the share of rounds that its side `won`: the mean over all agents in the other role.

    `ahead` is how far that is above the share of the first agent, and None for the first agent itself.
    """
    return [row for cell in cells(table) for row in estimated(list(_standings(cell)))]


def _standings(cell: Cell) -> Iterator[Draft]:
    for side in TEAMS:
        shares = [_mean_share(cell, side, agent) for agent in cell.agents]
        for agent, share in zip(cell.agents, shares, strict=True):
            row = {**cell.where, "side": side, "agent": agent, "deals": len(share)}
            ahead = np.full(len(share), np.nan) if agent == cell.agents[0] else share - shares[0]
            yield row, {"won": share, "ahead": ahead}


def _mean_share(cell: Cell, side: str, agent: str) -> Values:
    pairs = [Matchup(agent, other) if side == "miners" else Matchup(other, agent) for other in cell.agents]
    return np.mean([cell.won(side, pair) for pair in pairs], axis=(0, 2))


def own_kind_rows(table: Any) -> list[Row]:
    """For each agent and side the share of rounds `won` where it plays all seats."""
    return [row for cell in cells(table) for row in estimated(list(_own_kind(cell)))]


def _own_kind(cell: Cell) -> Iterator[Draft]:
    for side in TEAMS:
        for agent in cell.agents:
            won = cell.won(side, Matchup(agent, agent)).mean(axis=1)
            yield {**cell.where, "side": side, "agent": agent, "deals": len(won)}, {"won": won}


def crossplay_rows(table: Any, pool: bool = False) -> list[Row]:
    """For each pair the share of rounds `won` by the miners; with `pool` over all editions and numbers of players."""
    return [row for cell in (pooled if pool else cells)(table) for row in estimated(list(_crossplay(cell)))]


def _crossplay(cell: Cell) -> Iterator[Draft]:
    for miners in cell.agents:
        for saboteurs in cell.agents:
            won = cell.won("miners", Matchup(miners, saboteurs)).mean(axis=1)
            yield {**cell.where, "miners": miners, "saboteurs": saboteurs, "deals": len(won)}, {"won": won}


def seat_rows(table: Any, pool: bool = False) -> list[Row]:
    """For each agent and role what its side `won`, and its `gain`, with the agent in one seat of the base dwarf's team.

    Only rounds with that role at the table count. With `pool` those of all editions and numbers of players do.
    """
    return [row for cell in (pooled if pool else cells)(table) for row in estimated(list(_seats(cell)))]


def _seats(cell: Cell) -> Iterator[Draft]:
    for index, matchup in enumerate(cell.matchups):
        seated = cell.columns["substitute_seat"][:, index] >= 0
        if seated.any():
            side, base = SIDE_OF[matchup.replaced_role], Matchup(matchup.miners, matchup.saboteurs)
            with_agent, without = (mean_where(cell.won(side, item), seated) for item in (matchup, base))
            deals = int(seated.any(axis=1).sum())
            row = {
                **cell.where,
                "role": matchup.replaced_role,
                "agent": matchup.substitute,
                "base": matchup.miners,
                "deals": deals,
            }
            yield row, {"won": with_agent, "gain": with_agent - without}
