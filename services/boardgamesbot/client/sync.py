"""A blocking client for programs without an event loop: what a bot needs to play its turns."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from typing import TypeVar, Unpack

import grpc
from google.protobuf.message import Message

from boardgamesbot.client.addresses import Addresses
from boardgamesbot.client.channel import CALL_SECONDS, RECONNECT_SECONDS, Tls, open_blocking_channel
from boardgamesbot.client.errors import Refused, refusal_of
from boardgamesbot.client.patience import is_passing
from boardgamesbot.client.thinking import Position, Thinking, choice_request, longest_seconds, suggestion_request
from boardgamesbot.client.tickets import LIVE, Wishes, new_request_id, ticket_request
from boardgamesbot.v1 import (
    bots_pb2,
    bots_pb2_grpc,
    games_pb2,
    matchmaking_pb2,
    matchmaking_pb2_grpc,
    tables_pb2,
    tables_pb2_grpc,
)

Metadata = tuple[tuple[str, str], ...]
Q = TypeVar("Q", bound=Message)
R = TypeVar("R")


class SyncClient:
    """Plays at tables; the token is given with each call, so that one connection serves many players.

    Raises `Refused` like the asynchronous client.
    """

    def __init__(
        self,
        rules: str,
        *,
        bots: str | None = None,
        matchmaking: str | None = None,
        tls: Tls | None = None,
        metadata: Callable[[], Metadata] = tuple,
    ) -> None:
        """`bots` is only needed to have moves chosen, `matchmaking` to find others; `tls` as with `Client`.

        What `metadata` gives at each call goes with it, such as a `traceparent`.
        """
        tls = tls or Tls.from_environment()
        self._more = metadata
        self._addresses = Addresses(rules, bots or "", matchmaking or "")
        self._channel = open_blocking_channel(rules, tls)
        self._tables = tables_pb2_grpc.TableServiceStub(self._channel)
        self._bots_channel = open_blocking_channel(bots, tls) if bots else None
        self._matchmaking_channel = open_blocking_channel(matchmaking, tls) if matchmaking else None

    def close(self) -> None:
        """Hang up."""
        self._channel.close()
        for channel in (self._bots_channel, self._matchmaking_channel):
            if channel:
                channel.close()

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

    def run_out(self, token: str, table_id: str, version: int) -> bool:
        """For services of the platform: call time at a table; whether this call acted on it."""
        request = tables_pb2.RunOutRequest(table_id=table_id, version=version)
        return self._call(self._tables.RunOut, request, token).acted

    def choose_move(
        self, token: str, position: Position, bot: str, seed: bytes = b"", **wishes: Unpack[Thinking]
    ) -> bots_pb2.ChooseMoveResponse:
        """What a bot plays in a position of one's own, like `Client.choose_move`."""
        request = choice_request(position, bot, seed, wishes)
        return self._call(self._bots.ChooseMove, request, token, CALL_SECONDS + longest_seconds(wishes))

    def watch_choice(
        self, token: str, position: Position, bot: str, seed: bytes = b"", **wishes: Unpack[Thinking]
    ) -> Generator[bots_pb2.WatchChoiceResponse, None, None]:
        """The same as it improves, the last one `final`. Whoever stops looking stops the bot."""
        request = bots_pb2.WatchChoiceRequest(choice=choice_request(position, bot, seed, wishes))
        yield from self._stream(self._bots.WatchChoice, request, token, wishes)

    def suggest_move(
        self, token: str, table_id: str, bot: str = "", **wishes: Unpack[Thinking]
    ) -> Generator[bots_pb2.SuggestMoveResponse, None, None]:
        """What a bot would play for one's own seat, as it improves, like `Client.suggest_move`."""
        request = suggestion_request(table_id, bot, wishes)
        yield from self._stream(self._bots.SuggestMove, request, token, wishes)

    def find(
        self, token: str, game_id: str, *, join_code: str = "", **wishes: Unpack[Wishes]
    ) -> Generator[matchmaking_pb2.Ticket, None, None]:
        """Wait for others to play with: the ticket as it stands, again whenever that changes, until it has ended.

        Like `Client.find`: whoever stops looking before the end cancels the ticket.
        """
        service = self._matchmaking
        if join_code:
            ticket = self._call(
                service.JoinTicket, matchmaking_pb2.JoinTicketRequest(join_code=join_code), token
            ).ticket
        else:
            ticket = self._call(service.CreateTicket, ticket_request(game_id, new_request_id(), wishes), token).ticket
        try:
            watch = matchmaking_pb2.WatchTicketRequest(ticket_id=ticket.id)
            for response in self._unbroken(service.WatchTicket, watch, token):
                ticket = response.ticket
                yield ticket
        finally:
            if ticket.status in LIVE:
                with suppress(Refused):  # a match was quicker, or the server is away: the ticket expires
                    self._call(service.CancelTicket, matchmaking_pb2.CancelTicketRequest(ticket_id=ticket.id), token)

    def accept_match(
        self, token: str, ticket_id: str, match_id: str, *, decline: bool = False
    ) -> matchmaking_pb2.Ticket:
        """Accept a match that wants it, or decline it."""
        request = matchmaking_pb2.AcceptMatchRequest(ticket_id=ticket_id, match_id=match_id, decline=decline)
        return self._call(self._matchmaking.AcceptMatch, request, token).ticket

    @property
    def _bots(self) -> bots_pb2_grpc.BotServiceStub:
        if self._bots_channel is None:
            raise ValueError("this client was not told where the bots server is")
        return bots_pb2_grpc.BotServiceStub(self._bots_channel)

    @property
    def _matchmaking(self) -> matchmaking_pb2_grpc.MatchmakingServiceStub:
        if self._matchmaking_channel is None:
            raise ValueError("this client was not told where the matchmaking server is")
        return matchmaking_pb2_grpc.MatchmakingServiceStub(self._matchmaking_channel)

    def _stream(
        self, method: grpc.UnaryStreamMultiCallable[Q, R], request: Q, token: str, wishes: Thinking
    ) -> Generator[R, None, None]:
        """A stream of thoughts: it is not asked for again, the thinking would begin anew."""
        seconds = CALL_SECONDS + longest_seconds(wishes)
        call = method(request, metadata=self._metadata(token), timeout=seconds)
        try:
            yield from call
        except grpc.RpcError as error:
            raise refusal_of(error, self._addresses.asked(request)) from None
        finally:
            call.cancel()

    def _unbroken(self, method: grpc.UnaryStreamMultiCallable[Q, R], request: Q, token: str) -> Iterator[R]:
        """A stream that is asked for again whenever the server goes away."""
        while True:
            call = method(request, metadata=self._metadata(token), wait_for_ready=True)
            try:
                yield from call
                return
            except grpc.RpcError as error:
                refused = refusal_of(error, self._addresses.asked(request))
                if not is_passing(refused):
                    raise refused from None
                time.sleep(refused.retry_after or RECONNECT_SECONDS)
            finally:
                call.cancel()

    def _call(
        self, method: grpc.UnaryUnaryMultiCallable[Q, R], request: Q, token: str, seconds: float = CALL_SECONDS
    ) -> R:
        try:
            return method(request, metadata=self._metadata(token), timeout=seconds)
        except grpc.RpcError as error:
            raise refusal_of(error, self._addresses.asked(request)) from None

    def _metadata(self, token: str) -> Metadata:
        return (("authorization", f"Bearer {token}"), *self._more())
