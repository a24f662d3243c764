"""Whoever plays is told that the platform has gone away, once, and that it is back."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from boardgamesbot.cli import lookout
from boardgamesbot.client.channel import open_channel
from boardgamesbot.store.embedded import free_port

SECONDS = 30.0


async def test_it_tells_when_one_may_be_told_and_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookout, "PATIENCE_SECONDS", 0.1)
    monkeypatch.setattr(lookout, "_POLL_SECONDS", 0.02)
    address, told, asked, may_tell = f"127.0.0.1:{free_port()}", [], 0, False
    heard = asyncio.Event()

    def tell(is_there: bool) -> None:
        told.append(is_there)
        heard.set()

    def may() -> bool:
        nonlocal asked
        asked += 1
        return may_tell

    async with asyncio.timeout(SECONDS), lookout.looking_out(address, tell, may):
        while asked < 3:
            await asyncio.sleep(0.01)
        assert told == [], "a question stands there"
        may_tell = True
        await heard.wait()
        heard.clear()
        server = grpc.aio.server()
        server.add_insecure_port(address)
        await server.start()
        await heard.wait()
        await server.stop(None)
    assert told == [False, True]


async def test_as_long_as_it_answers_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookout, "PATIENCE_SECONDS", 0.5)
    monkeypatch.setattr(lookout, "_POLL_SECONDS", 0.02)
    server = grpc.aio.server()
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    told: list[bool] = []
    heard = asyncio.Event()

    def tell(is_there: bool) -> None:
        told.append(is_there)
        heard.set()

    async with asyncio.timeout(SECONDS), lookout.looking_out(f"127.0.0.1:{port}", tell, lambda: True):
        async with open_channel(f"127.0.0.1:{port}") as channel:
            await channel.channel_ready()
        assert told == []
        await server.stop(None)
        await heard.wait()
    assert told == [False], "that it is there was no news"
