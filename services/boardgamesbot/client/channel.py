"""How clients connect: in the clear or by TLS, and what is safe to repeat is repeated while a server restarts."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import grpc


def repeating(
    *, attempts: int, first_seconds: float, most_seconds: float, factor: int, waits: bool
) -> list[tuple[str, Any]]:
    """How a channel connects, and repeats calls: so often at most, pausing longer each time.

    With `waits` a call waits for a server that is not there yet; else it fails, and is repeated.
    """
    method = {
        "name": [{}],
        "waitForReady": waits,
        "retryPolicy": {
            "maxAttempts": attempts,
            "initialBackoff": f"{first_seconds}s",
            "maxBackoff": f"{most_seconds}s",
            "backoffMultiplier": factor,
            "retryableStatusCodes": ["UNAVAILABLE", "CANCELLED"],
        },
    }
    return [
        ("grpc.service_config", json.dumps({"methodConfig": [method]})),
        ("grpc.enable_retries", 1),
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.min_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", 1_000),
    ]


OPTIONS = repeating(attempts=5, first_seconds=0.1, most_seconds=2.0, factor=2, waits=True)
"""Every method may be repeated: those that change something carry a request id, or change nothing the second time.

CANCELLED comes of a server that stops while it is at a call; where the caller gives up, nothing is repeated.
"""

CALL_SECONDS = 15.0
"""How long a call may take, waiting for a server that restarts included."""

RECONNECT_SECONDS = 0.2
"""After so long a stream is asked for again, where the server did not say when."""

_ROUND = ("grpc.lb_policy_name", "round_robin")

TLS_SCHEME = "grpcs://"
PLAIN_SCHEME = "grpc://"


@dataclass(frozen=True)
class Tls:
    """How to speak TLS with the servers: whom to believe, and what to show of oneself. All in PEM."""

    ca: bytes | None = None
    """The certificates of those who sign the servers'; None: those this machine believes."""
    certificate: bytes | None = None
    """One's own certificate, with what is between it and the `ca`; for servers that want one."""
    key: bytes | None = None
    """The key of the certificate."""

    @classmethod
    def from_files(cls, ca: str | Path = "", certificate: str | Path = "", key: str | Path = "") -> Tls:
        """What these files hold, those that are named. Raises OSError."""
        return cls(*(Path(name).read_bytes() if name else None for name in (ca, certificate, key)))

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Tls | None:
        """What BGB_TLS_CA, BGB_TLS_CERT and BGB_TLS_KEY name; None where there is no BGB_TLS_CA. Raises OSError."""
        given = os.environ if environment is None else environment
        if not given.get("BGB_TLS_CA"):
            return None
        return cls.from_files(given["BGB_TLS_CA"], given.get("BGB_TLS_CERT", ""), given.get("BGB_TLS_KEY", ""))

    def credentials(self) -> grpc.ChannelCredentials:
        """The same for gRPC."""
        return grpc.ssl_channel_credentials(self.ca, self.key, self.certificate)


def open_channel(
    address: str, tls: Tls | None = None, options: Sequence[tuple[str, Any]] | None = OPTIONS
) -> grpc.aio.Channel:
    """A channel for asyncio to `HOST:PORT`; by TLS where `tls` says how or the address begins with `grpcs://`.

    Replicas are named with commas between them, by IP address (`10.0.0.1:7410,10.0.0.2:7410`), or all at once by a DNS
    name that has a record for each (`dns:///rules:7410`): calls go round those that answer. Raises ValueError.
    """
    target, credentials = _meant(address, tls)
    target, options = _spread(target, options)
    if credentials is None:
        return grpc.aio.insecure_channel(target, options=options)
    return grpc.aio.secure_channel(target, credentials, options=options)


def open_blocking_channel(
    address: str, tls: Tls | None = None, options: Sequence[tuple[str, Any]] | None = OPTIONS
) -> grpc.Channel:
    """The same for programs without an event loop."""
    target, credentials = _meant(address, tls)
    target, options = _spread(target, options)
    if credentials is None:
        return grpc.insecure_channel(target, options=options)
    return grpc.secure_channel(target, credentials, options=options)


def _meant(address: str, tls: Tls | None) -> tuple[str, grpc.ChannelCredentials | None]:
    """Where to connect, and how. What the address says wins: `grpc://` is in the clear whatever else is known."""
    if address.startswith(PLAIN_SCHEME):
        return address.removeprefix(PLAIN_SCHEME), None
    if address.startswith(TLS_SCHEME):
        return address.removeprefix(TLS_SCHEME), (tls or Tls.from_environment() or Tls()).credentials()
    return address, tls.credentials() if tls else None


def _spread(target: str, options: Sequence[tuple[str, Any]] | None) -> tuple[str, Sequence[tuple[str, Any]] | None]:
    """The target and the options as gRPC wants them, for one server or for several. Raises ValueError."""
    if target.startswith("dns:"):
        return target, [*(options or ()), _ROUND]
    if "," not in target:
        return target, options
    places = [place.strip() for place in target.split(",")]
    kinds = {_kind(place) for place in places}
    if len(kinds) > 1:
        raise ValueError("the addresses of several servers must be of one kind, IPv4 or IPv6")
    return f"ipv{kinds.pop()}:{','.join(places)}", [*(options or ()), _ROUND, ("grpc.default_authority", places[0])]


def _kind(place: str) -> int:
    """4 or 6. Raises ValueError."""
    host, _, port = place.rpartition(":")
    with suppress(ValueError):
        if port.isdecimal():
            return ip_address(host.strip("[]")).version
    raise ValueError(
        f"{place!r} is no IP address with a port: servers with names are found together, by dns:///NAME:PORT"
    )
