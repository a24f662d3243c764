"""Answers that one process waits for and another gives."""

from __future__ import annotations

import asyncio

import pytest
from redis.asyncio import Redis

from boardgamesbot.store import keys
from boardgamesbot.store.answers import ASKED_MS, AT_WORK_MS, KEPT_SECONDS, Answers
from boardgamesbot.store.client import MAX_CONNECTIONS, MOST_WAITING, connect

SECONDS = 5.0


async def test_an_answer_reaches_who_waits_for_it_and_nobody_else(redis: Redis) -> None:
    answers = Answers(redis)
    waiting = [asyncio.create_task(answers.wait(question, SECONDS)) for question in ("a", "b", "c")]
    await answers.give("c", b"to c")
    await answers.give("a", b"to a")
    await answers.give("b", b"to b")
    assert await asyncio.gather(*waiting) == [b"to a", b"to b", b"to c"]


async def test_answers_come_in_the_order_in_which_they_were_given(redis: Redis) -> None:
    answers = Answers(redis)
    await answers.give("a", b"first")
    await answers.give("a", b"second")
    assert [await answers.wait("a", SECONDS) for _ in range(2)] == [b"first", b"second"]


async def test_those_who_wait_leave_others_their_connections(redis: Redis, redis_url: str) -> None:
    waiting = connect(redis_url, MOST_WAITING)
    answers = Answers(redis, waiting)
    questions = [f"q{number}" for number in range(2 * MAX_CONNECTIONS)]
    async with asyncio.TaskGroup() as group:
        asked = [group.create_task(answers.wait(question, SECONDS)) for question in questions]
        await asyncio.sleep(0)
        async with asyncio.timeout(1.5):  # none of those who wait gives way before
            for question in questions:
                await answers.give(question, question.encode())
    assert [task.result() for task in asked] == [question.encode() for question in questions]
    await waiting.aclose()


async def test_whoever_waits_says_so_until_they_go(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardgamesbot.store.answers.ASKED_MS", 300)
    answers = Answers(redis)
    assert not await answers.at_work("a", 1)
    async with answers.asking("a"):
        assert await answers.at_work("a", 1)
        assert not await answers.at_work("b", 1)
        await asyncio.sleep(0.6)
        assert await answers.at_work("a", 1), "for as long as they wait"
    assert not await answers.at_work("a", 1)


async def test_whoever_works_says_so_until_they_die(redis: Redis) -> None:
    answers = Answers(redis)
    async with answers.asking("a"):
        assert not await answers.is_worked_on("a")
        await answers.at_work("a", 1)
        assert await answers.is_worked_on("a")
        assert not await answers.is_worked_on("b")
        assert 0 < await redis.pttl(keys.at_work("a")) <= AT_WORK_MS


async def test_whoever_was_asked_before_is_not_waited_for_any_more_and_counts_for_nothing(redis: Redis) -> None:
    answers = Answers(redis)
    async with answers.asking("a"):
        await answers.ask_as("a", 2)
        assert not await answers.at_work("a", 1)
        assert not await answers.is_worked_on("a")
        assert await answers.at_work("a", 2)


async def test_whoever_died_waiting_does_not_wait_any_more(redis: Redis) -> None:
    async with Answers(redis).asking("a"):
        assert 0 < await redis.pttl(keys.asked("a")) <= ASKED_MS


async def test_nothing_comes_of_a_question_that_nobody_answers(redis: Redis) -> None:
    assert await Answers(redis).wait("a", 0.05) is None


async def test_an_answer_that_nobody_takes_is_forgotten(redis: Redis) -> None:
    await Answers(redis).give("a", b"x")
    assert 0 < await redis.ttl(keys.answer("a")) <= KEPT_SECONDS
