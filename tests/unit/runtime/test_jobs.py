"""The jobs of a program: whatever one of them meets, it begins again, and all end when the program does."""

from __future__ import annotations

import asyncio

import pytest
from redis.exceptions import ConnectionError as StoreGone

from boardgamesbot.runtime import jobs

SECONDS = 10.0


@pytest.mark.parametrize("met", [StoreGone("gone"), ValueError("a fault of ours"), None], ids=["store", "fault", "end"])
async def test_a_job_begins_again_and_holds_up_no_other(met: Exception | None) -> None:
    stop, begun, others = asyncio.Event(), 0, 0

    async def job() -> None:
        nonlocal begun
        begun += 1
        if begun == 3:
            stop.set()
        if met is not None:
            raise met

    async def other() -> None:
        nonlocal others
        others += 1
        await asyncio.Event().wait()

    async with asyncio.timeout(SECONDS):
        await jobs.work((job, other), stop, "tester", retry_seconds=0.001)
    assert (begun >= 3, others) == (True, 1)


async def test_no_job_goes_on_when_the_program_has_stopped() -> None:
    stop, ended = asyncio.Event(), asyncio.Event()

    async def job() -> None:
        stop.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with asyncio.timeout(SECONDS):
        await jobs.work((job,), stop, "tester", retry_seconds=0.001)
    assert ended.is_set()
