"""Records: given when the game is over, and proof against whoever changes them."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import grpc
import pytest

from boardgamesbot.client import Client, Refused
from boardgamesbot.v1 import games_pb2, tables_pb2
from tests.support.play import Party, playing, seated


@asynccontextmanager
async def _finished(rules: str) -> AsyncIterator[tuple[Party, games_pb2.GameRecord]]:
    async with playing(rules) as party:
        await party.play()
        yield party, await party.host.record(party.table_id)


async def test_the_record_of_a_finished_game_is_sound(rules: str) -> None:
    async with _finished(rules) as (party, record):
        now = await party.now()
        verdict = await party.host.verify(record)
        assert not verdict.HasField("fault")
        assert verdict.moves == len(record.moves) == now.version - 5
        assert list(verdict.summary.points) == list(now.summary.points) == list(record.result.points)
        assert list(verdict.summary.winners) == list(now.summary.winners) == list(record.result.winners)
        assert [player.name for player in record.players] == ["Person 0", "Person 1", "Person 2"]


async def test_the_seed_is_the_one_committed_to_at_the_start(rules: str) -> None:
    async with seated(rules) as party:
        started = await party.host.start(party.table_id)
        await party.play()
        record = await party.host.record(party.table_id)
        assert hashlib.sha256(record.seed).digest() == record.seed_commitment == started.seed_commitment


def _first_move_by_another(record: games_pb2.GameRecord) -> str:
    record.moves[0].seat = (record.moves[0].seat + 1) % 3
    return "moves[0].seat"


def _move_of_another_phase(record: games_pb2.GameRecord) -> str:
    record.moves[17].move.agora.pass_fountain.seat = 4
    return "moves[17]"


def _move_that_is_none(record: games_pb2.GameRecord) -> str:
    record.moves[3].move.agora.play.square = 99
    return "moves[3].move.agora.play.square"


def _move_left_out(record: games_pb2.GameRecord) -> str:
    del record.moves[-1]
    return "result"


def _move_too_many(record: games_pb2.GameRecord) -> str:
    record.moves.append(record.moves[-1])
    return f"moves[{len(record.moves) - 1}]"


def _seed(record: games_pb2.GameRecord) -> str:
    record.seed = bytes([record.seed[0] ^ 1]) + record.seed[1:]
    return "seed"


def _seed_too_short(record: games_pb2.GameRecord) -> str:
    record.seed = record.seed[:16]
    return "seed"


def _commitment(record: games_pb2.GameRecord) -> str:
    record.seed_commitment = bytes(32)
    return "seed"


def _points(record: games_pb2.GameRecord) -> str:
    record.result.points[2] += 1
    return "result.points"


def _winner(record: games_pb2.GameRecord) -> str:
    loser = next(seat for seat in range(3) if seat not in record.result.winners)
    del record.result.winners[:]
    record.result.winners.append(loser)
    return "result.winners"


def _no_result(record: games_pb2.GameRecord) -> str:
    record.ClearField("result")
    return "result"


def _ruleset(record: games_pb2.GameRecord) -> str:
    record.ruleset_hash = "0" * 64
    return "ruleset_hash"


def _another_game(record: games_pb2.GameRecord) -> str:
    record.game_id = "chess"
    return "game_id"


def _players(record: games_pb2.GameRecord) -> str:
    del record.players[1:]
    return "players"


TAMPERINGS = (
    _first_move_by_another,
    _move_of_another_phase,
    _move_that_is_none,
    _move_left_out,
    _move_too_many,
    _seed,
    _seed_too_short,
    _commitment,
    _points,
    _winner,
    _no_result,
    _ruleset,
    _another_game,
    _players,
)


async def test_every_tampering_is_found_where_it_was_done(rules: str) -> None:
    async with _finished(rules) as (party, record):
        for tamper in TAMPERINGS:
            changed = games_pb2.GameRecord.FromString(record.SerializeToString())
            field = tamper(changed)
            verdict = await party.host.verify(changed)
            assert verdict.fault.field == field, tamper.__name__
            assert verdict.fault.reason, tamper.__name__


async def test_a_move_against_the_rules_is_named_by_its_rule(rules: str) -> None:
    async with _finished(rules) as (party, record):
        _move_of_another_phase(record)
        verdict = await party.host.verify(record)
        assert verdict.moves == 17
        assert verdict.fault.refusal.rule.id == "AG-T1"


async def test_a_changed_shuffle_is_found_even_with_a_new_commitment(rules: str) -> None:
    """Who forges the seed and its commitment gets another game: some move of the record is illegal in it."""
    async with _finished(rules) as (party, record):
        record.seed = bytes(32)
        record.seed_commitment = hashlib.sha256(record.seed).digest()
        assert (await party.host.verify(record)).fault.field.startswith("moves[")


async def _open(party: Party) -> None:
    """The table as it is before the start."""


async def _started(party: Party) -> None:
    await party.host.start(party.table_id)


async def _under_way(party: Party) -> None:
    await party.host.start(party.table_id)
    await party.play(40)


@pytest.mark.parametrize("get_there", [_open, _started, _under_way])
async def test_no_record_is_given_before_the_end(rules: str, get_there: Callable[[Party], Awaitable[None]]) -> None:
    async with seated(rules) as party, Client(rules) as spectator:
        await spectator.sign_in()
        await get_there(party)
        for client in (party.host, spectator):
            with pytest.raises(Refused) as caught:
                await client.record(party.table_id)
            assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "WRONG_STATUS")
            assert caught.value.version == (await party.host.table(party.table_id)).version


async def test_a_finished_table_is_listed_as_finished_only(rules: str) -> None:
    async with _finished(rules) as (party, _):
        assert (await party.host.table(party.table_id)).status == tables_pb2.TABLE_STATUS_FINISHED
        assert party.table_id not in [table.id for table in await party.host.tables()]
