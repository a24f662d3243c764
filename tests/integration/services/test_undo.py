"""A move that revealed nothing can be taken back by who made it; nothing else can."""

from __future__ import annotations

import asyncio

import grpc
import pytest
from redis.asyncio import Redis

from boardgamesbot.client import Refused
from boardgamesbot.store import keys
from boardgamesbot.store.tables import StoredEvent, TableStore
from boardgamesbot.v1 import agora_pb2, tables_pb2
from tests.support.platform import rules_server
from tests.support.play import TABLES, Party, call, playing, versions


async def _snapshot(redis: Redis, party: Party) -> bytes:
    stored = await TableStore(redis).load(party.table_id)
    assert stored is not None
    return stored.snapshot


async def test_the_first_of_two_walks_can_be_taken_back(rules: str, redis: Redis) -> None:
    async with playing(rules) as party:
        seat = await party.play_until(agora_pb2.AGORA_PHASE_FIRST_WALK)
        before, snapshot = await party.now(), await _snapshot(redis, party)
        legal = await party.clients[seat].legal_moves(party.table_id)
        await party.play(1)
        assert await _snapshot(redis, party) != snapshot
        answer = await party.clients[seat].undo(party.table_id, seat, before.version + 1)
        after = await party.now()
        assert answer.version == after.version == before.version + 2
        assert await _snapshot(redis, party) == snapshot
        assert (after.view, after.summary) == (before.view, before.summary)
        again = await party.clients[seat].legal_moves(party.table_id)
        assert [legal_move.move for legal_move in again.moves] == [legal_move.move for legal_move in legal.moves]


async def test_watchers_are_told_of_an_undo_and_the_record_forgets_it(rules: str) -> None:
    async with playing(rules) as party:
        undone = 0
        while not (now := await party.now()).summary.is_over:
            await party.play(1)
            seat = now.summary.actor
            if now.view.agora.phase == agora_pb2.AGORA_PHASE_FIRST_WALK and undone < 5:
                await party.clients[seat].undo(party.table_id, seat, now.version + 1)
                undone += 1
        assert undone == 5
        watched = [response async for response in party.clients[1].watch(party.table_id)]
        assert versions(watched) == list(range(1, now.version + 1))
        taken_back = [response for response in watched if response.HasField("move_undone")]
        assert [r.move_undone.restored_version for r in taken_back] == [r.version - 2 for r in taken_back]
        assert len(taken_back) == undone
        record = await party.host.record(party.table_id)
        played = sum(response.HasField("move_played") for response in watched)
        assert len(record.moves) == played - undone
        assert not (await party.host.verify(record)).HasField("fault")


async def test_an_undo_is_refused_after_every_other_kind_of_move(rules: str) -> None:
    options = agora_pb2.AgoraOptions(take=agora_pb2.AGORA_TAKE_CHOOSE)
    async with playing(rules, options=options) as party:
        kinds: set[str | None] = set()
        for _ in range(60):
            request = await party.request()
            before = (await party.now()).view.agora.phase
            await party.clients[request.seat].submit(
                party.table_id, request.seat, request.version, request.move, request.request_id
            )
            if before == agora_pb2.AGORA_PHASE_FIRST_WALK:
                continue
            kinds.add(request.move.agora.WhichOneof("kind"))
            with pytest.raises(Refused) as caught:
                await party.clients[request.seat].undo(party.table_id, request.seat, request.version + 1)
            assert (caught.value.code, caught.value.reason, caught.value.version) == (
                grpc.StatusCode.FAILED_PRECONDITION,
                "UNDO_REFUSED",
                request.version + 1,
            )
        assert kinds >= {"take", "play", "walk", "draw", "pass_fountain"}


async def test_another_player_cannot_take_a_move_back(rules: str) -> None:
    async with playing(rules) as party:
        seat = await party.play_until(agora_pb2.AGORA_PHASE_FIRST_WALK)
        await party.play(1)
        version = (await party.now()).version
        other = (seat + 1) % 3
        with pytest.raises(Refused, match="can be taken back") as caught:
            await party.clients[other].undo(party.table_id, other, version)
        assert caught.value.reason == "UNDO_REFUSED"
        with pytest.raises(Refused) as caught:
            await party.clients[other].undo(party.table_id, seat, version)
        assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_YOUR_SEAT")
        assert (await party.now()).version == version


async def test_an_undo_sent_twice_undoes_once_and_answers_alike(rules: str, replica: str) -> None:
    async with playing(rules) as party:
        seat = await party.play_until(agora_pb2.AGORA_PHASE_FIRST_WALK)
        await party.play(1)
        version = (await party.now()).version
        request = tables_pb2.UndoMoveRequest(table_id=party.table_id, seat=seat, version=version, request_id="undo")
        token = party.clients[seat].token
        answers = await asyncio.gather(
            *(call((rules, replica)[i % 2], TABLES + "UndoMove", request, token) for i in range(6))
        )
        assert len(set(answers)) == 1
        assert (await party.now()).version == version + 1


async def test_the_last_move_of_a_game_stands(rules: str) -> None:
    async with playing(rules) as party:
        await party.play()
        now = await party.now()
        for seat in range(3):
            with pytest.raises(Refused) as caught:
                await party.clients[seat].undo(party.table_id, seat, now.version)
            assert caught.value.reason == "WRONG_STATUS"


async def test_the_request_id_of_a_move_does_not_answer_for_its_undo(rules: str) -> None:
    async with playing(rules) as party:
        seat = await party.play_until(agora_pb2.AGORA_PHASE_FIRST_WALK)
        walk = await party.request()
        client = party.clients[seat]
        moved = await client.submit(party.table_id, seat, walk.version, walk.move, "one id for both")
        undo = tables_pb2.UndoMoveRequest(
            table_id=party.table_id, seat=seat, version=moved.version, request_id="one id for both"
        )
        await call(rules, TABLES + "UndoMove", undo, client.token)
        assert (await party.now()).version == moved.version + 1
        assert (await party.now()).view.agora.phase == agora_pb2.AGORA_PHASE_FIRST_WALK


async def test_a_turn_has_so_many_undos_and_no_more(redis: Redis, redis_url: str) -> None:
    async with rules_server(redis_url, undo_limit=3) as address, playing(address) as party:
        for _ in range(2):  # the next turn has as many again
            seat = await party.play_until(agora_pb2.AGORA_PHASE_FIRST_WALK)
            for _ in range(3):
                await party.play(1)
                await party.clients[seat].undo(party.table_id, seat, (await party.now()).version)
            await party.play(1)
            now = await party.now()
            with pytest.raises(Refused, match="3 times") as caught:
                await party.clients[seat].undo(party.table_id, seat, now.version)
            assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "UNDO_LIMIT")
            assert caught.value.version == now.version == (await party.now()).version
            await party.play(1)


async def test_an_undo_reads_no_more_however_long_the_game_is(
    rules: str, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    true = TableStore.events

    async def counted(self: TableStore, table_id: str, after: int, limit: int | None = None) -> list[StoredEvent]:
        entries = await true(self, table_id, after, limit)
        read.append(len(entries))
        return entries

    async with playing(rules) as party:
        await party.play(40)
        monkeypatch.setattr(TableStore, "events", counted)
        for expected in (1, 3, 5):
            seat = await party.play_until(agora_pb2.AGORA_PHASE_FIRST_WALK)
            before = await _snapshot(redis, party)
            await party.play(1)
            read.clear()
            await party.clients[seat].undo(party.table_id, seat, (await party.now()).version)
            assert read == [expected]
            assert await _snapshot(redis, party) == before


async def test_a_table_of_before_there_were_bases_is_played_again_from_its_start(rules: str, redis: Redis) -> None:
    async with playing(rules) as party:
        seat = await party.play_until(agora_pb2.AGORA_PHASE_FIRST_WALK)
        before = await _snapshot(redis, party)
        await party.play(1)
        assert await redis.hdel(keys.table(party.table_id), "base", "base_version") == 2
        await party.clients[seat].undo(party.table_id, seat, (await party.now()).version)
        assert await _snapshot(redis, party) == before
