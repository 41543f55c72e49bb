"""Tidy tables from finished rounds: one row a round, and win rates with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from saboteur_env.engine.editions import Rules
from saboteur_env.engine.state import WINNERS

Row = dict[str, Any]
Columns = dict[str, npt.NDArray[Any]]


def wilson(wins: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """The score interval of a proportion (E. B. Wilson, JASA 1927); (0, 1) where there were no trials."""
    from scipy.stats import binomtest

    if not trials:
        return 0.0, 1.0
    interval = binomtest(wins, trials).proportion_ci(confidence_level=confidence, method="wilson")
    return float(interval.low), float(interval.high)


def round_columns(rules: Rules, results: npt.NDArray[np.void]) -> Columns:
    """Finished rounds (kernel_matches.py) as columns, arrays `[n]`.

    Args:
        results: ROUND[n], the rounds of a match in order.

    `saboteurs` is their number at the table. Nuggets are those taken in the round, summed over the miners and over
    the saboteurs.
    """
    seats = np.arange(rules.players)
    is_saboteur = (results["roles"][:, None] >> seats & 1).astype(bool)
    held = results["nuggets"][:, : rules.players].astype(np.int64)
    before = np.where(results["number"][:, None] > 1, np.roll(held, 1, axis=0), 0)
    return {
        "players": np.full(len(results), rules.players),
        "edition": np.full(len(results), rules.edition),
        "seed": results["seed"],
        "round": results["number"],
        "saboteurs": is_saboteur.sum(axis=1),
        "winner": np.array(["", *WINNERS[1:]])[results["winner"]],
        "turns": results["turns"],
        "first_seat": results["first_seat"],
        "last_seat": results["last_seat"],
        "miner_nuggets": np.where(is_saboteur, 0, held - before).sum(axis=1),
        "saboteur_nuggets": np.where(is_saboteur, held - before, 0).sum(axis=1),
    }


def rows_of(columns: Columns) -> list[Row]:
    """The same table as one dict a row."""
    values = zip(*(column.tolist() for column in columns.values()), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in values]


def bootstrap(
    values: npt.NDArray[np.float64],
    least: float | Sequence[float] = 0,
    seed: int = 0,
    resamples: int = 1000,
    most: float = 1,
) -> npt.NDArray[np.float64]:
    """Means with 95 % intervals, from deals drawn again; what was played on one deal stays together.

    The percentile method (B. Efron, Annals of Statistics 1979), between percentiles so far out as Student's
    distribution asks of so few deals (T. Hesterberg, "What teachers should know about the bootstrap", The American
    Statistician 2015). Where all deals agree there is nothing to draw from, and the interval is as wide as Wilson's
    where no trial of so many succeeded.

    Args:
        values: float64[deals, quantities]; NaN where a deal says nothing.
        least: what a quantity cannot fall below: 0 for a share, -1 for a difference of two.
        most: what none can exceed.

    Returns: float64[quantities, 3]: mean, low, high; NaN where no deal says anything.
    """
    rng, deals = np.random.default_rng(seed), len(values)
    both = np.hstack([np.nan_to_num(values), ~np.isnan(values)]).astype(np.float64)
    draws = (np.bincount(rng.integers(deals, size=deals), minlength=deals) for _ in range(resamples))
    sums, counts = np.split(np.stack([both.sum(axis=0), *(draw @ both for draw in draws)]), 2, axis=1)
    means = np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
    result, known = np.full((values.shape[1], 3), np.nan), counts[0] > 0
    drawn = zip(means[1:, known].T, map(_tail, counts[0, known]), strict=True)
    low, high = np.array([np.nanpercentile(draws, [tail, 100 - tail]) for draws, tail in drawn]).reshape(-1, 2).T
    spread = np.array([wilson(0, int(count))[1] for count in counts[0, known]]) * (low == high)
    least = np.broadcast_to(least, known.shape)[known]
    low, high = np.maximum(low - spread, least), np.minimum(high + spread, most)
    result[known] = np.stack([means[0, known], low, high], axis=1)
    return result


def interval_columns(names: Iterable[str], intervals: Iterable[Sequence[Any]]) -> Row:
    """Estimates as columns of a row: of each name the mean, `NAME_low` and `NAME_high`.

    Args:
        intervals: for each name mean, low and high, as of `bootstrap`.
    """
    return {
        column: value
        for name, interval in zip(names, intervals, strict=True)
        for column, value in zip((name, f"{name}_low", f"{name}_high"), interval, strict=True)
    }


def _tail(deals: float) -> float:
    """The percentile below which 2.5 % lie where the spread itself is known from so many deals alone."""
    from scipy.stats import norm, t

    reach = t.ppf(0.975, deals - 1) * np.sqrt(deals / (deals - 1)) if deals > 1 else np.inf
    return float(100 * norm.sf(reach))


def mean_where(values: npt.NDArray[Any], mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Means of each row over what the mask lets through, NaN where it lets nothing: float64[n].

    Args:
        values: numbers [n, m]; mask: bool[n, m].
    """
    total, count = np.where(mask, values, 0).sum(axis=1), mask.sum(axis=1)
    return np.divide(total, count, out=np.full(len(values), np.nan), where=count > 0)


def win_rate_rows(rounds: Iterable[Row]) -> list[Row]:
    """Win rates by players and by saboteurs at the table: a row for all rounds of a count, then one for each number."""
    groups: dict[tuple[int, str], list[Row]] = {}
    for row in rounds:
        for saboteurs in ("all", str(row["saboteurs"])):
            groups.setdefault((row["players"], saboteurs), []).append(row)
    order = sorted(groups, key=lambda key: (key[0], key[1] != "all", key[1]))
    return [_win_rate_row(*key, groups[key]) for key in order]


PERCENTILES = (5, 25, 50, 75, 95)


def turn_rows(rounds: Sequence[Row]) -> list[Row]:
    """For each number of players the percentiles of the turns after which the miners found the treasure."""
    result: dict[int, list[int]] = {}
    for row in rounds:
        if row["winner"] == "miners":
            result.setdefault(row["players"], []).append(row["turns"])
    return [
        {"players": players, "rounds": len(turns), **_percentiles(turns)} for players, turns in sorted(result.items())
    ]


def _percentiles(values: Sequence[int]) -> Row:
    cuts = np.percentile(values, PERCENTILES).tolist()
    return {f"p{percent}": cut for percent, cut in zip(PERCENTILES, cuts, strict=True)}


def _win_rate_row(players: int, saboteurs: str, rounds: list[Row]) -> Row:
    row: Row = {"players": players, "saboteurs": saboteurs, "rounds": len(rounds)}
    for side in ("miners", "saboteurs"):
        wins = sum(item["winner"] == side for item in rounds)
        low, high = wilson(wins, len(rounds))
        row |= {f"{side}_won": wins / len(rounds), f"{side}_low": low, f"{side}_high": high}
    row["turns"] = float(np.mean([item["turns"] for item in rounds]))
    row["nuggets_a_miner"] = _a_head(rounds, "miner_nuggets", lambda item: players - item["saboteurs"])
    row["nuggets_a_saboteur"] = _a_head(rounds, "saboteur_nuggets", lambda item: item["saboteurs"])
    return row


def _a_head(rounds: list[Row], name: str, heads: Any) -> float | None:
    # Nuggets a round for one dwarf of the role; None where none sat at the table.
    dwarfs = sum(heads(item) for item in rounds)
    return sum(item[name] for item in rounds) / dwarfs if dwarfs else None


Values: TypeAlias = npt.NDArray[Any]


Draft = tuple[Row, dict[str, Values]]  # a row, and the quantities that are still to be estimated from deals


def estimated(drafts: list[Draft]) -> list[Row]:
    """Rows with their quantities, all estimated from the same draws; None where no deal says anything."""
    named = [(row, name, values) for row, quantities in drafts for name, values in quantities.items()]
    if named:
        least = [0 if name == "won" else -1 for _, name, _ in named]
        result = bootstrap(np.stack([values for *_, values in named], axis=1), least)
        for (row, name, _), estimate in zip(named, result.tolist(), strict=True):
            known = [None if np.isnan(value) else value for value in estimate]
            row |= interval_columns([name], [known])
    return [row for row, _ in drafts]
