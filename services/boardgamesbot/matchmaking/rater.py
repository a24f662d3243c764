"""The rater: reads finished tables, and lets each count for the ratings of its people, once."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from typing import TYPE_CHECKING

from google.protobuf.message import DecodeError

from boardgamesbot.matchmaking import bot_ratings
from boardgamesbot.matchmaking.rating import Skill, after, counts, person_of, ranks_of
from boardgamesbot.matchmaking.ratings import rating_store, skill_in
from boardgamesbot.runtime import jobs, logs, metrics
from boardgamesbot.store import UNAVAILABLE
from boardgamesbot.store.finished import Finished, FinishedTable
from boardgamesbot.store.ratings import Counted, Pool, Rated
from boardgamesbot.v1.tables_pb2 import Table

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from boardgamesbot.runtime.settings import Settings
    from boardgamesbot.store.ratings import RatingStore
    from boardgamesbot.v1.players_pb2 import Player

log = logs.logger(__name__)

READ_MS = 500
BATCH = 50
"""Finished tables read at once, of each slot."""
RECLAIM_MS = 5_000
WATCH_SECONDS = 2.0
RETRY_SECONDS = 0.3


async def rate(settings: Settings, redis: Redis, stop: asyncio.Event) -> None:
    """Rate finished tables until `stop` is set. Any number of processes may do so at the same time."""
    finished = Finished(redis, settings.slots, archived=bool(settings.archive))
    await Rater(finished, rating_store(redis, settings), socket.gethostname()).run(stop)


class Rater:
    """One of any number: each table is read by one of them, and by another if that one dies before it has counted."""

    def __init__(self, finished: Finished, ratings: RatingStore, consumer: str) -> None:
        self._finished = finished
        self._ratings = ratings
        self._consumer = consumer

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set."""
        await jobs.work((self._read, self._watch), stop, "rater", RETRY_SECONDS)

    async def rate(self, tables: Sequence[FinishedTable]) -> None:
        """Let tables count, then report them as done: after a crash in between they come again, and count no more."""
        for finished in sorted(tables, key=lambda one: one.time_ms):
            try:
                await self._rate(finished)
            except UNAVAILABLE:
                raise
            except Exception:
                log.exception("a table cannot be rated now: it will be tried again", table=finished.table_id)

    async def enter_bots(self) -> None:
        """Put the bots on the leaderboards."""
        for pool, bots in bot_ratings.pools().items():
            await self._ratings.enter_bots(pool, bots)

    async def _read(self) -> None:
        while True:
            await self.rate(await self._finished.read(self._consumer, READ_MS, BATCH))

    async def _watch(self) -> None:
        await self.enter_bots()
        while True:
            await self.rate(await self._finished.reclaim(self._consumer, RECLAIM_MS))
            await asyncio.sleep(WATCH_SECONDS)

    async def _rate(self, finished: FinishedTable) -> None:
        try:
            table = Table.FromString(finished.table)
        except DecodeError:
            log.error("not a table: its result is dropped", table=finished.table_id)
        else:
            if counts(table):
                outcome = await self._count(finished, table)
                metrics.RATED.add(outcome.name.lower())
                log.info("table rated", table=finished.table_id, outcome=outcome.name.lower())
        await self._finished.done([finished])

    async def _count(self, finished: FinishedTable, table: Table) -> Counted:
        """Work out the new ratings and write them, anew as often as another table of the same people is quicker."""
        pool = Pool(table.game_id, len(table.seats))
        people = {seat.seat: person for seat in table.seats if (person := person_of(seat)) is not None}
        ranks = ranks_of(table)
        while True:
            stored = await self._ratings.get(pool, [person.id for person in people.values()])
            before = dict(zip(people, stored, strict=True))
            skills = [
                skill_in(before[seat.seat]) if seat.seat in people else bot_ratings.skill_of(pool, seat.player.bot)
                for seat in table.seats
            ]
            rated = [
                _with_one_more_game(people[seat], before[seat], skill)
                for seat, skill in enumerate(after(skills, ranks))
                if seat in people
            ]
            outcome = await self._ratings.count(pool, finished.table_id, finished.time_ms, rated)
            if outcome is not Counted.CHANGED:
                return outcome


def _with_one_more_game(person: Player, before: Rated | None, skill: Skill) -> Rated:
    games = before.games if before else 0
    return Rated(person.id, person.name, skill.mu, skill.sigma, skill.points, games + 1)
