"""A part of tests/long/leak_check.py for every run of the suite, and a leak planted to see that it would be found."""

import pytest

from saboteur_env import Game
from tests.long import leak_check


def test_what_a_seat_cannot_know_changes_nothing_that_it_sees():
    met = leak_check.run(points=500, seed=1, pictures=20, every=5)
    assert met["resamples that differ"] > 0.99 * met["resamples"]


def test_a_leak_would_be_found(monkeypatch):
    real = leak_check.seen

    def leaking(game, seat):
        flat, mask = real(game, seat)
        flat[-1] = game.records[0].secret.face[0]
        return flat, mask

    monkeypatch.setattr(leak_check, "seen", leaking)
    with pytest.raises(AssertionError, match="the observation differs"):
        leak_check.run(points=100, seed=1)


def test_resample_is_the_same_by_either_door():
    game = Game(players=5, seed=3)
    assert game.resample(2, 7) == game.view(2).resample(7) != game.view(2).resample(8)
    with pytest.raises(ValueError, match="seed"):
        game.resample(2, -1)
    with pytest.raises(ValueError, match="seats go from 0 to 4"):
        game.resample(5, 1)
