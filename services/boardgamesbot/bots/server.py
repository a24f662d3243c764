"""The bots server as a process: `bgb bots`."""

from __future__ import annotations

import asyncio

from boardgamesbot.bots.app import make_app
from boardgamesbot.bots.asking import Asking, Limits
from boardgamesbot.bots.choosing import Choices
from boardgamesbot.bots.service import BotService
from boardgamesbot.client.channel import open_channel
from boardgamesbot.runtime import logs, monitor
from boardgamesbot.runtime.accounts import AccountTokens, account_store
from boardgamesbot.runtime.keys import ServerTokens
from boardgamesbot.runtime.server import Server
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.runtime.tls import client_tls
from boardgamesbot.runtime.watching_redis import watch
from boardgamesbot.store.answers import Answers
from boardgamesbot.store.client import MOST_WAITING, connect
from boardgamesbot.store.clock import StoreClock
from boardgamesbot.store.quotas import Quotas
from boardgamesbot.v1 import bots_pb2, bots_pb2_grpc

log = logs.logger(__name__)

SERVICES = (bots_pb2.DESCRIPTOR.services_by_name["BotService"].full_name,)


async def serve(settings: Settings, stop: asyncio.Event) -> None:
    """Serve until `stop` is set. Raises CannotListen."""
    redis, waiting = watch(connect(settings.redis_url)), connect(settings.redis_url, MOST_WAITING)
    keys = await ServerTokens.of(settings, redis)
    tokens = keys.tokens
    app = make_app(settings)
    choices = Choices(app, Answers(redis, waiting), StoreClock(redis), settings.bot_turn_seconds)
    quotas = Quotas(redis, settings.quota_seconds, settings.quota_refill)
    accounts = account_store(redis, settings)
    server = Server(settings, tokens, AccountTokens(accounts))
    try:
        async with open_channel(settings.rules_address, client_tls(settings)) as rules:
            service = BotService(tokens, rules, Asking(choices, quotas, Limits.of(settings)), accounts)
            bots_pb2_grpc.add_BotServiceServicer_to_server(service, server.services)
            port = await server.start(settings.bots_listen, SERVICES)
            log.info("ready", listen=settings.bots_listen, port=port)
            monitor.ready()
            await stop.wait()
            await server.stop()
    finally:
        await keys.aclose()
        app.close()
        await waiting.aclose()
        await redis.aclose()
    log.info("stopped")
