"""Tables: their present version, their history, who is listed, who sits where."""

from __future__ import annotations

import heapq
import json
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from boardgamesbot.store import keys
from boardgamesbot.store.finished import RESULTS_KEPT_SECONDS
from boardgamesbot.store.scripts import script

if TYPE_CHECKING:
    from redis.asyncio import Redis

SEATS_KEPT_SECONDS = 30 * 86_400
"""How long a player's set of tables is kept after they last took a seat."""

_PAGE_TOKEN = re.compile(r"([0-9]{1,15})\.([0-9a-z]{14})")
_CLOCK_FIELDS = ("clock_seat", "clock_since", "clock_had", "clock_banks")
_TABLE_FIELDS = ("version", "table", "snapshot", "created_ms", "index", *_CLOCK_FIELDS)


class NotFound(Exception):
    """There is no such table (any more)."""


class Stale(Exception):
    """The table is not at the version the commit was made for."""

    def __init__(self, current_version: int) -> None:
        super().__init__(f"the table is at version {current_version}")
        self.current_version = current_version


class Early(Exception):
    """Nobody's time is up at the table."""


@dataclass(frozen=True, slots=True)
class Wake:
    """The bot whose turn a commit makes it."""

    seat: int
    bot: str
    player_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Winding:
    """What a commit does to the clocks of a table that has them. Every duration is in milliseconds."""

    seat: int | None
    """Whose clock runs from now on."""
    seats: int
    """How many seats there are."""
    move_ms: int | None = None
    """What there is for every decision; or, instead,"""
    bank_ms: int | None = None
    """what there is at the start for the whole game, and"""
    increment_ms: int = 0
    """what is added to it whenever a seat's clock starts."""
    step: int = 0
    """1 for a decision made, -1 for one taken back, 0 for something else."""
    only_overdue: bool = False
    """Whether the commit is only to be made once the time of the clock that runs is up (`Early` before)."""

    def to_json(self) -> str:
        """As the script reads it: what is None is left out."""
        return json.dumps({name: value for name, value in asdict(self).items() if value is not None})


@dataclass(frozen=True, slots=True)
class Clocks:
    """The clocks of a table as they are. Times are in ms by the store's clock."""

    seat: int | None
    """Whose clock runs."""
    since_ms: int
    """When it was set, if one runs."""
    had_ms: int
    """How much time it had then."""
    banks_ms: tuple[int, ...]
    """What each seat had left when its clock last stopped or started, where there are banks."""


NO_CLOCKS = Clocks(None, 0, 0, ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One change to a table. Messages are bytes that the store doesn't look into."""

    table_id: str
    expected_version: int
    """The version the change was made for; 0 creates the table."""
    table: bytes
    """The public table."""
    snapshot: bytes
    """The game."""
    event: bytes
    """What happened."""
    expire_s: int
    """How long the table is kept if nothing more happens, in seconds."""
    move: bytes = b""
    """The move that made it happen, as it was made."""
    request_id: str | None = None
    """Unique to whoever asked and what they asked for: the same again has no effect and gets the same answer."""
    answer: bytes = b""
    """What is answered to the request, now and whenever it comes again."""
    wake: Wake | None = None
    """The bot to wake."""
    deadline_ms: int | None = None
    """After so many milliseconds the bot is woken again (`Outbox.rearm_overdue`)."""
    winding: Winding | None = None
    """What it does to the clocks; None where the table has none."""
    listed: str | None = None
    """The one status the table is listed under from now on."""
    notify: tuple[str, ...] = ()
    """Players whose turn it now is."""
    finished: bool = False
    """Whether the game is over with it: the public table is left for those who rate it."""

    def __post_init__(self) -> None:
        if self.expected_version < 0:
            raise ValueError(f"no table is at version {self.expected_version}")
        if self.expire_s <= 0:
            raise ValueError(f"a table is kept for at least a second, not {self.expire_s}")
        if self.request_id == "":
            raise ValueError("a request id can't be empty")
        if self.deadline_ms is not None and (self.wake is None or self.deadline_ms < 0):
            raise ValueError("a deadline is 0 ms or more, and wants somebody to wake")
        if self.listed is not None and self.listed not in keys.LISTED_STATUSES:
            raise ValueError(f"tables are listed as one of {keys.LISTED_STATUSES}, not {self.listed!r}")


@dataclass(frozen=True, slots=True)
class Committed:
    """A change that stands."""

    version: int
    answer: bytes
    repeated: bool
    """An earlier call with the same request id made it; this one changed nothing."""
    time_ms: int
    """When it was made, in ms by the store's clock."""
    clocks: Clocks | None = None
    """The clocks after it, where the table has them; None also if the first reply to this call was lost."""


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table as it is now."""

    table_id: str
    version: int
    table: bytes
    snapshot: bytes
    created_ms: int
    """By the store's clock."""
    listed: str | None
    clocks: Clocks = NO_CLOCKS


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """What happened at one version of a table."""

    version: int
    event: bytes
    move: bytes
    time_ms: int


# `list` is a method of TableStore, so the lists of its annotations have names.
_Tables = list[StoredTable]
_Page = tuple[_Tables, str]
_Events = list[StoredEvent]
_Candidates = list[tuple[int, str, str]]
"""Creation, table id, index."""


class TableStore:
    """Tables in Redis. A malformed id is that of no table when read, and a ValueError when written.

    `slots` may grow from one run to the next; while tables are alive it must not shrink, or those in the slots left
    out are listed no more. Everything about a table expires with it: its request ids, kept to answer repeats, are as
    many as its versions, and live as long as it does.
    """

    def __init__(self, redis: Redis, slots: int = keys.DEFAULT_SLOTS) -> None:
        self._redis = redis
        self._slots = keys.check_slots(slots)
        self._commit = script(redis, "commit")

    async def commit(self, commit: Commit) -> Committed:
        """Make a change, wholly or not at all. In this order: a request id seen before is answered as it was then;
        Stale if the table is at another version, or is there when it should be created; NotFound if it isn't there;
        Early if it has to wait for a time that is not up.

        Raises one of `UNAVAILABLE` when the outcome is unknown: the same commit with its request id finds out.
        """
        slot, wake = keys.slot_of(commit.table_id), commit.wake
        status, *numbers = await self._commit(
            keys=[
                keys.table(commit.table_id),
                keys.events(commit.table_id),
                keys.requests(commit.table_id),
                keys.outbox(slot),
                keys.deadlines(slot),
                keys.finished(slot),
                *(keys.listed(slot, status) for status in keys.LISTED_STATUSES),
            ],
            args=[
                commit.table_id,
                commit.expected_version,
                secrets.token_hex(8),
                commit.request_id or "",
                commit.answer,
                commit.table,
                commit.snapshot,
                commit.event,
                commit.move,
                commit.expire_s,
                "" if commit.deadline_ms is None else commit.deadline_ms,
                "" if commit.listed is None else keys.LISTED_STATUSES.index(commit.listed),
                keys.table_channel(commit.table_id),
                *(("", "", "") if wake is None else (wake.seat, wake.bot, wake.player_id)),
                RESULTS_KEPT_SECONDS * 1000 if commit.finished else "",
                "" if commit.winding is None else commit.winding.to_json(),
                *map(keys.player_channel, commit.notify),
            ],
        )
        if status == b"absent":
            raise NotFound(commit.table_id)
        if status == b"stale":
            raise Stale(int(numbers[0]))
        if status == b"early":
            raise Early(commit.table_id)
        if status == b"repeated":
            return Committed(int(numbers[0]), numbers[2], repeated=True, time_ms=int(numbers[1]))
        clocks = _clocks(numbers[2]) if status == b"made" and numbers[2] else None
        return Committed(int(numbers[0]), commit.answer, repeated=False, time_ms=int(numbers[1]), clocks=clocks)

    async def now_ms(self) -> int:
        """The store's clock."""
        seconds, microseconds = await self._redis.time()
        return int(seconds) * 1000 + int(microseconds) // 1000

    async def take_code(self, code: str, table_id: str, expire_s: int) -> bool:
        """Give a code to a table, unless it is another's; whether it has it now."""
        key = keys.table_code(code)
        if await self._redis.set(key, table_id, nx=True, ex=expire_s):
            return True
        return await self.table_of_code(code) == table_id

    async def keep_code(self, code: str, expire_s: int) -> None:
        """Let a code live so much longer."""
        await self._redis.expire(keys.table_code(code), expire_s)

    async def table_of_code(self, code: str) -> str | None:
        """The id of the table that has the code."""
        table_id: Any = await self._redis.get(keys.table_code(code))
        return None if table_id is None else table_id.decode()

    async def load(self, table_id: str) -> StoredTable | None:
        """The table as it is now."""
        if not keys.is_table_id(table_id):
            return None
        return _stored(table_id, await self._redis.hmget(keys.table(table_id), _TABLE_FIELDS))

    async def version(self, table_id: str) -> int | None:
        """The version of the table."""
        if not keys.is_table_id(table_id):
            return None
        version = await self._redis.hget(keys.table(table_id), "version")
        return None if version is None else int(version)

    async def answer(self, table_id: str, request_id: str) -> bytes | None:
        """What was answered to a request, if it had its effect."""
        if not keys.is_table_id(table_id):
            return None
        seen: Any = await self._redis.hget(keys.requests(table_id), request_id)
        return None if seen is None else seen.partition(b":")[2]

    async def events(self, table_id: str, after: int, limit: int | None = None) -> _Events:
        """What happened after version `after`, in order, at most `limit` versions of it."""
        if not keys.is_table_id(table_id):
            return []
        entries: Any = await self._redis.xrange(keys.events(table_id), f"{after + 1}-0", "+", limit)
        return [
            StoredEvent(int(entry.partition(b"-")[0]), fields[b"event"], fields[b"move"], int(fields[b"ms"]))
            for entry, fields in entries
        ]

    async def list(self, statuses: Iterable[str], page_size: int, page_token: str = "") -> _Page:
        """A page of the tables listed under `statuses`, newest first, and the token of the next page, "" on the last.

        A table is on one page only, and none that stays listed is missed, whatever comes and goes between two pages.
        Raises ValueError for a token that `list` did not give, and for a page without room.
        """
        if page_size < 1:
            raise ValueError(f"a page has room for at least one table, not {page_size}")
        wanted = sorted(set(statuses))
        indexes = [keys.listed(slot, status) for slot in range(self._slots) for status in wanted]
        cursor = _parse_token(page_token)
        page: _Tables = []
        while True:
            candidates = await self._candidates(indexes, cursor, page_size - len(page) + 1)
            rest = candidates[page_size - len(page) :]
            chosen = candidates[: page_size - len(page)]
            page += await self._loaded(chosen, wanted)
            if not rest:
                return page, ""
            cursor = chosen[-1][:2]
            if len(page) == page_size:
                return page, f"{cursor[0]}.{cursor[1]}"

    async def _candidates(self, indexes: Sequence[str], cursor: tuple[int, str] | None, count: int) -> _Candidates:
        """The next `count` after `cursor` over all indexes, newest first."""
        pipe = self._redis.pipeline(transaction=False)
        newest = "+inf" if cursor is None else f"({cursor[0]}"
        for index in indexes:
            if cursor is not None:
                pipe.zrange(index, cursor[0], cursor[0], byscore=True)
            pipe.zrange(index, newest, "-inf", desc=True, byscore=True, offset=0, num=count, withscores=True)
        replies = iter(await pipe.execute())
        runs = []
        for index in indexes:
            ties = [] if cursor is None else [(cursor[0], member.decode(), index) for member in next(replies)]
            run = [(int(ms), member.decode(), index) for member, ms in next(replies)]
            runs.append(sorted((tie for tie in ties if tie[:2] < cursor), reverse=True) + run if cursor else run)
        # A table that changes its index while they are read can be met twice.
        unique = (next(same) for _, same in groupby(heapq.merge(*runs, reverse=True), key=itemgetter(0, 1)))
        return list(islice(unique, count))

    async def _loaded(self, candidates: _Candidates, statuses: Sequence[str]) -> _Tables:
        """The tables of candidates; those that are gone leave their index."""
        if not candidates:
            return []
        pipe = self._redis.pipeline(transaction=False)
        for _, table_id, _ in candidates:
            pipe.hmget(keys.table(table_id), _TABLE_FIELDS)
        tables: _Tables = []
        prune = self._redis.pipeline(transaction=False)
        for (_, table_id, index), values in zip(candidates, await pipe.execute(), strict=True):
            stored = _stored(table_id, values)
            if stored is None:
                prune.zrem(index, table_id)
            elif stored.listed in statuses:
                tables.append(stored)
        if len(prune):
            await prune.execute()
        return tables

    async def remember_seat(self, player_id: str, table_id: str) -> None:
        """Note that the player may have a seat at the table."""
        keys.slot_of(table_id)
        pipe = self._redis.pipeline(transaction=True)
        pipe.sadd(keys.player_tables(player_id), table_id)
        pipe.expire(keys.player_tables(player_id), SEATS_KEPT_SECONDS)
        await pipe.execute()

    async def forget_seat(self, player_id: str, table_id: str) -> None:
        """Note that the player has no seat at the table."""
        await self._redis.srem(keys.player_tables(player_id), table_id)

    async def tables_of(self, player_id: str) -> set[str]:
        """Every table where the player has a seat, and perhaps some where they have none any more."""
        members: Any = await self._redis.smembers(keys.player_tables(player_id))
        return {member.decode() for member in members}


def _stored(table_id: str, values: Any) -> StoredTable | None:
    version, table, snapshot, created_ms, index, *clocks = values
    if version is None:
        return None
    listed = keys.LISTED_STATUSES[int(index)] if index else None
    return StoredTable(table_id, int(version), table, snapshot, int(created_ms), listed, _clocks(clocks))


def _clocks(values: Sequence[bytes | None]) -> Clocks:
    seat, since_ms, had_ms, banks = (value or b"" for value in values)
    banks_ms = tuple(map(int, banks.split(b","))) if banks else ()
    return Clocks(int(seat) if seat else None, int(since_ms or 0), int(had_ms or 0), banks_ms)


def _parse_token(token: str) -> tuple[int, str] | None:
    if not token:
        return None
    match = _PAGE_TOKEN.fullmatch(token)
    if match is None or not keys.is_table_id(match[2]):
        raise ValueError(f"not a page token: {token[:40]!r}")
    return int(match[1]), match[2]
