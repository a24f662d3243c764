"""The turns of bots, played here and now: no dispatcher, no worker."""

from __future__ import annotations

import asyncio
import time
from typing import Self

from boardgamesbot.bots.deciding import CrashBook, Decider, Here
from boardgamesbot.bots.pace import Pace
from boardgamesbot.bots.turn import Outcome, Turn, TurnPlayer
from boardgamesbot.client import Client, SyncClient
from boardgamesbot.runtime.tokens import Tokens, bot_player
from boardgamesbot.v1 import tables_pb2

TOKEN_KEY = "the key of the tests, long enough to sign"
PACE = Pace(deadline=5.0, longest=3.0)


class BotTurns:
    """Plays bots' turns at a rules server that signs with `TOKEN_KEY`."""

    def __init__(self, address: str, pace: Pace = PACE, crashes: CrashBook | None = None) -> None:
        self._address = address
        self._decider = Decider(Here(), crashes)
        self._pace = pace
        self._tokens = Tokens(TOKEN_KEY.encode(), 60)

    def __enter__(self) -> Self:
        self._client = SyncClient(self._address)
        self.player = TurnPlayer(
            self._client, self._tokens, TOKEN_KEY.encode(), self._decider, self._pace, lambda: time.time() * 1000
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    async def seat(self, table_id: str, bot: str, seat: int) -> None:
        """Have a bot take a seat, whether it is on offer or not."""
        player = bot_player(bot, bot, table_id, str(seat))
        async with Client(self._address, token=self._tokens.issue(player)) as client:
            await client.take_seat(table_id, seat)

    def turn(self, now: tables_pb2.TableServiceGetViewResponse, attempt: int = 1) -> Turn:
        """The decision of the bot whose turn it is."""
        player = now.table.seats[now.summary.actor].player
        return Turn(now.table.id, now.version, now.summary.actor, player.bot, player.id, attempt)

    async def play(self, now: tables_pb2.TableServiceGetViewResponse, attempt: int = 1) -> Outcome:
        """Play the decision of the bot whose turn it is."""
        return await asyncio.to_thread(self.player.play, self.turn(now, attempt))
