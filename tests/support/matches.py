"""Matches that the tests of the checked game share."""

import random

from saboteur_env import Game

NEAR = {"goal_cells": [[2, -1], [2, 0], [2, 1]]}


def match(seed, players=4, **more):
    """A whole match played at random."""
    game, rng = Game(players=players, seed=seed, **more), random.Random(seed)
    while not game.over:
        if game.round_over:
            game.next_round()
        moves = game.legal_moves()
        game.play(rng.choice([move for move in moves if "@" in move] or moves))
    return game


def finished_round(seed=1, rounds=3):
    game = Game(players=3, seed=seed, rounds=rounds)
    while not game.round_over:
        game.play(next(move for move in game.legal_moves() if move.startswith("discard")))
    return game
