"""A view written over an earlier view of the same game is the one written into an empty array."""

import numpy as np
import pytest

from saboteur_env import make_vec

ROCKS = {"deck": {"NESW": 12, "EW": 12, "NS": 12, "xNESW": 6, "rockfall": 14, "map": 6}}


def assert_drawn(vec):
    for i in range(vec.num_games):
        whole = vec.settings.observations.observe(vec.game(i).view(int(vec.seat[i])))
        assert np.array_equal(vec.observation[i], whole), f"game {i}"


@pytest.mark.parametrize("window", ["printed", "small", "medium", "large", "full"])
def test_every_view_of_a_batch_is_the_one_written_whole(window):
    vec = make_vec(4, players=[3, 4, 6, 10], seed=6, window=window, history=5, options=ROCKS)
    for step in range(150):
        assert_drawn(vec)
        vec.step(vec.sample(step))


@pytest.mark.parametrize("edition", ["uk", "fa"])
def test_goals_that_turn_up_and_stones_that_are_turned_are_drawn(edition):
    vec = make_vec(4, players=3, seed=2, edition=edition, options={"goal_cells": [(3, -1), (3, 1)]})
    for step in range(200):
        assert_drawn(vec)
        vec.step(vec.sample(step))


def test_several_moves_may_lie_between_two_views():
    vec = make_vec(4, players=5, seed=3)
    vec.control([0, "random", "careless", "scripted", "random"])
    vec.reset()
    for step in range(60):
        assert_drawn(vec)
        vec.step(vec.sample(step))


def test_a_batch_that_was_restored_shows_its_records():
    vec = make_vec(4, players=5, seed=4)
    kept = vec.records.copy(), vec.results.copy()
    for step in range(25):
        vec.step(vec.sample(step))
    vec.restore(*kept)
    assert_drawn(vec)
