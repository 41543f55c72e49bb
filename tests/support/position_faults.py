"""Positions that faults are made of."""

import random

from saboteur_env import Game
from tests.support.positions import data_of, played, position


def random_move(game, chance):
    """A legal move, a path card or rockfall more often than not."""
    moves = game.legal_moves()
    lays = [move for move in moves if "@" in move]
    return chance.choice(lays if lays and chance.random() < 0.7 else moves)


def later_round(draft=False, seed=5, edition="lv"):
    """A finished second round of three, with gold from both."""
    chance = random.Random(seed)
    options = {"goal_cells": [[1, 1]], "draft": draft}
    game = Game(players=4, edition=edition, seed=seed, options=options)
    while not (game.round == 2 and game.round_over):
        if game.round_over:
            game.next_round()
        game.play(random_move(game, chance))
    return game


ROOM = """
         ?
 |
-S-o-o-. ?
 |
         ?
"""


def found(**changes):
    """A round that miners have won, as data, with these entries changed."""
    return data_of(played(position(ROOM, [["EW"]], faces=["stone:NE", "treasure"]), "EW@3,0")) | changes
