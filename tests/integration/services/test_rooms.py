"""Rooms: a table with a code that can be read out, and what its host may do before the game."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import AsyncExitStack

import grpc
import pytest
from redis.asyncio import Redis

from boardgamesbot.client import Client, Refused
from boardgamesbot.rules import codes
from boardgamesbot.store import keys
from boardgamesbot.store.tables import TableStore
from boardgamesbot.v1 import barcelona_pb2, games_pb2, tables_pb2
from tests.support.bots import BotTurns
from tests.support.platform import rules_server
from tests.support.play import TABLES, call, collect, seated


async def _refused(call: Awaitable[object]) -> Refused:
    with pytest.raises(Refused) as refused:
        await call
    return refused.value


async def _two(stack: AsyncExitStack, address: str) -> tuple[Client, Client]:
    host, guest = [await stack.enter_async_context(Client(address)) for _ in range(2)]
    await host.sign_in("Host")
    await guest.sign_in("Guest")
    return host, guest


async def test_a_code_leads_to_its_table_however_it_is_typed(rules: str, replica: str) -> None:
    async with Client(rules) as host, Client(replica) as guest:
        await host.sign_in()
        await guest.sign_in()
        table = await host.create_table("agora", 3, with_code=True)
        code = table.code
        assert len(code) == 6
        assert set(code) <= set(codes.LETTERS)
        for typed in (code, code.lower(), f" {code[:3]} {code[3:]} ", f"{code[:3]}-{code[3:]}"):
            assert (await guest.table_by_code(typed)).id == table.id
        assert (await guest.take_seat(table.id)) == 0


def test_no_letter_of_a_code_looks_like_another() -> None:
    for alike in ("0OQ", "1IL", "2Z", "5S", "8B"):
        assert len(set(alike) & set(codes.LETTERS)) <= 1
    assert len(set(codes.LETTERS)) == len(codes.LETTERS)


async def test_a_code_is_shown_to_those_at_the_table_only(rules: str) -> None:
    async with AsyncExitStack() as stack:
        host, guest = await _two(stack, rules)
        table = await host.create_table("agora", 3, with_code=True)
        assert (await host.table(table.id)).code == table.code

        async def all_ways() -> set[str]:
            newest = (await guest.table(table.id)).version
            watched = await anext(guest.watch(table.id, newest - 1))
            listed = next(one for one in await guest.tables() if one.id == table.id)
            by_code = await guest.table_by_code(table.code)
            return {(await guest.table(table.id)).code, watched.table.code, listed.code, by_code.code}

        assert await all_ways() == {""}
        await guest.take_seat(table.id)
        assert await all_ways() == {table.code}
        await guest.leave_seat(table.id)
        assert not (await guest.table(table.id)).code


async def test_without_being_asked_for_there_is_no_code(rules: str, redis: Redis) -> None:
    async with Client(rules) as host:
        await host.sign_in()
        assert not (await host.create_table("agora", 3)).code
        assert await redis.keys("code:*") == []


async def test_the_same_request_again_gives_the_same_code(rules: str, replica: str, redis: Redis) -> None:
    async with Client(rules) as host:
        await host.sign_in()
        request = tables_pb2.CreateTableRequest(game_id="agora", players=3, request_id="once", with_code=True)
        answers = await asyncio.gather(
            *(call(address, TABLES + "CreateTable", request, host.token) for address in (rules, replica) * 4)
        )
        tables = [tables_pb2.CreateTableResponse.FromString(answer).table for answer in answers]
        assert len({(table.id, table.code) for table in tables}) == 1
        assert await redis.keys("code:*") == [f"code:{tables[0].code}".encode()]


async def test_a_code_that_is_taken_is_not_given_again(redis: Redis) -> None:
    store = TableStore(redis)
    one, other = keys.new_table_id(), keys.new_table_id()
    assert await store.take_code("ACDEFG", one, 60)
    assert not await store.take_code("ACDEFG", other, 60)
    assert await store.take_code("ACDEFG", one, 60), "its own it has already"
    assert codes.code_from(b"digest", 0) != codes.code_from(b"digest", 1)


async def test_a_code_lives_as_long_as_its_open_table(redis: Redis, redis_url: str) -> None:
    async with rules_server(redis_url, open_table_hours=0.01) as rules, Client(rules) as host:
        await host.sign_in()
        table = await host.create_table("agora", 3, with_code=True)
        key = keys.table_code(table.code)
        await redis.expire(key, 5)
        await host.take_seat(table.id)
        assert 5 < await redis.ttl(key) <= 36
        await redis.delete(keys.table(table.id))
        refusal = await _refused(host.table_by_code(table.code))
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.NOT_FOUND, "CODE_NOT_FOUND")


@pytest.mark.parametrize("code", ["", "  ", "ACDEF", "ACDEFGH", "ACDEF1", "ACDEFÄ"])
async def test_what_can_be_no_code_is_refused_as_such(rules: str, code: str) -> None:
    async with Client(rules) as client:
        await client.sign_in()
        refusal = await _refused(client.table_by_code(code))
        assert (refusal.reason, refusal.field) == ("INVALID_FIELD", "code")


async def test_the_host_has_two_change_places_and_all_are_told(rules: str) -> None:
    async with seated(rules) as party:
        first, second, third = (client.player.id for client in party.clients)
        await party.host.swap_seats(party.table_id, 0, 2)
        table = await party.host.table(party.table_id)
        assert [seat.player.id for seat in table.seats] == [third, second, first]
        told = await anext(party.clients[1].watch(party.table_id, table.version - 1))
        change = told.table_change
        assert (change.kind, change.seat, change.other_seat) == (tables_pb2.TABLE_CHANGE_KIND_SWAPPED, 0, 2)
        await party.clients[1].leave_seat(party.table_id)
        await party.host.swap_seats(party.table_id, 1, 2)
        seats = (await party.host.table(party.table_id)).seats
        assert [seat.player.id for seat in seats] == [third, first, ""]
        assert not seats[2].HasField("player")
        assert await party.clients[1].take_seat(party.table_id) == 2
        await party.host.start(party.table_id)
        refusal = await _refused(party.host.swap_seats(party.table_id, 0, 1))
        assert refusal.reason == "WRONG_STATUS"


async def test_swapping_is_the_hosts_and_for_seats_there_are(rules: str) -> None:
    async with seated(rules) as party:
        assert (await _refused(party.clients[1].swap_seats(party.table_id, 0, 1))).reason == "NOT_HOST"
        for seats, field in (((3, 0), "seat"), ((0, 3), "other_seat"), ((0, -1), "other_seat")):
            refusal = await _refused(party.host.swap_seats(party.table_id, *seats))
            assert (refusal.reason, refusal.field) == ("INVALID_FIELD", field)


async def test_a_seat_that_is_a_bots_by_the_rules_is_not_swapped(rules: str) -> None:
    async with Client(rules) as host:
        await host.sign_in()
        options = games_pb2.GameOptions(
            barcelona=barcelona_pb2.BarcelonaOptions(solo=barcelona_pb2.BARCELONA_SOLO_NORMAL)
        )
        table = await host.create_table("barcelona", 2, options)
        assert (await _refused(host.swap_seats(table.id, 0, 1))).reason == "SEAT_FOR_BOT"


async def test_a_swapped_bot_plays_from_its_new_seat(rules: str) -> None:
    async with Client(rules) as host:
        await host.sign_in()
        table = await host.create_table("agora", 3)
        with BotTurns(rules) as bots:
            for seat in range(3):
                await bots.seat(table.id, "random", seat)
            await host.swap_seats(table.id, 0, 2)
            await host.start(table.id)
            while not (now := await host.view(table.id)).summary.is_over:
                await bots.play(now)
        assert (await collect(host, table.id))[-1].table.status == tables_pb2.TABLE_STATUS_FINISHED
