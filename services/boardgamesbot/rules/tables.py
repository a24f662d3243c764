"""The use cases of a table: load it, work out the change, commit it, or say why not."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from boardgamesbot.games import registry
from boardgamesbot.games.chance import SEED_BYTES, ChanceStream
from boardgamesbot.players.registry import STAND_IN
from boardgamesbot.rules import changes, clocks, codes, fields, measured, showing
from boardgamesbot.rules.archived import ArchivedTables
from boardgamesbot.rules.changes import Change
from boardgamesbot.rules.history import PlayedMove, history_of, record_of
from boardgamesbot.rules.live import ENDED, LiveTable, LiveTables, decode_table
from boardgamesbot.runtime import errors, logs
from boardgamesbot.runtime.tokens import bot_player
from boardgamesbot.store.finished import RESULTS_KEPT_SECONDS
from boardgamesbot.store.keys import derived_table_id
from boardgamesbot.store.opened import TooManyOpen
from boardgamesbot.store.tables import Commit, Committed, Early, NotFound, Stale, UndoBase, Wake
from boardgamesbot.v1 import games_pb2, tables_pb2
from boardgamesbot.v1.players_pb2 import PLAYER_KIND_BOT, Player

if TYPE_CHECKING:
    from boardgamesbot.games.base import State
    from boardgamesbot.players.registry import Bot
    from boardgamesbot.runtime.settings import Settings
    from boardgamesbot.store.opened import OpenedTables
    from boardgamesbot.store.tables import TableStore

log = logs.logger(__name__)

R = TypeVar("R", tables_pb2.SubmitMoveResponse, tables_pb2.UndoMoveResponse)

LISTED_AS = {
    tables_pb2.TABLE_STATUS_OPEN: "open",
    tables_pb2.TABLE_STATUS_PLAYING: "playing",
    tables_pb2.TABLE_STATUS_FINISHED: "finished",
}
RACES = 50
"""How often a change without a version is tried again when others are quicker."""


class Tables:
    """What can be done with tables, on one store. Keeps no state but a cache: any replica serves any table."""

    def __init__(
        self,
        store: TableStore,
        opened: OpenedTables,
        settings: Settings,
        secret: bytes,
        archived: ArchivedTables | None = None,
    ) -> None:
        """`secret`, the same for all replicas, keeps the ids of tables from being worked out."""
        self._store = store
        self._opened = opened
        self._secret = secret
        self._settings = settings
        self._archived = archived or ArchivedTables(None)
        self.live = LiveTables(store, self._archived)

    async def create(
        self,
        host: Player,
        game_id: str,
        players: int,
        options: games_pb2.GameOptions,
        visibility: tables_pb2.TableVisibility.ValueType,
        request_id: str,
        *,
        rated: bool = True,
        clock: tables_pb2.Clock | None = None,
        with_code: bool = False,
    ) -> LiveTable:
        """Open a table. The same player's same request id gives the same table."""
        game = fields.read("", registry.game, game_id)
        codec = registry.codec(game.id)
        chosen = fields.read("options", codec.options_from, options)
        fields.read("", lambda so_many: game.check_players(so_many, chosen), players)
        digest = hmac.digest(self._secret, f"{host.id}\0{request_id}".encode(), "sha256")
        table_id = derived_table_id(digest, self._settings.slots)
        try:
            await self._opened.add(host.id, table_id, self._is_open)
        except TooManyOpen:
            raise errors.too_many_tables(self._settings.player_open_tables) from None
        code = await self._free_code(digest, table_id) if with_code else ""
        change = changes.created(
            table_id, codec, players, chosen, visibility, host, rated=rated, clock=clock, code=code
        )
        try:
            await self._commit(change, request_key=f"{host.id}:create:{request_id}")
        except Stale:
            log.debug("table made before", table=table_id)
        return await self.live.now(table_id)

    async def open_match(
        self,
        match_id: str,
        game_id: str,
        options: games_pb2.GameOptions,
        players: Sequence[Player],
        *,
        rated: bool,
        clock: tables_pb2.Clock | None = None,
    ) -> LiveTable:
        """Open the table of a match and begin its game. The same match gives the same table."""
        game = fields.read("", registry.game, game_id)
        codec = registry.codec(game.id)
        chosen = fields.read("options", codec.options_from, options)
        fields.read("", lambda so_many: game.check_players(so_many, chosen), len(players))
        digest = hmac.digest(self._secret, f"match\0{match_id}".encode(), "sha256")
        table_id = derived_table_id(digest, self._settings.slots)
        for player in players:
            if not player.bot:
                await self._store.remember_seat(player.id, table_id)
        seed = secrets.token_bytes(SEED_BYTES)
        change = changes.opened(table_id, codec, chosen, players, seed, match_id, rated=rated, clock=clock)
        try:
            await self._commit(change, request_key=f"match:{match_id}")
        except Stale:
            log.debug("table of the match made before", table=table_id)
        return await self.live.now(table_id)

    async def _is_open(self, table_id: str) -> bool:
        try:
            live = await self.live.now(table_id)
        except errors.ApiError:
            return False
        return live.table.status == tables_pb2.TABLE_STATUS_OPEN

    async def shown(self, live: LiveTable, player: Player) -> tables_pb2.Table:
        """The table as `player` may see it at this moment."""
        return await showing.shown(live.table, player.id, self._store)

    async def by_code(self, typed: str) -> LiveTable:
        """The table that has a code. Raises ApiError (CODE_NOT_FOUND)."""
        code = codes.typed(typed)
        table_id = await self._store.table_of_code(code)
        if table_id is not None:
            try:
                live = await self.live.now(table_id)
            except errors.ApiError as error:
                if error.reason != "TABLE_NOT_FOUND":
                    raise
            else:
                if live.table.code == code:
                    return live
        raise errors.code_not_found(code)

    async def take_seat(self, player: Player, table_id: str, seat: int | None) -> tuple[LiveTable, int]:
        """Give `player` a seat; the one they have already, or are away from, is given again."""

        def change(live: LiveTable) -> Change | None:
            own = live.seat_of(player.id)
            if own is not None and (seat is None or seat == own):
                return None
            left = live.seat_left_by(player.id)
            if left is not None and seat in (None, left):
                return None if live.table.seats[left].returning else changes.returned(live, left)
            return changes.seat_taken(live, player, seat)

        await self.live.now(table_id)
        await self._store.remember_seat(player.id, table_id)
        live = await self._change(table_id, change)
        taken = live.seat_of(player.id)
        if taken is None:
            taken = live.seat_left_by(player.id)
        if taken is None:
            raise errors.seat_taken("the seat was taken away in the same moment", version=live.version)
        return live, taken

    async def leave_seat(self, player: Player, table_id: str, seat: int | None) -> LiveTable:
        """Free the player's seat, or, by the host, another's. A seat that is free already stays so."""

        def change(live: LiveTable) -> Change | None:
            own = live.seat_of(player.id)
            leaving = own if seat is None else seat
            if leaving is None:
                return None
            changes.want_seat(live, leaving)
            if leaving != own:
                changes.want_host(live, player)
            if not live.table.seats[leaving].HasField("player"):
                return None
            return changes.seat_left(live, leaving, player)

        return await self._change(table_id, change)

    async def swap_seats(self, player: Player, table_id: str, seat: int, other: int) -> LiveTable:
        """Have those on two seats change places, by the host."""

        def change(live: LiveTable) -> Change:
            changes.want_host(live, player)
            return changes.seats_swapped(live, seat, other)

        return await self._change(table_id, change)

    async def start(self, player: Player, table_id: str) -> LiveTable:
        """Begin the game. One that is on already stays as it is."""
        seed = secrets.token_bytes(SEED_BYTES)

        def change(live: LiveTable) -> Change | None:
            changes.want_host(live, player)
            if live.status == tables_pb2.TABLE_STATUS_PLAYING:
                return None
            options = live.codec.options_from(live.table.options)
            return changes.started(live, options, seed)

        return await self._change(table_id, change)

    async def resign(self, player: Player, table_id: str, seat: int) -> LiveTable:
        """Give up a seat. One that was given up already stays so."""

        def change(live: LiveTable) -> Change | None:
            changes.want_seat(live, seat)
            if live.table.seats[seat].resigned.id == player.id:
                return None
            if live.seat_left_by(player.id) != seat:
                changes.want_own_seat(live, seat, player)
            return changes.resigned(live, seat, _stand_in(table_id, seat))

        return await self._change(table_id, change)

    async def end(self, table_id: str, reason: str) -> LiveTable:
        """End a table for those who run the platform."""
        return await self._change(table_id, lambda live: changes.ended(live, reason))

    async def seat_bot(self, table_id: str, seat: int, bot: Bot, reason: str) -> LiveTable:
        """Give a seat to a bot for those who run the platform. One that has it already keeps it."""

        def change(live: LiveTable) -> Change | None:
            changes.want_seat(live, seat)
            if live.table.game_id not in bot.brains:
                raise errors.invalid_field("bot", f"{bot.name} does not play {live.game.name}")
            if live.table.seats[seat].player.bot == bot.id:
                return None
            taken = {other.player.name for other in live.table.seats if other.seat != seat}
            player = bot_player(bot.id, changes.free_name(bot.name, taken), table_id, f"seat{seat}")
            return changes.bot_seated(live, seat, player, reason)

        return await self._change(table_id, change)

    async def run_out(self, table_id: str, version: int) -> bool:
        """Act on it that somebody's time is up, if it is and the table is still at `version`; whether that was done."""
        live = await self.live.at(table_id, version)
        if live.version != version or not live.table.HasField("running"):
            return False
        change = changes.out_of_time(live, _stand_in(table_id, live.table.running.seat))
        try:
            await self._commit(change, made_for=live.commit, only_overdue=True)
        except (Early, Stale):
            return False
        return True

    async def submit(self, player: Player, request: tables_pb2.SubmitMoveRequest) -> tables_pb2.SubmitMoveResponse:
        """Play a move, once, whatever is sent twice."""
        live = await self.live.at(request.table_id, request.version)
        changes.want_own_seat(live, request.seat, player)
        if live.version != request.version:
            return await self._answered(live, request, player, tables_pb2.SubmitMoveResponse)
        move = fields.read("move", live.codec.move_from, request.move)
        try:
            change = changes.move_played(live, request.seat, request.move, move)
        except errors.ApiError:
            # Kept in memory, the table may have moved on elsewhere: then that is the answer.
            live = await self.live.now(request.table_id)
            if live.version != request.version:
                return await self._answered(live, request, player, tables_pb2.SubmitMoveResponse)
            raise
        answer = tables_pb2.SubmitMoveResponse(version=change.after.version, summary=change.after.table.summary)
        committed = await self._commit_exactly(change, live.commit, request, player, answer.SerializeToString())
        if committed.repeated:
            return tables_pb2.SubmitMoveResponse.FromString(committed.answer)
        measured.played(player, request.move)
        return answer

    async def undo(self, player: Player, request: tables_pb2.UndoMoveRequest) -> tables_pb2.UndoMoveResponse:
        """Take back the player's last move, by playing those before it again that could be taken back too."""
        live = await self.live.at(request.table_id, request.version)
        changes.want_own_seat(live, request.seat, player)
        if live.version != request.version:
            return await self._answered(live, request, player, tables_pb2.UndoMoveResponse)
        try:
            changes.want_undoable(live, request.seat)
        except errors.ApiError:
            live = await self.live.now(request.table_id)
            if live.version != request.version:
                return await self._answered(live, request, player, tables_pb2.UndoMoveResponse)
            raise
        base = await self._store.undo_base(live.id)
        history = history_of(await self._store.events(live.id, base.version if base else 0), live.version)
        if base and history.undone >= self._settings.undo_limit:
            raise changes.undone_too_often(live, self._settings.undo_limit)
        if not history.standing or history.standing[-1].stood_in:
            raise changes.undo_refused(live)
        state = _replayed(live, base, history.standing[:-1])
        change = changes.move_undone(live, request.seat, state, history.standing[-1].version - 1)
        answer = tables_pb2.UndoMoveResponse(version=change.after.version)
        committed = await self._commit_exactly(change, live.commit, request, player, answer.SerializeToString())
        return tables_pb2.UndoMoveResponse.FromString(committed.answer)

    async def record(self, table_id: str) -> games_pb2.GameRecord:
        """The record of a finished game. Raises ApiError (WRONG_STATUS) before the end: it holds every secret."""
        stored = await self._store.load(table_id)
        if stored is None:
            archived = await self._archived.find(table_id)
            if archived is None:
                raise errors.table_not_found(table_id)
            return archived.record
        table = decode_table(stored)
        if table.status != tables_pb2.TABLE_STATUS_FINISHED:
            raise errors.precondition("WRONG_STATUS", "a record is given once the game is over", version=stored.version)
        history = history_of(await self._store.events(table_id, 0), stored.version)
        return record_of(table, stored.snapshot, history.standing)

    async def page(
        self, game_id: str, status: tables_pb2.TableStatus.ValueType, page_size: int, page_token: str
    ) -> tuple[list[tables_pb2.Table], str]:
        """A page of public tables, newest first, and the token of the next."""
        if game_id:
            fields.read("", registry.game, game_id)
        if status and status not in LISTED_AS:
            raise errors.invalid_field("status", "only open, playing and finished tables are listed")
        wanted = [LISTED_AS[status]] if status else ["open", "playing"]
        tables: list[tables_pb2.Table] = []
        token = page_token
        while len(tables) < page_size:
            try:
                stored, token = await self._store.list(wanted, page_size - len(tables), token)
            except ValueError:
                raise errors.invalid_field("page_token", "is not one this server gave") from None
            tables += [t for t in map(decode_table, stored) if not game_id or t.game_id == game_id]
            if not token:
                break
        return tables, token

    async def turns(self, player: Player) -> list[tuple[LiveTable, int]]:
        """Every table where the decision is the player's, with their seat."""
        found = []
        for table_id in sorted(await self._store.tables_of(player.id)):
            try:
                live = await self.live.now(table_id)
            except errors.ApiError as error:
                if error.reason == "TABLE_NOT_FOUND":
                    await self._store.forget_seat(player.id, table_id)
                continue
            seat = live.seat_of(player.id)
            if live.state is not None and seat is not None and live.state.actor == seat:
                found.append((live, seat))
            elif live.status in ENDED or (
                seat is None and live.state is not None and live.seat_left_by(player.id) is None
            ):
                await self._store.forget_seat(player.id, table_id)
        return found

    async def leave_all(self, player: Player) -> None:
        """Give up every seat the player has: a bot plays on where the game has begun."""
        for table_id in sorted(await self._store.tables_of(player.id)):
            try:
                live = await self.live.now(table_id)
                seat = live.seat_of(player.id)
                if seat is not None and live.status == tables_pb2.TABLE_STATUS_PLAYING:
                    await self.resign(player, table_id, seat)
                elif seat is not None and live.status == tables_pb2.TABLE_STATUS_OPEN:
                    await self.leave_seat(player, table_id, seat)
            except errors.ApiError as error:
                log.debug("seat not given up", table=table_id, player=player.id, reason=error.reason)
            await self._store.forget_seat(player.id, table_id)

    async def _change(self, table_id: str, change: Callable[[LiveTable], Change | None]) -> LiveTable:
        """Make a change to whatever version the table is at; None means that nothing is to be done."""
        for _ in range(RACES):
            live = await self.live.now(table_id)
            made = change(live)
            if made is None:
                return live
            try:
                await self._commit(made, made_for=live.commit)
            except Stale:
                continue
            return made.after
        raise errors.unavailable("BUSY", "too many changes at once at this table: try again", 0.2)

    async def _commit_exactly(
        self,
        change: Change,
        made_for: str,
        request: tables_pb2.SubmitMoveRequest | tables_pb2.UndoMoveRequest,
        player: Player,
        answer: bytes,
    ) -> Committed:
        try:
            key = _request_key(player, request)
            return await self._commit(change, made_for=made_for, request_key=key, answer=answer)
        except Stale as error:
            raise errors.stale(request.version, error.current_version) from None

    async def _answered(
        self,
        live: LiveTable,
        request: tables_pb2.SubmitMoveRequest | tables_pb2.UndoMoveRequest,
        player: Player,
        kind: type[R],
    ) -> R:
        """The first answer to a request that comes again; else it is stale."""
        answer = await self._store.answer(live.id, _request_key(player, request))
        if answer is None:
            raise errors.stale(request.version, live.version)
        return kind.FromString(answer)

    async def _free_code(self, digest: bytes, table_id: str) -> str:
        """A code that is no other table's, the table's own from now on."""
        for attempt in range(codes.TRIES):
            code = codes.code_from(digest, attempt)
            if await self._store.take_code(code, table_id, self._open_seconds):
                return code
        raise errors.unavailable("BUSY", "no free code was found: try again", 0.2)

    @property
    def _open_seconds(self) -> int:
        return int(self._settings.open_table_hours * 3600)

    async def _commit(
        self,
        change: Change,
        *,
        made_for: str = "",
        request_key: str | None = None,
        answer: bytes = b"",
        only_overdue: bool = False,
    ) -> Committed:
        """Make a change to the version that the commit `made_for` made."""
        after = change.after
        table, state = after.table, after.state
        actor = None if state is None or table.status != tables_pb2.TABLE_STATUS_PLAYING else state.actor
        on_turn = None if actor is None else table.seats[actor].player
        wake = None
        if on_turn is not None and actor is not None and on_turn.kind == PLAYER_KIND_BOT:
            trace = measured.trace_onward(change)
            wake = Wake(seat=actor, bot=on_turn.bot, player_id=on_turn.id, trace=trace)
        public = table.visibility == tables_pb2.TABLE_VISIBILITY_PUBLIC
        table.ClearField("running")
        is_open = table.status == tables_pb2.TABLE_STATUS_OPEN
        is_finished = table.status == tables_pb2.TABLE_STATUS_FINISHED
        lifetime = int(self._settings.table_days * 86_400 + clocks.longest_seconds(table))
        if is_finished and self._settings.archive:
            lifetime = max(lifetime, RESULTS_KEPT_SECONDS)  # until it is archived, which makes it less
        winding = clocks.winding(after, change.event, only_overdue=only_overdue)
        if is_open and table.code:
            await self._store.keep_code(table.code, self._open_seconds)
        commit = Commit(
            table_id=after.id,
            expected_version=after.version - 1,
            expected_commit=made_for,
            request_id=request_key,
            answer=answer,
            table=table.SerializeToString(),
            snapshot=b"" if state is None else after.codec.state_to(state).SerializeToString(),
            event=change.event.SerializeToString(),
            move=b"" if change.move is None else change.move.SerializeToString(),
            wake=wake,
            deadline_ms=None if wake is None else self._settings.bot_again_ms,
            winding=winding,
            listed=LISTED_AS.get(table.status) if public else None,
            notify=() if on_turn is None or wake is not None else (on_turn.id,),
            expire_s=self._open_seconds if is_open else lifetime,
            finished=is_finished,
            base=change.base,
            counted=measured.counted_as(after),
        )
        try:
            with measured.committing(change):
                committed = await self._store.commit(commit)
        except NotFound:
            self.live.forget(after.id)
            raise errors.table_not_found(after.id) from None
        except Stale:
            self.live.forget(after.id)
            raise
        measured.committed(change, committed)
        if committed.clocks is not None:
            clocks.show(table, committed.clocks)
        if committed.repeated or (winding is not None and committed.clocks is None):
            self.live.forget(after.id)
        elif after.version > 1:
            self.live.keep(LiveTable(table, state, committed.commit))
        return committed


def _stand_in(table_id: str, seat: int) -> Player:
    return bot_player(STAND_IN.id, STAND_IN.name, table_id, f"seat{seat}")


def _request_key(player: Player, request: tables_pb2.SubmitMoveRequest | tables_pb2.UndoMoveRequest) -> str:
    """What tells a request from all others: the same id of another player, or for something else, is another."""
    return f"{player.id}:{type(request).__name__}:{request.request_id}"


def _replayed(live: LiveTable, base: UndoBase | None, moves: Sequence[PlayedMove]) -> State:
    """The position after `moves`, from `base` on: without one, from the start of the game."""
    if base is None:
        options = live.codec.options_from(live.table.options)
        state, _ = live.game.new(len(live.table.seats), options, ChanceStream(_seed(live)))
    else:
        state = live.codec.state_from(games_pb2.GameState.FromString(base.snapshot))
    for played in moves:
        state.apply(live.codec.move_from(played.move))
    return state


def _seed(live: LiveTable) -> bytes:
    if live.state is None or not isinstance(live.state.chance, ChanceStream):
        raise TypeError("a table whose game has begun has a ChanceStream")
    return live.state.chance.seed
