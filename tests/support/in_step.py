"""An engine and its slow twin in step for many matches: what runs of both games have in common.

A match is played by ``play_match(seed, number, counts)``, which raises an AssertionError where the two differ and
counts what happened, moves above all.
"""

import argparse
import multiprocessing
import time
from collections import Counter


def run(play_match, moves, seed, start=0, step=1):
    """Plays whole matches until this many moves are reached, and counts what happened in them.

    Args:
        moves: the least number of moves to play.
        seed: settles every match together with its number.
        start: the number of the first match.
        step: how far the numbers go on from match to match, so that several workers share them.
    """
    counts = Counter()
    while counts["moves"] < moves:
        play_match(seed, start, counts)
        counts["matches"] += 1
        start += step
    return counts


def _run(arguments):
    return run(*arguments)


def run_workers(play_match, moves, seed, workers):
    """`run`, shared out among processes of their own."""
    if workers == 1:
        return run(play_match, moves, seed)
    shares = [(play_match, -(-moves // workers), seed, worker, workers) for worker in range(workers)]
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        return sum(pool.imap_unordered(_run, shares), Counter())


def report(counts, interesting, seconds):
    """A small table of what happened, with what never happened marked."""
    speed = counts["moves"] / seconds
    print(f"{counts['moves']} moves in {counts['matches']} matches, {speed:.0f} moves/s, no difference")
    for name in interesting:
        print(f"{name:>32} {counts[name]:>9}{'' if counts[name] else '  never'}")


def main(does, play_match, interesting, moves):
    parser = argparse.ArgumentParser(description=does)
    parser.add_argument("--moves", type=int, default=moves, help="at least so many moves")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--match", type=int, help="only this match of the seed")
    given = parser.parse_args()
    began = time.perf_counter()
    if given.match is not None:
        counts = run(play_match, 1, given.seed, start=given.match)
    else:
        counts = run_workers(play_match, given.moves, given.seed, given.workers)
    report(counts, interesting, time.perf_counter() - began)
