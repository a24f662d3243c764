"""Records as messages, and back."""

from __future__ import annotations

from boardgamesbot.games import registry
from boardgamesbot.games.base import Malformed
from boardgamesbot.games.record import Record, RecordPlayer, Result
from boardgamesbot.v1 import games_pb2 as pb


def record_to(record: Record) -> pb.GameRecord:
    """The message of a record."""
    codec = registry.codec(record.game.id)
    message = pb.GameRecord(
        game_id=record.game.id,
        options=codec.options_to(record.options),
        ruleset_hash=record.ruleset_hash,
        players=[pb.RecordPlayer(name=p.name, bot=p.bot, resigned=p.resigned) for p in record.players],
        seed_commitment=record.seed_commitment,
        seed=record.seed,
        moves=[pb.RecordMove(seat=seat, move=codec.move_to(move)) for seat, move in record.moves],
    )
    if record.result is not None:
        message.result.CopyFrom(pb.GameResult(points=record.result.points, winners=record.result.winners))
    return message


def record_from(message: pb.GameRecord) -> Record:
    """The record of a message. Raises Malformed with the field for what makes no sense at all."""
    codec = registry.codec(message.game_id)
    try:
        options = codec.options_from(message.options)
    except Malformed as error:
        raise error.under("options") from None
    moves = []
    for i, entry in enumerate(message.moves):
        try:
            moves.append((entry.seat, codec.move_from(entry.move)))
        except Malformed as error:
            raise error.under(f"moves[{i}].move") from None
    result = message.result
    return Record(
        game=codec.game,
        options=options,
        ruleset_hash=message.ruleset_hash,
        players=tuple(RecordPlayer(p.name, p.bot, p.resigned) for p in message.players),
        seed_commitment=message.seed_commitment,
        seed=message.seed,
        moves=tuple(moves),
        result=Result(tuple(result.points), tuple(result.winners)) if message.HasField("result") else None,
    )
