"""Targets for every method of the platform: raw bytes over real gRPC, and requests of every kind over HTTP.

Whatever is sent, a server answers or refuses with a reason, never with INTERNAL or UNKNOWN, and serves the next.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import grpc
import httpx
import structlog
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from boardgamesbot.client import Client, Refused, refusal_of
from boardgamesbot.gateway.methods import METHODS, Method
from boardgamesbot.runtime.tokens import Tokens, service_player
from boardgamesbot.store.embedded import EmbeddedServer
from boardgamesbot.v1 import bots_pb2, games_pb2, matchmaking_pb2, players_pb2, rules_pb2, tables_pb2
from tests.fuzz.decoders import games
from tests.fuzz.mutating import TEXTS, json_bytes, request_bytes, spoilt_bytes
from tests.support.bots import TOKEN_KEY
from tests.support.limitless import SETTINGS
from tests.support.platform import bots_server, gateway_server, matchmaking_server, rules_server

CALL_SECONDS = 20.0
STREAM_SECONDS = 0.3
"""A stream has been read long enough when nothing came for so long."""
SLOW = frozenset({"ChooseMove", "WatchChoice", "SuggestMove"})
"""Methods that wait for workers, of which there are none here: not to be answered is right."""
FORBIDDEN = (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.DATA_LOSS)
PATHS = tuple(METHODS)
OURS = frozenset(path for path in PATHS if not path.startswith("/grpc."))
"""Those that are no library's, and say why they refuse."""


@dataclass
class Arena:
    """Servers with something going on in them, and valid requests for each of their methods."""

    servers: dict[str, str]
    """Addresses by the name the contract's methods go by."""
    page: str
    tokens: list[str]
    corpus: dict[type[Message], list[Message]] = field(default_factory=dict)
    channels: dict[str, grpc.aio.Channel] = field(default_factory=dict)

    def keep(self, *requests: Message) -> None:
        for request in requests:
            self.corpus.setdefault(type(request), []).append(request)


@asynccontextmanager
async def arena() -> AsyncIterator[Arena]:
    """Start the servers on a Redis of their own, and play a little."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fuzz")))
        redis = stack.enter_context(EmbeddedServer(folder / "redis", appendfsync="everysec"))
        own: dict[str, Any] = {**SETTINGS, "token_key": TOKEN_KEY, "choice_seconds": 0.2}
        rules = await stack.enter_async_context(rules_server(redis.url, **own))
        bots = await stack.enter_async_context(bots_server(redis.url, rules, **own))
        matchmaking = await stack.enter_async_context(matchmaking_server(redis.url, rules, **own))
        page = await stack.enter_async_context(
            gateway_server(
                rules_address=rules, bots_address=bots, matchmaking_address=matchmaking,
                **own,
            )
        )  # fmt: skip
        servers = {"rules": rules, "bots": bots, "matchmaking": matchmaking}
        made = Arena(servers, page, [])
        for name, address in servers.items():
            made.channels[name] = await stack.enter_async_context(grpc.aio.insecure_channel(address))
        await _furnish(made, stack)
        yield made


async def _furnish(made: Arena, stack: AsyncExitStack) -> None:
    """Two tables under way, one open, a ticket, a bot account; and the requests that concern them."""
    rules, bots, matchmaking = made.servers.values()
    people = [await stack.enter_async_context(Client(rules, bots=bots, matchmaking=matchmaking)) for _ in range(3)]
    for number, person in enumerate(people):
        await person.sign_in(f"Person {number}")
    host = people[0]
    account = await host.create_bot_account("Rook")
    service = Tokens(TOKEN_KEY.encode(), 3600).issue(service_player("fuzz"))
    made.tokens += [*(person.token for person in people), account.token, service, "nonsense"]
    for game_id, seats in (("agora", 3), ("barcelona", 2)):
        table = await host.create_table(game_id, seats)
        for person in people[:seats]:
            await person.take_seat(table.id)
        await host.start(table.id)
        now = await host.view(table.id)
        legal = await people[now.summary.actor].legal_moves(table.id)
        made.keep(
            *(
                tables_pb2.SubmitMoveRequest(
                    table_id=table.id,
                    seat=now.summary.actor,
                    version=now.version,
                    request_id=f"r{number}",
                    move=one.move,
                )
                for number, one in enumerate(legal.moves[:20])
            ),
            tables_pb2.UndoMoveRequest(table_id=table.id, seat=0, version=now.version, request_id="u"),
            tables_pb2.ResignRequest(table_id=table.id, seat=1),
            tables_pb2.RunOutRequest(table_id=table.id, version=now.version),
            tables_pb2.WatchRequest(table_id=table.id, after_version=1),
            tables_pb2.GetRecordRequest(table_id=table.id),
            bots_pb2.SuggestMoveRequest(table_id=table.id, bot="greedy"),
            tables_pb2.CreateTableRequest(game_id=game_id, players=seats, options=now.table.options, request_id="c"),
            tables_pb2.OpenTableRequest(
                match_id="m", game_id=game_id, players=[seat.player for seat in now.table.seats], rated=True
            ),
            tables_pb2.ListTablesRequest(game_id=game_id, page_size=5),
            matchmaking_pb2.CreateTicketRequest(game_id=game_id, request_id="t", min_players=seats, max_players=seats),
            matchmaking_pb2.GetRatingRequest(game_id=game_id, players=seats, player_id=host.player.id),
            matchmaking_pb2.ListLeaderboardRequest(game_id=game_id, players=seats, page_size=3),
            matchmaking_pb2.ListQueuesRequest(game_id=game_id),
        )
    open_table = await host.create_table("agora", 4, with_code=True)
    ticket = await people[2].create_ticket("agora", players=(4, 4))
    for kind in (
        tables_pb2.GetTableRequest, tables_pb2.TakeSeatRequest, tables_pb2.LeaveSeatRequest,
        tables_pb2.SwapSeatsRequest, tables_pb2.StartTableRequest, tables_pb2.TableServiceGetViewRequest,
        tables_pb2.TableServiceListLegalMovesRequest, bots_pb2.SeatBotRequest,
    ):  # fmt: skip
        made.keep(kind(table_id=open_table.id))
    made.keep(
        tables_pb2.GetTableByCodeRequest(code=open_table.code),
        matchmaking_pb2.WatchTicketRequest(ticket_id=ticket.id),
        matchmaking_pb2.CancelTicketRequest(ticket_id=ticket.id),
        matchmaking_pb2.AcceptMatchRequest(ticket_id=ticket.id, match_id="m"),
        matchmaking_pb2.JoinTicketRequest(join_code="ABCD-EFGH"),
        players_pb2.CreateGuestRequest(name="Ada"),
        players_pb2.CreateBotAccountRequest(name="Pawn", request_id="b"),
        players_pb2.RenewBotTokenRequest(account_id=account.account.player.id),
        players_pb2.WatchMeRequest(announcement=players_pb2.BotAnnouncement(game_ids=["agora"], max_tables=1)),
        rules_pb2.GetRulebookRequest(game_id="agora"),
    )
    for codec, states, record in games():
        state = games_pb2.GameState.FromString(states[len(states) // 2].SerializeToString())
        moves = [codec.move_to(move) for move in codec.state_from(state).legal_moves()[:5]]
        made.keep(
            rules_pb2.NewStateRequest(
                game_id=codec.game.id, players=len(record.players), options=record.options, seed=bytes(32)
            ),
            rules_pb2.ListLegalMovesRequest(state=state),
            *(rules_pb2.CheckMoveRequest(state=state, move=move) for move in moves),
            *(rules_pb2.ApplyMoveRequest(state=state, move=move) for move in moves),
            rules_pb2.GetViewRequest(state=state, seat=0),
            rules_pb2.VerifyRecordRequest(record=record),
            bots_pb2.ChooseMoveRequest(state=state, bot="greedy", seed=b"s"),
            bots_pb2.WatchChoiceRequest(choice=bots_pb2.ChooseMoveRequest(state=state, bot="greedy", seed=b"s")),
        )


async def grpc_bytes(made: Arena, rng: Random) -> None:
    """Raw bytes to a method, by somebody or nobody."""
    method = METHODS[rng.choice(PATHS)]
    name = method.path.rpartition("/")[2]
    if name in SLOW and rng.random() < 0.7:
        return
    data = request_bytes(method.request, made.corpus.get(method.request, ()), rng)
    token = rng.choice(made.tokens)
    metadata = [("authorization", f"Bearer {token}")] if rng.random() < 0.97 else []
    if rng.random() < 0.1:
        metadata.append(("x-request-id", rng.choice([text for text in TEXTS if text.isascii() and text.isprintable()])))
    channel = made.channels[method.server]
    try:
        if method.is_stream:
            stream: grpc.aio.UnaryStreamMultiCallable[bytes, bytes] = channel.unary_stream(method.path)
            await _read_a_little(stream(data, metadata=metadata, timeout=CALL_SECONDS))
        else:
            unary: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(method.path)
            patience = STREAM_SECONDS if name in SLOW else CALL_SECONDS
            answer = await unary(data, metadata=metadata, timeout=patience)
            method.response.FromString(answer)
    except grpc.aio.AioRpcError as error:
        _check_refusal(name, refusal_of(error), data, ours=method.path in OURS)


async def _read_a_little(call: grpc.aio.UnaryStreamCall[bytes, bytes]) -> None:
    try:
        for _ in range(20):
            if await asyncio.wait_for(call.read(), STREAM_SECONDS) is grpc.aio.EOF:
                return
    except TimeoutError:
        pass
    except asyncio.CancelledError:
        if not call.cancelled():
            raise
    finally:
        call.cancel()


def _check_refusal(name: str, refused: Refused, data: bytes, *, ours: bool) -> None:
    said = f"{name}: {refused.code.name} {refused.reason!r} {refused.message!r} for {data.hex()[:400]}"
    assert refused.code not in FORBIDDEN, said
    if refused.code is grpc.StatusCode.DEADLINE_EXCEEDED:
        assert name in SLOW, said
        return
    if not ours:
        return
    assert refused.reason, said
    assert refused.message, said
    if refused.code is grpc.StatusCode.INVALID_ARGUMENT:
        assert refused.field or refused.reason == "ILLEGAL_MOVE", said


KINDS = (
    "application/json", "application/proto", "application/connect+json", "application/connect+proto",
    "application/grpc-web+proto", "application/grpc-web-text+proto", "text/plain", "application/json; charset=latin-1",
    "",
)  # fmt: skip
ODD_HEADERS = (
    ("connect-timeout-ms", "-1"), ("connect-timeout-ms", "99999999999999"), ("connect-protocol-version", "2"),
    ("grpc-timeout", "1X"), ("content-encoding", "gzip"), ("content-encoding", "br"), ("accept-encoding", "nonsense"),
    ("x-request-id", "a" * 500), ("origin", "null"), ("x-forwarded-for", "not an address"), ("te", "trailers"),
    ("authorization", "Basic abc"), ("connect-content-encoding", "gzip"), ("connect-accept-encoding", "zstd"),
)  # fmt: skip


async def http(made: Arena, rng: Random, client: httpx.AsyncClient) -> None:
    """A request to the gateway: a method in any of its protocols, well put or not; or something else altogether."""
    method: Method = METHODS[rng.choice(list(METHODS))]
    name = method.path.rpartition("/")[2]
    if name in SLOW:
        return
    valid = rng.choice(made.corpus.get(method.request) or [method.request()])
    kind = rng.choice(KINDS) if rng.random() < 0.5 else "application/json"
    if "json" in kind or rng.random() < 0.2:
        content = json_bytes(MessageToDict(valid), rng)
    else:
        content = request_bytes(method.request, [valid], rng)
    if "connect" in kind or "grpc" in kind:
        content = bytes((rng.choice((0, 0, 0, 1, 2, 128, 255)),)) + len(content).to_bytes(4) + content
        if rng.random() < 0.3:
            content = spoilt_bytes(content, rng)
    path = method.path if rng.random() < 0.9 else spoilt_bytes(method.path.encode(), rng).decode("latin-1")
    headers = [("authorization", f"Bearer {rng.choice(made.tokens)}")]
    if kind:
        headers.append(("content-type", kind))
    if rng.random() < 0.3:
        headers.append(rng.choice(ODD_HEADERS))
    try:
        request = client.build_request(
            rng.choices(("POST", "GET", "OPTIONS", "PUT"), (90, 4, 3, 3))[0],
            httpx.URL(made.page).copy_with(raw_path=_raw(path)), content=content, headers=headers,
        )  # fmt: skip
    except (httpx.InvalidURL, ValueError, UnicodeEncodeError):
        return
    said = f"{request.method} {path!r} {headers[1:]} {content[:200]!r}"
    answer = await client.send(request, stream=True)
    try:
        assert answer.status_code not in (500, 502), f"{said} -> {answer.status_code}"
        body = b""
        try:
            async with asyncio.timeout(STREAM_SECONDS if method.is_stream else CALL_SECONDS):
                async for part in answer.aiter_raw():
                    body += part
        except TimeoutError:
            assert method.is_stream, f"{said}: no answer within {CALL_SECONDS} s"
        for word in (b'"code":"internal"', b'"code":"unknown"', b"Traceback", b"grpc-status:13", b"grpc-status:2\r"):
            assert word not in body, f"{said} -> {body[:300]!r}"
        if answer.status_code >= 400 and "json" in answer.headers.get("content-type", ""):
            refusal = json.loads(body)
            assert refusal["code"], said
            assert refusal["message"], said
    finally:
        await answer.aclose()


def _raw(path: str) -> bytes:
    return "/".join(path.split("/")).encode("latin-1").replace(b" ", b"%20").replace(b"\x00", b"%00") or b"/"


TARGETS = ("grpc_bytes", "http")


@contextmanager
def _listening(failed: list[str]) -> Iterator[None]:
    """Add every error that is logged, by us or by a library, to `failed`; nothing else is written anywhere."""

    def ours(_: object, level: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
        if level in ("error", "exception", "critical"):
            failed.append(structlog.processors.format_exc_info(None, level, event).__repr__())
        raise structlog.DropEvent

    class Theirs(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            failed.append(self.format(record))

    handler, before = Theirs(logging.ERROR), structlog.get_config()
    structlog.configure(processors=[ours])
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)
        structlog.configure(**before)


async def run(names: Collection[str], seeds: Sequence[int], faults: list[str]) -> Counter[str]:
    """Run targets once for each seed, on servers of their own; what misbehaved is added to `faults`."""
    runs: Counter[str] = Counter()
    failed: list[str] = []
    with _listening(failed):
        async with arena() as made, httpx.AsyncClient(trust_env=False, timeout=CALL_SECONDS) as client:
            targets: dict[str, Callable[[Random], Awaitable[None]]] = {
                "grpc_bytes": lambda rng: grpc_bytes(made, rng),
                "http": lambda rng: http(made, rng, client),
            }
            for name, seed in itertools.product(names, seeds):
                words = f"python -m tests.fuzz --target {name} --seed {seed}"
                try:
                    await targets[name](Random(f"{name} {seed}"))
                except (AssertionError, httpx.HTTPError) as error:
                    faults.append(f"{words}: {error!r}")
                faults += [f"{words}: logged {line}" for line in failed]
                failed.clear()
                runs[name] += 1
            async with Client(made.servers["rules"]) as after:
                await after.sign_in("After it all")
                assert await after.games()
    return runs
