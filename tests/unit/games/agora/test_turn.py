"""The course of a turn of Agora, its drawing and its end, a class a rule; and what of it may be taken back."""

from __future__ import annotations

import pytest

from boardgamesbot.games.agora import moves
from boardgamesbot.games.agora.events import Drawn, Ended, FountainPassed, TurnBegan
from boardgamesbot.games.agora.state import Phase
from boardgamesbot.games.base import Malformed, Move
from tests.support.agora import (
    ALL_OPTIONS,
    BLUE,
    CIUTAT_VELLA,
    EIXAMPLE,
    GRACIA,
    GREEN,
    RED,
    SANTS,
    YELLOW,
    game_by_chance,
    new_game,
    position,
    refusal,
)


class TestAgT1:
    """Order of a turn."""

    def test_all_act_once_in_each_phase_clockwise_from_the_fountain(self) -> None:
        state = new_game(4)
        first_turn = state.fountain
        phases: list[tuple[int, int | None]] = []
        while state.turn == 1:
            phases.append((state.phase, state.actor))
            state.apply(state.legal_moves()[0])
        clockwise = [(first_turn + i) % 4 for i in range(4)]
        assert [actor for phase, actor in phases if phase == Phase.PLAY] == clockwise
        assert [actor for phase, actor in phases if phase == Phase.SECOND_WALK] == clockwise
        assert [actor for phase, actor in phases if phase == Phase.DRAW] == clockwise
        assert [phase for phase, _ in phases] == sorted(
            (phase for phase, _ in phases), key=lambda phase: Phase.FIRST_WALK if phase == Phase.SECOND_WALK else phase
        )

    @pytest.mark.parametrize(
        "move", [moves.take(GRACIA), moves.walk(BLUE, GRACIA, EIXAMPLE), moves.draw(0), moves.pass_fountain(RED)]
    )
    def test_a_move_of_another_phase_has_to_wait(self, move: Move) -> None:
        state = position(Phase.PLAY, hands=[[1], [2], [3], [4]], piles=([5], [6]))
        assert refusal(state, move).rule.id == "AG-T1"

    def test_a_number_that_is_no_move_is_no_refusal_but_malformed(self) -> None:
        with pytest.raises(Malformed):
            new_game().check(-1)


class TestAgP41:
    """Draw a square."""

    def test_the_top_of_a_pile_of_choice(self) -> None:
        state = position(Phase.DRAW, hands=[[]] * 4, piles=([1, 2], [3, 4]))
        assert state.legal_moves() == [moves.draw(0), moves.draw(1)]
        assert state.apply(moves.draw(1)) == [Drawn(BLUE, 1, CIUTAT_VELLA, 4)]
        assert state.hands[BLUE] == [4]

    def test_an_empty_pile_is_refused(self) -> None:
        state = position(Phase.DRAW, hands=[[]] * 4, piles=([], [3, 4]))
        refused = refusal(state, moves.draw(0))
        assert refused.rule.id == "AG-P4.1"
        assert "pile 1 is used up" in refused.reason

    def test_one_pile_is_still_a_decision_and_none_is_not(self) -> None:
        state = position(Phase.DRAW, hands=[[]] * 4, piles=([], [3, 4]))
        assert state.legal_moves() == [moves.draw(1)]
        state.apply(moves.draw(1))
        state.apply(moves.draw(1))
        assert state.phase == Phase.PASS_FOUNTAIN

    def test_only_its_drawer_sees_it(self) -> None:
        event = Drawn(BLUE, 1, CIUTAT_VELLA, 4)
        assert event.seen_by(BLUE) == event
        assert event.seen_by(None) == event.seen_by(RED) == Drawn(BLUE, 1, CIUTAT_VELLA, 0)


class TestAgE1:
    """End of a turn."""

    def test_the_holder_hands_the_fountain_to_another(self) -> None:
        state = position(Phase.PASS_FOUNTAIN, fountain=RED, hands=[[1], [2], [3], [4]])
        assert state.actor == RED
        assert state.legal_moves() == [moves.pass_fountain(seat) for seat in (BLUE, YELLOW, GREEN)]
        events = state.apply(moves.pass_fountain(GREEN))
        assert events[:2] == [FountainPassed(RED, GREEN), TurnBegan(4, GREEN)]
        assert (state.fountain, state.turn) == (GREEN, 4)

    @pytest.mark.parametrize(("seat", "reason"), [(RED, "goes to another player"), (4, "nobody has seat 4")])
    def test_not_to_oneself_nor_to_nobody(self, seat: int, reason: str) -> None:
        refused = refusal(position(Phase.PASS_FOUNTAIN, fountain=RED), moves.pass_fountain(seat))
        assert refused.rule.id == "AG-E1"
        assert reason in refused.reason

    def test_after_the_last_turn_it_stays(self) -> None:
        state = position(
            Phase.SECOND_WALK,
            turn=12,
            done=3,
            upright={EIXAMPLE: {GREEN: 5}},
            lying={GRACIA: {GREEN: 1}},
            first_walk=moves.walk(GREEN, EIXAMPLE, GRACIA),
        )
        events = state.apply(moves.walk(GREEN, EIXAMPLE, SANTS))
        assert state.is_over
        assert isinstance(events[-1], Ended)


class TestUndo:
    def test_only_a_first_walk_may_be_taken_back(self) -> None:
        for state in game_by_chance(3, ALL_OPTIONS[0], seed=2):
            assert state.undoable == (state.phase == Phase.SECOND_WALK)
