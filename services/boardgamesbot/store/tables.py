"""Tables: their present version, their history, who is listed, who sits where."""

from __future__ import annotations

import heapq
import json
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby, islice, product
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Literal

from boardgamesbot.store import keys
from boardgamesbot.store.finished import RESULTS_KEPT_SECONDS
from boardgamesbot.store.scripts import Replicas, script
from boardgamesbot.store.together import Together

if TYPE_CHECKING:
    from redis.asyncio import Redis

SEATS_KEPT_SECONDS = 30 * 86_400
"""How long a player's set of tables is kept after they last took a seat."""

SWEPT_AT_ONCE = 200
"""So many listed tables, about, are looked at in one sweep of one list."""

_PAGE_TOKEN = re.compile(r"([0-9]{1,15})\.([0-9a-z]{14})")
_CLOCK_FIELDS = ("clock_seat", "clock_since", "clock_had", "clock_banks")
_HEAD_FIELDS = ("version", "commit", "table", "created_ms", "index", *_CLOCK_FIELDS)
_TABLE_FIELDS = ("snapshot", *_HEAD_FIELDS)


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
    trace: str = ""
    """What the turn is a consequence of, for who traces that; the store doesn't look into it."""


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
    expected_commit: str = ""
    """The commit that made that version, if that is known: another one's is not the one it was made for."""
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
    """Whether the game is over with it: the public table is left for those who rate and archive it."""
    base: Literal["", "mark", "clear"] = ""
    """Whether the position before it is kept for moves to be taken back (`undo_base`): mark, from now on, if none is
    kept yet; clear, no longer; empty, as it was."""

    counted: str = ""
    """What the table is counted as from now on (`census`); empty: as nothing."""

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
    commit: str = ""
    """What tells it from any other that may ever make the same version."""
    clocks: Clocks | None = None
    """The clocks after it, where the table has them; None also if the first reply to this call was lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableHead:
    """A table as it is now, without its game: all that a list of tables needs."""

    table_id: str
    version: int
    commit: str
    """The commit that made it; empty for one made before commits had ids."""
    table: bytes
    created_ms: int
    """By the store's clock."""
    listed: str | None
    clocks: Clocks = NO_CLOCKS


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTable(TableHead):
    """A table as it is now."""

    snapshot: bytes


@dataclass(frozen=True, slots=True)
class UndoBase:
    """The position before the first of the moves that can be taken back."""

    version: int
    snapshot: bytes


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """What happened at one version of a table."""

    version: int
    event: bytes
    move: bytes
    time_ms: int
    commit: str
    """What tells it from any other commit that may ever have made the same version."""


# `list` is a method of TableStore, so the lists of its annotations have names.
_Tables = list[TableHead]
_Heads = list[TableHead | None]
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

    def __init__(self, redis: Redis, slots: int = keys.DEFAULT_SLOTS, replicas: Replicas | None = None) -> None:
        """With `replicas`, what is committed, loaded or answered has reached so many, or it is NotReplicated."""
        self._redis = redis
        self._slots = keys.check_slots(slots)
        self._replicas = replicas or Replicas()
        self._swept: dict[str, int] = {}
        self._commit = Together(redis, "commit")
        self._seat = script(redis, "seat")

    async def commit(self, commit: Commit) -> Committed:
        """Make a change, wholly or not at all. In this order: a request id seen before is answered as it was then;
        Stale if the table is at another version, or is there when it should be created; NotFound if it isn't there;
        Early if it has to wait for a time that is not up.

        Raises one of `UNAVAILABLE` when the outcome is unknown: the same commit with its request id finds out.
        """
        slot, wake, commit_id = keys.slot_of(commit.table_id), commit.wake, secrets.token_hex(8)
        status, *numbers = await self._committed(
            keys=keys.changed_by_commit(commit.table_id),
            args=[
                commit.table_id,
                commit.expected_version,
                commit_id,
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
                commit.base,
                "" if wake is None else wake.trace,
                commit.counted,
                keys.census_prefix(slot),
                commit.expected_commit,
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
            version, time_ms, answer, made_by = numbers
            return Committed(int(version), answer, repeated=True, time_ms=int(time_ms), commit=made_by.decode())
        clocks = _clocks(numbers[2]) if status == b"made" and numbers[2] else None
        return Committed(
            int(numbers[0]),
            commit.answer,
            repeated=False,
            time_ms=int(numbers[1]),
            commit=commit_id,
            clocks=clocks,
        )

    async def _committed(self, keys: Sequence[str], args: Sequence[Any]) -> Any:
        if not self._replicas.wanted:
            return await self._commit(keys, args)
        outcome, reached = await self._commit.replicated(keys, args, self._replicas)
        if outcome[0] in (b"made", b"same", b"repeated"):
            self._replicas.check(reached)
        return outcome

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
        """The table as it is now. Raises NotReplicated while too few replicas have it so."""
        if not keys.is_table_id(table_id):
            return None
        values = await self._read(table_id, "HMGET", keys.table(table_id), *_TABLE_FIELDS)
        snapshot, *head = values
        return None if head[0] is None else StoredTable(**_head(table_id, head), snapshot=snapshot)

    async def heads(self, table_ids: Sequence[str]) -> _Heads:
        """The tables as they are now, without their games; None for each that is not there."""
        pipe = self._redis.pipeline(transaction=False)
        for table_id in table_ids:
            pipe.hmget(keys.table(table_id), _HEAD_FIELDS)
        found: Any = await pipe.execute() if table_ids else []
        return [
            None if values[0] is None else TableHead(**_head(table_id, values))
            for table_id, values in zip(table_ids, found, strict=True)
        ]

    async def undo_base(self, table_id: str) -> UndoBase | None:
        """What was marked by a commit and not cleared since."""
        values: Any = await self._redis.hmget(keys.table(table_id), ("base_version", "base"))
        version, snapshot = values
        return None if version is None or snapshot is None else UndoBase(int(version), snapshot)

    async def expire_sooner(self, table_id: str, seconds: int) -> None:
        """Forget a table in so many seconds, unless it is to be forgotten before that."""
        pipe = self._redis.pipeline(transaction=False)
        for key in (keys.table(table_id), keys.events(table_id), keys.requests(table_id)):
            pipe.expire(key, seconds, lt=True)
        await pipe.execute()

    async def version(self, table_id: str) -> int | None:
        """The version of the table, wherever it has got to by now."""
        made = await self.latest(table_id)
        return None if made is None else made[0]

    async def latest(self, table_id: str) -> tuple[int, str] | None:
        """The version of the table and the commit that made it, wherever these have got to by now."""
        if not keys.is_table_id(table_id):
            return None
        values: Any = await self._redis.hmget(keys.table(table_id), ("version", "commit"))
        version, commit = values
        return None if version is None else (int(version), (commit or b"").decode())

    async def answer(self, table_id: str, request_id: str) -> bytes | None:
        """What was answered to a request, if it had its effect. Raises NotReplicated while too few replicas know."""
        if not keys.is_table_id(table_id):
            return None
        seen = await self._read(table_id, "HGET", keys.requests(table_id), request_id)
        return None if seen is None else seen.partition(b":")[2]

    async def events(self, table_id: str, after: int, limit: int | None = None) -> _Events:
        """What happened after version `after`, in order, at most `limit` versions of it."""
        if not keys.is_table_id(table_id):
            return []
        entries: Any = await self._redis.xrange(keys.events(table_id), f"{after + 1}-0", "+", limit)
        return [
            StoredEvent(
                version=int(entry.partition(b"-")[0]),
                event=fields[b"event"],
                move=fields[b"move"],
                time_ms=int(fields[b"ms"]),
                commit=fields[b"commit"].decode(),
            )
            for entry, fields in entries
        ]

    async def _read(self, table_id: str, *command: Any) -> Any:
        """Read something of a table that is not to be undone by a failover any more."""
        if not self._replicas.wanted:
            return await self._redis.execute_command(*command)  # type: ignore[no-untyped-call]
        pipe = self._redis.pipeline(transaction=False)
        pipe.execute_command(*command)
        pipe.set(keys.replicated(keys.slot_of(table_id)), b"")  # who wrote nothing waits for nothing
        pipe.wait(self._replicas.wanted, self._replicas.wait_ms)
        read, _, reached = await pipe.execute()
        self._replicas.check(int(reached))
        return read

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
        tables: _Tables = []
        prune = self._redis.pipeline(transaction=False)
        heads = await self.heads([table_id for _, table_id, _ in candidates])
        for (_, table_id, index), head in zip(candidates, heads, strict=True):
            if head is None:
                prune.zrem(index, table_id)
            elif head.listed in statuses:
                tables.append(head)
        if len(prune):
            await prune.execute()
        return tables

    async def sweep_lists(self) -> int:
        """Look at some of the tables that are listed and take out those that are gone; how many these were.

        Called again and again it comes to look at all of them, as SCAN does.
        """
        gone = 0
        for slot, status in product(range(self._slots), keys.LISTED_STATUSES):
            index = keys.listed(slot, status)
            reply: Any = await self._redis.zscan(index, self._swept.get(index, 0), count=SWEPT_AT_ONCE)
            self._swept[index], members = reply
            table_ids = [member.decode() for member, _ in members]
            pipe = self._redis.pipeline(transaction=False)
            for table_id in table_ids:
                pipe.exists(keys.table(table_id))
            there = await pipe.execute() if table_ids else []
            missing = [table_id for table_id, exists in zip(table_ids, there, strict=True) if not exists]
            if missing:
                gone += await self._redis.zrem(index, *missing)
        return gone

    async def remember_seat(self, player_id: str, table_id: str) -> None:
        """Note that the player may have a seat at the table."""
        keys.slot_of(table_id)
        await self._seat(keys=[keys.player_tables(player_id)], args=[table_id, SEATS_KEPT_SECONDS])

    async def forget_seat(self, player_id: str, table_id: str) -> None:
        """Note that the player has no seat at the table."""
        await self._redis.srem(keys.player_tables(player_id), table_id)

    async def tables_of(self, player_id: str) -> set[str]:
        """Every table where the player has a seat, and perhaps some where they have none any more."""
        members: Any = await self._redis.smembers(keys.player_tables(player_id))
        return {member.decode() for member in members}


def _head(table_id: str, values: Sequence[Any]) -> dict[str, Any]:
    """What a `TableHead` is made of, out of its fields in the store."""
    version, commit, table, created_ms, index, *clocks = values
    return {
        "table_id": table_id,
        "version": int(version),
        "commit": (commit or b"").decode(),
        "table": table,
        "created_ms": int(created_ms),
        "listed": keys.LISTED_STATUSES[int(index)] if index else None,
        "clocks": _clocks(clocks),
    }


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
