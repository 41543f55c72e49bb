"""Ratings of dwarfs by role: Plackett-Luce as in OpenSkill (V. Joshy, Journal of Open Source Software 2024).

A rating system that adds up the skills of a team predicts a sure win for three dwarfs against one. So a match has two
players here: an agent as the miners, and an agent as the saboteurs.
"""

from __future__ import annotations

from typing import Any

from saboteur_env.core.extras import extra

from ..common.statistics import Row
from .standings import TEAMS


def rating_rows(table: Any) -> list[Row]:
    """Ratings from all rounds of all pairs with a saboteur at the table, in the order of the table.

    `rating` starts at 25 and `uncertainty` (a standard deviation) at 25/3. Dwarfs do not learn between matches, so
    nothing is added to the uncertainty.

    Args:
        table: as `tournament.evaluate` returns it (extra `report`).
    """
    with extra("report"):
        import pyarrow.compute as pc
        from openskill.models import PlackettLuce

    model: Any = PlackettLuce(tau=0)
    met = table.filter((pc.field("substitute") == "") & (pc.field("saboteurs") > 0))
    pairs = list(zip(met["miners_by"].to_pylist(), met["saboteurs_by"].to_pylist(), strict=True))
    names = dict.fromkeys([(miners, "miners") for miners, _ in pairs] + [(other, "saboteurs") for _, other in pairs])
    ratings = {name: model.rating() for name in names}
    rounds = dict.fromkeys(names, 0)
    for pair, winner in zip(pairs, met["winner"].to_pylist(), strict=True):
        sides = list(zip(pair, TEAMS, strict=True))
        rated = model.rate([[ratings[side]] for side in sides], ranks=[side[1] != winner for side in sides])
        for side, (rating,) in zip(sides, rated, strict=True):
            ratings[side] = rating
            rounds[side] += 1
    rows = [
        {"agent": agent, "side": side, "rounds": rounds[agent, side], "rating": one.mu, "uncertainty": one.sigma}
        for (agent, side), one in ratings.items()
    ]
    return sorted(rows, key=lambda row: -row["rating"])
