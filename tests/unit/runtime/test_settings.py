"""Settings: one table, from the environment, overridden by flags, refused when they make no sense."""

from __future__ import annotations

import pytest

from boardgamesbot.runtime.settings import BadSetting, Settings


def test_the_environment_is_read_by_name_and_type() -> None:
    settings = Settings.from_environment({"BGB_SLOTS": "4", "BGB_TOKEN_DAYS": "0.5", "BGB_RULES_LISTEN": "h:1"})
    assert (settings.slots, settings.token_days, settings.rules_listen) == (4, 0.5, "h:1")


def test_a_flag_wins_over_the_environment_and_one_left_out_does_not() -> None:
    environment = {"BGB_SLOTS": "4", "BGB_LOG_LEVEL": "error"}
    settings = Settings.from_environment(environment, slots=2, log_level=None)
    assert (settings.slots, settings.log_level) == (2, "error")


def test_settings_survive_the_way_through_an_environment() -> None:
    settings = Settings(
        slots=3, token_key="k" * 40, bot_turn_seconds=1.5, bot_think_seconds=1.0, broker_url="redis://b/1"
    )
    assert Settings.from_environment(settings.to_environment()) == settings


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BGB_SLOTS", "many"),
        ("BGB_SLOTS", "0"),
        ("BGB_SLOTS", "257"),
        ("BGB_TOKEN_KEY", "short"),
        ("BGB_LOG_LEVEL", "loud"),
        ("BGB_LOG_FORMAT", "xml"),
        ("BGB_METRICS_LISTEN", "9090"),
        ("BGB_METRICS_LISTEN", "localhost:http"),
        ("BGB_METRICS_LISTEN", "localhost:99999"),
        ("BGB_TRACES", "collector:4317"),
        ("BGB_TRACES", "grpc://"),
        ("BGB_TRACES_SHARE", "1.5"),
        ("BGB_BOT_TURN_SECONDS", "0"),
        ("BGB_BOT_THINK_SECONDS", "5"),
        ("BGB_WORKER_PROCESSES", "0"),
        ("BGB_WORKER_QUEUES", "slow"),
        ("BGB_BOT_MEMORY_MB", "0"),
        ("BGB_CHOICE_SECONDS", "0"),
        ("BGB_QUOTA_SECONDS", "9"),
        ("BGB_RATING_GAMES", "0"),
        ("BGB_MESSAGE_BYTES", "10"),
        ("BGB_COMMIT_REPLICAS", "-1"),
        ("BGB_COMMIT_REPLICAS", "17"),
        ("BGB_COMMIT_REPLICAS_MS", "0"),
        ("BGB_COMMIT_REPLICAS_MS", "5000"),
        ("BGB_REDIS_URL", "redis+cluster://a:1"),
        ("BGB_GATEWAY_ORIGINS", "games.example"),
        ("BGB_GATEWAY_ORIGINS", "https://games.example/page"),
        ("BGB_GATEWAY_TRUSTED_PROXIES", "10.0.0.0/33"),
        ("BGB_GATEWAY_TRUSTED_PROXIES", "proxy.example"),
        ("BGB_GATEWAY_REQUESTS_PER_SECOND", "0"),
        ("BGB_GATEWAY_STREAMS", "0"),
        ("BGB_GATEWAY_BODY_BYTES", "10"),
        ("BGB_TOKEN_KEYS", "x"),
        ("BGB_TLS_CERT", "rules.pem"),
        ("BGB_TLS_CLIENTS", "some"),
        ("BGB_GATEWAY_TLS_KEY", "page.key"),
        ("BGB_TRUSTED_PEERS", "10.0.0.0/33"),
        ("BGB_PLAYER_BURST", "0"),
        ("BGB_ADDRESS_GUESTS_PER_MINUTE", "0"),
    ],
)
def test_a_bad_setting_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(BadSetting, match=name):
        Settings.from_environment({name: value})


def test_the_broker_is_the_platforms_redis_unless_said_otherwise() -> None:
    assert Settings(redis_url="redis://a/0").celery_broker_url == "redis://a/0"
    assert Settings(redis_url="redis://a/0", broker_url="redis://b/0").celery_broker_url == "redis://b/0"
