"""The terminal: what it makes of what comes from the server, in whatever order and pieces."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from io import StringIO
from typing import cast

import pytest

from boardgamesbot.cli.console import Console
from boardgamesbot.cli.following import follow
from boardgamesbot.cli.play import Opening, _open_table
from boardgamesbot.cli.terminal import Terminal
from boardgamesbot.client import Client
from boardgamesbot.games import registry
from boardgamesbot.games.chance import ChanceStream
from boardgamesbot.v1 import bots_pb2, games_pb2, tables_pb2
from boardgamesbot.v1.players_pb2 import Player

CODEC = registry.codec("barcelona")


class FakeClient:
    """A server at which bots have moved before anybody looks: what happened comes at once, the table with the last."""

    player = Player(id="ada", name="Ada")

    def __init__(self) -> None:
        self.opened = tables_pb2.Table(id="t", version=1, status=tables_pb2.TABLE_STATUS_OPEN, game_id="barcelona")
        self.seated: list[tuple[str, int | None]] = []

    async def list_bots(self, game_id: str) -> list[bots_pb2.BotInfo]:
        return [bots_pb2.BotInfo(id="greedy"), bots_pb2.BotInfo(id="gaudi", by_rule=True)]

    async def create_table(
        self, game_id: str, players: int, options: games_pb2.GameOptions, visibility: int, **_: object
    ) -> tables_pb2.Table:
        assert visibility == tables_pb2.TABLE_VISIBILITY_PUBLIC
        self.opened.options.CopyFrom(options)
        self.opened.seats.extend(tables_pb2.Seat(seat=seat, colour="Purple") for seat in range(players))
        for seat, bot in CODEC.game.bots_wanted(CODEC.options_from(options)).items():
            self.opened.seats[seat].player.CopyFrom(Player(id=bot, name="Gaudí", bot=bot))
        return self.opened

    async def take_seat(self, table_id: str, seat: int | None = None) -> int:
        assert seat is not None
        self.opened.seats[seat].player.CopyFrom(self.player)
        return seat

    async def seat_bot(self, table_id: str, bot: str, seat: int | None = None) -> int:
        assert seat is not None
        self.seated.append((bot, seat))
        self.opened.seats[seat].player.CopyFrom(Player(id=bot, name=bot, bot=bot))
        return seat

    async def start(self, table_id: str) -> tables_pb2.Table:
        self.opened.status = tables_pb2.TABLE_STATUS_PLAYING
        return self.opened

    async def table(self, table_id: str) -> tables_pb2.Table:
        return self.opened

    async def watch(self, table_id: str, after_version: int = 0) -> AsyncGenerator[tables_pb2.WatchResponse, None]:
        options = CODEC.options_from(self.opened.options)
        _, events = CODEC.game.new(2, options, ChanceStream(bytes(32)))
        began = tables_pb2.TableChange(
            kind=tables_pb2.TABLE_CHANGE_KIND_STARTED, events=[CODEC.event_to(event.seen_by(0)) for event in events]
        )
        yield tables_pb2.WatchResponse(version=2, table_change=began)
        self.opened.status = tables_pb2.TABLE_STATUS_CLOSED
        yield tables_pb2.WatchResponse(version=3, table_change=tables_pb2.TableChange(), table=self.opened)


@pytest.mark.parametrize(("option", "seated"), [((), [("greedy", 1)]), ((("solo", "HARD"),), [])])
async def test_what_happened_before_one_looked_is_told(
    option: tuple[tuple[str, str], ...], seated: list[tuple[str, int]]
) -> None:
    terminal, client = Terminal(Console(file=StringIO(), width=100)), FakeClient()
    await _open_table(terminal, cast(Client, client), "barcelona", Opening(None, option, None, with_code=False))
    assert client.seated == seated, "whom the rules seat is not seated again"
    await follow(terminal, cast(Client, client), "t", 0)
    file = terminal.console.file
    assert isinstance(file, StringIO)
    assert "You drew" in file.getvalue()
