"""What happens at tables, as metrics and spans."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

from boardgamesbot.runtime import metrics, traces
from boardgamesbot.store.tables import Early, NotFound, Stale
from boardgamesbot.v1 import tables_pb2
from boardgamesbot.v1.players_pb2 import PLAYER_KIND_BOT, PLAYER_KIND_BOT_ACCOUNT

if TYPE_CHECKING:
    from boardgamesbot.rules.changes import Change
    from boardgamesbot.rules.live import LiveTable
    from boardgamesbot.store.tables import Committed
    from boardgamesbot.v1.games_pb2 import GameMove
    from boardgamesbot.v1.players_pb2 import Player

_COUNTED = {tables_pb2.TABLE_STATUS_OPEN: "open", tables_pb2.TABLE_STATUS_PLAYING: "playing"}
_OUTCOMES = {Stale: "stale", Early: "early", NotFound: "absent"}
_WHO = {PLAYER_KIND_BOT: "bot", PLAYER_KIND_BOT_ACCOUNT: "account"}


def counted_as(live: LiveTable) -> str:
    """What the store counts a table as: game and status; empty once its game is over."""
    status = _COUNTED.get(live.status)
    return f"{live.table.game_id}:{status}" if status else ""


@contextmanager
def committing(change: Change) -> Iterator[None]:
    """Measure the call of the store that makes a change."""
    began = perf_counter()
    live = change.after
    try:
        with traces.span("commit", game=live.table.game_id, table=live.id, version=live.version):
            yield
    except Exception as error:
        metrics.COMMITS.add(_OUTCOMES.get(type(error), "failed"))
        raise
    finally:
        metrics.COMMIT_SECONDS.observe(perf_counter() - began)


def committed(change: Change, made: Committed) -> None:
    """Count a change that stands."""
    metrics.COMMITS.add("repeated" if made.repeated else "made")
    if made.repeated:
        return
    table, event = change.after.table, change.event
    if event.HasField("table_change"):
        kind = tables_pb2.TableChangeKind.Name(event.table_change.kind)
        metrics.TABLE_CHANGES.add(table.game_id, kind.removeprefix("TABLE_CHANGE_KIND_").lower())
    if event.HasField("move_undone"):
        metrics.TABLE_CHANGES.add(table.game_id, "move_undone")
    if table.status == tables_pb2.TABLE_STATUS_FINISHED:
        metrics.TABLE_CHANGES.add(table.game_id, "finished")


def played(player: Player, message: GameMove) -> None:
    """Count a move that was accepted."""
    if metrics.are_kept():
        game = message.WhichOneof("game") or metrics.OTHER
        move = getattr(message, game, None)
        kind = (move.WhichOneof("kind") if move is not None else None) or metrics.OTHER
        metrics.MOVES.add(game, kind, _WHO.get(player.kind, "person"))


def trace_onward(change: Change) -> str:
    """What a bot's turn carries that the change brings about.

    It belongs to the trace of the person's click that it answers. After a bot's own move a trace of its own begins that
    points back: no trace is longer than a click and one bot's answer, however long bots play among themselves.
    """
    if not traces.are_on():
        return ""
    by_bot = False
    if change.event.HasField("move_played"):
        mover = change.after.table.seats[change.event.move_played.seat].player
        by_bot = mover.kind == PLAYER_KIND_BOT
    return traces.carry(anew=by_bot)
