"""The client without an event loop."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator, Callable, Iterator
from typing import Any

import pytest

from boardgamesbot.client import BlockingClient, Client
from boardgamesbot.client.blocking import Loop

PUBLIC = sorted(name for name in vars(Client) if not name.startswith("_"))


@pytest.fixture
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.close()


@pytest.mark.parametrize("name", PUBLIC)
def test_it_has_every_method_of_the_other_with_its_arguments(name: str) -> None:
    other: Callable[..., Any] = getattr(Client, name)
    mine: Callable[..., Any] = getattr(BlockingClient, name)
    assert list(inspect.signature(mine).parameters) == list(inspect.signature(other).parameters)
    assert mine.__doc__
    assert not inspect.iscoroutinefunction(mine)
    assert not inspect.isasyncgenfunction(mine)


def test_what_goes_wrong_is_raised_where_it_is_waited_for(loop: Loop) -> None:
    async def work() -> int:
        raise KeyError("lost")

    with pytest.raises(KeyError, match="lost"):
        loop.run(work())


def test_who_stops_early_ends_the_stream(loop: Loop) -> None:
    ended: list[str] = []

    async def numbers() -> AsyncGenerator[int, None]:
        try:
            for number in range(1000):
                yield number
        finally:
            await asyncio.sleep(0)
            ended.append("ended")

    items = loop.iterate(numbers())
    assert [next(items), next(items)] == [0, 1]
    assert ended == []
    items.close()
    assert ended == ["ended"]
    assert list(loop.iterate(numbers())) == list(range(1000))


def test_what_is_false_is_an_item_too(loop: Loop) -> None:
    async def numbers() -> AsyncGenerator[int | None, None]:
        yield 0
        yield None
        yield 1

    assert list(loop.iterate(numbers())) == [0, None, 1]
