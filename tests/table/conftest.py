"""One server for all tests of a folder that change nothing but their own tables."""

import pytest

from tests.support.tables import served


@pytest.fixture(scope="package")
def server(tmp_path_factory):
    with served(tmp_path_factory.mktemp("tables") / "tables.sqlite") as server:
        yield server
