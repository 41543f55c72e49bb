"""The counts of fixed positions stay what engine and slow twin once agreed on."""

import json
from pathlib import Path

import pytest

from saboteur_env import Game
from saboteur_env.game.perft import count_sequences, divide
from tests.twins.oracle import perft

FILES = sorted((Path(__file__).parents[1] / "perft").glob("*.json"))
TWIN_BUDGET = 3_000  # sequences that the twin plays out for one position


def stored(file):
    data = json.loads(file.read_text())
    return data["position"], data["counts"]


@pytest.fixture(params=FILES, ids=lambda file: file.stem)
def scene(request):
    return stored(request.param)


def test_there_are_positions():
    assert len(FILES) >= 12


def test_the_engine_counts_what_is_stored(scene):
    position, counts = scene
    game = Game.from_json(json.dumps(position))
    assert [count_sequences(game, depth) for depth in range(1, 5)] == counts


@pytest.mark.nojit
def test_the_engine_counts_two_moves_of_what_is_stored(scene):
    position, counts = scene
    game = Game.from_json(json.dumps(position))
    assert [count_sequences(game, depth) for depth in (1, 2)] == counts[:2]


def test_the_twin_counts_what_is_stored(scene):
    position, counts = scene
    depth = max(depth for depth in range(1, 5) if sum(counts[: depth - 1]) <= TWIN_BUDGET)
    assert perft(position, depth) == counts[depth - 1]


def test_counting_leaves_the_game_alone(scene):
    position, _ = scene
    game = Game.from_json(json.dumps(position))
    before = game.copy()
    count_sequences(game, 3)
    assert game == before


def test_dividing_adds_up(scene):
    position, counts = scene
    game = Game.from_json(json.dumps(position))
    shares = divide(game, 3)
    assert list(shares) == game.legal_moves()
    assert sum(shares.values()) == counts[2]


def test_a_depth_of_none_is_one_sequence():
    assert count_sequences(Game(players=3, seed=7), 0) == 1


def test_a_finished_round_has_no_sequences():
    game = Game(players=3, seed=7, edition="ru")
    while not game.round_over:
        game.play(next(move for move in game.legal_moves() if move.startswith("discard")))
    assert [count_sequences(game, depth) for depth in range(3)] == [1, 0, 0]


@pytest.mark.parametrize("depth", [-1, -5])
def test_a_negative_depth_is_refused(depth):
    with pytest.raises(ValueError, match="depth"):
        count_sequences(Game(players=3, seed=7), depth)
    with pytest.raises(ValueError, match="depth"):
        divide(Game(players=3, seed=7), depth)
