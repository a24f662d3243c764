"""Somebody is told how long each call to Redis took, and which failed. Calls go by few names: commands, scripts."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any

from redis.exceptions import RedisError

from boardgamesbot.store.scripts import hash_of, script_name

if TYPE_CHECKING:
    from redis.asyncio import Redis

Observer = Callable[[str, float, Exception | None], None]
"""Told the name of a call, how many seconds it took, and why it failed, if it did."""

PIPELINE = "pipeline"
WAITING = frozenset({"XREADGROUP", "XREAD", "BLPOP", "BRPOP", "BLMOVE"})
"""Calls that may wait for something to happen: their time says nothing about Redis."""


def observe(redis: Redis, observer: Observer) -> None:
    """Tell `observer` of every call that is made with this client from now on, of waiting ones only if they fail."""
    client: Any = redis
    execute, pipeline = client.execute_command, client.pipeline

    async def told(name: str, call: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        began = perf_counter()
        try:
            answer = await call(*arguments, **options)
        except (RedisError, OSError) as error:
            observer(name, perf_counter() - began, error)
            raise
        if name not in WAITING:
            observer(name, perf_counter() - began, None)
        return answer

    async def execute_command(*arguments: Any, **options: Any) -> Any:
        return await told(_name(arguments), execute, *arguments, **options)

    def observed_pipeline(*arguments: Any, **options: Any) -> Any:
        made = pipeline(*arguments, **options)
        send = made.execute

        async def execute_all(*more: Any, **others: Any) -> Any:
            return await told(PIPELINE, send, *more, **others)

        made.execute = execute_all
        return made

    client.execute_command, client.pipeline = execute_command, observed_pipeline


def _name(arguments: tuple[Any, ...]) -> str:
    """A command's name; a script's own, in small letters, where it is one of ours."""
    command = str(arguments[0]).partition(" ")[0].upper()
    if command == "EVALSHA":
        return script_name(str(arguments[1])) or command
    if command == "EVAL":
        return script_name(hash_of(str(arguments[1]))) or command
    return command
