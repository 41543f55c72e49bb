"""All that the pages on learned agents tell of strength, measured again: study by study, each into its folder.

Run as ``saboteur-env study learned-page``. A stopped command goes on where it was.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from saboteur_env.terminal import console

from .common.options import Fresh, OneWorker
from .studies import find_studies

STUDY = "learned-page"

ANSWERED_ARMS = ("family", "population", "exploiters", "prioritised")  # of training: `unknown` writes their weights
ARM_WEIGHTS = "ppo-small:results/unknown/arms/{}.safetensors"
# The studies of the page, and how they differ from their defaults.
PARTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("learned-tables", {"agent": "ppo", "rounds": 10_000}),
    ("small-tables", {}),
    ("unknown", {"out": Path("results/unknown")}),
    (
        "unknown",
        {
            "arms": "",
            "agents": "ppo,ppo-small",
            "players": "5,7,10",
            "seats": "side",
            "deals": 350,
            "out": Path("results/strangers"),
        },
    ),
    ("cross-play", {}),
    (
        "exploit-tables",
        {
            "agents": "ppo-small,ppo",
            "players": "5",
            "methods": "shipped small network",
            "decisions": 4_000_000,
            "deals": 3000,
            "out": Path("results/exploit_small"),
        },
    ),
    (
        "exploit-tables",
        {
            "agents": ",".join(["ppo-small", *map(ARM_WEIGHTS.format, ANSWERED_ARMS)]),
            "players": "5",
            "methods": "shipped small network",
            "decisions": 2_000_000,
            "deals": 3000,
            "out": Path("results/exploit_arms"),
        },
    ),
    ("network-search", {}),
    (
        "network-search",
        {"searchers": "search:iterations=16000", "deals": 100, "out": Path("results/equal_time")},
    ),
    ("search-regret", {}),
    ("expert-iteration", {}),
    ("doubt", {"deals": 40}),
)


def main(
    only: Annotated[str, typer.Option(help="Some of the studies, such as unknown,cross-play.")] = ",".join(dict(PARTS)),
    workers: OneWorker = 1,
    fresh: Fresh = False,
) -> None:
    """Measure again all that the pages on learned agents tell of strength.

    Writes what its studies write.
    """
    studies, chosen = find_studies(), only.split(",")
    if unknown := set(chosen) - {*dict(PARTS)}:
        raise ValueError(f"no study of the page: {', '.join(sorted(unknown))}; there are {', '.join(dict(PARTS))}")
    for name, options in PARTS:
        if name in chosen:
            console.print(f"[bold]{name}[/bold]")
            studies[name].main()(**options, workers=workers, fresh=fresh)
