"""A client in nothing but grpc and protobuf: it learns the contract from the servers by reflection.

Plays a whole game of Agora against three bots, or keeps a solo game of Barcelona itself and has all its moves chosen,
or watches a bot think and cancels it half way, and prints what came of it as JSON.

    python plain_client.py RULES_ADDRESS BOTS_ADDRESS [solo | watch]
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

import grpc
from google.protobuf import descriptor_pool, message_factory
from google.protobuf.message import Message
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

PACKAGE = "boardgamesbot.v1."


class Server:
    """The services of one address, found by asking it."""

    def __init__(self, address: str) -> None:
        self._channel = grpc.insecure_channel(address)
        database = ProtoReflectionDescriptorDatabase(self._channel)
        self.services = sorted(database.get_services())
        self._pool = descriptor_pool.DescriptorPool(database)
        self.metadata: tuple[tuple[str, str], ...] = ()

    def call(self, service: str, method: str, **fields: Any) -> Any:
        """Call a method with the fields of its request, messages of either server; a stream is given as an iterator."""
        found = self._pool.FindServiceByName(PACKAGE + service).methods_by_name[method]
        answer = message_factory.GetMessageClass(found.output_type)
        kind = self._channel.unary_stream if found.server_streaming else self._channel.unary_unary
        stub: Any = kind(
            f"/{PACKAGE}{service}/{method}",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=answer.FromString,
        )
        request = message_factory.GetMessageClass(found.input_type)()
        _fill(request, fields)
        return stub(request, metadata=self.metadata, timeout=60, wait_for_ready=True)


def _fill(request: Any, fields: dict[str, Any]) -> None:
    """Set the fields of a message, those that are messages by dictionaries or by messages of another server."""
    for name, value in fields.items():
        if isinstance(value, Message):
            getattr(request, name).ParseFromString(value.SerializeToString())
        elif isinstance(value, dict):
            getattr(request, name).SetInParent()
            _fill(getattr(request, name), value)
        elif isinstance(value, list | tuple):
            getattr(request, name).extend(value)
        else:
            setattr(request, name, value)


def play(rules_address: str, bots_address: str) -> dict[str, Any]:
    """Play a game; gives what a test wants to know about it."""
    rules, bots = Server(rules_address), Server(bots_address)
    guest = rules.call("PlayerService", "CreateGuest", name="Plain")
    rules.metadata = bots.metadata = (("authorization", f"Bearer {guest.token}"),)
    table = rules.call("TableService", "CreateTable", game_id="agora", players=4, request_id="table").table
    seat = rules.call("TableService", "TakeSeat", table_id=table.id).seat
    offered = [bot.id for bot in bots.call("BotService", "ListBots", game_id="agora").bots]
    for bot in ("greedy", "random", "greedy"):
        assert bot in offered
        bots.call("BotService", "SeatBot", table_id=table.id, bot=bot)
    rules.call("TableService", "StartTable", table_id=table.id)

    rng = random.Random(1)
    versions: list[int] = []
    own = played = 0
    for response in rules.call("TableService", "Watch", table_id=table.id):
        versions.append(response.version)
        played += response.HasField("move_played")
        if not response.HasField("table") or response.table.status != 2 or response.table.summary.actor != seat:
            continue
        legal = rules.call("TableService", "ListLegalMoves", table_id=table.id)
        if legal.version != response.version:
            continue
        rules.call(
            "TableService",
            "SubmitMove",
            table_id=table.id,
            seat=seat,
            version=legal.version,
            request_id=f"move-{legal.version}",
            move=rng.choice(list(legal.moves)).move,
        )
        own += 1

    record = rules.call("TableService", "GetRecord", table_id=table.id).record
    verdict = rules.call("RulesService", "VerifyRecord", record=record)
    return {
        "services": rules.services + bots.services,
        "versions": versions,
        "own_moves": own,
        "moves_seen": played,
        "moves_recorded": len(record.moves),
        "moves_verified": verdict.moves,
        "fault": verdict.fault.field if verdict.HasField("fault") else None,
        "winners": list(record.result.winners),
        "players": [(player.name, player.bot) for player in record.players],
        "ours": [name for name in sys.modules if name.startswith("boardgamesbot")],
    }


def solo(rules_address: str, bots_address: str) -> dict[str, Any]:
    """A platform of its own: it keeps the position, the rules are asked about it, and bots choose every move."""
    rules, bots = Server(rules_address), Server(bots_address)
    guest = rules.call("PlayerService", "CreateGuest", name="Plain")
    bots.metadata = (("authorization", f"Bearer {guest.token}"),)
    options = {"barcelona": {"solo": 4, "expansion": 2}}
    now = rules.call("RulesService", "NewState", game_id="barcelona", players=2, options=options, seed=bytes(range(32)))
    who: dict[int, set[str]] = {}
    texts: list[str] = []
    while not now.summary.is_over:
        bot = ("greedy", "gaudi")[now.summary.actor]
        seed = f"move {len(texts)}".encode()
        chosen = bots.call("BotService", "ChooseMove", state=now.state, bot=bot, seed=seed)
        assert chosen.seat == now.summary.actor
        who.setdefault(chosen.seat, set()).add(chosen.bot)
        texts.append(chosen.text)
        now = rules.call("RulesService", "ApplyMove", state=now.state, move=chosen.move)
    return {
        "bots": {seat: sorted(found) for seat, found in who.items()},
        "moves": len(texts),
        "texts": texts,
        "points": list(now.summary.points),
        "ours": [name for name in sys.modules if name.startswith("boardgamesbot")],
    }


def watch(rules_address: str, bots_address: str) -> dict[str, Any]:
    """Watch `searcher` think about a position of one's own, cancel it after the third thought, and ask once more."""
    rules, bots = Server(rules_address), Server(bots_address)
    guest = rules.call("PlayerService", "CreateGuest", name="Plain")
    bots.metadata = (("authorization", f"Bearer {guest.token}"),)
    state = rules.call("RulesService", "NewState", game_id="agora", players=4, seed=bytes(range(32))).state
    asked = {"state": state, "bot": "searcher", "budget": {"milliseconds": 9_000}, "reasoning": True}
    stream = bots.call("BotService", "WatchChoice", choice=asked)
    heard = []
    for response in stream:
        assert not response.final
        heard.append(response.choice.reasoning.iterations)
        if len(heard) == 3:
            stream.cancel()
            break
    now = rules.call("RulesService", "GetView", state=state, seat=0)
    last = bots.call(
        "BotService", "ChooseMove", view=now.view, bot="searcher", budget={"iterations": 2}, reasoning=True
    )
    return {
        "heard": heard,
        "seat": last.seat,
        "bot": last.bot,
        "text": last.text,
        "iterations": last.reasoning.iterations,
        "candidates": [
            (one.text, one.visits, one.expected_points, one.win_chance) for one in last.reasoning.candidates
        ],
        "ours": [name for name in sys.modules if name.startswith("boardgamesbot")],
    }


if __name__ == "__main__":
    what = {"solo": solo, "watch": watch}.get(sys.argv[-1], play)
    print(json.dumps(what(*sys.argv[1:3])))  # noqa: T201
