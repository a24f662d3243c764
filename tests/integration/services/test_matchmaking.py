"""Matchmaking over gRPC: from the wish to play to the table, and every way it can end otherwise."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, aclosing
from dataclasses import replace
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from redis.asyncio import Redis

from boardgamesbot.client import Client, Refused, SyncClient, refusal_of
from boardgamesbot.runtime.tokens import Tokens, bot_player, new_guest, service_player
from boardgamesbot.store.embedded import HOST, free_port
from boardgamesbot.store.tickets import TicketStore
from boardgamesbot.v1 import agora_pb2, barcelona_pb2, games_pb2, players_pb2, tables_pb2
from boardgamesbot.v1 import matchmaking_pb2 as pb
from tests.support.bots import TOKEN_KEY
from tests.support.platform import matchmaking_server, rules_server
from tests.support.play import call
from tests.support.tickets import new_ticket
from tests.support.waiting import eventually

SERVICE = "/boardgamesbot.v1.MatchmakingService/"
OPEN_TABLE = "/boardgamesbot.v1.TableService/OpenTable"
SECONDS = 20.0

Guests = Callable[..., Any]


@pytest.fixture
async def guests(rules: str, matchmaking: str) -> AsyncIterator[Guests]:
    """Makes guests by name, each with a client of their own."""
    async with AsyncExitStack() as stack:

        async def make(*names: str) -> list[Client]:
            clients = []
            for name in names:
                client = await stack.enter_async_context(Client(rules, matchmaking=matchmaking))
                await client.sign_in(name)
                clients.append(client)
            return clients

        yield make


async def _until(client: Client, ticket_id: str, *statuses: pb.TicketStatus.ValueType) -> pb.Ticket:
    """The ticket as soon as it has one of the statuses."""
    async with asyncio.timeout(SECONDS), aclosing(client.watch_ticket(ticket_id)) as tickets:
        async for ticket in tickets:
            if ticket.status in statuses:
                return ticket
    raise AssertionError(f"ended as {pb.TicketStatus.Name(ticket.status)}")


async def _matched(client: Client, ticket_id: str) -> pb.Ticket:
    return await _until(client, ticket_id, pb.TICKET_STATUS_MATCHED)


async def _found(client: Client, **wishes: Any) -> list[pb.Ticket]:
    """Everything that a search shows, to its end."""
    async with asyncio.timeout(SECONDS):
        return [ticket async for ticket in client.find("agora", **wishes)]


async def _reason(awaitable: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        await awaitable
    return caught.value


async def test_one_alone_gets_a_table_with_bots_and_the_game_is_on(guests: Guests) -> None:
    (ada,) = await guests("Ada")
    seen = await _found(ada, players=(3, 5), bots_after=0.2, bot="random")
    assert seen[0].status in (pb.TICKET_STATUS_WAITING, pb.TICKET_STATUS_OPENING)
    last = seen[-1]
    assert last.status == pb.TICKET_STATUS_MATCHED
    table = await ada.table(last.match.table_id)
    assert (table.status, table.version, table.match_id) == (tables_pb2.TABLE_STATUS_PLAYING, 1, last.match.id)
    assert table.rated
    assert not table.HasField("clock"), "bots don't mind waiting"
    assert table.seats[last.match.seat].player == ada.player
    assert sorted(seat.player.bot for seat in table.seats) == ["", "random", "random"]
    assert len({seat.player.name for seat in table.seats}) == 3
    async with aclosing(ada.watch(table.id)) as responses:
        first = await anext(responses)
    assert (first.version, first.table_change.kind) == (1, tables_pb2.TABLE_CHANGE_KIND_STARTED)
    assert first.table_change.events
    assert first.view.agora.seat == last.match.seat


async def test_three_find_one_another_and_play_a_move(guests: Guests) -> None:
    clients = await guests("Ada", "Bea", "Cleo")
    ends = [seen[-1] for seen in await asyncio.gather(*(_found(client, players=(3, 3)) for client in clients))]
    assert [end.status for end in ends] == [pb.TICKET_STATUS_MATCHED] * 3
    assert len({end.match.id for end in ends}) == len({end.match.table_id for end in ends}) == 1
    assert sorted(end.match.seat for end in ends) == [0, 1, 2]
    assert sorted(p.player.name for p in ends[0].match.people) == ["Ada", "Bea", "Cleo"]
    table_id = ends[0].match.table_id
    assert (await clients[0].table(table_id)).clock.per_move.seconds == 120, "strangers don't wait for ever"
    actor = (await clients[0].view(table_id)).summary.actor
    mover = next(client for client, end in zip(clients, ends, strict=True) if end.match.seat == actor)
    async with asyncio.timeout(SECONDS), aclosing(mover.watch_me()) as turns:
        turn = await anext(turns)
    assert (turn.table_id, turn.seat) == (table_id, actor)
    legal = await mover.legal_moves(table_id)
    assert (await mover.submit(table_id, actor, legal.version, legal.moves[0].move)).version == 2


async def test_an_unrated_search_leads_to_a_table_that_does_not_count(guests: Guests) -> None:
    (ada,) = await guests("Ada")
    last = (await _found(ada, bots_after=0, unrated=True))[-1]
    assert not (await ada.table(last.match.table_id)).rated


async def test_options_that_are_wanted_are_played(guests: Guests) -> None:
    ada, bea, cleo = await guests("Ada", "Bea", "Cleo")
    plain = games_pb2.GameOptions(agora=agora_pb2.AgoraOptions(backs=agora_pb2.AGORA_BACKS_PLAIN))
    ends = await asyncio.gather(
        _found(ada, players=(3, 3)), _found(bea, players=(3, 3), options=plain), _found(cleo, players=(3, 3))
    )
    table = await ada.table(ends[0][-1].match.table_id)
    assert table.options.agora.backs == agora_pb2.AGORA_BACKS_PLAIN
    assert not ends[0][0].HasField("options")
    assert ends[1][0].options.agora.backs == agora_pb2.AGORA_BACKS_PLAIN


class TestOneTicket:
    """A player has one live ticket; a request that comes again makes no other."""

    async def test_a_second_ticket_is_refused_with_the_first_ones_id(self, guests: Guests) -> None:
        (ada,) = await guests("Ada")
        first = await ada.create_ticket("agora")
        for game in ("agora", "barcelona"):
            refused = await _reason(ada.create_ticket(game))
            assert (refused.code, refused.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "ALREADY_WAITING")
            assert refused.metadata["ticket_id"] == first.id
        await ada.cancel_ticket(first.id)
        assert (await ada.create_ticket("barcelona")).id != first.id

    async def test_of_many_tickets_at_once_at_two_servers_one_is_made(
        self, guests: Guests, rules: str, redis_url: str
    ) -> None:
        (ada,) = await guests("Ada")
        async with (
            matchmaking_server(redis_url, rules, token_key=TOKEN_KEY) as other,
            Client(rules, matchmaking=other, token=ada.token) as elsewhere,
        ):

            async def attempt(client: Client) -> str:
                try:
                    return (await client.create_ticket("agora")).id
                except Refused as refused:
                    assert refused.reason == "ALREADY_WAITING"
                    return ""

            made = await asyncio.gather(*(attempt(client) for client in (ada, elsewhere) * 10))
        assert len([ticket_id for ticket_id in made if ticket_id]) == 1

    async def test_a_lost_answer_is_given_again_before_and_after_the_match(self, guests: Guests) -> None:
        """The same request gives the same ticket, and so the same match, however late it is asked again."""
        (ada,) = await guests("Ada")
        first = await ada.create_ticket("agora", bots_after=0.3, request_id="once")
        assert await ada.create_ticket("agora", bots_after=0.3, request_id="once") == first
        end = await _matched(ada, first.id)
        again = await ada.create_ticket("agora", bots_after=0.3, request_id="once")
        assert (again.id, again.status, again.match) == (first.id, pb.TICKET_STATUS_MATCHED, end.match)
        assert await _matched(ada, first.id) == end
        assert await _matched(ada, first.id) == end

    async def test_the_same_request_id_of_another_player_is_another_ticket(self, guests: Guests) -> None:
        ada, bea = await guests("Ada", "Bea")
        tickets = [await client.create_ticket("agora", request_id="same") for client in (ada, bea)]
        assert tickets[0].id != tickets[1].id

    async def test_who_is_at_a_table_may_look_for_another(self, guests: Guests) -> None:
        (ada,) = await guests("Ada")
        first, second = [(await _found(ada, bots_after=0))[-1] for _ in range(2)]
        assert first.match.table_id != second.match.table_id


class TestEnds:
    """How a search ends without a table."""

    async def test_cancelling_ends_the_search_for_all_who_watch_it(self, guests: Guests) -> None:
        (ada,) = await guests("Ada")
        ticket = await ada.create_ticket("agora")
        async with asyncio.TaskGroup() as group:
            watching = group.create_task(_until(ada, ticket.id, pb.TICKET_STATUS_CANCELLED))
            assert (await ada.cancel_ticket(ticket.id)).status == pb.TICKET_STATUS_CANCELLED
        assert watching.result().id == ticket.id
        assert (await ada.cancel_ticket(ticket.id)).status == pb.TICKET_STATUS_CANCELLED

    async def test_who_is_matched_cannot_cancel_and_is_told_the_table(self, guests: Guests) -> None:
        (ada,) = await guests("Ada")
        end = (await _found(ada, bots_after=0))[-1]
        refused = await _reason(ada.cancel_ticket(end.id))
        assert (refused.code, refused.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "ALREADY_MATCHED")
        assert refused.metadata == {"match_id": end.match.id, "table_id": end.match.table_id}

    async def test_who_stops_looking_cancels(self, guests: Guests) -> None:
        (ada,) = await guests("Ada")
        async with aclosing(ada.find("agora")) as tickets:
            ticket = await anext(tickets)
            assert ticket.status == pb.TICKET_STATUS_WAITING
        assert (await _until(ada, ticket.id, pb.TICKET_STATUS_CANCELLED)).id == ticket.id

    async def test_a_search_that_is_cancelled_as_a_task_cancels_its_ticket(self, guests: Guests) -> None:
        (ada,) = await guests("Ada")
        seen: dict[str, pb.Ticket] = {}

        async def look() -> None:
            async with aclosing(ada.find("agora")) as tickets:
                async for ticket in tickets:
                    seen[ticket.id] = ticket

        looking = asyncio.create_task(look())

        async def started() -> bool:
            return bool(seen)

        await eventually(started)
        looking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await looking
        (ticket_id,) = seen
        assert (await _until(ada, ticket_id, pb.TICKET_STATUS_CANCELLED)).id == ticket_id

    async def test_a_ticket_lives_while_it_is_watched_and_expires_when_it_is_not(
        self, rules: str, redis_url: str
    ) -> None:
        async with (
            matchmaking_server(redis_url, rules, token_key=TOKEN_KEY, ticket_seconds=0.6) as address,
            Client(rules, matchmaking=address) as ada,
            Client(rules, matchmaking=address) as bea,
        ):
            await ada.sign_in("Ada")
            await bea.sign_in("Bea")
            watched, left = await ada.create_ticket("agora"), await bea.create_ticket("barcelona")
            async with aclosing(ada.watch_ticket(watched.id)) as tickets:
                await anext(tickets)
                until = asyncio.get_running_loop().time() + 2.0

                async def three_lives_later() -> bool:
                    return asyncio.get_running_loop().time() > until

                await eventually(three_lives_later)
                assert (await ada.cancel_ticket(watched.id)).status == pb.TICKET_STATUS_CANCELLED
            # Not watched, it has ended by itself: its player may have another.
            assert (await _until(bea, left.id, pb.TICKET_STATUS_EXPIRED)).status == pb.TICKET_STATUS_EXPIRED
            assert (await bea.create_ticket("agora")).status == pb.TICKET_STATUS_WAITING

    async def test_a_match_no_table_can_be_opened_for_frees_its_players(self, guests: Guests, redis: Redis) -> None:
        """A game that the rules server does not know: asking again would not help."""
        (ada,) = await guests("Ada")
        store = TicketStore(redis, ttl_ms=60_000, accept_ms=60_000)
        strange = new_ticket("strange", game="chess", bots_ms=0)
        request = pb.CreateTicketRequest(game_id="chess").SerializeToString()
        await store.create(replace(strange, request=request, options=b""))

        async def ended() -> bool:
            ticket = await store.load(strange.id)
            return ticket is not None and ticket.status == "failed"

        await eventually(ended)
        assert (await _found(ada, bots_after=0))[-1].status == pb.TICKET_STATUS_MATCHED


class TestParties:
    """Several sit at the same table: one makes the ticket, the others join it with its code."""

    async def test_a_party_sits_together(self, guests: Guests) -> None:
        ada, bea, cleo, dora = await guests("Ada", "Bea", "Cleo", "Dora")
        ticket = await ada.create_ticket("agora", party_size=3, players=(4, 4))
        assert (ticket.status, ticket.party_size, len(ticket.party)) == (pb.TICKET_STATUS_PARTY, 3, 1)
        joined = await bea.join_ticket(f" {ticket.join_code.lower()} ")
        assert (joined.id, [p.name for p in joined.party]) == (ticket.id, ["Ada", "Bea"])
        assert (await bea.join_ticket(ticket.join_code)).party == joined.party
        searches = [_found(cleo, join_code=ticket.join_code), _found(dora, players=(4, 4))]
        ends = [seen[-1] for seen in await asyncio.gather(*searches)]
        assert {end.status for end in ends} == {pb.TICKET_STATUS_MATCHED}
        table = await ada.table(ends[0].match.table_id)
        assert {seat.player.name for seat in table.seats} == {"Ada", "Bea", "Cleo", "Dora"}
        for client in (ada, bea):
            seat = (await _matched(client, ticket.id)).match.seat
            assert table.seats[seat].player == client.player

    async def test_a_party_that_is_complete_takes_nobody(self, guests: Guests) -> None:
        ada, bea, cleo = await guests("Ada", "Bea", "Cleo")
        ticket = await ada.create_ticket("agora", party_size=2)
        await bea.join_ticket(ticket.join_code)
        refused = await _reason(cleo.join_ticket(ticket.join_code))
        assert (refused.code, refused.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "PARTY_FULL")
        assert (await _reason(bea.create_ticket("agora"))).metadata["ticket_id"] == ticket.id

    async def test_one_of_the_party_ends_it_for_all(self, guests: Guests) -> None:
        ada, bea = await guests("Ada", "Bea")
        ticket = await ada.create_ticket("agora", party_size=2)
        await bea.join_ticket(ticket.join_code)
        await bea.cancel_ticket(ticket.id)
        assert (await _until(ada, ticket.id, pb.TICKET_STATUS_CANCELLED)).status == pb.TICKET_STATUS_CANCELLED
        refused = await _reason(bea.join_ticket(ticket.join_code))
        assert (refused.code, refused.reason) == (grpc.StatusCode.NOT_FOUND, "TICKET_NOT_FOUND")

    @pytest.mark.parametrize(
        ("code", "expected"),
        [
            ("", "INVALID_FIELD"),
            ("short", "INVALID_FIELD"),
            ("{mm}:due", "INVALID_FIELD"),
            ("AAAAAAAA", "TICKET_NOT_FOUND"),
        ],
    )
    async def test_a_code_that_is_none_is_refused(self, guests: Guests, code: str, expected: str) -> None:
        (ada,) = await guests("Ada")
        refused = await _reason(ada.join_ticket(code))
        assert (refused.reason, refused.metadata["field"]) == (expected, "join_code")


class TestAcceptance:
    """A match is made once all who wanted to be asked have said yes."""

    async def test_the_match_is_made_when_the_last_accepts(self, guests: Guests) -> None:
        clients = await guests("Ada", "Bea", "Cleo")
        tickets = [await client.create_ticket("agora", players=(3, 3), acceptance=True) for client in clients]
        proposed = [await _until(c, t.id, pb.TICKET_STATUS_PROPOSED) for c, t in zip(clients, tickets, strict=True)]
        match = proposed[0].match
        assert not match.table_id
        assert 0 < match.accept_within.ToMilliseconds() <= 20_000
        for client, ticket in zip(clients[:2], tickets, strict=False):
            after = await client.accept_match(ticket.id, match.id)
            assert after.status == pb.TICKET_STATUS_PROPOSED
        accepted = {p.player.name for p in after.match.people if p.accepted}
        assert accepted == {"Ada", "Bea"}
        await clients[2].accept_match(tickets[2].id, match.id)
        ends = [await _matched(c, t.id) for c, t in zip(clients, tickets, strict=True)]
        assert {end.match.id for end in ends} == {match.id}
        again = await clients[2].accept_match(tickets[2].id, match.id)
        assert again.match.table_id == ends[0].match.table_id
        late = await _reason(clients[2].accept_match(tickets[2].id, match.id, decline=True))
        assert late.reason == "ALREADY_MATCHED"

    async def test_who_declines_is_out_and_the_others_find_somebody_else(self, guests: Guests) -> None:
        clients = await guests("Ada", "Bea", "Cleo", "Dora")
        ada, bea, cleo, dora = clients
        tickets = [await client.create_ticket("agora", players=(3, 3), acceptance=True) for client in clients[:3]]
        match = (await _until(ada, tickets[0].id, pb.TICKET_STATUS_PROPOSED)).match
        declined = await cleo.accept_match(tickets[2].id, match.id, decline=True)
        assert declined.status == pb.TICKET_STATUS_CANCELLED
        gone = await _reason(ada.accept_match(tickets[0].id, match.id))
        assert (gone.code, gone.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "MATCH_GONE")
        await dora.create_ticket("agora", players=(3, 3))
        for client, ticket in ((ada, tickets[0]), (bea, tickets[1])):
            new = (await _until(client, ticket.id, pb.TICKET_STATUS_PROPOSED)).match
            assert new.id != match.id
            await client.accept_match(ticket.id, new.id)
        assert (await _matched(ada, tickets[0].id)).match.id == new.id

    async def test_who_lets_the_time_pass_is_out(self, rules: str, redis_url: str) -> None:
        async with AsyncExitStack() as stack:
            address = await stack.enter_async_context(
                matchmaking_server(redis_url, rules, token_key=TOKEN_KEY, accept_seconds=0.3)
            )
            clients, tickets = [], []
            for name in ("Ada", "Bea", "Cleo"):
                client = await stack.enter_async_context(Client(rules, matchmaking=address))
                await client.sign_in(name)
                clients.append(client)
                tickets.append(await client.create_ticket("agora", players=(3, 3), acceptance=True))
            match = (await _until(clients[0], tickets[0].id, pb.TICKET_STATUS_PROPOSED)).match
            await clients[0].accept_match(tickets[0].id, match.id)
            await _until(clients[1], tickets[1].id, pb.TICKET_STATUS_EXPIRED)
            await _until(clients[2], tickets[2].id, pb.TICKET_STATUS_EXPIRED)
            await _until(clients[0], tickets[0].id, pb.TICKET_STATUS_WAITING)


class TestRefusals:
    """What makes no sense, or is somebody else's, is refused with its reason."""

    async def test_a_ticket_is_nobody_elses(self, guests: Guests) -> None:
        ada, eve = await guests("Ada", "Eve")
        ticket = await ada.create_ticket("agora")
        watch = _until(eve, ticket.id, pb.TICKET_STATUS_WAITING)
        for attempt in (watch, eve.cancel_ticket(ticket.id), eve.accept_match(ticket.id, "x")):
            refused = await _reason(attempt)
            assert (refused.code, refused.reason) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_YOUR_TICKET")
        assert (await _until(ada, ticket.id, pb.TICKET_STATUS_WAITING)).id == ticket.id

    @pytest.mark.parametrize("method", ["CancelTicket", "WatchTicket", "AcceptMatch"])
    async def test_an_unknown_ticket_is_not_found_and_a_missing_id_is_missing(
        self, guests: Guests, method: str
    ) -> None:
        (ada,) = await guests("Ada")
        calls: dict[str, Callable[[str], Any]] = {
            "CancelTicket": ada.cancel_ticket,
            "WatchTicket": lambda ticket_id: _until(ada, ticket_id, pb.TICKET_STATUS_WAITING),
            "AcceptMatch": lambda ticket_id: ada.accept_match(ticket_id, "x"),
        }
        unknown = await _reason(calls[method]("0" * 32))
        assert (unknown.code, unknown.reason) == (grpc.StatusCode.NOT_FOUND, "TICKET_NOT_FOUND")
        missing = await _reason(calls[method](""))
        assert (missing.reason, missing.field) == ("INVALID_FIELD", "ticket_id")

    @pytest.mark.parametrize(
        ("request_", "field"),
        [
            (pb.CreateTicketRequest(), "game_id"),
            (pb.CreateTicketRequest(game_id="chess"), "game_id"),
            (pb.CreateTicketRequest(game_id="agora", request_id=" " * 65), "request_id"),
            (pb.CreateTicketRequest(game_id="agora", min_players=2), "min_players"),
            (pb.CreateTicketRequest(game_id="agora", max_players=6), "max_players"),
            (pb.CreateTicketRequest(game_id="agora", min_players=-1), "min_players"),
            (pb.CreateTicketRequest(game_id="agora", min_players=5, max_players=3), "max_players"),
            (pb.CreateTicketRequest(game_id="agora", party_size=6), "party_size"),
            (pb.CreateTicketRequest(game_id="agora", party_size=-1), "party_size"),
            (pb.CreateTicketRequest(game_id="agora", max_players=3, party_size=4), "party_size"),
            (pb.CreateTicketRequest(game_id="agora", window=pb.RatingWindow(initial=-1)), "window.initial"),
            (pb.CreateTicketRequest(game_id="agora", window=pb.RatingWindow(growth=float("nan"))), "window.growth"),
            (pb.CreateTicketRequest(game_id="agora", window=pb.RatingWindow(maximum=float("inf"))), "window.maximum"),
            (pb.CreateTicketRequest(game_id="agora", window=pb.RatingWindow(initial=5, maximum=1)), "window.maximum"),
            (pb.CreateTicketRequest(game_id="agora", bots=pb.BotFill(after=Duration(seconds=-1))), "bots.after"),
            (pb.CreateTicketRequest(game_id="agora", bots=pb.BotFill(after=Duration(seconds=10**9))), "bots.after"),
            (pb.CreateTicketRequest(game_id="agora", bots=pb.BotFill(bot="nobody")), "bots.bot"),
            (pb.CreateTicketRequest(game_id="barcelona", bots=pb.BotFill(bot="gaudi")), "bots.bot"),
            (
                pb.CreateTicketRequest(
                    game_id="agora",
                    options=games_pb2.GameOptions(barcelona=barcelona_pb2.BarcelonaOptions()),
                ),
                "options.agora",
            ),
            (
                pb.CreateTicketRequest(
                    game_id="barcelona",
                    options=games_pb2.GameOptions(
                        barcelona=barcelona_pb2.BarcelonaOptions(solo=barcelona_pb2.BARCELONA_SOLO_NORMAL)
                    ),
                ),
                "options",
            ),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    async def test_a_wish_that_makes_no_sense_is_refused_with_its_field(
        self, guests: Guests, matchmaking: str, request_: pb.CreateTicketRequest, field: str
    ) -> None:
        (ada,) = await guests("Ada")
        request_.request_id = request_.request_id or "r"
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call(matchmaking, SERVICE + "CreateTicket", request_, ada.token)
        refused = refusal_of(caught.value)
        assert (refused.code, refused.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")
        assert refused.field == field

    async def test_without_a_request_id_there_is_no_ticket(self, guests: Guests, matchmaking: str) -> None:
        (ada,) = await guests("Ada")
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call(matchmaking, SERVICE + "CreateTicket", pb.CreateTicketRequest(game_id="agora"), ada.token)
        assert refusal_of(caught.value).field == "request_id"

    async def test_a_bot_has_no_ticket(self, rules: str, matchmaking: str) -> None:
        token = Tokens(TOKEN_KEY.encode(), 60).issue(bot_player("greedy", "Greedy", "00" + "a" * 12, "1"))
        async with Client(rules, matchmaking=matchmaking, token=token) as bot:
            assert (await _reason(bot.create_ticket("agora"))).reason == "PEOPLE_ONLY"


class TestOpenTable:
    """The table of a match: for services alone, everybody seated and the game begun in one, once."""

    @staticmethod
    def _request(match_id: str = "m", **fields: Any) -> tables_pb2.OpenTableRequest:
        people = [
            players_pb2.Player(id=f"guest-{n}", name=n, kind=players_pb2.PLAYER_KIND_GUEST) for n in ("Ada", "Bea")
        ]
        players = [people[0], players_pb2.Player(bot="greedy"), people[1]]
        return tables_pb2.OpenTableRequest(**{"match_id": match_id, "game_id": "agora", "players": players, **fields})

    @staticmethod
    async def _open(rules: str, request: tables_pb2.OpenTableRequest, player: players_pb2.Player) -> tables_pb2.Table:
        token = Tokens(TOKEN_KEY.encode(), 60).issue(player)
        try:
            return tables_pb2.OpenTableResponse.FromString(await call(rules, OPEN_TABLE, request, token)).table
        except grpc.aio.AioRpcError as error:
            raise refusal_of(error) from None

    async def test_it_is_for_services_alone(self, rules: str) -> None:
        for player in (new_guest("Eve"), bot_player("greedy", "Greedy", "00" + "a" * 12, "1")):
            refused = await _reason(self._open(rules, self._request(), player))
            assert (refused.code, refused.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SERVICE_ONLY")

    async def test_the_same_match_gives_the_same_table_wherever_it_is_opened(self, rules: str, replica: str) -> None:
        service = service_player("matchmaking")
        calls = [self._open(address, self._request(), service) for address in (rules, replica) * 5]
        tables = await asyncio.gather(*calls)
        assert len({table.id for table in tables}) == 1
        assert len({table.seed_commitment for table in tables}) == 1
        assert {table.version for table in tables} == {1}
        other = await self._open(rules, self._request("n"), service)
        assert other.id != tables[0].id

    async def test_a_table_that_has_moved_on_is_given_as_it_is(self, rules: str) -> None:
        """A matcher that comes back much later changes nothing."""
        service = service_player("matchmaking")
        table = await self._open(rules, self._request(), service)
        token = Tokens(TOKEN_KEY.encode(), 60).issue(table.seats[0].player)
        async with Client(rules, token=token) as ada:
            await ada.resign(table.id, 0)
        again = await self._open(rules, self._request(), service)
        assert (again.id, again.version) == (table.id, 2)
        assert again.seats[0].resigned.name == "Ada"

    @pytest.mark.parametrize(
        ("fields", "field"),
        [
            ({"match_id": ""}, "match_id"),
            ({"game_id": "chess"}, "game_id"),
            ({"players": [players_pb2.Player(bot="greedy")] * 3}, "players"),
            ({"players": [players_pb2.Player(id="a")]}, "players"),
            (
                {"players": [players_pb2.Player(id="a"), players_pb2.Player(), players_pb2.Player(id="b")]},
                "players[1].id",
            ),
            ({"players": [players_pb2.Player(id="a"), players_pb2.Player(bot="gaudi")]}, "players[1].bot"),
        ],
    )
    async def test_a_match_that_cannot_be_is_refused(self, rules: str, fields: dict[str, Any], field: str) -> None:
        refused = await _reason(self._open(rules, self._request(**fields), service_player("matchmaking")))
        assert (refused.reason, refused.field) == ("INVALID_FIELD", field)


async def test_while_no_table_can_be_opened_the_match_waits_and_is_opened_once(
    rules: str, redis: Redis, redis_url: str
) -> None:
    """The rules server that the matcher knows is away: the match is kept, and becomes one table when it comes."""
    away = f"{HOST}:{free_port()}"
    async with (
        matchmaking_server(redis_url, away, token_key=TOKEN_KEY) as address,
        Client(rules, matchmaking=address) as ada,
    ):
        await ada.sign_in("Ada")
        ticket = await ada.create_ticket("agora", bots_after=0)
        opening = await _until(ada, ticket.id, pb.TICKET_STATUS_OPENING)
        assert (await _reason(ada.cancel_ticket(ticket.id))).metadata["match_id"] == opening.match.id
        async with rules_server(redis_url, address=away, token_key=TOKEN_KEY):
            end = await _matched(ada, ticket.id)
        assert end.match.id == opening.match.id
        table = await ada.table(end.match.table_id)
        assert (table.version, table.match_id) == (1, opening.match.id)


async def test_a_match_that_a_dead_matcher_was_given_is_opened_by_another(
    rules: str, redis: Redis, redis_url: str
) -> None:
    """One that died after it had opened the table, before it told anybody: it stays that table."""
    store = TicketStore(redis, ttl_ms=60_000, accept_ms=60_000)
    options = games_pb2.GameOptions(agora=agora_pb2.AgoraOptions()).SerializeToString()
    ticket = replace(new_ticket("Ada", bots_ms=0), options=options)
    await store.create(ticket)
    await store.form(1)
    (delivery,) = await store.read(0, 1)
    match = await store.load_match(delivery.match_id)
    assert match is not None
    request = tables_pb2.OpenTableRequest(match_id=match.id, game_id="agora", rated=True)
    for seat in match.seats:
        kind = players_pb2.PLAYER_KIND_GUEST if seat.person else players_pb2.PLAYER_KIND_BOT
        name, player_id = (seat.person.name, seat.person.id) if seat.person else ("", "")
        request.players.add(id=player_id, name=name, kind=kind, bot=seat.bot)
    token = Tokens(TOKEN_KEY.encode(), 60).issue(service_player("matchmaking"))
    opened = tables_pb2.OpenTableResponse.FromString(await call(rules, OPEN_TABLE, request, token)).table

    async def ended() -> bool:
        now = await store.load(ticket.id)
        return now is not None and now.status == "matched"

    async with matchmaking_server(redis_url, rules, token_key=TOKEN_KEY):
        await eventually(ended, SECONDS)
    match = await store.load_match(delivery.match_id)
    assert match is not None
    assert match.table_id == opened.id
    async with Client(rules, token=token) as client:
        assert [table.id for table in await client.tables()] == [opened.id]


async def test_queues_tell_how_many_wait_and_how_it_went_lately(guests: Guests) -> None:
    ada, bea = await guests("Ada", "Bea")
    await _found(ada, players=(3, 3), bots_after=0)
    await ada.create_ticket("agora", players=(3, 4))
    await bea.create_ticket("barcelona", players=(2, 2))
    queues = {(queue.game_id, queue.players): queue for queue in await ada.queues()}
    assert set(queues) == {*(("agora", n) for n in (3, 4, 5)), *(("barcelona", n) for n in (2, 3, 4))}
    assert [queues["agora", n].waiting for n in (3, 4, 5)] == [1, 1, 0]
    assert queues["barcelona", 2].waiting == 1
    assert (queues["agora", 3].matches, queues["agora", 4].matches) == (1, 0)
    assert queues["agora", 3].HasField("recent_wait")
    assert not queues["agora", 3].HasField("recent_difference")
    assert [queue.game_id for queue in await ada.queues("agora")] == ["agora"] * 3
    assert (await _reason(ada.queues("chess"))).field == "game_id"


async def test_who_waits_is_told_when_others_come(guests: Guests) -> None:
    ada, bea = await guests("Ada", "Bea")
    ticket = await ada.create_ticket("agora", players=(3, 3))
    async with asyncio.timeout(SECONDS), aclosing(ada.watch_ticket(ticket.id)) as tickets:
        assert (await anext(tickets)).waiting.players == 1
        await bea.create_ticket("agora", players=(3, 3))
        assert (await anext(tickets)).waiting.players == 2


async def test_a_program_without_an_event_loop_finds_a_game_too(guests: Guests, rules: str, matchmaking: str) -> None:
    ada, bea = await guests("Ada", "Bea")
    client = SyncClient(rules, matchmaking=matchmaking)
    try:
        seen = await asyncio.to_thread(lambda: list(client.find(ada.token, "agora", bots_after=0)))
        assert seen[-1].status == pb.TICKET_STATUS_MATCHED
        assert (await ada.table(seen[-1].match.table_id)).seats[seen[-1].match.seat].player == ada.player

        def begin_and_stop() -> pb.Ticket:
            search = client.find(bea.token, "agora")
            ticket = next(search)
            search.close()
            return ticket

        left = await asyncio.to_thread(begin_and_stop)
        assert (await _until(bea, left.id, pb.TICKET_STATUS_CANCELLED)).id == left.id
    finally:
        client.close()
