"""What the kernels do as plain Python too: CI runs the tests marked `nojit` once more with NUMBA_DISABLE_JIT=1."""

import json
import random

import pytest

from saboteur_env import Game, game_seed
from saboteur_env.core.prng import GOLDEN
from tests.long.lockstep import choose, compare
from tests.twins.cards import EDITIONS
from tests.twins.oracle import Oracle

pytestmark = pytest.mark.nojit

WORD = (1 << 64) - 1
NEAR = {"goal_cells": [[2, -1], [3, 0], [2, 1]]}
BIASES = ["uniform", "east", "around goals", "rockfalls", "between goals"]


def play_alike(game, bias, rng):
    """Play a round in engine and oracle."""
    oracle = Oracle(json.loads(game.to_json()))
    compare(game, oracle)
    while not oracle.round_over:
        move = choose(rng, bias, oracle)
        game.play(move)
        oracle.play(move)
        compare(game, oracle)


@pytest.mark.parametrize("options", [{}, {**NEAR, "draft": True, "broken_no_gold": True}], ids=["printed", "near"])
@pytest.mark.parametrize(("edition", "players"), list(zip(EDITIONS, (3, 5, 7, 10, 4), strict=True)))
def test_a_match_goes_as_in_the_oracle(edition, players, options):
    rng = random.Random(edition)
    game = Game(players=players, edition=edition, seed=11, rounds=2, options=options)
    play_alike(game, rng.choice(BIASES), rng)
    game.next_round()
    play_alike(game, rng.choice(BIASES), rng)


def test_views_transcripts_and_positions_come_back():
    game = Game(players=3, seed=4)
    for _ in range(20):
        game.play(game.legal_moves()[0])
    assert Game.from_json(game.to_json()) == game
    assert Game.replay(game.transcript()) == game
    assert game.view(0) == game.copy().view(0)


def mixed(word):
    """SplitMix64's mix in whole numbers without end."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31


@pytest.mark.parametrize("seed", [0, 1, 3, (1 << 63) + 5, WORD])
def test_chance_wraps_around_as_words_do(seed):
    golden = int(GOLDEN)
    for index, episode in [(0, 0), (4095, 0), (17, 9)]:
        wanted = mixed(mixed(mixed(seed + golden & WORD) + index + golden & WORD) + episode + golden & WORD)
        assert game_seed(seed, index, episode) == wanted
