"""The report of a tournament: tables, plots and matches of interest, as Markdown and as data files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from ..common.page import markdown_table, percent
from ..common.report import write_csv, write_text
from ..common.statistics import Row
from .highlights import highlights, save
from .plots import plot_crossplay, plot_estimates
from .ratings import rating_rows
from .speakers import speaker_rows
from .standings import crossplay_rows, seat_rows, standing_rows
from .tournament import Tournament


@dataclass(frozen=True)
class Sheet:
    """A table of a report: all cells are text."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]

    def __str__(self) -> str:
        """The table in Markdown, under its title."""
        return f"## {self.title}\n\n{markdown_table(self.heads, self.rows)}\n"

    def _repr_markdown_(self) -> str:
        """The table in a notebook."""
        return str(self)


@dataclass(frozen=True)
class Results:
    """All results of a tournament, as rows."""

    standings: list[Row]
    crossplay: list[Row]
    seats: list[Row]
    ratings: list[Row]
    speakers: list[Row] = field(default_factory=list)

    @classmethod
    def of(cls, table: Any, folder: Path | None = None) -> Results:
        """The results in a table that `tournament.evaluate` returned.

        Args:
            folder: of the tournament, for what those who speak have said there.
        """
        spoken = speaker_rows(folder) if folder else []
        return cls(standing_rows(table), crossplay_rows(table), seat_rows(table), rating_rows(table), spoken)

    def sheets(self) -> Iterator[Sheet]:
        """The tables to be read, wins by role and count first. All in per cent, with 95 % intervals."""
        yield Sheet(
            "Rounds won by role, %",
            ("edition", "players", "side", "agent", "won", "ahead of the first, points", "deals"),
            [_line(row, "side", "ahead") for row in self.standings],
        )
        for (edition, players), rows in groupby(self.crossplay, lambda row: (row["edition"], row["players"])):
            cells = list(rows)
            agents = list(dict.fromkeys(row["miners"] for row in cells))
            yield Sheet(
                f"{players} players, edition {edition}: rounds won by the miners, %",
                ("miners", *(f"against {agent}" for agent in agents)),
                [(agent, *(_share(row, "won") for row in cells if row["miners"] == agent)) for agent in agents],
            )
        if self.seats:
            yield Sheet(
                f"One seat in a team of {self.seats[0]['base']}: rounds won by its side, %",
                ("edition", "players", "role", "agent", "won", "gain, points", "deals"),
                [_line(row, "role", "gain") for row in self.seats],
            )
        yield Sheet(
            "Ratings (OpenSkill), over all counts and editions",
            ("agent", "side", "rating", "uncertainty", "rounds"),
            [
                (row["agent"], row["side"], f"{row['rating']:.1f}", f"{row['uncertainty']:.1f}", f"{row['rounds']:,}")
                for row in self.ratings
            ],
        )
        if self.speakers:
            yield _spoken_sheet(self.speakers)


def _line(row: Row, side: str, gained: str) -> tuple[str, ...]:
    names = _names(row, "edition", "players", side, "agent")
    return *names, _share(row, "won"), _points(row, gained), _deals(row)


def _spoken_sheet(rows: Sequence[Row]) -> Sheet:
    heads = (
        "agent",
        "moves",
        "fallbacks",
        "unreadable",
        "failed",
        "tokens asked",
        "tokens answered",
        "seconds",
        "cost",
    )
    counts = ("moves", "fallbacks", "unreadable", "failed", "prompt_tokens", "answer_tokens")
    return Sheet(
        "What was asked of those who speak",
        heads,
        [
            (row["agent"], *(f"{row[name]:,}" for name in counts), f"{row['seconds']:,.0f}", f"{row['cost']:,.4f}")
            for row in rows
        ],
    )


def _names(row: Row, *names: str) -> list[str]:
    return [str(row[name]) for name in names]


def _deals(row: Row) -> str:
    return f"{row['deals']:,}"


def _share(row: Row, name: str) -> str:
    return _interval(row, name, "")


def _points(row: Row, name: str) -> str:
    return _interval(row, name, "+")


def _interval(row: Row, name: str, sign: str) -> str:
    return "–" if row[name] is None else percent(row[name], row[f"{name}_low"], row[f"{name}_high"], sign)


def write(tournament: Tournament, table: Any, results: Results, folder: Path) -> list[Path]:
    """Write report.md, a CSV file of each table, plots, and matches of interest into a folder (extra `report`)."""
    tables = [write_csv(folder / f"{name}.csv", rows) for name, rows in vars(results).items() if rows]
    plots = list(_plots(results, folder))
    games = {item: save(tournament, item, folder) for item in highlights(table)}
    shown = [item for item, paths in games.items() if paths]
    text = "\n".join([_head(tournament), *map(str, results.sheets()), _pictures(plots), _games(shown)])
    report = write_text(folder / "report.md", text)
    return [report, *tables, *plots, *(path for paths in games.values() for path in paths)]


def _plots(results: Results, folder: Path) -> Iterator[Path]:
    for edition, rows in groupby(results.standings, lambda row: row["edition"]):
        plot = plot_estimates(list(rows), "won", "side", f"Rounds won, edition {edition}")
        yield plot.save(folder / f"won-{edition}.png")
    for edition, rows in groupby(results.crossplay, lambda row: row["edition"]):
        plot = plot_crossplay(list(rows), f"Rounds won by the miners, edition {edition}")
        yield plot.save(folder / f"crossplay-{edition}.png")
    for edition, rows in groupby(results.seats, lambda row: row["edition"]):
        title = f"One seat in a team of {results.seats[0]['base']}, edition {edition}"
        yield plot_estimates(list(rows), "gain", "role", title).save(folder / f"seats-{edition}.png")


def _head(tournament: Tournament) -> str:
    rounds = "one round" if tournament.rounds == 1 else f"{tournament.rounds} rounds"
    notes = [f"\n{line}.\n" for line in tournament.strange()]
    return f"""# Tournament of {", ".join(tournament.agents)}

For each count and edition {tournament.deals:,} deals, seed {tournament.seed}, matches of {rounds}.

On every deal each agent played the miners against each agent as the saboteurs: the same cards, roles and goals for all.
The 95 % intervals come from a bootstrap over deals, so rounds on one deal stay together. Differences are computed
deal by deal. If no saboteur was dealt, the miners win if they find the treasure, and otherwise nobody wins.
{"".join(notes)}"""


def _pictures(plots: list[Path]) -> str:
    return "\n".join(f"![{plot.stem}]({plot.name})" for plot in plots) + "\n"


def _games(result: Sequence[Any]) -> str:
    lines = [
        f"- [{item.name}](games/{item.name}.html): {item.why}; {item.players} players, edition {item.edition}, "
        f"deal {item.deal}, round {item.round}; {_cast(item.matchup)}"
        for item in result
    ]
    return "\n".join(["## Matches of interest\n", *lines]) + "\n"


def _cast(matchup: Any) -> str:
    besides = f", {matchup.substitute} in the seat of one {matchup.replaced_role}" if matchup.substitute else ""
    return f"miners {matchup.miners}, saboteurs {matchup.saboteurs}{besides}"
