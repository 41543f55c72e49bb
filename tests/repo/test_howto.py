"""Every block of the pages that say how something is done runs alone."""

import pytest

from tests.support.pages import BLOCKS, HOWTO, run_alone


@pytest.mark.parametrize("name", [name for name in BLOCKS if name.startswith(HOWTO)])
def test_each_block_of_a_page_runs_alone(name, tmp_path, monkeypatch):
    run_alone(name, tmp_path, monkeypatch)
