"""Nobody is told what they may not know: over whole games, in every byte every client receives."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from boardgamesbot.client import Client
from boardgamesbot.games import record, registry
from boardgamesbot.games.agora import events as ev
from boardgamesbot.games.agora.movements import Moved
from boardgamesbot.games.agora.state import AgoraState
from boardgamesbot.games.record_proto import record_from
from boardgamesbot.v1 import agora_pb2, games_pb2
from tests.support.play import collect, seated

OPTIONS = [
    agora_pb2.AgoraOptions(),
    agora_pb2.AgoraOptions(backs=agora_pb2.AGORA_BACKS_PLAIN),
    agora_pb2.AgoraOptions(take=agora_pb2.AGORA_TAKE_CHOOSE, take_until=agora_pb2.AGORA_TAKE_UNTIL_PILES_EMPTY),
]
SPECTATOR = None


def _squares(message: Message) -> Iterator[int]:
    """Every number of a square that a message names, wherever it stands in it."""
    for descriptor, value in message.ListFields():
        values = value if descriptor.is_repeated else [value]
        if descriptor.type == FieldDescriptor.TYPE_MESSAGE:
            for inner in values:
                yield from _squares(inner)
        elif descriptor.name == "square" or (descriptor.name == "id" and isinstance(message, agora_pb2.AgoraSquare)):
            yield from values


def _known(message: games_pb2.GameRecord) -> list[dict[int | None, set[int]]]:
    """After the start, and after each move: the squares every seat has had before its eyes."""
    steps = record.steps(record_from(message))
    players = len(message.players)
    known: dict[int | None, set[int]] = {seat: set() for seat in (SPECTATOR, *range(players))}
    history = []
    for step in steps:
        assert isinstance(step.state, AgoraState)
        for moved in step.state.movements if step.move is None else ():
            if moved.kind == Moved.DEALT:
                known[moved.seat].add(moved.square)
        for event in step.events:
            match event:
                case ev.Taken():
                    eyes: tuple[int | None, ...] = (event.seat, event.from_seat)
                case ev.Drawn() | ev.Discarded():
                    eyes = (event.seat,)
                case ev.Played():
                    eyes = tuple(known)
                case _:
                    continue
            for seat in eyes:
                known[seat].add(event.square)
        history.append({seat: set(squares) for seat, squares in known.items()})
    return history


@pytest.mark.parametrize("options", OPTIONS, ids=["default", "plain backs", "chosen takes"])
async def test_no_square_is_named_to_whoever_has_not_seen_it(rules: str, options: agora_pb2.AgoraOptions) -> None:
    async with seated(rules, options=options) as party, Client(rules) as spectator:
        await spectator.sign_in()
        party.rng = Random(str(options))
        streams = [asyncio.create_task(collect(c, party.table_id)) for c in (*party.clients, spectator)]
        await party.host.start(party.table_id)
        await party.play()
        watched = dict(zip((*range(3), SPECTATOR), await asyncio.gather(*streams), strict=True))
        message = await party.host.record(party.table_id)
        start = (await party.now()).version - len(message.moves)
        known = _known(message)
        named = dict.fromkeys(watched, 0)
        for seat, responses in watched.items():
            for response in responses:
                if response.version < start:
                    continue
                squares = set(_squares(response))
                named[seat] += len(squares)
                assert squares - {0} <= known[response.version - start][seat], (seat, response.version)
        assert all(named.values()), "every watcher is told of some squares"


async def test_the_position_and_the_answers_name_no_hidden_square_either(rules: str) -> None:
    async with seated(rules) as party, Client(rules) as spectator:
        await spectator.sign_in()
        await party.host.start(party.table_id)
        shown: list[tuple[int | None, int, set[int]]] = []
        while True:
            for seat, client in enumerate((*party.clients, spectator)):
                view = await client.view(party.table_id)
                shown.append((seat if seat < 3 else SPECTATOR, view.version, set(_squares(view))))
            legal = await party.clients[view.summary.actor].legal_moves(party.table_id)
            shown.append((view.summary.actor, legal.version, set(_squares(legal))))
            request = await party.request()
            answer = await party.clients[request.seat].submit(
                party.table_id, request.seat, request.version, request.move, request.request_id
            )
            shown.append((SPECTATOR, answer.version, set(_squares(answer))))
            if answer.summary.is_over:
                break
        message = await party.host.record(party.table_id)
        known = _known(message)
        start = answer.version - len(message.moves)
        for eyes, version, squares in shown:
            assert squares - {0} <= known[version - start][eyes], (eyes, version)


async def test_the_seed_leaves_the_server_with_the_record_and_not_before(rules: str) -> None:
    async with seated(rules) as party, Client(rules) as spectator:
        await spectator.sign_in()
        received: list[bytes] = []
        watches = [asyncio.create_task(collect(c, party.table_id)) for c in (*party.clients, spectator)]
        received.append((await party.host.start(party.table_id)).SerializeToString())
        while True:
            view = await spectator.view(party.table_id)
            received += [view.SerializeToString(), (await party.host.table(party.table_id)).SerializeToString()]
            received += [table.SerializeToString() for table in await spectator.tables()]
            request = await party.request()
            answer = await party.clients[request.seat].submit(
                party.table_id, request.seat, request.version, request.move, request.request_id
            )
            received.append(answer.SerializeToString())
            if answer.summary.is_over:
                break
        for watched in await asyncio.gather(*watches):
            received += [response.SerializeToString() for response in watched]
        message = await party.host.record(party.table_id)
        seed, commitment = message.seed, message.seed_commitment
        parts = [seed[i : i + 8] for i in range(0, len(seed), 8)]
        everything = b"".join(received)
        assert not [part for part in parts if part in everything or part.hex().encode() in everything]
        assert commitment in everything
        assert seed in message.SerializeToString()


async def test_what_a_seat_receives_reads_back_as_its_view(rules: str) -> None:
    """A view that a client gets is one that a position can agree with: masks leave nothing half shown."""
    codec = registry.codec("agora")
    async with seated(rules) as party:
        await party.host.start(party.table_id)
        for _ in range(40):
            await party.play(1)
            for client in party.clients:
                message = (await client.view(party.table_id)).view
                view = codec.view_from(message)
                assert codec.view_to(view.determinize(Random(0)).view(view.seat)) == message
