"""PettingZoo's own tests, as an AEC environment and through its wrapper for turn games, without a warning of ours."""

import warnings

import pytest
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from saboteur_env import env

with warnings.catch_warnings():
    # The tests load one of PettingZoo's own games in a way that PettingZoo has deprecated.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
    from pettingzoo.test.state_test import state_test

TABLES = [(players, edition) for players in (3, 5, 10) for edition in ("lv", "lt", "uk", "ru", "fa")]
SHAPES = [
    {},
    {"form": "dict"},
    {"mask_in": "info"},
    {"form": "dict", "mask_in": "info"},
    {"history": 0, "window": "full"},
    {"reward": "zero_sum", "shaping": "public", "gamma": 0.9},
    {"illegal": "penalty", "options": {"draft": True}},
]

# PettingZoo's remarks on what is meant to be so here; any other warning fails the test.
MEANT = {
    # The mask is part of the observation, as in PettingZoo's own classic games, which it knows by name.
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    # Said of the same dict, and of the dict form with an array for each field.
    "Observation is not a NumPy array",
}


def checked(test, *given, **more):
    """Run a test of PettingZoo's; whatever is warned of is meant so."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        test(*given, **more)
    remarks = {str(item.message) for item in caught}
    assert remarks <= MEANT, remarks - MEANT


def parallel(**settings):
    return turn_based_aec_to_parallel(env(illegal="penalty", **settings))


@pytest.mark.parametrize(("players", "edition"), TABLES)
def test_the_interface(players, edition):
    checked(api_test, env(players=players, edition=edition), num_cycles=80)


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_the_interface_in_every_form(shape):
    checked(api_test, env(players=4, **shape), num_cycles=70)


@pytest.mark.parametrize(("players", "edition"), TABLES)
def test_seeds(players, edition):
    checked(seed_test, lambda: env(players=players, edition=edition), num_cycles=70)


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_seeds_in_every_form(shape):
    checked(seed_test, lambda: env(players=4, **shape), num_cycles=70)


@pytest.mark.parametrize(("players", "edition"), TABLES)
def test_the_state(players, edition):
    settings = {"players": players, "edition": edition}
    checked(state_test, env(illegal="penalty", **settings), parallel(**settings), num_cycles=10)


@pytest.mark.parametrize(("players", "edition"), TABLES)
def test_as_a_parallel_environment(players, edition):
    checked(parallel_api_test, parallel(players=players, edition=edition), num_cycles=300)


@pytest.mark.parametrize(("players", "edition"), TABLES)
def test_seeds_of_a_parallel_environment(players, edition):
    checked(parallel_seed_test, lambda: parallel(players=players, edition=edition), num_cycles=50)
