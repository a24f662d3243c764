"""Clocks of tables: what a client is told, and what happens at zero, once, whoever is down meanwhile."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from functools import partial

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from redis.asyncio import Redis

from boardgamesbot.bots.turn import Outcome
from boardgamesbot.client import Client, Refused, SyncClient
from boardgamesbot.store import keys
from boardgamesbot.store.client import connect
from boardgamesbot.store.embedded import EmbeddedServer
from boardgamesbot.v1 import agora_pb2, tables_pb2
from tests.support.bots import BotTurns
from tests.support.clocks import Time, bank, duration, per_move
from tests.support.platform import Platform
from tests.support.play import Party, collect, playing
from tests.support.waiting import eventually

BOT_PLAYS_ON, MOVE, RESIGN = tables_pb2.AT_ZERO_BOT_PLAYS_ON, tables_pb2.AT_ZERO_MOVE, tables_pb2.AT_ZERO_RESIGN
OUT_OF_TIME = tables_pb2.TABLE_CHANGE_KIND_OUT_OF_TIME
LONG_MS = 60_000
SHORT_MS = 100


@pytest.fixture
def time(rules: str) -> Iterator[Time]:
    with Time(rules) as made:
        yield made


@pytest.fixture
def bots(rules: str) -> Iterator[BotTurns]:
    with BotTurns(rules) as made:
        yield made


async def _time_is_up(time: Time, party: Party) -> tables_pb2.TableServiceGetViewResponse:
    """Wait until the time of whose decision it is is up, and have it called; gives what was before."""
    before = await party.now()
    assert await eventually(partial(time.call, party.table_id, before.version))
    return before


async def _reason(call: object) -> str:
    try:
        await call  # type: ignore[misc]
    except Refused as refusal:
        return refusal.reason
    return ""


async def test_a_table_has_no_clock_unless_one_is_asked_for(rules: str) -> None:
    async with playing(rules) as party:
        table = (await party.now()).table
        assert not table.HasField("clock")
        assert not table.HasField("running")
        assert not any(seat.HasField("bank_ms") for seat in table.seats)


async def test_all_see_whose_clock_runs_and_what_is_left_as_it_is_sent(rules: str, replica: str) -> None:
    async with playing(rules, clock=per_move(LONG_MS)) as party, Client(replica) as spectator:
        await spectator.sign_in()
        first = (await spectator.table(party.table_id)).running
        assert first.had_ms == LONG_MS
        assert first.seat == (await party.now()).summary.actor

        async def less() -> bool:
            return (await spectator.table(party.table_id)).running.left_ms < first.left_ms

        await eventually(less)
        watched = await anext(spectator.watch(party.table_id, (await party.now()).version - 1))
        assert 0 < watched.table.running.left_ms <= first.left_ms
        assert watched.table.running.since == first.since
        assert (await party.now()).table.clock.at_zero == BOT_PLAYS_ON


async def test_a_bank_is_charged_for_what_passed_by_the_stores_clock(rules: str, replica: str) -> None:
    async with playing(rules, clock=bank(LONG_MS, 500)) as party:
        before = (await party.now()).table
        assert [seat.bank_ms for seat in before.seats].count(LONG_MS) == 2
        seat = before.running.seat
        assert before.seats[seat].bank_ms == before.running.had_ms == LONG_MS + 500
        while (now := await party.now()).summary.actor == seat:
            await party.play(1)
        gone = now.table.running.since.ToMilliseconds() - before.running.since.ToMilliseconds()
        assert now.table.seats[seat].bank_ms == LONG_MS + 500 - gone
        async with Client(replica, token=party.host.token) as elsewhere:
            assert [s.bank_ms for s in (await elsewhere.table(party.table_id)).seats] == [
                s.bank_ms for s in now.table.seats
            ]


async def test_an_undo_gives_no_time_back(rules: str) -> None:
    async with playing(rules, clock=per_move(LONG_MS)) as party:
        seat = await party.play_until(agora_pb2.AGORA_PHASE_FIRST_WALK)
        version = (await party.now()).version
        await party.play(1)
        second = (await party.now()).table.running
        await party.clients[seat].undo(party.table_id, seat, version + 1)
        assert (await party.now()).table.running.since == second.since
        await party.play(1)
        assert (await party.now()).table.running.since == second.since


async def test_time_called_too_early_or_for_a_table_that_moved_on_changes_nothing(rules: str, time: Time) -> None:
    async with playing(rules, clock=per_move(LONG_MS)) as party:
        before = await party.now()
        assert not await time.call(party.table_id, before.version)
        assert not await time.call(party.table_id, before.version - 1)
        assert not await time.call(keys.new_table_id(), 3)
        assert (await party.now()).version == before.version
    async with playing(rules) as party:
        assert not await time.call(party.table_id, (await party.now()).version)


async def test_only_a_service_calls_time(rules: str) -> None:
    async with playing(rules, clock=per_move(SHORT_MS)) as party:
        client = SyncClient(rules)
        with closing(client), pytest.raises(Refused) as refused:
            await asyncio.to_thread(client.run_out, party.host.token, party.table_id, 5)
    assert (refused.value.code, refused.value.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SERVICE_ONLY")


async def test_of_many_who_call_time_at_once_one_has_an_effect(rules: str, time: Time) -> None:
    async with playing(rules, clock=per_move(SHORT_MS)) as party:
        version = (await party.now()).version

        async def at_once() -> list[bool]:
            called = await asyncio.gather(*(time.call(party.table_id, version) for _ in range(10)))
            return [acted for acted in called if acted]

        assert await eventually(at_once) == [True]
        assert (await party.now()).version == version + 1


async def test_a_bot_plays_on_until_its_player_takes_the_seat_again(rules: str, time: Time, bots: BotTurns) -> None:
    async with playing(rules, clock=per_move(SHORT_MS, BOT_PLAYS_ON)) as party:
        before = await _time_is_up(time, party)
        seat = before.summary.actor
        client = party.clients[seat]
        now = await party.now()
        assert (now.table.seats[seat].player.bot, now.table.seats[seat].away) == ("greedy", client.player)
        assert not now.table.HasField("running"), "a bot has no clock"
        assert await _reason(client.legal_moves(party.table_id)) == "NOT_YOUR_SEAT"
        while (now := await party.now()).summary.actor == seat:
            assert await bots.play(now) == Outcome.PLAYED
        assert now.table.seats[seat].away == client.player
        assert await client.take_seat(party.table_id) == seat
        back = (await party.now()).table.seats[seat]
        assert (back.player, back.HasField("away"), back.returning) == (client.player, False, False)
        assert await client.take_seat(party.table_id) == seat
        while (await party.now()).summary.actor != seat:
            await party.play(1)
        assert (await party.now()).table.running.had_ms == SHORT_MS
        await party.play(1)


async def test_who_comes_back_while_the_bot_decides_waits_for_that_one_decision(
    rules: str, time: Time, bots: BotTurns
) -> None:
    async with playing(rules, clock=per_move(SHORT_MS, BOT_PLAYS_ON)) as party:
        seat = (await _time_is_up(time, party)).summary.actor
        client = party.clients[seat]
        assert [await client.take_seat(party.table_id) for _ in range(2)] == [seat, seat]
        now = await party.now()
        assert (now.table.seats[seat].player.bot, now.table.seats[seat].returning) == ("greedy", True)
        assert await bots.play(now) == Outcome.PLAYED
        assert (await party.now()).table.seats[seat].player == client.player
        assert (await party.now()).version == now.version + 1


async def test_who_is_away_can_give_up(rules: str, time: Time) -> None:
    async with playing(rules, clock=per_move(SHORT_MS, BOT_PLAYS_ON)) as party:
        seat = (await _time_is_up(time, party)).summary.actor
        client = party.clients[seat]
        others = [one for one in party.clients if one is not client]
        assert await _reason(others[0].resign(party.table_id, seat)) == "NOT_YOUR_SEAT"
        await client.resign(party.table_id, seat)
        left = (await party.now()).table.seats[seat]
        assert (left.resigned, left.HasField("away"), left.player.bot) == (client.player, False, "greedy")


async def test_nobody_else_gets_the_seat_of_a_player_who_is_away(rules: str, time: Time) -> None:
    async with playing(rules, clock=per_move(SHORT_MS)) as party, Client(rules) as other:
        await other.sign_in()
        await _time_is_up(time, party)
        assert await _reason(other.take_seat(party.table_id)) == "WRONG_STATUS"


async def test_without_increment_an_empty_bank_leaves_the_seat_to_the_bot(
    rules: str, time: Time, bots: BotTurns
) -> None:
    for increment_ms, reason in ((0, "NO_TIME_LEFT"), (50, "")):
        async with playing(rules, clock=bank(SHORT_MS, increment_ms)) as party:
            seat = (await _time_is_up(time, party)).summary.actor
            assert await _reason(party.clients[seat].take_seat(party.table_id)) == reason


async def test_the_bot_makes_one_decision_that_the_player_cannot_take_back(
    rules: str, time: Time, bots: BotTurns
) -> None:
    async with playing(rules, clock=per_move(SHORT_MS, MOVE)) as party:
        seat = await party.play_until(agora_pb2.AGORA_PHASE_FIRST_WALK)
        await _time_is_up(time, party)
        assert await bots.play(await party.now()) == Outcome.PLAYED
        now = await party.now()
        assert (now.table.seats[seat].player, now.table.seats[seat].HasField("away")) == (
            party.clients[seat].player,
            False,
        )
        last = await anext(party.host.watch(party.table_id, now.version - 1))
        assert (last.move_played.seat, last.move_played.stood_in) == (seat, True)
        assert now.summary.actor == seat
        assert await _reason(party.clients[seat].undo(party.table_id, seat, now.version)) == "UNDO_REFUSED"
        await party.play(1)


async def test_at_zero_the_seat_is_resigned(rules: str, time: Time) -> None:
    async with playing(rules, clock=per_move(SHORT_MS, RESIGN)) as party:
        seat = (await _time_is_up(time, party)).summary.actor
        now = await party.now()
        assert now.table.seats[seat].resigned == party.clients[seat].player
        assert now.table.seats[seat].resigned_version == now.version
        told = await anext(party.host.watch(party.table_id, now.version - 1))
        assert (told.table_change.kind, told.table_change.seat) == (OUT_OF_TIME, seat)
        assert await _reason(party.clients[seat].take_seat(party.table_id)) == "WRONG_STATUS"


@pytest.mark.parametrize(
    ("clock", "field"),
    [
        (tables_pb2.Clock(), "clock.time"),
        (per_move(99), "clock.per_move"),
        (per_move(31 * 86_400_000), "clock.per_move"),
        (tables_pb2.Clock(per_move=Duration(seconds=2**62)), "clock.per_move"),
        (bank(0, 500), "clock.bank.start"),
        (bank(LONG_MS, -1), "clock.bank.increment"),
        (tables_pb2.Clock(per_move=duration(500), at_zero=9), "clock.at_zero"),  # type: ignore[arg-type]
    ],
)
async def test_a_clock_that_makes_no_sense_is_refused(rules: str, clock: tables_pb2.Clock, field: str) -> None:
    async with Client(rules) as client:
        await client.sign_in()
        with pytest.raises(Refused) as refused:
            await client.create_table("agora", 3, clock=clock)
        assert (refused.value.reason, refused.value.field) == ("INVALID_FIELD", field)


async def test_a_table_outlives_the_longest_decision(rules: str, redis: Redis) -> None:
    async with playing(rules, clock=per_move(30 * 86_400_000)) as party:
        assert await redis.ttl(keys.table(party.table_id)) > 30 * 86_400


@pytest.fixture(scope="module")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    """Rules server, dispatcher and worker as processes; the watchdog comes again after a second."""
    folder = tmp_path_factory.mktemp("clocks")
    with (
        EmbeddedServer(folder / "redis") as redis,
        Platform(redis.url, folder, bot_turn_seconds=1.0, bot_think_seconds=0.5) as running,
    ):
        running.start("rules", "dispatcher", "worker")
        yield running


@asynccontextmanager
async def _alone(platform: Platform, clock: tables_pb2.Clock) -> AsyncIterator[Party]:
    """Three people who never move."""
    async with playing(platform.settings.rules_address, clock=clock) as party:
        yield party


def _out_of_time(watched: list[tables_pb2.WatchResponse]) -> Counter[int]:
    """How often each seat's time was up."""
    return Counter(r.table_change.seat for r in watched if r.table_change.kind == OUT_OF_TIME)


@pytest.mark.parametrize("at_zero", [BOT_PLAYS_ON, RESIGN])
async def test_a_game_that_everybody_left_ends_by_itself(
    platform: Platform, at_zero: tables_pb2.AtZero.ValueType
) -> None:
    async with _alone(platform, per_move(200, at_zero)) as party, asyncio.timeout(60):
        watched = await collect(party.host, party.table_id)
        assert _out_of_time(watched) == {0: 1, 1: 1, 2: 1}
        last = watched[-1].table
        assert last.status == tables_pb2.TABLE_STATUS_FINISHED
        assert [s.resigned.id or s.away.id for s in last.seats] == [client.player.id for client in party.clients]
        record = await party.host.record(party.table_id)
        assert [player.name for player in record.players] == ["Person 0", "Person 1", "Person 2"]
        assert not (await party.host.verify(record)).HasField("fault")


async def test_each_decision_that_is_late_is_made_by_the_bot_and_only_that_one(platform: Platform) -> None:
    async with _alone(platform, per_move(200, MOVE)) as party, asyncio.timeout(60):
        moves = 0
        async for response in party.host.watch(party.table_id):
            if response.HasField("move_played"):
                assert response.move_played.stood_in
                moves += 1
            if moves == 4:
                break
        table = await party.host.table(party.table_id)
        assert not any(seat.HasField("resigned") for seat in table.seats)


@pytest.mark.parametrize("program", ["rules", "dispatcher", "worker"])
async def test_time_that_is_up_while_a_program_is_down_is_called_once_when_it_is_back(
    platform: Platform, program: str
) -> None:
    store = connect(platform.settings.redis_url)
    async with _alone(platform, per_move(300, RESIGN)) as party, asyncio.timeout(60):
        platform.kill(program)
        deadlines = keys.deadlines(keys.slot_of(party.table_id))

        async def is_overdue() -> bool:
            """Whether the deadline has passed, or has been put off by those who could not act on it."""
            seconds, _ = await store.time()
            return seconds * 1000 > started + 1_300

        started = (await store.time())[0] * 1000
        assert await store.zscore(deadlines, party.table_id) is not None
        await eventually(is_overdue)
        platform.start(program)
        watched = await collect(party.host, party.table_id)
        assert _out_of_time(watched) == {0: 1, 1: 1, 2: 1}
        assert [r.version for r in watched] == list(range(1, len(watched) + 1))
    await store.aclose()
