"""The matcher: forms matches, ends what has expired, and opens the tables of matches, each exactly once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

import grpc

from boardgamesbot.client.errors import refusal_of
from boardgamesbot.matchmaking import showing
from boardgamesbot.players.registry import STAND_IN
from boardgamesbot.runtime import jobs, logs, metrics, traces
from boardgamesbot.runtime.accounts import player_of
from boardgamesbot.runtime.tokens import service_player
from boardgamesbot.store.accounts import is_account_id
from boardgamesbot.store.keys import MATCHING_CHANNEL
from boardgamesbot.v1 import games_pb2, tables_pb2, tables_pb2_grpc
from boardgamesbot.v1.players_pb2 import PLAYER_KIND_BOT, Player

if TYPE_CHECKING:
    from boardgamesbot.runtime.tokens import Tokens
    from boardgamesbot.store.accounts import AccountStore
    from boardgamesbot.store.tickets import MatchDelivery, StoredMatch, TicketStore
    from boardgamesbot.store.wakeups import Wakeups

log = logs.logger(__name__)

AT_ONCE = 20
"""Tickets that are tried in one call: the store does nothing else meanwhile."""
LONGEST_PAUSE_SECONDS = 1.0
SWEEP_SECONDS = 0.5
READ_MS = 500
BATCH = 16
"""Tables that are opened at the same time."""
RECLAIM_MS = 3_000
RECLAIM_SECONDS = 1.0
RETRY_SECONDS = 0.3
CALL_SECONDS = 10.0
PATIENCE_MS = 60_000
"""A match whose table the rules server fails to open for so long, being there, is given up."""

_FOR_GOOD = {
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.UNIMPLEMENTED,
}
"""Asking again would not help."""
_FOR_NOW = {
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.UNAUTHENTICATED,
}
"""The rules server is away, or has not been told the key yet."""


class Matcher:
    """One of any number: the store sees to it that no two use the same ticket."""

    def __init__(
        self,
        tickets: TicketStore,
        wakeups: Wakeups,
        rules: grpc.aio.Channel,
        tokens: Tokens,
        accounts: AccountStore,
        move_seconds: float,
    ) -> None:
        """At tables of several people each has `move_seconds` for every decision; 0: as long as they want."""
        self._tickets = tickets
        self._accounts = accounts
        self._wakeups = wakeups
        self._tables = tables_pb2_grpc.TableServiceStub(rules)
        self._tokens = tokens
        self._move_seconds = move_seconds

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set."""
        await jobs.work((self._form, self._sweep, self._open, self._reopen), stop, "matcher", RETRY_SECONDS)

    async def _form(self) -> None:
        async with self._wakeups.subscribe(MATCHING_CHANNEL) as wakeup:
            while True:
                formed = await self._tickets.form(AT_ONCE)
                if formed.next_ms is None:
                    await wakeup.wait(LONGEST_PAUSE_SECONDS)
                elif formed.next_ms > 0:
                    await wakeup.wait(min(formed.next_ms / 1000, LONGEST_PAUSE_SECONDS))

    async def _sweep(self) -> None:
        while True:
            metrics.TICKETS_SWEPT.add(by=await self._tickets.sweep())
            await asyncio.sleep(SWEEP_SECONDS)

    async def _open(self) -> None:
        while True:
            await self._open_all(await self._tickets.read(READ_MS, BATCH))

    async def _reopen(self) -> None:
        """Open what a matcher that is gone, or was refused, has left."""
        while True:
            await self._open_all(await self._tickets.reclaim(RECLAIM_MS, BATCH))
            await asyncio.sleep(RECLAIM_SECONDS)

    async def _open_all(self, deliveries: Sequence[MatchDelivery]) -> None:
        for outcome in await asyncio.gather(*map(self.open, deliveries), return_exceptions=True):
            if isinstance(outcome, BaseException):
                raise outcome

    async def open(self, delivery: MatchDelivery) -> None:
        """Open a match's table, and tell its tickets; after a crash in between it is the same table."""
        match = await self._tickets.load_match(delivery.match_id)
        if match is None or not match.is_opening:
            await self._tickets.failed(delivery)
            return
        try:
            with traces.span("open table", match=match.id, game=match.game) as span:
                table_id = await self._table_of(match)
                span.set(table=table_id)
        except grpc.aio.AioRpcError as error:
            await self._refused(delivery, match, error)
            return
        if await self._tickets.opened(delivery, table_id):
            metrics.MATCHES.add(match.game, "opened")
            log.info("match made", match=match.id, table=table_id, game=match.game, players=len(match.seats))

    async def _table_of(self, match: StoredMatch) -> str:
        request = tables_pb2.OpenTableRequest(
            match_id=match.id,
            game_id=match.game,
            options=games_pb2.GameOptions.FromString(match.options),
            players=await self._players(match),
            rated=not match.is_unrated,
        )
        if self._move_seconds and sum(seat.person is not None for seat in match.seats) > 1:
            request.clock.per_move.FromMilliseconds(round(self._move_seconds * 1000))
        token = self._tokens.issue(service_player("matchmaking"))
        response: tables_pb2.OpenTableResponse = await self._tables.OpenTable(
            request, metadata=(("authorization", f"Bearer {token}"), *traces.metadata()), timeout=CALL_SECONDS
        )
        return response.table.id

    async def _players(self, match: StoredMatch) -> list[Player]:
        """Who sits where. A bot from outside takes one seat, if it can still be had, the stand-in the others."""
        players, seated = [], set[str]()
        for seat in match.seats:
            if seat.person is not None:
                players.append(showing.player(seat.person))
                continue
            bot = seat.bot
            if is_account_id(bot):
                account = None if bot in seated else await self._accounts.load(bot)
                if account is not None and account.takes(match.game) and account.has_room:
                    seated.add(bot)
                    players.append(player_of(account))
                    continue
                bot = STAND_IN.id
            players.append(Player(kind=PLAYER_KIND_BOT, bot=bot))
        return players

    async def _refused(self, delivery: MatchDelivery, match: StoredMatch, error: grpc.aio.AioRpcError) -> None:
        """Leave the match to be tried again, or give it up where that can't help."""
        refusal = refusal_of(error)
        age_ms = await self._tickets.now_ms() - match.formed_ms
        if error.code() in _FOR_NOW or (error.code() not in _FOR_GOOD and age_ms < PATIENCE_MS):
            log.warning("table not opened yet", match=match.id, status=error.code().name, error=refusal.message)
            return
        log.error(
            "match given up", match=match.id, status=error.code().name, reason=refusal.reason, error=refusal.message
        )
        if await self._tickets.failed(delivery):
            metrics.MATCHES.add(match.game, "failed")
