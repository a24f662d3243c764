"""`bgb tables`, `bgb table` and `bgb audit`: what those who run the platform see and do, and the trail of it."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest
from click.testing import CliRunner, Result
from redis.asyncio import Redis
from rich.markup import escape
from rich.text import Text

from boardgamesbot.cli import main
from boardgamesbot.cli.console import printable
from boardgamesbot.client import Client, Refused
from boardgamesbot.games import registry
from boardgamesbot.rules.live import LiveTable
from boardgamesbot.rules.opening import table_store, tables_in
from boardgamesbot.rules.tables import Tables
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.store import audit, keys
from boardgamesbot.store.outbox import Outbox
from boardgamesbot.store.tables import TableStore
from boardgamesbot.v1 import tables_pb2
from boardgamesbot.v1.games_pb2 import GameMove, GameOptions, GameState
from boardgamesbot.v1.players_pb2 import PLAYER_KIND_BOT, PLAYER_KIND_GUEST, Player
from tests.support.archive import finished_table, play_on
from tests.support.clocks import bank
from tests.support.platform import rules_server
from tests.support.play import playing, seated, watching

NAMES = ("Ada", "Bea", "[Cleo]\x1b")
ADA, BEA, CLEO = (Player(id=f"guest-{name}", name=name, kind=PLAYER_KIND_GUEST) for name in NAMES)
GREEDY = Player(bot="greedy")


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """The logs of this process are the tests' own."""
    monkeypatch.setattr("boardgamesbot.runtime.logs.configure", lambda *_: None)


@pytest.fixture
async def rules(redis: Redis, redis_url: str) -> AsyncIterator[str]:
    async with rules_server(redis_url) as address:
        yield address


@pytest.fixture
def tables(redis: Redis) -> Tables:
    return tables_in(table_store(redis, Settings()), redis, Settings(), b"secret")


async def _bgb(redis_url: str, *words: str, status: int = 0) -> str:
    """What `bgb` says, for standard output and errors together."""
    environment = {"BGB_REDIS_URL": redis_url, "COLUMNS": "200"}
    result: Result = await asyncio.to_thread(CliRunner(env=environment).invoke, main, words)
    assert result.exit_code == status, (result.output, result.exception)
    return result.output


async def _json(redis_url: str, *words: str) -> Any:
    return json.loads(await _bgb(redis_url, *words, "--json"))


async def _open(tables: Tables, *players: Player, game_id: str = "agora", match: str = "m") -> LiveTable:
    return await tables.open_match(match, game_id, GameOptions(), players, rated=True)


async def test_live_tables_are_listed_the_quietest_first(redis: Redis, redis_url: str, tables: Tables) -> None:
    assert "No table" in await _bgb(redis_url, "tables")
    first = await _open(tables, ADA, BEA, CLEO)
    hidden = await tables.create(
        ADA, "barcelona", 2, GameOptions(), tables_pb2.TABLE_VISIBILITY_UNLISTED, "r", with_code=True
    )
    await finished_table(redis)
    assert first.state is not None
    rows = await _json(redis_url, "tables")
    assert [row["id"] for row in rows] == [first.id, hidden.id], "the unlisted too, the finished no more"
    row = rows[0]
    assert (row["game"], row["status"], row["version"]) == ("agora", "playing", 1)
    assert (row["turn"], row["turn_is_bots"]) == (first.state.actor, False)
    assert row["seats"] == list(NAMES)
    assert row["colours"] == list(registry.game("agora").seat_colours)[:3]
    assert 0 <= row["quiet_s"] <= row["age_s"] + 0.001 < 60
    assert (rows[1]["status"], rows[1]["turn"], rows[1]["seats"]) == ("open", None, ["", ""])
    assert rows[1]["colours"] == list(registry.game("barcelona").seat_colours)[:2]
    words = await _bgb(redis_url, "tables")
    assert "[Cleo]" in words
    assert f"{row['colours'][row['turn']]} ({row['turn']})" in words
    assert f"▶{NAMES[row['turn']][:3]}" in words
    assert "\x1b" not in words
    assert hidden.table.code not in words
    assert [row["id"] for row in await _json(redis_url, "tables", "--game", "barcelona")] == [hidden.id]


async def test_only_games_in_which_nobody_decides_are_stuck(redis_url: str, tables: Tables) -> None:
    live = await _open(tables, ADA, BEA, CLEO)
    await tables.create(ADA, "agora", 3, GameOptions(), tables_pb2.TABLE_VISIBILITY_PUBLIC, "r")
    assert [row["id"] for row in await _json(redis_url, "tables", "--stuck", "0")] == [live.id]
    assert await _json(redis_url, "tables", "--stuck", "60") == []
    assert "No table is stuck" in await _bgb(redis_url, "tables", "--stuck", "60")


async def test_nothing_hidden_is_shown(redis: Redis, redis_url: str, tables: Tables) -> None:
    """Neither the seed nor a hand: with another seed behind the same public position the words are the same."""
    live = await play_on(tables, await _open(tables, ADA, BEA, CLEO), 12)
    stored = await TableStore(redis).load(live.id)
    assert stored is not None
    seed = GameState.FromString(stored.snapshot).chance.seed
    assert len(seed) == 32
    for words in (("table", live.id), ("table", "--board", live.id), ("table", "--json", live.id), ("tables",)):
        told = await _bgb(redis_url, *words)
        assert live.id in told
        assert seed.hex() not in told
        assert seed not in told.encode()
        assert "\x1b" not in told
    board = await _bgb(redis_url, "table", "--board", live.id)
    assert live.state is not None
    drawn = registry.game("agora").words.board(live.state.view(None), [escape(name) for name in NAMES])
    shown = [printable(line).rstrip() for line in Text.from_markup(drawn).plain.splitlines()]
    assert [line.rstrip() for line in board.splitlines()][-len(shown) :] == shown
    assert "[bold]" not in board
    colours = registry.game("agora").seat_colours
    actor = live.state.actor
    assert actor is not None
    assert f"{colours[actor]} ({actor}): {NAMES[actor][:3]}" in board
    assert any(f"{colour} ({seat}) decided" in board for seat, colour in enumerate(colours))


async def test_a_table_is_ended_before_the_eyes_of_its_players(redis: Redis, redis_url: str, rules: str) -> None:
    async with playing(rules) as party, watching(party.clients[1], party.table_id) as versions:
        before = await party.now()
        async for response in versions:
            if response.version == before.version:
                break
        told = await _bgb(
            redis_url, "table", party.table_id, "end", "--reason", "nobody came back", "--as", "ops@night"
        )
        assert f"version {before.version + 1}" in told
        last = await anext(versions)
        assert last.table_change.kind == tables_pb2.TABLE_CHANGE_KIND_ENDED
        assert last.table_change.reason == last.table.ended_reason == "nobody came back"
        assert last.table.status == tables_pb2.TABLE_STATUS_CLOSED
        assert not last.table.summary.HasField("actor")
        assert [response async for response in versions] == [], "the stream has ended"
        actor = before.summary.actor
        with pytest.raises(Refused) as caught:
            await party.clients[actor].submit(party.table_id, actor, before.version, GameMove())
        assert caught.value.reason in ("WRONG_STATUS", "STALE_VERSION")
        for client in party.clients:
            assert not (await client.legal_moves(party.table_id)).moves
        slot = keys.slot_of(party.table_id)
        assert await redis.xlen(keys.finished(slot)) == 0, "neither rated nor archived"
        assert await redis.zscore(keys.listed(slot, "playing"), party.table_id) is None
        assert await redis.zscore(keys.deadlines(slot), party.table_id) is None
    again = await _bgb(redis_url, "table", party.table_id, "end", "--reason", "twice", "--as", "ops@day", status=1)
    assert "ended already" in again
    second, first = await _json(redis_url, "audit")
    assert (first["who"], first["what"], first["why"]) == ("ops@night", "end", "nobody came back")
    assert (first["table_id"], first["outcome"]) == (party.table_id, "done")
    assert (first["version"], first["version_after"]) == (before.version, before.version + 1)
    assert abs(first["time_ms"] - 1000 * float((await redis.time())[0])) < 60_000
    assert second["outcome"].startswith("refused: ")
    assert second["version_after"] == 0


async def test_an_ended_game_with_a_clock_has_none_that_runs(redis_url: str, rules: str) -> None:
    clock = tables_pb2.Clock(at_zero=tables_pb2.AT_ZERO_RESIGN)
    clock.per_move.FromSeconds(60)
    async with playing(rules, clock=clock) as party:
        assert (await party.now()).table.HasField("running")
        await _bgb(redis_url, "table", party.table_id, "end", "--reason", "over")
        assert not (await party.host.table(party.table_id)).HasField("running")
        due = await _due(party.clients)
        assert due == [], "nobody is told that it is their turn there"


async def _due(clients: list[Client]) -> list[str]:
    found = []
    for client in clients:
        stream = client.watch_me()
        try:
            found.append((await asyncio.wait_for(anext(stream), 0.3)).table_id)
        except TimeoutError:
            pass
        finally:
            await stream.aclose()
    return found


async def test_a_bot_that_nobody_woke_is_woken(redis: Redis, redis_url: str, tables: Tables) -> None:
    """All that would wake it is gone: the outbox entry, the deadline, and what the table knows of it."""
    live = await play_on_to_bot(tables, await _open(tables, ADA, GREEDY, BEA))
    slot = keys.slot_of(live.id)
    await redis.delete(keys.outbox(slot))
    await redis.zrem(keys.deadlines(slot), live.id)
    await redis.hdel(keys.table(live.id), "wake_seat", "wake_bot", "wake_player", "wake_attempt", "wake_ms")
    assert "given out again" in await _bgb(redis_url, "table", live.id, "wake", "--reason", "stuck since noon")
    (delivery,) = await Outbox(redis).read("test", 500, 10)
    bot = live.table.seats[1].player
    assert (delivery.table_id, delivery.version, delivery.seat) == (live.id, live.version, 1)
    assert (delivery.bot, delivery.player_id, delivery.attempt) == ("greedy", bot.id, 1)
    assert await redis.zscore(keys.deadlines(slot), live.id) is not None
    assert (await tables.live.now(live.id)).version == live.version, "nothing has happened at the table"
    row = await _json(redis_url, "table", live.id)
    assert (row["attempt"], row["turn_is_bots"]) == (1, True)
    (act,) = await _json(redis_url, "audit", "--table", live.id)
    assert (act["what"], act["version"], act["version_after"], act["outcome"]) == ("wake", *[live.version] * 2, "done")


async def play_on_to_bot(tables: Tables, live: LiveTable) -> LiveTable:
    """Play until it is a bot's turn."""
    while live.state is not None and live.table.seats[live.state.actor or 0].player.kind != PLAYER_KIND_BOT:
        live = await play_on(tables, live, 1)
    return live


async def test_there_is_nobody_to_wake_where_a_person_has_no_clock(redis_url: str, tables: Tables) -> None:
    live = await _open(tables, ADA, BEA, CLEO)
    assert "nobody to wake" in await _bgb(redis_url, "table", live.id, "wake", "--reason", "x")


async def test_a_persons_seat_is_given_to_a_bot_and_taken_again(redis: Redis, redis_url: str, rules: str) -> None:
    async with playing(rules) as party:
        seat = (await party.now()).summary.actor
        said = await _bgb(redis_url, "table", party.table_id, "seat", str(seat), "bot", "random", "--reason", "asleep")
        assert f"Random [random] for Person {seat}, away" in said
        table = await party.host.table(party.table_id)
        assert (table.seats[seat].player.bot, table.seats[seat].away.name) == ("random", f"Person {seat}")
        (delivery,) = await Outbox(redis).read("test", 500, 10)
        assert (delivery.seat, delivery.bot, delivery.version) == (seat, "random", table.version)
        same = await _bgb(redis_url, "table", party.table_id, "seat", str(seat), "bot", "random", "--reason", "asleep")
        assert "is Random's already: nothing was done" in same
        acts = await _json(redis_url, "audit", "--table", party.table_id)
        assert [act["what"] for act in acts] == [f"seat {seat} bot random"], "the second was none"
        await party.clients[seat].take_seat(party.table_id)
        back = await party.host.table(party.table_id)
        assert back.seats[seat].returning or back.seats[seat].player.name == f"Person {seat}"


async def test_a_bot_is_given_only_what_it_can_play(redis_url: str, rules: str) -> None:
    async with seated(rules) as party:
        for words, why in (
            (("9", "bot", "random"), "0 to 2"),
            (("1", "bot", "architect"), "does not play"),
        ):
            said = await _bgb(redis_url, "table", party.table_id, "seat", *words, "--reason", "x", status=1)
            assert why in said
        assert await _bgb(redis_url, "table", party.table_id, "seat", "1", "bot", "gaudi", "--reason", "x", status=2)
        colours = [seat.colour for seat in (await party.host.table(party.table_id)).seats]
        said = await _bgb(
            redis_url, "table", party.table_id, "seat", "mauve", "bot", "greedy", "--reason", "x", status=2
        )
        assert f"{colours[1].lower()} (1)" in said
        give = ("bot", "greedy", "--reason", "a place is free")
        said = await _bgb(redis_url, "table", party.table_id, "seat", colours[1].lower(), *give)
        assert f"{colours[1]} (1): Greedy" in said
        table = await party.host.table(party.table_id)
        assert (table.seats[1].player.bot, table.seats[1].HasField("away")) == ("greedy", False)


async def test_what_is_done_is_written_down_before_it_is_done(
    redis: Redis, redis_url: str, tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await _open(tables, ADA, BEA, CLEO)

    async def dies(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Tables, "end", dies)
    await _bgb(redis_url, "table", live.id, "end", "--reason", "x", "--as", "me", status=1)
    (act,) = await _json(redis_url, "audit")
    assert (act["who"], act["what"], act["outcome"]) == ("me", "end", "")
    assert "not known" in await _bgb(redis_url, "audit")


@pytest.mark.parametrize(("reason", "why"), [("", "missing"), ("x" * 201, "200"), ("a\x1b[2Jb", "can't be shown")])
async def test_a_reason_is_a_line_that_can_be_shown(redis_url: str, tables: Tables, reason: str, why: str) -> None:
    live = await _open(tables, ADA, BEA, CLEO)
    assert why in await _bgb(redis_url, "table", live.id, "end", "--reason", reason, status=1)
    assert await _json(redis_url, "audit") == []
    assert (await tables.live.now(live.id)).version == live.version


async def test_what_is_done_is_logged_only_for_who_wants_that(redis_url: str, tables: Tables) -> None:
    for wishes, is_logged in (((), False), (("--log-level", "info"), True)):
        live = await _open(tables, ADA, BEA, CLEO, match=f"m{is_logged}")
        ended = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "boardgamesbot", "table", *wishes, live.id, "end", "--reason", "over"),
            env={**os.environ, "BGB_REDIS_URL": redis_url},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, log = await ended.communicate()
        assert out.decode() == f"Ended at version {live.version + 1}.\n"
        assert ("operator acted" in log.decode()) is is_logged
        assert is_logged or log == b""


async def test_a_table_that_is_not_there(redis_url: str) -> None:
    table_id = keys.new_table_id()
    for words in ((table_id,), (table_id, "end", "--reason", "x"), ("../x",)):
        assert "there is no table" in await _bgb(redis_url, "table", *words, status=1)


async def test_the_trail_is_bounded_and_read_in_pages(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "BATCH", 7)
    trail = audit.AuditTrail(redis)
    for number in range(30):
        entry = await trail.begin("me", f"act {number}", f"table {number % 2}", "why", 1)
        await trail.end(entry, "done", 2)
    assert [act.what for act in await trail.newest(4)] == ["act 29", "act 28", "act 27", "act 26"]
    assert [act.what for act in await trail.newest(100, "table 1")] == [f"act {n}" for n in range(29, 0, -2)]
    assert {act.outcome for act in await trail.newest(100)} == {"done"}
    monkeypatch.setattr(audit, "KEPT", 10)
    for _ in range(300):
        await trail.begin("me", "more", "t", "why", 1)
    assert await redis.xlen(keys.AUDIT) <= 10 + 100, "about so many, in blocks of a hundred"


async def test_memory_is_measured_by_game_and_status(redis: Redis, redis_url: str, tables: Tables) -> None:
    await _open(tables, ADA, BEA, CLEO)
    await finished_table(redis)
    told = {(kind["game"], kind["status"]): kind for kind in await _json(redis_url, "tables", "--memory")}
    assert set(told) == {("agora", "playing"), ("agora", "finished")}
    assert told["agora", "finished"]["bytes_mean"] > told["agora", "playing"]["bytes_mean"] > 1000
    assert "KiB" in await _bgb(redis_url, "tables", "--memory")


async def test_who_has_time_left_comes_back_to_a_seat_that_an_operator_gave_to_a_bot(
    redis_url: str, rules: str
) -> None:
    async with playing(rules, clock=bank(60_000)) as party:
        seat = (await party.now()).summary.actor
        await _bgb(redis_url, "table", party.table_id, "seat", str(seat), "bot", "random", "--reason", "asleep")
        assert (await party.host.table(party.table_id)).seats[seat].bank_ms > 0
        await party.clients[seat].take_seat(party.table_id)
        assert (await party.host.table(party.table_id)).seats[seat].returning
