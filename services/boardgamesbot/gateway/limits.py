"""How much one address may ask for: requests by a token bucket, streams by number."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

import grpc
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2 as details_pb

from boardgamesbot.runtime import errors

REMEMBERED_ADDRESSES = 20_000
STREAM_RETRY_SECONDS = 10.0
_IPV6_SITE_BITS = 64


class Clients:
    """Who is really asking, where proxies ask for others."""

    def __init__(self, trusted_proxies: Sequence[str]) -> None:
        self._trusted: list[IPv4Network | IPv6Network] = [ip_network(network) for network in trusted_proxies]

    def address(self, peer: str, forwarded_for: str) -> str:
        """The client's address: the last one of `x-forwarded-for` that is no proxy of ours; all before it is hearsay.

        A whole IPv6 site counts as one address.
        """
        address = peer
        for hop in reversed([hop.strip() for hop in forwarded_for.split(",") if hop.strip()]):
            if not self._is_trusted(address):
                break
            address = hop
        return _site(address)

    def _is_trusted(self, address: str) -> bool:
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self._trusted)


def _site(address: str) -> str:
    try:
        found = ip_address(address)
    except ValueError:
        return address[:64]
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ip_network((int(found), _IPV6_SITE_BITS), strict=False))
    return str(found)


class Limits:
    """What each address has left. `clock` gives seconds that only go forward."""

    def __init__(
        self, per_second: float, burst: int, streams: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_second = per_second
        self._burst = burst
        self._most_streams = streams
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._streams: Counter[str] = Counter()

    def request(self, address: str) -> None:
        """Count a request. Raises ApiError (RESOURCE_EXHAUSTED) where it is one too many."""
        now = self._clock()
        left, since = self._buckets.pop(address, (float(self._burst), now))
        left = min(float(self._burst), left + (now - since) * self._per_second)
        self._buckets[address] = (max(left - 1, 0.0) if left >= 1 else left, now)
        if len(self._buckets) > REMEMBERED_ADDRESSES:
            self._buckets.popitem(last=False)
        if left < 1:
            raise _exhausted(
                "TOO_MANY_REQUESTS",
                f"more than {self._per_second:g} requests a second come from your address: slow down",
                (1 - left) / self._per_second,
            )

    @contextmanager
    def stream(self, address: str) -> Iterator[None]:
        """Count a stream for as long as it is open. Raises ApiError (RESOURCE_EXHAUSTED) where it is one too many."""
        if self._streams[address] >= self._most_streams:
            raise _exhausted(
                "TOO_MANY_STREAMS",
                f"your address has {self._most_streams} streams open already: close one",
                STREAM_RETRY_SECONDS,
            )
        self._streams[address] += 1
        try:
            yield
        finally:
            self._streams[address] -= 1
            if not self._streams[address]:
                del self._streams[address]


def _exhausted(reason: str, message: str, retry_after_seconds: float) -> errors.ApiError:
    delay = Duration()
    delay.FromMilliseconds(max(1, round(retry_after_seconds * 1000)))
    return errors.ApiError(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        reason,
        message,
        details=[
            details_pb.RetryInfo(retry_delay=delay),
            details_pb.QuotaFailure(violations=[{"subject": "address", "description": message}]),
        ],
    )
