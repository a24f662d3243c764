"""Gaudí's turn told step by step, each choice with its reason."""

from __future__ import annotations

import dataclasses
import re
from random import Random
from typing import Any

import pytest
from rich.markup import render

from boardgamesbot.games.barcelona import events as ev
from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.gaudi import actions, construct, effects, walks
from boardgamesbot.games.barcelona.gaudi import turn as gaudi_turn
from boardgamesbot.games.barcelona.gaudi.choosing import choose
from boardgamesbot.games.barcelona.gaudi.sentences import CHOICES
from boardgamesbot.games.barcelona.geometry import horizontal, vertical
from boardgamesbot.games.barcelona.state import BarcelonaState
from tests.unit.games.barcelona.support_words import EXPANSION, NAMES, SOLO, WORDS, at_decisions, new

CHOSEN = {
    ev.Matter.STREET: horizontal(1, 1),
    ev.Matter.PASSENGER: vertical(2, 3),
    ev.Matter.SITE: 3,
    ev.Matter.PEDESTRIAN: 1,
    ev.Matter.SERVICE: 3,
    ev.Matter.MODERNISME: 3,
    ev.Matter.PROJECT: 3,
}


def chose(matter: ev.Matter, criterion: ev.Criterion, number: int = 5, arrow: int = 7) -> str:
    chosen = CHOSEN.get(matter, 4)
    candidates = (chosen, *(range(chosen + 1, chosen + number)))
    return WORDS.event(ev.GaudiChose(1, matter, chosen, candidates, criterion, arrow), ("You", "Gaudí"))


@pytest.mark.parametrize("matter", ev.Matter)
def test_every_choice_of_gaudis_tells_its_reason_whatever_decided(matter: ev.Matter) -> None:
    said = {criterion: chose(matter, criterion) for criterion in ev.Criterion}
    assert len(set(said.values())) == len(said), "each reason is another"
    for criterion, text in said.items():
        assert text.startswith("Gaudí ")
        assert re.fullmatch(r"[^{}]+ \(BA-GA?\d+\)", text), text
        assert f"of 5 {CHOICES[matter].several}" in text or criterion is ev.Criterion.ONLY_ONE
        assert ("NW" in text) == (criterion is ev.Criterion.ARROW), "the arrow is named where it decides"
    assert "the only " in said[ev.Criterion.ONLY_ONE]


@pytest.mark.parametrize(
    ("matter", "criterion", "said"),
    [
        (
            ev.Matter.MEEPLE,
            ev.Criterion.ARROW,
            "moved the meeple to E1: of 5 empty intersections in reach, none is better, and it is first by the arrow "
            "NW, clockwise (BA-G5)",
        ),
        (
            ev.Matter.MEEPLE,
            ev.Criterion.NEAREST,
            "moved the meeple to E1: of 5 empty intersections in reach, none is beside the meeple, and it is nearest "
            "(BA-G5)",
        ),
        (
            ev.Matter.STREET,
            ev.Criterion.ARROW,
            "chose B2-C2 for a street: of 5 free sections, with points, icon and nearness equal, it is first by the "
            "arrow NW, clockwise (BA-GA4)",
        ),
        (
            ev.Matter.STREET,
            ev.Criterion.MOST_POINTS,
            "chose B2-C2 for a street: of 5 free sections, its run gives most points (BA-GA4)",
        ),
        (
            ev.Matter.SERVICE,
            ev.Criterion.LEFTMOST,
            "chose stack 4 of the Public Services: of 5 types not built yet, with points equal, it is leftmost "
            "(BA-GA1)",
        ),
        (
            ev.Matter.COBBLESTONE,
            ev.Criterion.ONLY_ONE,
            "chose space 5 of the Sidewalk, the only open space (BA-GA7)",
        ),
        (
            ev.Matter.SITE,
            ev.Criterion.COVERS_MARKER,
            "chose the upper corner of the block D1-E2 to build on: of 5 sites for the best building possible, with "
            "Building Bonus equal, it alone covers a marker of the other player (BA-G10)",
        ),
        (
            ev.Matter.CITIZEN,
            ev.Criterion.CLASS,
            "chose the citizen on E1: of 5 citizens that fit, with room on the track equal, it is of the lower class "
            "(BA-G11)",
        ),
        (
            ev.Matter.HEXAGON,
            ev.Criterion.ARROW,
            "chose hexagonal space 5 (4 points): of 5 free spaces, with points equal, it is first round the middle "
            "violet stone, then the left and the right one, from the arrow NW, clockwise (BA-G15)",
        ),
    ],
)
def test_a_choice_of_gaudis_says_what_was_equal_and_what_decided(
    matter: ev.Matter, criterion: ev.Criterion, said: str
) -> None:
    assert chose(matter, criterion) == f"Gaudí {said}"


def test_it_is_told_how_many_places_allow_the_best_building() -> None:
    chosen = ev.GaudiChose(1, ev.Matter.MEEPLE, 4, (4, 5, 6, 7), ev.Criterion.ARROW, 7, 3)
    assert WORDS.event(chosen, NAMES) == (
        f"{NAMES[1]} moved the meeple to E1: of 4 empty intersections in reach, 3 allow the best building, and it is "
        "first of these by the arrow NW, clockwise (BA-G5)"
    )
    alone = dataclasses.replace(chosen, criterion=ev.Criterion.BEST_BUILDING, allowing=1)
    assert "it alone allows the best building (BA-G5)" in WORDS.event(alone, NAMES)


def test_a_wide_street_names_its_own_rule() -> None:
    assert chose(ev.Matter.STREET, ev.Criterion.MOST_POINTS).endswith("(BA-GA4)")
    assert chose(ev.Matter.WIDE_STREET, ev.Criterion.MOST_POINTS).endswith("its run gives most points (BA-GA5)")


@pytest.mark.parametrize("expansion", ["NONE", "PASSEIG_DE_GRACIA"])
def test_the_priorities_that_are_told_are_those_he_goes_by(expansion: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the words call equal before the deciding one, and in which order, is what the engine looks at."""
    used: dict[ev.Matter, set[tuple[ev.Criterion, ...]]] = {}

    def spied(state: BarcelonaState, matter: ev.Matter, here: Any, priorities: Any, allowing: int = 0) -> int:
        priorities = list(priorities)
        used.setdefault(matter, set()).add(tuple(criterion for criterion, _ in priorities))
        return choose(state, matter, here, priorities, allowing)

    for module in (actions, construct, effects, gaudi_turn, walks):
        monkeypatch.setattr(module, "choose", spied)
    for seed in range(4):
        for _ in at_decisions(new(2, seed, expansion=expansion, solo="NORMAL", solo_actions="BOTH"), seed):
            pass
    meeple = used.pop(ev.Matter.MEEPLE)
    assert meeple <= {
        (ev.Criterion.BEST_BUILDING, ev.Criterion.ARROW),
        (ev.Criterion.NEAREST, ev.Criterion.ARROW),
    }
    for matter, orders in used.items():
        told = CHOICES[matter].order
        assert orders == {tuple(criterion for criterion in told if criterion is not ev.Criterion.LEFTMOST)}, matter
    expected = set(ev.Matter) - {ev.Matter.MEEPLE}
    if expansion == "NONE":
        expected -= {ev.Matter.HEXAGON, ev.Matter.PEDESTRIAN}
    assert expected - {ev.Matter.PEDESTRIAN} <= set(used)


def test_every_reason_for_points_has_words() -> None:
    for reason in ev.Reason:
        assert WORDS.event(ev.GaudiGained(1, 1, 3, reason), NAMES).endswith(", worth 3 points")
        assert WORDS.event(ev.Scored(1, 1, reason), NAMES)


def test_every_arrow_is_a_point_of_the_compass() -> None:
    arrows = [WORDS.event(ev.CardRevealed(1, 0, arrow), NAMES).split()[-1] for arrow in range(8)]
    assert arrows == ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]


def test_ba_g15_a_stone_of_gaudis_counts_no_violet_one() -> None:
    assert WORDS.event(ev.HexagonPlaced(1, 4, -1, 0), ("You", "Gaudí")) == (
        "Gaudí placed a hexagonal cobblestone on hexagonal space 5, for a resource instead of 4 points"
    )


@pytest.mark.parametrize("expansion", ["NONE", "PASSEIG_DE_GRACIA"])
def test_his_turn_is_told_as_a_list_of_steps(expansion: str) -> None:
    names = ("You", "Gaudí (Grey)")
    depths = set()
    for seed in range(3):
        state = new(2, seed, expansion=expansion, solo_actions="BOTH", **SOLO)
        while not state.is_over:
            his = state.actor == 1
            events = state.apply(moves.GAUDI) if his else state.apply(Random(seed).choice(state.legal_moves()))
            lines = WORDS.account(events, names)
            if not his:
                assert lines == [WORDS.event(event, names) for event in events]
                continue
            assert len(lines) == len(events)
            assert lines[0].startswith("Gaudí (Grey) turned up card ")
            for line, event in zip(lines, events, strict=True):
                depth = (len(line) - len(line.lstrip())) // 2
                depths.add(depth)
                told = WORDS.event(event, names)
                kept = told if not depth or told.startswith(("You ", "No ")) else told.removeprefix(f"{names[1]} ")
                assert line.startswith("  " * depth + kept), line
                if isinstance(event, ev.Placed | ev.Built | ev.GaudiActed):
                    assert depth == 1
                if isinstance(event, ev.StreetBuilt | ev.MarkerPlaced | ev.CitizenTracked):
                    assert depth == 2, "below the action, or below the building"
                if isinstance(event, ev.TurnBegan | ev.Ended):
                    assert depth == 0
    assert depths == {0, 1, 2}


def test_ba_g12_a_walk_by_his_card_says_why() -> None:
    names = ("You", "Gaudí")
    walked, acted = ev.Stepped(1, 0, 1), ev.GaudiActed(1, 6)
    lines = WORDS.account([ev.CardRevealed(1, 5, 0), ev.Placed(1, 0, 1, 3), walked, acted, walked], names)
    assert lines[2] == (
        "  walked the Barcelona Pedestrian to its first space: "
        "an action of the card is on Amenities of its side (BA-G12)"
    )
    assert lines[4] == "    walked the Barcelona Pedestrian to its first space"


def test_ba_g16_scorings_for_an_empty_bag_come_within_his_turn() -> None:
    names = ("You", "Gaudí")
    scored, ended = ev.CerdaScored(2, 5, (4, 2), (1, 3)), ev.EndBegan(bag_empty=True)
    chosen = ev.GaudiChose(1, ev.Matter.SITE, 3, (3,), ev.Criterion.ONLY_ONE, 0)
    built = ev.Built(1, 3, 3, (4, 8), (1, 3))
    card = ev.CardRevealed(1, 5, 0)
    within = WORDS.account([card, scored, ended, chosen, built], names)
    assert [len(line) - len(line.lstrip()) for line in within] == [0, 2, 2, 2, 2]
    after = WORDS.account([card, chosen, built, scored, ended], names)
    assert [len(line) - len(line.lstrip()) for line in after] == [0, 2, 2, 0, 0]


def test_the_points_of_an_owner_keep_the_name_in_his_turn() -> None:
    owner = ev.Scored(0, 2, ev.Reason.OWNER)
    lines = WORDS.account([ev.CardRevealed(1, 5, 0), ev.Placed(1, 0, 1, 3), owner], ("You", "Gaudí"))
    assert lines[-1] == "  You scored 2 points as owner of the Intersection"


def test_events_of_solo_games_are_said() -> None:
    matters = set()
    for options in ({}, EXPANSION):
        state = new(2, 8, **options, solo="HARD", solo_actions="BOTH")
        while not state.is_over:
            for event in state.apply(Random(2).choice(state.legal_moves())):
                said = WORDS.event(event, NAMES[:2])
                named = getattr(event, "seat", None)
                assert named is None or said.startswith(NAMES[named])
                assert render(said).plain == said
                if isinstance(event, ev.GaudiChose):
                    matters.add(event.matter)
    assert {ev.Matter.MEEPLE, ev.Matter.SITE, ev.Matter.CITIZEN, ev.Matter.STREET} <= matters
