"""Win rates of Wazabi by seat and number of players, how long games last, and how fast they are played.

Run as ``saboteur-env win-rates --game wazabi``; ``saboteur-env study wazabi-lengths`` shows lengths and speed
of random play.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from saboteur_env.agents.wazabi import play_wazabi, wazabi_number_of
from saboteur_env.core.frozen import freeze, thawed
from saboteur_env.core.seeds import Purpose, deal_seed
from saboteur_env.wazabi.engine.rules import Rules

from ..common.executor import in_threads
from ..common.folders import default_folder
from ..common.report import has_report_extra, write_csv, write_parquet
from ..common.statistics import Row, rows_of, wilson

STUDY = "wazabi-lengths"

MATCHES_AT_ONCE = 100  # games a task


@dataclass(frozen=True)
class Study:
    """What is played. The same study gives the same games, whatever the number of workers.

    Attributes:
        players: the numbers of players, each with as many games.
        deck: `sheet` (copies assumed), `french`, or the copies of each kind (docs/wazabi.md, section 1).
        agent: a preset player (agents/wazabi.py) for all seats.
        options: what differs from the sheet (docs/wazabi.md, section 4).
    """

    players: tuple[int, ...] = tuple(range(2, 7))
    games: int = 400
    deck: str | Mapping[str, int] = "sheet"
    agent: str = "greedy"
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        freeze(self)

    @property
    def deck_label(self) -> str:
        """The deck in words: its name, and that the sheet's copies are assumed."""
        return {"sheet": "sheet's deck, copies assumed", "french": "French deck"}.get(str(self.deck), "custom deck")

    def rules(self) -> list[Rules]:
        """The settings for each number of players. Raises: ValueError where they are impossible."""
        return [Rules.make(players, self.deck, 1, thawed(self.options)) for players in self.players]

    def folder(self) -> Path:
        """The folder for its tables where none is given."""
        return default_folder("results/wazabi_win_rates", asdict(self), asdict(Study()))


def play(study: Study, workers: int | None = None, progress: Callable[[int], object] = lambda games: None) -> list[Row]:
    """Play a study and return a row for each game, in order.

    Args:
        workers: threads; all cores where missing. The kernels run without the interpreter lock.
        progress: called with the number of games just finished.

    Raises: ValueError for impossible settings; Interrupted, with the finished games, on Ctrl-C.
    """
    player, parts = wazabi_number_of(study.agent), []
    for rules in study.rules():
        deals = [deal_seed(study.seed, Purpose.WIN_RATES, i, rules.players) for i in range(study.games)]
        seeds = np.array(deals, np.uint64)
        parts += [
            partial(_play_part, rules, seeds[first : first + MATCHES_AT_ONCE], player)
            for first in range(0, len(seeds), MATCHES_AT_ONCE)
        ]
    return in_threads(parts, workers, progress)


def _play_part(rules: Rules, seeds: Any, player: int) -> list[Row]:
    results = play_wazabi(rules, seeds, player)
    names = ("seed", "first_seat", "winner", "turns", "moves", "dice_left")
    return rows_of({"players": np.full(len(results), rules.players), **{name: results[name] for name in names}})


def seat_rows(games: list[Row]) -> list[Row]:
    """Win rates with 95 % Wilson intervals: a row for each number of players and seat, counted from who begins."""
    rows = []
    for players in sorted({game["players"] for game in games}):
        chosen = [game for game in games if game["players"] == players]
        turns = float(np.mean([game["turns"] for game in chosen]))
        for seat in range(players):
            wins = sum((game["winner"] - game["first_seat"]) % players == seat for game in chosen)
            low, high = wilson(wins, len(chosen))
            rate = {"won": wins / len(chosen), "low": low, "high": high}
            rows.append({"players": players, "seat": seat, "games": len(chosen), **rate, "turns": turns})
    return rows


def write(games: list[Row], folder: Path) -> list[Path]:
    """Write games and win rates as CSV; with the `report` extra as Parquet besides."""
    tables = {"wazabi_games": games, "wazabi_win_rates": seat_rows(games)}
    written = [write_csv(folder / f"{name}.csv", rows) for name, rows in tables.items()]
    if games and has_report_extra():
        written += [write_parquet(folder / f"{name}.parquet", rows) for name, rows in tables.items()]
    return written


def lengths(games: int = 20_000, seed: int = 0, deck: str = "sheet") -> list[Row]:
    """How long games of random moves last, by number of players, and moves a second on one core."""
    rows = []
    for players in range(2, 7):
        study = Study((players,), games, deck, "random", seed)
        play(Study((players,), 1, deck, "random"), workers=1)  # compiles
        began = time.perf_counter()
        played = play(study, workers=1)
        seconds = time.perf_counter() - began
        turns, moves = (np.array([game[name] for game in played]) for name in ("turns", "moves"))
        low, middle, high, most = np.percentile(turns, [5, 50, 95, 100]).astype(int).tolist()
        row = {"players": players, "games": games, "5 %": low, "median": middle, "95 %": high, "longest": most}
        rows.append({**row, "moves a game": round(float(moves.mean()), 1), "moves/s": int(moves.sum() / seconds)})
    return rows


def main() -> None:
    """How long games of Wazabi are, by number of players."""
    for row in lengths():
        print(*(f"{name} {value:,}" for name, value in row.items()), sep="   ")
