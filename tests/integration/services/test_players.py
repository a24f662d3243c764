"""Players: their names, and being told where it is their turn."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import grpc
import pytest

from boardgamesbot.client import Client, Refused
from boardgamesbot.v1 import players_pb2
from tests.support.play import Party, playing, seated


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Ada", "Ada"),
        ("  Ada \t Lovelace\n", "Ada Lovelace"),
        ("Núria 🌊", "Núria 🌊"),
        ("ﬁg", "fig"),
        ("A\u00a0B", "A B"),
        ("x" * 32, "x" * 32),
        ("[bold]Ada[/bold]", "[bold]Ada[/bold]"),
    ],
)
async def test_a_name_is_one_clean_line(rules: str, given: str, shown: str) -> None:
    async with Client(rules) as client:
        player = await client.sign_in(given)
        assert player.name == shown
        assert player.kind == players_pb2.PLAYER_KIND_GUEST
        assert await client.me() == player


@pytest.mark.parametrize("name", ["x" * 33, "Ada\u200b", "a\x1b[31mb", "\x00", "a\u202eb", "\ufdfa" * 3])
async def test_a_name_that_hides_or_overflows_is_refused(rules: str, name: str) -> None:
    async with Client(rules) as client:
        with pytest.raises(Refused) as caught:
            await client.sign_in(name)
        assert (caught.value.code, caught.value.field) == (grpc.StatusCode.INVALID_ARGUMENT, "name")


@pytest.mark.parametrize("name", ["", "   ", "\n\t"])
async def test_who_gives_no_name_gets_one(rules: str, name: str) -> None:
    async with Client(rules) as client:
        assert (await client.sign_in(name)).name.startswith("Guest ")


async def test_every_guest_is_somebody_else(rules: str) -> None:
    async with Client(rules) as client:
        assert len({(await client.sign_in("Ada")).id for _ in range(20)}) == 20


async def test_a_player_is_told_of_each_of_their_turns(rules: str, replica: str) -> None:
    """Watching through another replica than the one that plays, and never told of another's turn."""
    async with seated(rules) as party, Client(replica, token=party.clients[1].token) as client:
        watch = client.watch_me()
        next_turn = asyncio.ensure_future(anext(watch))
        await party.host.start(party.table_id)
        told = 0
        for _ in range(60):
            now = await party.now()
            if now.summary.actor == 1:
                turn = await asyncio.wait_for(next_turn, 3)
                assert (turn.table_id, turn.version, turn.seat, turn.game_id) == (
                    party.table_id,
                    now.version,
                    1,
                    "agora",
                )
                told += 1
                next_turn = asyncio.ensure_future(anext(watch))
            assert not next_turn.done(), "told of a turn that is not theirs, or told twice"
            await party.play(1)
        assert told > 10
        next_turn.cancel()


async def test_who_comes_back_is_told_of_the_turns_that_wait(rules: str) -> None:
    async with playing(rules) as first, Client(rules) as client:
        seat = (await first.now()).summary.actor
        client.token = first.clients[seat].token
        second = await client.create_table("agora", 3)
        await client.take_seat(second.id)
        for other in range(3):
            if other != seat:
                await first.clients[other].take_seat(second.id)
        await client.start(second.id)
        party = Party([first.clients[seat], *(c for i, c in enumerate(first.clients) if i != seat)], second.id)
        while (await party.now()).summary.actor != 0:
            await party.play(1)
        turns: dict[str, int] = {}
        async for turn in client.watch_me():
            turns[turn.table_id] = turn.version
            if len(turns) == 2:
                break
        assert turns == {first.table_id: (await first.now()).version, second.id: (await party.now()).version}


async def test_nobody_is_told_of_a_game_that_is_over(rules: str) -> None:
    async with playing(rules) as party:
        await party.play()
        for client in party.clients:
            watch = client.watch_me()
            with suppress(TimeoutError):
                async with asyncio.timeout(0.1):
                    pytest.fail(f"told of {await anext(watch)}")
