"""The effect of the first seat: the same deals, begun by every seat in turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby

import numpy as np

from saboteur_env.agents.matches.kernel_matches import play_matches
from saboteur_env.agents.scripted.presets import number_of
from saboteur_env.core.seeds import Purpose, deal_seed
from saboteur_env.engine.cards import ROLES
from saboteur_env.engine.editions import PLAYERS, Rules
from saboteur_env.engine.state import MINERS

from ..common.executor import in_threads
from ..common.statistics import Draft, Row, estimated, mean_where


def play(
    players: Sequence[int] = PLAYERS,
    deals: int = 1000,
    dwarf: str = "scripted",
    edition: str = "lv",
    seed: int = 0,
    workers: int | None = None,
    progress: Callable[[int], object] = lambda rounds: None,
) -> list[Row]:
    """Play each deal once for every seat that can begin it; a row for each round (docs/tables.md).

    Args:
        dwarf: who plays all seats (agents/scripted/presets.py).
        workers, progress: as for `win_rates.play`.

    Raises: ValueError for impossible settings.
    """
    number = number_of(dwarf)
    rules = [Rules.make(count, edition, 1, {"first_seat": seat}) for count in players for seat in range(count)]
    parts = [partial(_play_part, item, item.first_seat or 0, deals, number, seed) for item in rules]
    return in_threads(parts, workers, progress)


def _play_part(rules: Rules, first: int, deals: int, dwarf: int, seed: int) -> list[Row]:
    seeds = np.array([deal_seed(seed, Purpose.FIRST_SEAT, deal, rules.players) for deal in range(deals)], np.uint64)
    results = play_matches(rules, seeds, dwarf, dwarf)
    nuggets = results["nuggets"][:, : rules.players].astype(np.int64)
    others = (nuggets.sum(axis=1) - nuggets[:, first]) / (rules.players - 1)
    return [
        {
            "players": rules.players,
            "deal": deal,
            "first_seat": first,
            "first_role": ROLES[int(item["roles"]) >> first & 1],
            "miners_won": bool(item["winner"] == MINERS),
            "first_nuggets": int(nuggets[deal, first]),
            "other_nuggets": float(others[deal]),
        }
        for deal, item in enumerate(results)
    ]


def first_seat_rows(rounds: Sequence[Row]) -> list[Row]:
    """What it changes who begins, for each number of players, with 95 % intervals from deals drawn again.

    `gain` is how much more often the miners win where one of them begins than where a saboteur does; deals without a
    saboteur say nothing of it. `nuggets` is how much more a dwarf earns where it begins than where another does.
    """
    by_players = groupby(rounds, lambda row: row["players"])
    return [row for players, selected in by_players for row in estimated([_draft(players, list(selected))])]


def _draft(players: int, rounds: Sequence[Row]) -> Draft:
    first, won, own, others = (
        np.array([row[name] for row in rounds]).reshape(players, -1).T
        for name in ("first_role", "miners_won", "first_nuggets", "other_nuggets")
    )
    miner, saboteur = (mean_where(won, first == role) for role in ROLES)
    deals = int((~np.isnan(miner - saboteur)).sum())
    return {"players": players, "deals": deals}, {"gain": miner - saboteur, "nuggets": (own - others).mean(axis=1)}
