"""Tidy tables from finished rounds: one row a round, and win rates with intervals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.engine.editions import Rules
from saboteur_env.engine.state import WINNERS

Row = dict[str, Any]


def wilson(wins: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """The score interval of a proportion (E. B. Wilson, JASA 1927); (0, 1) where there were no trials."""
    from scipy.stats import binomtest

    if not trials:
        return 0.0, 1.0
    interval = binomtest(wins, trials).proportion_ci(confidence_level=confidence, method="wilson")
    return float(interval.low), float(interval.high)


def round_rows(rules: Rules, results: npt.NDArray[np.void]) -> list[Row]:
    """One row for each finished round (agents/matches.py): `ROUND[n]` -> n dicts.

    Nuggets are those taken in the round, summed over the miners and over the saboteurs.
    """
    rows, held = [], np.zeros(rules.players, np.int64)
    for result in results:
        before = held if result.number > 1 else np.zeros_like(held)
        held = result.nuggets[: rules.players].astype(np.int64)
        is_saboteur = (int(result.roles) >> np.arange(rules.players) & 1).astype(bool)
        rows.append(
            {
                "players": rules.players,
                "edition": rules.edition,
                "seed": int(result.seed),
                "round": int(result.number),
                "saboteurs": int(is_saboteur.sum()),
                "winner": WINNERS[result.winner],
                "turns": int(result.turns),
                "first_seat": int(result.first_seat),
                "last_seat": int(result.last_seat),
                "miner_nuggets": int((held - before)[~is_saboteur].sum()),
                "saboteur_nuggets": int((held - before)[is_saboteur].sum()),
            }
        )
    return rows


def win_rate_rows(rounds: Iterable[Row]) -> list[Row]:
    """Win rates by players and by saboteurs at the table: a row for all rounds of a count, then one for each number."""
    groups: dict[tuple[int, str], list[Row]] = {}
    for row in rounds:
        for saboteurs in ("all", str(row["saboteurs"])):
            groups.setdefault((row["players"], saboteurs), []).append(row)
    order = sorted(groups, key=lambda key: (key[0], key[1] != "all", key[1]))
    return [_win_rate_row(*key, groups[key]) for key in order]


def _win_rate_row(players: int, saboteurs: str, rounds: list[Row]) -> Row:
    row: Row = {"players": players, "saboteurs": saboteurs, "rounds": len(rounds)}
    for side in ("miners", "saboteurs"):
        wins = sum(one["winner"] == side for one in rounds)
        low, high = wilson(wins, len(rounds))
        row |= {f"{side}_won": wins / len(rounds), f"{side}_low": low, f"{side}_high": high}
    row["turns"] = float(np.mean([one["turns"] for one in rounds]))
    row["nuggets_a_miner"] = _a_head(rounds, "miner_nuggets", lambda one: players - one["saboteurs"])
    row["nuggets_a_saboteur"] = _a_head(rounds, "saboteur_nuggets", lambda one: one["saboteurs"])
    return row


def _a_head(rounds: list[Row], name: str, heads: Any) -> float | None:
    # Nuggets a round for one dwarf of the role; None where none sat at the table.
    dwarfs = sum(heads(one) for one in rounds)
    return sum(one[name] for one in rounds) / dwarfs if dwarfs else None
