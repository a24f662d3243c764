"""PlayerService: guests with signed tokens, and where it is their turn."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from boardgamesbot.runtime import errors
from boardgamesbot.runtime.interceptor import caller
from boardgamesbot.runtime.tokens import new_guest
from boardgamesbot.store.keys import player_channel
from boardgamesbot.v1 import players_pb2 as pb
from boardgamesbot.v1 import players_pb2_grpc

if TYPE_CHECKING:
    from boardgamesbot.rules.tables import Tables
    from boardgamesbot.runtime.interceptor import Context
    from boardgamesbot.runtime.tokens import Tokens
    from boardgamesbot.store.wakeups import Wakeups

NAME_LENGTH = 32
CHECK_SECONDS = 10.0


class PlayerService(players_pb2_grpc.PlayerServiceServicer):
    """Signs people and programs in."""

    def __init__(self, tokens: Tokens, tables: Tables, wakeups: Wakeups) -> None:
        self._tokens = tokens
        self._tables = tables
        self._wakeups = wakeups

    async def CreateGuest(self, request: pb.CreateGuestRequest, context: Context) -> pb.CreateGuestResponse:
        player = new_guest(clean_name(request.name) or f"Guest {secrets.randbelow(9000) + 1000}")
        return pb.CreateGuestResponse(
            player=player, token=self._tokens.issue(player), expires_in=self._tokens.lifetime_seconds
        )

    async def GetMe(self, request: pb.GetMeRequest, context: Context) -> pb.GetMeResponse:
        return pb.GetMeResponse(player=caller().player)

    async def WatchMe(self, request: pb.WatchMeRequest, context: Context) -> AsyncIterator[pb.WatchMeResponse]:
        player = caller().player
        told: dict[str, int] = {}
        async with self._wakeups.subscribe(player_channel(player.id)) as wakeup:
            while True:
                turns = await self._tables.turns(player)
                for live, seat in turns:
                    if told.get(live.id) != live.version:
                        yield pb.WatchMeResponse(
                            table_id=live.id, version=live.version, seat=seat, game_id=live.table.game_id
                        )
                told = {live.id: live.version for live, _ in turns}
                await wakeup.wait(CHECK_SECONDS)


def clean_name(name: str) -> str:
    """A name as it is shown: one line, nothing invisible. Raises ApiError (INVALID_FIELD)."""
    clean = " ".join(unicodedata.normalize("NFKC", name).split())
    if len(clean) > NAME_LENGTH:
        raise errors.invalid_field("name", f"must have at most {NAME_LENGTH} characters, has {len(clean)}")
    if not clean.isprintable():
        raise errors.invalid_field("name", "holds characters that can't be shown")
    return clean
