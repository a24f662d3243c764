"""Records: a game from its first shuffle to its last move, played again and checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from boardgamesbot.games.base import Event, Game, IllegalMove, Malformed, Move, Options, State
from boardgamesbot.games.chance import SEED_BYTES, ChanceStream, commitment


@dataclass(frozen=True)
class RecordPlayer:
    """Who had a seat."""

    name: str
    bot: str = ""
    resigned: bool = False


@dataclass(frozen=True)
class Result:
    """How a game ended."""

    points: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True)
class Record:
    """Everything needed to play a game again; `result` is None while it is being played."""

    game: Game
    options: Options
    ruleset_hash: str
    players: tuple[RecordPlayer, ...]
    seed_commitment: bytes
    seed: bytes
    moves: tuple[tuple[int, Move], ...]
    """Seat and move, in order."""
    result: Result | None

    @property
    def eligible(self) -> list[int]:
        """The seats that can win: those nobody resigned."""
        return [seat for seat, player in enumerate(self.players) if not player.resigned]


@dataclass(frozen=True)
class Step:
    """The position after a move; before the first, `seat` and `move` are None."""

    seat: int | None
    move: Move | None
    events: list[Event]
    state: State


@dataclass(frozen=True)
class Fault:
    """The first thing wrong with a record."""

    field: str
    reason: str
    refusal: IllegalMove | None = None


@dataclass(frozen=True)
class Verdict:
    """What replaying a record showed: `fault` is None when it is sound."""

    fault: Fault | None
    moves: int
    """Moves replayed without a fault."""
    state: State | None
    """The last position reached."""
    eligible: list[int]


def steps(record: Record) -> Iterator[Step]:
    """The game move by move. The state of a step goes on changing: copy it to keep it. Trusts the record."""
    state, events = record.game.new(len(record.players), record.options, ChanceStream(record.seed))
    yield Step(None, None, events, state)
    for seat, move in record.moves:
        yield Step(seat, move, state.apply(move), state)


def replay(record: Record) -> State:
    """The last position of a record. Trusts the record; `verify` does not."""
    state, _ = record.game.new(len(record.players), record.options, ChanceStream(record.seed))
    for _, move in record.moves:
        state.apply(move)
    return state


def verify(record: Record) -> Verdict:
    """Play a record again and find the first fault: in its header, then its moves, then its result."""
    fault = _fault_in_header(record)
    if fault is not None:
        return Verdict(fault, 0, None, record.eligible)
    state, _ = record.game.new(len(record.players), record.options, ChanceStream(record.seed))
    for i, (seat, move) in enumerate(record.moves):
        fault = _fault_in_move(state, i, seat, move)
        if fault is not None:
            return Verdict(fault, i, state, record.eligible)
        state.apply(move)
    return Verdict(_fault_in_result(record, state), len(record.moves), state, record.eligible)


def _fault_in_header(record: Record) -> Fault | None:
    if record.ruleset_hash != record.game.ruleset.hash:
        played, here = record.ruleset_hash[:12], record.game.ruleset.hash[:12]
        return Fault("ruleset_hash", f"the game was played with ruleset {played}, not with the one in use here, {here}")
    if len(record.seed) != SEED_BYTES:
        return Fault("seed", f"must have {SEED_BYTES} bytes, has {len(record.seed)}")
    if commitment(record.seed) != record.seed_commitment:
        return Fault("seed", "is not the one that was committed to before the first move")
    try:
        record.game.check_players(len(record.players), record.options)
    except Malformed as error:
        return Fault(error.field, error.reason)
    return None


def _fault_in_move(state: State, index: int, seat: int, move: Move) -> Fault | None:
    if state.is_over:
        return Fault(f"moves[{index}]", "comes after the end of the game")
    if seat != state.actor:
        return Fault(f"moves[{index}].seat", f"the decision was seat {state.actor}'s, not seat {seat}'s")
    try:
        state.check(move)
    except IllegalMove as refusal:
        return Fault(f"moves[{index}]", str(refusal), refusal)
    except Malformed as error:
        return Fault(f"moves[{index}]", error.reason)
    return None


def _fault_in_result(record: Record, state: State) -> Fault | None:
    if record.result is None:
        return Fault("result", "is missing, though the game is over") if state.is_over else None
    if not state.is_over:
        return Fault("result", f"is claimed after {len(record.moves)} moves, but the game is not over")
    points, winners = tuple(state.scores()), tuple(state.winners(record.eligible))
    if record.result.points != points:
        return Fault("result.points", f"the game came to {list(points)}, not {list(record.result.points)}")
    if record.result.winners != winners:
        return Fault("result.winners", f"the winners are {list(winners)}, not {list(record.result.winners)}")
    return None
