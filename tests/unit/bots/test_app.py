"""The Celery application, where several threads hand out their first tasks at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kombu import pools

from boardgamesbot.bots.app import BROKER_CONNECTIONS, make_app
from boardgamesbot.runtime.settings import Settings

KOMBU_OWN = 10


@pytest.fixture(autouse=True)
def as_in_a_new_process() -> Iterator[None]:
    """The pools are the process's: as they are before anybody has asked for one, and nobody's afterwards."""
    pools.reset()
    pools.set_limit(KOMBU_OWN)
    yield
    pools.reset()


def test_a_thread_may_send_while_another_one_sends_its_first_task() -> None:
    app = make_app(Settings())
    app.conf.update(broker_url="memory://")
    with pools.producers[app.connection_for_write()].acquire(block=True):
        assert app.producer_pool.limit == BROKER_CONNECTIONS
