"""Addresses and URLs in settings: what nothing could ever be found at is refused, and no password is repeated."""

from __future__ import annotations

import pytest

from boardgamesbot.runtime.masking import shown, without_password
from boardgamesbot.runtime.places import BadPlace, check_host_port, check_redis_url, check_target
from boardgamesbot.runtime.settings import BadSetting, Settings


@pytest.mark.parametrize("value", ["127.0.0.1:7410", "rules:0", "[::]:7410", "a.b-c.example:65535", "rules_1:80"])
def test_a_place_to_listen(value: str) -> None:
    check_host_port(value)


@pytest.mark.parametrize(
    "value", ["", "7410", ":7410", "rules", "rules:", "rules:x", "rules:65536", "http://rules:80", "::1:80", "a b:80"]
)
def test_no_place_to_listen(value: str) -> None:
    with pytest.raises(BadPlace):
        check_host_port(value)


@pytest.mark.parametrize(
    "value",
    [
        "rules:7410",
        "10.0.0.1:1,[::1]:2",
        "dns:///rules:7410",
        "dns:rules:7410",
        "unix:/run/rules",
        "grpcs://rules:7410",
    ],
)
def test_a_server_to_call(value: str) -> None:
    check_target(value)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "rules",
        "rules:0",
        "10.0.0.1:1,10.0.0.2",
        "a:1,b:2",
        "10.0.0.1:1,,10.0.0.2:2",
        "dns:///rules",
        "https://rules:7410",
    ],
)
def test_no_server_to_call(value: str) -> None:
    with pytest.raises(BadPlace):
        check_target(value)


@pytest.mark.parametrize(
    "value",
    [
        "redis://redis:6379/0",
        "redis://redis",
        "redis://:p%2Fw@redis:6379/1?health_check_interval=3",
        "rediss://user:pw@[::1]:6379",
        "unix:///run/redis.sock?db=2",
        "redis+sentinel://:pw@a:26379,b,c:1/main/0",
        "redis+cluster://a:1,b:2",
    ],
)
def test_a_redis(value: str) -> None:
    check_redis_url(value)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("redis:6379", "begin with"),
        ("amqp://broker", "begin with"),
        ("redis://", "no host"),
        ("redis://redis:port/0", "port"),
        ("redis://redis:70000/0", "port"),
        ("redis://a:1,b:2/0", "several"),
        ("redis://redis:6379/zero", "database"),
        ("redis+sentinel://a:1,b:2", "master"),
        ("redis+cluster://a:1,b:2/3", "database 0"),
        ("unix://", "socket"),
    ],
)
def test_no_redis(value: str, why: str) -> None:
    with pytest.raises(BadPlace, match=why):
        check_redis_url(value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BGB_REDIS_URL", ""),
        ("BGB_REDIS_URL", "redis://:hunter2@redis:x/0"),
        ("BGB_BROKER_URL", "amqp://user:hunter2@broker/"),
        ("BGB_RULES_LISTEN", "7410"),
        ("BGB_RULES_LISTEN", ""),
        ("BGB_MATCHMAKING_ADDRESS", "matchmaking"),
        ("BGB_GATEWAY_ADDRESS", "dns:///gateway:80"),
    ],
)
def test_a_bad_place_is_refused_by_the_name_of_its_setting_and_without_its_password(name: str, value: str) -> None:
    with pytest.raises(BadSetting, match=name) as refused:
        Settings.from_environment({name: value})
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "value", "seen"),
    [
        ("token_key", "k" * 40, "***"),
        ("token_keys", "a:" + "k" * 40, "***"),
        ("token_key", "", ""),
        ("token_days", 30.0, "30.0"),
        ("tls_key", "certs/key.pem", "certs/key.pem"),
        ("redis_url", "redis://ann:hunter2@redis/0", "redis://ann:***@redis/0"),
        ("redis_url", "redis+sentinel://:hunter2@a:1,b:2/main", "redis+sentinel://:***@a:1,b:2/main"),
        ("redis_url", "redis://redis/0?password=hunter2&db=1", "redis://redis/0?password=***&db=1"),
        ("redis_url", "redis://redis:6379/0", "redis://redis:6379/0"),
    ],
)
def test_what_is_secret_is_not_shown(name: str, value: object, seen: str) -> None:
    assert shown(name, value) == seen


@pytest.mark.parametrize(
    ("url", "seen"),
    [
        ("redis://:secret@h:1/0", "redis://:***@h:1/0"),
        ("redis+cluster://u:secret@a:1,b:2", "redis+cluster://u:***@a:1,b:2"),
        (
            "redis+sentinel://:secret@a:1/main/0?sentinel_password=secret",
            "redis+sentinel://:***@a:1/main/0?sentinel_password=***",
        ),
        ("redis://h:1/0", "redis://h:1/0"),
    ],
)
def test_an_address_is_shown_without_what_is_secret(url: str, seen: str) -> None:
    assert without_password(url) == seen
