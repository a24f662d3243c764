"""Whatever is tried in games of Barcelona is legal or refused by a rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from boardgamesbot.games.barcelona import interpreter, moves
from boardgamesbot.games.barcelona.geometry import INTERSECTIONS, SECTIONS, SITES, STREETS
from boardgamesbot.games.barcelona.moves import (
    CLASSES,
    DISPLAY,
    HEXAGONS,
    MOST_SAGRADA_TILES,
    MOST_STACKS,
    MOST_STORED,
    PROJECTS,
    SERVICES,
    SIDEWALK,
    STOP,
    VIOLETS,
    Kind,
    simple,
)
from boardgamesbot.games.barcelona.refusals import obstacles
from boardgamesbot.games.barcelona.rules import RULES
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.tiles import services_in_reach
from boardgamesbot.games.base import Move
from tests.support import barcelona as support
from tests.support.barcelona import RULESET, game_by_chance
from tests.unit.games.barcelona.support_refusals import refusal


def _all_moves() -> Iterator[Move]:
    """Every move there is, of every kind."""
    simple_ones: dict[Kind, int] = {
        Kind.STOP: 1,
        Kind.ACTION: STREETS,
        Kind.KEEP: MOST_STORED,
        Kind.SECTION: SECTIONS,
        Kind.STACK: MOST_STACKS,
        Kind.INTERSECTION: INTERSECTIONS,
        Kind.TRAM: SECTIONS,
        Kind.PASSENGER: 1,
        Kind.RIDE: 1,
        Kind.COBBLESTONE: SIDEWALK,
        Kind.SERVICE: SERVICES,
        Kind.IMPROVE: PROJECTS,
        Kind.SAGRADA: MOST_SAGRADA_TILES,
        Kind.RESOURCE: 2,
        Kind.CHOICE: 2,
        Kind.PART: 2,
        Kind.PEDESTRIAN: 2,
        Kind.STEP: 1,
        Kind.GAUDI: 1,
    }
    for kind, number in simple_ones.items():
        yield from (simple(kind, what) for what in range(number))
    yield from (moves.place(where, top + 1) for where in range(INTERSECTIONS) for top in range(CLASSES))
    yield from (moves.modernisme(shown, where) for shown in range(DISPLAY) for where in range(PROJECTS))
    yield from (moves.hexagon(where, violet) for where in range(HEXAGONS) for violet in range(VIOLETS))
    for where in range(SITES):
        yield from (moves.build(where, kind, using) for kind in range(moves.BUILDINGS) for using in range(16))


ALL_MOVES = tuple(_all_moves())
BY_KIND = {kind: [move for move in ALL_MOVES if moves.kind_of(move) == kind] for kind in Kind}


def candidates(state: BarcelonaState) -> Iterable[Move]:
    """Every move of the kinds that are asked, and one of each other kind."""
    asked = {moves.kind_of(move) for move in state.legal}
    for kind, of_kind in BY_KIND.items():
        yield from of_kind if kind in asked else of_kind[-1:]


@pytest.mark.parametrize("expansion", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_whatever_is_tried_is_legal_or_refused_by_a_rule(players: int, expansion: bool, seed: int) -> None:
    refused_for: set[str] = set()
    for state in game_by_chance(players, seed=seed, expansion=expansion):
        legal = set(state.legal)
        asked = {moves.kind_of(move) for move in legal} - {Kind.STOP}
        for move in candidates(state):
            if move in legal:
                state.check(move)
                continue
            found = refusal(state, move)
            assert RULES[found.rule.id] is found.rule
            assert found.reason
            assert "None" not in found.reason
            assert all(isinstance(value, str) for value in found.details.values())
            if moves.kind_of(move) in asked:
                assert found.rule.id != "BA-T2", "a choice of the kind that is asked has a reason of its own"
            elif not state.is_over and move != STOP:
                assert found.rule.id == "BA-T2"
            refused_for.add(found.rule.id)
    assert {"BA-E1", "BA-T2", "BA-A1", "BA-A7", "BA-A8", "BA-B1", "BA-B2", "BA-B3", "BA-ST1", "BA-SF2"} <= refused_for


@pytest.mark.parametrize("expansion", [False, True])
def test_whatever_is_tried_against_gaudi_is_legal_or_refused_by_a_rule(expansion: bool) -> None:
    """In his turn everything else is refused by the rule of his turn, and so is his move in the person's."""
    his_turns = 0
    for state in game_by_chance(2, seed=4, expansion=expansion, solo="NORMAL"):
        his_turns += state.actor == support.GAUDI
        for move in candidates(state):
            if move in state.legal:
                state.check(move)
                continue
            found = refusal(state, move)
            assert found.reason
            if not state.is_over:
                his = state.actor == support.GAUDI or move == moves.GAUDI
                assert (found.rule.id == "BA-G4") == his
    assert his_turns > 5


@pytest.mark.parametrize("expansion", [False, True])
def test_an_effect_has_an_obstacle_exactly_if_it_can_not_be_carried_out(expansion: bool) -> None:
    effects = range(len(RULESET.nodes))
    stopped = set()
    for state in game_by_chance(2, seed=7, expansion=expansion):
        for effect in effects:
            obstacle = obstacles.of_effect(state, effect)
            assert (obstacle is None) == interpreter.can(state, effect)
            if obstacle is not None:
                stopped.add(obstacle.rule)
        in_reach = services_in_reach(state, state.seat)
        for stack in range(SERVICES):
            assert (obstacles.of_service(state, stack) is None) == (stack in in_reach)
    assert {"BA-I1", "BA-M2", "BA-P1"} <= stopped
