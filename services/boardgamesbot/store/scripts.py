"""The Lua scripts of this package."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from redis.exceptions import NoScriptError

from boardgamesbot.store.errors import NotReplicated

if TYPE_CHECKING:
    from redis.asyncio import Redis


@dataclass(frozen=True, slots=True)
class Replicas:
    """On how many replicas a change must be before it counts, and how long that is waited for."""

    wanted: int = 0
    """0: the server's word is enough."""
    wait_ms: int = 1_000

    def check(self, reached: int) -> None:
        """Raise NotReplicated unless enough have it."""
        if reached < self.wanted:
            raise NotReplicated(reached, self.wanted)


class Script:
    """One script: sent in full to a server that hasn't seen it, then called by its hash.

    Its keys are in one slot; it runs where they are.
    """

    def __init__(self, redis: Redis, source: str) -> None:
        self._redis = redis
        self._source = source
        self._hash = hash_of(source)

    @property
    def hash(self) -> str:
        """What a server calls it."""
        return self._hash

    async def __call__(self, keys: Sequence[str], args: Sequence[Any]) -> Any:
        try:
            return await self._redis.evalsha(self._hash, len(keys), *keys, *args)
        except NoScriptError:
            return await self._redis.eval(self._source, len(keys), *keys, *args)

    async def replicated(self, keys: Sequence[str], args: Sequence[Any], replicas: Replicas) -> tuple[Any, int]:
        """Run it, then wait for replicas on the same connection, in one round trip; its answer, and how many have it.

        What they have is all that the server had written by then, if the script itself wrote something.
        """
        reply, reached = await self._send("evalsha", self._hash, keys, args, replicas)
        if isinstance(reply, NoScriptError):
            reply, reached = await self._send("eval", self._source, keys, args, replicas)
        for one in (reply, reached):
            if isinstance(one, Exception):
                raise one
        return reply, int(reached)

    async def _send(
        self, how: str, script: str, keys: Sequence[str], args: Sequence[Any], replicas: Replicas
    ) -> tuple[Any, Any]:
        pipe = self._redis.pipeline(transaction=False)
        getattr(pipe, how)(script, len(keys), *keys, *args)
        pipe.wait(replicas.wanted, replicas.wait_ms)
        reply, reached = await pipe.execute(raise_on_error=False)
        return reply, reached


def script(redis: Redis, name: str, *, after: str = "") -> Script:
    """The script in `<name>.lua`, put behind `<after>.lua` if named."""
    parts = [files(__package__).joinpath(f"{part}.lua").read_text("utf-8") for part in (after, name) if part]
    source = "\n".join(parts)
    _names[hash_of(source)] = name
    return Script(redis, source)


def script_name(script_hash: str) -> str | None:
    """The name of one of our scripts by its hash."""
    return _names.get(script_hash)


def hash_of(source: str) -> str:
    """What a server calls a script."""
    return hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest()


_names: dict[str, str] = {}
