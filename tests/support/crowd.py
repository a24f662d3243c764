"""A crowd that looks for games all at once: people who wait, accept, decline, change their mind, or are suddenly gone,
and matchers that are killed and started again."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import grpc
from redis.asyncio import Redis

from boardgamesbot.client.channel import OPTIONS
from boardgamesbot.matchmaking.matcher import Matcher
from boardgamesbot.runtime.tokens import Tokens
from boardgamesbot.store import keys
from boardgamesbot.store.accounts import AccountStore
from boardgamesbot.store.client import MAX_CONNECTIONS
from boardgamesbot.store.tasks import ended
from boardgamesbot.store.tickets import LIVE, Gone, Late, NewTicket, StoredTicket, TicketStore, Window
from boardgamesbot.store.wakeups import Wakeups
from boardgamesbot.v1 import agora_pb2, games_pb2, tables_pb2
from tests.support.bots import TOKEN_KEY
from tests.support.tickets import Tickets, new_ticket, person

AT_ONCE = 250
"""Tickets that are live at the same time."""
LOOK_SECONDS = 0.05
PATIENCE_MS = 4_000
"""After so long anybody gives up."""
TTL_MS = 1_500
ACCEPT_MS = 800
KILL_SECONDS = 0.15


@dataclass
class Crowd:
    """Plays `number` tickets against a store, and notes how each ended."""

    redis: Redis
    rules: str
    number: int
    rng: Random
    ends: Counter[str] = field(default_factory=Counter)
    told: dict[str, list[str]] = field(default_factory=dict)
    """Every status that was published of each ticket, in order."""
    kills: int = 0

    def __post_init__(self) -> None:
        self.store = TicketStore(self.redis, ttl_ms=TTL_MS, accept_ms=ACCEPT_MS)
        self.tickets = Tickets(self.store, self.redis)
        self._places = asyncio.Semaphore(AT_ONCE)
        self._hands = asyncio.Semaphore(MAX_CONNECTIONS // 2)  # the others are for the matchers

    async def play(self, matchers: int = 3) -> None:
        """Let everybody look for a game until every ticket has ended."""
        async with self._listening(), self._matching(matchers), asyncio.TaskGroup() as group:
            for number in range(self.number):
                group.create_task(self._look(f"P{number}", Random(self.rng.random())))

    async def _look(self, name: str, rng: Random) -> None:
        """One ticket, from its making to its end."""
        async with self._places:
            size = rng.choices((1, 2, 3, 4), (70, 15, 10, 5))[0]
            people = [name, *(f"{name}.{i}" for i in range(1, size))]
            ticket = _wish(name, size, rng)
            async with self._hands:
                await self.store.create(ticket)
                for other in people[1:]:
                    await self.store.join(ticket.id, person(other), ticket.ratings)
                born = await self.store.now_ms()
            gone = rng.random() < 0.06
            changes_mind_ms = rng.choice((PATIENCE_MS, PATIENCE_MS, rng.uniform(0, 400)))
            while True:
                async with self._hands:
                    now = await self.tickets.of(name)
                    if now.status not in LIVE:
                        break
                    age = await self.store.now_ms() - born
                    if not gone:
                        await self._live(now, people, rng, leaves=age > changes_mind_ms)
                await asyncio.sleep(LOOK_SECONDS)
            self.ends[now.status] += 1

    async def _live(self, ticket: StoredTicket, people: list[str], rng: Random, *, leaves: bool) -> None:
        try:
            if leaves:
                await self.store.cancel(ticket.id)
                return
            for name in people:
                await self.store.touch(ticket.id, person(name).id)
            if ticket.status == "proposed" and ticket.match is not None:
                name = rng.choice(people)
                await self.store.accept(ticket.id, person(name).id, ticket.match.id, yes=rng.random() > 0.04)
        except (Late, Gone):
            pass  # the match was quicker, or is none any more

    @asynccontextmanager
    async def _matching(self, matchers: int) -> AsyncIterator[None]:
        """So many matchers at work, one or another of them killed every now and then, in whatever it is doing."""
        tokens = Tokens(TOKEN_KEY.encode(), 600)
        wakeups = Wakeups(self.redis)
        async with grpc.aio.insecure_channel(self.rules, options=OPTIONS) as channel:

            def start() -> asyncio.Task[None]:
                accounts = AccountStore(self.redis, ttl_ms=60_000)
                matcher = Matcher(self.store, wakeups, channel, tokens, accounts, 0)
                return asyncio.create_task(matcher.run(asyncio.Event()))

            running = [start() for _ in range(matchers)]

            async def kill() -> None:
                while True:
                    await asyncio.sleep(KILL_SECONDS)
                    which = self.rng.randrange(matchers)
                    await ended(running[which])
                    running[which] = start()
                    self.kills += 1

            killer = asyncio.create_task(kill())
            try:
                yield
            finally:
                await ended(killer)
                await ended(*running)
                await wakeups.close()

    @asynccontextmanager
    async def _listening(self) -> AsyncIterator[None]:
        """Note every status of every ticket as it is published."""
        listener = self.redis.pubsub()
        await listener.psubscribe("ticket:*")

        async def listen() -> None:
            async for message in listener.listen():
                if message["type"] == "pmessage":
                    name = message["channel"].decode().removeprefix("ticket:")
                    self.told.setdefault(name, []).append(message["data"].decode())

        listening = asyncio.create_task(listen())
        try:
            yield
        finally:
            await ended(listening)
            await listener.aclose()  # type: ignore[no-untyped-call]

    async def tables(self) -> list[tables_pb2.Table]:
        """Every table there is."""
        found = []
        for slot in range(keys.DEFAULT_SLOTS):
            async for key in self.redis.scan_iter(match=f"{keys.table_prefix(slot)}*", count=1000, _type="HASH"):
                stored: Any = await self.redis.hget(key, "table")
                if stored is not None:
                    found.append(tables_pb2.Table.FromString(stored))
        return found


def _wish(name: str, size: int, rng: Random) -> NewTicket:
    """A ticket as people make them, with options that a rules server knows."""
    low = rng.randint(max(3, size), 5)
    ticket = new_ticket(
        name,
        sizes=range(low, rng.randint(low, 5) + 1),
        party=size,
        rating=rng.gauss(1500, 150),
        window=Window(100, 400, 1000),
        bots_ms=rng.choice((None, None, 300, 900)),
        accept=rng.random() < 0.2,
        options=rng.choice((None, None, "plain")),
    )
    backs = agora_pb2.AGORA_BACKS_PLAIN if ticket.fingerprint == "plain" else agora_pb2.AGORA_BACKS_DISTRICT
    options = games_pb2.GameOptions(agora=agora_pb2.AgoraOptions(backs=backs))
    return replace(ticket, options=options.SerializeToString(deterministic=True))
