"""The client for programs without an event loop of their own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Sequence
from dataclasses import dataclass, field
from functools import wraps
from threading import Thread
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from boardgamesbot.client.channel import Tls
from boardgamesbot.client.client import Client
from boardgamesbot.client.patience import PATIENCE_SECONDS
from boardgamesbot.client.turns import Move, Turn
from boardgamesbot.v1 import games_pb2, players_pb2

P = ParamSpec("P")
R = TypeVar("R")


class Loop:
    """An event loop in a thread of its own, in which others have work done and wait for it."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="boardgamesbot-client", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, R]) -> R:
        """What the work gives, or the exception it ends with; whoever is interrupted in waiting cancels it."""
        running = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return running.result()
        except BaseException:
            running.cancel()
            raise

    def iterate(self, items: AsyncGenerator[R, None]) -> Generator[R, None, None]:
        """The items one by one. Who stops before the end ends them."""

        async def following() -> tuple[R, ...]:
            async for item in items:
                return (item,)
            return ()

        try:
            while found := self.run(following()):
                yield found[0]
        finally:
            self.run(items.aclose())

    def close(self) -> None:
        """End the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@dataclass(frozen=True)
class BlockingMove:
    """A legal move of a turn."""

    text: str
    """The move in words."""
    message: games_pb2.GameMove
    """The move as the contract has it."""
    _move: Move = field(repr=False)
    _loop: Loop = field(repr=False, compare=False)

    def play(self, *, patience: float = PATIENCE_SECONDS) -> bool:
        """Play it; whether it stands. Like `Move.play`."""
        return self._loop.run(self._move.play(patience=patience))


@dataclass(frozen=True)
class BlockingTurn:
    """One decision that is the player's."""

    table_id: str
    game_id: str
    version: int
    """The version of the table that the moves are for."""
    seat: int
    moves: Sequence[BlockingMove]
    """The legal moves, at least one."""
    _turn: Turn = field(repr=False)
    _loop: Loop = field(repr=False, compare=False)

    def view(self) -> games_pb2.GameView:
        """What the player may know of the position. Raises `Refused`."""
        return self._loop.run(self._turn.view())


def _blocking(
    method: Callable[Concatenate[Client, P], Coroutine[Any, Any, R]],
) -> Callable[Concatenate[BlockingClient, P], R]:
    @wraps(method)
    def call(self: BlockingClient, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.loop.run(method(self.client, *args, **kwargs))

    return call


def _blocking_stream(
    method: Callable[Concatenate[Client, P], AsyncGenerator[R, None]],
) -> Callable[Concatenate[BlockingClient, P], Generator[R, None, None]]:
    @wraps(method)
    def call(self: BlockingClient, /, *args: P.args, **kwargs: P.kwargs) -> Generator[R, None, None]:
        return self.loop.iterate(method(self.client, *args, **kwargs))

    return call


def _blocking_turns(
    method: Callable[Concatenate[Client, P], AsyncGenerator[Turn, None]],
) -> Callable[Concatenate[BlockingClient, P], Generator[BlockingTurn, None, None]]:
    @wraps(method)
    def call(self: BlockingClient, /, *args: P.args, **kwargs: P.kwargs) -> Generator[BlockingTurn, None, None]:
        loop = self.loop
        for turn in loop.iterate(method(self.client, *args, **kwargs)):
            moves = tuple(BlockingMove(move.text, move.message, move, loop) for move in turn.moves)
            yield BlockingTurn(turn.table_id, turn.game_id, turn.version, turn.seat, moves, turn, loop)

    return call


class BlockingClient:
    """One player's way in, like `Client`: the same methods with the same arguments, each waiting for its answer.

    May be used from several threads.
    """

    def __init__(
        self,
        rules: str = "",
        *,
        bots: str | None = None,
        matchmaking: str | None = None,
        token: str = "",
        tls: Tls | None = None,
    ) -> None:
        async def connect() -> Client:
            return Client(rules, bots=bots, matchmaking=matchmaking, token=token, tls=tls)

        self.loop = Loop()
        self.client = self.loop.run(connect())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Hang up."""
        self.loop.run(self.client.close())
        self.loop.close()

    @property
    def token(self) -> str:
        """The token that proves who this is."""
        return self.client.token

    @property
    def player(self) -> players_pb2.Player:
        """Who this is, as last heard."""
        return self.client.player

    sign_in = _blocking(Client.sign_in)
    me = _blocking(Client.me)
    create_bot_account = _blocking(Client.create_bot_account)
    list_bot_accounts = _blocking(Client.list_bot_accounts)
    renew_bot_token = _blocking(Client.renew_bot_token)
    delete_bot_account = _blocking(Client.delete_bot_account)

    games = _blocking(Client.games)
    rulebook = _blocking(Client.rulebook)
    verify = _blocking(Client.verify)

    start_against = _blocking(Client.start_against)
    find_table = _blocking(Client.find_table)
    turns = _blocking_turns(Client.turns)
    turns_as_bot = _blocking_turns(Client.turns_as_bot)

    create_table = _blocking(Client.create_table)
    tables = _blocking(Client.tables)
    table = _blocking(Client.table)
    table_by_code = _blocking(Client.table_by_code)
    take_seat = _blocking(Client.take_seat)
    leave_seat = _blocking(Client.leave_seat)
    swap_seats = _blocking(Client.swap_seats)
    start = _blocking(Client.start)
    view = _blocking(Client.view)
    legal_moves = _blocking(Client.legal_moves)
    submit = _blocking(Client.submit)
    undo = _blocking(Client.undo)
    resign = _blocking(Client.resign)
    record = _blocking(Client.record)
    watch = _blocking_stream(Client.watch)
    watch_me = _blocking_stream(Client.watch_me)

    list_bots = _blocking(Client.list_bots)
    outside_bots = _blocking(Client.outside_bots)
    seat_bot = _blocking(Client.seat_bot)
    choose_move = _blocking(Client.choose_move)
    watch_choice = _blocking_stream(Client.watch_choice)
    suggest_move = _blocking_stream(Client.suggest_move)

    find = _blocking_stream(Client.find)
    create_ticket = _blocking(Client.create_ticket)
    join_ticket = _blocking(Client.join_ticket)
    cancel_ticket = _blocking(Client.cancel_ticket)
    watch_ticket = _blocking_stream(Client.watch_ticket)
    accept_match = _blocking(Client.accept_match)
    queues = _blocking(Client.queues)
    ratings = _blocking(Client.ratings)
    leaderboard = _blocking(Client.leaderboard)
