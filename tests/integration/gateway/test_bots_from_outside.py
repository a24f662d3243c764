"""Bots from outside, from their making to their end, with nothing but HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx
import pytest

from boardgamesbot.runtime import accounts
from tests.integration.gateway.conftest import client_of
from tests.integration.gateway.wire import PLAYERS, TABLES, call, debug_of, guest
from tests.support.bots import TOKEN_KEY
from tests.support.platform import bots_server, gateway_server, matchmaking_server
from tests.support.waiting import eventually

BOTS = "/boardgamesbot.v1.BotService"
TICKETS = "/boardgamesbot.v1.MatchmakingService"
SECONDS = 15


@pytest.fixture
async def everything(rules: str, redis_url: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a gateway before all three servers."""
    async with (
        bots_server(redis_url, rules, token_key=TOKEN_KEY) as bots,
        matchmaking_server(redis_url, rules, token_key=TOKEN_KEY) as matchmaking,
        gateway_server(rules_address=rules, bots_address=bots, matchmaking_address=matchmaking) as address,
        client_of(address) as client,
    ):
        yield client


async def done(client: httpx.AsyncClient, path: str, message: dict[str, Any], token: str) -> Any:
    """The answer to a call that must not be refused."""
    answer = await call(client, path, message, token)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def reason(client: httpx.AsyncClient, path: str, message: dict[str, Any], token: str) -> str:
    """Why a call is refused."""
    answer = await call(client, path, message, token)
    assert answer.status_code != 200, answer.text
    found: str = debug_of(answer.json(), "ErrorInfo")["reason"]
    return found


async def account(client: httpx.AsyncClient, owner: str, name: str = "Rook") -> tuple[str, str]:
    """A new account: its id and its token."""
    made = await done(client, f"{PLAYERS}/CreateBotAccount", {"name": name, "requestId": name}, owner)
    return made["account"]["player"]["id"], made["token"]


@asynccontextmanager
async def online(
    client: httpx.AsyncClient, token: str, games: tuple[str, ...] = ("agora",), tables: int = 1
) -> AsyncIterator[AsyncGenerator[dict[str, Any], None]]:
    """A bot that watches its turns, and gives them."""
    message = {"announcement": {"gameIds": games, "maxTables": tables}}
    headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}

    async def turns(stream: httpx.Response) -> AsyncGenerator[dict[str, Any], None]:
        async for line in stream.aiter_lines():
            if line:
                yield json.loads(line)

    async with client.stream("POST", f"{PLAYERS}/WatchMe", content=json.dumps(message), headers=headers) as stream:
        yield turns(stream)


async def listed(client: httpx.AsyncClient, token: str, game: str = "agora") -> list[str]:
    """The names of the bots from outside that can be seated."""
    found = await done(client, f"{BOTS}/ListBots", {"gameId": game}, token)
    return [one["player"]["name"] for one in found.get("accounts", [])]


async def until_listed(client: httpx.AsyncClient, token: str, names: list[str]) -> None:
    async def probe() -> bool:
        return await listed(client, token) == names

    await eventually(probe)


async def table(client: httpx.AsyncClient, token: str, name: str = "t") -> str:
    """A table for three with its host in the first seat."""
    made = await done(client, f"{TABLES}/CreateTable", {"gameId": "agora", "players": 3, "requestId": name}, token)
    table_id: str = made["table"]["id"]
    await done(client, f"{TABLES}/TakeSeat", {"tableId": table_id}, token)
    return table_id


async def test_a_bot_is_made_invited_and_plays(everything: httpx.AsyncClient) -> None:
    client = everything
    host, friend = await guest(client, "Host"), await guest(client, "Friend")
    me = (await done(client, f"{PLAYERS}/GetMe", {}, host))["player"]["id"]
    bot, token = await account(client, host)
    assert (await account(client, host))[0] == bot, "the same request, the same account"
    player = (await done(client, f"{PLAYERS}/GetMe", {}, token))["player"]
    assert player == {"id": bot, "name": "Rook", "kind": "PLAYER_KIND_BOT_ACCOUNT", "owner": me}
    table_id = await table(client, friend)
    seat = {"tableId": table_id, "bot": bot, "requestId": "s"}
    assert await reason(client, f"{BOTS}/SeatBot", seat, friend) == "BOT_OFFLINE"
    async with asyncio.timeout(SECONDS), online(client, token) as turns:
        await until_listed(client, friend, ["Rook"])
        assert await listed(client, friend, "barcelona") == []
        assert await reason(client, f"{BOTS}/SeatBot", seat, host) == "NOT_HOST"
        seated = await done(client, f"{BOTS}/SeatBot", seat, friend)
        assert seated["seat"] == 1
        assert seated["table"]["seats"][1]["player"] == player
        assert (await done(client, f"{BOTS}/SeatBot", seat, friend))["table"]["version"] == seated["table"]["version"]
        await until_listed(client, friend, [])
        other = {**seat, "tableId": await table(client, host, "other")}
        assert await reason(client, f"{BOTS}/SeatBot", other, host) == "BOT_BUSY"
        await done(client, f"{TABLES}/TakeSeat", {"tableId": table_id}, host)
        await done(client, f"{TABLES}/StartTable", {"tableId": table_id}, friend)
        people = {0: friend, 2: host}
        turn = asyncio.ensure_future(anext(turns))
        for _ in range(40):
            if turn.done():
                break
            now = await done(client, f"{TABLES}/GetView", {"tableId": table_id}, friend)
            actor = now["summary"].get("actor", 0)
            if actor in people:
                await play(client, table_id, actor, people[actor])
            else:
                await asyncio.wait((turn,))
        assert (await turn)["result"]["tableId"] == table_id
        await play(client, table_id, 1, token)
    await until_listed(client, friend, [])


async def play(client: httpx.AsyncClient, table_id: str, seat: int, token: str) -> None:
    """Play the first legal move."""
    legal = await done(client, f"{TABLES}/ListLegalMoves", {"tableId": table_id}, token)
    version = legal["version"]
    submit = {"tableId": table_id, "seat": seat, "version": version, "requestId": version}
    await done(client, f"{TABLES}/SubmitMove", {**submit, "move": legal["moves"][0]["move"]}, token)


async def test_a_bot_may_do_what_a_bot_does_and_no_more(everything: httpx.AsyncClient) -> None:
    owner = await guest(everything, "Owner")
    _, token = await account(everything, owner)
    new = {"gameId": "agora", "players": 3, "requestId": "x"}
    assert await reason(everything, f"{TABLES}/CreateTable", new, token) == "PEOPLE_ONLY"
    wish = {"gameId": "agora", "requestId": "x"}
    assert await reason(everything, f"{TICKETS}/CreateTicket", wish, token) == "PEOPLE_ONLY"
    another = {"name": "B", "requestId": "x"}
    assert await reason(everything, f"{PLAYERS}/CreateBotAccount", another, token) == "PEOPLE_ONLY"
    table_id = await table(everything, owner)
    seat = {"tableId": table_id, "bot": "greedy"}
    assert await reason(everything, f"{BOTS}/SeatBot", seat, token) == "PEOPLE_ONLY"
    announced = {"announcement": {"gameIds": ["agora"]}}
    assert await reason(everything, f"{PLAYERS}/WatchMe", announced, owner) == "INVALID_FIELD"
    wrong: dict[str, Any]
    for wrong in ({"gameIds": []}, {"gameIds": ["chess"]}, {"gameIds": ["agora"], "maxTables": 1001}):
        assert await reason(everything, f"{PLAYERS}/WatchMe", {"announcement": wrong}, token) == "INVALID_FIELD"
    await done(everything, f"{TABLES}/TakeSeat", {"tableId": table_id}, token)
    left = await done(everything, f"{TABLES}/LeaveSeat", {"tableId": table_id}, owner)
    assert left["table"]["status"] == "TABLE_STATUS_CLOSED", "a bot from outside is not left alone as the host"


async def test_a_token_is_worth_nothing_once_another_is_made(
    everything: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "CHECK_SECONDS", 0.05)
    monkeypatch.setattr("boardgamesbot.runtime.admission.CHECK_SECONDS", 0.05)
    owner, stranger = await guest(everything, "Owner"), await guest(everything, "Stranger")
    bot, token = await account(everything, owner)
    for method in ("RenewBotToken", "DeleteBotAccount"):
        assert await reason(everything, f"{PLAYERS}/{method}", {"accountId": bot}, stranger) == "ACCOUNT_NOT_FOUND"
    async with asyncio.timeout(SECONDS), online(everything, token) as turns:
        await until_listed(everything, owner, ["Rook"])
        renewed = await done(everything, f"{PLAYERS}/RenewBotToken", {"accountId": bot}, owner)
        assert debug_of((await anext(turns))["error"], "ErrorInfo")["reason"] == "TOKEN_REVOKED"
    assert await reason(everything, f"{PLAYERS}/GetMe", {}, token) == "TOKEN_REVOKED"
    assert (await done(everything, f"{PLAYERS}/GetMe", {}, renewed["token"]))["player"]["id"] == bot
    owned = await done(everything, f"{PLAYERS}/ListBotAccounts", {}, owner)
    assert [one["player"]["id"] for one in owned["accounts"]] == [bot]
    assert await done(everything, f"{PLAYERS}/ListBotAccounts", {}, stranger) == {}


async def test_an_account_that_ends_resigns_its_games(
    everything: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "CHECK_SECONDS", 0.0)
    owner, friend = await guest(everything, "Owner"), await guest(everything, "Friend")
    bot, token = await account(everything, owner)
    async with asyncio.timeout(SECONDS), online(everything, token, tables=2):
        await until_listed(everything, owner, ["Rook"])
        playing, waiting = await table(everything, owner, "1"), await table(everything, owner, "2")
        for table_id in (playing, waiting):
            await done(everything, f"{BOTS}/SeatBot", {"tableId": table_id, "bot": bot}, owner)
        await done(everything, f"{TABLES}/TakeSeat", {"tableId": playing}, friend)
        await done(everything, f"{TABLES}/StartTable", {"tableId": playing}, owner)
        await done(everything, f"{PLAYERS}/DeleteBotAccount", {"accountId": bot}, owner)
    seats = (await done(everything, f"{TABLES}/GetTable", {"tableId": playing}, owner))["table"]["seats"]
    assert (seats[1]["resigned"]["id"], seats[1]["player"]["kind"]) == (bot, "PLAYER_KIND_BOT")
    seats = (await done(everything, f"{TABLES}/GetTable", {"tableId": waiting}, owner))["table"]["seats"]
    assert "player" not in seats[1]
    assert await reason(everything, f"{PLAYERS}/GetMe", {}, token) == "TOKEN_REVOKED"
    assert await reason(everything, f"{PLAYERS}/RenewBotToken", {"accountId": bot}, owner) == "ACCOUNT_NOT_FOUND"


async def test_the_matchmaker_seats_a_bot_from_outside_once_and_others_beside_it(
    everything: httpx.AsyncClient,
) -> None:
    owner, person = await guest(everything, "Owner"), await guest(everything, "Person")
    bot, token = await account(everything, owner)
    wish = {
        "gameId": "agora", "minPlayers": 3, "maxPlayers": 3, "requestId": "w",
        "bots": {"after": "0s", "bot": bot},
    }  # fmt: skip
    assert await reason(everything, f"{TICKETS}/CreateTicket", wish, person) == "INVALID_FIELD"
    async with AsyncExitStack() as stack, asyncio.timeout(SECONDS):
        await stack.enter_async_context(online(everything, token))
        await until_listed(everything, person, ["Rook"])
        ticket = (await done(everything, f"{TICKETS}/CreateTicket", wish, person))["ticket"]["id"]
        watching = {"content-type": "application/json", "authorization": f"Bearer {person}"}
        body = json.dumps({"ticketId": ticket})
        stream = await stack.enter_async_context(
            everything.stream("POST", f"{TICKETS}/WatchTicket", content=body, headers=watching)
        )
        last = [json.loads(line)["result"]["ticket"] async for line in stream.aiter_lines() if line][-1]
        assert last["status"] == "TICKET_STATUS_MATCHED"
        found = await done(everything, f"{TABLES}/GetTable", {"tableId": last["match"]["tableId"]}, person)
        kinds = sorted(seat["player"]["kind"] for seat in found["table"]["seats"])
        assert kinds == ["PLAYER_KIND_BOT", "PLAYER_KIND_BOT_ACCOUNT", "PLAYER_KIND_GUEST"]
        await until_listed(everything, person, [])


async def test_one_may_own_so_many(everything: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardgamesbot.store.accounts.MOST_OWNED", 2)
    owner = await guest(everything, "Owner")
    first, _ = await account(everything, owner, "A")
    await account(everything, owner, "B")
    assert (await account(everything, owner, "A"))[0] == first
    new = {"name": "C", "requestId": "C"}
    assert await reason(everything, f"{PLAYERS}/CreateBotAccount", new, owner) == "TOO_MANY_ACCOUNTS"
    await done(everything, f"{PLAYERS}/DeleteBotAccount", {"accountId": first}, owner)
    await done(everything, f"{PLAYERS}/CreateBotAccount", new, owner)
    nameless = {"name": " ", "requestId": "D"}
    assert await reason(everything, f"{PLAYERS}/CreateBotAccount", nameless, owner) == "INVALID_FIELD"
