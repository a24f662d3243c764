"""PlayerService: guests with signed tokens, and where it is their turn."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING

from boardgamesbot.runtime import errors, scopes
from boardgamesbot.runtime.interceptor import caller
from boardgamesbot.runtime.names import clean_name
from boardgamesbot.runtime.tokens import new_guest
from boardgamesbot.store.keys import player_channel
from boardgamesbot.v1 import players_pb2 as pb
from boardgamesbot.v1 import players_pb2_grpc

if TYPE_CHECKING:
    from boardgamesbot.rules.bot_accounts import BotAccounts
    from boardgamesbot.rules.tables import Tables
    from boardgamesbot.runtime.interceptor import Context
    from boardgamesbot.runtime.tokens import Tokens
    from boardgamesbot.store.wakeups import Wakeups

CHECK_SECONDS = 10.0


class PlayerService(players_pb2_grpc.PlayerServiceServicer):
    """Signs people and programs in."""

    def __init__(self, tokens: Tokens, tables: Tables, wakeups: Wakeups, accounts: BotAccounts) -> None:
        self._tokens = tokens
        self._accounts = accounts
        self._tables = tables
        self._wakeups = wakeups

    async def CreateGuest(self, request: pb.CreateGuestRequest, context: Context) -> pb.CreateGuestResponse:
        wanted = _scopes(request.scopes)
        player = new_guest(clean_name(request.name) or f"Guest {secrets.randbelow(9000) + 1000}")
        return pb.CreateGuestResponse(
            player=player, token=self._tokens.issue(player, wanted), expires_in=self._tokens.lifetime_seconds
        )

    async def GetMe(self, request: pb.GetMeRequest, context: Context) -> pb.GetMeResponse:
        return pb.GetMeResponse(player=caller().player, scopes=sorted(caller().scopes))

    async def WatchMe(self, request: pb.WatchMeRequest, context: Context) -> AsyncIterator[pb.WatchMeResponse]:
        player = caller().player
        told: dict[str, int] = {}
        async with (
            self._accounts.online(player, request) as presence,
            self._wakeups.subscribe(player_channel(player.id)) as wakeup,
        ):
            while True:
                await presence.confirm()
                turns = await self._tables.turns(player)
                for live, seat in turns:
                    if told.get(live.id) != live.version:
                        yield pb.WatchMeResponse(
                            table_id=live.id, version=live.version, seat=seat, game_id=live.table.game_id
                        )
                told = {live.id: live.version for live, _ in turns}
                await wakeup.wait(CHECK_SECONDS)

    async def CreateBotAccount(
        self, request: pb.CreateBotAccountRequest, context: Context
    ) -> pb.CreateBotAccountResponse:
        return await self._accounts.create(caller().player, request)

    async def ListBotAccounts(self, request: pb.ListBotAccountsRequest, context: Context) -> pb.ListBotAccountsResponse:
        return await self._accounts.owned(caller().player)

    async def RenewBotToken(self, request: pb.RenewBotTokenRequest, context: Context) -> pb.RenewBotTokenResponse:
        return await self._accounts.renew(caller().player, request.account_id)

    async def DeleteBotAccount(
        self, request: pb.DeleteBotAccountRequest, context: Context
    ) -> pb.DeleteBotAccountResponse:
        await self._accounts.delete(caller().player, request.account_id)
        return pb.DeleteBotAccountResponse()


def _scopes(wanted: Sequence[pb.TokenScope.ValueType]) -> set[pb.TokenScope.ValueType]:
    """The scopes asked for. Raises ApiError."""
    for at, scope in enumerate(wanted):
        if scope not in scopes.NAMES:
            raise errors.invalid_field(f"scopes[{at}]", f"{scope} is not one of its values")
    return set(wanted)
