"""What verification says of records with a fault: the first one, by its field."""

from __future__ import annotations

from dataclasses import replace

import pytest

from boardgamesbot.games.agora import moves
from boardgamesbot.games.agora.state import Phase
from boardgamesbot.games.base import Malformed
from boardgamesbot.games.chance import commitment
from boardgamesbot.games.record import Record, RecordPlayer, Result, replay, steps, verify
from boardgamesbot.games.record_proto import record_from, record_to
from boardgamesbot.v1 import games_pb2
from tests.golden.make import play

SOUND, LAST = play("agora", 3, {}, 12)


def fault_of(record: Record) -> tuple[str, int]:
    """The field at fault and how many moves were replayed before it showed."""
    verdict = verify(record)
    assert verdict.fault is not None
    assert verdict.fault.reason
    return verdict.fault.field, verdict.moves


def with_move(index: int, seat: int, move: int) -> Record:
    made = list(SOUND.moves)
    made[index] = (seat, move)
    return replace(SOUND, moves=tuple(made))


class TestASoundRecord:
    def test_has_no_fault(self) -> None:
        verdict = verify(SOUND)
        assert verdict.fault is None
        assert verdict.moves == len(SOUND.moves)
        assert verdict.state is not None
        assert verdict.state.is_over
        assert verdict.eligible == [0, 1]

    def test_has_none_either_while_the_game_goes_on(self) -> None:
        verdict = verify(replace(SOUND, moves=SOUND.moves[:40], result=None))
        assert verdict.fault is None
        assert verdict.moves == 40

    def test_replays_step_by_step(self) -> None:
        made = [(step.seat, step.move) for step in steps(SOUND)]
        assert made == [(None, None), *SOUND.moves]

    def test_shows_the_events_of_each_step(self) -> None:
        events = [step.events for step in steps(SOUND)]
        assert all(events)
        assert type(events[0][0]).__name__ == "TurnBegan"
        assert type(events[-1][-1]).__name__ == "Ended"

    def test_replays_to_the_end(self) -> None:
        state = replay(SOUND)
        assert state.is_over
        assert state.scores() == LAST.scores()

    def test_survives_being_written_down(self) -> None:
        message = record_to(SOUND)
        assert record_from(games_pb2.GameRecord.FromString(message.SerializeToString())) == SOUND


class TestAFault:
    def test_another_ruleset(self) -> None:
        assert fault_of(replace(SOUND, ruleset_hash="0" * 64)) == ("ruleset_hash", 0)

    def test_a_seed_that_was_not_committed_to(self) -> None:
        assert fault_of(replace(SOUND, seed=bytes(32))) == ("seed", 0)

    def test_a_short_seed(self) -> None:
        assert fault_of(replace(SOUND, seed=b"short", seed_commitment=commitment(b"short"))) == ("seed", 0)

    def test_too_few_players(self) -> None:
        assert fault_of(replace(SOUND, players=SOUND.players[:2])) == ("players", 0)

    def test_another_shuffle_shows_at_the_first_move_it_makes_impossible(self) -> None:
        other = bytes(range(32))
        field, made = fault_of(replace(SOUND, seed=other, seed_commitment=commitment(other)))
        assert field.startswith(f"moves[{made}]")

    def test_a_move_by_another_seat(self) -> None:
        seat, move = SOUND.moves[3]
        assert fault_of(with_move(3, (seat + 1) % 3, move)) == ("moves[3].seat", 3)

    def test_a_move_that_breaks_a_rule_says_which(self) -> None:
        verdict = verify(with_move(0, SOUND.moves[0][0], moves.draw(0)))
        assert verdict.fault is not None
        assert verdict.fault.field == "moves[0]"
        assert verdict.fault.refusal is not None
        assert verdict.fault.refusal.rule.id == "AG-T1"

    def test_the_first_of_several_is_named(self) -> None:
        made = list(SOUND.moves)
        made[17] = (made[17][0], moves.pass_fountain(0))
        made[5] = (made[5][0], moves.pass_fountain(0))
        assert fault_of(replace(SOUND, moves=tuple(made))) == ("moves[5]", 5)

    def test_a_number_that_is_no_move(self) -> None:
        verdict = verify(with_move(8, SOUND.moves[8][0], 4711))
        assert verdict.fault is not None
        assert (verdict.fault.field, verdict.fault.refusal) == ("moves[8]", None)

    def test_moves_after_the_end(self) -> None:
        extra = (0, moves.draw(0))
        assert fault_of(replace(SOUND, moves=(*SOUND.moves, extra))) == (f"moves[{len(SOUND.moves)}]", len(SOUND.moves))

    def test_a_result_before_the_end(self) -> None:
        assert fault_of(replace(SOUND, moves=SOUND.moves[:-1])) == ("result", len(SOUND.moves) - 1)

    def test_no_result_after_the_end(self) -> None:
        assert fault_of(replace(SOUND, result=None)) == ("result", len(SOUND.moves))

    def test_wrong_points(self) -> None:
        assert SOUND.result is not None
        points = (SOUND.result.points[0] + 1, *SOUND.result.points[1:])
        result = replace(SOUND.result, points=points)
        assert fault_of(replace(SOUND, result=result)) == ("result.points", len(SOUND.moves))

    def test_a_victory_claimed_by_somebody_else(self) -> None:
        assert SOUND.result is not None
        loser = next(seat for seat in (0, 1) if seat not in SOUND.result.winners)
        result = replace(SOUND.result, winners=(loser,))
        assert fault_of(replace(SOUND, result=result)) == ("result.winners", len(SOUND.moves))

    def test_a_victory_of_whoever_resigned(self) -> None:
        winner = LAST.winners()[0]
        players = tuple(RecordPlayer(f"{seat}", resigned=seat == winner) for seat in range(3))
        result = Result(tuple(LAST.scores()), (winner,))
        assert fault_of(replace(SOUND, players=players, result=result))[0] == "result.winners"


class TestAMessage:
    def test_of_a_game_there_is_not(self) -> None:
        with pytest.raises(Malformed, match="there is agora") as caught:
            record_from(games_pb2.GameRecord(game_id="chess"))
        assert caught.value.field == "game_id"

    def test_with_options_there_are_not(self) -> None:
        message = record_to(SOUND)
        message.options.agora.backs = 9  # type: ignore[assignment]
        with pytest.raises(Malformed) as caught:
            record_from(message)
        assert caught.value.field == "options.agora.backs"

    def test_with_a_move_that_says_nothing(self) -> None:
        message = record_to(SOUND)
        message.moves[17].move.Clear()
        with pytest.raises(Malformed) as caught:
            record_from(message)
        assert caught.value.field == "moves[17].move.agora"

    def test_with_a_move_out_of_range(self) -> None:
        message = record_to(SOUND)
        message.moves[4].move.agora.walk.walker = 7
        with pytest.raises(Malformed) as caught:
            record_from(message)
        assert caught.value.field == "moves[4].move.agora.walk.walker"


def test_the_record_under_test_ends() -> None:
    assert LAST.is_over
    assert getattr(LAST, "phase", None) == Phase.OVER
