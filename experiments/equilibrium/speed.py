"""How fast are trees built and walked, beside OpenSpiel? Run as ``saboteur-env study tree-speed`` (extra `bench`).

A walk is what one iteration of CFR+ does for one player: all nodes, with the values of all moves.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Annotated, Any

import typer

from saboteur_env.core.extras import extra
from saboteur_env.mines import mine_of
from saboteur_env.terminal import console, plain_table

from ..common.statistics import Row
from .cfr import Cfr
from .tree import build

STUDY = "tree-speed"


def speed_rows(mine: str = "K8", runs: int = 5) -> list[Row]:
    """Nodes a second, the median over the runs: trees of ours, the same tree in OpenSpiel, and Leduc poker in its C++.

    Args:
        mine: of our trees; OpenSpiel's Python game is K3, as it is slow.
    """
    with extra("bench"):
        import pyspiel
        from open_spiel.python.algorithms.cfr import CFRPlusSolver

        from .openspiel import openspiel_game

    rules, small, leduc = mine_of(mine).rules(), build(mine_of("K3").rules()), pyspiel.load_game("leduc_poker")
    tree = build(rules)
    ours, theirs, native = Cfr(tree), CFRPlusSolver(openspiel_game(small)), pyspiel.CFRPlusSolver(leduc)
    nodes = count_nodes(leduc.new_initial_state())
    return [
        _row("build", mine, tree.nodes, runs, lambda: build(rules)),
        _row("walk", mine, tree.nodes * rules.players, runs, ours.step),
        _row("walk, OpenSpiel in Python", "K3", small.nodes * 3, runs, theirs.evaluate_and_update_policy),
        _row("walk, OpenSpiel in C++", "Leduc poker", nodes * 2, runs, native.evaluate_and_update_policy),
    ]


def count_nodes(state: Any) -> int:
    """The nodes below a state of OpenSpiel, itself and those of chance among them."""
    return 1 + sum(count_nodes(state.child(action)) for action in state.legal_actions())


def _row(what: str, game: str, nodes: int, runs: int, work: Callable[[], object]) -> Row:
    work()  # compiles
    seconds = []
    for _ in range(runs):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return {"what": what, "game": game, "nodes": nodes, "nodes a second": nodes / median(seconds)}


def main(
    mine: Annotated[str, typer.Option(help="Of our trees.")] = "K8",
    runs: Annotated[int, typer.Option(min=1, help="Runs; the median counts.")] = 5,
) -> None:
    """How fast trees are built and walked, beside OpenSpiel."""
    rows = speed_rows(mine, runs)
    cells = [[row["what"], row["game"], f"{row['nodes']:,}", f"{row['nodes a second']:,.0f}"] for row in rows]
    console.print(plain_table("Nodes a second", [*rows[0]], cells))
