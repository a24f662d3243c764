"""The greedy bot of Barcelona: legal, repeatable, blind to what it may not know, and no fool."""

from __future__ import annotations

from random import Random

import pytest

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.events import Reason
from boardgamesbot.games.barcelona.moves import STOP, Kind, Parts
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.barcelona.view import BarcelonaView
from boardgamesbot.games.base import Move
from boardgamesbot.players.base import Brain
from boardgamesbot.players.greedy_barcelona import GreedyBarcelona
from boardgamesbot.players.random import RandomBrain
from tests.support.barcelona import (
    ACTIONS,
    LEVEL_1,
    LEVEL_3,
    RULESET,
    SAGRADA,
    SERVICES,
    asked,
    at,
    decide,
    give,
    hold,
    house,
    moves_of,
    new_game,
    pave,
    position,
    project,
    put,
    section,
    site,
    tracked,
    turn,
    walked,
)

GREEDY = GreedyBarcelona()
THEN_DRAW = ((Do.CERDA_CHECK,), (Do.DRAW,))


def chosen(state: BarcelonaState, seed: int = 1) -> Move:
    """What the bot does here; it always is legal."""
    move = GREEDY.choose(state.view(state.actor), Random(seed))
    assert move in state.legal_moves()
    return move


def choice(state: BarcelonaState) -> Parts:
    """The same, taken apart."""
    return moves.parts(chosen(state))


def take(state: BarcelonaState, name: str) -> None:
    """Let seat 0 carry out an action it has taken, and its turn end after it."""
    decide(state, (Do.EFFECT, RULESET.actions[ACTIONS[name]].effect, Reason.ACTION, 1), *THEN_DRAW)


def last_turn(state: BarcelonaState) -> None:
    """All Cerdà tiles are scored: for nobody there is a turn after this one."""
    state.ending, state.scored = True, [True] * 3


def played(state: BarcelonaState, brains: list[Brain], seed: int) -> list[int]:
    """The winners of a game of these brains, every move of it checked."""
    rng = Random(seed)
    while state.actor is not None:
        state.play(brains[state.actor].choose(state.view(state.actor), rng))
    return state.winners()


def some_positions(players: int, *, expansion: bool, seed: int, every: int) -> list[BarcelonaState]:
    """Positions out of a game of greedy bots, one of so many, each with something to decide."""
    state, rng, found = new_game(players, seed=seed, expansion=expansion), Random(seed), []
    number = 0
    while state.actor is not None:
        number += len(state.legal_moves()) > 1
        if number % every == 1:
            found.append(state.copy())
        state.apply(GREEDY.choose(state.view(state.actor), rng))
    return found


# What every bot owes


@pytest.mark.parametrize("expansion", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_plays_whole_games_by_the_rules(players: int, expansion: bool) -> None:
    state = new_game(players, seed=players, expansion=expansion)
    assert played(state, [GREEDY] * players, seed=players)
    assert min(state.scores()) > 100


@pytest.mark.parametrize("expansion", [False, True])
def test_the_same_view_and_generator_give_the_same_move(expansion: bool) -> None:
    for state in some_positions(3, expansion=expansion, seed=11, every=7):
        assert chosen(state, 5) == chosen(state, 5)


@pytest.mark.parametrize("expansion", [False, True])
def test_what_is_hidden_changes_no_choice(expansion: bool) -> None:
    swapped = 0
    for number, state in enumerate(some_positions(3, expansion=expansion, seed=12, every=5)):
        other = state.view(state.actor).determinize(Random(number))
        assert isinstance(other, BarcelonaState)
        swapped += (
            other.bag != state.bag and other.hands != state.hands and other.modernisme_stack != state.modernisme_stack
        )
        assert chosen(other, 3) == chosen(state, 3)
    assert swapped > 20


def test_imagines_nothing_in_the_place_of_what_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = some_positions(2, expansion=True, seed=14, every=8)

    def imagine(view: BarcelonaView, rng: Random) -> BarcelonaState:
        raise AssertionError("the bot dealt itself what it may not know")

    monkeypatch.setattr(BarcelonaView, "determinize", imagine)
    assert len([chosen(state) for state in positions]) > 10


def test_a_tile_that_may_come_into_the_display_is_no_reason() -> None:
    """Two Modernisme tiles are to be taken; which one turns up between them is hidden."""
    firsts = set()
    for coming in ("MARKERS", "RESOURCES", "UPGRADES", "PASSENGER"):
        state = position(services=("UNIVERSITAT", *list(SERVICES)[:2], *list(SERVICES)[4:6]))
        number = next(i for i, entry in enumerate(RULESET.scorings) if entry.id == coming)
        state.modernisme_stack.remove(number)
        state.modernisme_stack.append(number)
        give(state, coins=3)
        streets = sum(1 << street for street in RULESET.city.streets_at[at("C2")])
        decide(state, (Do.ACTIONS, at("C2"), streets), *THEN_DRAW)
        state.play(moves.simple(Kind.ACTION, 2))
        firsts.add(chosen(state))
    assert len(firsts) == 1


def test_leaves_the_view_it_looked_at_alone() -> None:
    for state in some_positions(4, expansion=True, seed=13, every=25):
        view = state.view(state.actor)
        GREEDY.choose(view, Random(1))
        assert view == state.view(state.actor)


@pytest.mark.parametrize(("players", "expansion"), [(2, False), (2, True), (3, False), (4, True)])
def test_beats_random_in_nearly_all_games(players: int, expansion: bool) -> None:
    games, won = 4, 0
    for seed in range(games):
        own = seed % players
        brains: list[Brain] = [GREEDY if seat == own else RandomBrain() for seat in range(players)]
        won += played(new_game(players, seed=seed, expansion=expansion), brains, seed) == [own]
    assert won >= games - 1


# What anybody would do


def test_builds_the_level_3_building() -> None:
    state = position()
    tracked(state, working=8, middle=8, upper=8)
    state.scored[0] = True
    give(state, cerda=8)
    for where, citizens in (("A1", "UW"), ("B1", "W"), ("A2", "M")):
        put(state, where, citizens)
    decide(state, (Do.BUILD,), *THEN_DRAW)
    assert {made.which for made in moves_of(state, Kind.BUILD)} == {0, 1, LEVEL_3}
    assert choice(state)[:3] == (Kind.BUILD, site("A1"), LEVEL_3)


def test_builds_for_the_row_bonus() -> None:
    """The same building twice over, but only one is the first of its row of blocks."""
    state = position(cerda=("NARROW", "WIDE", "SERVICE"), shown=("COBBLESTONE", "PASSENGER", "IMPROVED", "SAGRADA"))
    state.bonus_left[0] = False
    for where in ("A1", "B1", "A4", "A5"):
        put(state, where, "W")
    for where in ("B4", "B5"):
        put(state, where, "W")
    decide(state, (Do.BUILD,), *THEN_DRAW)
    assert moves.parts(chosen(state)).what not in (site("A1"), site("B1"))


@pytest.mark.parametrize("there", ["C2", "E4", "A1"])
def test_places_where_it_can_build(there: str) -> None:
    """With a single citizen in the city only a place beside it makes a building possible."""
    state = position()
    put(state, there, "W")
    hold(state, 0, "WW")
    turn(state)
    state.play(chosen(state))
    while state.task[0] != Do.BUILD:
        assert state.actor == 0
        state.play(chosen(state))
    assert asked(state) is Kind.BUILD


def test_places_the_citizen_on_top_that_the_building_wants() -> None:
    """Two working-class citizens stand at a block; an upper-class one on top makes it a level 3 building."""
    state = position()
    put(state, "D4", "W")
    put(state, "E4", "W")
    hold(state, 0, "WU")
    turn(state)
    made = choice(state)
    assert made.kind is Kind.PLACE
    assert made.which == 3


def test_builds_a_service_it_can_pay_for() -> None:
    state = position()
    give(state, coins=3, cloth=0)
    decide(state, (Do.ACTIONS, at("C2"), 1 << 6), (Do.BUILD,), *THEN_DRAW)
    made = choice(state)
    assert (made.kind, RULESET.actions[state.slots[made.what]].id) == (Kind.ACTION, "SERVICE")
    state.play(chosen(state))
    assert choice(state).kind is Kind.SERVICE


def test_prefers_ten_points_to_three_if_coins_are_of_no_more_use() -> None:
    state = position(4, services=("MERCAT_DE_SANT_ANTONI", *[name for name in SERVICES if "MERCAT" not in name][:4]))
    state.services_taken = [0, 3, 3, 2, 3]
    last_turn(state)
    give(state, coins=3, cloth=0)
    decide(state, (Do.SERVICE,), *THEN_DRAW)
    assert choice(state).what == 0


def test_takes_coins_before_it_pays_with_them() -> None:
    """With one coin a service comes into reach only after the action that brings two more."""
    state = position()
    give(state, coins=1, cloth=0)
    decide(state, (Do.ACTIONS, at("A2"), (1 << 0) | (1 << 6)), *THEN_DRAW)
    state.play(chosen(state))
    assert state.coins[0] == 3
    made = choice(state)
    assert RULESET.actions[state.slots[made.what]].id == "SERVICE"


def test_lengthens_the_longest_run_with_a_wide_street() -> None:
    state = position(cerda=("BOTTOM", "CORNER", "LINE"), shown=("SERVICE", "ROWS", "MARKERS", "UPGRADES"))
    pave(state, 1, 1, "A1-B1", "B1-C1", "C1-D1")
    last_turn(state)
    take(state, "WIDE")
    assert choice(state).what == section("D1-E1")


def test_takes_the_points_when_the_game_is_over_after_this_turn() -> None:
    state = position()
    last_turn(state)
    give(state, sagrada=10)
    decide(state, (Do.SAGRADA, 3), *THEN_DRAW)
    assert choice(state).what == SAGRADA["S4A"]


def test_improves_the_project_with_the_better_tile() -> None:
    state = position()
    last_turn(state)
    state.cobblestones_placed[0] = 5
    project(state, 0, 0, "UPGRADES")
    project(state, 0, 2, "COBBLESTONE")
    give(state, cloth=2)
    take(state, "IMPROVE")
    assert choice(state).what == 2


def test_upgrades_where_a_cerda_tile_is_about_to_count_it() -> None:
    """Any building here completes the first section, and its tile counts upgrades."""
    state = position(cerda=("UPGRADES", "NARROW", "WIDE"))
    tracked(state, working=4, middle=4, upper=4)
    house(state, site("A1"), (LEVEL_1, 1))
    give(state, cerda=14)
    for where in ("A1", "B1"):
        put(state, where, "M")
    for where in ("D4", "E4"):
        put(state, where, "M")
    state.bonus_left[3] = False
    decide(state, (Do.BUILD,), *THEN_DRAW)
    assert choice(state)[:3] == (Kind.BUILD, site("A1"), 1)


def test_walks_on_to_arrive_with_much_joy() -> None:
    state = position(expansion=True)
    walked(state, 0, 0, steps=3, joy=6)
    decide(state, (Do.WALK, 0, 2), *THEN_DRAW)
    assert chosen(state) == moves.STEP
    state.play(moves.STEP)
    assert state.vp[0] == RULESET.arrival_vp[6]


def test_gives_joy_to_the_pedestrian_that_is_about_to_arrive() -> None:
    state = position(expansion=True)
    walked(state, 0, 1, steps=3, joy=4)
    take(state, "X_CERDA")
    assert choice(state) == (Kind.PEDESTRIAN, 1, 0, 0)


def test_does_not_stop_while_an_action_of_worth_is_left() -> None:
    for seed in range(6):
        state = new_game(2, seed=seed)
        turn(state)
        state.play(chosen(state))
        taken = 0
        while state.tasks and state.task[0] != Do.BUILD and state.actor == 0:
            move = chosen(state)
            if state.task[0] == Do.ACTIONS:
                taken += move != STOP
            state.play(move)
        assert taken >= 2
