"""The settings of a process: one table, read from the environment, overridden by flags of `bgb`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from boardgamesbot.archive.places import BadArchive, place_of
from boardgamesbot.runtime import keyring
from boardgamesbot.runtime.places import BadPlace, check_host_port, check_redis_url, check_target
from boardgamesbot.store.client import LONGEST_WAIT_MS, is_cluster

ENVIRONMENT_PREFIX = "BGB_"
FILE_SUFFIX = "_FILE"
"""`BGB_TOKEN_KEY_FILE` names a file that holds the value of BGB_TOKEN_KEY, and so for every setting."""

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
    "start_seconds",
    "archived_minutes",
    "undo_limit",
    "address_calls_per_second",
    "address_burst",
    "address_streams",
    "address_guests_per_minute",
    "player_calls_per_second",
    "player_burst",
    "player_streams",
    "player_open_tables",
    "player_tables_per_minute",
)
"""Settings that must be more than 0."""

TURN_MARGIN = 0.2
"""This share of a bot's deadline is kept for another try, and for the answer's way to its table."""

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
    """The platform's state: redis://, rediss:// or unix://, redis+sentinel://HOST:PORT,HOST:PORT/MASTER/DB, or
    redis+cluster://HOST:PORT,HOST:PORT."""
    broker_url: str = ""
    """Celery's broker; empty: the same server as `redis_url`. It can't be a Cluster."""
    commit_replicas: int = 0
    """On how many of Redis's replicas a move must be before it is accepted or shown; 0: the master's word is enough."""
    commit_replicas_ms: int = 1_000
    """How long that is waited for."""
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
    """The folder with the built page; empty: `web/dist` of this source tree, which may be built later."""
    gateway_origins: str = ""
    """Origins whose pages may use the HTTP API, `,` between them, or `*`; empty: only the gateway's own page."""
    gateway_trusted_proxies: str = ""
    """Addresses or networks of your proxies, `,` between them: their `x-forwarded-for` is believed, nobody else's."""
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
    token_keys: str = ""
    """Keys that sign tokens, `ID:KEY`, `,` between them: the first signs, all are believed. Wins over `token_key`."""
    token_days: float = 30.0
    """How long a token is good, in days."""
    bot_token_days: float = 365.0
    """How long the token of a bot account is good, and an account kept that is never online, in days."""
    slots: int = 16
    """How many slots new tables are spread over, 1 to 256; may grow, never shrink while there are tables."""
    dispatcher_name: str = ""
    """What a dispatcher is called in the consumer group, the same after a restart; empty: the host's name."""
    worker_processes: int = 2
    """How many bots think at the same time in one worker."""
    worker_queues: str = "all"
    """Whose turns a worker plays: quick (bots that answer at once), deep (bots that search) or all."""
    bot_turn_seconds: float = 5.0
    """The deadline of a bot's turn. One that nobody has played when a fifth of it is left is given out again, as is a
    player's time that nobody called. A second or more, since a bot that does not stop is given half of one before it is
    stopped."""
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
    """The longest a bot thinks about a move that somebody asks it for."""
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
    archive: str = ""
    """Where records of finished games are kept for good: a folder, `file:///FOLDER`, or
    `s3://BUCKET/PREFIX?endpoint=URL&region=NAME`; empty: nowhere, tables are forgotten after `table_days`."""
    archived_minutes: float = 60.0
    """How long a table stays in Redis after its record was archived."""
    undo_limit: int = 100
    """How often a player can take moves back within one turn."""
    connection_seconds: float = 300.0
    """After so long a gRPC server has a client connect anew, so that new replicas get their share; calls and streams
    under way are finished where they are. 0: never."""
    message_bytes: int = 262_144
    """The largest request a server reads."""
    ruleset: str = ""
    """Files with rulesets to play with instead of those shipped, one a game, with `:` between them as in PATH."""
    tls_cert: str = ""
    """The file with the certificate of this process, in PEM; with it, gRPC servers speak TLS only."""
    tls_key: str = ""
    """The file with its key."""
    tls_ca: str = ""
    """The file with the certificates of those who sign the others'; with it, the servers are called by TLS."""
    tls_clients: str = "any"
    """Who may call a gRPC server that speaks TLS: any, or require (only who has a certificate signed by `tls_ca`)."""
    gateway_tls_cert: str = ""
    """The file with the certificate the gateway shows to browsers; with it, the gateway speaks HTTPS only."""
    gateway_tls_key: str = ""
    """The file with its key."""
    trusted_peers: str = "127.0.0.0/8,::1/128"
    """Addresses or networks of the platform's own programs, `,` between them: they are believed for whom they ask."""
    address_calls_per_second: float = 200.0
    """How many gRPC calls a second one address may make on the long run; trusted peers are not counted themselves."""
    address_burst: int = 1_000
    """How many it may make at once, having been quiet before."""
    address_streams: int = 1_024
    """How many streams one address may have open at a server; trusted peers are not counted themselves."""
    address_guests_per_minute: float = 60.0
    """How many guests one address may make in a minute on the long run, and at once."""
    player_calls_per_second: float = 1_000.0
    """How many gRPC calls a second one player may make on the long run."""
    player_burst: int = 4_000
    """How many a player may make at once, having been quiet before."""
    player_streams: int = 1_024
    """How many streams one player may have open at a server."""
    player_open_tables: int = 200
    """How many tables that have not begun one player may have opened."""
    player_tables_per_minute: float = 600.0
    """How many tables one player may open in a minute on the long run, and at once."""
    start_seconds: float = 120.0
    """How long `bgb serve` waits for a program it has started to answer before it gives up."""
    log_level: str = "info"
    """debug, info, warning or error."""
    log_format: str = "console"
    """console, for people, or json, for machines."""
    metrics_listen: str = ""
    """Where the program answers those who run it: /metrics for Prometheus, /healthz, /readyz; empty: nowhere."""
    traces: str = ""
    """Where traces go (OTLP): grpc://HOST:PORT, grpcs://HOST:PORT, or an http or https URL; empty: nowhere."""
    traces_share: float = 1.0
    """Which share of the traces is kept, 0 to 1."""

    def __post_init__(self) -> None:
        if self.token_key and len(self.token_key) < 32:
            raise BadSetting("BGB_TOKEN_KEY must have at least 32 characters")
        if not 1 <= self.slots <= 256:
            raise BadSetting(f"BGB_SLOTS must be 1 to 256, not {self.slots}")
        if self.log_level not in ("debug", "info", "warning", "error"):
            raise BadSetting(f"BGB_LOG_LEVEL must be debug, info, warning or error, not {self.log_level!r}")
        if self.log_format not in ("console", "json"):
            raise BadSetting(f"BGB_LOG_FORMAT must be console or json, not {self.log_format!r}")
        self._check_what_is_told()
        for name in _POSITIVE:
            if getattr(self, name) <= 0:
                raise BadSetting(f"{ENVIRONMENT_PREFIX}{name.upper()} must be more than 0")
        if self.match_move_seconds and not 0.1 <= self.match_move_seconds <= 30 * 86_400:
            raise BadSetting("BGB_MATCH_MOVE_SECONDS must be 0, or 0.1 seconds to 30 days")
        if self.connection_seconds and not 0.1 <= self.connection_seconds <= 86_400:
            raise BadSetting("BGB_CONNECTION_SECONDS must be 0, or 0.1 to 86400")
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
        self._check_archive()
        self._check_security()
        self._check_places()

    def _check_archive(self) -> None:
        try:
            place_of(self.archive)
        except BadArchive as error:
            raise BadSetting(f"BGB_ARCHIVE: {error}") from None

    def _check_what_is_told(self) -> None:
        host, _, port = self.metrics_listen.rpartition(":")
        if self.metrics_listen and not (host and port.isdecimal() and int(port) < 65_536):
            raise BadSetting(f"BGB_METRICS_LISTEN must be HOST:PORT, not {self.metrics_listen!r}")
        traces = urlsplit(self.traces)
        if self.traces and not (traces.scheme in ("grpc", "grpcs", "http", "https") and traces.netloc):
            raise BadSetting(f"BGB_TRACES must be such as grpc://HOST:PORT or an http URL, not {self.traces!r}")
        if not 0 <= self.traces_share <= 1:
            raise BadSetting(f"BGB_TRACES_SHARE must be 0 to 1, not {self.traces_share:g}")

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

    def _check_security(self) -> None:
        try:
            keyring.parsed(self.token_keys)
        except ValueError as error:
            raise BadSetting(f"BGB_TOKEN_KEYS: {error}") from None
        for certificate in ("tls", "gateway_tls"):
            if bool(getattr(self, f"{certificate}_cert")) != bool(getattr(self, f"{certificate}_key")):
                name = ENVIRONMENT_PREFIX + certificate.upper()
                raise BadSetting(f"{name}_CERT and {name}_KEY go together")
        if self.tls_clients not in ("any", "require"):
            raise BadSetting(f"BGB_TLS_CLIENTS must be any or require, not {self.tls_clients!r}")
        if self.tls_clients == "require" and not (self.tls_cert and self.tls_ca):
            raise BadSetting("BGB_TLS_CLIENTS=require needs BGB_TLS_CERT, BGB_TLS_KEY and BGB_TLS_CA")
        for network in words(self.trusted_peers):
            try:
                ip_network(network)
            except ValueError as error:
                raise BadSetting(f"BGB_TRUSTED_PEERS: {error}") from None

    def _check_places(self) -> None:
        for setting in fields(self):
            name, value = setting.name, getattr(self, setting.name)
            try:
                if name.endswith("_listen") and (value or setting.default):
                    check_host_port(value)
                elif name == "gateway_address":
                    check_host_port(value, least_port=1)
                elif name.endswith("_address"):
                    check_target(value)
                elif name in ("redis_url", "broker_url") and value:
                    check_redis_url(value)
            except BadPlace as error:
                raise BadSetting(f"{ENVIRONMENT_PREFIX}{name.upper()} {error}") from None
        if not self.redis_url:
            raise BadSetting("BGB_REDIS_URL must not be empty")
        self._check_store()

    def _check_store(self) -> None:
        if is_cluster(self.broker_url):
            raise BadSetting(
                "BGB_BROKER_URL is a Cluster, which Celery can't use: name a Redis alone or behind Sentinel"
            )
        if is_cluster(self.redis_url) and not self.broker_url:
            raise BadSetting(
                "BGB_REDIS_URL is a Cluster, which Celery can't use as its broker: set BGB_BROKER_URL too, to a Redis "
                "alone or behind Sentinel"
            )
        if not 0 <= self.commit_replicas <= 16:
            raise BadSetting(f"BGB_COMMIT_REPLICAS must be 0 to 16, not {self.commit_replicas}")
        if not 1 <= self.commit_replicas_ms <= LONGEST_WAIT_MS:
            raise BadSetting(f"BGB_COMMIT_REPLICAS_MS must be 1 to {LONGEST_WAIT_MS}, not {self.commit_replicas_ms}")

    @property
    def bot_again_ms(self) -> int:
        """After so long a bot's turn that nobody has played is given out again, in time for its deadline."""
        return int((1 - TURN_MARGIN) * self.bot_turn_seconds * 1000)

    @property
    def celery_broker_url(self) -> str:
        return self.broker_url or self.redis_url

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None, **overrides: Any) -> Self:
        """Settings of the environment and of files it names; `overrides` that are not None win. Raises BadSetting."""
        given = os.environ if environment is None else environment
        values: dict[str, Any] = {}
        for setting in fields(cls):
            name = ENVIRONMENT_PREFIX + setting.name.upper()
            value = _given(name, given)
            if value is not None:
                kind: type[str] | type[int] | type[float] = type(setting.default)  # type: ignore[assignment]
                try:
                    values[setting.name] = kind(value)
                except ValueError as error:
                    raise BadSetting(f"{name} must be a number, not {value!r}") from error
        values |= {name: value for name, value in overrides.items() if value is not None}
        return cls(**values)

    def to_environment(self) -> dict[str, str]:
        """The variables that give another process these settings."""
        return {ENVIRONMENT_PREFIX + f.name.upper(): str(getattr(self, f.name)) for f in fields(self)}


def _given(name: str, environment: Mapping[str, str]) -> str | None:
    """What an environment says a variable is, itself or by a file; None: nothing. Raises BadSetting."""
    file = environment.get(name + FILE_SUFFIX)
    if not file:
        return environment.get(name)
    if environment.get(name):
        raise BadSetting(f"{name} and {name}{FILE_SUFFIX} are both set: leave one out")
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "is not text in UTF-8"
        raise BadSetting(f"{name}{FILE_SUFFIX}: {file} cannot be read: {why}") from None
