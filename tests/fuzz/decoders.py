"""A target for every decoder: it takes whatever comes, or refuses it by the one way it says it does."""

from __future__ import annotations

import json
import time
from base64 import b64encode
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, cast

import click
import jwt
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import DecodeError, Message

from boardgamesbot.bots.bodies import read
from boardgamesbot.bots.choosing import Question
from boardgamesbot.bots.deciding import Answer
from boardgamesbot.bots.turn import Turn
from boardgamesbot.cli.records import load_record
from boardgamesbot.games import registry, rulesets
from boardgamesbot.games.base import IllegalMove, Malformed, State
from boardgamesbot.games.chance import ChanceStream, commitment
from boardgamesbot.games.proto import UNREADABLE_JSON, Codec
from boardgamesbot.games.record import Record, RecordPlayer, Result, verify
from boardgamesbot.games.record_proto import record_from, record_to
from boardgamesbot.players.base import Candidate
from boardgamesbot.runtime.errors import ApiError
from boardgamesbot.runtime.settings import BadSetting, Settings
from boardgamesbot.runtime.tokens import Tokens, new_guest
from boardgamesbot.store.client import connect
from boardgamesbot.v1 import games_pb2
from tests.fuzz.mutating import LONG_NUMBERS, TEXTS, json_bytes, made, spoilt, spoilt_bytes, spoilt_json
from tests.support.bots import TOKEN_KEY

DECODE_SECONDS = 10.0
"""No decoder takes longer than this for what fits in a message."""

Played = tuple[Codec, list[games_pb2.GameState], games_pb2.GameRecord]


@cache
def games() -> list[Played]:
    """Games of every kind as valid input: their positions, and the record of each."""
    played = []
    for game_id, players, options in (
        ("agora", 3, {}),
        ("agora", 5, {"backs": "PLAIN"}),
        ("agora", 4, {"take": "CHOOSE"}),
        ("barcelona", 2, {}),
        ("barcelona", 4, {"expansion": "PASSEIG_DE_GRACIA"}),
        ("barcelona", 2, {"solo": "NORMAL"}),
    ):
        codec = registry.codec(game_id)
        complete = codec.game.complete_options(options)
        seed = bytes(range(players, players + 32))
        state, _ = codec.game.new(players, complete, ChanceStream(seed))
        rng = Random(players)
        states: list[games_pb2.GameState] = []
        moves: list[tuple[int, int]] = []
        while not state.is_over:
            if len(states) < 200 and rng.random() < 0.3:
                states.append(codec.state_to(state))
            assert state.actor is not None
            move = rng.choice(state.legal_moves())
            moves.append((state.actor, move))
            state.apply(move)
        record = Record(
            codec.game, complete, codec.game.ruleset.hash, tuple(RecordPlayer(f"P{i}") for i in range(players)),
            commitment(seed), seed, tuple(moves), Result(tuple(state.scores()), tuple(state.winners())),
        )  # fmt: skip
        played.append((codec, states, record_to(record)))
    return played


def _refused(decode: Callable[[], object], *expected: type[Exception]) -> Any:
    """What it decodes to, None where it is refused by one of the expected exceptions with words of its own."""
    try:
        return decode()
    except expected as refusal:
        assert str(refusal), "a refusal says nothing"
        if isinstance(refusal, Malformed):
            assert refusal.reason
        return None


def _parsed(kind: type[Message], valid: Message, rng: Random) -> Any:
    """A message that protobuf can read, spoilt as a message or as bytes; None where nothing could be read."""
    how = rng.random()
    if how < 0.55:
        return spoilt(valid, rng)
    if how < 0.7:
        return made(kind, rng)
    try:
        return kind.FromString(spoilt_bytes(valid.SerializeToString(), rng))
    except DecodeError:
        return None


def positions(rng: Random) -> None:
    """A position that is taken can be played on, shown to everybody, and written down."""
    codec, states, _ = rng.choice(games())
    message = _parsed(games_pb2.GameState, rng.choice(states), rng)
    if message is None:
        return
    state: State | None = _refused(lambda: codec.state_from(message), Malformed)
    if state is None:
        return
    again = codec.state_to(state)
    assert codec.state_to(codec.state_from(again)) == again
    for seat in (None, *range(state.players)):
        codec.view_to(state.view(seat))
    state.scores()
    for _ in range(6):
        if state.is_over:
            state.winners()
            return
        moves = state.legal_moves()
        assert moves, "a position without a legal move that is not over"
        move = rng.choice(moves)
        state.check(move)
        state.apply(move)


def views(rng: Random) -> None:
    """A view that is taken has a position that agrees with it, and is written down as it was."""
    codec, states, _ = rng.choice(games())
    state = codec.state_from(rng.choice(states))
    valid = codec.view_to(state.view(rng.choice((None, *range(state.players)))))
    message = _parsed(games_pb2.GameView, valid, rng)
    if message is None:
        return
    view = _refused(lambda: codec.view_from(message), Malformed)
    if view is not None:
        codec.view_to(view)
        view.legal_moves()
        dealt = view.determinize(Random(1))
        assert dealt.view(view.seat).actor == view.actor


def moves(rng: Random) -> None:
    """Any move is refused by a rule or as none at all, or can be made."""
    codec, states, record = rng.choice(games())
    message = _parsed(games_pb2.GameMove, rng.choice(record.moves).move, rng)
    if message is None:
        return
    move = _refused(lambda: codec.move_from(message), Malformed)
    if move is None:
        return
    codec.move_to(move)
    state = codec.state_from(rng.choice(states))
    try:
        state.check(move)
    except (IllegalMove, Malformed) as refusal:
        assert refusal.reason
    else:
        state.apply(move)
        codec.state_to(state)


def options(rng: Random) -> None:
    """Options are completed or refused."""
    codec, _, record = rng.choice(games())
    message = _parsed(games_pb2.GameOptions, record.options, rng)
    if message is not None and (given := _refused(lambda: codec.options_from(message), Malformed)):
        codec.options_to(given)


def events(rng: Random) -> None:
    """Events out of the store are read or refused."""
    codec, _, _ = rng.choice(games())
    message = made(games_pb2.GameEvent, rng)
    if (event := _refused(lambda: codec.event_from(message), Malformed)) is not None:
        for seat in (None, 0, 1):
            codec.event_to(event.seen_by(seat))


def records(rng: Random) -> None:
    """A record is verified, found faulty at a place, or refused."""
    _, _, valid = rng.choice(games())
    message = _parsed(games_pb2.GameRecord, valid, rng)
    if message is None:
        return
    record = _refused(lambda: record_from(message), Malformed)
    if record is None:
        return
    verdict = verify(record)
    if verdict.fault is not None:
        assert verdict.fault.field
        assert verdict.fault.reason
    else:
        assert verdict.moves == len(record.moves)


def record_files(rng: Random) -> None:
    """`bgb replay` reads a file or says in a line that it is no record."""
    _, _, valid = rng.choice(games())
    data = json_bytes(MessageToDict(valid), rng) if rng.random() < 0.7 else spoilt_bytes(valid.SerializeToString(), rng)
    file = Path("/dev/shm") if Path("/dev/shm").is_dir() else Path("/tmp")
    file = file / f"fuzz-record-{rng.getrandbits(64):x}"
    file.write_bytes(data)
    try:
        _refused(lambda: load_record(file), click.ClickException)
    finally:
        file.unlink()


def ruleset_files(rng: Random) -> None:
    """A ruleset is used as it is or refused with the place."""
    game_id = rng.choice(list(registry.CODECS))
    parts = rulesets.shipped_parts(game_id)
    given: Any = {"game": game_id} | {name: parts[name] for name in rng.sample(list(parts), rng.randint(0, 2))}
    for _ in range(rng.choice((1, 1, 2))):
        given = spoilt_json(given, rng)
    text = json.dumps(given) if rng.random() < 0.8 else json_bytes(given, rng).decode(errors="replace")

    def use() -> object:
        named, document = rulesets.read(text)
        return registry.CODECS.load(named, document)

    _refused(use, Malformed)


def task_bodies(rng: Random) -> None:
    """The body of a task is one, or is refused by its field."""
    codec, states, _ = rng.choice(games())
    state = codec.state_from(rng.choice(states))
    turn: dict[str, Any] = {
        "table_id": "00aaaaaaaaaaaa", "version": 7, "seat": 1, "bot": "greedy", "player_id": "bot-1", "attempt": 1,
        "since_ms": 1.0,
    }  # fmt: skip
    question: dict[str, Any] = {
        "id": "1f", "game_id": codec.game.id, "ruleset_hash": codec.game.ruleset.hash, "bot": "greedy", "seed": "00ff",
        "view": b64encode(codec.view_to(state.view(state.actor)).SerializeToString()).decode(), "seconds": 1.0,
        "iterations": None, "notes": "", "streamed": False, "since_ms": 1.0, "attempt": 1,
    }  # fmt: skip
    kind: Any
    kind, valid = rng.choice(((Turn, turn), (Question, question)))
    assert read(kind, valid) == kind(**valid)
    given = spoilt_json(valid, rng)
    if isinstance(given, dict):
        body = _refused(lambda: read(kind, given), Malformed)
        if isinstance(body, Question):
            _refused(body.check, Malformed)


def thinker_answers(rng: Random) -> None:
    """What a thinker or a worker wrote is an answer, or is refused as none."""
    candidate = Candidate(move=3, visits=1, points=1.0, win=0.5)
    valid = Answer(move=3, bot="greedy", candidates=(candidate,), iterations=1, seconds=0.5)
    assert Answer.from_bytes(valid.to_bytes()) == valid
    data = json_bytes(json.loads(valid.to_bytes()), rng) if rng.random() < 0.8 else rng.randbytes(rng.randrange(64))
    answer = _refused(lambda: Answer.from_bytes(data), Malformed)
    assert answer is None or isinstance(answer.move, int)


def tokens(rng: Random) -> None:
    """A token speaks for whom it was made for, or for nobody."""
    ring = Tokens(TOKEN_KEY.encode(), 60)
    player = new_guest("Ada")
    valid = ring.issue(player)
    how = rng.random()
    if how < 0.5:
        token = spoilt_bytes(valid.encode(), rng).decode(errors="replace")
    else:
        claims: Any = spoilt_json(jwt.decode(valid, options={"verify_signature": False}), rng)
        if not isinstance(claims, dict):
            return
        try:
            algorithm = rng.choice(("HS256", "HS256", "none"))
            token = jwt.encode(claims, cast(str, None if algorithm == "none" else TOKEN_KEY), algorithm=algorithm)
        except (TypeError, ValueError, UnicodeEncodeError):
            return
    caller = _refused(lambda: ring.read(token), ApiError)
    if caller is not None and how < 0.5:
        assert caller.player == player


def settings(rng: Random) -> None:
    """Settings are taken or refused by name."""
    names = list(Settings().to_environment())
    values = (*TEXTS, *map(str, LONG_NUMBERS), "1.5", "nan", "inf", "-inf", "1e309", "redis://", "a:b:c", "127.0.0.1:1")
    given = {rng.choice(names): rng.choice(values) for _ in range(rng.choice((1, 1, 3)))}
    try:
        Settings.from_environment(given)
    except BadSetting as bad:
        assert any(name in str(bad) for name in names), f"{bad} names no setting"


def store_urls(rng: Random) -> None:
    """An address of the store is one, or is refused in words."""
    valid = rng.choice(
        (
            "redis://user:secret@127.0.0.1:6379/0",
            "redis+sentinel://:secret@127.0.0.1:26379,127.0.0.1:26380/main/0",
            "redis+cluster://127.0.0.1:7000,127.0.0.1:7001",
            "unix:///tmp/redis.sock",
        )
    )
    url = spoilt_bytes(valid.encode(), rng).decode(errors="replace")
    try:
        connect(url)
    except ValueError as refusal:
        assert "secret" not in str(refusal)


def json_messages(rng: Random) -> None:
    """JSON of a record is read by its mapping or refused by one of the exceptions that we know of protobuf."""
    _, _, valid = rng.choice(games())
    given = spoilt_json(MessageToDict(valid), rng)
    if isinstance(given, dict):
        _refused(lambda: ParseDict(given, games_pb2.GameRecord()), *UNREADABLE_JSON)


TARGETS: dict[str, Callable[[Random], None]] = {
    target.__name__: target
    for target in (
        positions, views, moves, options, events, records, record_files, ruleset_files, task_bodies, thinker_answers,
        tokens, settings, store_urls, json_messages,
    )
}  # fmt: skip
"""By name: each gives input to a decoder, made from the generator it is given, and raises where that misbehaves."""


def run(name: str, seed: int) -> None:
    """Run a target once. Raises AssertionError with the words that repeat it."""
    began = time.monotonic()
    try:
        TARGETS[name](Random(f"{name} {seed}"))
    except Exception as error:
        raise AssertionError(f"python -m tests.fuzz --target {name} --seed {seed}: {error!r}") from error
    taken = time.monotonic() - began
    assert taken < DECODE_SECONDS, f"python -m tests.fuzz --target {name} --seed {seed}: took {taken:.1f} s"
