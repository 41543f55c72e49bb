"""Everything that a seat has ever known of a round, in order: the name of its information set.

A view has what a seat holds now. With perfect recall a seat also knows what it held before each of its moves, and which
card it drew after it; two histories with equal views may differ in that. Solvers need the longer name.
"""

from __future__ import annotations

from ..engine.play import play_unchecked
from ..game.game import Game
from ..game.view import View


def information_state(game: Game, seat: int) -> str:
    """The information state of a seat, as text: equal for two games where it has known the same all along.

    It begins where the round was dealt, or where the game was loaded.

    Raises: ValueError for an unknown seat.

    >>> options = {"deck": {"EW": 2, "xEW": 2}, "hand_size": 1, "goal_cells": [[2, 0]], "first_seat": 0}
    >>> game = Game(3, seed=0, options=options)
    >>> game.play("EW@-1,0")
    >>> print(information_state(game, 0))
    seat 0, saboteur, holds EW
    0 EW@-1,0, holds xEW
    """
    before = game.view(seat).seat
    chapter = game._chapters[-1]
    games = chapter.deal.copy()
    view = View.of(games, game.rules, before)
    lines = [f"seat {seat}, {view.role}, {_known(view)}", *(f"{mover} {move}" for mover, move in view.record)]
    for mover, number in chapter.moves:
        play_unchecked(games[0], number)
        known, view = _known(view), View.of(games, game.rules, before)
        mover, move = view.record[-1]
        lines.append(f"{mover} {move}" + (f", {_known(view)}" if mover == seat or _known(view) != known else ""))
    return "\n".join(lines)


def _known(view: View) -> str:
    faces = "".join(f", goal {goal} {face}" for goal, face in enumerate(view.faces) if face)
    return f"holds {' '.join(view.hand) or 'nothing'}{faces}"
