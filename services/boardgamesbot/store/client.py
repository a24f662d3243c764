"""How a process connects to Redis.

redis-py repeats a command whose connection dropped before the reply, and the first one may have been carried out:
every write of this package is made so that a repeat changes nothing.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote, urlsplit

from redis import exceptions
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import EqualJitterBackoff, NoBackoff

ANSWER_SECONDS = 5.0
"""How long a command may take; past that TimeoutError, without a second try."""

MAX_BLOCK_MS = 2_000
"""The longest a blocking read may wait in the server: well below `ANSWER_SECONDS`."""

CONNECT_SECONDS = 2.0
MAX_CONNECTIONS = 64
RETRIES = 8
SENTINEL_SCHEME = "redis+sentinel"
SENTINEL_PORT = 26379


def connect(url: str) -> Redis:
    """A client for `redis://`, `rediss://`, `unix://` or `redis+sentinel://HOST:PORT,HOST:PORT/MASTER/DB`.

    Connects at the first command. A lost connection, and a server that has become a replica, are tried again for
    about two seconds. No more than `MAX_CONNECTIONS` are open to one server; further callers wait for a free one.
    Raises ValueError if `url` makes no sense.
    """
    if urlsplit(url).scheme == SENTINEL_SCHEME:
        return _behind_sentinel(url)
    pool = BlockingConnectionPool.from_url(url, max_connections=MAX_CONNECTIONS, timeout=ANSWER_SECONDS, **_settings())
    return Redis.from_pool(pool)


def _settings() -> dict[str, Any]:
    return {
        "protocol": 2,
        "socket_timeout": ANSWER_SECONDS,
        "socket_connect_timeout": CONNECT_SECONDS,
        "socket_keepalive": True,
        "health_check_interval": 15,
        "retry": Retry(
            EqualJitterBackoff(base=0.02, cap=0.5),
            RETRIES,
            supported_errors=(exceptions.ConnectionError, exceptions.ReadOnlyError),
        ),
    }


def _behind_sentinel(url: str) -> Redis:
    parts = urlsplit(url)
    master, _, database = parts.path.strip("/").partition("/")
    credentials, _, hosts = parts.netloc.rpartition("@")
    username, _, password = credentials.partition(":")
    if not master or not hosts or not (database or "0").isdecimal():
        raise ValueError(f"not {SENTINEL_SCHEME}://HOST:PORT,HOST:PORT/MASTER/DB: {parts.path!r} after the hosts")
    sentinels = []
    for host in hosts.split(","):
        name, _, port = host.partition(":")
        sentinels.append((name, int(port or SENTINEL_PORT)))
    sentinel_settings = {
        "protocol": 2,
        "socket_timeout": CONNECT_SECONDS,
        "socket_connect_timeout": CONNECT_SECONDS,
        "retry": Retry(NoBackoff(), 0),  # rather ask the next one
    }
    sentinel = Sentinel(sentinels, sentinel_kwargs=sentinel_settings)  # type: ignore[no-untyped-call]
    client: Redis = sentinel.master_for(
        unquote(master),
        db=int(database or 0),
        username=unquote(username) or None,
        password=unquote(password) or None,
        **_settings(),
    )
    return client
