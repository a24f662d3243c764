"""Finished tables as the rater reads them, without a game having been played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from boardgamesbot.store.keys import new_table_id
from boardgamesbot.store.tables import Commit, TableStore
from boardgamesbot.v1.games_pb2 import GameSummary
from boardgamesbot.v1.players_pb2 import PLAYER_KIND_BOT, PLAYER_KIND_GUEST, Player
from boardgamesbot.v1.tables_pb2 import TABLE_STATUS_FINISHED, Seat, Table


def person(name: str) -> Player:
    """Somebody; `ada` is called Ada."""
    return Player(id=f"guest-{name}", name=name.capitalize(), kind=PLAYER_KIND_GUEST)


def bot(bot_id: str) -> Player:
    """A bot at a table."""
    return Player(id=f"bot-{bot_id}-table-1", name=bot_id.capitalize(), kind=PLAYER_KIND_BOT, bot=bot_id)


def table(
    players: Sequence[Player],
    points: Sequence[int],
    *,
    winners: Sequence[int] | None = None,
    resigned: Mapping[int, int] | None = None,
    rated: bool = True,
    game_id: str = "agora",
) -> Table:
    """A finished table. Without `winners`, those with the most points; `resigned`: the version by seat."""
    made = Table(
        id=new_table_id(),
        status=TABLE_STATUS_FINISHED,
        game_id=game_id,
        seats=[Seat(seat=seat, player=player) for seat, player in enumerate(players)],
        rated=rated,
    )
    for seat, version in (resigned or {}).items():
        made.seats[seat].resigned.CopyFrom(players[seat])
        made.seats[seat].resigned_version = version
        made.seats[seat].player.CopyFrom(bot("greedy"))
    able = [seat for seat in range(len(players)) if seat not in (resigned or {})]
    most = max((points[seat] for seat in able), default=0)
    won = [seat for seat in able if points[seat] == most] if winners is None else winners
    made.summary.CopyFrom(GameSummary(points=points, winners=won, is_over=True))
    return made


def finish(made: Table) -> Commit:
    """The commit that ends the table, as its first and last."""
    return Commit(
        table_id=made.id,
        expected_version=0,
        table=made.SerializeToString(),
        snapshot=b"",
        event=b"",
        expire_s=3600,
        request_id=f"finish {made.id}",
        finished=True,
    )


async def finish_all(store: TableStore, tables: Sequence[Table]) -> None:
    """End tables one after another."""
    for made in tables:
        await store.commit(finish(made))
