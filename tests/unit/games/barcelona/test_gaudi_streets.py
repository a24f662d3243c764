"""Solo against Gaudí: streets, the stacks they come from, passengers (BA-G7, BA-GA4, BA-GA5, BA-GA8, BA-GA9).

In a city where all sections but a few have a tile, each of those few completes a street of four: their runs are worth
the same, and the next priorities decide.
"""

from __future__ import annotations

import pytest

from boardgamesbot.games.barcelona import geometry
from boardgamesbot.games.barcelona.events import (
    Advanced,
    Criterion,
    GaudiChose,
    GaudiGained,
    Matter,
    PassengerPlaced,
    Pieces,
    Reason,
    Scored,
    StackEmptied,
    StreetBuilt,
    Track,
    TramMoved,
)
from boardgamesbot.games.base import Event
from tests.support.barcelona import (
    GAUDI,
    NARROW,
    RULESET,
    SAGRADA,
    WIDE,
    alone,
    choice,
    choices,
    everywhere,
    gained,
    gaudi_action,
    gaudi_effect,
    node,
    pave,
    resources,
    ride,
    scored,
    section,
)

BOTH_KINDS = pytest.mark.parametrize(("name", "kind"), [("NARROW", NARROW), ("WIDE", WIDE)])


def section_name(number: int) -> str:
    return "-".join("ABCDE"[end % 5] + "12345"[end // 5] for end in geometry.ends(number))


def laid(made: GaudiChose) -> tuple[str, Criterion]:
    assert made.chosen in made.candidates
    return section_name(made.chosen), made.criterion


def first(events: list[Event]) -> tuple[str, Criterion]:
    """Where his first street tile went, and what decided."""
    made = (choices(events, Matter.STREET) + choices(events, Matter.WIDE_STREET))[0]
    assert gained(events, StreetBuilt)[0].section == made.chosen
    return laid(made)


# BA-GA4, BA-GA5: where


@BOTH_KINDS
def test_ba_ga4_most_points_of_the_run_before_the_icon(name: str, kind: int) -> None:
    """Beside the person's tile on A1-A2 a tile makes a run of two; the icon there is cloth, elsewhere Cerdà steps."""
    state = alone()
    pave(state, 0, NARROW, "A1-A2")
    assert first(gaudi_action(state, name)) == ("A2-A3", Criterion.MOST_POINTS)


def test_ba_ga5_a_wide_street_by_the_same_priorities() -> None:
    """Joining two runs makes one of three."""
    state = alone(meeple="E5")
    pave(state, 0, WIDE, "A1-A2", "A3-A4")
    events = gaudi_action(state, "WIDE")
    assert first(events) == ("A2-A3", Criterion.MOST_POINTS)
    assert scored(events, Reason.RUN, GAUDI) == 6


@BOTH_KINDS
def test_ba_ga4_points_of_the_icon_do_not_count_as_points_of_the_run(name: str, kind: int) -> None:
    """In an empty city all runs are equal, so Cerdà steps decide, not the two points printed elsewhere."""
    assert first(gaudi_action(alone(arrow="E"), name))[0] == "C3-D3"


@BOTH_KINDS
def test_ba_ga4_cerda_steps_before_coins_before_nearness(name: str, kind: int) -> None:
    state = alone(meeple="E1", arrow="S")
    everywhere(state, "A4-B4", "E1-E2")  # Cerdà steps far off, coins beside him
    assert first(gaudi_action(state, name)) == ("A4-B4", Criterion.ICON)


@BOTH_KINDS
def test_ba_ga4_cerda_steps_before_points_before_nearness(name: str, kind: int) -> None:
    state = alone(meeple="E5", arrow="N")
    everywhere(state, "B2-B3", "E4-E5")
    assert first(gaudi_action(state, name)) == ("B2-B3", Criterion.ICON)


@BOTH_KINDS
@pytest.mark.parametrize("far", ["A1-B1", "A2-A3"])
def test_ba_ga4_coins_or_cloth_before_points_before_nearness(name: str, kind: int, far: str) -> None:
    state = alone(meeple="E5", arrow="N")
    everywhere(state, far, "E4-E5")
    assert first(gaudi_action(state, name)) == (far, Criterion.ICON)


@BOTH_KINDS
@pytest.mark.parametrize(
    ("meeple", "near", "far", "arrow"), [("E4", "E3-E4", "A1-B1", "NW"), ("E1", "E1-E2", "A2-A3", "SW")]
)
def test_ba_ga4_coins_and_cloth_are_alike_and_the_nearest_is_before_the_arrow(
    name: str, kind: int, meeple: str, near: str, far: str, arrow: str
) -> None:
    """Cloth near and coins far, then the other way round; the arrow points at the far one."""
    state = alone(meeple=meeple, arrow=arrow)
    everywhere(state, near, far)
    assert first(gaudi_action(state, name)) == (near, Criterion.NEAREST)


def test_ba_ga4_nearness_is_that_of_the_nearer_end() -> None:
    """Both have an end one step from C3; the other end of C1-C2 is two steps away. North is C1-C2."""
    state = alone(arrow="N")
    everywhere(state, "C1-C2", "B3-B4")
    assert first(gaudi_action(state, "WIDE")) == ("C1-C2", Criterion.ARROW)


def test_ba_ga4_nearness_is_that_of_a_king() -> None:
    """D4 is one diagonal step from C3, C5 two straight ones. The arrow points to B5-C5."""
    state = alone(arrow="SW")
    everywhere(state, "D4-E4", "B5-C5")
    assert first(gaudi_action(state, "WIDE")) == ("D4-E4", Criterion.NEAREST)


@pytest.mark.parametrize(("arrow", "expected"), [("E", "C3-D3"), ("N", "C3-D3"), ("SE", "C3-C4"), ("S", "C3-C4")])
def test_ba_ga4_of_equals_by_the_arrow(arrow: str, expected: str) -> None:
    """The two Cerdà icons at C3 lie east and south."""
    events = gaudi_action(alone(arrow=arrow), "WIDE")
    assert first(events) == (expected, Criterion.ARROW)
    assert len(choice(events, Matter.WIDE_STREET).candidates) == 40


def test_ba_ga4_by_the_arrow_from_his_meeple() -> None:
    """Cloth north and east of A3; seen from the middle of the city the one in the west would come before northwest."""
    state = alone(meeple="A3", arrow="N")
    everywhere(state, "A2-A3", "A3-B3")
    assert first(gaudi_action(state, "WIDE")) == ("A2-A3", Criterion.ARROW)


def test_ba_ga4_of_equals_in_one_direction_the_higher_one() -> None:
    """Northeast of C3, one step away, coins or cloth: the middle of D1-D2 is higher, that of C2-D2 further left."""
    state = alone(arrow="NE")
    everywhere(state, "D1-D2", "C2-D2")
    assert first(gaudi_action(state, "WIDE")) == ("D1-D2", Criterion.ARROW)


def test_ba_ga4_then_the_one_further_left() -> None:
    state = alone(meeple="C5", arrow="NE")
    everywhere(state, "D1-D2", "E1-E2")
    assert first(gaudi_action(state, "WIDE")) == ("D1-D2", Criterion.ARROW)


def test_ba_ga4_the_only_free_section() -> None:
    state = alone()
    everywhere(state, "D5-E5")
    assert first(gaudi_action(state, "NARROW")) == ("D5-E5", Criterion.ONLY_ONE)


def test_ba_ga4_the_second_one_counts_the_first() -> None:
    """C3-D3 first; then either neighbour in its street makes two, and a coin is before two points."""
    events = gaudi_action(alone(arrow="E"), "NARROW")
    assert [laid(made) for made in choices(events, Matter.STREET)] == [
        ("C3-D3", Criterion.ARROW),
        ("B3-C3", Criterion.ICON),
    ]
    assert [event.points for event in gained(events, Scored) if event.reason is Reason.RUN] == [1, 2]


def test_ba_ga4_the_first_is_done_with_all_it_brings_before_the_second() -> None:
    state = alone("NORMAL", arrow="E")
    state.narrow[GAUDI] = [1, 0, 0, 3]
    events = gaudi_action(state, "NARROW")
    assert [event for event in events if not isinstance(event, GaudiChose)] == [
        StreetBuilt(GAUDI, section("C3-D3"), NARROW, 0),
        Advanced(GAUDI, Track.CERDA, 1, 3, Reason.ICON),
        Scored(GAUDI, 1, Reason.RUN),
        StackEmptied(GAUDI, Pieces.NARROW, 0),
        GaudiGained(GAUDI, 1, 2, Reason.STACK),
        StreetBuilt(GAUDI, section("B3-C3"), NARROW, 3),
        GaudiGained(GAUDI, 1, 2, Reason.ICON),
        Scored(GAUDI, 2, Reason.RUN),
    ]


def test_ba_ga5_one_wide_street_is_worth_two_a_tile() -> None:
    state = alone(arrow="E")
    events = gaudi_action(state, "WIDE")
    assert len(gained(events, StreetBuilt)) == 1
    assert scored(events, Reason.RUN, GAUDI) == 2
    assert state.streets[section("C3-D3")] == WIDE
    assert state.street_owners[section("C3-D3")] == GAUDI


# BA-G7: stacks


@BOTH_KINDS
def test_ba_g7_from_the_leftmost_stack_that_has_a_tile(name: str, kind: int) -> None:
    state = alone()
    (state.narrow if kind == NARROW else state.wide)[GAUDI][:] = [0, 2, 2, 3][: 4 if kind == NARROW else 3]
    (built,) = gained(gaudi_action(state, name), StreetBuilt)[:1]
    assert (built.stack, built.kind) == (1, kind)


@pytest.mark.parametrize(
    ("kind", "stacks", "stack", "reward"),
    [
        (NARROW, [1, 2, 3, 3], 0, GaudiGained(GAUDI, 1, 1, Reason.STACK)),
        (NARROW, [0, 1, 3, 3], 1, GaudiGained(GAUDI, 1, 1, Reason.STACK)),
        (NARROW, [0, 0, 1, 3], 2, Advanced(GAUDI, Track.CERDA, 1, 4, Reason.STACK)),
        (NARROW, [0, 0, 0, 1], 3, Scored(GAUDI, 4, Reason.STACK)),
        (WIDE, [1, 2, 2], 0, GaudiGained(GAUDI, 1, 1, Reason.STACK)),
        (WIDE, [0, 1, 2], 1, Advanced(GAUDI, Track.SAGRADA, 1, 1, Reason.STACK)),
        (WIDE, [0, 0, 1], 2, Scored(GAUDI, 4, Reason.STACK)),
    ],
)
def test_ba_g7_the_reward_of_an_emptied_stack_after_the_points_of_the_run(
    kind: int, stacks: list[int], stack: int, reward: Event
) -> None:
    state = alone(arrow="E")
    (state.narrow if kind == NARROW else state.wide)[GAUDI] = stacks
    events = gaudi_action(state, "NARROW" if kind == NARROW else "WIDE")
    pieces = Pieces.NARROW if kind == NARROW else Pieces.WIDE
    emptied = events.index(StackEmptied(GAUDI, pieces, stack))
    assert events[emptied - 1 : emptied + 2] == [
        Scored(GAUDI, kind, Reason.RUN),
        StackEmptied(GAUDI, pieces, stack),
        reward,
    ]


@BOTH_KINDS
def test_ba_g7_no_reward_while_the_stack_has_tiles(name: str, kind: int) -> None:
    state = alone()
    (state.narrow if kind == NARROW else state.wide)[GAUDI][:] = [3] * (4 if kind == NARROW else 3)
    assert gained(gaudi_action(state, name), StackEmptied) == []


# BA-GA9


@pytest.mark.parametrize(
    ("wide", "narrow", "built"), [([1, 2, 2], [2, 2, 3, 3], [WIDE]), ([0, 0, 0], [2, 2, 3, 3], [NARROW, NARROW])]
)
def test_ba_ga9_a_wide_street_if_he_has_one(wide: list[int], narrow: list[int], built: list[int]) -> None:
    state = alone()
    state.wide[GAUDI], state.narrow[GAUDI] = wide, narrow
    events = gaudi_effect(state, RULESET.sagrada_tiles[SAGRADA["S2D"]].effect, Reason.SAGRADA)
    assert [event.kind for event in gained(events, StreetBuilt)] == built
    assert resources(events) == []


def test_ba_ga9_with_neither_he_misses_two_narrow_streets() -> None:
    state = alone()
    state.wide[GAUDI], state.narrow[GAUDI] = [0, 0, 0], [0, 0, 0, 0]
    events = gaudi_effect(state, RULESET.sagrada_tiles[SAGRADA["S2D"]].effect, Reason.SAGRADA)
    assert resources(events) == [1, 1]


# BA-GA8: passengers


def placed(events: list[Event]) -> tuple[str, Criterion]:
    made = choice(events, Matter.PASSENGER)
    assert gained(events, PassengerPlaced) == [PassengerPlaced(GAUDI, made.chosen)]
    return laid(made)


def test_ba_ga8_the_nearest_before_his_own_street() -> None:
    """One section at C3 has no passenger. His own streets are a step away."""
    state = alone(arrow="NE")
    ride(state, 0, "C2-C3", "C3-D3", "B3-C3")
    pave(state, GAUDI, WIDE, "D2-E2", "C2-D2")
    events = gaudi_action(state, "TRAM")
    assert placed(events) == ("C3-C4", Criterion.NEAREST)
    assert state.passengers[section("C3-C4")] == GAUDI
    assert state.passengers_placed == [3, 1]


def test_ba_ga8_his_own_street_before_anothers_and_the_arrow() -> None:
    """His narrow tile is worth 1, the person's run of wide ones would be worth 6. The arrow points at that."""
    state = alone(arrow="S")
    pave(state, GAUDI, NARROW, "B3-C3")
    pave(state, 0, WIDE, "C3-C4", "C4-C5", "C2-C3")
    assert placed(gaudi_action(state, "TRAM")) == ("B3-C3", Criterion.STREET)


def test_ba_ga8_of_his_own_the_best_run_before_the_arrow() -> None:
    """North a narrow tile, south a wide one, in one run of two: worth 2 and 4."""
    state = alone(arrow="N")
    pave(state, GAUDI, NARROW, "C2-C3")
    pave(state, GAUDI, WIDE, "C3-C4")
    events = gaudi_action(state, "TRAM")
    assert placed(events) == ("C3-C4", Criterion.STREET)
    assert scored(events, Reason.RUN, GAUDI) == 4


def test_ba_ga8_of_his_own_with_equal_runs_by_the_arrow() -> None:
    state = alone(arrow="SE")
    pave(state, GAUDI, NARROW, "B3-C3", "C3-C4")
    assert placed(gaudi_action(state, "TRAM")) == ("C3-C4", Criterion.ARROW)


def test_ba_ga8_anothers_street_before_a_bare_section_and_the_arrow() -> None:
    state = alone(arrow="S")
    pave(state, 0, NARROW, "B3-C3")
    assert placed(gaudi_action(state, "TRAM")) == ("B3-C3", Criterion.STREET)


def test_ba_ga8_the_run_of_anothers_street_does_not_matter() -> None:
    state = alone(arrow="W")
    pave(state, 0, NARROW, "B3-C3")
    pave(state, 0, WIDE, "C3-C4", "C4-C5")
    assert placed(gaudi_action(state, "TRAM")) == ("B3-C3", Criterion.ARROW)


@pytest.mark.parametrize(
    ("arrow", "expected"), [("N", "C2-C3"), ("NE", "C3-D3"), ("E", "C3-D3"), ("S", "C3-C4"), ("SW", "B3-C3")]
)
def test_ba_ga8_of_bare_ones_by_the_arrow(arrow: str, expected: str) -> None:
    events = gaudi_action(alone(arrow=arrow), "TRAM")
    assert placed(events) == (expected, Criterion.ARROW)
    assert len(choice(events, Matter.PASSENGER).candidates) == 40


def test_ba_ga8_by_the_arrow_from_his_meeple() -> None:
    assert placed(gaudi_action(alone(meeple="A1", arrow="S"), "TRAM")) == ("A1-A2", Criterion.ARROW)


def test_ba_ga8_of_equals_in_one_direction_the_higher_one() -> None:
    """Two free sections northeast of C3, both one step away."""
    state = alone(arrow="NE")
    state.passengers = [0] * 40
    for name in ("D1-D2", "C2-D2"):
        state.passengers[section(name)] = -1
    assert placed(gaudi_action(state, "TRAM")) == ("D1-D2", Criterion.ARROW)


def test_ba_ga8_elsewhere_the_nearest_if_none_is_free_at_his_meeple() -> None:
    """D4 is one step of a king away, C5 two; the arrow points there."""
    state = alone(arrow="SW")
    state.passengers = [0] * 40
    for name in ("D4-E4", "B5-C5"):
        state.passengers[section(name)] = -1
    assert placed(gaudi_action(state, "TRAM")) == ("D4-E4", Criterion.NEAREST)


def test_ba_ga8_his_own_passenger_is_one_too() -> None:
    state = alone(arrow="N")
    ride(state, GAUDI, "C2-C3")
    assert placed(gaudi_action(state, "TRAM")) == ("C3-D3", Criterion.ARROW)


def test_ba_ga8_his_own_run_again_then_a_resource_for_the_streets_action() -> None:
    """C3-C4 shows Cerdà steps, which it does not bring again."""
    state = alone("HARD")
    pave(state, GAUDI, WIDE, "C3-C4")
    pave(state, 0, NARROW, "C4-C5")
    assert gaudi_action(state, "TRAM")[1:] == [
        PassengerPlaced(GAUDI, section("C3-C4")),
        Scored(GAUDI, 4, Reason.RUN),
        GaudiGained(GAUDI, 1, 3, Reason.INSTEAD),
    ]


@pytest.mark.parametrize("owner", [None, 0])
def test_ba_ga8_no_points_on_a_street_that_is_not_his(owner: int | None) -> None:
    state = alone("HARD", arrow="S")
    if owner is not None:
        pave(state, owner, WIDE, "C3-C4")
    assert gaudi_action(state, "TRAM")[1:] == [
        PassengerPlaced(GAUDI, section("C3-C4")),
        GaudiGained(GAUDI, 1, 3, Reason.INSTEAD),
    ]


@pytest.mark.parametrize("word", ["tram", "tram free"])
def test_ba_ga8_he_has_no_tram_in_the_city(word: str) -> None:
    state = alone()
    events = gaudi_effect(state, node(word))
    assert gained(events, TramMoved) == []
    assert state.trams[GAUDI] == -1
    assert state.passengers_placed[GAUDI] == 1
