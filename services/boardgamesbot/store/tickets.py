"""Tickets and matches: who waits for a game, who was brought together, and which table it became.

Each method is one Lua call (`tickets.lua` says what they share), so that whatever happens at the same time, a ticket
ends exactly once. All times are Redis's.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import TYPE_CHECKING, Any

from redis.exceptions import ResponseError

from boardgamesbot.store import keys
from boardgamesbot.store.client import MAX_BLOCK_MS
from boardgamesbot.store.errors import Unblocked
from boardgamesbot.store.scripts import script

if TYPE_CHECKING:
    from redis.asyncio import Redis

GROUP = "matchers"
CONSUMER = "matcher"
"""All matchers are one consumer: what one of them was given and never reported, any of them may claim."""

NEAREST = 8
"""So many tickets on either side of a ticket's rating are looked at, for each size of table and of party."""

ID_BYTES = 16

LIVE = frozenset({"party", "waiting", "proposed", "opening"})
"""The statuses of a ticket that has not ended."""


class Busy(Exception):
    """The player has another live ticket."""

    def __init__(self, ticket_id: str) -> None:
        super().__init__(f"the player has the live ticket {ticket_id}")
        self.ticket_id = ticket_id


class Gone(Exception):
    """There is no such live ticket, or its match is none any more."""


class Full(Exception):
    """The party is complete."""


class Late(Exception):
    """A match was made of the ticket before."""


@dataclass(frozen=True, slots=True)
class Person:
    """A player of a ticket."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Window:
    """How far apart in rating the players of a match may be, in points: at first, more by the second, at most."""

    initial: float
    growth: float
    maximum: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTicket:
    """A ticket to be made. Options are bytes that the store doesn't look into."""

    id: str
    owner: Person
    game: str
    options: bytes
    """Those of a table that this ticket is the first of."""
    fingerprint: str
    """The same for the same options."""
    is_flexible: bool
    """Whether it takes others' options as well."""
    ratings: Mapping[int, float]
    """The owner's by number of players: one for each size of table that the ticket takes."""
    size: int
    """How many the party is to have."""
    code: str
    """What the others of the party join with."""
    window: Window
    bots_ms: int | None
    """After so long bots may fill the table; None: never."""
    bot: str
    wants_acceptance: bool
    is_unrated: bool
    request: bytes
    """The request, to be answered from; the store doesn't look into it."""


@dataclass(frozen=True, slots=True)
class MatchSeat:
    """A seat of a match: a person's or a bot's."""

    person: Person | None
    bot: str


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match as it is now."""

    id: str
    game: str
    options: bytes
    is_unrated: bool
    seats: tuple[MatchSeat, ...]
    accepted: frozenset[str]
    """The ids of the players who have."""
    formed_ms: int
    deadline_ms: int | None
    """When it must be accepted by, if it must."""
    table_id: str
    is_opening: bool
    """Whether its table is still to be opened."""


@dataclass(frozen=True, slots=True)
class StoredTicket:
    """A ticket as it is now."""

    id: str
    status: str
    request: bytes
    game: str
    sizes: range
    party: tuple[Person, ...]
    size: int
    code: str
    queued_ms: int
    match: StoredMatch | None

    @property
    def is_live(self) -> bool:
        return self.status in LIVE


@dataclass(frozen=True, slots=True)
class Formed:
    """What one look for matches came to."""

    tried: int
    made: int
    next_ms: int | None
    """When the next ticket's turn comes, from now; None: nobody waits."""


@dataclass(frozen=True, slots=True)
class MatchDelivery:
    """A match whose table is to be opened. It may come twice, and late."""

    entry_id: str
    match_id: str


@dataclass(frozen=True, slots=True)
class Queue:
    """Those who wait for one size of table."""

    players: int
    waiting: int
    recent_waits_ms: tuple[int, ...]
    matches: int
    recent_differences: tuple[float, ...]

    @property
    def recent_wait_ms(self) -> int | None:
        return int(median(self.recent_waits_ms)) if self.recent_waits_ms else None

    @property
    def recent_difference(self) -> float | None:
        return fmean(self.recent_differences) if self.recent_differences else None


class TicketStore:
    """Tickets in Redis. `ttl_ms`: how long one lives after a player of it was last heard of."""

    def __init__(self, redis: Redis, *, ttl_ms: int, accept_ms: int) -> None:
        self._redis = redis
        self._ttl_ms = ttl_ms
        self._accept_ms = accept_ms
        self._create, self._join, self._touch, self._cancel, self._accept, self._close, self._sweep, self._form = (
            script(redis, name, after="tickets")
            for name in (
                "ticket_create", "ticket_join", "ticket_touch", "ticket_cancel",
                "match_accept", "match_close", "match_sweep", "match_form",
            )
        )  # fmt: skip

    async def create(self, ticket: NewTicket) -> bool:
        """Make a ticket; False if it has been made before. Raises Busy."""
        sizes = sorted(ticket.ratings)
        kind = "unrated" if ticket.is_unrated else "rated"
        own, any_options = f"{kind}:{ticket.fingerprint}", f"{kind}:any"
        fields: dict[str, str | bytes | int | float] = {
            "game": ticket.game,
            "options": ticket.options,
            "low": sizes[0],
            "high": sizes[-1],
            "line": any_options if ticket.is_flexible else own,
            "other_line": own if ticket.is_flexible else any_options,
            "size": ticket.size,
            "party": _people_json(ticket.owner),
            "window": ticket.window.initial,
            "growth": ticket.window.growth,
            "window_max": ticket.window.maximum,
            "bot": ticket.bot,
            "acceptance": int(ticket.wants_acceptance),
            "unrated": int(ticket.is_unrated),
            "request": ticket.request,
            **{f"rating:{n}": f"{ticket.ratings[n]:.6f}" for n in sizes},
        }
        if ticket.bots_ms is not None:
            fields["bots_ms"] = ticket.bots_ms
        if ticket.size > 1:
            fields["code"] = ticket.code
        flat = [part for pair in fields.items() for part in pair]
        outcome, *rest = await self._call(self._create, ticket.id, ticket.owner.id, self._ttl_ms, *flat)
        if outcome == b"busy":
            raise Busy(rest[0].decode())
        return bool(outcome == b"made")

    async def find_party(self, code: str) -> StoredTicket | None:
        """The ticket whose party is joined with the code."""
        ticket_id: Any = await self._redis.get(keys.join_code(code))
        return None if ticket_id is None else await self.load(ticket_id.decode())

    async def join(self, ticket_id: str, player: Person, ratings: Mapping[int, float]) -> None:
        """Add a player to a party; `ratings` are theirs, for every size the ticket takes. Raises Busy, Full, Gone."""
        by_size = [f"{ratings[n]:.6f}" for n in sorted(ratings)]
        outcome, *rest = await self._call(self._join, ticket_id, player.id, player.name, self._ttl_ms, *by_size)
        if outcome == b"busy":
            raise Busy(rest[0].decode())
        if outcome == b"full":
            raise Full
        if outcome == b"gone":
            raise Gone

    async def touch(self, ticket_id: str, player_id: str) -> bool:
        """Keep a ticket alive on behalf of one of its players; whether it lives."""
        return bool(await self._call(self._touch, ticket_id, player_id, self._ttl_ms))

    async def cancel(self, ticket_id: str) -> None:
        """End a ticket; one that has ended without a match stays so. Raises Late, Gone."""
        outcome = await self._call(self._cancel, ticket_id)
        if outcome == b"late":
            raise Late
        if outcome == b"absent":
            raise Gone

    async def accept(self, ticket_id: str, player_id: str, match_id: str, *, yes: bool) -> None:
        """Accept or decline a proposed match for one player. Raises Late, Gone."""
        outcome = await self._call(self._accept, ticket_id, player_id, match_id, "1" if yes else "")
        if outcome == b"late":
            raise Late
        if outcome == b"gone":
            raise Gone

    async def load(self, ticket_id: str) -> StoredTicket | None:
        """A ticket with its match, as they are now; None where there is no such ticket (any more)."""
        fields: Any = await self._redis.hgetall(keys.ticket(ticket_id))
        if not fields:
            return None
        match_id = fields.get(b"match")
        return StoredTicket(
            id=ticket_id,
            status=fields[b"status"].decode(),
            request=fields[b"request"],
            game=fields[b"game"].decode(),
            sizes=range(int(fields[b"low"]), int(fields[b"high"]) + 1),
            party=tuple(Person(p["id"], p["name"]) for p in json.loads(fields[b"party"])),
            size=int(fields[b"size"]),
            code=fields.get(b"code", b"").decode(),
            queued_ms=int(fields[b"queued_ms"]),
            match=None if match_id is None else await self.load_match(match_id.decode()),
        )

    async def load_match(self, match_id: str) -> StoredMatch | None:
        """A match as it is now; None where there is none (any more)."""
        fields: Any = await self._redis.hgetall(keys.match(match_id))
        if not fields:
            return None
        return StoredMatch(
            id=match_id,
            game=fields[b"game"].decode(),
            options=fields[b"options"],
            is_unrated=fields[b"unrated"] == b"1",
            seats=tuple(_seat(seat) for seat in json.loads(fields[b"seats"])),
            accepted=frozenset(name[4:].decode() for name in fields if name.startswith(b"yes:")),
            formed_ms=int(fields[b"formed_ms"]),
            deadline_ms=int(fields[b"deadline_ms"]) if b"deadline_ms" in fields else None,
            table_id=fields.get(b"table", b"").decode(),
            is_opening=fields[b"status"] == b"opening",
        )

    async def form(self, limit: int) -> Formed:
        """Look for matches for at most `limit` tickets whose turn it is. Any number of matchers may do so at once."""
        ids = [secrets.token_hex(ID_BYTES) for _ in range(limit)]
        tried, made, next_ms = await self._call(self._form, NEAREST, self._accept_ms, *ids)
        return Formed(tried, made, None if next_ms < 0 else next_ms)

    async def sweep(self, limit: int = 200) -> int:
        """End expired tickets and matches that were not accepted in time; gives how many, at most `limit` of both."""
        return int(await self._call(self._sweep, limit))

    async def read(self, block_ms: int, count: int) -> list[MatchDelivery]:
        """Matches that no matcher has been given yet; waits up to `block_ms` for them (2 s at most)."""
        while True:
            try:
                replies: Any = await self._redis.xreadgroup(
                    GROUP, CONSUMER, {keys.MATCHES: ">"}, count, min(block_ms, MAX_BLOCK_MS) or None
                )
            except ResponseError as error:
                await self._heal(error)
            else:
                return [d for _, entries in replies or () for d in _deliveries(entries)]

    async def reclaim(self, min_idle_ms: int, count: int = 100) -> list[MatchDelivery]:
        """Matches that a matcher was given at least `min_idle_ms` ago and never reported."""
        try:
            reply: Any = await self._redis.xautoclaim(keys.MATCHES, GROUP, CONSUMER, min_idle_ms, "0-0", count)
        except ResponseError as error:
            await self._heal(error)
            return []
        return _deliveries(reply[1])

    async def opened(self, delivery: MatchDelivery, table_id: str) -> bool:
        """Note that the match's table is there, and end its tickets; False if that was noted before."""
        return bool(await self._call(self._close, delivery.match_id, delivery.entry_id, GROUP, table_id))

    async def failed(self, delivery: MatchDelivery) -> bool:
        """Note that the match can't become a table, and end its tickets; False if it had ended."""
        return bool(await self._call(self._close, delivery.match_id, delivery.entry_id, GROUP, ""))

    async def queues(self, game_id: str, sizes: Sequence[int]) -> list[Queue]:
        """Who waits for tables of these sizes."""
        pipe = self._redis.pipeline(transaction=False)
        pipe.hmget(keys.queue(game_id), *(f"{what}:{n}" for n in sizes for what in ("waiting", "matches")))
        for n in sizes:
            pipe.lrange(keys.recent_waits(game_id, n), 0, -1)
            pipe.lrange(keys.recent_differences(game_id, n), 0, -1)
        counts, *lists = await pipe.execute()
        return [
            Queue(
                players=n,
                waiting=int(counts[2 * i] or 0),
                recent_waits_ms=tuple(map(int, lists[2 * i])),
                matches=int(counts[2 * i + 1] or 0),
                recent_differences=tuple(map(float, lists[2 * i + 1])),
            )
            for i, n in enumerate(sizes)
        ]

    async def now_ms(self) -> int:
        """Redis's clock."""
        seconds, microseconds = await self._redis.time()
        return int(seconds) * 1000 + int(microseconds) // 1000

    async def _call(self, called: Any, *arguments: object) -> Any:
        return await called(keys=[keys.DUE_TICKETS], args=[keys.MATCHMAKING, *arguments])

    async def _heal(self, error: ResponseError) -> None:
        """Make the stream and its group if the error says that they are missing. Raises any other error."""
        # Unblocked: the stream was deleted while we waited for it (7.0; later servers say NOGROUP).
        if not isinstance(error, Unblocked) and not str(error).startswith("NOGROUP"):
            raise error
        try:
            await self._redis.xgroup_create(keys.MATCHES, GROUP, id="0", mkstream=True)
        except ResponseError as other:
            if not str(other).startswith("BUSYGROUP"):
                raise


def _people_json(person: Person) -> str:
    return json.dumps([{"id": person.id, "name": person.name}])


def _seat(seat: dict[str, str]) -> MatchSeat:
    return MatchSeat(None, seat["bot"]) if "bot" in seat else MatchSeat(Person(seat["id"], seat["name"]), "")


def _deliveries(entries: Any) -> list[MatchDelivery]:
    return [MatchDelivery(entry_id.decode(), fields[b"match"].decode()) for entry_id, fields in entries if fields]
