"""How much anybody may ask of a server: calls by a bucket that fills again, streams by number. Kept in this process.

What is remembered is bounded: who floods a server from ever new addresses pushes out only those long quiet.
"""

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

REMEMBERED = 20_000
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
            if not self.is_trusted(address):
                break
            address = hop
        return _site(address)

    def is_trusted(self, address: str) -> bool:
        """Whether an address is a proxy of ours."""
        try:
            found = ip_address(address)
        except ValueError:
            return False
        if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
            found = found.ipv4_mapped
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


class Bucket:
    """A bucket for each of many: it holds `most`, and `per_second` come back. `clock` gives seconds that go forward."""

    def __init__(self, per_second: float, most: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_second = per_second
        self._most = max(1.0, most)
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, whose: str) -> float:
        """Take one. 0 if it was there, else after how many seconds it will be."""
        now = self._clock()
        left, since = self._left.pop(whose, (self._most, now))
        left = min(self._most, left + (now - since) * self.per_second)
        there = left >= 1
        self._left[whose] = (left - 1 if there else left, now)
        if len(self._left) > REMEMBERED:
            self._left.popitem(last=False)
        return 0.0 if there else (1 - left) / self.per_second


class Streams:
    """How many streams each of many has open."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._open: Counter[str] = Counter()

    @contextmanager
    def one(self, whose: str) -> Iterator[bool]:
        """Count a stream for as long as it is open; gives whether there was room for it."""
        if self._open[whose] >= self.most:
            yield False
            return
        self._open[whose] += 1
        try:
            yield True
        finally:
            self._open[whose] -= 1
            if not self._open[whose]:
                del self._open[whose]


class Limits:
    """What each address, or each player, has left: `subject` says which of the two, as in "your address"."""

    def __init__(
        self,
        per_second: float,
        burst: int,
        streams: int,
        clock: Callable[[], float] = time.monotonic,
        *,
        subject: str = "address",
    ) -> None:
        self._subject = subject
        self._requests = Bucket(per_second, burst, clock)
        self._streams = Streams(streams)

    def request(self, whose: str) -> None:
        """Count a request. Raises ApiError (RESOURCE_EXHAUSTED) where it is one too many."""
        wait = self._requests.take(whose)
        if wait:
            message = f"more than {self._requests.per_second:g} requests a second come from {self._whose}: slow down"
            raise exhausted("TOO_MANY_REQUESTS", message, wait, self._subject)

    @contextmanager
    def stream(self, whose: str) -> Iterator[None]:
        """Count a stream for as long as it is open. Raises ApiError (RESOURCE_EXHAUSTED) where it is one too many."""
        with self._streams.one(whose) as has_room:
            if not has_room:
                most = self._streams.most
                message = f"{most} streams are open for {self._whose} already: close one"
                raise exhausted("TOO_MANY_STREAMS", message, STREAM_RETRY_SECONDS, self._subject)
            yield

    @property
    def _whose(self) -> str:
        return "your address" if self._subject == "address" else "you"


def exhausted(reason: str, message: str, retry_after_seconds: float, subject: str) -> errors.ApiError:
    """One too many of `subject`'s; after the delay there will be room."""
    delay = Duration()
    delay.FromMilliseconds(max(1, round(retry_after_seconds * 1000)))
    return errors.ApiError(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        reason,
        message,
        details=[
            details_pb.RetryInfo(retry_delay=delay),
            details_pb.QuotaFailure(violations=[{"subject": subject, "description": message}]),
        ],
    )
