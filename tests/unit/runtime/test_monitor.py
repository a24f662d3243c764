"""What a program answers those who run it."""

from __future__ import annotations

import asyncio

import pytest

from boardgamesbot.runtime import metrics, monitor
from boardgamesbot.runtime.server import CannotListen
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.store.embedded import HOST, free_port


async def _ask(port: int, request: bytes) -> tuple[str, str]:
    """The first line of the answer and its body."""
    reader, writer = await asyncio.open_connection(HOST, port)
    writer.write(request)
    answer = (await asyncio.wait_for(reader.read(), 10)).decode()
    writer.close()
    return answer.partition("\r\n")[0], answer.partition("\r\n\r\n")[2]


async def _get(port: int, path: str) -> tuple[str, str]:
    return await _ask(port, f"GET {path} HTTP/1.1\r\nhost: test\r\n\r\n".encode())


async def test_a_program_is_ready_from_its_beginning_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitor, "_began", False)
    port, stop = free_port(), asyncio.Event()
    async with monitor.monitored(Settings(metrics_listen=f"{HOST}:{port}"), stop):
        assert metrics.are_kept()
        assert await _get(port, "/healthz") == ("HTTP/1.1 200 OK", "ok\n")
        assert await _get(port, "/readyz") == ("HTTP/1.1 503 Service Unavailable", "starting\n")
        monitor.ready()
        assert await _get(port, "/readyz") == ("HTTP/1.1 200 OK", "ok\n")
        stop.set()
        assert await _get(port, "/readyz") == ("HTTP/1.1 503 Service Unavailable", "stopping\n")
        assert await _get(port, "/healthz") == ("HTTP/1.1 200 OK", "ok\n"), "it lives until it is gone"
    assert not metrics.are_kept()
    with pytest.raises(OSError, match=r"refused|Connect"):
        await _get(port, "/healthz")


async def test_what_is_no_sensible_request_does_no_harm() -> None:
    port = free_port()
    async with monitor.monitored(Settings(metrics_listen=f"{HOST}:{port}"), asyncio.Event()):
        assert (await _ask(port, b"POST /metrics HTTP/1.1\r\n\r\n"))[0] == "HTTP/1.1 405 Method Not Allowed"
        assert (await _get(port, "/../etc/passwd"))[0] == "HTTP/1.1 404 Not Found"
        assert await _ask(port, b"HEAD /healthz HTTP/1.1\r\n\r\n") == ("HTTP/1.1 200 OK", "")
        for nonsense in (b"\x16\x03\x01\x00\x00\r\n\r\n", b"GET\r\n\r\n", b"G" * 100_000):
            assert (await _ask(port, nonsense))[1] == ""
        line, body = await _get(port, "/metrics?name=x")
        assert line == "HTTP/1.1 200 OK"
        assert body.endswith("\n")
        assert "# TYPE bgb_calls_total counter" in body


async def test_without_an_address_nothing_is_kept() -> None:
    async with monitor.monitored(Settings(), asyncio.Event()):
        assert not metrics.are_kept()


async def test_an_address_that_is_taken_is_named() -> None:
    address = f"{HOST}:{free_port()}"
    async with monitor.monitored(Settings(metrics_listen=address), asyncio.Event()):
        with pytest.raises(CannotListen, match=address):
            monitor.listen_on(address)
