"""Wazabi's engine agrees with its slow twin, in matches in which everything that is rare has happened."""

import json

import pytest

from saboteur_env.wazabi import Game
from tests.long import wazabi_lockstep
from tests.long.wazabi_lockstep import INTERESTING, run


@pytest.fixture(scope="module")
def counts():
    return run(5_000, seed=4)


def test_engine_and_oracle_never_differ(counts):
    assert counts["moves"] >= 5_000


@pytest.mark.parametrize("event", INTERESTING)
def test_the_run_has_seen(counts, event):
    assert counts[event] > 0


@pytest.mark.nojit
def test_they_agree_with_the_compiler_off_too():
    assert run(400, seed=3)["moves"] >= 400


@pytest.mark.parametrize("name", ["known", "sure", "pile", "dice", "discards"])
def test_a_difference_would_be_found(monkeypatch, name):
    real = Game.to_json

    def wrong(game):
        position = json.loads(real(game))
        if position["turns"] > 3:
            position[name] = position[name][:-1]
        return json.dumps(position)

    monkeypatch.setattr(Game, "to_json", wrong)
    with pytest.raises(AssertionError, match=f"{name}: engine"):
        wazabi_lockstep.run(500, seed=0)
