"""A platform that is killed, program by program, at random points, while people play on it.

People with the SDK, bots, watchers over gRPC and over HTTP, and searches for games are at it all the while. What they
are told goes into ledgers outside of the platform, and is held against what the platform has kept when a game is over:
every accepted move once and as it was, every watcher every version once, and nobody a byte too much.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
import statistics
import time
import traceback
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

import grpc
import httpx
from google.protobuf.json_format import Parse
from grpc_health.v1 import health_pb2, health_pb2_grpc

from boardgamesbot.client import Client, Refused
from boardgamesbot.client.channel import open_channel
from boardgamesbot.client.patience import PATIENCE_SECONDS
from boardgamesbot.client.patience import patiently as _patiently
from boardgamesbot.client.tickets import new_request_id
from boardgamesbot.client.turns import MOVED_ON
from boardgamesbot.v1 import bots_pb2, games_pb2, matchmaking_pb2, rules_pb2, rules_pb2_grpc, tables_pb2
from tests.support.ledger import Ledger, gaps_and_repeats
from tests.support.platform import Supervised
from tests.support.scan import Told

SERVERS = ("redis", "rules", "bots", "matchmaking", "gateway")
WORKERS = ("worker-quick", "worker-deep")
TARGETS = (*SERVERS, *WORKERS, "dispatcher", "worker-quick child", "worker-deep child")
"""What is killed: every program of `bgb serve`, and processes of the workers alone."""

RECOVERY_SECONDS = 120.0
TELL_SECONDS = 5.0
POLL_SECONDS = 0.02
DOWN_AT_ONCE = (1, 1, 2, 3)
"""How many programs may be down when the next is killed, one of these by chance."""
TWICE = 0.15
"""How often a move is sent twice at once under one request id."""
RACE = 0.1
"""How often two moves are sent at once for the same version."""


@dataclass(frozen=True)
class Kind:
    """A kind of table."""

    game: str
    people: int
    bots: tuple[str, ...] = ()
    searched: bool = False
    """Whether its people find one another by matchmaking."""


KINDS = (
    Kind("agora", 3),
    Kind("agora", 1, ("greedy", "greedy")),
    Kind("agora", 0, ("greedy", "greedy", "greedy")),
    Kind("agora", 3, searched=True),
    Kind("barcelona", 2),
    Kind("barcelona", 1, ("greedy",)),
    Kind("barcelona", 0, ("greedy", "greedy")),
    Kind("agora", 2, ("agora-beginner",)),
)


@dataclass
class Tally:
    """What came of it all."""

    kills: Counter[str] = field(default_factory=Counter)
    recoveries: dict[str, list[float]] = field(default_factory=dict)
    """Seconds from a kill until what the program is for was done again."""
    tables: int = 0
    moves: int = 0
    """Of people and bots, in finished games."""
    accepted: int = 0
    """Of people."""
    sent_again: int = 0
    searches: int = 0
    choices: int = 0
    watchers: int = 0
    received: int = 0
    """Versions that watchers were sent."""
    scanned_bytes: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    leaked: list[str] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    """What an SDK client was told that it should not have been."""

    @property
    def is_clean(self) -> bool:
        return not (self.lost or self.doubled or self.leaked or self.gaps or self.errors)

    def line(self) -> str:
        """Where things stand, in one line."""
        return (
            f"{self.kills.total()} kills · {self.tables} games · {self.accepted} moves accepted · lost {len(self.lost)}"
            f" · doubled {len(self.doubled)} · leaked {len(self.leaked)} · gaps {len(self.gaps)}"
            f" · errors {len(self.errors)}"
        )

    def as_json(self) -> dict[str, object]:
        """All of it, for other programs."""
        return {
            "kills": dict(self.kills),
            "tables": self.tables,
            "moves": self.moves,
            "accepted": self.accepted,
            "sent_again": self.sent_again,
            "searches": self.searches,
            "choices": self.choices,
            "watchers": self.watchers,
            "received": self.received,
            "scanned_bytes": self.scanned_bytes,
            "lost": self.lost,
            "doubled": self.doubled,
            "leaked": self.leaked,
            "gaps": self.gaps,
            "errors": self.errors,
            "recovery_seconds": {
                name: {"kills": len(s), "p50": round(statistics.median(s), 3), "max": round(max(s), 3)}
                for name, s in sorted(self.recoveries.items())
            },
        }

    def as_table(self) -> str:
        """The same as a table in Markdown."""
        rows = ["| program | kills | back after, p50 s | max s |", "|---|---:|---:|---:|"]
        for name in TARGETS:
            seconds = self.recoveries.get(name, [])
            figures = f"{statistics.median(seconds):.2f} | {max(seconds):.2f}" if seconds else "– | –"
            rows.append(f"| {name} | {self.kills[name]} | {figures} |")
        return "\n".join(rows)


@dataclass
class _Watched:
    """What one watcher was sent."""

    eyes: int | None
    people: frozenset[int]
    """The seats of the table that are no bots'."""
    responses: list[tables_pb2.WatchResponse] = field(default_factory=list)


class Players:
    """People who open one table after another on a platform, play, and watch, until they are to stop."""

    def __init__(
        self,
        rules: str,
        bots: str,
        matchmaking: str,
        pages: Sequence[str],
        tally: Tally,
        rng: Random,
        *,
        kinds: Sequence[Kind] = KINDS,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        """`patience`: for how many seconds they ask again where the SDK itself has given up; 0: not at all."""
        self._addresses = rules, bots, matchmaking
        self._pages = pages
        self._kinds = kinds
        self._patiently = partial(_patiently, seconds=patience)
        self._tally = tally
        self._rng = rng
        self._stopping = asyncio.Event()
        self.bot_moves: dict[str, int] = {}
        """By table, the version of the last that any watcher saw."""

    def stop(self) -> None:
        """No new tables; those that are there are played to their ends."""
        self._stopping.set()

    async def play(self, tables: int) -> None:
        """Play at so many tables at once until told to stop."""
        async with asyncio.TaskGroup() as group:
            for number in range(tables):
                group.create_task(self._one_after_another(number))
            if any(kind.bots for kind in self._kinds):
                group.create_task(self._ask_bots())

    async def _one_after_another(self, number: int) -> None:
        while not self._stopping.is_set():
            kind = self._kinds[number % len(self._kinds)]
            number += 1
            try:
                await self._table(kind, Random(self._rng.random()))
            except* Exception as several:
                self._tally.errors += [_said(error) for error in _leaves(several)]

    @asynccontextmanager
    async def _guest(self, name: str) -> AsyncIterator[Client]:
        rules, bots, matchmaking = self._addresses
        async with Client(rules, bots=bots, matchmaking=matchmaking) as client:
            await self._patiently(partial(client.sign_in, name))
            yield client

    async def _table(self, kind: Kind, rng: Random) -> None:
        async with AsyncExitStack() as stack:
            people = [await stack.enter_async_context(self._guest(f"P{i}")) for i in range(max(1, kind.people))]
            if kind.searched:
                table_id, seats = await self._search(kind, people)
            else:
                table_id, seats = await self._open(kind, people)
            ledger = Ledger()
            watched = [_Watched(eyes, frozenset(seats)) for eyes in (*seats, None, None)]
            spectator = await stack.enter_async_context(self._guest("Spectator"))
            async with asyncio.TaskGroup() as group:
                for one, (seat, client) in zip(watched, seats.items(), strict=False):
                    group.create_task(self._watch(client, table_id, one))
                    group.create_task(self._sit(client, table_id, seat, ledger, Random(rng.random())))
                group.create_task(self._watch(spectator, table_id, watched[-2]))
                group.create_task(self._watch_over_http(spectator.token, table_id, watched[-1]))
            await self._settle(spectator, table_id, ledger, watched, set(seats))

    async def _open(self, kind: Kind, people: list[Client]) -> tuple[str, dict[int, Client]]:
        host = people[0]
        opening = new_request_id()
        table = await self._patiently(partial(self._create, host, kind, opening))
        seats = {}
        for seat in range(kind.people):
            seats[seat] = people[seat]
            await self._patiently(partial(people[seat].take_seat, table.id, seat))
        for seat, bot in enumerate(kind.bots, kind.people):
            await self._unless_done(partial(host.seat_bot, table.id, bot, seat), "SEAT_TAKEN")
        await self._unless_done(partial(host.start, table.id), "WRONG_STATUS")
        return table.id, seats

    @staticmethod
    async def _create(host: Client, kind: Kind, request_id: str) -> tables_pb2.Table:
        return await host.create_table(kind.game, kind.people + len(kind.bots), request_id=request_id)

    async def _search(self, kind: Kind, people: list[Client]) -> tuple[str, dict[int, Client]]:
        """All of them look for a game at once, and any others who do may meet them: each plays where they landed."""
        seen = await asyncio.gather(*(self._find(client, kind) for client in people))
        self._tally.searches += len(people)
        tables = {found.table_id for found in seen}
        if len(tables) != 1 or len({found.seat for found in seen}) != len(people):
            self._tally.errors.append(f"a party was not seated together: {seen}")
        return seen[0].table_id, {found.seat: client for found, client in zip(seen, people, strict=True)}

    async def _find(self, client: Client, kind: Kind) -> matchmaking_pb2.Match:
        async with aclosing(client.find(kind.game, players=(kind.people, kind.people), unrated=True)) as tickets:
            async for ticket in tickets:
                last = ticket
        if last.status != matchmaking_pb2.TICKET_STATUS_MATCHED:
            raise AssertionError(f"a search ended as {last.status}")
        return last.match

    async def _sit(self, client: Client, table_id: str, seat: int, ledger: Ledger, rng: Random) -> None:
        """Play one's turns by chance until the game is over."""
        async with aclosing(client.turns(table_id)) as turns:
            async for turn in turns:
                await asyncio.sleep(rng.uniform(0, 0.03))
                move = rng.choice(turn.moves)
                made = [self._submit(client, ledger, turn.version, seat, table_id, move.message, move.request_id)]
                if rng.random() < TWICE:
                    self._tally.sent_again += 1
                    made += [self._submit(client, ledger, turn.version, seat, table_id, move.message, move.request_id)]
                if rng.random() < RACE:
                    other = rng.choice(turn.moves)
                    made += [
                        self._submit(client, ledger, turn.version, seat, table_id, other.message, other.request_id)
                    ]
                await asyncio.gather(*made)

    async def _submit(
        self,
        client: Client,
        ledger: Ledger,
        version: int,
        seat: int,
        table_id: str,
        move: games_pb2.GameMove,
        request_id: str,
    ) -> None:
        request = tables_pb2.SubmitMoveRequest(
            table_id=table_id, seat=seat, version=version, move=move, request_id=request_id
        )
        entry = ledger.entry(request)
        try:
            answer = await self._patiently(partial(client.submit, table_id, seat, version, move, request_id))
        except Refused as refused:
            entry.refused.append(refused.reason)
            if refused.reason not in MOVED_ON:
                raise
        else:
            entry.accepted.append(answer)

    async def _watch(self, client: Client, table_id: str, watched: _Watched) -> None:
        async for response in client.watch(table_id):
            self._seen(table_id, watched, response)

    async def _watch_over_http(self, token: str, table_id: str, watched: _Watched) -> None:
        """Watch in lines of JSON through the gateway, from the last version seen whenever the connection is lost."""
        headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
        timeout = httpx.Timeout(60, read=None)
        async with httpx.AsyncClient(trust_env=False, timeout=timeout) as http:
            for page in itertools.cycle(self._pages):
                seen = watched.responses[-1].version if watched.responses else 0
                with suppress(httpx.TransportError):
                    wanted = json.dumps({"tableId": table_id, "afterVersion": str(seen)})
                    watch = f"{page}/boardgamesbot.v1.TableService/Watch"
                    call = http.stream("POST", watch, content=wanted, headers=headers)
                    async with call as answer:
                        async for line in answer.aiter_lines():
                            said = json.loads(line) if line.strip() else {}
                            if "result" in said:
                                response = Parse(json.dumps(said["result"]), tables_pb2.WatchResponse())
                                self._seen(table_id, watched, response)
                            elif said and said.get("error", said).get("code") not in ("unavailable", None):
                                self._tally.errors.append(f"HTTP: {line[:200]}")
                                return
                last = watched.responses[-1] if watched.responses else None
                if last is not None and last.table.status == tables_pb2.TABLE_STATUS_FINISHED:
                    return
                await asyncio.sleep(0.05)

    def _seen(self, table_id: str, watched: _Watched, response: tables_pb2.WatchResponse) -> None:
        watched.responses.append(response)
        self._tally.received += 1
        if response.HasField("move_played") and response.move_played.seat not in watched.people:
            self.bot_moves[table_id] = max(self.bot_moves.get(table_id, 0), response.version)

    async def _settle(
        self, client: Client, table_id: str, ledger: Ledger, watched: list[_Watched], people: set[int]
    ) -> None:
        """The game is over: hold what everybody was told against its record."""
        record = await self._patiently(partial(client.record, table_id))
        last = watched[-2].responses[-1].version
        start = last - len(record.moves)
        ledger.check(record, start, people)
        tally = self._tally
        tally.tables += 1
        tally.moves += len(record.moves)
        tally.accepted += len(ledger.accepted)
        tally.lost += [f"{table_id}: {text}" for text in ledger.lost]
        tally.doubled += [f"{table_id}: {text}" for text in ledger.doubled]
        told = await asyncio.to_thread(Told, record, start)
        for one in watched:
            tally.watchers += 1
            tally.gaps += [f"{table_id}: {t}" for t in gaps_and_repeats([r.version for r in one.responses], last)]
            tally.scanned_bytes += sum(response.ByteSize() for response in one.responses)
            leaks = await asyncio.to_thread(told.differences, one.eyes, one.responses)
            tally.leaked += [f"{table_id}: {text}" for text in leaks]
        self.bot_moves.pop(table_id, None)

    async def _unless_done(self, ask: Callable[[], Awaitable[object]], reason: str) -> None:
        """Ask patiently; where the answer to an earlier try was lost, the refusal says that it was done."""
        tries = 0

        async def once() -> object:
            nonlocal tries
            tries += 1
            return await ask()

        try:
            await self._patiently(once)
        except Refused as refused:
            if tries == 1 or refused.reason != reason:
                raise

    async def _ask_bots(self) -> None:
        """Ask bots of either pace about one position again and again: the same answer each time."""
        rules, *_ = self._addresses
        async with self._guest("Asker") as client:
            position = await self._patiently(partial(_position, rules))
            first: dict[str, bytes] = {}
            while not self._stopping.is_set():
                for bot in ("greedy", "agora-beginner"):
                    chosen = await self._patiently(partial(_choice, client, position, bot, 20))
                    data = chosen.move.SerializeToString(deterministic=True)
                    self._tally.choices += 1
                    if chosen.bot == bot and first.setdefault(bot, data) != data:
                        self._tally.errors.append(f"{bot} answered otherwise")
                await asyncio.sleep(0.1)


def _leaves(several: BaseExceptionGroup[Exception]) -> Iterator[Exception]:
    for one in several.exceptions:
        if isinstance(one, BaseExceptionGroup):
            yield from _leaves(one)
        else:
            yield one


def _said(error: Exception) -> str:
    """What went wrong, and what was asked for: the methods on the way there."""
    steps = " > ".join(step.name for step in traceback.extract_tb(error.__traceback__))
    if isinstance(error, Refused):
        return f"{steps}: {error.code.name} {error.reason} {error.message}"
    return f"{steps}: {error!r}"


async def _choice(
    client: Client, position: games_pb2.GameState, bot: str, iterations: int
) -> bots_pb2.ChooseMoveResponse:
    """What a bot chooses."""
    return await client.choose_move(position, bot, b"seed", iterations=iterations)


async def _position(rules: str) -> games_pb2.GameState:
    request = rules_pb2.NewStateRequest(game_id="agora", players=3, seed=bytes(range(32)))
    async with open_channel(rules) as channel:
        try:
            answer = await rules_pb2_grpc.RulesServiceStub(channel).NewState(request, timeout=10, wait_for_ready=True)
        except grpc.aio.AioRpcError as error:
            raise Refused(error.code(), error.details() or "") from None
    state: games_pb2.GameState = answer.state
    return state


class Killer:
    """Kills programs of a platform, one after another, and waits until what each is for is done again."""

    def __init__(
        self, supervised: Supervised, players: Players, tally: Tally, rng: Random, down_at_once: Sequence[int]
    ) -> None:
        self._supervised = supervised
        self._down_at_once = down_at_once
        self._players = players
        self._tally = tally
        self._rng = rng

    async def kill(self, times: int, tell: Callable[[str], None] = lambda _: None) -> None:
        """Kill so many times; `tell` is given a line now and then."""
        down: dict[str, asyncio.Task[None]] = {}
        told = time.monotonic()
        async with Client(self._supervised.rules, bots=self._supervised.bots) as self._asker:
            await _patiently(partial(self._asker.sign_in, "Prober"))
            self._position = await _patiently(partial(_position, self._supervised.rules))
            order: list[str] = []
            for _ in range(times):
                if not order:
                    order = self._rng.sample(TARGETS, len(TARGETS))
                target = order.pop()
                await asyncio.sleep(self._rng.uniform(0, 0.25))
                most = self._rng.choice(self._down_at_once)
                while len(down) >= most or _program(target) in down:
                    await asyncio.wait(down.values(), return_when=asyncio.FIRST_COMPLETED)
                    down = {name: task for name, task in down.items() if not task.done()}
                began = time.monotonic()
                pid = await self._strike(target)
                self._tally.kills[target] += 1
                down[_program(target)] = asyncio.create_task(self._recover(target, pid, began))
                if time.monotonic() - told > TELL_SECONDS:
                    told = time.monotonic()
                    tell(self._tally.line())
            await asyncio.gather(*down.values())

    async def _strike(self, target: str) -> int:
        """Kill a program, or a process of a worker, as soon as it is there; gives its process id."""
        program, child = _program(target), _program(target) != target
        deadline = time.monotonic() + RECOVERY_SECONDS
        while True:
            pid = self._supervised.pids()[program]
            with suppress(ProcessLookupError, OSError):
                if not child:
                    os.killpg(pid, signal.SIGKILL)
                    return pid
                if children := _children(pid):
                    victim = self._rng.choice(children)
                    os.kill(victim, signal.SIGKILL)
                    return victim
            if time.monotonic() > deadline:
                raise AssertionError(f"{target} is not there to be killed")
            await asyncio.sleep(POLL_SECONDS)

    async def _recover(self, target: str, pid: int, began: float) -> None:
        program, child = _program(target), _program(target) != target
        try:
            async with asyncio.timeout(RECOVERY_SECONDS):
                if not child:
                    while self._supervised.pids()[program] == pid:
                        await asyncio.sleep(POLL_SECONDS)
                await self._works(program)
        except TimeoutError:
            self._tally.errors.append(f"{target} was not back within {RECOVERY_SECONDS:.0f} s")
            return
        except Refused as refused:
            self._tally.errors.append(f"{target} after a kill: {_said(refused)}")
            return
        self._tally.recoveries.setdefault(target, []).append(time.monotonic() - began)

    async def _works(self, program: str) -> None:
        """Come back when the program does what it is for."""
        if program in WORKERS:
            bot = "greedy" if program == "worker-quick" else "agora-beginner"
            await _patiently(partial(_choice, self._asker, self._position, bot, 1))
            return
        if program == "dispatcher":
            before = dict(self._players.bot_moves)
            # One turn may have been given out already; the one after it cannot have been.
            while not any(v >= before.setdefault(table, v) + 2 for table, v in self._players.bot_moves.items()):
                await asyncio.sleep(POLL_SECONDS)
            return
        if program == "redis":
            await _patiently(self._asker.tables)
            return
        while not await self._answers(program):
            await asyncio.sleep(POLL_SECONDS)

    async def _answers(self, program: str) -> bool:
        supervised = self._supervised
        if program == "gateway":
            try:
                async with httpx.AsyncClient(trust_env=False, timeout=2) as http:
                    return (await http.get(f"{supervised.page}/readyz")).status_code == 200
            except httpx.TransportError:
                return False
        async with grpc.aio.insecure_channel(getattr(supervised, program)) as channel:
            try:
                answer = await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=1)
            except grpc.aio.AioRpcError:
                return False
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def _program(target: str) -> str:
    return target.partition(" ")[0]


def _children(pid: int) -> list[int]:
    """The processes of a worker that run its tasks, and those they think in."""
    found = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return found + [grandchild for child in found for grandchild in _children(child)]


async def run(
    supervised: Supervised,
    kills: int,
    seed: int,
    tables: int,
    tell: Callable[[str], None] = lambda _: None,
    *,
    kinds: Sequence[Kind] = KINDS,
    down_at_once: Sequence[int] = DOWN_AT_ONCE,
    ending_seconds: float = 600.0,
) -> Tally:
    """Kill so many times while so many tables are played at once, let every game end, and say what came of it."""
    tally, rng = Tally(), Random(seed)
    players = Players(
        supervised.rules, supervised.bots, supervised.matchmaking, [supervised.page], tally, rng, kinds=kinds
    )
    playing = asyncio.create_task(players.play(tables))
    killing = asyncio.create_task(Killer(supervised, players, tally, Random(seed), down_at_once).kill(kills, tell))
    try:
        await asyncio.wait((playing, killing), return_when=asyncio.FIRST_COMPLETED)
        if playing.done():
            await playing
        await killing
        tell("the last kill is over; the games are played to their ends")
        players.stop()
        async with asyncio.timeout(ending_seconds):
            await playing
    finally:
        for task in (playing, killing):
            task.cancel()
        await asyncio.gather(playing, killing, return_exceptions=True)
    return tally
