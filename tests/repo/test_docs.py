"""The examples in docs/ say what the library answers."""

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("page", ["equilibria.md", "infos.md", "positions.md"])
def test_the_examples_of_a_page_are_right(page):
    found = doctest.testfile(str(DOCS / page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert found.attempted > 0
    assert found.failed == 0
