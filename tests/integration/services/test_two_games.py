"""Both games at the same time on the same servers, and what keeps them from one another."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

import boardgamesbot
from boardgamesbot.client import Client, Refused
from boardgamesbot.games import registry
from boardgamesbot.games.barcelona.game import Barcelona
from boardgamesbot.store.embedded import EmbeddedServer
from boardgamesbot.v1 import games_pb2, tables_pb2
from tests.support.platform import Platform
from tests.support.play import collect, versions

SEATS = {"agora": ("greedy", "random", "greedy"), "barcelona": ("greedy", "random", "greedy")}
SECONDS = 120
EXPANSION = registry.codec("barcelona").options_to(
    registry.game("barcelona").complete_options({"expansion": "PASSEIG_DE_GRACIA"})
)


@pytest.fixture(scope="module")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    folder = tmp_path_factory.mktemp("two-games")
    with EmbeddedServer(folder / "redis") as redis, Platform(redis.url, folder) as running:
        running.start("rules", "bots", "dispatcher", "worker")
        yield running


async def _table(client: Client, game_id: str, options: games_pb2.GameOptions | None = None) -> str:
    seats = SEATS[game_id]
    table = await client.create_table(game_id, len(seats), options)
    for seat, bot in enumerate(seats):
        await client.seat_bot(table.id, bot, seat)
    return table.id


async def test_bots_play_both_games_side_by_side(platform: Platform) -> None:
    settings = platform.settings
    async with Client(settings.rules_address, bots=settings.bots_address) as host, asyncio.timeout(SECONDS):
        await host.sign_in("Host")
        tables = {
            await _table(host, "agora"): "agora",
            await _table(host, "barcelona"): "barcelona",
            await _table(host, "barcelona", EXPANSION): "barcelona",
        }
        watching = {table_id: asyncio.create_task(collect(host, table_id)) for table_id in tables}
        for table_id in tables:
            await host.start(table_id)
        for table_id, game_id in tables.items():
            seen = await watching[table_id]
            assert versions(seen) == list(range(1, seen[-1].version + 1))
            assert seen[-1].table.status == tables_pb2.TABLE_STATUS_FINISHED
            record = await host.record(table_id)
            assert (record.game_id, {move.move.WhichOneof("game") for move in record.moves}) == (game_id, {game_id})
            assert not (await host.verify(record)).HasField("fault")


async def test_a_move_of_the_other_game_is_refused_and_changes_nothing(rules: str) -> None:
    async with Client(rules) as host, Client(rules) as guest:
        await host.sign_in("Host")
        await guest.sign_in("Guest")
        table = await host.create_table("barcelona", 2)
        await host.take_seat(table.id)
        await guest.take_seat(table.id)
        await host.start(table.id)
        now = await host.view(table.id)
        actor = host if now.view.barcelona.seat == now.summary.actor else guest
        foreign = registry.codec("agora").move_to(100)
        with pytest.raises(Refused) as caught:
            await actor.submit(table.id, now.summary.actor, now.version, foreign)
        assert (caught.value.code, caught.value.field) == (grpc.StatusCode.INVALID_ARGUMENT, "move.barcelona")
        assert (await host.view(table.id)).version == now.version


async def test_each_seat_of_barcelona_sees_its_own_citizens_only(rules: str) -> None:
    async with Client(rules) as host, Client(rules) as guest, Client(rules) as passer_by:
        for client, name in ((host, "Host"), (guest, "Guest"), (passer_by, "Passer-by")):
            await client.sign_in(name)
        table = await host.create_table("barcelona", 2)
        await host.take_seat(table.id, 0)
        await guest.take_seat(table.id, 1)
        await host.start(table.id)
        codec = registry.codec("barcelona")
        hands = []
        for client in (host, guest, passer_by):
            view = codec.view_from((await client.view(table.id)).view)
            hands.append(view.position.hands)  # type: ignore[attr-defined]
        assert [all(hand) for hand in hands[0]] == [True, False]
        assert [all(hand) for hand in hands[1]] == [False, True]
        assert hands[2] == [[0, 0], [0, 0]]


def test_no_code_outside_the_games_asks_which_game_it_is() -> None:
    """A third game is an entry of the registries: nothing else compares a game's id or type."""
    package = Path(boardgamesbot.__file__).parent
    ids = set(registry.GAMES)
    assert {"agora", Barcelona.id} <= ids
    found = []
    for path in sorted(package.rglob("*.py")):
        layer = path.relative_to(package).parts[0]
        if layer in ("games", "v1"):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            compared = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
            compared += [case.pattern for case in node.cases] if isinstance(node, ast.Match) else []  # type: ignore[misc]
            for part in compared:
                constants = [leaf for leaf in ast.walk(part) if isinstance(leaf, ast.Constant)]
                found += [f"{path.relative_to(package)}:{leaf.lineno}" for leaf in constants if leaf.value in ids]
    assert found == []
