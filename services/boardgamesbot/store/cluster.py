"""A client for Redis Cluster that behaves as the one for a single server does.

redis-py's own gives up at once while a master is being replaced, fails callers that find no free connection, closes
everybody's connections when one pipeline fails, and runs transactions in threads.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any, Self

from redis import exceptions
from redis.asyncio.cluster import ClusterNode, PipelineCommand, RedisCluster
from redis.asyncio.connection import AbstractConnection, Connection, SSLConnection
from redis.asyncio.retry import Retry
from redis.backoff import AbstractBackoff, NoBackoff
from redis.commands import AsyncRedisClusterCommands

from boardgamesbot.store.errors import ReplyParser
from boardgamesbot.store.pools import Closable, Turns

RETRIED = (
    exceptions.ConnectionError,
    exceptions.ClusterDownError,
    exceptions.TryAgainError,
    exceptions.SlotNotCoveredError,
    exceptions.ReadOnlyError,
)
"""What goes by itself when a master has been replaced, or a slot moved."""

_KEY_AT_STREAMS = ("XREADGROUP", "XREAD")


class _Shared(Closable):
    """A connection that another task may close at any moment, as redis-py does with all to a node that failed."""

    async def send_packed_command(self, command: Any, check_health: bool = True) -> None:
        try:
            await super().send_packed_command(command, check_health)
        except AttributeError:  # the writer is gone
            raise exceptions.ConnectionError("the connection was closed while it was being opened") from None


class _SharedConnection(_Shared, Connection):
    pass


class _SharedTlsConnection(_Shared, SSLConnection):
    pass


class Cluster(RedisCluster):
    """`nodes` are some of the cluster's; the others are found through them."""

    def __init__(
        self, nodes: Sequence[tuple[str, int]], turns: Turns, backoff: AbstractBackoff, retries: int, **settings: Any
    ) -> None:
        """A command is tried again up to `retries` times after pauses of `backoff`."""
        super().__init__(
            startup_nodes=[ClusterNode(host, port) for host, port in nodes],
            retry=Retry(NoBackoff(), 0),  # tried again here
            require_full_coverage=False,  # the other masters' tables go on while one is replaced
            **settings,
        )
        self._turns = turns
        self._backoff = backoff
        self._retries = retries
        self._looking = asyncio.Lock()
        connection_class = _SharedTlsConnection if settings.get("ssl") else _SharedConnection
        self.connection_kwargs |= {"parser_class": ReplyParser, "connection_class": connection_class}
        for node in self.nodes_manager.startup_nodes.values():
            node.connection_class = connection_class
            node.connection_kwargs["parser_class"] = ReplyParser

    async def initialize(self, *more: Any, **options: Any) -> Self:
        """Ask the cluster who has which slot, if that is to be asked; if it fails, others' connections stay."""
        if self._initialize:
            async with self._looking:
                if self._initialize:
                    await self.nodes_manager.initialize(*more, **options)
                    await self.commands_parser.initialize(self.nodes_manager.default_node)
                    self._initialize = False
        return self

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        """Run a command where its key is. Raises one of `UNAVAILABLE` when it can't be."""
        pauses = self.pauses()
        while True:
            try:
                async with self._turns.one():
                    return await super().execute_command(*args, **dict(options))
            except RETRIED as error:
                await self.look_again(error, pauses)
            except exceptions.RedisClusterException as error:
                if not self._initialize:  # it makes no sense on a cluster
                    raise
                await self.look_again(exceptions.ConnectionError(str(error)), pauses)

    def pauses(self) -> Iterator[float]:
        """How long to wait before each further try, in seconds."""
        return (self._backoff.compute(failures) for failures in range(1, self._retries + 1))

    async def look_again(self, error: Exception, pauses: Iterator[float]) -> None:
        """Wait, and ask the cluster who has which slot before the next command. Raises `error` after the last pause."""
        pause = next(pauses, None)
        if pause is None:
            if isinstance(error, exceptions.SlotNotCoveredError):
                raise exceptions.ClusterDownError(str(error)) from error
            raise error
        await asyncio.sleep(pause)
        self._initialize = True

    async def node_of(self, *command: Any) -> tuple[int, ClusterNode]:
        """The slot of a command's key, and the master that has it."""
        if self._initialize:
            try:
                await self.initialize()
            except exceptions.RedisClusterException as error:
                raise exceptions.ConnectionError(str(error)) from error
        slot = await self._determine_slot(*command)
        return slot, self.nodes_manager.get_node_from_slot(slot)

    async def run(self, node: ClusterNode, commands: list[PipelineCommand]) -> None:
        """Run commands on one connection to a node; each gets its result, which may be an error."""
        async with self._turns.one():
            await node.execute_pipeline(commands)

    async def moved(self, error: exceptions.AskError) -> None:
        """Note that another node has the slot."""
        await self.nodes_manager.move_slot(error)

    async def connection(self) -> AbstractConnection:
        """A connection of one's own to any node, not yet connected: what is published anywhere is heard everywhere."""
        if self._initialize:
            try:
                await self.initialize()
            except exceptions.RedisClusterException as error:
                raise exceptions.ConnectionError(str(error)) from error
        node = self.get_random_node()
        return node.connection_class(**{**node.connection_kwargs, "retry": Retry(NoBackoff(), 0)})

    async def time(self, **options: Any) -> Any:
        """The clock of one of the masters."""
        return await self._of_any("TIME", **options)

    async def info(self, section: str | None = None, *more: str, **options: Any) -> Any:
        """What one of the masters says about itself."""
        return await self._of_any("INFO", *(part for part in (section, *more) if part), **options)

    async def _of_any(self, *command: Any, **options: Any) -> Any:
        return await self.execute_command(*command, target_nodes=self.RANDOM, **options)

    def pipeline(self, transaction: Any = None, shard_hint: Any = None) -> Any:
        """Commands to be run together, those of one slot in order and on one connection; not as one transaction."""
        if transaction:
            raise ValueError("there are no transactions over a cluster: use a script")
        return Pipeline(self)  # type: ignore[abstract] # the attributes declared there are a client's

    async def _determine_slot(self, command: str, *args: Any) -> int:
        if command.upper() in _KEY_AT_STREAMS:  # else the server is asked, each time
            return self.keyslot(args[args.index(b"STREAMS") + 1])
        return await super()._determine_slot(command, *args)


class Pipeline(AsyncRedisClusterCommands):
    """Commands for several slots. WAIT, which has no key, goes where the one before it went."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._commands: list[tuple[tuple[Any, ...], dict[str, Any]]] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._commands = []

    def __len__(self) -> int:
        return len(self._commands)

    def __bool__(self) -> bool:
        return True

    def execute_command(self, *args: Any, **options: Any) -> Self:
        """Put a command behind the others."""
        self._commands.append((args, options))
        return self

    async def execute(self, raise_on_error: bool = True) -> list[Any]:
        """Run them all; their results in order. A slot whose commands met a master that was gone runs again, whole."""
        commands = [PipelineCommand(i, *args, **options) for i, (args, options) in enumerate(self._commands)]
        self._commands = []
        groups: list[list[PipelineCommand]] = []
        by_slot: dict[int, list[PipelineCommand]] = {}
        for command in commands:
            if command.args[0] == "WAIT":
                groups[-1].append(command)
                continue
            slot, _ = await self._placed(command)
            if slot not in by_slot:
                groups.append(by_slot.setdefault(slot, []))
            by_slot[slot].append(command)
        pauses = self._cluster.pauses()
        while groups:
            groups = await self._round(groups, pauses)
        if raise_on_error:
            for command in commands:
                if isinstance(command.result, Exception):
                    raise command.result
        return [command.result for command in commands]

    async def _placed(self, command: PipelineCommand) -> tuple[int, ClusterNode]:
        pauses = self._cluster.pauses()
        while True:
            try:
                return await self._cluster.node_of(*command.args)
            except RETRIED as error:
                await self._cluster.look_again(error, pauses)

    async def _round(self, groups: list[list[PipelineCommand]], pauses: Iterator[float]) -> list[list[PipelineCommand]]:
        """Run the groups, each on the node that has its slot; those to be run again."""
        at_nodes: dict[str, tuple[ClusterNode, list[list[PipelineCommand]]]] = {}
        for group in groups:
            _, node = await self._placed(group[0])
            at_nodes.setdefault(node.name, (node, []))[1].append(group)
        await asyncio.gather(*(self._run(node, at_node) for node, at_node in at_nodes.values()))
        again, gone = [], None
        for group in groups:
            error = next((one.result for one in group if isinstance(one.result, (*RETRIED, exceptions.AskError))), None)
            if error is None:
                continue
            if isinstance(error, exceptions.MovedError):
                await self._cluster.moved(error)
                if next(pauses, None) is None:
                    raise error
            elif isinstance(error, exceptions.AskError):
                await self._one_by_one(group)
                continue
            else:
                gone = error
            again.append(group)
        if gone is not None:
            await self._cluster.look_again(gone, pauses)
        return again

    async def _one_by_one(self, group: list[PipelineCommand]) -> None:
        """Run commands whose slot is on its way to another node; nobody can say then how many replicas have them."""
        for command in group:
            if command.args[0] == "WAIT":
                command.result = 0
                continue
            try:
                command.result = await self._cluster.execute_command(*command.args, **command.kwargs)
            except exceptions.RedisError as error:
                command.result = error

    async def _run(self, node: ClusterNode, groups: list[list[PipelineCommand]]) -> None:
        commands = [command for group in groups for command in group]
        try:
            await self._cluster.run(node, commands)
        except exceptions.RedisError as error:
            for command in commands:
                command.result = error
