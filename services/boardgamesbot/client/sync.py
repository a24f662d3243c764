"""A blocking client for programs without an event loop: what a bot needs to play its turns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc

from boardgamesbot.client.channel import CALL_SECONDS, OPTIONS
from boardgamesbot.client.errors import refusal_of
from boardgamesbot.v1 import games_pb2, tables_pb2, tables_pb2_grpc


class SyncClient:
    """Plays at tables; the token is given with each call, so that one connection serves many players.

    Raises `Refused` like the asynchronous client.
    """

    def __init__(self, rules: str) -> None:
        self._channel = grpc.insecure_channel(rules, options=OPTIONS)
        self._tables = tables_pb2_grpc.TableServiceStub(self._channel)

    def close(self) -> None:
        """Hang up."""
        self._channel.close()

    def view(self, token: str, table_id: str) -> tables_pb2.TableServiceGetViewResponse:
        """The position as the seat of the token's player may know it."""
        request = tables_pb2.TableServiceGetViewRequest(table_id=table_id)
        response: tables_pb2.TableServiceGetViewResponse = self._call(self._tables.GetView, request, token)
        return response

    def submit(
        self, token: str, table_id: str, seat: int, version: int, move: games_pb2.GameMove, request_id: str
    ) -> tables_pb2.SubmitMoveResponse:
        """Play a move; the same `request_id` again plays nothing and gives the same answer."""
        request = tables_pb2.SubmitMoveRequest(
            table_id=table_id, seat=seat, version=version, move=move, request_id=request_id
        )
        response: tables_pb2.SubmitMoveResponse = self._call(self._tables.SubmitMove, request, token)
        return response

    def _call(self, method: Callable[..., Any], request: Any, token: str) -> Any:
        try:
            return method(request, metadata=(("authorization", f"Bearer {token}"),), timeout=CALL_SECONDS)
        except grpc.RpcError as error:
            raise refusal_of(error) from None
