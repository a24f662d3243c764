"""The matchmaking server as a process, with a matcher and a rater in it: `bgb matchmaking`."""

from __future__ import annotations

import asyncio

from boardgamesbot.client.channel import open_channel
from boardgamesbot.matchmaking.counting import count_for_ever
from boardgamesbot.matchmaking.matcher import Matcher
from boardgamesbot.matchmaking.rater import rate
from boardgamesbot.matchmaking.ratings import rating_store
from boardgamesbot.matchmaking.service import MatchmakingService
from boardgamesbot.runtime import logs, monitor
from boardgamesbot.runtime.accounts import AccountTokens, account_store
from boardgamesbot.runtime.keys import ServerTokens
from boardgamesbot.runtime.server import Server
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.runtime.tls import client_tls
from boardgamesbot.runtime.watching_redis import watch
from boardgamesbot.store.client import connect
from boardgamesbot.store.secrets import shared_id_secret
from boardgamesbot.store.tasks import ended
from boardgamesbot.store.tickets import TicketStore
from boardgamesbot.store.wakeups import Wakeups
from boardgamesbot.v1 import matchmaking_pb2, matchmaking_pb2_grpc

log = logs.logger(__name__)

SERVICES = (matchmaking_pb2.DESCRIPTOR.services_by_name["MatchmakingService"].full_name,)


async def serve(settings: Settings, stop: asyncio.Event) -> None:
    """Serve until `stop` is set. Raises CannotListen."""
    redis = watch(connect(settings.redis_url))
    keys, secret = await ServerTokens.of(settings, redis), await shared_id_secret(redis)
    tokens = keys.tokens
    tickets = TicketStore(
        redis, ttl_ms=int(settings.ticket_seconds * 1000), accept_ms=int(settings.accept_seconds * 1000)
    )
    wakeups = Wakeups(redis)
    accounts = account_store(redis, settings)
    server = Server(settings, tokens, AccountTokens(accounts))
    try:
        async with open_channel(settings.rules_address, client_tls(settings)) as rules:
            service = MatchmakingService(tickets, rating_store(redis, settings), wakeups, accounts, settings, secret)
            matchmaking_pb2_grpc.add_MatchmakingServiceServicer_to_server(service, server.services)
            port = await server.start(settings.matchmaking_listen, SERVICES)
            log.info("ready", listen=settings.matchmaking_listen, port=port)
            monitor.ready()
            matcher = Matcher(tickets, wakeups, rules, tokens, accounts, settings.match_move_seconds)
            counts = asyncio.create_task(count_for_ever(tickets, redis, settings))
            await asyncio.gather(matcher.run(stop), rate(settings, redis, stop))
            await ended(counts)
            await server.stop()
    finally:
        await keys.aclose()
        await wakeups.close()
        await redis.aclose()
    log.info("stopped")
