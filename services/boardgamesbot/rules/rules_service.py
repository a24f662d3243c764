"""RulesService: questions of rules, answered without keeping anything."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from boardgamesbot.games import proto, record, registry
from boardgamesbot.games.base import IllegalMove, Malformed, Move, State
from boardgamesbot.games.chance import SEED_BYTES, ChanceStream
from boardgamesbot.games.record_proto import record_from
from boardgamesbot.rules.fields import read
from boardgamesbot.runtime import errors
from boardgamesbot.v1 import games_pb2, rules_pb2, rules_pb2_grpc

if TYPE_CHECKING:
    from boardgamesbot.games.proto import Codec
    from boardgamesbot.runtime.interceptor import Context


def legal_moves_of(state: State, codec: Codec) -> list[rules_pb2.LegalMove]:
    """The legal moves of a position's actor, each with its words."""
    view = state.view(state.actor)
    words = codec.game.words
    return [rules_pb2.LegalMove(move=codec.move_to(move), text=words.move(view, move)) for move in state.legal_moves()]


class RulesService(rules_pb2_grpc.RulesServiceServicer):
    """Open to everybody: it holds no secret but those the caller sends."""

    async def ListGames(self, request: rules_pb2.ListGamesRequest, context: Context) -> rules_pb2.ListGamesResponse:
        return rules_pb2.ListGamesResponse(games=[proto.game_to(game) for game in registry.GAMES.values()])

    async def GetRulebook(
        self, request: rules_pb2.GetRulebookRequest, context: Context
    ) -> rules_pb2.GetRulebookResponse:
        game = read("", registry.game, request.game_id)
        return rules_pb2.GetRulebookResponse(
            game=proto.game_to(game),
            rules=[proto.rule_to(rule) for rule in game.rules.values()],
            ruleset_json=game.ruleset.json,
        )

    async def NewState(self, request: rules_pb2.NewStateRequest, context: Context) -> rules_pb2.NewStateResponse:
        game = read("", registry.game, request.game_id)
        codec = registry.codec(game.id)
        options = read("options", codec.options_from, request.options)
        read("", lambda players: game.check_players(players, options), request.players)
        seed = request.seed or secrets.token_bytes(SEED_BYTES)
        if len(seed) != SEED_BYTES:
            raise errors.invalid_field("seed", f"must have {SEED_BYTES} bytes, has {len(seed)}")
        state, events = game.new(request.players, options, ChanceStream(seed))
        return rules_pb2.NewStateResponse(
            state=codec.state_to(state),
            summary=proto.summary_to(state),
            events=[codec.event_to(event) for event in events],
        )

    async def ListLegalMoves(
        self, request: rules_pb2.ListLegalMovesRequest, context: Context
    ) -> rules_pb2.ListLegalMovesResponse:
        state, codec = _position(request.state)
        moves = [] if state.is_over else legal_moves_of(state, codec)
        return rules_pb2.ListLegalMovesResponse(moves=moves, actor=state.actor)

    async def CheckMove(self, request: rules_pb2.CheckMoveRequest, context: Context) -> rules_pb2.CheckMoveResponse:
        state, _, move = _position_and_move(request.state, request.move)
        try:
            state.check(move)
        except IllegalMove as refusal:
            return rules_pb2.CheckMoveResponse(refusal=proto.refusal_to(refusal))
        return rules_pb2.CheckMoveResponse()

    async def ApplyMove(self, request: rules_pb2.ApplyMoveRequest, context: Context) -> rules_pb2.ApplyMoveResponse:
        state, codec, move = _position_and_move(request.state, request.move)
        try:
            events = state.play(move)
        except IllegalMove as refusal:
            raise errors.illegal_move(refusal) from None
        return rules_pb2.ApplyMoveResponse(
            state=codec.state_to(state),
            summary=proto.summary_to(state),
            events=[codec.event_to(event) for event in events],
        )

    async def GetView(self, request: rules_pb2.GetViewRequest, context: Context) -> rules_pb2.GetViewResponse:
        state, codec = _position(request.state)
        seat = request.seat if request.HasField("seat") else None
        if seat is not None and not 0 <= seat < state.players:
            raise errors.invalid_field("seat", f"must be 0 to {state.players - 1}, not {seat}")
        return rules_pb2.GetViewResponse(view=codec.view_to(state.view(seat)), summary=proto.summary_to(state))

    async def VerifyRecord(
        self, request: rules_pb2.VerifyRecordRequest, context: Context
    ) -> rules_pb2.VerifyRecordResponse:
        try:
            verdict = record.verify(record_from(request.record))
        except Malformed as error:
            fault = rules_pb2.RecordFault(field=error.field, reason=error.reason)
            return rules_pb2.VerifyRecordResponse(fault=fault)
        response = rules_pb2.VerifyRecordResponse(moves=verdict.moves)
        if verdict.state is not None:
            response.summary.CopyFrom(proto.summary_to(verdict.state, verdict.eligible))
        if verdict.fault is not None:
            response.fault.field = verdict.fault.field
            response.fault.reason = verdict.fault.reason
            if verdict.fault.refusal is not None:
                response.fault.refusal.CopyFrom(proto.refusal_to(verdict.fault.refusal))
        return response


def _position(message: games_pb2.GameState) -> tuple[State, Codec]:
    codec = read("state", registry.codec_of, message)
    return read("state", codec.state_from, message), codec


def _position_and_move(state: games_pb2.GameState, move: games_pb2.GameMove) -> tuple[State, Codec, Move]:
    position, codec = _position(state)
    return position, codec, read("move", codec.move_from, move)
