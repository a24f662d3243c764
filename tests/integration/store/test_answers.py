"""Answers that one process waits for and another gives."""

from __future__ import annotations

import asyncio

from redis.asyncio import Redis

from boardgamesbot.store import keys
from boardgamesbot.store.answers import KEPT_SECONDS, Answers

SECONDS = 5.0


async def test_an_answer_reaches_who_waits_for_it_and_nobody_else(redis: Redis) -> None:
    answers = Answers(redis)
    waiting = [asyncio.create_task(answers.wait(question, SECONDS)) for question in ("a", "b", "c")]
    await answers.give("c", b"to c")
    await answers.give("a", b"to a")
    await answers.give("b", b"to b")
    assert await asyncio.gather(*waiting) == [b"to a", b"to b", b"to c"]


async def test_the_first_answer_counts(redis: Redis) -> None:
    answers = Answers(redis)
    await answers.give("a", b"first")
    await answers.give("a", b"second")
    assert await answers.wait("a", SECONDS) == b"first"


async def test_nothing_comes_of_a_question_that_nobody_answers(redis: Redis) -> None:
    assert await Answers(redis).wait("a", 0.05) is None


async def test_an_answer_that_nobody_takes_is_forgotten(redis: Redis) -> None:
    await Answers(redis).give("a", b"x")
    assert 0 < await redis.ttl(keys.answer("a")) <= KEPT_SECONDS
