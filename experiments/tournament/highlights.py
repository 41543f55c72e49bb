"""Interesting matches of a tournament, played again move for move, with the thoughts of the dwarfs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from saboteur_env.agents.matches.matchups import Matchup, Seats, play_match
from saboteur_env.agents.registry import make_agent
from saboteur_env.game.game import Game
from saboteur_env.render import replay_page, write_page

from ..common.statistics import Values
from .standings import TEAMS, Cell, cells
from .tournament import Tournament


@dataclass(frozen=True)
class Highlight:
    """A round of interest.

    Attributes:
        rank: the smaller, the more interesting among those of one name.
        seed: `Game(seed=...)` deals its match.
    """

    name: str
    why: str
    rank: float
    edition: str
    players: int
    matchup: Matchup
    deal: int
    round: int
    seed: int


def highlights(table: Any) -> list[Highlight]:
    """The most interesting round of each kind, out of those with a saboteur at the table."""
    best: dict[str, Highlight] = {}
    for result in (item for cell in cells(table) for item in _of_cell(cell)):
        if result.name not in best or result.rank < best[result.name].rank:
            best[result.name] = result
    return list(best.values())


def _of_cell(cell: Cell) -> Iterator[Highlight]:
    turns, winner = cell.columns["turns"].astype(np.float64), cell.columns["winner"]
    contested = cell.columns["saboteurs"] > 0
    share = np.zeros(turns.shape)
    for side in TEAMS:
        share += (winner == side) * (winner == side).mean(axis=(0, 2))[None, :, None]
    for name, why, rank, wanted in (
        ("quickest-treasure", "{turns} turns to the treasure", turns, winner == "miners"),
        ("latest-treasure", "{turns} turns to the treasure", -turns, winner == "miners"),
        ("upset", "{winner} win, as in {percent:.1f} % of the rounds of this cast", share, winner != "nobody"),
    ):
        if (wanted & contested).any():
            yield _first(cell, name, why, np.where(wanted & contested, rank, np.inf), share)


def _first(cell: Cell, name: str, why: str, rank: Values, share: Values) -> Highlight:
    index = np.unravel_index(rank.argmin(), rank.shape)
    turns, winner, deal, seed = (cell.columns[column][index] for column in ("turns", "winner", "deal", "seed"))
    text = why.format(turns=turns, winner=winner, percent=100 * share[index])
    matchup, number = cell.matchups[index[1]], int(index[2]) + 1
    return Highlight(
        name, text, float(rank[index]), cell.edition, int(cell.players), matchup, int(deal), number, int(seed)
    )


def save(tournament: Tournament, item: Highlight, folder: Path) -> list[Path]:
    """Play the match of a highlight again, and write its transcript and a page with the thoughts."""
    thoughts: list[dict[str, Any]] = []
    game, _ = play_match(
        tournament.rules(item.edition, item.players),
        item.seed,
        item.matchup,
        lambda game, seats: thoughts.append(thought(game, seats)),
    )
    folder.mkdir(parents=True, exist_ok=True)
    transcript, page = folder / f"{item.name}.json", folder / f"{item.name}.html"
    write_page(transcript, game.transcript())
    write_page(page, replay_page(game.transcript(), annotations=thoughts))
    return [transcript, page]


def thought(game: Game, seats: Seats) -> dict[str, Any]:
    """The thought before a move as an annotation of the page (render/notes.py), for agents that report thoughts."""
    agents = list(map(make_agent, seats))
    mover = agents[game.seat]
    state = {seat: agent.beliefs for seat, agent in enumerate(agents) if hasattr(agent, "beliefs")}
    beliefs = {seat: believes(game.view(seat)) for seat, believes in state.items()}
    moves = mover.probabilities(game.view(game.seat)) if hasattr(mover, "probabilities") else {}
    return {"moves": moves, "beliefs": beliefs}
