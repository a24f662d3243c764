"""Seats: taken once, freed, taken again; who may do what at a table, and what a resignation does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import AsyncExitStack

import grpc
import pytest

from boardgamesbot.bots.turn import Outcome
from boardgamesbot.client import Client, Refused
from boardgamesbot.v1 import agora_pb2, players_pb2, tables_pb2
from tests.support.bots import BotTurns
from tests.support.play import Party, playing, seated, versions


async def _guests(stack: AsyncExitStack, addresses: list[str]) -> list[Client]:
    clients = [await stack.enter_async_context(Client(address)) for address in addresses]
    for i, client in enumerate(clients):
        await client.sign_in(f"Guest {i}")
    return clients


async def _attempt(client: Client, table_id: str, seat: int | None = None) -> int | Refused:
    try:
        return await client.take_seat(table_id, seat)
    except Refused as refusal:
        return refusal


async def _refusal(call: Awaitable[object]) -> str:
    """The reason a call is refused for; empty where it is not."""
    try:
        await call
    except Refused as refusal:
        return refusal.reason
    return ""


def _sitting(table: tables_pb2.Table) -> list[str]:
    return [seat.player.id for seat in table.seats if seat.HasField("player")]


async def test_of_twenty_clients_three_get_the_three_seats(rules: str, replica: str) -> None:
    async with AsyncExitStack() as stack:
        clients = await _guests(stack, [rules, replica] * 10)
        table = await clients[0].create_table("agora", 3)
        outcomes = await asyncio.gather(*(_attempt(client, table.id) for client in clients))
        seats = [outcome for outcome in outcomes if isinstance(outcome, int)]
        refusals = [outcome for outcome in outcomes if isinstance(outcome, Refused)]
        assert sorted(seats) == [0, 1, 2]
        assert {(r.code, r.reason) for r in refusals} == {(grpc.StatusCode.ALREADY_EXISTS, "SEAT_TAKEN")}
        now = await clients[1].table(table.id)
        assert now.version == 4
        for client, outcome in zip(clients, outcomes, strict=True):
            if isinstance(outcome, int):
                assert now.seats[outcome].player.id == client.player.id


async def test_of_twenty_clients_one_gets_the_one_seat_they_all_want(rules: str, replica: str) -> None:
    async with AsyncExitStack() as stack:
        clients = await _guests(stack, [rules, replica] * 10)
        table = await clients[0].create_table("agora", 3)
        outcomes = await asyncio.gather(*(_attempt(client, table.id, 1) for client in clients))
        assert [outcome for outcome in outcomes if isinstance(outcome, int)] == [1]
        assert len(_sitting(await clients[0].table(table.id))) == 1


async def test_joining_leaving_and_starting_at_once_leaves_a_table_that_makes_sense(rules: str, replica: str) -> None:
    async with AsyncExitStack() as stack:
        clients = await _guests(stack, [rules, replica] * 4)
        host = clients[0]
        for _ in range(5):
            table = await host.create_table("agora", 3)
            await host.take_seat(table.id)

            async def come_and_go(client: Client, table_id: str) -> None:
                for _ in range(3):
                    if isinstance(await _attempt(client, table_id), int):
                        assert await _refusal(client.leave_seat(table_id)) in ("", "WRONG_STATUS")

            async def start(table_id: str) -> None:
                for _ in range(10):
                    if not (reason := await _refusal(host.start(table_id))):
                        return
                    assert reason == "SEATS_EMPTY"

            await asyncio.gather(start(table.id), *(come_and_go(client, table.id) for client in clients[1:]))
            after = await host.table(table.id)
            sitting = _sitting(after)
            assert len(set(sitting)) == len(sitting)
            assert host.player.id in sitting
            assert len(sitting) == (3 if after.status == tables_pb2.TABLE_STATUS_PLAYING else 1)
            seen: list[tables_pb2.WatchResponse] = []
            async for response in host.watch(table.id):
                seen.append(response)
                if response.version == after.version:
                    break
            assert versions(seen) == list(range(1, after.version + 1))


async def test_starting_twice_at_once_starts_one_game(rules: str, replica: str) -> None:
    async with seated(rules) as party, Client(replica, token=party.host.token) as elsewhere:
        await asyncio.gather(*(client.start(party.table_id) for client in (party.host, elsewhere) * 5))
        assert (await party.now()).version == 5


async def test_a_seat_taken_again_by_its_player_stays_theirs(rules: str) -> None:
    async with seated(rules) as party:
        before = (await party.host.table(party.table_id)).version
        assert await party.host.take_seat(party.table_id) == 0
        assert await party.host.take_seat(party.table_id, 0) == 0
        with pytest.raises(Refused) as caught:
            await party.host.take_seat(party.table_id, 1)
        assert caught.value.reason == "SEAT_TAKEN"
        assert (await party.host.table(party.table_id)).version == before


async def test_only_the_host_starts_and_frees_the_seats_of_others(rules: str) -> None:
    async with seated(rules) as party:
        host, guest, other = party.clients
        for forbidden in (guest.start(party.table_id), guest.leave_seat(party.table_id, 2)):
            with pytest.raises(Refused) as caught:
                await forbidden
            assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_HOST")
        freed = await host.leave_seat(party.table_id, 2)
        assert _sitting(freed) == [host.player.id, guest.player.id]
        with pytest.raises(Refused) as caught:
            await host.start(party.table_id)
        assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "SEATS_EMPTY")
        assert caught.value.version == freed.version
        assert await other.take_seat(party.table_id) == 2
        assert (await host.start(party.table_id)).status == tables_pb2.TABLE_STATUS_PLAYING


async def test_a_freed_seat_can_be_taken_by_another(rules: str) -> None:
    async with seated(rules) as party, Client(rules) as newcomer:
        await newcomer.sign_in("Newcomer")
        with pytest.raises(Refused) as caught:
            await newcomer.take_seat(party.table_id)
        assert caught.value.reason == "SEAT_TAKEN"
        await party.clients[1].leave_seat(party.table_id)
        await party.clients[1].leave_seat(party.table_id)
        assert await newcomer.take_seat(party.table_id) == 1


async def test_a_host_who_leaves_passes_the_table_on(rules: str) -> None:
    async with seated(rules) as party:
        table = await party.host.leave_seat(party.table_id)
        assert table.host == party.clients[1].player.id
        with pytest.raises(Refused) as caught:
            await party.host.start(party.table_id)
        assert caught.value.reason == "NOT_HOST"
        await party.host.take_seat(party.table_id)
        assert (await party.clients[1].start(party.table_id)).status == tables_pb2.TABLE_STATUS_PLAYING


async def test_the_last_person_to_leave_closes_the_table(rules: str) -> None:
    async with seated(rules) as party:
        assert party.table_id in [table.id for table in await party.host.tables()]
        for client in party.clients:
            table = await client.leave_seat(party.table_id)
        assert table.status == tables_pb2.TABLE_STATUS_CLOSED
        assert party.table_id not in [table.id for table in await party.host.tables()]
        watched = [response async for response in party.host.watch(party.table_id)]
        assert watched[-1].table_change.kind == tables_pb2.TABLE_CHANGE_KIND_CLOSED
        for late in (party.host.take_seat(party.table_id), party.clients[2].start(party.table_id)):
            with pytest.raises(Refused) as caught:
                await late
            assert caught.value.reason in ("WRONG_STATUS", "NOT_HOST")


async def test_nobody_joins_or_leaves_a_game_that_is_on(rules: str) -> None:
    async with playing(rules) as party, Client(rules) as newcomer:
        await newcomer.sign_in("Newcomer")
        for late in (newcomer.take_seat(party.table_id), party.clients[1].leave_seat(party.table_id)):
            with pytest.raises(Refused) as caught:
                await late
            assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "WRONG_STATUS")


async def test_who_resigns_is_played_for_by_a_bot_and_cannot_win(rules: str) -> None:
    """The seat that is ahead resigns in the last turn: the game goes on to its end, and another wins."""
    with BotTurns(rules) as bots:
        async with playing(rules) as party:
            await _leader_resigns(party, bots)


async def _leader_resigns(party: Party, bots: BotTurns) -> None:
    while (now := await party.now()).view.agora.turn < now.view.agora.turns:
        await party.play(1)
    best = max(range(3), key=lambda seat: now.summary.points[seat])
    leaver = party.clients[best]
    table = await leaver.resign(party.table_id, best)
    assert table.seats[best].resigned.id == leaver.player.id
    assert table.seats[best].player.kind == players_pb2.PLAYER_KIND_BOT
    assert (await leaver.resign(party.table_id, best)).version == table.version
    with pytest.raises(Refused) as caught:
        await leaver.undo(party.table_id, best, table.version)
    assert caught.value.reason == "NOT_YOUR_SEAT"
    spectator = party.clients[(best + 1) % 3]
    while not (now := await spectator.view(party.table_id)).summary.is_over:
        if now.summary.actor == best:
            assert await bots.play(now) == Outcome.PLAYED
        else:
            moves = await party.clients[now.summary.actor].legal_moves(party.table_id)
            await party.clients[now.summary.actor].submit(
                party.table_id, now.summary.actor, now.version, moves.moves[0].move
            )
    winners = list(now.summary.winners)
    assert winners
    assert best not in winners
    record = await spectator.record(party.table_id)
    assert [player.resigned for player in record.players] == [seat == best for seat in range(3)]
    assert record.players[best].name == leaver.player.name
    assert list(record.result.winners) == winners
    assert not (await spectator.verify(record)).HasField("fault")
    record.players[best].resigned = False
    # Only where the seat would have won does the record need to know that it resigned.
    would_win = now.summary.points[best] > max(now.summary.points[seat] for seat in range(3) if seat != best)
    if would_win:
        assert (await spectator.verify(record)).fault.field == "result.winners"
    last = [r async for r in spectator.watch(party.table_id, now.version - 1)][-1]
    ended = next(e.agora.ended for e in last.move_played.events if e.agora.HasField("ended"))
    assert list(ended.winners) == winners, "everybody is told of the same winners"


async def test_nobody_resigns_for_another(rules: str) -> None:
    async with playing(rules) as party:
        with pytest.raises(Refused) as caught:
            await party.clients[1].resign(party.table_id, 2)
        assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_YOUR_SEAT")


async def test_an_unlisted_table_is_found_by_its_id_alone(rules: str) -> None:
    async with seated(rules) as party:
        hidden = await party.host.create_table("agora", 3, visibility=tables_pb2.TABLE_VISIBILITY_UNLISTED)
        assert hidden.id not in [table.id for table in await party.clients[1].tables()]
        assert (await party.clients[1].table(hidden.id)).id == hidden.id


async def test_options_are_completed_and_kept(rules: str) -> None:
    async with seated(rules, options=agora_pb2.AgoraOptions(take=agora_pb2.AGORA_TAKE_CHOOSE)) as party:
        options = (await party.host.table(party.table_id)).options.agora
        assert options.take == agora_pb2.AGORA_TAKE_CHOOSE
        assert options.backs == agora_pb2.AGORA_BACKS_DISTRICT
        assert options.take_until == agora_pb2.AGORA_TAKE_UNTIL_ALWAYS


async def test_a_host_who_frees_the_only_seat_taken_keeps_the_table(rules: str) -> None:
    async with Client(rules) as host, Client(rules) as guest:
        await host.sign_in("Host")
        await guest.sign_in("Guest")
        table = await host.create_table("agora", 3)
        seat = await guest.take_seat(table.id)
        table = await host.leave_seat(table.id, seat)
        assert table.status == tables_pb2.TABLE_STATUS_OPEN
        assert await host.take_seat(table.id, seat) == seat
