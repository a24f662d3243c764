"""The asynchronous client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar, Unpack

import grpc
from google.protobuf.message import Message

from boardgamesbot.client.addresses import Addresses, usual_addresses
from boardgamesbot.client.channel import CALL_SECONDS, RECONNECT_SECONDS, Tls, open_channel
from boardgamesbot.client.errors import Refused, refusal_of
from boardgamesbot.client.joining import Found, find_table, start_against
from boardgamesbot.client.keeping import keep_token, kept_token
from boardgamesbot.client.patience import is_passing, patiently
from boardgamesbot.client.thinking import Position, Thinking, choice_request, longest_seconds, suggestion_request
from boardgamesbot.client.tickets import LIVE, Wishes, new_request_id, ticket_request
from boardgamesbot.client.turns import Turn, turns_at, turns_everywhere
from boardgamesbot.v1 import (
    bots_pb2,
    bots_pb2_grpc,
    games_pb2,
    matchmaking_pb2,
    matchmaking_pb2_grpc,
    players_pb2,
    players_pb2_grpc,
    rules_pb2,
    rules_pb2_grpc,
    tables_pb2,
    tables_pb2_grpc,
)

Q = TypeVar("Q", bound=Message)
R = TypeVar("R")


class Client:
    """One player's way in. Raises `Refused` for everything the server refuses.

    `rules`, `bots` and `matchmaking` are the addresses of the servers; left out altogether, the usual ones
    (`usual_addresses`). Without a `token`, `sign_in` gets one. An address that begins with `grpcs://` is called by TLS,
    and so is every one where `tls` says how; left out, BGB_TLS_CA and its companions say it.
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
        if not rules:
            usual = usual_addresses()
            rules, bots, matchmaking = usual.rules, bots or usual.bots, matchmaking or usual.matchmaking
        self.token = token
        self.player = players_pb2.Player()
        self._addresses = Addresses(rules, bots or "", matchmaking or "")
        tls = tls or Tls.from_environment()
        self._rules_channel = open_channel(rules, tls)
        self._bots_channel = open_channel(bots, tls) if bots else None
        self._matchmaking_channel = open_channel(matchmaking, tls) if matchmaking else None
        self._players = players_pb2_grpc.PlayerServiceStub(self._rules_channel)
        self._rules = rules_pb2_grpc.RulesServiceStub(self._rules_channel)
        self._tables = tables_pb2_grpc.TableServiceStub(self._rules_channel)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Hang up."""
        await self._rules_channel.close()
        for channel in (self._bots_channel, self._matchmaking_channel):
            if channel:
                await channel.close()

    async def sign_in(self, name: str = "", *, keep: str | Path | None = None) -> players_pb2.Player:
        """Become a guest; with a file to `keep` the token in, the same one every time. Raises OSError as well."""
        if keep and (token := kept_token(Path(keep))):
            self.token = token
            try:
                return await self.me()
            except Refused as refused:
                if refused.code != grpc.StatusCode.UNAUTHENTICATED:
                    raise
                self.token = ""
        response = await self._call(self._players.CreateGuest, players_pb2.CreateGuestRequest(name=name))
        self.token, self.player = response.token, response.player
        if keep:
            keep_token(Path(keep), self.token)
        return self.player

    async def me(self) -> players_pb2.Player:
        """Who the token says this is."""
        self.player = (await self._call(self._players.GetMe, players_pb2.GetMeRequest())).player
        return self.player

    async def games(self) -> list[games_pb2.GameInfo]:
        """The games of the server."""
        return list((await self._call(self._rules.ListGames, rules_pb2.ListGamesRequest())).games)

    async def rulebook(self, game_id: str) -> rules_pb2.GetRulebookResponse:
        """A game's rules and data."""
        return await self._call(self._rules.GetRulebook, rules_pb2.GetRulebookRequest(game_id=game_id))

    async def verify(self, record: games_pb2.GameRecord) -> rules_pb2.VerifyRecordResponse:
        """Have a record replayed."""
        return await self._call(self._rules.VerifyRecord, rules_pb2.VerifyRecordRequest(record=record))

    async def create_table(
        self,
        game_id: str,
        players: int,
        options: games_pb2.GameOptions | None = None,
        visibility: tables_pb2.TableVisibility.ValueType = tables_pb2.TABLE_VISIBILITY_PUBLIC,
        *,
        unrated: bool = False,
        clock: tables_pb2.Clock | None = None,
        with_code: bool = False,
        request_id: str = "",
    ) -> tables_pb2.Table:
        """Open a table; an `unrated` one leaves all ratings as they are. A `clock` limits people's time.

        Asked again with the same `request_id`, it is the same table.
        """
        request = tables_pb2.CreateTableRequest(
            game_id=game_id,
            players=players,
            options=options,
            visibility=visibility,
            request_id=request_id or new_request_id(),
            unrated=unrated,
            clock=clock,
            with_code=with_code,
        )
        return (await self._call(self._tables.CreateTable, request)).table

    async def tables(self, game_id: str = "") -> list[tables_pb2.Table]:
        """Public tables that are open or being played, newest first: the first page."""
        return list((await self._call(self._tables.ListTables, tables_pb2.ListTablesRequest(game_id=game_id))).tables)

    async def table(self, table_id: str) -> tables_pb2.Table:
        """A table without its game."""
        return (await self._call(self._tables.GetTable, tables_pb2.GetTableRequest(table_id=table_id))).table

    async def table_by_code(self, code: str) -> tables_pb2.Table:
        """The table that has a code, without its game."""
        return (await self._call(self._tables.GetTableByCode, tables_pb2.GetTableByCodeRequest(code=code))).table

    async def take_seat(self, table_id: str, seat: int | None = None) -> int:
        """Take a seat, or the one again that one's time had run out in; gives which."""
        request = tables_pb2.TakeSeatRequest(table_id=table_id, seat=seat)
        return (await self._call(self._tables.TakeSeat, request)).seat

    async def leave_seat(self, table_id: str, seat: int | None = None) -> tables_pb2.Table:
        """Leave one's seat, or, as the host, free another's."""
        request = tables_pb2.LeaveSeatRequest(table_id=table_id, seat=seat)
        return (await self._call(self._tables.LeaveSeat, request)).table

    async def swap_seats(self, table_id: str, seat: int, other: int) -> tables_pb2.Table:
        """As the host, have those on two seats change places."""
        request = tables_pb2.SwapSeatsRequest(table_id=table_id, seat=seat, other_seat=other)
        return (await self._call(self._tables.SwapSeats, request)).table

    async def seat_bot(self, table_id: str, bot: str, seat: int | None = None) -> int:
        """Seat a bot; gives where."""
        request = bots_pb2.SeatBotRequest(table_id=table_id, bot=bot, seat=seat, request_id=new_request_id())
        return (await self._call(self._bots.SeatBot, request)).seat

    async def list_bots(self, game_id: str = "") -> list[bots_pb2.BotInfo]:
        """The bots on offer, weakest first."""
        return list((await self._call(self._bots.ListBots, bots_pb2.ListBotsRequest(game_id=game_id))).bots)

    async def choose_move(
        self, position: Position, bot: str, seed: bytes = b"", **wishes: Unpack[Thinking]
    ) -> bots_pb2.ChooseMoveResponse:
        """What a bot plays in a position of one's own, or in what one seat knows of it. No table is needed.

        The same `seed`, and the same budget of `iterations` alone, give the same move.
        """
        request = choice_request(position, bot, seed, wishes)
        return await self._call(self._bots.ChooseMove, request, CALL_SECONDS + longest_seconds(wishes))

    async def watch_choice(
        self, position: Position, bot: str, seed: bytes = b"", **wishes: Unpack[Thinking]
    ) -> AsyncGenerator[bots_pb2.WatchChoiceResponse, None]:
        """The same as it improves, the last one `final`. Whoever stops looking stops the bot."""
        request = bots_pb2.WatchChoiceRequest(choice=choice_request(position, bot, seed, wishes))
        async with aclosing(self._stream(self._bots.WatchChoice, request, wishes)) as responses:
            async for response in responses:
                yield response

    async def suggest_move(
        self, table_id: str, bot: str = "", **wishes: Unpack[Thinking]
    ) -> AsyncGenerator[bots_pb2.SuggestMoveResponse, None]:
        """What a bot would play for one's own seat, the strongest if none is named, as it improves.

        The last one is `final`. Only at tables that are not rated. Whoever stops looking stops the bot.
        """
        request = suggestion_request(table_id, bot, wishes)
        async with aclosing(self._stream(self._bots.SuggestMove, request, wishes)) as responses:
            async for response in responses:
                yield response

    async def start(self, table_id: str) -> tables_pb2.Table:
        """Begin the game."""
        request = tables_pb2.StartTableRequest(table_id=table_id)
        return (await self._call(self._tables.StartTable, request)).table

    async def view(self, table_id: str) -> tables_pb2.TableServiceGetViewResponse:
        """The position as one's seat may know it."""
        request = tables_pb2.TableServiceGetViewRequest(table_id=table_id)
        return await self._call(self._tables.GetView, request)

    async def legal_moves(self, table_id: str) -> tables_pb2.TableServiceListLegalMovesResponse:
        """One's legal moves, and the version they are for."""
        request = tables_pb2.TableServiceListLegalMovesRequest(table_id=table_id)
        return await self._call(self._tables.ListLegalMoves, request)

    async def submit(
        self, table_id: str, seat: int, version: int, move: games_pb2.GameMove, request_id: str = ""
    ) -> tables_pb2.SubmitMoveResponse:
        """Play a move."""
        request = tables_pb2.SubmitMoveRequest(
            table_id=table_id, seat=seat, version=version, move=move, request_id=request_id or new_request_id()
        )
        return await self._call(self._tables.SubmitMove, request)

    async def undo(self, table_id: str, seat: int, version: int) -> tables_pb2.UndoMoveResponse:
        """Take back one's last move."""
        request = tables_pb2.UndoMoveRequest(table_id=table_id, seat=seat, version=version, request_id=new_request_id())
        return await self._call(self._tables.UndoMove, request)

    async def resign(self, table_id: str, seat: int) -> tables_pb2.Table:
        """Give up a seat."""
        return (await self._call(self._tables.Resign, tables_pb2.ResignRequest(table_id=table_id, seat=seat))).table

    async def record(self, table_id: str) -> games_pb2.GameRecord:
        """The record of a finished game."""
        request = tables_pb2.GetRecordRequest(table_id=table_id)
        return (await self._call(self._tables.GetRecord, request)).record

    async def watch(
        self, table_id: str, after_version: int = 0, after_commit: str = ""
    ) -> AsyncGenerator[tables_pb2.WatchResponse, None]:
        """Every version of a table after `after_version`, whatever happens to the connection; ends with the table.

        A response that is `restarted` shows the table anew: the store has lost the end of what was sent before it.
        """
        seen, commit = after_version, after_commit

        def request() -> tables_pb2.WatchRequest:
            return tables_pb2.WatchRequest(table_id=table_id, after_version=seen, after_commit=commit)

        async with aclosing(self._unbroken(self._tables.Watch, request)) as responses:
            async for response in responses:
                seen, commit = response.version, response.commit
                yield response

    async def watch_me(
        self, announcement: players_pb2.BotAnnouncement | None = None
    ) -> AsyncGenerator[players_pb2.WatchMeResponse, None]:
        """Every table where it is one's turn, as it comes up, whatever happens to the connection.

        By a bot account, with what it takes: as long as this is open, others can seat it.
        """

        def request() -> players_pb2.WatchMeRequest:
            return players_pb2.WatchMeRequest(announcement=announcement)

        async with aclosing(self._unbroken(self._players.WatchMe, request)) as responses:
            async for response in responses:
                yield response

    def turns(self, table_id: str = "") -> AsyncGenerator[Turn, None]:
        """One's turns, with their legal moves: at one table until its game is over, or everywhere if none is named."""
        return turns_at(self, table_id) if table_id else turns_everywhere(self)

    def turns_as_bot(self, *game_ids: str, tables: int = 1) -> AsyncGenerator[Turn, None]:
        """By a bot account: be there for these games, at so many `tables` at once, and get the turns at all of them."""
        return turns_everywhere(self, players_pb2.BotAnnouncement(game_ids=game_ids, max_tables=tables))

    async def start_against(
        self,
        game_id: str,
        *bots: str,
        options: games_pb2.GameOptions | None = None,
        clock: tables_pb2.Clock | None = None,
    ) -> tables_pb2.Table:
        """Open a table, sit down, seat these bots, begin."""
        return await start_against(self, game_id, bots, options, clock)

    async def find_table(self, game_id: str, *, join_code: str = "", **wishes: Unpack[Wishes]) -> Found:
        """Wait for others to play with until the game is on. Raises `NoMatch` if the search ends otherwise."""
        return await find_table(self, game_id, join_code=join_code, **wishes)

    async def create_bot_account(self, name: str, *, request_id: str = "") -> players_pb2.CreateBotAccountResponse:
        """An account for a bot of one's own, and its token: the bot is a client with that token."""
        request = players_pb2.CreateBotAccountRequest(name=name, request_id=request_id or new_request_id())
        return await self._call(self._players.CreateBotAccount, request)

    async def list_bot_accounts(self) -> list[players_pb2.BotAccount]:
        """One's bot accounts, the oldest first."""
        request = players_pb2.ListBotAccountsRequest()
        return list((await self._call(self._players.ListBotAccounts, request)).accounts)

    async def renew_bot_token(self, account_id: str) -> players_pb2.RenewBotTokenResponse:
        """A new token for a bot account; the older ones are worth nothing within seconds."""
        request = players_pb2.RenewBotTokenRequest(account_id=account_id)
        return await self._call(self._players.RenewBotToken, request)

    async def delete_bot_account(self, account_id: str) -> None:
        """End a bot account: it resigns wherever it plays."""
        request = players_pb2.DeleteBotAccountRequest(account_id=account_id)
        await self._call(self._players.DeleteBotAccount, request)

    async def outside_bots(self, game_id: str = "") -> list[players_pb2.BotAccount]:
        """The bots from outside that can be seated now: by `seat_bot`, with `player.id`."""
        return list((await self._call(self._bots.ListBots, bots_pb2.ListBotsRequest(game_id=game_id))).accounts)

    async def find(
        self, game_id: str, *, join_code: str = "", **wishes: Unpack[Wishes]
    ) -> AsyncGenerator[matchmaking_pb2.Ticket, None]:
        """Wait for others to play with: the ticket as it stands, again whenever that changes, until it has ended.

        The last one is MATCHED, with `match.table_id` and `match.seat`, if all went well. With a `join_code` it is the
        ticket of the party that has it. It goes on when servers are gone for a while. Whoever stops looking before the
        end cancels the ticket.
        """
        request_id = new_request_id()

        async def enter() -> matchmaking_pb2.Ticket:
            if join_code:
                return await self.join_ticket(join_code)
            return await self.create_ticket(game_id, request_id=request_id, **wishes)

        ticket = await patiently(enter)
        try:
            async with aclosing(self.watch_ticket(ticket.id)) as tickets:
                async for ticket in tickets:
                    yield ticket
        finally:
            if ticket.status in LIVE:
                with suppress(Refused):  # a match was quicker, or the server is away: the ticket expires
                    await self.cancel_ticket(ticket.id)

    async def create_ticket(
        self, game_id: str, *, request_id: str = "", **wishes: Unpack[Wishes]
    ) -> matchmaking_pb2.Ticket:
        """A wish to play. It must be watched: else it expires."""
        request = ticket_request(game_id, request_id or new_request_id(), wishes)
        return (await self._call(self._matchmaking.CreateTicket, request)).ticket

    async def join_ticket(self, join_code: str) -> matchmaking_pb2.Ticket:
        """Join the party that has the code. The ticket must be watched by all of them."""
        request = matchmaking_pb2.JoinTicketRequest(join_code=join_code)
        return (await self._call(self._matchmaking.JoinTicket, request)).ticket

    async def cancel_ticket(self, ticket_id: str) -> matchmaking_pb2.Ticket:
        """End a ticket, for the whole party."""
        request = matchmaking_pb2.CancelTicketRequest(ticket_id=ticket_id)
        return (await self._call(self._matchmaking.CancelTicket, request)).ticket

    async def watch_ticket(self, ticket_id: str) -> AsyncGenerator[matchmaking_pb2.Ticket, None]:
        """A ticket as it stands, again whenever that changes, until it has ended; outlives the connection."""

        def request() -> matchmaking_pb2.WatchTicketRequest:
            return matchmaking_pb2.WatchTicketRequest(ticket_id=ticket_id)

        async with aclosing(self._unbroken(self._matchmaking.WatchTicket, request)) as responses:
            async for response in responses:
                yield response.ticket

    async def accept_match(self, ticket_id: str, match_id: str, *, decline: bool = False) -> matchmaking_pb2.Ticket:
        """Accept a match that wants it, or decline it."""
        request = matchmaking_pb2.AcceptMatchRequest(ticket_id=ticket_id, match_id=match_id, decline=decline)
        return (await self._call(self._matchmaking.AcceptMatch, request)).ticket

    async def queues(self, game_id: str = "") -> list[matchmaking_pb2.Queue]:
        """How many wait, by game and number of players."""
        request = matchmaking_pb2.ListQueuesRequest(game_id=game_id)
        return list((await self._call(self._matchmaking.ListQueues, request)).queues)

    async def ratings(
        self, game_id: str, players: int = 0, *, player_id: str = "", bot: str = ""
    ) -> list[matchmaking_pb2.Rating]:
        """One's own ratings, or another's, or a bot's: for that number of players, or for each the game takes."""
        request = matchmaking_pb2.GetRatingRequest(game_id=game_id, players=players)
        if bot:
            request.bot = bot
        elif player_id:
            request.player_id = player_id
        return list((await self._call(self._matchmaking.GetRating, request)).ratings)

    async def leaderboard(
        self, game_id: str, players: int, *, page_size: int = 0, page_token: str = ""
    ) -> matchmaking_pb2.ListLeaderboardResponse:
        """A page of the best players, the first if no token is given."""
        request = matchmaking_pb2.ListLeaderboardRequest(
            game_id=game_id, players=players, page_size=page_size, page_token=page_token
        )
        return await self._call(self._matchmaking.ListLeaderboard, request)

    async def _unbroken(
        self, method: grpc.aio.UnaryStreamMultiCallable[Q, R], request: Callable[[], Q]
    ) -> AsyncGenerator[R, None]:
        """A stream that is asked for again, with a request made anew, whenever the server goes away."""
        while True:
            asked = request()
            call = method(asked, metadata=self._metadata(), wait_for_ready=True)
            try:
                async for response in call:
                    yield response
                return
            except grpc.aio.AioRpcError as error:
                refused = refusal_of(error, self._addresses.asked(asked))
                if not is_passing(refused):
                    raise refused from None
                await asyncio.sleep(refused.retry_after or RECONNECT_SECONDS)
            finally:
                call.cancel()

    async def _stream(
        self, method: grpc.aio.UnaryStreamMultiCallable[Q, R], request: Q, wishes: Thinking
    ) -> AsyncGenerator[R, None]:
        """A stream of thoughts: it is not asked for again, the thinking would begin anew."""
        call = method(request, metadata=self._metadata(), timeout=CALL_SECONDS + longest_seconds(wishes))
        try:
            async for response in call:
                yield response
        except grpc.aio.AioRpcError as error:
            raise refusal_of(error, self._addresses.asked(request)) from None
        finally:
            call.cancel()

    @property
    def _bots(self) -> bots_pb2_grpc.BotServiceAsyncStub:
        if self._bots_channel is None:
            raise ValueError("this client was not told where the bots server is")
        return bots_pb2_grpc.BotServiceStub(self._bots_channel)

    @property
    def _matchmaking(self) -> matchmaking_pb2_grpc.MatchmakingServiceAsyncStub:
        if self._matchmaking_channel is None:
            raise ValueError("this client was not told where the matchmaking server is")
        return matchmaking_pb2_grpc.MatchmakingServiceStub(self._matchmaking_channel)

    def _metadata(self) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {self.token}"),) if self.token else ()

    async def _call(
        self, method: grpc.aio.UnaryUnaryMultiCallable[Q, R], request: Q, seconds: float = CALL_SECONDS
    ) -> R:
        try:
            return await method(request, metadata=self._metadata(), timeout=seconds)
        except grpc.aio.AioRpcError as error:
            raise refusal_of(error, self._addresses.asked(request)) from None
