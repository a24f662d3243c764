"""A blocking client for programs without an event loop: what a bot needs to play its turns."""

from __future__ import annotations

from typing import TypeVar

import grpc

from boardgamesbot.client.channel import CALL_SECONDS, OPTIONS
from boardgamesbot.client.errors import refusal_of
from boardgamesbot.v1 import bots_pb2, bots_pb2_grpc, games_pb2, tables_pb2, tables_pb2_grpc

Q = TypeVar("Q")
R = TypeVar("R")


class SyncClient:
    """Plays at tables; the token is given with each call, so that one connection serves many players.

    Raises `Refused` like the asynchronous client.
    """

    def __init__(self, rules: str, *, bots: str | None = None) -> None:
        """`bots` is only needed to have moves chosen."""
        self._channel = grpc.insecure_channel(rules, options=OPTIONS)
        self._tables = tables_pb2_grpc.TableServiceStub(self._channel)
        self._bots_channel = grpc.insecure_channel(bots, options=OPTIONS) if bots else None

    def close(self) -> None:
        """Hang up."""
        self._channel.close()
        if self._bots_channel:
            self._bots_channel.close()

    def view(self, token: str, table_id: str) -> tables_pb2.TableServiceGetViewResponse:
        """The position as the seat of the token's player may know it."""
        request = tables_pb2.TableServiceGetViewRequest(table_id=table_id)
        return self._call(self._tables.GetView, request, token)

    def submit(
        self, token: str, table_id: str, seat: int, version: int, move: games_pb2.GameMove, request_id: str
    ) -> tables_pb2.SubmitMoveResponse:
        """Play a move; the same `request_id` again plays nothing and gives the same answer."""
        request = tables_pb2.SubmitMoveRequest(
            table_id=table_id, seat=seat, version=version, move=move, request_id=request_id
        )
        return self._call(self._tables.SubmitMove, request, token)

    def choose_move(
        self, token: str, state: games_pb2.GameState, bot: str, seed: bytes = b""
    ) -> bots_pb2.ChooseMoveResponse:
        """What a bot plays in a position of one's own; the same `seed`, the same move. No table is needed."""
        if self._bots_channel is None:
            raise ValueError("this client was not told where the bots server is")
        request = bots_pb2.ChooseMoveRequest(state=state, bot=bot, seed=seed)
        return self._call(bots_pb2_grpc.BotServiceStub(self._bots_channel).ChooseMove, request, token)

    def _call(self, method: grpc.UnaryUnaryMultiCallable[Q, R], request: Q, token: str) -> R:
        try:
            return method(request, metadata=(("authorization", f"Bearer {token}"),), timeout=CALL_SECONDS)
        except grpc.RpcError as error:
            raise refusal_of(error) from None
