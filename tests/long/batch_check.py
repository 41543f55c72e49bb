"""The batch against the single game, bit for bit, over many rounds.

    python -m tests.long.batch_check --rounds 100000 --workers 2

A table is a batch of some size, on one or two threads, with games of 3 to 10 players in turn, and a `Game`
beside each of its games. Both play the same moves; after every step the records must be the same bytes, and what
the batch tells of ends must be what happened. A table is settled by its number, so one that fails is
seen again with `--table N`.
"""

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from multiprocessing import get_context

from saboteur_env import Game, game_seed, make_vec
from saboteur_env.batch.outputs import LEGAL

EDITIONS = ("lv", "lt", "uk", "ru", "fa")
SIZES = (1, 2, 5, 16, 40)
STEPS = 450  # of a table: three matches or so


def batch_of(number):
    """The batch of a table: every edition, size, number of threads and rounds, talk, actions and moves."""
    size, edition = SIZES[number % 5], EDITIONS[number // 5 % 5]
    players = [3 + (number + i) % 8 for i in range(size)]
    threads, rounds, legal = 1 + number // 25 % 2, 1 + number // 50 % 3, LEGAL[number // 150 % 2]
    unseen = {"observations": False, "mask": None, "legal": legal}
    talk = {"talk": "claims" if number % 3 == 1 else "none"}
    return make_vec(size, players, seed=number, threads=threads, edition=edition, rounds=rounds, options=talk, **unseen)


def twin_of(vec, i):
    """The checked game of the episode that a game of the batch is in."""
    settings = vec.settings
    seed = game_seed(vec.seed, i, int(vec.episode[i]))
    return Game(int(vec.players[i]), settings.edition, seed, settings.rounds, settings.options)


def follow(vec, i, game):
    """The twin where the batch has gone on after an end."""
    assert (vec.round_over[i], vec.ended[i]) == (game.round_over, game.over), f"game {i}: an end is missing"
    if not game.round_over:
        return game
    if game.over:
        assert vec.nuggets[i, : game.rules.players].tolist() == game.nuggets, f"game {i}: nuggets"
        return twin_of(vec, i)
    game.next_round()
    return game


def check_table(number, steps=STEPS):
    """Play a table and return its finished rounds. Raises: AssertionError where batch and game differ."""
    vec = batch_of(number)
    twins, rounds = [twin_of(vec, i) for i in range(vec.num_games)], 0
    for step in range(steps):
        actions = vec.sample(step)
        for i, game in enumerate(twins):
            game.play(vec.text(i, actions[i]))
        vec.step(actions)
        rounds += int(vec.round_over.sum())
        twins = [follow(vec, i, game) for i, game in enumerate(twins)]
        for i, game in enumerate(twins):
            assert vec.records[i].tobytes() == game.records[0].tobytes(), f"table {number}, step {step}, game {i}"
    vec.close()
    return rounds


def main():
    parser = argparse.ArgumentParser(description="Compares the batch with the single game.")
    parser.add_argument("--rounds", type=int, default=100_000, help="at least so many rounds")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--table", type=int, help="only this table")
    given = parser.parse_args()
    began, rounds, tables = time.perf_counter(), 0, 0
    if given.table is not None:
        print(f"table {given.table}: {check_table(given.table)} rounds, no difference")
        return
    with ProcessPoolExecutor(given.workers, get_context("spawn")) as pool:
        for first in count(0, 10 * given.workers):
            for played in pool.map(check_table, range(first, first + 10 * given.workers)):
                rounds, tables = rounds + played, tables + 1
            print(f"{rounds:,} rounds, {tables:,} tables, {time.perf_counter() - began:.0f} s", flush=True)
            if rounds >= given.rounds:
                break
    print("no difference")


if __name__ == "__main__":
    main()
