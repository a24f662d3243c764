"""A seat that the rules give to a bot: Gaudí has it from the start of a solo table, and nobody acts for him."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from random import Random

import grpc
import pytest
from google.protobuf.message import Message

from boardgamesbot.bots.turn import Outcome
from boardgamesbot.client import Client, Refused
from boardgamesbot.games.barcelona.moves import GAUDI as GAUDI_MOVE
from boardgamesbot.games.base import State
from boardgamesbot.games.chance import ChanceStream
from boardgamesbot.games.record import steps
from boardgamesbot.games.record_proto import record_from
from boardgamesbot.players.registry import BOTS
from boardgamesbot.store.embedded import EmbeddedServer
from boardgamesbot.v1 import players_pb2, tables_pb2
from tests.support.bots import BotTurns
from tests.support.platform import Platform
from tests.support.play import versions
from tests.support.solo import CODEC, GAUDI, PERSON, check_turns, new_solo_table, play_out, play_turn, solo_options

LEVELS = [
    {"solo": "EASY", "solo_actions": "FIRST", "expansion": "NONE"},
    {"solo": "HARD", "solo_actions": "BOTH", "expansion": "PASSEIG_DE_GRACIA"},
]


@pytest.fixture
async def ada(rules: str) -> AsyncIterator[Client]:
    async with Client(rules) as client:
        await client.sign_in("Ada")
        yield client


async def test_he_sits_there_when_the_table_is_opened_and_one_more_seat_starts_the_game(ada: Client) -> None:
    table = await ada.create_table("barcelona", 2, solo_options())
    assert table.version == 1
    assert not table.seats[PERSON].HasField("player")
    seated = table.seats[GAUDI].player
    assert (seated.name, seated.bot, seated.kind) == ("Gaudí", "gaudi", players_pb2.PLAYER_KIND_BOT)
    assert await ada.take_seat(table.id) == PERSON
    started = await ada.start(table.id)
    assert started.status == tables_pb2.TABLE_STATUS_PLAYING
    assert started.summary.actor == PERSON


async def test_two_to_four_players_have_no_such_seat(ada: Client) -> None:
    table = await ada.create_table("barcelona", 2)
    assert not any(seat.HasField("player") for seat in table.seats)


async def test_nobody_takes_his_seat(rules: str, ada: Client) -> None:
    table = await ada.create_table("barcelona", 2, solo_options())
    async with Client(rules) as guest:
        await guest.sign_in("Guest")
        for client in (ada, guest):
            with pytest.raises(Refused) as caught:
                await client.take_seat(table.id, GAUDI)
            assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SEAT_FOR_BOT")
            assert caught.value.metadata == {"field": "seat", "bot": "gaudi", "version": str(table.version)}
        assert await ada.take_seat(table.id) == PERSON
        with pytest.raises(Refused) as caught:
            await guest.take_seat(table.id)
        assert caught.value.reason == "SEAT_TAKEN"
        with pytest.raises(Refused) as caught:
            await ada.leave_seat(table.id, GAUDI)
        assert caught.value.reason == "SEAT_FOR_BOT"
    now = await ada.table(table.id)
    assert (now.version, now.seats[GAUDI].player.bot) == (2, "gaudi")


async def test_other_bots_do_not_sit_there_and_he_sits_nowhere_else(rules: str, ada: Client) -> None:
    solo = await ada.create_table("barcelona", 2, solo_options())
    together = await ada.create_table("barcelona", 2)
    with BotTurns(rules) as bots:
        for table, bot, seat in ((solo, "greedy", GAUDI), (solo, "gaudi", PERSON), (together, "gaudi", GAUDI)):
            with pytest.raises(Refused) as caught:
                await bots.seat(table.id, bot, seat)
            assert caught.value.reason == "SEAT_FOR_BOT"
            assert caught.value.metadata["bot"] == "gaudi"
    assert (await ada.table(solo.id)).version == 1
    assert (await ada.table(together.id)).version == 1


async def test_who_leaves_a_solo_table_closes_it(ada: Client) -> None:
    table = await ada.create_table("barcelona", 2, solo_options())
    await ada.take_seat(table.id)
    assert (await ada.leave_seat(table.id)).status == tables_pb2.TABLE_STATUS_CLOSED


async def test_the_person_can_not_move_for_him(rules: str, ada: Client) -> None:
    table_id, rng = await new_solo_table(ada), Random(3)
    gaudi = CODEC.move_to(GAUDI_MOVE)
    before = await ada.view(table_id)
    with pytest.raises(Refused) as caught:
        await ada.submit(table_id, PERSON, before.version, gaudi)
    assert (caught.value.reason, caught.value.rule) == ("ILLEGAL_MOVE", "BA-G4")
    version = await play_turn(ada, table_id, rng)
    his = await ada.view(table_id)
    assert (his.version, his.summary.actor) == (version, GAUDI)
    assert not (await ada.legal_moves(table_id)).moves
    for seat, reason in ((GAUDI, "NOT_YOUR_SEAT"), (PERSON, "NOT_YOUR_TURN")):
        with pytest.raises(Refused) as caught:
            await ada.submit(table_id, seat, version, gaudi)
        assert caught.value.reason == reason
    with pytest.raises(Refused) as caught:
        await ada.resign(table_id, GAUDI)
    assert caught.value.reason == "NOT_YOUR_SEAT"
    assert await ada.view(table_id) == his, "nothing has changed"
    with BotTurns(rules) as bots:
        assert await bots.play(his) == Outcome.PLAYED
        assert await bots.play(his) == Outcome.LATE
    after = await ada.view(table_id)
    assert (after.version, after.summary.actor) == (version + 1, PERSON)
    with pytest.raises(Refused) as caught:
        await ada.undo(table_id, PERSON, after.version)
    assert caught.value.reason == "UNDO_REFUSED"


async def test_who_resigns_is_played_for_and_gaudi_wins(rules: str, ada: Client) -> None:
    table_id = await new_solo_table(ada, {"solo": "EASY"})
    table = await ada.resign(table_id, PERSON)
    assert [seat.player.bot for seat in table.seats] == ["greedy", "gaudi"]
    with BotTurns(rules) as bots:
        while not (now := await ada.view(table_id)).summary.is_over:
            assert await bots.play(now) == Outcome.PLAYED
    assert list(now.summary.winners) == [GAUDI]
    assert not (await ada.verify(await ada.record(table_id))).HasField("fault")


@pytest.mark.parametrize("players", [1, 3, 4])
async def test_solo_is_for_two_seats(ada: Client, players: int) -> None:
    with pytest.raises(Refused) as caught:
        await ada.create_table("barcelona", players, solo_options())
    assert (caught.value.code, caught.value.field) == (grpc.StatusCode.INVALID_ARGUMENT, "players")


# With all programs running


@pytest.fixture(scope="module")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    folder = tmp_path_factory.mktemp("gaudi")
    with EmbeddedServer(folder / "redis") as redis, Platform(redis.url, folder) as running:
        running.start("rules", "bots", "dispatcher", "worker")
        yield running


async def test_bots_tells_who_may_be_seated(platform: Platform) -> None:
    settings = platform.settings
    async with Client(settings.rules_address, bots=settings.bots_address) as host:
        await host.sign_in("Host")
        told = {bot.id: (list(bot.game_ids), bot.by_rule) for bot in await host.list_bots()}
        assert told["gaudi"] == (["barcelona"], True)
        assert told["greedy"] == (["agora", "barcelona"], False)
        assert "gaudi" not in {bot.id for bot in await host.list_bots("agora")}


async def test_seating_him_where_he_sits_changes_nothing_and_elsewhere_is_refused(platform: Platform) -> None:
    settings = platform.settings
    async with Client(settings.rules_address, bots=settings.bots_address) as host:
        await host.sign_in("Host")
        solo = await host.create_table("barcelona", 2, solo_options())
        together = await host.create_table("barcelona", 2)
        assert await host.seat_bot(solo.id, "gaudi") == GAUDI
        assert await host.seat_bot(solo.id, "gaudi", GAUDI) == GAUDI
        for table, bot, seat in (
            (solo, "gaudi", PERSON),
            (solo, "random", GAUDI),
            (together, "gaudi", None),
            (together, "gaudi", GAUDI),
        ):
            with pytest.raises(Refused) as caught:
                await host.seat_bot(table.id, bot, seat)
            assert caught.value.reason == "SEAT_FOR_BOT"
        assert (await host.table(solo.id)).version == 1
        assert await host.seat_bot(solo.id, "greedy") == PERSON, "a bot may play against him"


@pytest.mark.parametrize("level", LEVELS)
async def test_the_same_seed_and_moves_give_the_same_gaudi_everywhere(
    platform: Platform, level: dict[str, str]
) -> None:
    """Byte for byte: as a worker played him, in process, and out of the record."""
    settings = platform.settings
    async with Client(settings.rules_address, bots=settings.bots_address) as ada:
        await ada.sign_in("Ada")
        table_id = await new_solo_table(ada, level)
        seen = await play_out(ada, table_id)
        record = await ada.record(table_id)
        assert not (await ada.verify(record)).HasField("fault")
    assert versions(seen) == list(range(1, seen[-1].version + 1))
    check_turns(record)
    played = [response.move_played for response in seen if response.HasField("move_played")]
    by_worker = [_bytes(move.events) for move in played if move.seat == GAUDI]
    assert len(by_worker) > 8
    people = [CODEC.move_from(move.move) for move in record.moves if move.seat == PERSON]
    in_process, end = _in_process(record.seed, level, people)
    assert in_process == by_worker
    replayed = []
    for step in steps(record_from(record)):
        last = step.state
        if step.seat == GAUDI:
            replayed.append(_bytes([CODEC.event_to(event.seen_by(PERSON)) for event in step.events]))
    assert replayed[:-1] == by_worker[:-1]
    assert _bytes([CODEC.state_to(last)]) == _bytes([CODEC.state_to(end)])
    assert _bytes([CODEC.view_to(last.view(PERSON))]) == _bytes([seen[-1].view])


def _in_process(seed: bytes, level: dict[str, str], people: list[int]) -> tuple[list[bytes], State]:
    """Gaudí's turns and the last position of a game with no server: the person's moves are given."""
    state, _ = CODEC.game.new(2, CODEC.game.complete_options(level), ChanceStream(seed))
    brain, moves, turns = BOTS["gaudi"].brains["barcelona"], iter(people), []
    while (seat := state.actor) is not None:
        move = brain.choose(state.view(seat), Random(0)) if seat == GAUDI else next(moves)
        events = [event.won_by(state.winners()) for event in state.play(move)]
        if seat == GAUDI:
            turns.append(_bytes([CODEC.event_to(event.seen_by(PERSON)) for event in events]))
    return turns, state


def _bytes(messages: Iterable[Message]) -> bytes:
    return b"".join(message.SerializeToString(deterministic=True) for message in messages)


async def test_a_table_does_not_wait_for_him(platform: Platform) -> None:
    """His turn comes through outbox, broker and worker well before the watchdog would wake him again."""
    settings = platform.settings
    async with Client(settings.rules_address, bots=settings.bots_address) as ada:
        await ada.sign_in("Ada")
        table_id, rng = await new_solo_table(ada), Random(5)
        for _ in range(3):
            version = await play_turn(ada, table_id, rng)
            async for response in ada.watch(table_id, version):
                assert response.move_played.seat == GAUDI
                break
        assert "overdue" not in platform.log("dispatcher")
