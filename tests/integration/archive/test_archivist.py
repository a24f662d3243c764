"""Every finished table comes into the archive, once, whatever dies in between; then it leaves Redis."""

from __future__ import annotations

from pathlib import Path

import pytest
from redis.asyncio import Redis

from boardgamesbot.archive.base import ArchiveUnavailable
from boardgamesbot.archive.documents import ArchivedTable
from boardgamesbot.archive.folder import FolderArchive
from boardgamesbot.games.record import verify
from boardgamesbot.games.record_proto import record_from
from boardgamesbot.rules.changes import is_person
from boardgamesbot.rules.opening import table_store, tables_in
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.store import keys
from boardgamesbot.store.finished import ARCHIVISTS, RATERS, RESULTS_KEPT_SECONDS, Finished
from boardgamesbot.store.tables import TableStore
from boardgamesbot.v1.tables_pb2 import Table
from tests.integration.store.commits import create
from tests.support.archive import archivist, files, finished_table
from tests.support.finished import finish_all, person, table
from tests.support.waiting import eventually

SECONDS = 30.0


async def _ended(redis: Redis) -> Table:
    """A finished table without a game."""
    made = table([person("ada"), person("bea"), person("cleo")], (3, 2, 1))
    await finish_all(TableStore(redis), [made])
    return made


async def _archived(folder: Path, number: int = 1) -> list[ArchivedTable]:
    async def there() -> list[Path]:
        found = files(folder)
        return found if len(found) >= number else []

    found = await eventually(there, SECONDS)
    assert len(found) == number
    return [ArchivedTable.from_bytes(path.read_bytes()) for path in found]


async def _until_expiring(redis: Redis, table_id: str, most: int) -> None:
    async def soon() -> bool:
        return 0 < await redis.ttl(keys.table(table_id)) <= most

    await eventually(soon, SECONDS)


@pytest.mark.parametrize(("game_id", "players"), [("agora", 3), ("barcelona", 2)])
async def test_a_finished_table_is_archived_and_leaves(
    redis: Redis, redis_url: str, folder: Path, game_id: str, players: int
) -> None:
    live = await finished_table(redis, game_id, players, archive=str(folder))
    assert await redis.ttl(keys.table(live.id)) > RESULTS_KEPT_SECONDS - 60, "it is kept until it is archived"
    async with archivist(redis_url, folder, archived_minutes=2):
        (archived,) = await _archived(folder)
        await _until_expiring(redis, live.id, 120)
    assert (archived.table.id, archived.table.version) == (live.id, live.version)
    assert archived.table.summary == live.table.summary
    record = record_from(archived.record)
    verdict = verify(record)
    assert verdict.fault is None
    assert record.result is not None
    assert list(record.result.points) == list(live.table.summary.points)
    assert files(folder)[0].relative_to(folder) == Path(archived.name)
    for key in (keys.events(live.id), keys.requests(live.id)):
        assert 0 < await redis.ttl(key) <= 120


async def test_a_table_is_forgotten_when_raters_and_archivists_are_both_done(
    redis: Redis, redis_url: str, folder: Path
) -> None:
    live = await _ended(redis)
    stream = keys.finished(keys.slot_of(live.id))
    async with archivist(redis_url, folder):
        await _archived(folder)
        await _until_expiring(redis, live.id, 3600)
        raters = Finished(redis, archived=True)
        (left,) = await raters.read("rater", 100, 10)
        assert left.table_id == live.id
        await raters.done([left])

        async def is_forgotten() -> bool:
            return bool(await redis.xlen(stream) == 0)

        await eventually(is_forgotten)


@pytest.mark.parametrize("first", [RATERS, ARCHIVISTS])
async def test_whoever_is_done_first_does_not_take_it_from_the_others(redis: Redis, first: str) -> None:
    second = ARCHIVISTS if first == RATERS else RATERS
    live = await _ended(redis)
    stream = keys.finished(keys.slot_of(live.id))
    one, other = (Finished(redis, group=group, archived=True) for group in (first, second))
    await one.done(await one.read("a", 0, 10))
    assert await redis.xlen(stream) == 1, "the other group has not even begun to read"
    taken = await other.read("b", 0, 10)
    await one.done(taken)
    assert await redis.xlen(stream) == 1, "the other group has it under its hands"
    await other.done(taken)
    assert await redis.xlen(stream) == 0
    assert await one.reclaim("a", 0) == await other.reclaim("b", 0) == []


async def test_without_an_archive_nobody_waits_for_archivists(redis: Redis) -> None:
    live = await _ended(redis)
    raters = Finished(redis)
    await raters.done(await raters.read("a", 0, 10))
    assert await redis.xlen(keys.finished(keys.slot_of(live.id))) == 0


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("step", ["put", "expire_sooner", "done"])
@pytest.mark.parametrize("when", ["before", "after"])
async def test_one_that_dies_leaves_its_table_to_the_next(
    redis: Redis, redis_url: str, folder: Path, monkeypatch: pytest.MonkeyPatch, step: str, when: str
) -> None:
    """It dies before or after every step there is, and never comes back; another comes with the same outcome."""
    owner = {"put": FolderArchive, "expire_sooner": TableStore, "done": Finished}[step]
    true = getattr(owner, step)
    deaths: list[object] = []

    async def deadly(self: object, *given: object) -> None:
        if not deaths:
            if when == "after":
                await true(self, *given)
            deaths.append(given)
            raise RuntimeError("it died")
        await true(self, *given)

    live = await _ended(redis)
    stream = keys.finished(keys.slot_of(live.id))
    raters = Finished(redis, archived=True)
    await raters.done(await raters.read("rater", 0, 10))
    monkeypatch.setattr(owner, step, deadly)

    async def forgotten() -> bool:
        return bool(await redis.xlen(stream) == 0)

    async with archivist(redis_url, folder, archived_minutes=30):
        await eventually(forgotten, SECONDS)
    (archived,) = await _archived(folder)
    assert deaths
    assert archived.table.id == live.id
    assert 0 < await redis.ttl(keys.table(live.id)) <= 1800


@pytest.mark.usefixtures("hurried")
async def test_an_archive_that_is_away_is_waited_for(
    redis: Redis, redis_url: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    true, refused = FolderArchive.put, []

    async def away(self: FolderArchive, name: str, data: bytes) -> None:
        refused.append(name)
        raise ArchiveUnavailable("no space left")

    monkeypatch.setattr(FolderArchive, "put", away)
    first, second = [await _ended(redis) for _ in range(2)]

    async def tried_again() -> bool:
        return len(refused) >= 4 and len(set(refused)) == 2

    async with archivist(redis_url, folder, archived_minutes=1):
        await eventually(tried_again, SECONDS)
        assert await redis.ttl(keys.table(first.id)) > 60
        monkeypatch.setattr(FolderArchive, "put", true)
        archived = await _archived(folder, 2)
        assert {one.table.id for one in archived} == {first.id, second.id}


async def test_tables_that_were_closed_are_not_archived(redis: Redis, redis_url: str, folder: Path) -> None:
    settings = Settings(archive=str(folder))
    tables = tables_in(table_store(redis, settings), redis, settings, b"secret")
    live = await finished_table(redis, archive=str(folder))
    people = [seat.player for seat in live.table.seats]
    assert all(map(is_person, people))
    on = await tables.open_match("m", "agora", live.table.options, people, rated=True)
    ended = await tables.end(on.id, "the hall closes")
    async with archivist(redis_url, folder):
        (archived,) = await _archived(folder)
    assert archived.table.id == live.id
    assert await redis.xlen(keys.finished(keys.slot_of(ended.id))) <= 1


async def test_lists_are_swept_of_tables_that_are_gone(redis: Redis) -> None:
    store = TableStore(redis)
    kept, gone = [await create(store, listed="finished") for _ in range(2)]
    await redis.delete(keys.table(gone))
    assert await store.sweep_lists() == 1
    listed = [await redis.zrange(keys.listed(keys.slot_of(table_id), "finished"), 0, -1) for table_id in (kept, gone)]
    assert kept.encode() in listed[0]
    assert gone.encode() not in listed[1]
    assert await store.sweep_lists() == 0


async def test_it_does_not_start_where_nothing_can_be_kept(redis_url: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ArchiveUnavailable, match="file"):
        async with archivist(redis_url, tmp_path / "file") as task:
            await task
