"""Moves as objects: played once, whatever happens on the way."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable

import grpc
import pytest

from boardgamesbot.client import Client, Move, Refused, Turn
from boardgamesbot.v1 import agora_pb2, games_pb2, players_pb2, rules_pb2, tables_pb2

Code = grpc.StatusCode
NOBODY_THERE = Refused(Code.UNAVAILABLE, "nobody there", retry_after=0.001)
TOO_LATE = Refused(Code.DEADLINE_EXCEEDED, "no answer in time", retry_after=0.001)
ILLEGAL = Refused(Code.FAILED_PRECONDITION, "no", reason="ILLEGAL_MOVE", rule="AG-P2.3")
MOVE = games_pb2.GameMove(agora=agora_pb2.AgoraMove())


class Scripted(Client):
    """A client whose servers answer as a script says: None is an answer, the rest are refusals."""

    def __init__(self, submits: Iterable[Refused | None] = (), legal: Iterable[Refused | int] = ()) -> None:
        super().__init__("127.0.0.1:1")
        self.player.id = "me"
        self.sent: list[tuple[str, int, int, str]] = []
        self._submits, self._legal = iter(submits), iter(legal)

    async def submit(
        self, table_id: str, seat: int, version: int, move: games_pb2.GameMove, request_id: str = ""
    ) -> tables_pb2.SubmitMoveResponse:
        assert move == MOVE
        self.sent.append((table_id, seat, version, request_id))
        if (refused := next(self._submits)) is not None:
            raise refused
        return tables_pb2.SubmitMoveResponse(version=version + 1)

    async def legal_moves(self, table_id: str) -> tables_pb2.TableServiceListLegalMovesResponse:
        found = next(self._legal)
        if isinstance(found, Refused):
            raise found
        moves = [rules_pb2.LegalMove(move=MOVE, text=f"move {number}") for number in range(found)]
        return tables_pb2.TableServiceListLegalMovesResponse(version=9, moves=moves)

    async def watch_me(
        self, announcement: players_pb2.BotAnnouncement | None = None
    ) -> AsyncGenerator[players_pb2.WatchMeResponse, None]:
        for number in range(1, 4):
            yield players_pb2.WatchMeResponse(table_id=f"t{number}", version=8, seat=2, game_id="agora")


async def turn(client: Client) -> Turn:
    return await anext(client.turns())


async def move(client: Client) -> Move:
    return (await turn(client)).moves[0]


async def test_a_move_without_an_answer_is_sent_again_under_its_one_request_id() -> None:
    client = Scripted([NOBODY_THERE, TOO_LATE, NOBODY_THERE, None], [2])
    chosen = await move(client)
    assert await chosen.play()
    assert client.sent == [("t1", 2, 9, chosen.request_id)] * 4
    assert chosen.request_id


async def test_every_move_has_a_request_id_of_its_own() -> None:
    moves = (await turn(Scripted(legal=[3]))).moves
    assert [one.text for one in moves] == ["move 0", "move 1", "move 2"]
    assert len({one.request_id for one in moves}) == 3


@pytest.mark.parametrize("reason", ["STALE_VERSION", "NOT_YOUR_TURN", "NOT_YOUR_SEAT", "WRONG_STATUS"])
async def test_a_move_that_comes_too_late_is_no_error(reason: str) -> None:
    client = Scripted([NOBODY_THERE, Refused(Code.ABORTED, "too late", reason=reason)], [1])
    assert not await (await move(client)).play()


async def test_any_other_refusal_is_raised() -> None:
    with pytest.raises(Refused) as caught:
        await (await move(Scripted([ILLEGAL], [1]))).play()
    assert caught.value.rule == "AG-P2.3"


async def test_patience_ends() -> None:
    client = Scripted([NOBODY_THERE] * 1000, [1])
    with pytest.raises(Refused, match="nobody there"):
        await (await move(client)).play(patience=0.02)
    assert 1 < len(client.sent) < 100


async def test_a_turn_that_is_gone_is_passed_over() -> None:
    gone = Refused(Code.NOT_FOUND, "no such table", reason="TABLE_NOT_FOUND")
    client = Scripted(legal=[0, gone, NOBODY_THERE, 1])
    assert [one.table_id async for one in client.turns()] == ["t3"]


async def test_what_is_wrong_with_the_player_is_raised() -> None:
    with pytest.raises(Refused, match="sign in"):
        await turn(Scripted(legal=[Refused(Code.UNAUTHENTICATED, "sign in again", reason="TOKEN_EXPIRED")]))
