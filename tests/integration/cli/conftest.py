"""A running `bgb serve` for the commands that need one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.platform import Serve, Supervised


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Supervised]:
    with Serve(tmp_path_factory.mktemp("serve")) as supervised:
        yield supervised
