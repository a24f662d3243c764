"""A search is begun once, however long the servers are away."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from typing import Any

import grpc
import pytest

from boardgamesbot.client import Client, Refused
from boardgamesbot.v1 import matchmaking_pb2 as pb

NOBODY_THERE = Refused(grpc.StatusCode.UNAVAILABLE, "nobody there", retry_after=0.001)
TOO_LATE = Refused(grpc.StatusCode.DEADLINE_EXCEEDED, "no answer in time", retry_after=0.001)
ANOTHER = Refused(grpc.StatusCode.FAILED_PRECONDITION, "you have a ticket", reason="TICKET_LIVE")


class Scripted(Client):
    """A client whose matchmaking server answers as a script says: None is a ticket, the rest are refusals."""

    def __init__(self, answers: Iterable[Refused | None]) -> None:
        super().__init__("127.0.0.1:1")
        self.sent: list[tuple[str, str]] = []
        self._answers = iter(answers)

    async def create_ticket(self, game_id: str, *, request_id: str = "", **wishes: Any) -> pb.Ticket:
        return self._answer("create", request_id)

    async def join_ticket(self, join_code: str) -> pb.Ticket:
        return self._answer("join", join_code)

    async def accept_match(self, ticket_id: str, match_id: str, *, decline: bool = False) -> pb.Ticket:
        return self._answer("accept", match_id)

    async def watch_ticket(self, ticket_id: str) -> AsyncGenerator[pb.Ticket, None]:
        match = pb.Match(id="m1", table_id="t1", seat=2)
        yield pb.Ticket(id=ticket_id, status=pb.TICKET_STATUS_PROPOSED, match=match)
        yield pb.Ticket(id=ticket_id, status=pb.TICKET_STATUS_MATCHED, match=match)

    def _answer(self, method: str, argument: str) -> pb.Ticket:
        self.sent.append((method, argument))
        if (refused := next(self._answers)) is not None:
            raise refused
        return pb.Ticket(id="k1", status=pb.TICKET_STATUS_WAITING)


async def test_a_ticket_without_an_answer_is_asked_for_again_under_its_one_request_id() -> None:
    client = Scripted([NOBODY_THERE, TOO_LATE, None])
    assert [ticket.status async for ticket in client.find("agora")][-1] == pb.TICKET_STATUS_MATCHED
    assert client.sent == [("create", client.sent[0][1])] * 3
    assert client.sent[0][1]


async def test_a_party_is_joined_and_a_match_accepted_as_patiently() -> None:
    client = Scripted([TOO_LATE, None, NOBODY_THERE, NOBODY_THERE, None])
    assert await client.find_table("agora", join_code="ABC") == ("t1", 2)
    assert client.sent == [("join", "ABC")] * 2 + [("accept", "m1")] * 3


async def test_any_other_refusal_ends_the_search() -> None:
    client = Scripted([NOBODY_THERE, ANOTHER])
    with pytest.raises(Refused, match="you have a ticket"):
        await client.find_table("agora")
    assert len(client.sent) == 2
