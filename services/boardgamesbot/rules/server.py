"""The rules server as a process: `bgb rules`."""

from __future__ import annotations

import asyncio

from boardgamesbot.rules.bot_accounts import BotAccounts
from boardgamesbot.rules.feed import Feeds
from boardgamesbot.rules.opening import table_store, tables_in
from boardgamesbot.rules.player_service import PlayerService
from boardgamesbot.rules.rules_service import RulesService
from boardgamesbot.rules.table_service import TableService
from boardgamesbot.runtime import logs, monitor
from boardgamesbot.runtime.accounts import AccountTokens, account_store
from boardgamesbot.runtime.keys import ServerTokens
from boardgamesbot.runtime.server import Server
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.runtime.watching_redis import watch
from boardgamesbot.store.client import connect
from boardgamesbot.store.secrets import shared_id_secret
from boardgamesbot.store.wakeups import Wakeups
from boardgamesbot.v1 import players_pb2, players_pb2_grpc, rules_pb2, rules_pb2_grpc, tables_pb2, tables_pb2_grpc

log = logs.logger(__name__)

OPEN_METHODS = ("/boardgamesbot.v1.RulesService/", "/boardgamesbot.v1.PlayerService/CreateGuest")
SERVICES = (
    rules_pb2.DESCRIPTOR.services_by_name["RulesService"].full_name,
    tables_pb2.DESCRIPTOR.services_by_name["TableService"].full_name,
    players_pb2.DESCRIPTOR.services_by_name["PlayerService"].full_name,
)


async def serve(settings: Settings, stop: asyncio.Event) -> None:
    """Serve until `stop` is set. Raises CannotListen."""
    redis = watch(connect(settings.redis_url))
    keys, secret = await ServerTokens.of(settings, redis), await shared_id_secret(redis)
    tokens = keys.tokens
    store = table_store(redis, settings)
    wakeups = Wakeups(redis)
    tables = tables_in(store, redis, settings, secret)
    accounts = account_store(redis, settings)
    server = Server(settings, tokens, AccountTokens(accounts), OPEN_METHODS)
    rules_pb2_grpc.add_RulesServiceServicer_to_server(RulesService(), server.services)
    tables_pb2_grpc.add_TableServiceServicer_to_server(
        TableService(tables, Feeds(store, wakeups, tables.live)), server.services
    )
    bot_accounts = BotAccounts(accounts, tokens, tables, settings, secret)
    players_pb2_grpc.add_PlayerServiceServicer_to_server(
        PlayerService(tokens, tables, wakeups, bot_accounts), server.services
    )
    port = await server.start(settings.rules_listen, SERVICES)
    log.info("ready", listen=settings.rules_listen, port=port)
    monitor.ready()
    try:
        await stop.wait()
    finally:
        await server.stop()
        await keys.aclose()
        await wakeups.close()
        await redis.aclose()
    log.info("stopped")
