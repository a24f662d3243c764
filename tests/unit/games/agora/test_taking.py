"""Taking a square from a neighbour's hand, a class a rule."""

from __future__ import annotations

import pytest

from boardgamesbot.games.agora import moves
from boardgamesbot.games.agora.events import Skipped, Taken
from boardgamesbot.games.agora.movements import Moved
from boardgamesbot.games.agora.state import Phase
from tests.support.agora import BLUE, GRACIA, GREEN, HORTA, RED, YELLOW, new_game, position, refusal, square


class TestAgP11:
    """Take a square."""

    def test_from_the_next_hand_clockwise(self) -> None:
        state = position(
            Phase.PASS_FOUNTAIN,
            players=3,
            fountain=RED,
            hands=[[1, 2, 3], [11, 12, 13], [21, 22, 23]],
            piles=([30], []),
        )
        taken = [event for event in state.apply(moves.pass_fountain(YELLOW)) if isinstance(event, Taken)]
        assert [(event.seat, event.from_seat) for event in taken] == [(YELLOW, BLUE), (BLUE, RED), (RED, YELLOW)]

    def test_a_square_just_taken_may_be_taken_on(self) -> None:
        state = position(Phase.PASS_FOUNTAIN, players=3, fountain=RED, hands=[[1], [], []], piles=([30], []))
        taken = [event for event in state.apply(moves.pass_fountain(YELLOW)) if isinstance(event, Taken)]
        assert [(event.seat, event.from_seat, event.square) for event in taken] == [(YELLOW, BLUE, 1), (RED, YELLOW, 1)]
        assert state.hands == [[], [1], []]

    def test_only_taker_and_former_holder_see_which(self) -> None:
        event = Taken(seat=RED, from_seat=YELLOW, back=GRACIA, square=13)
        assert event.seen_by(RED).square == event.seen_by(YELLOW).square == 13
        for reader in (None, BLUE, GREEN):
            assert event.seen_by(reader) == Taken(RED, YELLOW, GRACIA, 0)

    def test_chance_reaches_the_whole_hand(self) -> None:
        first_taken = set()
        for seed in range(80):
            state = new_game(3, seed=seed)
            dealt = [m.square for m in state.movements if m.kind == Moved.DEALT and m.seat == (state.fountain + 1) % 3]
            taken = next(m for m in state.movements if m.kind == Moved.TAKEN)
            first_taken.add(dealt.index(taken.square))
        assert first_taken == set(range(5))


class TestAgP12:
    """Nothing to take."""

    def test_an_empty_hand_is_passed_over_and_said(self) -> None:
        state = position(Phase.PASS_FOUNTAIN, players=3, fountain=RED, hands=[[1], [], []], piles=([30], []))
        events = state.apply(moves.pass_fountain(YELLOW))
        assert Skipped(BLUE, Phase.TAKE, "AG-P1.2") in events
        assert state.phase == Phase.PLAY

    def test_so_it_is_where_the_taker_chooses(self) -> None:
        state = position(
            Phase.PASS_FOUNTAIN,
            players=3,
            fountain=RED,
            hands=[[1], [], []],
            piles=([30], []),
            options={"take": "CHOOSE"},
        )
        state.apply(moves.pass_fountain(BLUE))
        # Blue and Red find nothing to their left; Yellow has to choose from Blue.
        assert (state.phase, state.actor) == (Phase.TAKE, YELLOW)


class TestAgP13:
    """Other ways to take."""

    def test_the_taker_chooses_by_the_backs(self) -> None:
        held = [square(GRACIA, 1), square(GRACIA, 5), square(HORTA, 2)]
        state = position(Phase.TAKE, players=3, hands=[[], held, []], options={"take": "CHOOSE"})
        assert state.legal_moves() == [moves.take(GRACIA), moves.take(HORTA)]
        state.apply(moves.take(HORTA))
        assert state.hands[BLUE] == [square(HORTA, 2)]

    def test_chance_decides_among_squares_alike(self) -> None:
        alike = [square(GRACIA, 1), square(GRACIA, 5)]
        state = position(Phase.TAKE, players=3, hands=[[], [square(HORTA, 2), *alike], []], options={"take": "CHOOSE"})
        got = set()
        for _ in range(20):
            twin = state.copy()
            twin.apply(moves.take(GRACIA))
            got.add(twin.hands[BLUE][0])
            state.chance.below(2)
        assert got == set(alike)

    def test_a_back_that_is_not_there(self) -> None:
        state = position(Phase.TAKE, players=3, hands=[[], [square(GRACIA, 1)], []], options={"take": "CHOOSE"})
        refused = refusal(state, moves.take(HORTA))
        assert refused.rule.id == "AG-P1.3"
        assert "Red holds no square of Horta-Guinardó" in refused.reason

    def test_with_plain_backs_there_is_nothing_to_choose(self) -> None:
        state = new_game(3, {"take": "CHOOSE", "backs": "PLAIN"})
        assert state.phase == Phase.PLAY

    @pytest.mark.parametrize(("until", "takes"), [("ALWAYS", 3), ("PILES_EMPTY", 0)])
    def test_taking_may_stop_when_the_piles_are_used_up(self, until: str, takes: int) -> None:
        state = position(
            Phase.PASS_FOUNTAIN, players=3, fountain=RED, hands=[[1], [11], [21]], options={"take_until": until}
        )
        events = state.apply(moves.pass_fountain(BLUE))
        assert sum(isinstance(event, Taken) for event in events) == takes
        assert not any(isinstance(event, Skipped) for event in events)

    def test_it_goes_on_as_long_as_one_pile_has_squares(self) -> None:
        state = position(
            Phase.PASS_FOUNTAIN,
            players=3,
            fountain=RED,
            hands=[[1], [11], [21]],
            piles=([], [30]),
            options={"take_until": "PILES_EMPTY"},
        )
        assert sum(isinstance(event, Taken) for event in state.apply(moves.pass_fountain(BLUE))) == 3
