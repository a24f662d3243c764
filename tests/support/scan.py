"""What must not be sent to whom, as bytes: looked for in everything that a client, a log or a metric receives.

A game is played again from its record, and for each of its versions and each pair of eyes there are the patterns
that must not occur, in every encoding the platform speaks: raw, protobuf, hexadecimal, base64, JSON, decimal lists.
Besides, what a watcher was sent can be compared with what the rules say it may know, field by field.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message

from boardgamesbot.games import record, registry
from boardgamesbot.games.base import Event, State
from boardgamesbot.games.record_proto import record_from
from boardgamesbot.v1 import agora_pb2, games_pb2, tables_pb2

Eyes = int | None
"""A seat, or None for whoever has none."""

SEED_PART = 8
"""So many bytes of a seed in a row are no accident."""
RUN = {"agora": 8, "barcelona": 14}
"""So many hidden pieces in the order in which they lie are none either: squares are many, kinds of citizens few."""


@dataclass(frozen=True)
class Pattern:
    """Bytes that must not be there, and what they would tell."""

    tells: str
    data: bytes


def of_secret_bytes(tells: str, secret: bytes) -> list[Pattern]:
    """Parts of a secret in every way bytes are written down: raw, hexadecimal, and base64 however it is aligned."""
    found = [secret[i : i + SEED_PART] for i in range(len(secret) - SEED_PART + 1)]
    patterns = [*found, *(part.hex().encode() for part in found), *(part.hex().upper().encode() for part in found)]
    for shift in range(3):
        text = base64.b64encode(secret[shift : shift + (len(secret) - shift) // 3 * 3])
        for written in {text, text.replace(b"+", b"-").replace(b"/", b"_")}:
            patterns += [written[i : i + 12] for i in range(0, len(written) - 11, 4)]
    return [Pattern(tells, data) for data in dict.fromkeys(patterns)]


def of_order(tells: str, numbers: Sequence[int], run: int) -> list[Pattern]:
    """Runs of hidden numbers, either way round, as a packed field and as people and JSON write lists."""
    patterns = []
    for order in (list(numbers), list(reversed(numbers))):
        for i in range(len(order) - run + 1):
            part = order[i : i + run]
            patterns.append(b"".join(map(_varint, part)))
            patterns += [between.join(map(str, part)).encode() for between in (",", ", ", " ")]
    return [Pattern(tells, data) for data in dict.fromkeys(patterns)]


def _varint(number: int) -> bytes:
    written = b""
    while number > 0x7F:
        written += bytes((number & 0x7F | 0x80,))
        number >>= 7
    return written + bytes((number,))


def _of_words(tells: str, words: Sequence[str], shown: Iterable[Sequence[str]]) -> list[Pattern]:
    """Three hidden names in a row, either way round, as a repeated field and as JSON writes them.

    Not those that stand so in a list that is `shown`: tiles of one kind have one name, and what lies open may by
    accident be like what lies hidden.
    """
    patterns = []
    harmless = {tuple(names[i : i + 3]) for names in shown for i in range(len(names))}
    for order in (list(words), list(reversed(words))):
        for i in range(len(order) - 2):
            part = order[i : i + 3]
            if tuple(part) in harmless:
                continue
            field = [bytes((len(word),)) + word.encode() for word in part]
            patterns += [bytes((tag,)).join(field) for tag in range(0x0A, 0x80, 8)]
            patterns += ['","'.join(part).encode(), '", "'.join(part).encode(), ", ".join(part).encode()]
    return [Pattern(tells, data) for data in patterns]


def _lists_of_words(message: Message) -> Iterator[list[str]]:
    """Every list of names in a message, and in the messages in it."""
    for field, value in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            for inner in value if field.is_repeated else [value]:
                yield from _lists_of_words(inner)
        elif field.type == field.TYPE_STRING and field.is_repeated:
            yield list(value)


def _of_field(tells: str, message: Message) -> list[Pattern]:
    """A message as it stands inside another, and as JSON."""
    data = message.SerializeToString(deterministic=True)
    text = MessageToJson(message, indent=None).strip("{}").encode()
    return [Pattern(tells, data), Pattern(tells, text), Pattern(tells, text.replace(b" ", b""))] if data else []


def hidden(game_id: str, state: State) -> tuple[list[Pattern], dict[int, list[Pattern]]]:
    """What nobody may be told of a position, and what nobody but one seat may be."""
    message = registry.codec(game_id).state_to(state)
    run = RUN[game_id]
    own: dict[int, list[Pattern]] = {}
    if game_id == "agora":
        squares = message.agora
        nobody = [p for at, pile in enumerate(squares.piles) for p in of_order(f"pile {at}", pile.squares, run)]
        if len(squares.removed.squares) >= 5:
            nobody += of_order("the squares removed", squares.removed.squares, min(run, len(squares.removed.squares)))
        for seat, hand in enumerate(squares.hands):
            held = registry.codec(game_id).view_to(state.view(seat)).agora.hand
            if len(hand.squares) >= 3:
                own[seat] = _of_field(f"the hand of seat {seat}", agora_pb2.AgoraView(hand=held))
            if len(hand.squares) >= 6:
                own[seat] += of_order(f"the hand of seat {seat}", hand.squares, len(hand.squares))
        return nobody, own
    whole = message.barcelona
    nobody = of_order("the bag", whole.bag, run)
    shown = registry.codec(game_id).view_to(state.view(None)).barcelona
    nobody += _of_words("the Modernisme stack", whole.modernisme_stack, _lists_of_words(shown))
    beneath = list(whole.deck)[:-1]
    if len(beneath) >= 5 and list(shown.unseen_cards) not in (beneath, beneath[::-1]):
        nobody += of_order("Gaudí's deck", beneath, len(beneath))
    return nobody, own


class Told:
    """What each pair of eyes may be told of one game, by version."""

    def __init__(self, message: games_pb2.GameRecord, start: int) -> None:
        """`start` is the version with which the game began; no move of it has been taken back."""
        self._message = message
        self._codec = registry.codec(message.game_id)
        self._start = start
        self.seed = of_secret_bytes("the seed", message.seed)
        self._events: list[list[Event]] = []
        self._views: list[dict[Eyes, games_pb2.GameView]] = []
        self._hidden: list[tuple[list[Pattern], dict[int, list[Pattern]]]] = []
        self.eyes: list[Eyes] = [None, *range(len(message.players))]
        for step in record.steps(record_from(message)):
            self._events.append(step.events)
            self._views.append({eyes: self._codec.view_to(step.state.view(eyes)) for eyes in self.eyes})
            self._hidden.append(hidden(message.game_id, step.state))

    def leaks(self, version: int, eyes: Eyes, data: bytes) -> Iterator[str]:
        """What bytes that were sent at this version tell, which they must not."""
        for pattern in self._forbidden(version, eyes):
            if pattern.data in data:
                yield f"version {version} tells {_who(eyes)} {pattern.tells}"

    def _forbidden(self, version: int, eyes: Eyes) -> Iterator[Pattern]:
        yield from self.seed
        step = version - self._start
        if 0 <= step < len(self._hidden) - 1:
            nobody, own = self._hidden[step]
            yield from nobody
            for seat, patterns in own.items():
                if seat != eyes:
                    yield from patterns

    def hidden_all(self) -> Iterator[Pattern]:
        """All that was hidden from somebody at any time, for whoever must be told none of it."""
        for nobody, own in self._hidden[:-1]:
            yield from nobody
            for patterns in own.values():
                yield from patterns

    def differences(self, eyes: Eyes, responses: Iterable[tables_pb2.WatchResponse]) -> list[str]:
        """Where what a watcher was sent is not what the rules let these eyes see; and what its bytes tell."""
        return list(self._differences(eyes, responses))

    def _differences(self, eyes: Eyes, responses: Iterable[tables_pb2.WatchResponse]) -> Iterator[str]:
        for response in responses:
            yield from self.leaks(response.version, eyes, response.SerializeToString())
            step = response.version - self._start
            if not 0 <= step < len(self._views):
                continue
            if response.HasField("view") and response.view != self._views[step][eyes]:
                yield f"version {response.version} shows {_who(eyes)} another position than the rules do"
            change = response.move_played if response.HasField("move_played") else response.table_change
            sent = [_without_winners(event) for event in change.events]
            may = [_without_winners(self._codec.event_to(event.seen_by(eyes))) for event in self._events[step]]
            if sent != may:
                yield f"version {response.version} tells {_who(eyes)} other events than the rules do"


def _without_winners(event: games_pb2.GameEvent) -> games_pb2.GameEvent:
    """An event that does not say who won: the table knows better than the game who resigned."""
    told = event.agora if event.HasField("agora") else event.barcelona
    kind = told.WhichOneof("kind")
    if kind and "winners" in getattr(told, kind).DESCRIPTOR.fields_by_name:
        event = games_pb2.GameEvent.FromString(event.SerializeToString())
        getattr(event.agora if event.HasField("agora") else event.barcelona, kind).ClearField("winners")
    return event


def _who(eyes: Eyes) -> str:
    return "a spectator" if eyes is None else f"seat {eyes}"
