"""Expected observations, read off the position in words."""

import random
from collections import Counter
from functools import cache

from saboteur_env import Game
from saboteur_env.engine.cards import KINDS
from saboteur_env.environment.observations import Observations
from tests.support.positions import played, position

NEAR = {"goal_cells": [[1, -1], [2, 0], [1, 1]]}

SETTINGS = [
    {"players": 3},
    {"players": 10, "edition": "lt"},
    {"players": 3, "edition": "uk", "options": NEAR},
    {"players": 4, "edition": "ru", "options": NEAR},
    {"players": 5, "edition": "fa", "options": {"broken_no_gold": True, "draft": True} | NEAR},
    {"players": 6, "options": {"draft": True, "break_self": False} | NEAR},
    {"players": 7, "options": {"goal_cells": [[2, 0]], "hand_size": 2}},
    {"players": 8, "edition": "uk", "options": {"goal_cells": [[2, -1], [2, 0], [2, 1]], "draft": True}},
    {"players": 9, "options": {"goal_cells": [[-2, 0], [2, 0]]}},
]

TWO_PIECES = """
 . . . . . . . . ?

 . . o-x . . . . .
 |   |
-S-o-o-. . o-o-. ?
 |   |     |
 . . . . . . . . .

 . . . . . . . . ?
"""

REVEALED = """
 . . . . . . . . ?

 . . . . . . . . .
 | |           |
-S-o-o-o-o-o-o-o-c
 |     |   |     |
 . . . . . . . . .

 . . . . . . . . ?
"""


@cache
def drawn():
    """Positions as drawn, which no change of dealing can alter."""
    return (
        position(),
        position(TWO_PIECES, [["rockfall", "NES"]], broken=[[], ["cart", "lantern"]], maps=[[1], [0, 2], []]),
        position(TWO_PIECES, edition="ru", players=10, seat=4, discards=["xN", ("map", 3), ("NES", 3), ("xNS", 9)]),
        position(REVEALED, players=5, seat=2, roles=["saboteur", "miner", "miner", "saboteur", "miner"]),
        played(position(TWO_PIECES, [["rockfall", "NE"], ["break:cart"]]), "rockfall@2,0", "break:cart:2"),
    )


@cache
def moments():
    """Games from all over a few matches, those in which a choice is to be made among them."""
    rng, result = random.Random(0), []
    for number, setting in enumerate(SETTINGS * 7):
        game = Game(seed=number, rounds=2, **setting)
        while not game.over:
            if game.round_over:
                game.next_round()
            moves = game.legal_moves()
            game.play(rng.choice([move for move in moves if "@" in move] or moves))
            choosing = any(move.startswith(("turn", "reveal")) for move in game.legal_moves())
            if rng.random() < (0.15 if game.winner else 0.015) or choosing:
                result.append(game.copy())
    return (*drawn(), *result)


def known_faces(data, seat):
    """What each goal shows to a seat, None where it does not know."""
    read = data["maps"][seat]
    return [goal["face"] if goal["open"] or number in read else None for number, goal in enumerate(data["goals"])]


def of_kinds(cards):
    counts = Counter(cards)
    return [counts[kind] for kind in KINDS]


def seen(game, seat, window="medium", history=16):
    watcher = Observations(window, history)
    return watcher.split(watcher.observe(game.view(seat)))
