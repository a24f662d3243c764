"""How a process connects to Redis.

redis-py repeats a command whose connection dropped before the reply, and the first one may have been carried out:
every write of this package is made so that a repeat changes nothing.
"""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from redis import exceptions
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import EqualJitterBackoff, NoBackoff

from boardgamesbot.store.cluster import Cluster
from boardgamesbot.store.errors import ReplyParser
from boardgamesbot.store.pools import FairPool, FairSentinelPool, Turns

ANSWER_SECONDS = 5.0
"""How long a command may take; past that TimeoutError, without a second try."""

MAX_BLOCK_MS = 2_000
"""The longest a blocking read may wait in the server: well below `ANSWER_SECONDS`."""

LONGEST_WAIT_MS = 4_000
"""The longest replicas may be waited for: the connection is needed for the answer too."""

CONNECT_SECONDS = 2.0
MAX_CONNECTIONS = 64
MOST_WAITING = 1_024
"""For a client of its own for calls that wait in the server: they keep nobody from a connection that way."""

RETRIES = 8
SENTINEL_SCHEMES = ("redis+sentinel", "rediss+sentinel")
CLUSTER_SCHEMES = ("redis+cluster", "rediss+cluster")
SENTINEL_PORT = 26379
PORT = 6379
_NO_PORT = "the port in the store's address is no number; in a password, write / ? # @ and : as %2F %3F %23 %40 and %3A"
"""Not what stands there: it may be a part of the password."""
_BACKOFF = EqualJitterBackoff(base=0.02, cap=0.5)


def connect(url: str, most: int = MAX_CONNECTIONS) -> Redis:
    """A client for one server, for the master that Sentinels name, or for a Cluster:

    - `redis://`, `rediss://` (TLS) or `unix://`, as redis-py has them;
    - `redis+sentinel://USER:PASSWORD@HOST:PORT,HOST:PORT/MASTER/DB`, these the Sentinels;
    - `redis+cluster://USER:PASSWORD@HOST:PORT,HOST:PORT`, these some of its nodes; the others are found through them.

    With `rediss+` the last two speak TLS; `?ssl_ca_certs=FILE` and the other TLS settings of redis-py may follow, for
    Sentinels also `sentinel_username` and `sentinel_password`.

    Connects at the first command. A lost connection, and a server that has become a replica, are tried again for
    about two seconds. No more than `most` commands run at a time; further callers wait their turn.
    Raises ValueError if `url` makes no sense.
    """
    parts = urlsplit(url)
    turns = Turns(most, ANSWER_SECONDS)
    if parts.scheme in SENTINEL_SCHEMES:
        return _behind_sentinel(parts, turns, most)
    if parts.scheme in CLUSTER_SCHEMES:
        return _of_cluster(parts, turns, most)
    try:
        _ = parts.port
    except ValueError:
        raise ValueError(_NO_PORT) from None
    return Redis.from_pool(FairPool.from_url(url, turns=turns, max_connections=most, **_settings()))


def is_cluster(url: str) -> bool:
    """Whether `url` names a Cluster, which Celery can't use as its broker."""
    return urlsplit(url).scheme in CLUSTER_SCHEMES


def _settings() -> dict[str, Any]:
    return {
        **_connection_settings(),
        "parser_class": ReplyParser,
        "retry": Retry(_BACKOFF, RETRIES, supported_errors=(exceptions.ConnectionError, exceptions.ReadOnlyError)),
    }


def _connection_settings() -> dict[str, Any]:
    return {
        "protocol": 2,
        "socket_timeout": ANSWER_SECONDS,
        "socket_connect_timeout": CONNECT_SECONDS,
        "socket_keepalive": True,
        "health_check_interval": 15,
    }


def _behind_sentinel(parts: SplitResult, turns: Turns, most: int) -> Redis:
    master, _, database = parts.path.strip("/").partition("/")
    hosts = _hosts(parts, SENTINEL_PORT)
    if not master or not hosts or not (database or "0").isdecimal():
        named = parts.path.rpartition("@")[2]  # a password that came there by a slip is nobody's business
        raise ValueError(f"not {parts.scheme}://HOST:PORT,HOST:PORT/MASTER/DB: {named!r} after the hosts")
    given = dict(parse_qsl(parts.query))
    tls = _tls(parts, given)
    sentinel_settings = {
        "protocol": 2,
        "socket_timeout": CONNECT_SECONDS,
        "socket_connect_timeout": CONNECT_SECONDS,
        "retry": Retry(NoBackoff(), 0),  # rather ask the next one
        "username": given.pop("sentinel_username", None),
        "password": given.pop("sentinel_password", None),
        **tls,
    }
    _nothing_else(given)
    sentinel = Sentinel(hosts, sentinel_kwargs=sentinel_settings)  # type: ignore[no-untyped-call]
    client: Redis = sentinel.master_for(
        unquote(master),
        connection_pool_class=FairSentinelPool,
        turns=turns,
        max_connections=most,
        db=int(database or 0),
        **_credentials(parts),
        **tls,
        **_settings(),
    )
    return client


def _of_cluster(parts: SplitResult, turns: Turns, most: int) -> Redis:
    hosts = _hosts(parts, PORT)
    if not hosts or parts.path.strip("/") not in ("", "0"):
        raise ValueError(f"not {parts.scheme}://HOST:PORT,HOST:PORT: a cluster has hosts, and no databases")
    given = dict(parse_qsl(parts.query))
    tls = _tls(parts, given)
    _nothing_else(given)
    settings = {"max_connections": most, **_credentials(parts), **tls, **_connection_settings()}
    cluster = Cluster(hosts, turns, _BACKOFF, RETRIES, **settings)
    return cast(Redis, cluster)


def _hosts(parts: SplitResult, default_port: int) -> list[tuple[str, int]]:
    """Raises ValueError for a port that is none."""
    hosts = []
    for host in parts.netloc.rpartition("@")[2].split(","):
        name, _, port = host.rpartition(":") if ":" in host else (host, "", "")
        if name:
            if port and not port.isdecimal():
                raise ValueError(_NO_PORT)
            hosts.append((name.strip("[]"), int(port or default_port)))
    return hosts


def _credentials(parts: SplitResult) -> dict[str, Any]:
    username, _, password = parts.netloc.rpartition("@")[0].partition(":")
    return {"username": unquote(username) or None, "password": unquote(password) or None}


def _tls(parts: SplitResult, given: dict[str, str]) -> dict[str, Any]:
    """TLS settings, taken out of `given`."""
    named = {name: given.pop(name) for name in list(given) if name.startswith("ssl_")}
    if not parts.scheme.startswith("rediss"):
        return {}
    return {"ssl": True, **named}


def _nothing_else(given: dict[str, str]) -> None:
    if given:
        raise ValueError(f"a store's address has no {', '.join(given)}")
