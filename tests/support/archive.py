"""Finished games for the archive, and an archivist of this process."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

from redis.asyncio import Redis

from boardgamesbot.rules.archivist import run
from boardgamesbot.rules.live import LiveTable
from boardgamesbot.rules.opening import table_store, tables_in
from boardgamesbot.rules.tables import Tables
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.store import keys
from boardgamesbot.store.tasks import ended
from boardgamesbot.v1.games_pb2 import GameOptions
from boardgamesbot.v1.players_pb2 import PLAYER_KIND_GUEST, Player
from boardgamesbot.v1.tables_pb2 import TABLE_STATUS_PLAYING, SubmitMoveRequest


@asynccontextmanager
async def archivist(redis_url: str, archive: str | Path, **settings: Any) -> AsyncIterator[asyncio.Task[None]]:
    """An archivist that works as long as the block lasts; its end is clean, or it is raised."""
    stop = asyncio.Event()
    chosen = Settings(redis_url=redis_url, archive=str(archive), **settings)
    task = asyncio.ensure_future(run(chosen, stop))
    try:
        yield task
    finally:
        if task.done():
            await task
        stop.set()
        await asyncio.wait([task], timeout=10)
        await ended(task)


def files(archive: Path) -> list[Path]:
    """The files of a folder's archive, without drafts."""
    return sorted(path for path in archive.rglob("*") if path.is_file() and ".drafts" not in path.parts)


async def finished_table(redis: Redis, game_id: str = "agora", players: int = 3, **settings: Any) -> LiveTable:
    """A table whose people have played their game to the end by chance, without a server in between."""
    chosen = Settings(**settings)
    tables = tables_in(table_store(redis, chosen), redis, chosen, b"secret")
    people = [Player(id=f"guest-{i}", name=f"Person {i}", kind=PLAYER_KIND_GUEST) for i in range(players)]
    live = await tables.open_match(secrets.token_hex(8), game_id, GameOptions(), people, rated=True)
    return await play_on(tables, live)


async def play_on(tables: Tables, live: LiveTable, moves: int | None = None) -> LiveTable:
    """Play so many moves by chance for whoever's turn it is, or the game to its end; the same every time."""
    rng, played = Random(5), 0
    while live.state is not None and live.status == TABLE_STATUS_PLAYING and played != moves:
        seat = live.state.actor
        assert seat is not None
        move = live.codec.move_to(rng.choice(live.state.legal_moves()))
        request = SubmitMoveRequest(
            table_id=live.id, seat=seat, version=live.version, request_id=f"move-{live.version}", move=move
        )
        await tables.submit(live.table.seats[seat].player, request)
        live = await tables.live.now(live.id)
        played += 1
    return live


async def leave_redis(redis: Redis, table_id: str) -> None:
    """Forget a table, as its expiry would."""
    await redis.delete(keys.table(table_id), keys.events(table_id), keys.requests(table_id))
