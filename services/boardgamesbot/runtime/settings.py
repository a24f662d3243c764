"""The settings of a process: one table, read from the environment, overridden by flags of `bgb`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from ipaddress import ip_network
from typing import Any, Self
from urllib.parse import urlsplit

ENVIRONMENT_PREFIX = "BGB_"

_POSITIVE = (
    "token_days",
    "bot_token_days",
    "bot_turn_seconds",
    "bot_think_seconds",
    "bot_memory_mb",
    "bot_notes",
    "crash_days",
    "crashes_kept",
    "choice_seconds",
    "choice_iterations",
    "quota_seconds",
    "quota_refill",
    "ticket_seconds",
    "accept_seconds",
    "rating_window",
    "rating_days",
    "rating_games",
    "gateway_requests_per_second",
    "gateway_call_seconds",
    "open_table_hours",
    "table_days",
)
"""Settings that must be more than 0."""

WORKER_QUEUES = ("quick", "deep", "all")
"""What a worker can look after: bots that answer at once, bots that search, or both."""


def words(value: str) -> list[str]:
    """The words of a setting that is a list, with commas between them."""
    return [word for word in (part.strip() for part in value.split(",")) if word]


class BadSetting(Exception):
    """A setting whose value makes no sense; the message names it."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Every setting with its default. `redis_url` is set by the environment variable BGB_REDIS_URL, and so on."""

    redis_url: str = "redis://127.0.0.1:7409/0"
    """The platform's state."""
    broker_url: str = ""
    """Celery's broker; empty: the same server as `redis_url`."""
    rules_listen: str = "127.0.0.1:7410"
    """Where the rules server listens."""
    bots_listen: str = "127.0.0.1:7411"
    """Where the bots server listens."""
    matchmaking_listen: str = "127.0.0.1:7412"
    """Where the matchmaking server listens."""
    rules_address: str = "127.0.0.1:7410"
    """Where others find the rules server."""
    bots_address: str = "127.0.0.1:7411"
    """Where others find the bots server."""
    matchmaking_address: str = "127.0.0.1:7412"
    """Where others find the matchmaking server."""
    gateway_listen: str = "127.0.0.1:8080"
    """Where the gateway listens: the page and the HTTP API."""
    gateway_address: str = "127.0.0.1:8080"
    """Where others find the gateway."""
    page: str = ""
    """The folder with the built page; empty: `web/dist` of this source tree."""
    gateway_origins: str = ""
    """Origins whose pages may use the HTTP API, `,` between them, or `*`; empty: only the gateway's own page."""
    gateway_trusted_proxies: str = ""
    """Addresses or networks of proxies whose `x-forwarded-for` is believed, `,` between them."""
    gateway_requests_per_second: float = 100.0
    """How many requests a second one address may make on the long run."""
    gateway_burst: int = 400
    """How many it may make at once, having been quiet before."""
    gateway_streams: int = 256
    """How many streams one address may have open."""
    gateway_body_bytes: int = 1_048_576
    """The largest body of a request the gateway reads, as sent and unpacked."""
    gateway_header_bytes: int = 32_768
    """The largest head of a request it reads."""
    gateway_call_seconds: float = 30.0
    """The longest a call that is no stream may take."""
    token_key: str = ""
    """The key that signs tokens, at least 32 characters; empty: one is made and kept in Redis."""
    token_days: float = 30.0
    """How long a token is good, in days."""
    bot_token_days: float = 365.0
    """How long the token of a bot account is good, and an account kept that is never online, in days."""
    slots: int = 16
    """How many slots new tables are spread over, 1 to 256."""
    dispatcher_name: str = ""
    """What a dispatcher is called in the consumer group, the same after a restart; empty: the host's name."""
    worker_processes: int = 2
    """How many bots think at the same time in one worker."""
    worker_queues: str = "all"
    """Whose turns a worker plays: quick (bots that answer at once), deep (bots that search) or all."""
    bot_turn_seconds: float = 5.0
    """The deadline of a bot's turn: it is played by then, and given out again if it is not. A second or more, since a
    bot that does not stop is given half of one before it is stopped."""
    bot_think_seconds: float = 3.0
    """How long a bot may think about one move of a turn before a simpler one answers for it."""
    bot_memory_mb: int = 512
    """How much memory thinking may take in one process, beyond what the program itself has."""
    bot_notes: int = 64
    """Of how many seats a process keeps what their bots noted for their next decision."""
    crash_days: float = 30.0
    """How long a position at which a bot failed is kept."""
    crashes_kept: int = 200
    """How many of them at most, the newest."""
    choice_seconds: float = 10.0
    """The longest a bot thinks about a move that was asked for."""
    choice_iterations: int = 1_000_000
    """The most iterations it does for one."""
    quota_seconds: float = 60.0
    """How many seconds of thinking a player may have saved up to ask for."""
    quota_refill: float = 0.5
    """How many of them come back with every second."""
    ticket_seconds: float = 30.0
    """How long a ticket lives after its player was last heard of."""
    accept_seconds: float = 20.0
    """How long the players of a match have to accept it, where one of them wants that."""
    match_move_seconds: float = 120.0
    """How long people have for each decision at a table of strangers; then a bot plays on. 0: as long as they want."""
    rating_window: float = 100.0
    """How far apart in rating the players of a match may be at first, unless their tickets say otherwise."""
    rating_window_growth: float = 10.0
    """How much more with every second a ticket has waited."""
    rating_window_max: float = 1000.0
    """How far apart at most."""
    rating_days: float = 365.0
    """How long a player's rating is kept after the last game that counted."""
    rating_games: int = 5
    """How many games a player needs to be on a leaderboard."""
    open_table_hours: float = 24.0
    """How long an open table is kept without anything happening."""
    table_days: float = 7.0
    """How long a table is kept after the last move."""
    message_bytes: int = 262_144
    """The largest request a server reads."""
    ruleset: str = ""
    """Files with rulesets to play with instead of those shipped, one a game, with `:` between them as in PATH."""
    log_level: str = "info"
    """debug, info, warning or error."""
    log_format: str = "console"
    """console, for people, or json, for machines."""

    def __post_init__(self) -> None:
        if self.token_key and len(self.token_key) < 32:
            raise BadSetting("BGB_TOKEN_KEY must have at least 32 characters")
        if not 1 <= self.slots <= 256:
            raise BadSetting(f"BGB_SLOTS must be 1 to 256, not {self.slots}")
        if self.log_level not in ("debug", "info", "warning", "error"):
            raise BadSetting(f"BGB_LOG_LEVEL must be debug, info, warning or error, not {self.log_level!r}")
        if self.log_format not in ("console", "json"):
            raise BadSetting(f"BGB_LOG_FORMAT must be console or json, not {self.log_format!r}")
        for name in _POSITIVE:
            if getattr(self, name) <= 0:
                raise BadSetting(f"{ENVIRONMENT_PREFIX}{name.upper()} must be more than 0")
        if self.match_move_seconds and not 0.1 <= self.match_move_seconds <= 30 * 86_400:
            raise BadSetting("BGB_MATCH_MOVE_SECONDS must be 0, or 0.1 seconds to 30 days")
        if self.rating_window_growth < 0:
            raise BadSetting("BGB_RATING_WINDOW_GROWTH must be 0 or more")
        if self.rating_window_max < self.rating_window:
            raise BadSetting("BGB_RATING_WINDOW_MAX must not be less than BGB_RATING_WINDOW")
        if self.bot_think_seconds >= self.bot_turn_seconds:
            raise BadSetting("BGB_BOT_THINK_SECONDS must be less than BGB_BOT_TURN_SECONDS")
        if self.worker_queues not in WORKER_QUEUES:
            raise BadSetting(f"BGB_WORKER_QUEUES must be quick, deep or all, not {self.worker_queues!r}")
        if self.quota_seconds < self.choice_seconds:
            raise BadSetting("BGB_QUOTA_SECONDS must not be less than BGB_CHOICE_SECONDS")
        if self.worker_processes < 1 or self.message_bytes < 1024:
            raise BadSetting("BGB_WORKER_PROCESSES must be at least 1, BGB_MESSAGE_BYTES at least 1024")
        if self.gateway_burst < 1 or self.gateway_streams < 1:
            raise BadSetting("BGB_GATEWAY_BURST and BGB_GATEWAY_STREAMS must be at least 1")
        if self.gateway_body_bytes < 1024 or self.gateway_header_bytes < 1024:
            raise BadSetting("BGB_GATEWAY_BODY_BYTES and BGB_GATEWAY_HEADER_BYTES must be at least 1024")
        self._check_gateway_lists()

    def _check_gateway_lists(self) -> None:
        for network in words(self.gateway_trusted_proxies):
            try:
                ip_network(network)
            except ValueError as error:
                raise BadSetting(f"BGB_GATEWAY_TRUSTED_PROXIES: {error}") from None
        for origin in words(self.gateway_origins):
            parts = urlsplit(origin)
            if origin != "*" and (
                parts.scheme not in ("http", "https") or origin != f"{parts.scheme}://{parts.netloc}"
            ):
                raise BadSetting(
                    f"BGB_GATEWAY_ORIGINS: {origin!r} is no origin, such as https://games.example, nor * for all"
                )

    @property
    def celery_broker_url(self) -> str:
        return self.broker_url or self.redis_url

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None, **overrides: Any) -> Self:
        """Settings of the environment; `overrides` that are not None win. Raises BadSetting."""
        given = os.environ if environment is None else environment
        values: dict[str, Any] = {}
        for setting in fields(cls):
            name = ENVIRONMENT_PREFIX + setting.name.upper()
            if name in given:
                kind: type[str] | type[int] | type[float] = type(setting.default)  # type: ignore[assignment]
                try:
                    values[setting.name] = kind(given[name])
                except ValueError as error:
                    raise BadSetting(f"{name} must be a number, not {given[name]!r}") from error
        values |= {name: value for name, value in overrides.items() if value is not None}
        return cls(**values)

    def to_environment(self) -> dict[str, str]:
        """The variables that give another process these settings."""
        return {ENVIRONMENT_PREFIX + f.name.upper(): str(getattr(self, f.name)) for f in fields(self)}
