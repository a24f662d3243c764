"""Playing and discarding squares, a class a rule."""

from __future__ import annotations

from boardgamesbot.games.agora import moves
from boardgamesbot.games.agora.events import Discarded, Played
from boardgamesbot.games.agora.movements import Moved, Movement
from boardgamesbot.games.agora.state import Phase
from tests.support.agora import (
    BLUE,
    CIUTAT_VELLA,
    GAME,
    GRACIA,
    HORTA,
    RED,
    YELLOW,
    is_legal,
    position,
    refusal,
    square,
)


class TestAgP21:
    """Play a square."""

    def test_its_walkers_come_from_the_supply_and_stand_in_its_district(self) -> None:
        number = square(GRACIA, 4)
        state = position(Phase.PLAY, hands=[[number], [2], [3], [4]])
        assert state.apply(moves.play(number)) == [Played(BLUE, number, GRACIA, 4)]
        assert state.supply[BLUE] == 26
        assert state.upright[GRACIA * 4 + BLUE] == 4
        assert state.hands[BLUE] == []
        assert state.movements == [Movement(Moved.PLAYED, BLUE, -1, number)]

    def test_everybody_sees_it(self) -> None:
        event = Played(BLUE, 5, CIUTAT_VELLA, 1)
        assert event.seen_by(None) == event.seen_by(RED) == event

    def test_a_square_in_no_hand_and_one_in_anothers_are_refused_alike(self) -> None:
        state = position(Phase.PLAY, hands=[[1], [2], [3], [4]])
        for elsewhere in (2, 60):
            refused = refusal(state, moves.play(elsewhere))
            name = GAME.ruleset.square_names[elsewhere]
            assert refused.rule.id == "AG-P2.1"
            assert refused.reason == f"{name} is not in your hand"
            assert refused.details == {"square": str(elsewhere)}


class TestAgP22:
    """Enough walkers."""

    def test_a_square_worth_more_than_the_supply(self) -> None:
        small, big = square(GRACIA, 3), square(HORTA, 4)
        state = position(Phase.PLAY, hands=[[small, big], [2], [3], [4]], supply={BLUE: 3})
        assert is_legal(state, moves.play(small))
        refused = refusal(state, moves.play(big))
        assert refused.rule.id == "AG-P2.2"
        assert refused.details["walkers"] == "3"


class TestAgP23:
    """No shared lead by playing."""

    def test_joining_the_lead_is_refused_in_words(self) -> None:
        number = square(GRACIA, 2)
        state = position(Phase.PLAY, upright={GRACIA: {BLUE: 1, RED: 3}}, hands=[[number, 1], [2], [3], [4]])
        refused = refusal(state, moves.play(number))
        assert refused.rule.id == "AG-P2.3"
        assert "Blue and Red tied for most walkers in Gràcia with 3" in refused.reason
        assert refused.details == {"district": "Gràcia", "players": "Blue, Red", "walkers": "3"}

    def test_lying_walkers_count_as_well(self) -> None:
        number = square(GRACIA, 2)
        state = position(Phase.PLAY, lying={GRACIA: {RED: 2}}, hands=[[number, 1], [2], [3], [4]])
        assert not is_legal(state, moves.play(number))

    def test_a_tie_for_second_place_is_allowed(self) -> None:
        number = square(GRACIA, 2)
        state = position(Phase.PLAY, upright={GRACIA: {RED: 5, YELLOW: 2}}, hands=[[number], [2], [3], [4]])
        assert is_legal(state, moves.play(number))

    def test_overtaking_is_allowed(self) -> None:
        number = square(GRACIA, 4)
        state = position(Phase.PLAY, upright={GRACIA: {RED: 3}}, hands=[[number], [2], [3], [4]])
        assert is_legal(state, moves.play(number))

    def test_only_its_own_district_is_judged(self) -> None:
        state = position(Phase.PLAY, upright={HORTA: {RED: 2}}, hands=[[square(GRACIA, 2)], [2], [3], [4]])
        assert is_legal(state, moves.play(square(GRACIA, 2)))


class TestAgP24:
    """Discard only if you must."""

    def test_with_something_playable_discarding_is_refused(self) -> None:
        playable, tied = square(HORTA, 2), square(GRACIA, 3)
        state = position(Phase.PLAY, upright={GRACIA: {RED: 3}}, hands=[[playable, tied], [2], [3], [4]])
        refused = refusal(state, moves.discard(tied))
        assert refused.rule.id == "AG-P2.4"
        assert GAME.ruleset.square_names[playable] in refused.reason

    def test_without_any_the_choice_is_free_and_nothing_is_placed(self) -> None:
        tied, too_big = square(GRACIA, 3), square(HORTA, 5)
        state = position(
            Phase.PLAY, upright={GRACIA: {RED: 3}}, hands=[[tied, too_big], [2], [3], [4]], supply={BLUE: 4}
        )
        assert state.legal_moves() == sorted([moves.discard(tied), moves.discard(too_big)])
        board = state.total.copy()
        assert state.apply(moves.discard(too_big)) == [Discarded(BLUE, HORTA, too_big)]
        assert (state.total, state.supply[BLUE]) == (board, 4)

    def test_the_others_see_its_back_only(self) -> None:
        event = Discarded(BLUE, HORTA, 19)
        assert event.seen_by(BLUE) == event
        assert event.seen_by(RED) == event.seen_by(None) == Discarded(BLUE, HORTA, 0)

    def test_a_square_not_in_hand_is_refused_alike_wherever_it_is(self) -> None:
        state = position(Phase.PLAY, hands=[[1], [2], [3], [4]], supply={BLUE: 0})
        reasons = {refusal(state, moves.discard(n)).reason.replace(GAME.ruleset.square_names[n], "") for n in (2, 60)}
        assert reasons == {" is not in your hand"}
