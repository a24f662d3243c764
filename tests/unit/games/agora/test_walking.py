"""The two walks of a turn, a class a rule."""

from __future__ import annotations

import pytest

from boardgamesbot.games.agora import moves
from boardgamesbot.games.agora.events import Skipped, Walked
from boardgamesbot.games.agora.moves import Kind
from boardgamesbot.games.agora.state import Phase
from boardgamesbot.games.base import Move
from tests.support.agora import (
    BLUE,
    EIXAMPLE,
    GRACIA,
    GREEN,
    HORTA,
    NOU_BARRIS,
    RED,
    SANT_ANDREU,
    SANTS,
    SARRIA,
    YELLOW,
    is_legal,
    of_kind,
    position,
    refusal,
    square,
    walker_count,
)


class TestAgP31:
    """Walk."""

    state = staticmethod(
        lambda: position(
            Phase.FIRST_WALK, upright={EIXAMPLE: {BLUE: 5, RED: 2}, NOU_BARRIS: {YELLOW: 3}}, lying={HORTA: {GREEN: 4}}
        )
    )

    def test_anybodys_upright_walker_to_a_neighbour(self) -> None:
        state = self.state()
        assert is_legal(state, moves.walk(RED, EIXAMPLE, GRACIA))
        events = state.apply(moves.walk(RED, EIXAMPLE, GRACIA))
        assert events == [Walked(BLUE, RED, EIXAMPLE, GRACIA)]
        assert state.lying[GRACIA * 4 + RED] == 1
        assert walker_count(state, EIXAMPLE, RED) == 1
        assert (state.phase, state.actor) == (Phase.SECOND_WALK, BLUE)

    @pytest.mark.parametrize(
        ("move", "reason"),
        [
            (moves.walk(RED, EIXAMPLE, NOU_BARRIS), "Eixample does not border on Nou Barris"),
            (moves.walk(RED, EIXAMPLE, EIXAMPLE), "does not border on"),
            (moves.walk(RED, GRACIA, EIXAMPLE), "no Red walker stands upright in Gràcia: there is none"),
            (moves.walk(GREEN, HORTA, GRACIA), "every one has walked this turn"),
            (moves.walk(4, EIXAMPLE, GRACIA), "nobody has seat 4"),
        ],
    )
    def test_what_can_not_walk(self, move: Move, reason: str) -> None:
        refused = refusal(self.state(), move)
        assert refused.rule.id == "AG-P3.1"
        assert reason in refused.reason

    def test_the_second_has_another_colour(self) -> None:
        state = self.state()
        state.apply(moves.walk(RED, EIXAMPLE, GRACIA))
        refused = refusal(state, moves.walk(RED, EIXAMPLE, SARRIA))
        assert refused.rule.id == "AG-P3.1"
        assert "moved a Red walker already" in refused.reason
        assert {walk.what for walk in of_kind(state, Kind.WALK)} == {BLUE, YELLOW}

    def test_the_second_may_start_where_the_first_arrived(self) -> None:
        state = position(Phase.FIRST_WALK, upright={EIXAMPLE: {BLUE: 5}, GRACIA: {RED: 3}})
        state.apply(moves.walk(BLUE, EIXAMPLE, GRACIA))
        assert is_legal(state, moves.walk(RED, GRACIA, HORTA))

    def test_all_stand_up_when_the_turn_ends_but_not_before(self) -> None:
        state = position(
            Phase.SECOND_WALK,
            done=3,
            upright={EIXAMPLE: {BLUE: 5}},
            lying={GRACIA: {RED: 1}},
            piles=([], [1, 2]),
            first_walk=moves.walk(RED, EIXAMPLE, GRACIA),
        )
        state.apply(moves.walk(BLUE, EIXAMPLE, HORTA))
        assert state.phase == Phase.DRAW
        assert sum(state.lying) == 2
        state.apply(moves.draw(1))
        state.apply(moves.draw(1))
        assert state.phase == Phase.PASS_FOUNTAIN
        assert sum(state.lying) == 0
        assert state.upright == state.total


class TestAgP32:
    """No shared lead by walking."""

    def test_the_second_must_not_leave_one(self) -> None:
        state = position(Phase.FIRST_WALK, upright={EIXAMPLE: {BLUE: 6}, GRACIA: {RED: 3}, HORTA: {YELLOW: 1}})
        state.apply(moves.walk(RED, GRACIA, SARRIA))
        refused = refusal(state, moves.walk(BLUE, EIXAMPLE, HORTA))
        assert refused.rule.id == "AG-P3.2"
        assert "Blue and Yellow tied for most walkers in Horta-Guinardó with 1" in refused.reason
        assert refused.details["district"] == "Horta-Guinardó"

    def test_between_the_two_one_may_be_shared(self) -> None:
        state = position(Phase.FIRST_WALK, upright={EIXAMPLE: {BLUE: 3, RED: 2}, SANT_ANDREU: {GREEN: 4}})
        assert is_legal(state, moves.walk(BLUE, EIXAMPLE, GRACIA))
        state.apply(moves.walk(BLUE, EIXAMPLE, GRACIA))
        assert walker_count(state, EIXAMPLE, BLUE) == walker_count(state, EIXAMPLE, RED)
        # Only Red leaving or coming can part them, and Red is in Eixample alone.
        assert {(walk.what, walk.frm) for walk in of_kind(state, Kind.WALK)} == {(RED, EIXAMPLE)}

    def test_a_tie_the_first_left_names_its_district(self) -> None:
        state = position(Phase.FIRST_WALK, upright={EIXAMPLE: {BLUE: 3, RED: 2}, SANT_ANDREU: {GREEN: 4}})
        state.apply(moves.walk(BLUE, EIXAMPLE, GRACIA))
        refused = refusal(state, moves.walk(GREEN, SANT_ANDREU, NOU_BARRIS))
        assert refused.rule.id == "AG-P3.2"
        assert "Blue and Red tied for most walkers in Eixample with 2" in refused.reason

    def test_a_first_walk_that_no_second_completes_is_not_offered(self) -> None:
        # Blue leaving Eixample ties it with Red; every Red walker lies, so nobody can part them.
        state = position(
            Phase.FIRST_WALK, upright={EIXAMPLE: {BLUE: 3}, SANT_ANDREU: {GREEN: 4}}, lying={EIXAMPLE: {RED: 2}}
        )
        refused = refusal(state, moves.walk(BLUE, EIXAMPLE, GRACIA))
        assert refused.rule.id == "AG-P3.2"
        assert "no second walk" in refused.reason
        assert of_kind(state, Kind.WALK) == []

    def test_a_tie_for_second_place_is_allowed(self) -> None:
        state = position(Phase.FIRST_WALK, upright={EIXAMPLE: {BLUE: 5, RED: 2}, GRACIA: {BLUE: 3, YELLOW: 1}})
        state.apply(moves.walk(BLUE, EIXAMPLE, SANTS))
        assert is_legal(state, moves.walk(RED, EIXAMPLE, GRACIA))


class TestAgP33:
    """The last turn's walk."""

    def test_both_are_the_movers_own(self) -> None:
        state = position(
            Phase.FIRST_WALK, turn=12, upright={EIXAMPLE: {BLUE: 6, RED: 2}, NOU_BARRIS: {YELLOW: 3}}, hands=[[]] * 4
        )
        assert {walk.what for walk in of_kind(state, Kind.WALK)} == {BLUE}
        refused = refusal(state, moves.walk(RED, EIXAMPLE, GRACIA))
        assert refused.rule.id == "AG-P3.3"
        state.apply(moves.walk(BLUE, EIXAMPLE, GRACIA))
        assert {walk.what for walk in of_kind(state, Kind.WALK)} == {BLUE}
        assert refusal(state, moves.walk(RED, EIXAMPLE, GRACIA)).rule.id == "AG-P3.3"

    def test_the_one_that_walked_does_not_walk_again(self) -> None:
        state = position(Phase.FIRST_WALK, turn=12, upright={EIXAMPLE: {BLUE: 2}}, lying={GRACIA: {BLUE: 3}})
        state.apply(moves.walk(BLUE, EIXAMPLE, GRACIA))
        assert {walk.frm for walk in of_kind(state, Kind.WALK)} == {EIXAMPLE}

    def test_one_upright_walker_is_not_enough(self) -> None:
        state = position(Phase.FIRST_WALK, turn=12, upright={EIXAMPLE: {BLUE: 1}, NOU_BARRIS: {YELLOW: 3}})
        assert state.legal_moves() == []

    def test_before_that_own_colour_twice_is_refused(self) -> None:
        state = position(Phase.FIRST_WALK, turn=11, upright={EIXAMPLE: {BLUE: 6, RED: 2}})
        state.apply(moves.walk(BLUE, EIXAMPLE, GRACIA))
        assert refusal(state, moves.walk(BLUE, EIXAMPLE, SANTS)).rule.id == "AG-P3.1"


class TestAgP34:
    """No way to walk."""

    def test_whoever_can_not_walk_is_passed_over_and_it_is_said(self) -> None:
        # With a single colour on the board nobody finds a second one.
        number = square(GRACIA, 4)
        state = position(Phase.PLAY, done=3, hands=[[], [], [], [number]], piles=([1, 2], []))
        events = state.apply(moves.play(number))
        assert [event for event in events if isinstance(event, Skipped)] == [
            Skipped(seat, Phase.FIRST_WALK, "AG-P3.4") for seat in range(4)
        ]
        assert (state.phase, state.actor) == (Phase.DRAW, BLUE)
