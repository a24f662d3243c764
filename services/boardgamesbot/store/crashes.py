"""Positions at which bots failed, kept for those who look into it; and so that a bot is not asked there for ever."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from boardgamesbot.store import keys
from boardgamesbot.store.scripts import script

if TYPE_CHECKING:
    from redis.asyncio import Redis

DETAIL_CHARACTERS = 4_000


@dataclass(frozen=True, kw_only=True)
class Crash:
    """A bot that failed at a position: enough to ask it again. It holds what the bot's seat knew, and no more."""

    bot: str
    game_id: str
    ruleset_hash: str
    view: bytes
    """What the bot was shown: a GameView."""
    seed: str
    """What its chance was made of, in hexadecimal."""
    seconds: float
    """How long it was to think."""
    iterations: int
    """How many iterations it was to do; 0: no limit."""
    kind: str
    """How it failed, in a word."""
    detail: str
    """What is known about it: where in the code, if it raised something."""
    where: str
    """The table and version, or the question, it was about."""

    @property
    def id(self) -> str:
        """The same for the same bot in the same position."""
        return crash_id(self.bot, self.view)


@dataclass(frozen=True)
class Kept:
    """A crash, and when and how often it came. Times are in ms by the store's clock."""

    crash: Crash
    times: int
    first_ms: int
    last_ms: int


def crash_id(bot: str, view: bytes) -> str:
    """The id that a crash of this bot, shown this GameView, has or would have."""
    return hashlib.sha256(bot.encode() + b"\0" + view).hexdigest()[:16]


class Crashes:
    """The newest `most` of them, each kept for `kept_seconds` after it last happened."""

    def __init__(self, redis: Redis, kept_seconds: float, most: int) -> None:
        self._redis = redis
        self._kept_ms = int(kept_seconds * 1000)
        self._most = most
        self._note = script(redis, "crash")
        self._forget = script(redis, "crash_forget")

    async def note(self, crash: Crash) -> int:
        """Keep a crash; gives how often it has happened by now."""
        values = asdict(crash) | {"detail": crash.detail[-DETAIL_CHARACTERS:]}
        return int(
            await self._note(
                keys=[keys.CRASH_INDEX, keys.crash(crash.id)],
                args=[
                    crash.id,
                    keys.crash(""),
                    self._kept_ms,
                    self._most,
                    *(part for pair in values.items() for part in pair),
                ],
            )
        )

    async def times(self, crash_id: str) -> int:
        """How often it has happened, as far as is remembered."""
        found: Any = await self._redis.hget(keys.crash(crash_id), "times")
        return int(found or 0)

    async def any(self) -> bool:
        """Whether any is remembered."""
        return bool(await self._redis.exists(keys.CRASH_INDEX))

    async def newest(self, limit: int) -> list[Kept]:
        """Those that happened last, the last first."""
        ids: Any = await self._redis.zrange(keys.CRASH_INDEX, 0, limit - 1, desc=True)
        found = [await self.get(one.decode()) for one in ids]
        return [kept for kept in found if kept is not None]

    async def get(self, crash_id: str) -> Kept | None:
        """The one with this id."""
        stored: Any = await self._redis.hgetall(keys.crash(crash_id))
        if not stored:
            return None
        values: dict[str, Any] = {
            field.name: stored[field.name.encode()]
            if field.name == "view"
            else stored[field.name.encode()].decode("utf-8", "replace")
            for field in fields(Crash)
        }
        values["seconds"], values["iterations"] = float(values["seconds"]), int(values["iterations"])
        return Kept(Crash(**values), int(stored[b"times"]), int(stored[b"first_ms"]), int(stored[b"last_ms"]))

    async def forget(self, crash_id: str) -> bool:
        """Forget one, so that the bot is asked again there; whether there was one."""
        return bool(await self._forget(keys=[keys.CRASH_INDEX, keys.crash(crash_id)], args=[crash_id]))
