"""A master dies under load: writes go on within seconds, and with the safe setting nothing accepted is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest
from redis.asyncio import Redis

from boardgamesbot.store import NotReplicated, keys
from boardgamesbot.store.answers import Answers
from boardgamesbot.store.client import connect
from boardgamesbot.store.outbox import Outbox
from boardgamesbot.store.ratings import Counted, Pool, Rated, RatingStore
from boardgamesbot.store.scripts import Replicas
from boardgamesbot.store.tables import Commit, Committed, Stale, TableStore
from boardgamesbot.store.tickets import TicketStore
from boardgamesbot.store.wakeups import Wakeups
from tests.integration.store.commits import BOT, commit, create
from tests.support.committing import Committer, committers, plain_commit, run
from tests.support.redis_groups import ClusterGroup, Node, Sentinels, until
from tests.support.tickets import Tickets, person
from tests.support.waiting import eventually

SAFE = Replicas(wanted=1, wait_ms=500)
SECONDS = 15.0
"""How long anything may take."""


@pytest.fixture(scope="module", params=["sentinel", "cluster"])
def group(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Sentinels | ClusterGroup]:
    """The last test of this module leaves one server fewer."""
    folder = tmp_path_factory.mktemp("group") / "servers"
    with Sentinels(folder) if request.param == "sentinel" else ClusterGroup(folder) as started:
        yield started


@pytest.fixture
async def redis(group: Sentinels | ClusterGroup) -> AsyncIterator[Redis]:
    client = connect(group.url)
    await client.flushdb()
    yield client
    await client.aclose()


def master_of(group: Sentinels | ClusterGroup, table_id: str) -> Node:
    return group.master() if isinstance(group, Sentinels) else group.master_of(keys.table(table_id))


def replaced(group: Sentinels | ClusterGroup, victim: Node, table_id: str) -> None:
    until(lambda: master_of(group, table_id) is not victim, "another master")


async def goes_on(committers: list[Committer], more: int) -> None:
    """Until each of them has had so many more accepted."""
    wanted = [len(committer.accepted) + more for committer in committers]

    async def have_them() -> bool:
        return all(len(c.accepted) >= number for c, number in zip(committers, wanted, strict=True))

    await eventually(have_them, SECONDS)


async def test_everything_of_the_store_works(redis: Redis) -> None:
    store, outbox, wakeups = TableStore(redis, replicas=SAFE), Outbox(redis), Wakeups(redis)
    tables = {await create(store, listed="open", wake=BOT, deadline_ms=0) for _ in range(20)}
    for table_id in tables:
        await store.remember_seat("p", table_id)
    assert await store.tables_of("p") == tables
    assert {table.table_id for table in (await store.list(["open", "playing"], 50))[0]} == tables
    watched = min(tables)
    async with wakeups.subscribe(keys.table_channel(watched)) as wakeup:
        await wakeup.wait(0)
        await store.commit(commit(watched, 1, wake=BOT, deadline_ms=0, listed="playing"))
        assert await wakeup.wait(SECONDS)
    await wakeups.close()
    assert {resent.table_id for resent in await outbox.rearm_overdue(60_000)} == tables
    deliveries = await outbox.read("a", 2_000, 100)
    while len(deliveries) < 41:
        found = await outbox.read("a", 2_000, 100)
        assert found
        deliveries += found
    assert len(await outbox.reclaim("b", 0)) == 41
    await outbox.done(deliveries)
    assert await outbox.reclaim("c", 0) == []

    tickets = Tickets(TicketStore(redis, ttl_ms=60_000, accept_ms=60_000), redis)
    await tickets.wait("A", accept=True)
    await tickets.party("B", "b")
    assert await tickets.form() == 1
    match = await tickets.match("A")
    assert match is not None
    await tickets.store.accept("t-A", person("A").id, match.id, yes=True)
    (delivery,) = await tickets.store.read(500, 10)
    await tickets.store.opened(delivery, "table")
    assert await tickets.status("A", "B") == ["matched", "matched"]

    pool, ratings = Pool("agora", 2), RatingStore(redis, kept_days=1, games_needed=1)
    after = [Rated(who, who, 25.0, 8.0, 1_000, 1) for who in ("a", "b")]
    assert await ratings.count(pool, watched, await store.now_ms(), after) is Counted.MADE
    assert [placed.rated for placed in (await ratings.page(pool, 10))[0]] == after[::-1]

    answers = Answers(redis)
    async with answers.asking("q"):
        assert await answers.at_work("q", 1)
        assert await answers.is_worked_on("q")
        await answers.give("q", b"yes")
        assert await answers.wait("q", SECONDS) == b"yes"


async def test_a_move_that_is_on_no_replica_is_neither_accepted_nor_shown(
    group: Sentinels | ClusterGroup, redis: Redis
) -> None:
    little_time = Replicas(wanted=1, wait_ms=50)
    store = TableStore(redis, replicas=little_time)
    (one,) = committers(1, 1)
    first = await eventually_commits(store, one.table_id, 0)
    assert first.version == 1
    master = await asyncio.to_thread(master_of, group, one.table_id)
    held = [node for node in group.nodes if node is not master and follows(node, master)]
    for node in held:
        node.stop_for_now()
    try:
        with pytest.raises(NotReplicated):
            await store.commit(plain(one.table_id, 1))
        assert await store.version(one.table_id) == 2
        with pytest.raises(NotReplicated):
            await store.load(one.table_id)
        with pytest.raises(NotReplicated):
            await store.answer(one.table_id, "r1")
        elsewhere = connect(group.url)  # another process has written nothing that it could wait for
        with pytest.raises(NotReplicated):
            await TableStore(elsewhere, replicas=little_time).commit(plain(one.table_id, 1))
        with pytest.raises(NotReplicated):
            await TableStore(elsewhere, replicas=little_time).load(one.table_id)
        await elsewhere.aclose()
        with pytest.raises(Stale):
            await store.commit(plain(one.table_id, 0, "other"))
    finally:
        for node in held:
            node.go_on()
    again = await eventually_commits(store, one.table_id, 1)
    assert (again.version, again.repeated) == (2, True)
    stored = await store.load(one.table_id)
    assert stored is not None
    assert (stored.version, stored.commit) == (2, again.commit)


async def test_nothing_accepted_is_lost_when_a_master_dies(group: Sentinels | ClusterGroup, redis: Redis) -> None:
    store = TableStore(redis, replicas=SAFE)
    at_work = committers(8, 16)
    victim = await asyncio.to_thread(master_of, group, at_work[0].table_id)

    async def kill() -> None:
        await goes_on(at_work, 20)
        victim.kill()
        await asyncio.to_thread(replaced, group, victim, at_work[0].table_id)
        if isinstance(group, ClusterGroup):
            victim.start()  # as a replica: there is no other one, and without one nothing is accepted
        await goes_on(at_work, 20)

    outcome = await run(store, at_work, kill)
    assert outcome.lost == 0
    assert outcome.doubled == 0
    assert outcome.gap < SECONDS


def plain(table_id: str, version: int, request_id: str = "") -> Commit:
    return plain_commit(table_id, version, request_id or f"r{version}")


async def eventually_commits(store: TableStore, table_id: str, version: int) -> Committed:
    async def commits() -> Committed | None:
        try:
            return await store.commit(plain(table_id, version))
        except NotReplicated:
            return None

    made = await eventually(commits, SECONDS)
    assert made is not None
    return made


def follows(node: Node, master: Node) -> bool:
    return node.info().get("master_port") == master.port
