"""The matchmaking server as a process, with a matcher and a rater in it: `bgb matchmaking`."""

from __future__ import annotations

import asyncio

import grpc

from boardgamesbot.client.channel import OPTIONS
from boardgamesbot.matchmaking.matcher import Matcher
from boardgamesbot.matchmaking.rater import rate
from boardgamesbot.matchmaking.ratings import rating_store
from boardgamesbot.matchmaking.service import MatchmakingService
from boardgamesbot.runtime import logs
from boardgamesbot.runtime.accounts import AccountTokens, account_store
from boardgamesbot.runtime.keys import token_key
from boardgamesbot.runtime.server import Server
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.runtime.tokens import Tokens
from boardgamesbot.store.client import connect
from boardgamesbot.store.tickets import TicketStore
from boardgamesbot.store.wakeups import Wakeups
from boardgamesbot.v1 import matchmaking_pb2, matchmaking_pb2_grpc

log = logs.logger(__name__)

SERVICES = (matchmaking_pb2.DESCRIPTOR.services_by_name["MatchmakingService"].full_name,)


async def serve(settings: Settings, stop: asyncio.Event) -> None:
    """Serve until `stop` is set. Raises CannotListen."""
    redis = connect(settings.redis_url)
    key = await token_key(settings, redis)
    tokens = Tokens(key, settings.token_days * 86_400)
    tickets = TicketStore(
        redis, ttl_ms=int(settings.ticket_seconds * 1000), accept_ms=int(settings.accept_seconds * 1000)
    )
    wakeups = Wakeups(redis)
    accounts = account_store(redis, settings)
    server = Server(settings, tokens, AccountTokens(accounts))
    try:
        async with grpc.aio.insecure_channel(settings.rules_address, options=OPTIONS) as rules:
            service = MatchmakingService(tickets, rating_store(redis, settings), wakeups, accounts, settings, key)
            matchmaking_pb2_grpc.add_MatchmakingServiceServicer_to_server(service, server.grpc)
            port = await server.start(settings.matchmaking_listen, SERVICES)
            log.info("ready", listen=settings.matchmaking_listen, port=port)
            matcher = Matcher(tickets, wakeups, rules, tokens, accounts, settings.match_move_seconds)
            await asyncio.gather(matcher.run(stop), rate(settings, redis, stop))
            await server.stop()
    finally:
        await wakeups.close()
        await redis.aclose()
    log.info("stopped")
