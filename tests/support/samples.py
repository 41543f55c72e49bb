"""Games at random points, many games made from one view of them, and whether what these show comes up evenly."""

import numpy as np
from scipy.stats import chisquare

from saboteur_env.core import prng
from saboteur_env.core.compiled.jit import ZERO, kernel
from saboteur_env.core.compiled.memory import copy_record
from saboteur_env.engine.deal import start_match
from saboteur_env.engine.editions import Rules
from saboteur_env.engine.legal import MAX_MOVES, legal_moves
from saboteur_env.engine.moves import LAY, verb_of
from saboteur_env.engine.play import next_round_unchecked, play_unchecked
from saboteur_env.engine.state import CHOOSE_GOAL, CHOOSE_TURN, InfoState, blank
from saboteur_env.inference.gold_history import guess_gold
from saboteur_env.inference.resample import resample
from tests.long.lockstep import table

P_VALUE = 1e-5  # there are some two hundred of these tests, with fixed seeds
DRAWS = 2000


@kernel
def step(games, moves, stream, eager):
    """Play a random move, or deal the next round; `eager` of 100 times a path card where there is one."""
    game = games[0]
    public = game.public
    if public.over:
        next_round_unchecked(game)
        return
    size = legal_moves(public, game.private[public.seat], moves)
    lays = 0
    while lays < size and verb_of(np.int64(moves[lays])) == LAY:
        lays += 1
    lot, counter = prng.below(stream, ZERO, 100)
    pick = prng.below(stream, counter, lays if lays > 0 and lot < eager else size)[0]
    play_unchecked(game, np.int64(moves[pick]))


@kernel
def resample_often(games, seat, samples, stream):
    """Fill all games of `samples` from one view."""
    known = InfoState(games[0].public, games[0].private[seat], seat)
    for i in range(len(samples)):
        resample(known, samples[i], stream + np.uint64(i))


@kernel
def begin(games, seed):
    start_match(games[0], seed)


@kernel
def next_round(games):
    next_round_unchecked(games[0])


@kernel
def count_failures(games, seat, scratch, stream):
    public = games[0].public
    copy_record(scratch[0].public, public)
    return guess_gold(scratch[0], InfoState(public, games[0].private[seat], seat), stream)


def table_of(rules):
    """A game with these settings, not yet dealt."""
    games = blank()
    rules.write(games[0].public.rules)
    return games


def wander(rng, number):
    """Points of random matches at all kinds of tables, more of the rare choices: games and their rules."""
    moves = np.empty(MAX_MOVES, np.int32)
    while number > 0:
        settings = table(rng)
        try:
            rules = Rules.make(**settings)
        except ValueError:
            continue
        games, eager = table_of(rules), rng.choice([0, 60, 95, 95])
        begin(games, np.uint64(rng.getrandbits(64)))
        public = games[0].public
        while number > 0:
            stone = public.choice in (CHOOSE_TURN, CHOOSE_GOAL)
            wanted = 1 if stone else 0.5 if public.choice or public.over else 0.03
            if rng.random() < wanted:
                number -= 1
                yield games, rules
            if public.over and public.round_number == rules.rounds:
                break
            step(games, moves, np.uint64(rng.getrandbits(64)), eager)


def samples_of(games, seat, number=DRAWS, seed=1):
    samples = blank(number)
    resample_often(games, seat, samples, np.uint64(seed))
    return samples


def assert_even(seen, expected, what):
    """The counts of `seen` are what the weights of `expected` make likely; rare ones are pooled."""
    assert not set(seen) - set(expected), f"{what}: impossible {set(seen) - set(expected)}"
    total, whole = sum(seen.values()), sum(expected.values())
    rows = sorted((weight / whole * total, seen[key]) for key, weight in expected.items())
    while len(rows) > 1 and rows[0][0] < 8:
        (one, first), (other, second), *rest = rows
        rows = sorted([(one + other, first + second), *rest])
    if len(rows) > 1:
        wanted, found = zip(*rows, strict=True)
        result = chisquare(found, np.array(wanted) * total / sum(wanted))
        assert result.pvalue > P_VALUE, f"{what}: p = {result.pvalue:.2g}, {rows}"
