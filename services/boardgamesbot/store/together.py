"""One script for many callers at the same time, in as few round trips as the store's answers allow.

Calls made in the same turn of the event loop are sent together, with those of the turns after it as long as each brings
some. While a round trip is under way, those that come wait for one another: the busier a process, the more calls share
a round trip, a write to the disk, and the wait for replicas. Where round trips take long, several are under way.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from redis.asyncio import RedisCluster
from redis.exceptions import ResponseError

from boardgamesbot.store.scripts import Replicas, script

if TYPE_CHECKING:
    from redis.asyncio import Redis

MOST_AT_ONCE = 64
"""So many calls share a round trip at most."""
MOST_UNDER_WAY = 4
"""So many round trips are under way at a time. With one alone, callers fall into two groups that wait in turn."""
LONG_SECONDS = 0.005
"""Only once the last one has been under way for so long another is begun: each costs its process about 0.1 ms."""


@dataclass(frozen=True, slots=True)
class _Call:
    command: tuple[Any, ...]
    replicas: Replicas | None
    answer: asyncio.Future[tuple[Any, Any]]
    """The script's reply, and on how many replicas it is; either may be an error."""


class Together:
    """A script that is called like any other. Each caller gets its own answer, or its own error.

    A call is repeated if the connection drops before its reply: the script has to make nothing of the second time.
    In a Cluster, where calls go to different servers, each goes alone.
    """

    def __init__(self, redis: Redis, name: str) -> None:
        self._redis = redis
        self._alone = script(redis, name)
        self._in_cluster = isinstance(redis, RedisCluster)
        self._waiting: deque[_Call] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._senders = 0
        """How many of them look for what waits, now or when they are back."""
        self._sent = 0.0
        """When the last batch was sent, by the loop's clock."""
        self._is_gathering = False

    async def __call__(self, keys: Sequence[str], args: Sequence[Any]) -> Any:
        """What the script answers. Raises one of `UNAVAILABLE`."""
        if not self._in_cluster:
            reply, _ = await self._join(keys, args, None)
            if not isinstance(reply, Exception):
                return reply
        # Sent alone, what can be done about a server that doesn't know the script or takes no writes is done.
        return await self._alone(keys, args)

    async def replicated(self, keys: Sequence[str], args: Sequence[Any], replicas: Replicas) -> tuple[Any, int]:
        """What the script answers, and how many replicas have it. Raises one of `UNAVAILABLE`."""
        if not self._in_cluster:
            reply, reached = await self._join(keys, args, replicas)
            if not isinstance(reply, Exception) and not isinstance(reached, Exception):
                return reply, int(reached)
        return await self._alone.replicated(keys, args, replicas)

    def _join(
        self, keys: Sequence[str], args: Sequence[Any], replicas: Replicas | None
    ) -> asyncio.Future[tuple[Any, Any]]:
        command = ("EVALSHA", self._alone.hash, len(keys), *keys, *args)
        call = _Call(command, replicas, asyncio.get_running_loop().create_future())
        self._waiting.append(call)
        self._begin()
        return call.answer

    def _begin(self) -> None:
        """Have what waits sent, unless somebody is about to, or enough is under way."""
        if self._waiting and not self._is_gathering and self._may_send():
            self._is_gathering = True
            self._senders += 1
            task = asyncio.create_task(self._send())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _may_send(self) -> bool:
        if self._senders in (0, MOST_UNDER_WAY):
            return self._senders == 0
        waited = asyncio.get_running_loop().time() - self._sent
        return waited >= LONG_SECONDS or len(self._waiting) >= MOST_AT_ONCE

    async def _send(self) -> None:
        batch: list[_Call] = []
        try:
            gathered = 0
            while gathered < min(len(self._waiting), MOST_AT_ONCE):
                gathered = len(self._waiting)
                await asyncio.sleep(0)
            self._is_gathering = False
            while self._waiting:
                self._sent = asyncio.get_running_loop().time()
                batch = [self._waiting.popleft() for _ in range(min(MOST_AT_ONCE, len(self._waiting)))]
                self._begin()
                try:
                    replies, reached = await self._round_trip(batch)
                except Exception as error:
                    _fail(batch, error)
                else:
                    for call, reply in zip(batch, replies, strict=True):
                        if not call.answer.done():
                            call.answer.set_result((reply, reached))
        except asyncio.CancelledError:
            self._is_gathering = False
            _fail((*batch, *self._waiting), None)
            self._waiting.clear()
            raise
        finally:
            self._senders -= 1  # nothing is awaited after the last look: no call can fall between

    async def _round_trip(self, batch: Sequence[_Call]) -> tuple[Sequence[Any], Any]:
        if len(batch) == 1 and batch[0].replicas is None:
            return [await self._one(batch[0])], 0
        pipe = self._redis.pipeline(transaction=False)
        for call in batch:
            pipe.execute_command(*call.command)
        asked = [call.replicas for call in batch if call.replicas is not None]
        if not asked:
            return await pipe.execute(raise_on_error=False), 0
        pipe.wait(max(one.wanted for one in asked), max(one.wait_ms for one in asked))
        *replies, reached = await pipe.execute(raise_on_error=False)
        return replies, reached

    async def _one(self, call: _Call) -> Any:
        """The reply to a call, or the error that it is: a pipeline of one costs twice as much."""
        client: Any = self._redis
        try:
            return await client.execute_command(*call.command)
        except ResponseError as error:
            return error


def _fail(calls: Iterable[_Call], error: Exception | None) -> None:
    """Give those without an answer `error`; without one, the process is ending and they are cancelled."""
    for call in calls:
        if call.answer.done():
            continue
        if error is None:
            call.answer.cancel()
        else:
            call.answer.set_exception(error)
