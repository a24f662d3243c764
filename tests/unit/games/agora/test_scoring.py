"""Points and who wins, a class a rule."""

from __future__ import annotations

from boardgamesbot.games.agora.events import Ended
from boardgamesbot.games.agora.state import Phase
from tests.support.agora import (
    ALL_OPTIONS,
    BLUE,
    EIXAMPLE,
    GAME,
    GRACIA,
    GREEN,
    HORTA,
    LES_CORTS,
    NOU_BARRIS,
    RED,
    SANTS,
    SARRIA,
    YELLOW,
    new_game,
    position,
)


class TestAgF1:
    """Points."""

    def test_most_walkers_earn_the_districts_points(self) -> None:
        state = position(Phase.OVER, upright={EIXAMPLE: {BLUE: 3, RED: 1}, NOU_BARRIS: {RED: 1}})
        assert state.scores() == [10, 6, 0, 0]
        assert state.winners() == [BLUE]

    def test_an_empty_district_earns_nobody_anything(self) -> None:
        assert position(Phase.OVER).scores() == [0, 0, 0, 0]

    def test_lying_walkers_count(self) -> None:
        assert position(Phase.DRAW, upright={GRACIA: {BLUE: 1}}, lying={GRACIA: {RED: 2}}).scores() == [0, 7, 0, 0]

    def test_a_lead_shared_between_two_walks_earns_nobody_anything(self) -> None:
        assert position(Phase.SECOND_WALK, upright={GRACIA: {BLUE: 2, RED: 2}}).scores() == [0, 0, 0, 0]

    def test_the_points_are_those_printed(self) -> None:
        assert sum(GAME.ruleset.points) == 76
        assert (GAME.ruleset.points[EIXAMPLE], GAME.ruleset.points[HORTA], GAME.ruleset.points[NOU_BARRIS]) == (
            10,
            9,
            6,
        )

    def test_the_end_is_announced(self) -> None:
        for options in ALL_OPTIONS[:2]:
            state = new_game(3, options)
            events = []
            while not state.is_over:
                events = state.apply(state.legal_moves()[0])
            assert events[-1] == Ended(tuple(state.scores()), tuple(state.winners()))


class TestAgF2:
    """Equal points."""

    def test_presence_breaks_the_tie_not_districts_won(self) -> None:
        # Blue wins four districts (6 + 7 + 7 + 7), Red three (10 + 9 + 8); but Red has walkers in five, Blue in four.
        state = position(
            Phase.OVER,
            upright={
                NOU_BARRIS: {BLUE: 2, RED: 1},
                LES_CORTS: {BLUE: 2, RED: 1},
                GRACIA: {BLUE: 2},
                SANTS: {BLUE: 2},
                EIXAMPLE: {RED: 1},
                HORTA: {RED: 1},
                SARRIA: {RED: 1},
            },
        )
        assert state.scores()[:2] == [27, 27]
        assert state.presence()[:2] == [4, 5]
        assert state.winners() == [RED]

    def test_points_come_before_presence(self) -> None:
        state = position(Phase.OVER, upright={EIXAMPLE: {BLUE: 3, RED: 1}, NOU_BARRIS: {RED: 1}})
        assert state.presence() == [1, 2, 0, 0]
        assert state.winners() == [BLUE]

    def test_among_some_seats_only_they_can_win(self) -> None:
        state = position(Phase.OVER, upright={EIXAMPLE: {BLUE: 3}, NOU_BARRIS: {RED: 1}})
        assert state.winners(among=[RED, YELLOW]) == [RED]
        assert state.winners(among=[]) == []


class TestAgF3:
    """Still equal."""

    def test_they_share_the_victory(self) -> None:
        state = position(Phase.OVER, upright={LES_CORTS: {BLUE: 1}, GRACIA: {RED: 1}})
        assert state.winners() == [BLUE, RED]

    def test_nobody_else_does(self) -> None:
        state = position(Phase.OVER, upright={LES_CORTS: {BLUE: 1}, GRACIA: {RED: 2, GREEN: 1}, SANTS: {GREEN: 3}})
        assert state.scores() == [7, 7, 0, 7]
        assert state.winners() == [GREEN]
