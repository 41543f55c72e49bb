"""Transitions of each seat against a slow reference that follows one seat of one game at a time."""

import numpy as np
import pytest

from saboteur_env import make_vec
from saboteur_env.batch.trajectories import PENDING, link


def stream(steps, games, seed, **settings):
    """A stream of random play in a batch: seats, rewards and ends."""
    vec = make_vec(games, seed=seed, observations=False, mask=None, threads=1, **settings)
    seats, rewards, ends = [], [], []
    for step in range(steps):
        seats.append(vec.seat.copy())
        vec.step(vec.sample(step))
        rewards.append(vec.reward.copy())
        ends.append(vec.ended.copy())
    return np.array(seats), np.array(rewards), np.array(ends)


def slow_transition(seats, rewards, ends, step, game):
    """What the seat that acts here is paid, where it acts next, whether the end comes first."""
    seat, paid = seats[step, game], 0.0
    for later in range(step, len(seats)):
        if later > step and seats[later, game] == seat:
            return paid, later, False
        paid += rewards[later, game, seat]
        if ends[later, game]:
            return paid, PENDING, True
    return paid, PENDING, False


@pytest.mark.parametrize("players", [3, 5, 10])
@pytest.mark.parametrize("reward", ["side", "nuggets", "match"])
def test_transitions_are_those_of_each_seat_alone(players, reward):
    seats, rewards, ends = stream(460, 5, seed=players, players=players, rounds=2, reward=reward)
    assert ends.any()
    linked = link(seats, rewards, ends)
    for step, game in np.ndindex(seats.shape):
        expected = slow_transition(seats, rewards, ends, step, game)
        got = linked.reward[step, game], linked.following[step, game], linked.terminal[step, game]
        assert got == pytest.approx(expected)


def test_the_picture_of_the_docstring():
    seats = np.array([[0], [1], [0], [1], [2]])
    rewards, ends = np.zeros((5, 1, 10)), np.zeros((5, 1), bool)
    rewards[4, 0, :3], ends[4] = (1, -1, 1), True
    linked = link(seats, rewards, ends)
    assert linked.following[:, 0].tolist() == [2, 3, PENDING, PENDING, PENDING]
    assert linked.terminal[:, 0].tolist() == [False, False, True, True, True]
    assert linked.reward[:, 0].tolist() == [0, 0, 1, -1, 1]


def test_a_seat_that_never_acts_again_keeps_what_it_is_paid():
    seats, rewards, ends = np.array([[0], [1], [1]]), np.zeros((3, 1, 10)), np.zeros((3, 1), bool)
    rewards[1, 0, 0], rewards[2, 0, 0] = 0.5, 0.25
    assert link(seats, rewards, ends).reward[0, 0] == 0.75
    assert not link(seats, rewards, ends).terminal[0, 0]
    ends[2] = True
    assert link(seats, rewards, ends).terminal[0, 0]


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"\[steps, games\]"):
        link(np.zeros((3, 2)), np.zeros((3, 2)), np.zeros((3, 2)))
