"""Look for secrets in everything that anybody receives, over many random games.

    python -m tests.faults.leaks --games 1000 --network 20

In process: what each seat and a spectator are shown, told and refused, of games of either kind, against what they must
not know; and the same once more with everything they do not know changed: it must be the same to the byte. Over the
network: what clients of every kind receive, and every program's log, metrics and traces.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, cast
from urllib.request import urlopen

import grpc
import httpx
from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message

from boardgamesbot.client import Client
from boardgamesbot.games import registry
from boardgamesbot.games.base import Event, IllegalMove, Malformed, Move, State
from boardgamesbot.games.chance import ChanceStream
from boardgamesbot.games.proto import Codec, refusal_to
from boardgamesbot.store.embedded import HOST, EmbeddedServer, free_port
from boardgamesbot.v1 import games_pb2, tables_pb2
from tests.support.collector import collecting
from tests.support.limitless import SETTINGS
from tests.support.platform import Platform, until
from tests.support.scan import Eyes, Pattern, Told, hidden, of_secret_bytes

GAMES: tuple[tuple[str, int, Mapping[str, str]], ...] = (
    ("agora", 3, {}),
    ("barcelona", 2, {}),
    ("agora", 4, {"backs": "PLAIN"}),
    ("barcelona", 3, {"expansion": "PASSEIG_DE_GRACIA"}),
    ("agora", 5, {"take": "CHOOSE"}),
    ("barcelona", 2, {"solo": "HARD", "expansion": "PASSEIG_DE_GRACIA"}),
)
SWAPPED = 0.05
"""In which share of the positions all is looked at in every form, and again with everything hidden changed."""
PROGRAMS = ("rules", "bots", "matchmaking", "dispatcher", "worker", "gateway")
TABLES = "/boardgamesbot.v1.TableService/"


@dataclass
class Found:
    """What was looked at, and what was found."""

    games: int = 0
    scanned: int = 0
    """Bytes."""
    swaps: int = 0
    leaks: list[str] = field(default_factory=list)

    def scan(self, what: str, data: bytes, patterns: Iterable[Pattern]) -> None:
        """Look for the patterns in something that was received."""
        self.scanned += len(data)
        self.leaks += [f"{what}: {pattern.tells}" for pattern in patterns if pattern.data in data]


def told_of(
    codec: Codec, state: State, eyes: Eyes, events: list[Event], tries: Iterable[Move], *, whole: bool = True
) -> bytes:
    """What a pair of eyes can be told of a position; `whole`: in JSON and words as well, and all that is refused."""
    view = state.view(eyes)
    message = codec.view_to(view)
    parts = [message.SerializeToString(deterministic=True)]
    names = [f"P{seat}" for seat in range(state.players)]
    words = codec.game.words
    if whole:
        parts += [MessageToJson(message, indent=None).encode(), words.board(view, names).encode()]
        parts += [words.prompt(view).encode() if view.actor is not None else b""]
    for event in events:
        seen = event.seen_by(eyes)
        parts += [codec.event_to(seen).SerializeToString(deterministic=True), words.event(seen, names).encode()]
    if whole and eyes is not None and eyes == state.actor:
        for move in view.legal_moves():
            parts += [codec.move_to(move).SerializeToString(deterministic=True), words.move(view, move).encode()]
        for move in tries:
            with suppress(Malformed):
                try:
                    state.check(move)
                except IllegalMove as refusal:
                    parts += [refusal_to(refusal).SerializeToString(deterministic=True), str(refusal).encode()]
    return b"\0".join(parts)


def one_game(number: int, found: Found) -> None:
    """A game by chance: every position and event, for all eyes."""
    game_id, players, options = GAMES[number % len(GAMES)]
    codec, rng = registry.codec(game_id), Random(f"leaks {number}")
    seed = rng.randbytes(32)
    seed_patterns = of_secret_bytes("the seed", seed)
    state, events = codec.game.new(players, codec.game.complete_options(options), ChanceStream(seed))
    others: list[Move] = []
    while not state.is_over:
        nobody, own = hidden(game_id, state)
        swaps = rng.random() < SWAPPED
        for eyes in (None, *range(players)):
            tries = others[-6:]
            data = told_of(codec, state, eyes, events, tries, whole=swaps)
            patterns = [*seed_patterns, *nobody, *(p for seat, ps in own.items() if seat != eyes for p in ps)]
            found.scan(f"{game_id} {number}, {eyes}", data, patterns)
            if swaps:
                found.swaps += 1
                changed = state.view(eyes).determinize(rng)
                if told_of(codec, changed, eyes, events, tries) != data:
                    found.leaks.append(f"{game_id} {number}: {eyes} is told otherwise when what is hidden is otherwise")
        assert state.actor is not None
        move = rng.choice(state.legal_moves())
        others.append(move)
        events = state.apply(move)
    found.games += 1


@dataclass
class Wire:
    """Ways to call a method and get the bytes of the answer as they came."""

    channel: grpc.aio.Channel
    http: httpx.AsyncClient
    page: str

    async def everything(self, method: str, request: Message, token: str) -> bytes:
        """The answers of every kind of client there is: gRPC, Connect in two encodings, gRPC-Web in two."""
        data = request.SerializeToString()
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = self.channel.unary_unary(TABLES + method)
        try:
            parts = [await call(data, metadata=(("authorization", f"Bearer {token}"),), timeout=20)]
        except grpc.aio.AioRpcError as error:
            parts = [
                str(error).encode(),
                *(bytes(v) for _, v in error.trailing_metadata() or () if isinstance(v, bytes)),
            ]
        framed = b"\0" + len(data).to_bytes(4) + data
        for kind, body in (
            ("application/json", MessageToJson(request).encode()),
            ("application/proto", data),
            ("application/grpc-web+proto", framed),
        ):
            headers = {"content-type": kind, "authorization": f"Bearer {token}"}
            answer = await self.http.post(self.page + TABLES + method, content=body, headers=headers)
            parts += [answer.content, str(answer.headers).encode()]
        return b"\0".join(parts)

    async def watched(self, table_id: str, after: int, token: str) -> bytes:
        """What watchers are sent of one version, over gRPC and in lines of JSON."""
        request = tables_pb2.WatchRequest(table_id=table_id, after_version=after)
        bearer = f"Bearer {token}"
        watch: grpc.aio.UnaryStreamMultiCallable[bytes, bytes] = self.channel.unary_stream(TABLES + "Watch")
        stream = watch(request.SerializeToString(), metadata=(("authorization", bearer),), timeout=20)
        first = cast(bytes, await stream.read())
        stream.cancel()
        headers = {"content-type": "application/json", "authorization": bearer}
        body = MessageToJson(request).encode()
        async with self.http.stream("POST", self.page + TABLES + "Watch", content=body, headers=headers) as answer:
            async for line in answer.aiter_lines():
                if line.strip():
                    return first + line.encode()
        return first


async def play_over_the_network(wire: Wire, rules: str, number: int, found: Found) -> list[Pattern]:
    """A game of people; gives what no log may hold of it."""
    game_id, players, options = GAMES[number % 4]
    codec, rng = registry.codec(game_id), Random(number)
    received: list[tuple[int, Eyes, bytes]] = []
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(rules)) for _ in range(players + 1)]
        for client in clients:
            await client.sign_in("Ada")
        given = codec.options_to(codec.game.complete_options(options))
        table = await clients[0].create_table(game_id, players, given)
        for seat, client in enumerate(clients[:players]):
            await client.take_seat(table.id, seat)
        start = (await clients[0].start(table.id)).version
        eyes: list[tuple[Eyes, Client]] = [*enumerate(clients[:players]), (None, clients[-1])]
        while True:
            now = await clients[0].view(table.id)
            if now.table.status != tables_pb2.TABLE_STATUS_PLAYING:
                break
            actor: int = now.summary.actor
            legal = (await clients[actor].legal_moves(table.id)).moves
            for who, client in rng.sample(eyes, 2):
                answers = _asked(wire, table.id, now.version, who, client.token, legal[0].move)
                received += [(now.version, who, data) async for data in answers]
            await clients[actor].submit(table.id, actor, now.version, rng.choice(legal).move)
        record = await clients[0].record(table.id)
        told = Told(record, start)
        for version, who, data in received:
            found.scanned += len(data)
            found.leaks += told.leaks(version, who, data)
        found.games += 1
        secret = [*told.seed, *told.hidden_all()]
        for client in clients:
            secret += of_secret_bytes("the signature of a token", client.token.rpartition(".")[2].encode())[:40]
        return secret


async def _asked(
    wire: Wire, table_id: str, version: int, seat: Eyes, token: str, move: games_pb2.GameMove
) -> AsyncIterator[bytes]:
    """All that one may ask at a table, and be refused."""
    named = {"table_id": table_id}
    yield await wire.everything("GetView", tables_pb2.TableServiceGetViewRequest(**named), token)
    yield await wire.everything("ListLegalMoves", tables_pb2.TableServiceListLegalMovesRequest(**named), token)
    yield await wire.everything("GetTable", tables_pb2.GetTableRequest(**named), token)
    yield await wire.everything("ListTables", tables_pb2.ListTablesRequest(), token)
    yield await wire.everything("GetRecord", tables_pb2.GetRecordRequest(**named), token)
    stale = tables_pb2.SubmitMoveRequest(
        table_id=table_id, seat=seat or 0, version=version - 1, request_id="stale", move=move
    )
    yield await wire.everything("SubmitMove", stale, token)
    undo = tables_pb2.UndoMoveRequest(table_id=table_id, seat=seat or 0, version=version - 1, request_id="stale")
    yield await wire.everything("UndoMove", undo, token)
    yield await wire.watched(table_id, version - 1, token)


async def over_the_network(games: int, found: Found, tell: Callable[[str], None] = lambda _: None) -> None:
    """Games on a platform of processes that log all they can, with metrics and traces; all of it is looked through."""
    with tempfile.TemporaryDirectory(prefix="leaks") as temporary, collecting() as (collector, traces):
        folder = Path(temporary)
        with EmbeddedServer(folder / "redis", appendfsync="everysec") as redis:
            key = secrets.token_hex(32)
            shared: dict[str, Any] = {
                "log_level": "debug", "log_format": "json", "token_key": key, "traces": f"grpc://{traces}",
                **SETTINGS,
            }  # fmt: skip
            platform = Platform(redis.url, folder, **shared)
            pages = {name: f"{HOST}:{free_port()}" for name in PROGRAMS}
            with platform:
                for name, place in pages.items():
                    platform.start(name, BGB_METRICS_LISTEN=place)
                rules = platform.settings.rules_address
                secret = of_secret_bytes("the key of tokens", key.encode())
                async with (
                    grpc.aio.insecure_channel(rules) as channel,
                    httpx.AsyncClient(trust_env=False, timeout=20) as http,
                ):
                    wire = Wire(channel, http, f"http://{platform.settings.gateway_address}")
                    for number in range(games):
                        secret += await play_over_the_network(wire, rules, number, found)
                        secret += await _bots_play(rules, platform.settings.bots_address, found)
                        tell(f"{number + 1} games over the network, {len(found.leaks)} leaks")
                metrics = {name: await asyncio.to_thread(_page, place) for name, place in pages.items()}
                until(lambda: bool(collector.bytes), "traces have come", 20)
            unique = list({pattern.data: pattern for pattern in secret}.values())
            for name in pages:
                found.scan(f"the log of {name}", platform.log(name).encode(), unique)
                found.scan(f"the metrics of {name}", metrics[name], unique)
                assert metrics[name], f"{name} shows no metrics"
            found.scan("the traces", b"".join(collector.bytes), unique)


async def _bots_play(rules: str, bots: str, found: Found) -> list[Pattern]:
    """A game of bots, of which workers and dispatchers log; gives what no log may hold of it."""
    async with Client(rules, bots=bots) as client:
        await client.sign_in("Watcher")
        table = await client.create_table("agora", 3)
        for _ in range(3):
            await client.seat_bot(table.id, "greedy")
        start = (await client.start(table.id)).version
        responses = [response async for response in client.watch(table.id)]
        told = Told(await client.record(table.id), start)
        found.leaks += told.differences(None, responses)
        found.games += 1
        return [*told.seed, *told.hidden_all()]


def _page(place: str) -> bytes:
    with urlopen(f"http://{place}/metrics", timeout=10) as answer:
        data: bytes = answer.read()
    return data


def in_process(numbers: Iterable[int], found: Found, tell: Callable[[str], None] = lambda _: None) -> None:
    """Games without a network."""
    told = time.monotonic()
    for number in numbers:
        one_game(number, found)
        if time.monotonic() - told > 5:
            told = time.monotonic()
            tell(f"{found.games} games, {found.scanned >> 20} MiB, {found.swaps} swaps, {len(found.leaks)} leaks")


def main() -> int:
    """Run it; the exit status is 0 if nothing was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.leaks", description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="in process")
    parser.add_argument("--network", type=int, default=20, help="over the network, and as many of bots")
    given = parser.parse_args()

    def tell(line: str) -> None:
        sys.stderr.write(line + "\n")

    found = Found()
    in_process(range(given.games), found, tell)
    if given.network:
        asyncio.run(over_the_network(given.network, found, tell))
    figures = {"games": found.games, "bytes": found.scanned, "swaps": found.swaps, "leaks": len(found.leaks)}
    sys.stdout.write(json.dumps(figures) + "\n" + "".join(f"{leak}\n" for leak in found.leaks[:50]))
    return 1 if found.leaks else 0


if __name__ == "__main__":
    raise SystemExit(main())
