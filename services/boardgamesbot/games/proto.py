"""Games and messages: what the messages of every game share, and the duty of each game's own codec."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from google.protobuf import json_format

from boardgamesbot.games.base import Event, Game, IllegalMove, Malformed, Move, Options, Rule, RuleSource, State, View
from boardgamesbot.games.chance import SEED_BYTES, ChanceStream
from boardgamesbot.v1 import games_pb2 as pb

if TYPE_CHECKING:
    from collections.abc import Collection

UNREADABLE_JSON = (json_format.ParseError, ValueError, OverflowError, RecursionError, SystemError)
"""What protobuf raises for JSON that is no message: infinite numbers overflow, lone surrogates fail in its C."""

_SOURCES = {
    RuleSource.RULEBOOK: pb.RULE_SOURCE_RULEBOOK,
    RuleSource.PRINTED: pb.RULE_SOURCE_PRINTED,
    RuleSource.SETTLED: pb.RULE_SOURCE_SETTLED,
}


class Codec(ABC):
    """Turns one game's values into messages and back.

    The way in takes nothing on trust: whatever it returns is a value of this game. The way out of a
    message of another game, of a number out of range, or of a position that cannot be raises Malformed
    with the path of the field *within* the message given.
    """

    def __init__(self, game: Game) -> None:
        self.game = game

    @abstractmethod
    def options_to(self, options: Options) -> pb.GameOptions: ...

    @abstractmethod
    def options_from(self, message: pb.GameOptions) -> Options:
        """Complete options; an empty message means all defaults."""

    @abstractmethod
    def move_to(self, move: Move) -> pb.GameMove: ...

    @abstractmethod
    def move_from(self, message: pb.GameMove) -> Move: ...

    @abstractmethod
    def event_to(self, event: Event) -> pb.GameEvent: ...

    @abstractmethod
    def event_from(self, message: pb.GameEvent) -> Event: ...

    @abstractmethod
    def view_to(self, view: View) -> pb.GameView: ...

    @abstractmethod
    def view_from(self, message: pb.GameView) -> View: ...

    @abstractmethod
    def state_to(self, state: State) -> pb.GameState:
        """The whole position. Its chance must be a ChanceStream: no other can be written down."""

    @abstractmethod
    def state_from(self, message: pb.GameState) -> State: ...


def put_chance(chance: object, into: pb.Chance) -> None:
    """Write a table's chance into its message."""
    if not isinstance(chance, ChanceStream):
        raise TypeError(f"only a ChanceStream can be written down, not {type(chance).__name__}")
    into.seed = chance.seed
    into.position = chance.position


def chance_from(message: pb.Chance) -> ChanceStream:
    """The chance of a message. Raises Malformed."""
    if len(message.seed) != SEED_BYTES:
        raise Malformed("chance.seed", f"must have {SEED_BYTES} bytes, has {len(message.seed)}")
    if message.position >= 1 << 63:
        raise Malformed("chance.position", "is past what any game reads")
    return ChanceStream(message.seed, message.position)


def rule_to(rule: Rule) -> pb.Rule:
    """The message of a rule."""
    return pb.Rule(id=rule.id, title=rule.title, text=rule.text, source=_SOURCES[rule.source])


def refusal_to(refusal: IllegalMove) -> pb.Refusal:
    """The message that says why a move is refused."""
    return pb.Refusal(rule=rule_to(refusal.rule), reason=refusal.reason, details=refusal.details)


def summary_to(state: State, among: Collection[int] | None = None) -> pb.GameSummary:
    """Where a game stands; `among`, of use once it is over, are the seats that can win (all, if None)."""
    actor = state.actor
    is_over = actor is None
    winners = state.winners(among) if is_over else ()
    return pb.GameSummary(actor=actor, points=state.scores(), is_over=is_over, winners=winners)


def game_to(game: Game) -> pb.GameInfo:
    """The message of a game's entry in the catalogue."""
    return pb.GameInfo(
        id=game.id,
        name=game.name,
        min_players=game.min_players,
        max_players=game.max_players,
        options=[
            pb.OptionInfo(
                name=option.name,
                description=option.description,
                values=[pb.OptionValue(name=v.name, description=v.description) for v in option.values],
            )
            for option in game.options
        ],
        ruleset_hash=game.ruleset.hash,
        seat_colours=game.seat_colours,
    )
