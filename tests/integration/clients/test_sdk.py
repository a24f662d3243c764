"""The Python SDK: the README's bot, games with others, bots from outside, servers that go away."""

from __future__ import annotations

import asyncio
import re
import stat
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest

from boardgamesbot.client import BlockingClient, Client, NoMatch, Refused
from boardgamesbot.v1 import barcelona_pb2, games_pb2, matchmaking_pb2, players_pb2, tables_pb2
from tests.integration.clients.conftest import (
    PYTHON,
    ROOT,
    Game,
    end_of,
    environment,
    finished,
    start,
    want_whole_game,
)
from tests.support.platform import Supervised
from tests.support.waiting import eventually

SECONDS = 110

pytestmark = [pytest.mark.xdist_group("clients"), pytest.mark.timeout(SECONDS + 60)]


@pytest.fixture
async def ada(served: Supervised) -> AsyncIterator[Client]:
    async with Client(served.rules, bots=served.bots, matchmaking=served.matchmaking) as client:
        await client.sign_in("Ada")
        yield client


@pytest.fixture
async def ben(served: Supervised) -> AsyncIterator[Client]:
    async with Client(served.rules, bots=served.bots, matchmaking=served.matchmaking) as client:
        await client.sign_in("Ben")
        yield client


def readme_bot() -> str:
    (text,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    return str(text)


def test_the_readme_shows_a_bot_in_fifteen_lines() -> None:
    assert len(readme_bot().splitlines()) <= 15


def test_the_readme_bot_plays_a_whole_game_as_written(
    served: Supervised, witness: BlockingClient, tmp_path: Path
) -> None:
    file = tmp_path / "rook.py"
    file.write_text(readme_bot())
    first, *said = end_of(start([PYTHON, str(file)], environment(served), tmp_path))
    table = re.fullmatch(r"Table: (\w+)", first)
    assert table, "the id for `bgb record`"
    want_whole_game(said, finished(witness, table[1], "Rook"))


async def play_first(client: Client, table_id: str) -> int:
    """Play one's first legal moves to the end; gives how many."""
    played = 0
    async for turn in client.turns(table_id):
        played += await turn.moves[0].play()
    return played


def game_of(witness: BlockingClient, table_id: str, name: str) -> Game:
    return finished(witness, table_id, name)


@pytest.mark.parametrize("killed", ["rules", "bots"])
async def test_a_game_goes_on_when_servers_were_gone(
    killed: str, served: Supervised, ada: Client, witness: BlockingClient
) -> None:
    table = await ada.start_against("agora", "greedy", "greedy")
    played = 0
    async with asyncio.timeout(SECONDS), aclosing(ada.turns(table.id)) as turns:
        async for turn in turns:
            if played == 3:
                served.kill(killed)
            assert await turn.moves[0].play()
            played += 1
    assert played == (await asyncio.to_thread(game_of, witness, table.id, "Ada")).moves > 12


async def test_solo_barcelona_seats_gaudi_once(ada: Client) -> None:
    solo = barcelona_pb2.BarcelonaOptions(solo=barcelona_pb2.BARCELONA_SOLO_EASY)
    table = await ada.start_against("barcelona", "gaudi", options=games_pb2.GameOptions(barcelona=solo))
    assert table.seats[0].player.name == "Ada"
    assert [seat.player.bot for seat in table.seats] == ["", "gaudi"]
    assert table.status == tables_pb2.TABLE_STATUS_PLAYING
    async with asyncio.timeout(SECONDS), aclosing(ada.turns(table.id)) as turns:
        turn = await anext(turns)
        assert (turn.seat, turn.game_id) == (0, "barcelona")
        assert (await turn.view()).WhichOneof("game") == "barcelona"
    await ada.resign(table.id, 0)


async def test_two_find_one_another_and_play_to_the_end(ada: Client, ben: Client, witness: BlockingClient) -> None:
    async with asyncio.timeout(SECONDS):
        one, two = await asyncio.gather(
            ada.find_table("agora", players=(3, 3), bots_after=1, acceptance=True),
            ben.find_table("agora", players=(3, 3), bots_after=1),
        )
        assert one.table_id == two.table_id
        assert one.seat != two.seat
        assert (await ada.table(one.table_id)).seats[one.seat].player.name == "Ada"
        counts = await asyncio.gather(play_first(ada, one.table_id), play_first(ben, one.table_id))
    games = [await asyncio.to_thread(game_of, witness, one.table_id, name) for name in ("Ada", "Ben")]
    assert list(counts) == [game.moves for game in games]


async def test_a_search_that_ends_otherwise_says_so(ada: Client) -> None:
    async with asyncio.timeout(SECONDS):
        search = asyncio.ensure_future(ada.find_table("agora", players=(5, 5)))

        async def ticket_id() -> str:
            try:
                await ada.create_ticket("agora")
            except Refused as refused:
                return refused.metadata["ticket_id"]
            raise AssertionError("two tickets for one player")

        await eventually(lambda: waiting(ada))
        await ada.cancel_ticket(await ticket_id())
        with pytest.raises(NoMatch, match="CANCELLED") as caught:
            await search
    assert caught.value.ticket.status == matchmaking_pb2.TICKET_STATUS_CANCELLED


async def waiting(client: Client) -> bool:
    return any(queue.players == 5 and queue.waiting for queue in await client.queues("agora"))


async def test_turns_come_from_all_tables(ada: Client) -> None:
    opened = {(await ada.start_against("agora", "random", "random")).id for _ in range(3)}
    moved: dict[str, int] = dict.fromkeys(opened, 0)
    async with asyncio.timeout(SECONDS), aclosing(ada.turns()) as turns:
        async for turn in turns:
            if await turn.moves[0].play():
                moved[turn.table_id] += 1
            if min(moved.values()) >= 4:
                break
    assert set(moved) == opened
    for table_id in opened:
        await ada.resign(table_id, 0)


async def test_a_kept_token_makes_one_the_same_player_again(served: Supervised, tmp_path: Path) -> None:
    file = tmp_path / "token"
    async with Client(served.rules) as first, Client(served.rules) as second, Client(served.rules) as third:
        player = await first.sign_in("Ada", keep=file)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert await second.sign_in("Somebody else", keep=str(file)) == player
        file.write_text("no longer good")
        newcomer = await third.sign_in("Newcomer", keep=file)
        assert newcomer.name == "Newcomer"
        assert file.read_text().strip() == third.token != first.token
        assert (await third.me()).id == newcomer.id


async def test_a_bot_account_from_its_making_to_its_end(served: Supervised, ada: Client) -> None:
    made = await ada.create_bot_account("Bishop", request_id="the bishop")
    assert (await ada.create_bot_account("Bishop", request_id="the bishop")).account.player == made.account.player
    account_id = made.account.player.id
    assert made.account.player.kind == players_pb2.PLAYER_KIND_BOT_ACCOUNT
    assert [one.player.id for one in await ada.list_bot_accounts()] == [account_id]
    async with asyncio.timeout(SECONDS), Client(served.rules, token=made.token) as bot:
        with pytest.raises(Refused) as caught:
            await ada.start_against("agora", account_id, "greedy")
        assert caught.value.reason == "BOT_OFFLINE"
        assert (await bot.me()).id == account_id
        moved: Counter[str] = Counter()
        there = asyncio.ensure_future(be_there(bot, moved))

        async def is_online() -> bool:
            return account_id in {one.player.id for one in await ada.outside_bots("agora")}

        await eventually(is_online)
        (shown,) = await ada.list_bot_accounts()
        assert (list(shown.announcement.game_ids), shown.announcement.max_tables) == (["agora"], 2)
        table = await ada.start_against("agora", account_id, "greedy")
        async with aclosing(ada.turns(table.id)) as turns:
            async for turn in turns:
                assert await turn.moves[0].play()
                if moved.total() > 5:
                    break
        renewed = await ada.renew_bot_token(account_id)
        with pytest.raises(Refused) as caught:
            await there
        assert caught.value.reason == "TOKEN_REVOKED"
        bot.token = renewed.token
        assert (await bot.me()).id == account_id
        await ada.delete_bot_account(account_id)
        assert await ada.list_bot_accounts() == []

        async def has_resigned() -> bool:
            return (await ada.table(table.id)).seats[1].resigned.id == account_id

        await eventually(has_resigned, SECONDS)
        await ada.resign(table.id, 0)


async def be_there(bot: Client, moved: Counter[str]) -> None:
    """Play the last legal move at all tables of the account, and count where."""
    async for turn in bot.turns_as_bot("agora", tables=2):
        moved[turn.table_id] += await turn.moves[-1].play()
