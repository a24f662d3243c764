"""Celery connects to the Redis that an address names."""

from __future__ import annotations

import pytest

from boardgamesbot.bots.app import make_app
from boardgamesbot.bots.broker import broker
from boardgamesbot.runtime.settings import BadSetting, Settings


def test_one_server_is_named_as_it_is() -> None:
    assert broker("redis://:p@h:1/2") == ("redis://:p@h:1/2", {})


def test_sentinels_are_named_one_by_one_with_their_master() -> None:
    url, options = broker("redis+sentinel://u:p%40@a:1,b:2/the%20main/3?sentinel_password=s")
    assert url == "sentinel://u:p%40@a:1/3;sentinel://u:p%40@b:2/3"
    assert options == {"master_name": "the main", "sentinel_kwargs": {"password": "s"}}
    app = make_app(Settings(redis_url="redis+sentinel://a:1,b:2/main/0"))
    assert app.conf.broker_transport_options["master_name"] == "main"
    assert app.conf.broker_transport_options["visibility_timeout"] > 60


@pytest.mark.parametrize("scheme", ["redis+cluster", "rediss+cluster"])
def test_a_cluster_can_not_be_the_broker(scheme: str) -> None:
    with pytest.raises(BadSetting, match="BGB_BROKER_URL"):
        Settings(redis_url=f"{scheme}://a:1,b:2")
    with pytest.raises(BadSetting, match="BGB_BROKER_URL"):
        Settings(broker_url=f"{scheme}://a:1,b:2")
    assert Settings(redis_url=f"{scheme}://a:1,b:2", broker_url="redis://c:3/0").celery_broker_url == "redis://c:3/0"
