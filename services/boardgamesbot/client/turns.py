"""A player's turns, and the moves to choose from, as objects."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from boardgamesbot.client.errors import Refused
from boardgamesbot.client.patience import FOR_EVER, PATIENCE_SECONDS, patiently
from boardgamesbot.client.tickets import new_request_id
from boardgamesbot.v1 import games_pb2, players_pb2, tables_pb2

if TYPE_CHECKING:
    from boardgamesbot.client.client import Client

MOVED_ON = frozenset({"STALE_VERSION", "NOT_YOUR_TURN", "NOT_YOUR_SEAT", "WRONG_STATUS"})
"""Why a move that was legal when it was listed may come too late: others, or the clock, were quicker."""


@dataclass(frozen=True)
class Move:
    """A legal move of a turn."""

    text: str
    """The move in words."""
    message: games_pb2.GameMove
    """The move as the contract has it."""
    request_id: str = field(repr=False)
    """Under which it is played: however often it is sent, it is played once."""
    _client: Client = field(repr=False, compare=False)
    _turn: players_pb2.WatchMeResponse = field(repr=False, compare=False)

    async def play(self, *, patience: float = PATIENCE_SECONDS) -> bool:
        """Play it; whether it stands. False: the table has moved on, and nothing has happened.

        A lost answer is asked for again, up to `patience` seconds. Raises `Refused` for everything else.
        """
        turn = self._turn

        async def submit() -> tables_pb2.SubmitMoveResponse:
            return await self._client.submit(turn.table_id, turn.seat, turn.version, self.message, self.request_id)

        try:
            await patiently(submit, patience)
        except Refused as refused:
            if refused.reason in MOVED_ON:
                return False
            raise
        return True


@dataclass(frozen=True)
class Turn:
    """One decision that is the player's."""

    table_id: str
    game_id: str
    version: int
    """The version of the table that the moves are for."""
    seat: int
    moves: Sequence[Move]
    """The legal moves, at least one."""
    _client: Client = field(repr=False, compare=False)

    async def view(self) -> games_pb2.GameView:
        """What the player may know of the position. Raises `Refused`."""
        return (await self._client.view(self.table_id)).view


async def turns_at(client: Client, table_id: str) -> AsyncGenerator[Turn, None]:
    """The player's turns at one table, until its game is over or it is closed."""
    async with aclosing(client.watch(table_id)) as versions:
        async for version in versions:
            table = version.table
            if not version.HasField("table") or table.status != tables_pb2.TABLE_STATUS_PLAYING:
                continue
            if not table.summary.HasField("actor"):
                continue
            seat = table.summary.actor
            if table.seats[seat].player.id == await _player_id(client):
                due = players_pb2.WatchMeResponse(
                    table_id=table_id, version=version.version, seat=seat, game_id=table.game_id
                )
                if (turn := await _turn(client, due)) is not None:
                    yield turn


async def turns_everywhere(
    client: Client, announcement: players_pb2.BotAnnouncement | None = None
) -> AsyncGenerator[Turn, None]:
    """The player's turns at all tables, without end."""
    async with aclosing(client.watch_me(announcement)) as due_turns:
        async for due in due_turns:
            if (turn := await _turn(client, due)) is not None:
                yield turn


async def _player_id(client: Client) -> str:
    return client.player.id or (await client.me()).id


async def _turn(client: Client, due: players_pb2.WatchMeResponse) -> Turn | None:
    """The turn with its moves; None where the table has moved on meanwhile."""
    try:
        legal = await patiently(lambda: client.legal_moves(due.table_id), FOR_EVER)
    except Refused as refused:
        if refused.reason in MOVED_ON or refused.reason == "TABLE_NOT_FOUND":
            return None
        raise
    if not legal.moves:
        return None
    now = players_pb2.WatchMeResponse(table_id=due.table_id, version=legal.version, seat=due.seat, game_id=due.game_id)
    moves = tuple(Move(one.text, one.move, new_request_id(), client, now) for one in legal.moves)
    return Turn(due.table_id, due.game_id, legal.version, due.seat, moves, client)
