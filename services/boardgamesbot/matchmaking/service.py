"""MatchmakingService: reads the request, asks the store, answers."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from boardgamesbot.games import registry
from boardgamesbot.matchmaking import requests, showing
from boardgamesbot.matchmaking.ratings import Ratings, skill_in
from boardgamesbot.runtime import errors, fields, metrics
from boardgamesbot.runtime.interceptor import caller
from boardgamesbot.store.accounts import is_account_id
from boardgamesbot.store.keys import ticket_channel
from boardgamesbot.store.ratings import Pool
from boardgamesbot.store.tickets import Busy, Full, Gone, Late, Person
from boardgamesbot.v1 import matchmaking_pb2 as pb
from boardgamesbot.v1 import matchmaking_pb2_grpc
from boardgamesbot.v1.players_pb2 import PLAYER_KIND_GUEST

if TYPE_CHECKING:
    from boardgamesbot.runtime.interceptor import Context
    from boardgamesbot.runtime.settings import Settings
    from boardgamesbot.store.accounts import AccountStore
    from boardgamesbot.store.ratings import RatingStore
    from boardgamesbot.store.tickets import StoredTicket, TicketStore
    from boardgamesbot.store.wakeups import Wakeups

LOOK_SECONDS = 2.0
"""How often a watcher is told how busy it is, if that has changed."""


class MatchmakingService(matchmaking_pb2_grpc.MatchmakingServiceServicer):
    """Keeps nothing: any replica serves any ticket."""

    def __init__(
        self,
        tickets: TicketStore,
        ratings: RatingStore,
        wakeups: Wakeups,
        accounts: AccountStore,
        settings: Settings,
        secret: bytes,
    ) -> None:
        """`secret`, the same for all replicas, keeps the ids of tickets from being worked out."""
        self._tickets = tickets
        self._ratings = ratings
        self._wakeups = wakeups
        self._accounts = accounts
        self._settings = settings
        self._secret = secret
        self._busyness = _Busyness(tickets)
        self._shown_ratings = Ratings(ratings, settings.rating_games)

    async def CreateTicket(self, request: pb.CreateTicketRequest, context: Context) -> pb.CreateTicketResponse:
        person = _person()
        outside = await self._accounts.load(request.bots.bot) if is_account_id(request.bots.bot) else None
        wish = requests.read(request, self._settings, outside)
        ratings = await self._rated(person, wish.game_id, wish.sizes)
        ticket = wish.ticket(person, ratings, self._secret)
        try:
            if await self._tickets.create(ticket):
                metrics.TICKETS_MADE.add(ticket.game)
        except Busy as busy:
            raise _already_waiting(busy) from None
        return pb.CreateTicketResponse(ticket=await self._shown(ticket.id))

    async def JoinTicket(self, request: pb.JoinTicketRequest, context: Context) -> pb.JoinTicketResponse:
        person, code = _person(), requests.join_code(request.join_code)
        found = await self._tickets.find_party(code)
        if found is None:
            raise errors.ticket_not_found("join_code", code)
        try:
            await self._tickets.join(found.id, person, await self._rated(person, found.game, found.sizes))
        except Busy as busy:
            raise _already_waiting(busy) from None
        except Full:
            raise errors.ticket_precondition("PARTY_FULL", f"the party has its {found.size} players") from None
        except Gone:
            raise errors.ticket_not_found("join_code", code) from None
        return pb.JoinTicketResponse(ticket=await self._shown(found.id))

    async def CancelTicket(self, request: pb.CancelTicketRequest, context: Context) -> pb.CancelTicketResponse:
        ticket = await self._own(request.ticket_id)
        try:
            await self._tickets.cancel(ticket.id)
        except Late:
            raise await self._already_matched(ticket.id) from None
        except Gone:
            raise errors.ticket_not_found("ticket_id", ticket.id) from None
        return pb.CancelTicketResponse(ticket=await self._shown(ticket.id))

    async def WatchTicket(
        self, request: pb.WatchTicketRequest, context: Context
    ) -> AsyncIterator[pb.WatchTicketResponse]:
        player_id = caller().player.id
        ticket = await self._own(request.ticket_id)
        touch_seconds = self._settings.ticket_seconds / 3
        async with self._wakeups.subscribe(ticket_channel(ticket.id)) as wakeup:
            touched, told, news = -touch_seconds, None, True
            while True:
                if time.monotonic() - touched >= touch_seconds:
                    await self._tickets.touch(ticket.id, player_id)
                    touched, news = time.monotonic(), True
                if news:
                    ticket = await self._own(ticket.id)
                waiting = await self._busyness.around(ticket)
                if told != (ticket, waiting):
                    told = (ticket, waiting)
                    shown = showing.ticket(ticket, player_id, waiting, await self._tickets.now_ms())
                    yield pb.WatchTicketResponse(ticket=shown)
                if not ticket.is_live:
                    return
                news = await wakeup.wait(min(LOOK_SECONDS, touch_seconds))

    async def AcceptMatch(self, request: pb.AcceptMatchRequest, context: Context) -> pb.AcceptMatchResponse:
        ticket = await self._own(request.ticket_id)
        if not request.match_id:
            raise errors.invalid_field("match_id", "is missing")
        try:
            await self._tickets.accept(ticket.id, caller().player.id, request.match_id, yes=not request.decline)
        except Late:
            raise await self._already_matched(ticket.id) from None
        except Gone:
            raise errors.ticket_precondition("MATCH_GONE", "that match is none any more: watch the ticket") from None
        return pb.AcceptMatchResponse(ticket=await self._shown(ticket.id))

    async def ListQueues(self, request: pb.ListQueuesRequest, context: Context) -> pb.ListQueuesResponse:
        games = [fields.read("", registry.game, request.game_id)] if request.game_id else registry.GAMES.values()
        response = pb.ListQueuesResponse()
        for game in games:
            queues = await self._tickets.queues(game.id, range(game.min_players, game.max_players + 1))
            response.queues.extend(showing.queue(game.id, queue) for queue in queues)
        return response

    async def GetRating(self, request: pb.GetRatingRequest, context: Context) -> pb.GetRatingResponse:
        return await self._shown_ratings.get(request)

    async def ListLeaderboard(self, request: pb.ListLeaderboardRequest, context: Context) -> pb.ListLeaderboardResponse:
        return await self._shown_ratings.leaderboard(request)

    async def _rated(self, person: Person, game_id: str, sizes: range) -> dict[int, float]:
        """How strong the person is thought to be, by number of players."""
        strengths = {}
        for n in sizes:
            (rated,) = await self._ratings.get(Pool(game_id, n), [person.id])
            strengths[n] = skill_in(rated).expected
        return strengths

    async def _own(self, ticket_id: str) -> StoredTicket:
        """A ticket of the caller's. Raises ApiError."""
        if not ticket_id:
            raise errors.invalid_field("ticket_id", "is missing")
        ticket = await self._tickets.load(ticket_id[:64])
        if ticket is None:
            raise errors.ticket_not_found("ticket_id", ticket_id)
        if caller().player.id not in {person.id for person in ticket.party}:
            raise errors.denied("NOT_YOUR_TICKET", "you are not of this ticket's party", field="ticket_id")
        return ticket

    async def _shown(self, ticket_id: str) -> pb.Ticket:
        ticket = await self._own(ticket_id)
        waiting = await self._busyness.around(ticket)
        return showing.ticket(ticket, caller().player.id, waiting, await self._tickets.now_ms())

    async def _already_matched(self, ticket_id: str) -> errors.ApiError:
        match = (await self._own(ticket_id)).match
        metadata = {} if match is None else {"match_id": match.id, "table_id": match.table_id}
        return errors.ticket_precondition("ALREADY_MATCHED", "a match was made first: its table follows", **metadata)


class _Busyness:
    """How many wait, asked for once in a while however many want to know."""

    def __init__(self, tickets: TicketStore) -> None:
        self._tickets = tickets
        self._known: dict[tuple[str, range], tuple[float, pb.Waiting]] = {}

    async def around(self, ticket: StoredTicket) -> pb.Waiting | None:
        """How busy it is where the ticket waits; None if it does not."""
        if ticket.status != "waiting":
            return None
        key, now = (ticket.game, ticket.sizes), time.monotonic()
        known = self._known.get(key)
        if known is None or now - known[0] >= LOOK_SECONDS / 2:
            waiting = showing.waiting(await self._tickets.queues(ticket.game, ticket.sizes), ticket.sizes)
            known = self._known[key] = (now, waiting)
        return known[1]


def _person() -> Person:
    """The caller. Raises ApiError."""
    player = caller().player
    if player.kind != PLAYER_KIND_GUEST:
        raise errors.denied(
            "PEOPLE_ONLY", "tickets are for people and their programs; bots are seated by a ticket's wish"
        )
    return Person(player.id, player.name)


def _already_waiting(busy: Busy) -> errors.ApiError:
    return errors.ticket_precondition(
        "ALREADY_WAITING",
        f"you are looking for a game already, with ticket {busy.ticket_id}: stop that first; "
        "it ends by itself soon after nobody watches it any more",
        ticket_id=busy.ticket_id,
    )
