"""Finished tables count for their people, each exactly once, whatever comes twice, at once or in another order."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import pytest
from redis import exceptions
from redis.asyncio import Redis

from boardgamesbot.matchmaking import bot_ratings
from boardgamesbot.matchmaking.rater import Rater, rate
from boardgamesbot.matchmaking.rating import Skill, after
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.store import keys
from boardgamesbot.store.embedded import die_with_parent
from boardgamesbot.store.finished import Finished
from boardgamesbot.store.ratings import Counted, Pool, Rated, RatingStore
from boardgamesbot.store.tables import TableStore
from boardgamesbot.v1.tables_pb2 import Table
from tests.support.finished import bot, finish_all, person, table
from tests.support.waiting import eventually

ADA, BEN, CEM, DOM, EVA = PEOPLE = [person(name) for name in ("ada", "ben", "cem", "dom", "eva")]
NEW = Skill()
POOL = Pool("agora", 3)


class Stage:
    """A rater that does its work when it is told to."""

    def __init__(self, redis: Redis, ratings: RatingStore) -> None:
        self.finished = Finished(redis)
        self.ratings = ratings
        self.rater = Rater(self.finished, ratings, "test")

    async def rate_all(self) -> None:
        while found := await self.finished.read("test", 0, 10):
            await self.rater.rate(found)

    async def rated(self, *people: object, pool: Pool = POOL) -> list[Rated]:
        """The ratings of people who must have one."""
        found = await self.ratings.get(pool, [player.id for player in people])  # type: ignore[attr-defined]
        known = [rated for rated in found if rated is not None]
        assert len(known) == len(people)
        return known

    async def skills(self, *people: object, pool: Pool = POOL) -> list[Skill]:
        return [Skill(rated.mu, rated.sigma) for rated in await self.rated(*people, pool=pool)]

    async def is_untouched(self) -> bool:
        """Whether nobody has a rating, and nothing is left to be rated."""
        found = [await self.ratings.get(Pool("agora", n), [p.id for p in PEOPLE]) for n in (2, 3, 4, 5)]
        return not any(rated for of_pool in found for rated in of_pool) and not await self.finished.reclaim("other", 0)


@pytest.fixture
def stage(redis: Redis, ratings: RatingStore) -> Stage:
    return Stage(redis, ratings)


class TestOneTable:
    async def test_of_people_changes_all_their_ratings(self, store: TableStore, stage: Stage) -> None:
        await finish_all(store, [table([ADA, BEN, CEM], [10, 30, 20])])
        await stage.rate_all()
        assert await stage.skills(ADA, BEN, CEM) == after([NEW, NEW, NEW], [2, 0, 1])
        ada, ben, _ = await stage.rated(ADA, BEN, CEM)
        assert (ada.name, ada.games, ben.name, ben.games) == ("Ada", 1, "Ben", 1)
        assert ada.points < ben.points == after([NEW, NEW, NEW], [2, 0, 1])[1].points

    async def test_with_bots_counts_with_their_fixed_ratings(self, store: TableStore, stage: Stage) -> None:
        await stage.rater.enter_bots()
        before = await stage.ratings.get(POOL, [bot_ratings.bot_id(one) for one in ("random", "greedy")])
        await finish_all(store, [table([bot("random"), ADA, bot("greedy")], [10, 30, 20])])
        await stage.rate_all()
        fixed = [bot_ratings.skill_of(POOL, one) for one in ("random", "greedy")]
        assert await stage.skills(ADA) == [after([fixed[0], NEW, fixed[1]], [2, 0, 1])[1]]
        assert await stage.ratings.get(POOL, [bot_ratings.bot_id(one) for one in ("random", "greedy")]) == before
        assert None not in before

    async def test_puts_who_resigned_last_and_not_the_bot_that_played_on(self, store: TableStore, stage: Stage) -> None:
        await finish_all(store, [table([ADA, BEN, CEM], [99, 30, 20], resigned={0: 50})])
        await stage.rate_all()
        assert await stage.skills(ADA, BEN, CEM) == after([NEW, NEW, NEW], [2, 0, 1])

    async def test_against_bots_that_was_resigned_is_a_last_place_too(self, store: TableStore, stage: Stage) -> None:
        await finish_all(store, [table([ADA, bot("random"), bot("random")], [99, 30, 20], resigned={0: 50})])
        await stage.rate_all()
        ((skill),) = await stage.skills(ADA)
        assert skill.mu < NEW.mu

    @pytest.mark.parametrize(
        "made",
        [
            table([ADA, BEN, CEM], [10, 30, 20], rated=False),
            table([bot("random"), bot("greedy"), bot("random")], [10, 30, 20]),
        ],
        ids=["unrated", "bots alone"],
    )
    async def test_that_is_not_to_count_is_dropped(self, store: TableStore, stage: Stage, made: Table) -> None:
        await finish_all(store, [made])
        await stage.rate_all()
        assert await stage.is_untouched()

    async def test_that_nobody_can_read_does_not_hold_up_the_next(
        self, store: TableStore, stage: Stage, redis: Redis
    ) -> None:
        await redis.xadd(keys.finished(0), {"table": "broken", "public": b"\xff\xff"})
        senseless = table([ADA, BEN], [10, 20])
        del senseless.summary.points[:]
        await finish_all(store, [senseless, table([ADA, BEN, CEM], [10, 30, 20])])
        await stage.rate_all()
        assert [rated.games for rated in await stage.rated(ADA, BEN, CEM)] == [1, 1, 1]

    async def test_shows_a_name_as_it_was_last_seen(self, store: TableStore, stage: Stage) -> None:
        later = person("ada")
        later.name = "Ada L."
        for ada in (ADA, later):
            await finish_all(store, [table([ada, BEN, CEM], [1, 2, 3])])
            await stage.rate_all()
        assert [rated.name for rated in await stage.rated(ADA)] == ["Ada L."]


class TestExactlyOnce:
    async def test_a_result_that_comes_again_changes_nothing(
        self, store: TableStore, stage: Stage, redis: Redis
    ) -> None:
        made = table([ADA, BEN, CEM], [10, 30, 20])
        await finish_all(store, [made])
        await stage.rate_all()
        first = await stage.rated(ADA, BEN, CEM)
        for _ in range(3):
            await redis.xadd(keys.finished(0), {"table": made.id, "public": made.SerializeToString()})
        await stage.rate_all()
        assert await stage.rated(ADA, BEN, CEM) == first

    async def test_a_rater_that_died_before_it_counted_is_made_up_for(
        self, store: TableStore, stage: Stage, redis: Redis
    ) -> None:
        await finish_all(store, [table([ADA, BEN, CEM], [10, 30, 20])])
        dying = Rater(stage.finished, Dying(redis, before=True), "dying")
        with pytest.raises(exceptions.ConnectionError):
            await dying.rate(await stage.finished.read("dying", 0, 10))
        await stage.rater.rate(await stage.finished.reclaim("test", 0))
        assert await stage.skills(ADA, BEN, CEM) == after([NEW, NEW, NEW], [2, 0, 1])

    async def test_a_rater_that_died_after_it_counted_is_not_followed_by_a_second_count(
        self, store: TableStore, stage: Stage, redis: Redis
    ) -> None:
        await finish_all(store, [table([ADA, BEN, CEM], [10, 30, 20])])
        dying = Rater(stage.finished, Dying(redis, before=False), "dying")
        with pytest.raises(exceptions.ConnectionError):
            await dying.rate(await stage.finished.read("dying", 0, 10))
        first = await stage.rated(ADA, BEN, CEM)
        await stage.rater.rate(await stage.finished.reclaim("test", 0))
        assert await stage.rated(ADA, BEN, CEM) == first
        assert [rated.games for rated in first] == [1, 1, 1]
        assert await stage.finished.reclaim("test", 0) == []

    async def test_two_raters_with_the_same_table_count_it_once(self, store: TableStore, stage: Stage) -> None:
        await finish_all(store, [table([ADA, BEN, CEM], [10, 30, 20])])
        found = await stage.finished.read("one", 0, 10)
        await asyncio.gather(*(stage.rater.rate(found) for _ in range(8)))
        assert await stage.skills(ADA, BEN, CEM) == after([NEW, NEW, NEW], [2, 0, 1])


class TestManyTables:
    @pytest.mark.parametrize("order", [(0, 1), (1, 0)])
    async def test_two_tables_count_both_in_either_order(
        self, store: TableStore, stage: Stage, order: Sequence[int]
    ) -> None:
        await finish_all(store, [table([ADA, BEN, CEM], [10, 30, 20]), table([CEM, ADA, DOM], [10, 30, 20])])
        found = {one.table_id: one for one in await stage.finished.read("test", 0, 10)}
        tables = list(found.values())
        first, second = (tables[at] for at in order)
        await stage.rater.rate([first])
        await stage.rater.rate([second])
        expected = dict.fromkeys((p.id for p in (ADA, BEN, CEM, DOM)), NEW)
        for one in (first, second):
            who = [seat.player.id for seat in Table.FromString(one.table).seats]
            for person_id, skill in zip(who, after([expected[w] for w in who], [2, 0, 1]), strict=True):
                expected[person_id] = skill
        assert await stage.skills(ADA, BEN, CEM, DOM) == list(expected.values())
        assert [rated.games for rated in await stage.rated(ADA, BEN, CEM, DOM)] == [2, 1, 2, 1]

    async def test_raters_at_work_on_the_same_people_lose_nothing(
        self, store: TableStore, stage: Stage, redis: Redis
    ) -> None:
        """Every three of five people play, in every order: 60 tables, 36 a person, four raters at once."""
        await finish_all(store, [table(list(seats), [10, 30, 20]) for seats in permutations(PEOPLE, 3)])
        found = await stage.finished.read("test", 0, 100)
        assert len(found) == 60
        crowded = Crowded(redis)
        raters = [Rater(stage.finished, crowded, "test") for _ in range(4)]
        await asyncio.gather(*(rater.rate(found[at::4]) for at, rater in enumerate(raters)))
        assert crowded.changed > 0, "nobody was ever in another's way: nothing was tested"
        assert [rated.games for rated in await stage.rated(*PEOPLE)] == [36] * 5
        assert await stage.finished.reclaim("test", 0) == []

    async def test_tables_of_other_numbers_of_players_are_rated_apart(self, store: TableStore, stage: Stage) -> None:
        await finish_all(store, [table([ADA, BEN, CEM], [1, 2, 3]), table([ADA, BEN, CEM, DOM], [4, 3, 2, 1])])
        await stage.rate_all()
        assert await stage.skills(ADA) == [after([NEW] * 3, [2, 1, 0])[0]]
        assert await stage.skills(ADA, pool=Pool("agora", 4)) == [after([NEW] * 4, [0, 1, 2, 3])[0]]


class Dying(RatingStore):
    """The connection breaks for good before or after a result was let count."""

    def __init__(self, redis: Redis, *, before: bool) -> None:
        super().__init__(redis, kept_days=1, games_needed=1)
        self._before = before

    async def count(self, pool: Pool, table_id: str, finished_ms: int, after: Sequence[Rated]) -> Counted:
        if not self._before:
            await super().count(pool, table_id, finished_ms, after)
        raise exceptions.ConnectionError("gone")


class Crowded(RatingStore):
    """Counts how often a rating had changed before a result could count."""

    def __init__(self, redis: Redis) -> None:
        super().__init__(redis, kept_days=1, games_needed=1)
        self.changed = 0

    async def count(self, pool: Pool, table_id: str, finished_ms: int, after: Sequence[Rated]) -> Counted:
        outcome = await super().count(pool, table_id, finished_ms, after)
        self.changed += outcome is Counted.CHANGED
        return outcome


async def test_the_rater_of_a_server_rates_what_was_there_and_what_comes(
    store: TableStore, stage: Stage, redis: Redis, redis_url: str
) -> None:
    stop = asyncio.Event()
    await finish_all(store, [table([ADA, BEN, CEM], [1, 2, 3])])
    working = asyncio.create_task(rate(Settings(redis_url=redis_url), redis, stop))

    async def games() -> int:
        (rated,) = await stage.ratings.get(POOL, [ADA.id])
        return rated.games if rated else 0

    async def one() -> bool:
        return await games() == 1

    async def two() -> bool:
        return await games() == 2

    await eventually(one)
    await finish_all(store, [table([ADA, BEN, CEM], [1, 2, 3])])
    await eventually(two)
    page, _ = await stage.ratings.page(POOL, 10)
    assert {bot_ratings.bot_of(placed.rated.who) for placed in page} >= {"greedy", "random"}
    stop.set()
    await working


PROGRAM = """
import asyncio, os, signal, sys
from boardgamesbot.matchmaking import rater
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.store.client import connect
from boardgamesbot.store.ratings import Counted, RatingStore

url, last, moment = sys.argv[1], int(sys.argv[2]), sys.argv[3]
made, count = 0, RatingStore.count

async def count_and_die(*words):
    global made
    if made == last and moment == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    outcome = await count(*words)
    made += outcome is Counted.MADE
    if made == last and moment == "after":
        os.kill(os.getpid(), signal.SIGKILL)
    return outcome

RatingStore.count = count_and_die
rater.RECLAIM_MS, rater.WATCH_SECONDS = 50, 0.05
asyncio.run(rater.rate(Settings(redis_url=url), connect(url), asyncio.Event()))
"""
"""A rater as a process, quicker than usual to take over what another left. Once so many results have counted, it is
killed, before the next one counts or before it can say that the last one has."""


def start(redis_url: str, last: int, moment: str, log: Path) -> subprocess.Popen[bytes]:
    with log.open("ab") as out:
        return subprocess.Popen(
            [sys.executable, "-c", PROGRAM, redis_url, str(last), moment],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            preexec_fn=die_with_parent,
        )


async def test_raters_that_are_killed_rate_nothing_twice_and_forget_nothing(
    store: TableStore, stage: Stage, redis: Redis, redis_url: str, tmp_path: Path
) -> None:
    """60 tables of the same five people; two raters are killed in the middle of their work, and a third begins."""
    await finish_all(store, [table(list(seats), [10, 30, 20]) for seats in permutations(PEOPLE, 3)])
    log = tmp_path / "raters.log"

    async def counted() -> int:
        found = await stage.ratings.get(POOL, [player.id for player in PEOPLE])
        return sum(rated.games for rated in found if rated) // 3

    for last, moment in ((20, "before"), (10, "after")):
        before = await counted()
        process = start(redis_url, last, moment, log)
        assert await asyncio.to_thread(process.wait, 60) == -signal.SIGKILL, log.read_text()
        assert await counted() - before in (last, last + 1)  # one more may have been on its way

    async def nothing_left() -> bool:
        return not any([await redis.xlen(keys.finished(slot)) for slot in range(16)])

    process = start(redis_url, 0, "never", log)
    await eventually(nothing_left, 60)
    process.kill()
    process.wait()
    assert [rated.games for rated in await stage.rated(*PEOPLE)] == [36] * 5
