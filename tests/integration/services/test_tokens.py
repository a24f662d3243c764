"""Tokens at the servers: what they are good for, and keys that change while people play."""

from __future__ import annotations

import asyncio

import grpc
import pytest
from click.testing import CliRunner, Result
from redis.asyncio import Redis

from boardgamesbot.cli import main
from boardgamesbot.client import Client, Refused, new_request_id
from boardgamesbot.runtime import admission, keys
from boardgamesbot.runtime.tokens import Tokens, new_guest
from boardgamesbot.store.secrets import MOST_KEYS, SharedKeys, Unfit, shared_id_secret
from boardgamesbot.v1 import players_pb2, players_pb2_grpc, tables_pb2
from boardgamesbot.v1.players_pb2 import TOKEN_SCOPE_MANAGE, TOKEN_SCOPE_PLAY, TOKEN_SCOPE_WATCH
from tests.support.bots import TOKEN_KEY
from tests.support.platform import rules_server
from tests.support.play import seated

SECONDS = 20.0


async def guest(address: str, *scopes: players_pb2.TokenScope.ValueType) -> str:
    """A token that is good for this."""
    async with grpc.aio.insecure_channel(address) as channel:
        request = players_pb2.CreateGuestRequest(name="Ada", scopes=scopes)
        return str((await players_pb2_grpc.PlayerServiceStub(channel).CreateGuest(request)).token)


async def test_a_token_for_watching_sees_everything_and_moves_nothing(rules: str) -> None:
    async with seated(rules) as party, Client(rules, token=await guest(rules, TOKEN_SCOPE_WATCH)) as watcher:
        await watcher.me()
        view = await watcher.view(party.table_id)
        assert view.table.id == party.table_id
        attempts = {
            "sit": watcher.take_seat(party.table_id),
            "open": watcher.create_table("agora", 3),
            "begin": watcher.start(party.table_id),
            "own a bot": watcher.create_bot_account("Mine"),
        }
        for what, attempt in attempts.items():
            with pytest.raises(Refused) as caught:
                await attempt
            assert (caught.value.code.name, caught.value.reason) == ("PERMISSION_DENIED", "SCOPE_MISSING"), what
        assert caught.value.metadata["scope"] == "manage"


async def test_a_token_for_playing_gives_away_no_bot_and_one_for_bots_plays_nothing(rules: str) -> None:
    async with Client(rules, token=await guest(rules, TOKEN_SCOPE_PLAY)) as player:
        await player.create_table("agora", 3)
        with pytest.raises(Refused, match="lacks manage"):
            await player.create_bot_account("Mine")
    async with Client(rules, token=await guest(rules, TOKEN_SCOPE_MANAGE)) as manager:
        await manager.create_bot_account("Mine")
        with pytest.raises(Refused, match="lacks play"):
            await manager.create_table("agora", 3)


async def test_a_token_says_what_it_is_good_for_and_nonsense_is_refused(rules: str) -> None:
    async with grpc.aio.insecure_channel(rules) as channel:
        stub = players_pb2_grpc.PlayerServiceStub(channel)
        token = await guest(rules, TOKEN_SCOPE_PLAY)
        me = await stub.GetMe(players_pb2.GetMeRequest(), metadata=(("authorization", f"Bearer {token}"),))
        assert set(me.scopes) == {TOKEN_SCOPE_WATCH, TOKEN_SCOPE_PLAY}
    for nonsense in (0, 99):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await guest(rules, nonsense)  # type: ignore[arg-type]
        assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT
        assert "scopes[0]" in (caught.value.details() or "")


async def test_the_operators_keys_are_changed_one_replica_after_the_other(redis: Redis, redis_url: str) -> None:
    old, new = f"old:{'o' * 32}", f"new:{'n' * 32}"
    async with rules_server(redis_url, token_key=TOKEN_KEY) as before:
        token = await guest(before)
    async with (
        rules_server(redis_url, token_keys=old, token_key=TOKEN_KEY) as first,
        rules_server(redis_url, token_keys=f"{new},{old}", token_key=TOKEN_KEY) as second,
        rules_server(redis_url, token_keys=f"{old},{new}") as third,
    ):
        by_old, by_new = await guest(first), await guest(second)
        for address, good in ((first, (token, by_old)), (second, (token, by_old, by_new)), (third, (by_old, by_new))):
            for one in good:
                async with Client(address, token=one) as client:
                    assert (await client.me()).name == "Ada"
        async with Client(third, token=token) as client:
            with pytest.raises(Refused, match="not one of this server's"):
                await client.me()


async def test_a_key_in_the_store_is_rotated_and_dropped_under_running_servers(
    redis: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody sees an error before the drop; then whoever the dropped key has signed is out, streams too."""
    monkeypatch.setattr(keys, "REFRESH_SECONDS", 0.05)
    monkeypatch.setattr(admission, "KEY_CHECK_SECONDS", 0.1)
    store = SharedKeys(redis)
    async with rules_server(redis_url) as one, rules_server(redis_url) as other, Client(one) as ada:
        await ada.sign_in("Ada")
        again = new_request_id()
        made = await table_by(ada, again)
        watching = asyncio.ensure_future(anext(ada.turns()))
        await store.rotate(lead_ms=500, longest_token_ms=10**10)
        signing = ""
        async with asyncio.timeout(SECONDS):
            while signing != "2":
                async with Client(other) as ben:
                    await ben.sign_in("Ben")
                    async with Client(one, token=ben.token) as same:
                        assert (await same.me()).name == "Ben", "a key signed before every server believed it"
                (await ada.me())
                signing = (await store.load())[0].id
                await asyncio.sleep(0.05)
        assert await table_by(ada, again) == made, "a request sent again after the rotation made something new"
        assert not watching.done()
        await store.drop("1")
        with pytest.raises(Refused) as caught:
            async with asyncio.timeout(SECONDS):
                await watching
        assert caught.value.reason == "TOKEN_INVALID"
        with pytest.raises(Refused, match="not one of this server's"):
            await ada.me()
        async with asyncio.timeout(SECONDS):
            async with Client(other) as eve:
                await eve.sign_in("Eve")
                assert (await eve.me()).name == "Eve"


async def table_by(client: Client, request_id: str) -> str:
    request = tables_pb2.CreateTableRequest(
        game_id="agora", players=3, request_id=request_id, visibility=tables_pb2.TABLE_VISIBILITY_PUBLIC
    )
    return str((await client._call(client._tables.CreateTable, request)).table.id)


async def test_the_key_of_before_goes_on(redis: Redis, redis_url: str) -> None:
    """A store of an older version has one key, which signed tokens that name none."""
    secret = bytes(range(32))
    await redis.set("auth:key", secret)
    token = Tokens(secret, 60).issue(new_guest("Ada"))
    async with rules_server(redis_url) as address, Client(address, token=token) as client:
        assert (await client.me()).name == "Ada"


async def test_keys_whose_last_token_has_expired_are_forgotten_and_there_are_never_many(redis: Redis) -> None:
    store = SharedKeys(redis)
    first = (await asyncio.gather(*(store.load() for _ in range(10))))[0]
    assert [key.id for key in first] == ["1"]
    for _ in range(3):
        await store.rotate(0, longest_token_ms=10**10)
    assert [key.id for key in await store.load()] == ["4", "3", "2", "1"]
    with pytest.raises(Unfit, match="signs now"):
        await store.drop("4")
    with pytest.raises(KeyError):
        await store.drop("9")
    await asyncio.sleep(0.01)
    await store.rotate(0, longest_token_ms=1)
    assert [key.id for key in await store.load()] == ["5", "4"]
    for _ in range(MOST_KEYS - 2):
        await store.rotate(0, longest_token_ms=10**10)
    with pytest.raises(Unfit, match="drop one first"):
        await store.rotate(0, longest_token_ms=10**10)


def test_the_operators_command_shows_ids_and_ages_and_no_key(redis: Redis, redis_url: str) -> None:
    def bgb(*words: str, **environment: str) -> Result:
        return CliRunner(env={"BGB_REDIS_URL": redis_url, **environment}).invoke(main, ["keys", *words])

    assert "signing" in bgb().output
    assert bgb("rotate").exit_code == 0
    shown = bgb().output
    assert "signing in" in shown
    refused = bgb("drop", "1", "--yes")
    assert refused.exit_code == 1
    assert "signs now" in refused.output
    assert bgb("drop", "2", "--yes").exit_code == 0
    assert "there is no key '2'" in bgb("drop", "2", "--yes").output
    fixed = bgb("rotate", BGB_TOKEN_KEY="k" * 32)
    assert fixed.exit_code == 1
    assert "BGB_TOKEN_KEYS" in fixed.output

    async def secrets() -> list[bytes]:
        client = Redis.from_url(redis_url)
        try:
            return [await shared_id_secret(client), *(key.secret for key in await SharedKeys(client).load())]
        finally:
            await client.aclose()

    for secret in asyncio.run(secrets()):
        assert secret.hex() not in shown
        assert repr(secret)[2:-1] not in shown
