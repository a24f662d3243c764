"""Solo tables of Barcelona: a person who moves by chance, against Gaudí."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from random import Random

from boardgamesbot.client import Client
from boardgamesbot.games import registry
from boardgamesbot.v1 import games_pb2, tables_pb2

CODEC = registry.codec("barcelona")
PERSON, GAUDI = 0, 1


def solo_options(**options: str) -> games_pb2.GameOptions:
    """Complete options of a solo game: NORMAL unless told otherwise."""
    return CODEC.options_to(CODEC.game.complete_options({"solo": "NORMAL", **options}))


async def new_solo_table(client: Client, options: Mapping[str, str] | None = None) -> str:
    """A solo table with the client in its seat, the game begun."""
    table = await client.create_table("barcelona", 2, solo_options(**(options or {})))
    assert await client.take_seat(table.id) == PERSON
    await client.start(table.id)
    return table.id


async def play_turn(client: Client, table_id: str, rng: Random) -> int:
    """Make the person's moves up to Gaudí's turn or the end; gives the version after them. The decision is theirs."""
    while True:
        legal = await client.legal_moves(table_id)
        assert legal.moves
        answer = await client.submit(table_id, PERSON, legal.version, rng.choice(legal.moves).move)
        if answer.summary.is_over or answer.summary.actor == GAUDI:
            return answer.version


async def play_out(
    client: Client, table_id: str, seed: int = 1, after_version: int = 0
) -> list[tables_pb2.WatchResponse]:
    """Play to the end whenever it is the person's turn; gives all versions after one, as their seat sees them."""
    rng, seen, played = Random(seed), [], 0
    async for response in client.watch(table_id, after_version):
        seen.append(response)
        if response.HasField("view") and response.version > played:
            actor = response.table.summary.actor if response.table.summary.HasField("actor") else None
            if actor == PERSON and response.table.status == tables_pb2.TABLE_STATUS_PLAYING:
                played = await play_turn(client, table_id, rng)
    return seen


def check_turns(record: games_pb2.GameRecord) -> None:
    """The seats take turns, the person first, and each of Gaudí's is one move."""
    turns = [(seat, len(list(moves))) for seat, moves in groupby(move.seat for move in record.moves)]
    assert [seat for seat, _ in turns] == [PERSON, GAUDI] * (len(turns) // 2)
    assert {moves for seat, moves in turns if seat == GAUDI} == {1}
