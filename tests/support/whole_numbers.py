"""Whole numbers of all kinds that callers have, and what looks like one."""

from inspect import isfunction

import numpy as np
import pytest


class Index:
    """Somebody's own whole number."""

    def __init__(self, number):
        self.number = number

    def __index__(self):
        return self.number


def tensor(number):
    return pytest.importorskip("torch", reason="needs the extra learned").tensor(number)


def shown(given):
    """The name of a case, without an address, so that every worker of pytest-xdist collects the same tests."""
    return f"torch {given()}" if isfunction(given) else repr(given)


KINDS = [np.int8, np.int64, np.uint64, np.array, Index, tensor]
TRUE = [True, np.True_, lambda: tensor(True)]
