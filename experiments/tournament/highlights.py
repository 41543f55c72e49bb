"""Matches of a tournament worth a look, played again move for move or kept, with what the dwarfs thought and said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from saboteur_env.agents.matches.kernel_matches import substitute_seat
from saboteur_env.agents.matches.matchups import Matchup, Seats, play_match
from saboteur_env.agents.registry import make_agent
from saboteur_env.game.game import Game
from saboteur_env.render import replay_page, write_page
from saboteur_env.render.page import steps_of

from ..common.statistics import Values
from .speakers import CHATS, kept_match, match_name, speaks
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
    """Write the match of a highlight: its transcript, and a page to step through it with what was thought and said.

    Where somebody speaks the match is the one that was kept, and nothing is written without it: asked again, a model
    may answer otherwise. Any other is played again.

    Args:
        folder: of the tournament; both go into `games` there.
    """
    if not speaks(item.matchup):
        result = _played_again(tournament, item)
    else:
        name = match_name(tournament, item.edition, item.players, item.matchup, item.deal)
        kept = kept_match(folder / CHATS / name)
        if kept is None:
            return []
        result = kept[0], list(_spoken_notes(item, *kept))
    transcript, page = folder / "games" / f"{item.name}.json", folder / "games" / f"{item.name}.html"
    transcript.parent.mkdir(parents=True, exist_ok=True)
    write_page(transcript, result[0])
    write_page(page, replay_page(result[0], annotations=result[1]))
    return [transcript, page]


def _played_again(tournament: Tournament, item: Highlight) -> tuple[str, list[dict[str, Any]]]:
    thoughts: list[dict[str, Any]] = []
    rules = tournament.rules(item.edition, item.players)
    game, _ = play_match(rules, item.seed, item.matchup, lambda game, seats: thoughts.append(thought(game, seats)))
    return game.transcript(), thoughts


def _spoken_notes(item: Highlight, transcript: str, said: dict[tuple[int, int], str]) -> Iterator[dict[str, Any]]:
    for step in steps_of(transcript):
        if step.move is not None:
            record = step.game.records[0]
            substitute = substitute_seat(record, np.uint64(item.seed), item.matchup.role)
            where = int(record.public.round_number), int(record.public.event_count)
            yield {**thought(step.game, item.matchup.seats(step.game, substitute)), "said": said.get(where, "")}


def thought(game: Game, seats: Seats) -> dict[str, Any]:
    """The thought before a move as an annotation of the page (render/notes.py), for agents that report thoughts."""
    agents = list(map(make_agent, seats))
    mover = agents[game.seat]
    state = {seat: agent.beliefs for seat, agent in enumerate(agents) if hasattr(agent, "beliefs")}
    beliefs = {seat: believes(game.view(seat)) for seat, believes in state.items()}
    moves = mover.probabilities(game.view(game.seat)) if hasattr(mover, "probabilities") else {}
    return {"moves": moves, "beliefs": beliefs}
