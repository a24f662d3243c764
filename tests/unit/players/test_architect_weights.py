"""The tuned figures of the architect name what they belong to, in the order in which they are used."""

from __future__ import annotations

from random import Random

import pytest

from boardgamesbot.games.barcelona.building import TOP, track_points
from boardgamesbot.games.barcelona.moves import parts
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.base import Move
from boardgamesbot.players.architect import judge, prospect, weights
from boardgamesbot.players.architect.ahead import drawn, played_on
from boardgamesbot.players.architect.swift import Swift, in_turn
from boardgamesbot.players.barcelona_quick import Quick
from boardgamesbot.players.barcelona_worth import Outlook
from tests.support.barcelona import new_game


def test_every_price_and_weight_has_its_name_and_place() -> None:
    assert tuple(name for name, _ in weights._PRICES) == prospect.PRICES
    assert tuple(name for name, _, _ in weights._WEIGHTS) == judge.FEATURES
    assert weights.WEIGHTS[2:4] == weights._WEIGHTS[1][1:]


@pytest.mark.parametrize("expansion", [False, True])
def test_at_plain_prices_a_prospect_is_the_outlook_it_corrects(expansion: bool) -> None:
    state = played_on(new_game(3, seed=2, expansion=expansion), 7, [weights.PRICES] * 3, 1)
    for seat in range(3):
        plain, outlook = prospect.Prospect(state, seat, prospect.PLAIN), Outlook(state, seat)
        assert plain.unit == pytest.approx(outlook.unit)
        assert plain.step == pytest.approx(outlook.step)
        assert plain.holdings(state) == pytest.approx(outlook.holdings(state))


def test_a_storage_is_worth_at_plain_prices_what_the_outlook_says_however_often_it_is_asked() -> None:
    state = played_on(new_game(2, seed=2), 5, [weights.PRICES] * 2, 1)
    plain, outlook = prospect.Prospect(state, 0, prospect.PLAIN), Outlook(state, 0)
    for _ in range(2):
        for room in range(4, 11):
            for coins in range(-4, 13):
                for cloth in range(-4, 13):
                    assert plain.stored(coins, cloth, room) == outlook.stored(coins, cloth, room)


def test_the_prices_of_scorings_and_projects_count_in_positions() -> None:
    state = played_on(new_game(2, seed=2), 14, [weights.PRICES] * 2, 1)
    half = [*prospect.PLAIN]
    half[prospect.FACTORS.index("cerda")] = half[prospect.FACTORS.index("projects")] = 0.5
    plain, halved = prospect.Prospect(state, 0, prospect.PLAIN), prospect.Prospect(state, 0, half)
    assert plain.scorings(state, 1) > 0
    assert halved.scorings(state, 1) == pytest.approx(plain.scorings(state, 1) / 2)
    assert halved.position(state) < plain.position(state)


def test_a_swift_player_sees_the_points_of_the_track() -> None:
    state, seen = new_game(2, seed=4), 0
    while state.actor is not None:
        if state.task[0] == Do.BUILD and len(state.legal) > 1:
            swift = Swift(state, state.seat, prospect.PLAIN)
            quick = Quick(prospect.Prospect(state, state.seat, prospect.PLAIN), state)
            for move, told, blind in zip(state.legal, swift.rate(state), quick.rate(state), strict=True):
                after, made = state.copy(), parts(move)
                around = state.ruleset.city.sites[made.what].around
                for bit, intersection in enumerate(around):
                    if made.using >> bit & 1:
                        citizen = state.citizens[intersection] & TOP
                        if after.track[citizen - 1] < 18:
                            after.track[citizen - 1] += 1
                assert told - blind == pytest.approx(track_points(after))
                seen += 1
        state.advance(Swift(state, state.seat, weights.PRICES).pick(state))
    assert seen > 20


def worth(swift: Swift, end: BarcelonaState) -> float:
    """What the end of a turn is worth to a swift player."""
    return swift.prospect.position(end) + swift.sites.openings(end)


def test_of_several_tries_the_turn_that_ends_best_is_played() -> None:
    better = 0
    for turns in range(3, 9):
        state = played_on(new_game(2, seed=8), turns, [weights.PRICES] * 2, 1)
        swift = Swift(state, state.seat, weights.PRICES)
        ends = [worth(swift, swift.played(state.copy(), tries)) for tries in (1, 4, 30)]
        assert ends[0] <= ends[1]
        better += ends[2] > ends[0]
    assert better > 2


def test_later_decisions_are_tried_too_and_the_end_is_the_one_that_was_played_to() -> None:
    better = 0
    for turns in range(2, 12):
        state = played_on(new_game(2, seed=9), turns, [weights.PRICES] * 2, 1)
        swift = Swift(state, state.seat, weights.PRICES)
        rated = swift.rate(state)
        begun = [state.legal[i] for i in sorted(range(len(rated)), key=lambda i: -rated[i])[:4]]
        blind = []
        for move in begun:
            after = state.copy()
            after.advance(move)
            swift.finish(after)
            blind.append(worth(swift, after))
        end = swift.played(state, 4)
        assert all(getattr(state, name) == getattr(end, name) for name in ("vp", "streets", "markers", "coins", "seat"))
        assert worth(swift, end) >= max(blind)
        better += worth(swift, end) > max(blind)
    assert better > 2


def played_slowly(swift: Swift, state: BarcelonaState, tries: int) -> BarcelonaState:
    """What a turn of so many tries should come to, every position rated anew."""

    def promising(most: int) -> list[Move]:
        rated = swift.rate(state) if len(state.legal) > 1 else [0.0]
        return [state.legal[i] for i in sorted(range(len(rated)), key=lambda i: -rated[i])[:most]]

    def finished(move: Move) -> BarcelonaState:
        after = state.copy()
        after.advance(move)
        swift.finish(after)
        return after

    best: BarcelonaState | None = None
    most, kept, more = 0.0, 0, promising(tries)
    while more:
        for move in more:
            after = finished(move)
            if best is None or worth(swift, after) > most:
                best, most, kept = after, worth(swift, after), move
        state.advance(kept)
        more = promising(2) if in_turn(state, swift.seat) else []
        if more:
            kept, more = more[0], more[1:] or more
    assert best is not None
    return best


@pytest.mark.parametrize("expansion", [False, True])
def test_what_is_known_of_a_turn_that_was_tried_changes_nothing(expansion: bool) -> None:
    state = new_game(2, seed=12, expansion=expansion)
    for _ in range(10):
        slow = played_slowly(Swift(state, state.seat, weights.PRICES), state.copy(), 4)
        state = Swift(state, state.seat, weights.PRICES).played(state, 4)
        assert state.same_as(slow)


def test_each_seat_plays_on_at_its_own_prices() -> None:
    first, ours, theirs = new_game(2, seed=3).seat, weights.PRICES, prospect.PLAIN
    mixed = [ours if seat == first else theirs for seat in range(2)]
    played = {
        name: [played_on(new_game(2, seed=3), turns, prices, 1).citizens for turns in range(1, 7)]
        for name, prices in (("ours", [ours] * 2), ("mixed", mixed), ("theirs", [theirs] * 2))
    }
    assert played["ours"][0] == played["mixed"][0] != played["theirs"][0], "who is first goes by its own prices"
    assert played["mixed"] != played["ours"], "and the other by others"


def test_what_is_drawn_agrees_with_what_the_seat_saw() -> None:
    state = played_on(new_game(3, seed=6), 4, [weights.PRICES] * 3, 1)
    view = state.view(state.seat)
    end = view.position.copy()
    swift = Swift(end, end.seat, weights.PRICES)
    seat = end.seat
    end.advance(swift.pick(end))
    swift.finish(end)
    first, second = drawn(end, Random(1)), drawn(end, Random(2))
    for full in (first, second):
        assert full.citizens == end.citizens
        assert full.vp == end.vp
        assert 0 not in full.bag
        assert all(0 not in hand and len(hand) == 2 for hand in full.hands)
        assert -1 not in full.shown
        together = sorted(full.modernisme_stack + full.shown)
        assert len(set(together)) == len(together)
        assert full.seat != seat
        assert all(move in full.legal for move in full.legal_moves())
    assert first.hands != second.hands or first.bag != second.bag
    assert drawn(end, Random(1)).bag == first.bag
