"""Where moves must be on replicas before they count, nobody is told of one that is not."""

from __future__ import annotations

from collections.abc import Awaitable

import grpc
from redis.asyncio import Redis

from boardgamesbot.client import Client
from boardgamesbot.client.errors import refusal_of
from boardgamesbot.store.tables import TableStore
from boardgamesbot.v1 import tables_pb2, tables_pb2_grpc
from tests.support.bots import TOKEN_KEY
from tests.support.platform import rules_server


async def test_what_no_replica_has_is_neither_accepted_nor_shown(redis: Redis, redis_url: str) -> None:
    careful = rules_server(redis_url, token_key=TOKEN_KEY, commit_replicas=1, commit_replicas_ms=1)
    async with careful as address, Client(address) as client:
        await client.sign_in()
        metadata = (("authorization", f"Bearer {client.token}"),)
        async with grpc.aio.insecure_channel(address, options=[("grpc.enable_retries", 0)]) as channel:
            tables = tables_pb2_grpc.TableServiceStub(channel)

            async def refused(call: Awaitable[object]) -> bool:
                try:
                    await call
                except grpc.aio.AioRpcError as error:
                    refusal = refusal_of(error)
                    assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAVAILABLE, "NOT_REPLICATED")
                    return bool(refusal.retry_after)
                return False

            create = tables_pb2.CreateTableRequest(game_id="agora", players=3, request_id="r")
            assert await refused(tables.CreateTable(create, metadata=metadata))
            # It stands, though, and the same request finds out that still no replica has it.
            (made,) = (await TableStore(redis).list(["open"], 10))[0]
            assert await refused(tables.CreateTable(create, metadata=metadata))
            assert len((await TableStore(redis).list(["open"], 10))[0]) == 1
            look = tables_pb2.GetTableRequest(table_id=made.table_id)
            assert await refused(tables.GetTable(look, metadata=metadata))
