"""The mask against the legal moves, at every step of many rounds.

    python -m tests.long.mask_check --rounds 10000

The environment and a `Game` play the same moves side by side. At each step the mask of the seat to move
is the set of the game's legal moves inside the window, that of every other seat is empty, and after the
match both hold the same record. A match is settled by its number, so one that fails is seen again with
`--match N`.
"""

import argparse
import random
import time
from collections import Counter
from functools import cache

import numpy as np

from saboteur_env import Game, env
from saboteur_env.environment.actions import WINDOWS, Actions

EDITIONS = ("lv", "lt", "uk", "ru", "fa")
LAYOUTS = (
    {},
    {"goal_cells": [[2, -1], [2, 0], [2, 1]]},
    {"goal_cells": [[3, 0], [2, 1], [3, 2]]},
    {"goal_cells": [[1, -1], [-2, 0], [1, 1]]},
)
COUNTED = ("@", "rockfall", "break", "repair", "map", "discard", "turn", "reveal", "take", "claim", "accuse", "vouch")


@cache
def action_of(text, seat, players, window):
    """The action of a move, remembered."""
    return Actions(window, talk=True).number(text, seat, players)


@cache
def inside(text, window):
    """Whether a move has no cell, or one inside the window."""
    if "@" not in text:
        return True
    column, row = map(int, text.split("@")[1].split(","))
    west, east, north, south = WINDOWS[window]
    return -west <= column <= east and -north <= row <= south


def table(number):
    """The settings of a match: every count, edition and window comes by."""
    rng = random.Random(f"table {number}")
    return {
        "players": 3 + number % 8,
        "edition": EDITIONS[number // 8 % 5],
        "rounds": rng.choice([1, 2, 3]),
        "window": rng.choice(list(WINDOWS)),
        "options": {
            **rng.choice(LAYOUTS),
            "draft": rng.random() < 0.5,
            "break_self": rng.random() < 0.7,
            "talk": rng.choice(["none", "none", "claims"]),
        },
    }


def choose(rng, moves):
    """Mostly a card laid to the east, often anything."""
    lays = [move for move in moves if "@" in move and not move.startswith("rockfall")]
    if not lays or rng.random() < 0.4:
        return rng.choice(moves)
    return max(rng.sample(lays, min(4, len(lays))), key=lambda move: int(move.split("@")[1].split(",")[0]))


def twin_of(made, seed):
    """The game that the environment plays after `reset(seed)`."""
    rules = made.settings.rules
    return Game(rules.players, rules.edition, seed, rules.rounds, rules.options())


def check_step(made, game):
    """Asserts that all masks are right; returns the legal moves inside the window."""
    seat, players, window = game.seat, game.rules.players, made.settings.window
    legal = game.legal_moves()
    shown = [move for move in legal if inside(move, window)]
    masks = [made.observe(f"dwarf_{index}")["action_mask"] for index in range(players)]
    wanted = sorted(action_of(move, seat, players, window) for move in shown)
    assert np.flatnonzero(masks[seat]).tolist() == wanted, f"seat {seat} may {shown} in\n{game}"
    assert wanted, f"an empty mask in\n{game}"
    assert masks[seat].max() == 1
    assert masks[seat].dtype == np.int8
    assert shown == legal or window != "full"
    assert not any(mask.any() for index, mask in enumerate(masks) if index != seat), f"seat {seat} moves, others may"
    return shown


def check_match(number):
    """One match; returns what happened in it.

    Raises: AssertionError where mask or records differ.
    """
    rng, settings, counts = random.Random(f"match {number}"), table(number), Counter()
    made = env(history=0, **settings)
    made.reset(seed=number)
    game = twin_of(made, number)
    while not game.over:
        if game.round_over:
            game.next_round()
        assert made.agent_selection == f"dwarf_{game.seat}"
        shown = check_step(made, game)
        counts["outside the window"] += len(game.legal_moves()) - len(shown)
        move = choose(rng, shown)
        made.step(action_of(move, game.seat, game.rules.players, settings["window"]))
        game.play(move)
        counts.update({"steps": 1, "rounds": int(game.round_over), **{word: int(word in move) for word in COUNTED}})
    assert made.game.records.tobytes() == game.records.tobytes(), f"match {number}: {settings}"
    return counts


def run(rounds, first=0):
    """Whole matches, until so many rounds are played.

    Raises: AssertionError that names the match.
    """
    counts, number = Counter(), first
    while counts["rounds"] < rounds:
        try:
            counts.update(check_match(number))
        except AssertionError as error:
            raise AssertionError(f"match {number}: {table(number)}\n{error}") from None
        number += 1
    return counts


def main():
    parser = argparse.ArgumentParser(description="Checks the action mask at every step.")
    parser.add_argument("--rounds", type=int, default=10_000, help="at least so many rounds")
    parser.add_argument("--match", type=int, help="only this match")
    given = parser.parse_args()
    began = time.perf_counter()
    counts = check_match(given.match) if given.match is not None else run(given.rounds)
    for name, number in counts.items():
        print(f"{name:>20} {number:>9}")
    print(f"all masks right, {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
