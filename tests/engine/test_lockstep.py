"""The engine agrees with its slow twin, in games in which everything that is rare has happened."""

import pytest

from tests.long.lockstep import INTERESTING, run

# Seen in long runs only; the table that `python -m tests.long.lockstep` prints counts it.
RARE = {"treasure without gold"}


@pytest.fixture(scope="module")
def counts():
    return run(5_000, seed=1)


def test_engine_and_oracle_never_differ(counts):
    assert counts["moves"] >= 5_000


@pytest.mark.parametrize("event", sorted(set(INTERESTING) - RARE))
def test_the_run_has_seen(counts, event):
    assert counts[event] > 0
