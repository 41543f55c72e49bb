"""What nobody at the table may see, as numbers: who is a saboteur, where the treasure lies, which cards each side holds.

It reads a whole game, as the search samples one. In training it stands beside the view in the inputs of a critic, which
judges and never plays (Pinto and others, "Asymmetric actor critic for image-based robot learning", RSS 2018).
"""

from __future__ import annotations

from typing import Any

from saboteur_env.core.compiled.jit import kernel
from saboteur_env.core.field import named_rows
from saboteur_env.engine.cards import KINDS, ROLES, TREASURE
from saboteur_env.engine.state import MAX_GOALS, MAX_PLAYERS, State

SECRET_ROW, SECRET_ROWS = named_rows(
    saboteur=tuple(f"seat {seat} is a saboteur" for seat in range(1, MAX_PLAYERS)),
    treasure=tuple(f"goal {goal} is the treasure" for goal in range(MAX_GOALS)),
    needed="cards needed to the treasure",
    hands=tuple(f"{kind} in hands of {role}s" for role in ROLES for kind in KINDS),
)


@kernel
def write_secrets(game: State, needed: Any, row: Any) -> None:
    """Write the secrets of a whole game, from the seat to move on.

    Args:
        needed: cards needed to each goal (heuristics/card_distance.py).
        row: float32[len(SECRET_ROWS)]. Mutates it.
    """
    public, secret, players = game.public, game.secret, game.public.rules.players
    for j in range(len(row)):
        row[j] = 0.0
    for index in range(players):
        private = game.private[(public.seat + index) % players]
        if index > 0:
            row[SECRET_ROW.saboteur + index - 1] = private.role
        first = SECRET_ROW.hands + len(KINDS) * private.role
        for kind in range(len(KINDS)):
            row[first + kind] += private.hand[kind] / 2
    for goal in range(public.rules.goals):
        if secret.face[goal] == TREASURE:
            row[SECRET_ROW.treasure + goal] = 1
            row[SECRET_ROW.needed] = needed[goal] / 8
