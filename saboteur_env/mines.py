"""Small mines whose game trees can be searched whole: the benchmark games of hidden roles, as Leduc is of poker.

They come from the ordinary rules by custom decks, goals, hands and roles. A mine is frozen: what differs gets another
name, so that a published value can be reproduced for ever.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from .engine.editions import Rules
from .game.game import Game


@dataclass(frozen=True)
class Mine:
    """A small mine, of one round.

    Attributes:
        name: by which it is asked for.
        players: at the table.
        options: what differs from the edition (docs/rules.md, section 8), for every door that takes `options`.
        deals: how many distinct deals there are; a hand has no order, the deck has.
        nodes: histories of its tree, the root, draws of several outcomes and the ends among them.
        decisions: information sets where the seat to move has a choice.
        edition: whose rules hold.
    """

    name: str
    players: int
    options: Mapping[str, Any]
    deals: int
    nodes: int
    decisions: int
    edition: str = "lv"

    def rules(self) -> Rules:
        """Its settings, checked."""
        return Rules.make(self.players, self.edition, 1, self.options)

    def game(self, seed: int | None = None) -> Game:
        """A game of one round.

        Raises: ValueError for a bad seed.
        """
        return Game(self.players, self.edition, seed, 1, self.options)


def _mine(name: str, counts: tuple[int, int, int], players: int = 3, **options: Any) -> Mine:
    roles = {"saboteurs": 1, "miners": players - 1}
    return Mine(name, players, MappingProxyType({"role_table": roles, "first_seat": 0} | options), *counts)


_K7_DECK = {"EW": 3, "xEW": 1, "break:pickaxe": 2}
MINES = {
    mine.name: mine
    for mine in (
        _mine("K3", (36, 3_685, 602), goal_cells=[[3, 0]], deck={"EW": 2, "xEW": 1, "break:pickaxe": 1}, hand_size=1),
        _mine(
            "K7",
            (240, 148_757, 12_650),
            goal_cells=[[3, 0]],
            deck=_K7_DECK,
            hand_size=1,
            role_table={"saboteurs": 1, "miners": 3},
        ),
        _mine("K8", (45, 109_954, 12_776), goal_cells=[[3, 0]], deck=_K7_DECK, hand_size=2),
        _mine(
            "L4", (180, 304_987, 23_092), goal_cells=[[3, -1], [3, 1]], deck={"EW": 2, "NESW": 2, "map": 1}, hand_size=1
        ),
        _mine(
            "M4",
            (480, 409_313, 24_850),
            players=4,
            goal_cells=[[2, -1], [2, 1]],
            deck={"NESW": 2, "xEW": 1, "map": 1, "rockfall": 1},
            hand_size=1,
        ),
    )
}


def mine_of(name: str) -> Mine:
    """The mine of a name.

    Raises: ValueError that lists the names there are.
    """
    if name not in MINES:
        raise ValueError(f"there is no mine {name!r}; there are {', '.join(MINES)}")
    return MINES[name]
