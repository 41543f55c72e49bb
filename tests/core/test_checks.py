"""Any whole number is one; true and false are none."""

import operator

import numpy as np
import pytest

from saboteur_env import Game
from saboteur_env.core.checks import as_int, checked_int, checked_real
from saboteur_env.environment.settings import Settings
from tests.support.whole_numbers import KINDS, TRUE, shown, tensor

TRUTHS = [*TRUE, False, np.array(True)]
NO_NUMBERS = [*TRUTHS, None, 1.0, np.float64(1), "1", [1], np.array([1]), lambda: tensor([1]), 1j, object]


@pytest.mark.parametrize("kind", KINDS)
def test_any_whole_number_is_one(kind):
    assert as_int(kind(7)) == 7
    assert type(as_int(kind(7))) is int
    assert checked_real("gamma", kind(1), 0, 1) == 1.0


@pytest.mark.parametrize("given", NO_NUMBERS, ids=shown)
def test_what_is_none_is_named(given):
    value = given() if callable(given) and given is not object else given
    assert as_int(value) is None
    with pytest.raises(ValueError, match="seats must be a whole number from 0 to 3, not"):
        checked_int("seats", value, range(4))


@pytest.mark.parametrize("value", [0.25, np.float32(0.25), np.float16(0.25), np.array(0.25), lambda: tensor(0.25)])
def test_real_numbers(value):
    number = checked_real("gamma", value() if callable(value) else value, 0, 1)
    assert (number, type(number)) == (0.25, float)


@pytest.mark.parametrize("value", [True, np.True_, "0.5", None, float("nan"), 1.5, -1, [0.5], np.array([0.5]), 1j])
def test_what_is_no_real_number_is_named(value):
    with pytest.raises(ValueError, match="gamma must be a number from 0 to 1, not"):
        Settings(gamma=value)


def test_a_number_too_long_to_be_written_is_told_by_its_type():
    with pytest.raises(ValueError, match=r"a seed is a whole number from 0 below 2\*\*64, not a value of type int"):
        Game(seed=10**5000)


def test_an_index_that_raises_is_no_number():
    class Broken:
        __index__ = None

    with pytest.raises(TypeError):
        operator.index(Broken())
    assert as_int(Broken()) is None
