"""Token buckets by a clock of the test's own, and whose address is believed."""

from __future__ import annotations

import grpc
import pytest
from google.rpc import error_details_pb2

from boardgamesbot.runtime import limits
from boardgamesbot.runtime.errors import ApiError
from boardgamesbot.runtime.limits import Clients, Limits


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def refused(made: Limits, address: str = "a") -> float | None:
    """Seconds until the address may ask again; None: it may now, and has."""
    try:
        made.request(address)
    except ApiError as error:
        assert error.code == grpc.StatusCode.RESOURCE_EXHAUSTED
        (retry,) = [d for d in error.details if isinstance(d, error_details_pb2.RetryInfo)]
        return float(retry.retry_delay.ToMilliseconds() / 1000)
    return None


def test_a_burst_is_allowed_then_the_rate() -> None:
    clock = Clock()
    made = Limits(2.0, 3, 1, clock)
    assert [refused(made) for _ in range(4)] == [None, None, None, 0.5]
    clock.now += 0.4
    assert refused(made) == pytest.approx(0.1)
    clock.now += 0.1
    assert refused(made) is None
    assert refused(made) == pytest.approx(0.5)
    clock.now += 1000
    assert [refused(made) for _ in range(4)] == [None, None, None, 0.5], "quiet time saves up no more than a burst"


def test_who_is_refused_does_not_wait_longer_for_asking() -> None:
    clock = Clock()
    made = Limits(1.0, 1, 1, clock)
    assert refused(made) is None
    for _ in range(9):
        clock.now += 0.1
        assert refused(made) is not None
    clock.now += 0.1001
    assert refused(made) is None


def test_addresses_do_not_count_for_each_other_and_are_forgotten_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REMEMBERED", 2)
    made = Limits(0.001, 1, 1, Clock())
    assert [refused(made, address) for address in "abc"] == [None, None, None]
    assert refused(made, "c") is not None
    assert refused(made, "a") is None


def test_streams_are_given_back_whatever_ends_them() -> None:
    made = Limits(1.0, 1, 1, Clock())

    def fail() -> None:
        with made.stream("a"):
            with pytest.raises(ApiError), made.stream("a"):
                pass
            with made.stream("b"):
                pass
            raise ZeroDivisionError

    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            fail()


@pytest.mark.parametrize(
    ("trusted", "peer", "forwarded", "address"),
    [
        ((), "192.0.2.1", "203.0.113.5", "192.0.2.1"),
        (("10.0.0.0/8",), "192.0.2.1", "203.0.113.5", "192.0.2.1"),
        (("10.0.0.0/8",), "10.1.1.1", "203.0.113.5", "203.0.113.5"),
        (("10.0.0.0/8",), "10.1.1.1", "1.1.1.1, 203.0.113.5, 10.2.2.2", "203.0.113.5"),
        (("10.0.0.0/8",), "10.1.1.1", "10.3.3.3, 10.2.2.2", "10.3.3.3"),
        (("10.0.0.0/8",), "10.1.1.1", "", "10.1.1.1"),
        (("::1",), "::1", "2001:db8:0:7:1:2:3:4", "2001:db8:0:7::/64"),
        (("10.0.0.0/8",), "10.1.1.1", "not an address", "not an address"),
        ((), "::ffff:192.0.2.1", "", "192.0.2.1"),
        ((), "", "", ""),
    ],
)
def test_whose_address_it_is(trusted: tuple[str, ...], peer: str, forwarded: str, address: str) -> None:
    assert Clients(trusted).address(peer, forwarded) == address
