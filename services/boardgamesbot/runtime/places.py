"""Where things are: addresses and URLs in settings, refused when nothing could ever be found there.

Only their shape is looked at; whether anybody answers there shows later. A refusal never repeats a URL: it may hold
a password.
"""

from __future__ import annotations

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

REDIS_SCHEMES = (
    "redis",
    "rediss",
    "unix",
    "redis+sentinel",
    "rediss+sentinel",
    "redis+cluster",
    "rediss+cluster",
)
_CHANNEL_SCHEMES = ("grpc://", "grpcs://")
_TARGET_SCHEMES = ("dns:", "ipv4:", "ipv6:", "unix:")
_HOST = re.compile(r"\[[0-9A-Fa-f:.%]+\]|[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252})")
_MOST_PORT = 65_535


class BadPlace(ValueError):
    """Not an address, or no URL of its kind; the message says why."""


def check_host_port(value: str, least_port: int = 0) -> None:
    """`HOST:PORT`, the host a name or an address, one of IPv6 in `[]`. Raises BadPlace."""
    host, colon, port = value.rpartition(":")
    if not colon or not _HOST.fullmatch(host):
        raise BadPlace(f"must be HOST:PORT, not {value!r}")
    if not port.isdecimal() or not least_port <= int(port) <= _MOST_PORT:
        raise BadPlace(f"must end in a port, {least_port} to {_MOST_PORT}, not {port!r}")


def check_target(value: str) -> None:
    """Where a gRPC client finds a server: `HOST:PORT`, or of several servers their IP addresses or a name for all.

    `10.0.0.1:7410,10.0.0.2:7410` or `dns:///HOST:PORT`; `grpc://` or `grpcs://` may stand before it. What else gRPC
    resolves (`ipv4:`, `ipv6:`, `unix:`) is not looked into. Raises BadPlace.
    """
    target = value.removeprefix("grpc://").removeprefix("grpcs://")
    if target.startswith("dns:"):
        check_host_port(target.rpartition("/")[2].removeprefix("dns:"), least_port=1)
    elif not target.startswith(_TARGET_SCHEMES):
        places = [place.strip() for place in target.split(",")]
        for place in places:
            check_host_port(place, least_port=1)
            if len(places) > 1 and not _is_ip(place.rpartition(":")[0]):
                raise BadPlace(
                    f"names several servers, of which {place!r} is no IP address: name them by dns:///HOST:PORT"
                )


def _is_ip(host: str) -> bool:
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def check_redis_url(value: str) -> None:
    """A URL of Redis alone, behind Sentinel or a Cluster. Raises BadPlace."""
    scheme, separator, _ = value.partition("://")
    if not separator or scheme not in REDIS_SCHEMES:
        known = ", ".join(f"{known}://" for known in REDIS_SCHEMES)
        raise BadPlace(f"must begin with one of {known}")
    try:
        parts = urlsplit(value)
    except ValueError:
        raise BadPlace("is no URL") from None
    if scheme == "unix":
        if not parts.path.strip("/"):
            raise BadPlace("must name the file of a socket: unix:///run/redis.sock")
        return
    hosts = parts.netloc.rpartition("@")[2].split(",")
    if len(hosts) > 1 and scheme in ("redis", "rediss"):
        raise BadPlace(f"names several hosts: {scheme}:// is for one, redis+sentinel:// and redis+cluster:// for more")
    for host in hosts:
        _check_redis_host(host)
    _check_redis_path(scheme, parts.path)


def _check_redis_host(host: str) -> None:
    if not host:
        raise BadPlace("names no host")
    if _HOST.fullmatch(host):
        return
    check_host_port(host, least_port=1)


def _check_redis_path(scheme: str, path: str) -> None:
    """After the hosts: a master and a database behind Sentinel, none in a Cluster, else a database."""
    words = [word for word in path.split("/") if word]
    if scheme.endswith("+sentinel"):
        if not words:
            raise BadPlace("must name the master behind the hosts: redis+sentinel://HOST:PORT,HOST:PORT/MASTER/0")
        words = words[1:]
    if len(words) > 1 or not all(word.isdecimal() for word in words):
        raise BadPlace("must end in the number of a database, or in none")
    if scheme.endswith("+cluster") and words not in ([], ["0"]):
        raise BadPlace("names a database: a Cluster has only database 0")
