"""Ratings change together, once a table, and only from what they were worked out from; leaderboards have pages."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest
from redis.asyncio import Redis

from boardgamesbot.store import keys
from boardgamesbot.store.finished import RESULTS_KEPT_SECONDS
from boardgamesbot.store.ratings import Counted, Placed, Pool, Rated, RatingStore

POOL = Pool("agora", 3)
ADA = Rated("guest-ada", "Ada", 27.635, 8.066, 1582, 1)
BEN = Rated("guest-ben", "Ben", 22.365, 8.066, 1456, 1)
GREEDY = Rated("bot:greedy", "Greedy", 25.0, 2.0, 1956, 100)
RANDOM = Rated("bot:random", "Random", 5.1, 2.5, 1442, 100)


@pytest.fixture
def ratings(redis: Redis) -> RatingStore:
    return RatingStore(redis, kept_days=365, games_needed=1)


def now_ms() -> int:
    """The server's clock is this machine's."""
    return int(time.time() * 1000)


async def count(ratings: RatingStore, table_id: str, *after: Rated, pool: Pool = POOL) -> Counted:
    return await ratings.count(pool, table_id, now_ms(), after)


async def test_a_result_changes_all_ratings_of_its_people(ratings: RatingStore) -> None:
    assert await ratings.get(POOL, [ADA.who, BEN.who]) == [None, None]
    assert await count(ratings, "table 1", ADA, BEN) is Counted.MADE
    assert await ratings.get(POOL, [BEN.who, "guest-cem", ADA.who]) == [BEN, None, ADA]


async def test_figures_come_back_to_the_last_digit(ratings: RatingStore) -> None:
    exact = replace(ADA, mu=0.1 + 0.2, sigma=25 / 3)
    await count(ratings, "table 1", exact)
    assert await ratings.get(POOL, [ADA.who]) == [exact]


async def test_each_pool_is_for_itself(ratings: RatingStore) -> None:
    await count(ratings, "table 1", ADA)
    for pool in (Pool("agora", 4), Pool("barcelona", 3)):
        assert await ratings.get(pool, [ADA.who]) == [None]
        assert await count(ratings, "table 1", ADA, pool=pool) is Counted.MADE


async def test_a_table_counts_once(ratings: RatingStore) -> None:
    await count(ratings, "table 1", ADA, BEN)
    again = replace(ADA, games=2, mu=50.0)
    assert await count(ratings, "table 1", again) is Counted.REPEATED
    assert await ratings.get(POOL, [ADA.who]) == [ADA]


async def test_nothing_changes_where_one_rating_is_not_what_it_was_worked_out_from(ratings: RatingStore) -> None:
    await count(ratings, "table 1", ADA)
    assert await count(ratings, "table 2", BEN, replace(ADA, mu=30.0)) is Counted.CHANGED
    assert await count(ratings, "table 2", BEN, replace(ADA, mu=30.0, games=3)) is Counted.CHANGED
    assert await ratings.get(POOL, [ADA.who, BEN.who]) == [ADA, None]
    assert await count(ratings, "table 2", BEN, replace(ADA, mu=30.0, games=2)) is Counted.MADE


async def test_a_result_counts_no_more_when_the_note_that_it_did_may_be_gone(
    ratings: RatingStore, redis: Redis
) -> None:
    old = now_ms() - RESULTS_KEPT_SECONDS * 1000
    assert await ratings.count(POOL, "table 1", old - 60_000, [ADA]) is Counted.LATE
    assert await ratings.get(POOL, [ADA.who]) == [None]
    assert await ratings.count(POOL, "table 1", old + 60_000, [ADA]) is Counted.MADE
    note = keys.rated_table(POOL.game_id, POOL.players, "table 1")
    assert await redis.ttl(note) > RESULTS_KEPT_SECONDS


async def test_a_rating_is_forgotten_long_after_its_last_game(redis: Redis) -> None:
    ratings = RatingStore(redis, kept_days=2, games_needed=1)
    await count(ratings, "table 1", ADA)
    key = keys.rating(POOL.game_id, POOL.players, ADA.who)
    assert 2 * 86_400 - 60 < await redis.ttl(key) <= 2 * 86_400


async def test_all_keys_of_a_result_have_one_hash_tag(ratings: RatingStore, redis: Redis) -> None:
    await count(ratings, "table 1", ADA, BEN)
    await ratings.enter_bots(POOL, [GREEDY])
    names: list[Any] = await redis.keys()
    assert len(names) == 6
    assert all(name.startswith(b"{ratings:agora:3}:") for name in names)


class TestLeaderboard:
    async def test_best_first_and_equals_share_a_place(self, ratings: RatingStore) -> None:
        points = {"a": 1500, "b": 1700, "c": 1500, "d": -20, "e": 1600, "f": 1500}
        for who, value in points.items():
            await count(ratings, who, replace(ADA, who=who, points=value))
        page, token = await ratings.page(POOL, 10)
        assert [(placed.rank, placed.rated.who) for placed in page] == [
            (1, "b"), (2, "e"), (3, "f"), (3, "c"), (3, "a"), (6, "d"),
        ]  # fmt: skip
        assert token == ""
        assert [(await ratings.placed(POOL, who))[1] for who in "ad"] == [3, 6]
        assert page[0].rated == replace(ADA, who="b", points=1700)

    @pytest.mark.parametrize("size", [1, 2, 3, 6])
    async def test_pages_hold_everybody_once(self, ratings: RatingStore, size: int) -> None:
        people = [replace(ADA, who=f"guest-{i}", points=1500 + i // 3) for i in range(6)]
        for person in people:
            await count(ratings, person.who, person)
        seen: list[Placed] = []
        token = ""
        for _ in range(6 // size):
            page, token = await ratings.page(POOL, size, token)
            assert len(page) == size
            seen += page
        assert token == ""
        assert [placed.rated.who for placed in seen] == [f"guest-{i}" for i in (5, 4, 3, 2, 1, 0)]
        assert [placed.rank for placed in seen] == [1, 1, 1, 4, 4, 4]

    async def test_the_next_page_goes_on_below_wherever_the_last_player_has_gone(self, ratings: RatingStore) -> None:
        for who, points in (("a", 1500), ("b", 1600), ("c", 1700), ("d", 1550)):
            await count(ratings, who, replace(ADA, who=who, points=points))
        _, token = await ratings.page(POOL, 2)
        await count(ratings, "x", replace(ADA, who="b", points=1400, games=2))
        page, _ = await ratings.page(POOL, 5, token)
        assert [placed.rated.who for placed in page] == ["d", "a", "b"]

    async def test_only_those_with_enough_games_are_listed(self, redis: Redis) -> None:
        ratings = RatingStore(redis, kept_days=365, games_needed=2)
        await count(ratings, "table 1", ADA, BEN)
        assert await ratings.page(POOL, 10) == ([], "")
        assert await ratings.placed(POOL, ADA.who) == (ADA, None)
        await count(ratings, "table 2", replace(ADA, games=2))
        page, _ = await ratings.page(POOL, 10)
        assert page == [Placed(1, replace(ADA, games=2))]

    async def test_who_was_forgotten_leaves_it(self, ratings: RatingStore, redis: Redis) -> None:
        await count(ratings, "table 1", ADA, BEN)
        await redis.delete(keys.rating(POOL.game_id, POOL.players, ADA.who))
        assert [placed.rated.who for placed in (await ratings.page(POOL, 1))[0]] == [BEN.who]
        assert await redis.zcard(keys.leaderboard(POOL.game_id, POOL.players)) == 1

    async def test_who_was_forgotten_and_comes_back_is_not_listed_at_once(self, redis: Redis) -> None:
        ratings = RatingStore(redis, kept_days=365, games_needed=2)
        for games in (1, 2):
            await count(ratings, f"table {games}", replace(ADA, games=games))
        await redis.delete(keys.rating(POOL.game_id, POOL.players, ADA.who))
        await count(ratings, "table 3", ADA)
        assert await ratings.page(POOL, 10) == ([], "")

    async def test_bots_stand_among_the_people_and_never_move(self, ratings: RatingStore) -> None:
        await count(ratings, "table 1", ADA, BEN)
        for _ in range(2):
            await ratings.enter_bots(POOL, [GREEDY, RANDOM])
        page, _ = await ratings.page(POOL, 10)
        assert [placed.rated for placed in page] == [GREEDY, ADA, BEN, RANDOM]
        assert await ratings.placed(POOL, RANDOM.who) == (RANDOM, 4)

    async def test_a_bot_measured_anew_takes_its_old_place_and_one_that_is_gone_leaves_it(
        self, ratings: RatingStore
    ) -> None:
        await ratings.enter_bots(POOL, [GREEDY, RANDOM])
        better = replace(RANDOM, points=1800)
        await ratings.enter_bots(POOL, [better])
        assert await ratings.placed(POOL, RANDOM.who) == (better, 1)
        assert await ratings.page(POOL, 10) == ([Placed(1, better)], "")
        assert await ratings.get(POOL, [GREEDY.who]) == [None]

    @pytest.mark.parametrize("token", ["x", "1500", "1500.", ".a", "1.a b", "1500.ä", "9" * 20 + ".a"])
    async def test_a_token_of_ones_own_making_is_refused(self, ratings: RatingStore, token: str) -> None:
        with pytest.raises(ValueError, match="not a page token"):
            await ratings.page(POOL, 10, token)
