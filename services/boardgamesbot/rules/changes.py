"""What can happen at a table: pure functions from one version of it to the next.

Each checks whether it may happen and says why not (ApiError); none touches the store.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import TYPE_CHECKING, Literal

from google.rpc.error_details_pb2 import QuotaFailure
from grpc import StatusCode

from boardgamesbot.games.base import IllegalMove, Move
from boardgamesbot.games.chance import ChanceStream, commitment
from boardgamesbot.games.proto import summary_to
from boardgamesbot.players.registry import BOTS, may_play
from boardgamesbot.rules.live import LiveTable
from boardgamesbot.runtime import errors
from boardgamesbot.runtime.tokens import bot_player
from boardgamesbot.v1 import games_pb2, tables_pb2
from boardgamesbot.v1.players_pb2 import PLAYER_KIND_BOT, PLAYER_KIND_BOT_ACCOUNT, Player
from boardgamesbot.v1.tables_pb2 import Table, TableChange, WatchResponse

if TYPE_CHECKING:
    from boardgamesbot.games.base import Options, State
    from boardgamesbot.games.proto import Codec


@dataclass(frozen=True)
class Change:
    """The next version of a table and what led to it, with nothing held back."""

    after: LiveTable
    event: WatchResponse
    move: games_pb2.GameMove | None = None
    base: Literal["", "mark", "clear"] = ""
    """Whether the position before is the one that moves are taken back to from now on; see `Commit.base`."""


def created(
    table_id: str,
    codec: Codec,
    players: int,
    options: Options,
    visibility: tables_pb2.TableVisibility.ValueType,
    host: Player,
    *,
    rated: bool = True,
    clock: tables_pb2.Clock | None = None,
    code: str = "",
) -> Change:
    """A table is opened. Where the rules give a seat to a bot, it sits there from the start, and nothing is rated."""
    game = codec.game
    bots_wanted = game.bots_wanted(options)
    table = Table(
        id=table_id,
        status=tables_pb2.TABLE_STATUS_OPEN,
        game_id=game.id,
        options=codec.options_to(options),
        ruleset_hash=game.ruleset.hash,
        visibility=visibility or tables_pb2.TABLE_VISIBILITY_PUBLIC,
        host=host.id,
        seats=[tables_pb2.Seat(seat=i, colour=game.seat_colours[i]) for i in range(players)],
        rated=rated and not bots_wanted,
        clock=clock,
        code=code,
    )
    for seat, bot in bots_wanted.items():
        table.seats[seat].player.CopyFrom(bot_player(bot, BOTS[bot].name, table_id, f"seat{seat}"))
    return _next(table, None, TableChange(kind=tables_pb2.TABLE_CHANGE_KIND_CREATED, player=host))


def seat_taken(live: LiveTable, player: Player, seat: int | None) -> Change:
    """A player takes a seat, or the first free one."""
    _want_open(live)
    if seat is None:
        free = [s.seat for s in live.table.seats if not s.HasField("player")]
        if not free:
            raise errors.seat_taken("every seat is taken", version=live.version)
        seat = free[0]
    want_seat(live, seat)
    _want_may_play(live, seat, player)
    holder = live.table.seats[seat]
    if holder.HasField("player"):
        raise errors.seat_taken(f"seat {seat} is taken by {holder.player.name}", version=live.version)
    own = live.seat_of(player.id)
    if own is not None:
        raise errors.seat_taken(f"you have seat {own} already: leave it first", version=live.version)
    table = _copy(live)
    table.seats[seat].player.CopyFrom(player)
    return _next(table, None, TableChange(kind=tables_pb2.TABLE_CHANGE_KIND_SEAT_TAKEN, seat=seat, player=player))


def seat_left(live: LiveTable, seat: int, by: Player) -> Change:
    """A seat is freed before the game, by its player or the host.

    When the last person leaves, the table closes; a host who leaves passes that on.
    """
    _want_open(live)
    player = live.table.seats[seat].player
    if seat in _bots_wanted(live):
        raise _seat_for_bot(live, seat, player.bot, f"is {player.name}'s by the rules: it can't be freed")
    table = _copy(live)
    table.seats[seat].ClearField("player")
    people = [s.player for s in table.seats if s.HasField("player") and is_person(s.player)]
    if not people and player.id == by.id:
        table.status = tables_pb2.TABLE_STATUS_CLOSED
        change = TableChange(kind=tables_pb2.TABLE_CHANGE_KIND_CLOSED, seat=seat, player=player)
        return _next(table, None, change)
    if people and table.host == player.id:
        table.host = people[0].id
    return _next(table, None, TableChange(kind=tables_pb2.TABLE_CHANGE_KIND_SEAT_LEFT, seat=seat, player=player))


def seats_swapped(live: LiveTable, seat: int, other: int) -> Change:
    """Those on two seats change places."""
    _want_open(live)
    want_seat(live, seat)
    want_seat(live, other, field="other_seat")
    wanted = _bots_wanted(live)
    for one in (seat, other):
        if one in wanted:
            what = f"is {live.table.seats[one].player.name}'s by the rules: it can't be swapped"
            raise _seat_for_bot(live, one, wanted[one], what)
    table = _copy(live)
    for here, there in ((seat, other), (other, seat)):
        holder = live.table.seats[there]
        if holder.HasField("player"):
            table.seats[here].player.CopyFrom(holder.player)
        else:
            table.seats[here].ClearField("player")
    kind = tables_pb2.TABLE_CHANGE_KIND_SWAPPED
    return _next(table, None, TableChange(kind=kind, seat=seat, other_seat=other))


def started(live: LiveTable, options: Options, seed: bytes) -> Change:
    """The game begins with `seed`; its commitment is published with it."""
    _want_open(live)
    empty = [str(s.seat) for s in live.table.seats if not s.HasField("player")]
    if empty:
        raise errors.precondition("SEATS_EMPTY", f"nobody has seat {', '.join(empty)} yet", version=live.version)
    state, events = live.game.new(len(live.table.seats), options, ChanceStream(seed))
    table = _copy(live)
    table.status = tables_pb2.TABLE_STATUS_PLAYING
    table.seed_commitment = commitment(seed)
    table.summary.CopyFrom(summary_to(state))
    change = TableChange(
        kind=tables_pb2.TABLE_CHANGE_KIND_STARTED, events=[live.codec.event_to(event) for event in events]
    )
    return _next(table, state, change)


def opened(
    table_id: str,
    codec: Codec,
    options: Options,
    players: Sequence[Player],
    seed: bytes,
    match_id: str,
    *,
    rated: bool,
    clock: tables_pb2.Clock | None,
) -> Change:
    """A table is opened for a match, everybody seated, and the game begins: all of it its first version.

    The first person is the host. A bot is given by its id alone.
    """
    public = tables_pb2.TABLE_VISIBILITY_PUBLIC
    live = created(table_id, codec, len(players), options, public, players[0], rated=rated, clock=clock).after
    table = live.table
    table.match_id = match_id
    table.host = next(player.id for player in players if is_person(player))
    names = {player.name for player in players if not player.bot}
    for seat, player in zip(table.seats, players, strict=True):
        if player.bot:
            player = bot_player(player.bot, free_name(BOTS[player.bot].name, names), table_id, f"seat{seat.seat}")
            names.add(player.name)
        seat.player.CopyFrom(player)
    change = started(live, options, seed)
    change.after.table.version = change.event.version = 1
    return change


def free_name(name: str, taken: Collection[str]) -> str:
    """A bot's name, numbered where somebody has it already."""
    names = chain((name,), (f"{name} {number}" for number in count(2)))
    return next(name for name in names if name not in taken)


def move_played(live: LiveTable, seat: int, message: games_pb2.GameMove, move: Move) -> Change:
    """The seat whose decision it is plays a move."""
    state = live.playing()
    if state.actor != seat:
        raise errors.precondition("NOT_YOUR_TURN", f"the decision is seat {state.actor}'s", version=live.version)
    try:
        state.check(move)
    except IllegalMove as refusal:
        raise errors.illegal_move(refusal, live.version) from None
    had_base = state.undoable
    state = state.copy()
    events = state.apply(move)
    table = _copy(live)
    is_over = state.is_over
    summary = summary_to(state, live.eligible() if is_over else None)
    table.summary.CopyFrom(summary)
    if is_over:
        events = [event.won_by(summary.winners) for event in events]
        table.status = tables_pb2.TABLE_STATUS_FINISHED
    mover = table.seats[seat]
    event = WatchResponse(version=table.version)
    played = event.move_played
    played.seat = seat
    played.events.extend(map(live.codec.event_to, events))
    played.summary.CopyFrom(summary)
    played.stood_in = mover.HasField("away")
    if mover.returning:
        _give_back(mover)
    base: Literal["", "mark", "clear"] = "" if had_base else "mark"
    return Change(LiveTable(table, state), event, message, base if state.undoable else "clear")


def want_undoable(live: LiveTable, seat: int) -> None:
    """Raise ApiError unless the seat's last move may be taken back."""
    state = live.playing()
    if state.actor != seat or not state.undoable:
        raise undo_refused(live)


def undo_refused(live: LiveTable) -> errors.ApiError:
    """Why a move can't be taken back."""
    return errors.precondition(
        "UNDO_REFUSED",
        "only a move that revealed nothing can be taken back, by the player who made it and whose decision it still is",
        version=live.version,
    )


def undone_too_often(live: LiveTable, limit: int) -> errors.ApiError:
    """Why no more moves are taken back in this turn."""
    message = f"moves of one turn can be taken back {limit} times, and that has been done: play on"
    violation = QuotaFailure.Violation(subject="turn", description=message)
    return errors.ApiError(
        StatusCode.RESOURCE_EXHAUSTED,
        "UNDO_LIMIT",
        message,
        metadata={"version": str(live.version), "limit": str(limit)},
        details=[QuotaFailure(violations=[violation])],
    )


def move_undone(live: LiveTable, seat: int, state: State, restored_version: int) -> Change:
    """A move is taken back: the game is `state` again, as at `restored_version`."""
    table = _copy(live)
    table.summary.CopyFrom(summary_to(state, live.eligible()))
    undone = tables_pb2.MoveUndone(seat=seat, restored_version=restored_version, summary=table.summary)
    return Change(LiveTable(table, state), WatchResponse(version=table.version, move_undone=undone))


def resigned(live: LiveTable, seat: int, stand_in: Player) -> Change:
    """A player gives up, be they at the table or away from it: `stand_in` plays on, and the seat can't win."""
    state = live.playing()
    left = live.table.seats[seat]
    player = left.away if left.HasField("away") else left.player
    table = _copy(live)
    table.seats[seat].ClearField("away")
    table.seats[seat].ClearField("returning")
    table.seats[seat].resigned.CopyFrom(player)
    table.seats[seat].resigned_version = table.version
    table.seats[seat].player.CopyFrom(stand_in)
    table.summary.CopyFrom(summary_to(state, LiveTable(table, state).eligible()))
    return _next(table, state, TableChange(kind=tables_pb2.TABLE_CHANGE_KIND_RESIGNED, seat=seat, player=player))


def ended(live: LiveTable, reason: str) -> Change:
    """Those who run the platform end the table: nobody has won, and the game is forgotten."""
    if live.status not in (tables_pb2.TABLE_STATUS_OPEN, tables_pb2.TABLE_STATUS_PLAYING):
        raise errors.precondition("WRONG_STATUS", "the table has ended already", version=live.version)
    table = _copy(live)
    table.status = tables_pb2.TABLE_STATUS_CLOSED
    table.ended_reason = reason
    table.summary.ClearField("actor")
    return _next(table, None, TableChange(kind=tables_pb2.TABLE_CHANGE_KIND_ENDED, reason=reason))


def bot_seated(live: LiveTable, seat: int, bot: Player, reason: str) -> Change:
    """Those who run the platform give a seat to a bot. A person who had it in a game may take it again."""
    if live.status not in (tables_pb2.TABLE_STATUS_OPEN, tables_pb2.TABLE_STATUS_PLAYING):
        raise errors.precondition("WRONG_STATUS", "the table has ended already", version=live.version)
    want_seat(live, seat)
    _want_may_play(live, seat, bot)
    table = _copy(live)
    holder = table.seats[seat]
    is_persons = holder.HasField("player") and holder.player.kind != PLAYER_KIND_BOT
    if is_persons and live.status == tables_pb2.TABLE_STATUS_PLAYING:
        holder.away.CopyFrom(holder.player)
    holder.returning = False
    holder.player.CopyFrom(bot)
    kind = tables_pb2.TABLE_CHANGE_KIND_BOT_SEATED
    return _next(table, live.state, TableChange(kind=kind, seat=seat, player=bot, reason=reason))


def out_of_time(live: LiveTable, stand_in: Player) -> Change:
    """The time of the player whose clock runs is up: the table's clock says what that means."""
    seat = live.table.running.seat
    player = live.table.seats[seat].player
    if live.table.clock.at_zero == tables_pb2.AT_ZERO_RESIGN:
        change = resigned(live, seat, stand_in)
        change.event.table_change.kind = tables_pb2.TABLE_CHANGE_KIND_OUT_OF_TIME
        return change
    table = _copy(live)
    table.seats[seat].away.CopyFrom(player)
    table.seats[seat].returning = live.table.clock.at_zero == tables_pb2.AT_ZERO_MOVE
    table.seats[seat].player.CopyFrom(stand_in)
    kind = tables_pb2.TABLE_CHANGE_KIND_OUT_OF_TIME
    return _next(table, live.playing(), TableChange(kind=kind, seat=seat, player=player))


def returned(live: LiveTable, seat: int) -> Change:
    """Who was away takes the seat again; where the bot is at a decision, it makes that one first."""
    state = live.playing()
    away = live.table.seats[seat].away
    clock, bank_ms = live.table.clock, live.table.seats[seat].bank_ms
    if clock.HasField("bank") and not (bank_ms or clock.bank.increment.ToMilliseconds()):
        raise errors.precondition(
            "NO_TIME_LEFT", "the time you had for the game is used up: the bot plays on", version=live.version
        )
    table = _copy(live)
    if state.actor == seat:
        table.seats[seat].returning = True
    else:
        _give_back(table.seats[seat])
    kind = tables_pb2.TABLE_CHANGE_KIND_RETURNED
    return _next(table, state, TableChange(kind=kind, seat=seat, player=away))


def _give_back(seat: tables_pb2.Seat) -> None:
    seat.player.CopyFrom(seat.away)
    seat.ClearField("away")
    seat.ClearField("returning")


def want_seat(live: LiveTable, seat: int, field: str = "seat") -> None:
    """Raise ApiError unless the table has such a seat."""
    if not 0 <= seat < len(live.table.seats):
        raise errors.invalid_field(field, f"must be 0 to {len(live.table.seats) - 1}, not {seat}")


def want_own_seat(live: LiveTable, seat: int, player: Player) -> None:
    """Raise ApiError unless the seat is the player's."""
    want_seat(live, seat)
    holder = live.table.seats[seat]
    if not holder.HasField("player") or holder.player.id != player.id:
        raise errors.denied("NOT_YOUR_SEAT", f"seat {seat} is not yours", field="seat")


def _bots_wanted(live: LiveTable) -> Mapping[int, str]:
    return live.game.bots_wanted(live.codec.options_from(live.table.options))


def _want_may_play(live: LiveTable, seat: int, player: Player) -> None:
    """Raise ApiError where the rules give the seat to a bot other than `player`, or none to the bot `player` is."""
    wanted = _bots_wanted(live)
    if may_play(player.bot, seat, wanted):
        return
    if seat in wanted:
        raise _seat_for_bot(live, seat, wanted[seat], f"is {BOTS[wanted[seat]].name}'s by the rules: take another")
    raise _seat_for_bot(live, seat, player.bot, f"is not {player.name}'s, who plays only where the rules say so")


def _seat_for_bot(live: LiveTable, seat: int, bot: str, what: str) -> errors.ApiError:
    message = f"seat {seat} of this table {what}"
    return errors.denied("SEAT_FOR_BOT", message, field="seat", bot=bot, version=str(live.version))


def want_host(live: LiveTable, player: Player) -> None:
    """Raise ApiError unless the player is the host."""
    if live.table.host != player.id:
        raise errors.denied("NOT_HOST", "only the host of the table may do this")


def is_person(player: Player) -> bool:
    """Whether the player is neither a bot of the platform's nor one from outside: who may be the host of a table."""
    return not player.bot and player.kind not in (PLAYER_KIND_BOT, PLAYER_KIND_BOT_ACCOUNT)


def _want_open(live: LiveTable) -> None:
    if live.status != tables_pb2.TABLE_STATUS_OPEN:
        word = tables_pb2.TableStatus.Name(live.status).removeprefix("TABLE_STATUS_").lower()
        raise errors.precondition(
            "WRONG_STATUS", f"only before the game starts: the table is {word}", version=live.version
        )


def _copy(live: LiveTable) -> Table:
    table = Table()
    table.CopyFrom(live.table)
    table.version = live.version + 1
    return table


def _next(table: Table, state: State | None, change: TableChange) -> Change:
    if not table.version:
        table.version = 1
    return Change(LiveTable(table, state), WatchResponse(version=table.version, table_change=change))
