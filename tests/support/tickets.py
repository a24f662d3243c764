"""Tickets as the tests of the store need them: people by name, each with a wish, and one look for matches at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from redis.asyncio import Redis

from boardgamesbot.store import keys
from boardgamesbot.store.tickets import NewTicket, Person, StoredMatch, StoredTicket, TicketStore, Window

GAME = "agora"
ANY_WINDOW = Window(1e6, 0, 1e6)
"""Everybody suits."""


def person(name: str) -> Person:
    return Person(f"guest-{name}", name)


def new_ticket(
    name: str,
    *,
    game: str = GAME,
    sizes: Iterable[int] = (3,),
    rating: float = 1500.0,
    party: int = 1,
    window: Window = ANY_WINDOW,
    bots_ms: int | None = None,
    bot: str = "greedy",
    accept: bool = False,
    unrated: bool = False,
    options: str | None = None,
) -> NewTicket:
    """The ticket `t-NAME` of the person NAME; `options` None: it takes any."""
    return NewTicket(
        id=f"t-{name}",
        owner=person(name),
        game=game,
        options=(options or "usual").encode(),
        fingerprint=options or "usual",
        is_flexible=options is None,
        ratings=dict.fromkeys(sizes, rating),
        size=party,
        code=f"code-{name}",
        window=window,
        bots_ms=bots_ms,
        bot=bot,
        wants_acceptance=accept,
        is_unrated=unrated,
        request=b"request \xff of " + name.encode(),
    )


@dataclass
class Tickets:
    """A store of tickets, spoken to by the names of people."""

    store: TicketStore
    redis: Redis

    async def wait(self, *names: str, **wish: object) -> None:
        """Have these people wait, each with a ticket of their own."""
        for name in names:
            assert await self.store.create(new_ticket(name, **wish))  # type: ignore[arg-type]

    async def party(self, owner: str, *others: str, rating: float = 1500.0, **wish: object) -> None:
        """Have these people wait with one ticket."""
        ticket = new_ticket(owner, party=1 + len(others), rating=rating, **wish)  # type: ignore[arg-type]
        assert await self.store.create(ticket)
        for name in others:
            await self.store.join(ticket.id, person(name), dict.fromkeys(ticket.ratings, rating))

    async def of(self, name: str) -> StoredTicket:
        """The ticket that the person made."""
        ticket = await self.store.load(f"t-{name}")
        assert ticket is not None
        return ticket

    async def status(self, *names: str) -> list[str]:
        return [(await self.of(name)).status for name in names]

    async def match(self, name: str) -> StoredMatch | None:
        """The match of the ticket that the person made."""
        return (await self.of(name)).match

    async def company(self, name: str) -> list[str]:
        """Who is in a match with the person, themselves included, bots by their id; empty without one."""
        match = await self.match(name)
        seats = () if match is None else match.seats
        return sorted(seat.person.name if seat.person else seat.bot for seat in seats)

    async def form(self) -> int:
        """Look once for everybody whose turn it is; gives how many matches were made."""
        return (await self.store.form(100)).made

    async def leftovers(self) -> list[str]:
        """Every key that says that somebody waits, plays, or is to be told; none are left when all is over."""
        scan: Any = self.redis.scan_iter(match=f"{keys.MATCHMAKING}*", count=1000)
        found = [key.decode() async for key in scan]
        ends = ("due", "expiring", "deadlines")
        left = [key for key in found if key.startswith((f"{keys.MATCHMAKING}line", f"{keys.MATCHMAKING}player"))]
        left += [key for key in found if key.removeprefix(keys.MATCHMAKING) in ends or ":code:" in key]
        if await self.redis.xlen(keys.MATCHES):
            left.append(keys.MATCHES)
        for key in found:
            if key.startswith(f"{keys.MATCHMAKING}queue:"):
                counts: Any = await self.redis.hgetall(key)
                left += [
                    f"{key} {field.decode()}={count.decode()}"
                    for field, count in counts.items()
                    if field.startswith(b"waiting:") and count != b"0"
                ]
        return left


def names(people: Sequence[Person]) -> list[str]:
    return [one.name for one in people]
