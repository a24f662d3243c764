"""The settings of a process: one table, read from the environment, overridden by flags of `bgb`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

ENVIRONMENT_PREFIX = "BGB_"

_POSITIVE = (
    "token_days",
    "bot_turn_seconds",
    "bot_think_seconds",
    "ticket_seconds",
    "accept_seconds",
    "rating_window",
    "rating_days",
    "rating_games",
    "open_table_hours",
    "table_days",
)
"""Settings that must be more than 0."""


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
    token_key: str = ""
    """The key that signs tokens, at least 32 characters; empty: one is made and kept in Redis."""
    token_days: float = 30.0
    """How long a token is good, in days."""
    slots: int = 16
    """How many slots new tables are spread over, 1 to 256."""
    dispatcher_name: str = ""
    """What a dispatcher is called in the consumer group, the same after a restart; empty: the host's name."""
    worker_processes: int = 2
    """How many bots think at the same time in one worker."""
    bot_turn_seconds: float = 5.0
    """How long a bot's turn may rest before the watchdog wakes the bot again."""
    bot_think_seconds: float = 3.0
    """How long a bot may think about one move before a simpler one answers for it."""
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
        if self.worker_processes < 1 or self.message_bytes < 1024:
            raise BadSetting("BGB_WORKER_PROCESSES must be at least 1, BGB_MESSAGE_BYTES at least 1024")

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
