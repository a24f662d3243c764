"""The tuned figures of the architect name what they belong to, in the order in which they are used."""

from __future__ import annotations

from random import Random

import pytest

from boardgamesbot.games.barcelona.building import TOP, track_points
from boardgamesbot.games.barcelona.moves import parts
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.players.architect import judge, prospect, weights
from boardgamesbot.players.architect.ahead import drawn, played_on
from boardgamesbot.players.architect.swift import Swift
from boardgamesbot.players.barcelona_quick import Quick
from boardgamesbot.players.barcelona_worth import Outlook
from tests.support.barcelona import new_game


def test_every_price_and_weight_has_its_name_and_place() -> None:
    assert tuple(name for name, _ in weights._PRICES) == prospect.PRICES
    assert tuple(name for name, _, _ in weights._WEIGHTS) == judge.FEATURES
    assert weights.WEIGHTS[2:4] == weights._WEIGHTS[1][1:]


@pytest.mark.parametrize("expansion", [False, True])
def test_at_plain_prices_a_prospect_is_the_outlook_it_corrects(expansion: bool) -> None:
    state = played_on(new_game(3, seed=2, expansion=expansion), 7, weights.PRICES, 1)
    for seat in range(3):
        plain, outlook = prospect.Prospect(state, seat, prospect.PLAIN), Outlook(state, seat)
        assert plain.unit == pytest.approx(outlook.unit)
        assert plain.step == pytest.approx(outlook.step)
        assert plain.holdings(state) == pytest.approx(outlook.holdings(state))


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


def test_of_several_tries_the_turn_that_ends_best_is_played() -> None:
    state = played_on(new_game(2, seed=8), 6, weights.PRICES, 1)
    swift, seat, better = Swift(state, state.seat, weights.PRICES), state.seat, 0
    worth = [
        swift.prospect.position(end) + swift.sites.openings(end)
        for end in (Swift(state, seat, weights.PRICES).played(state.copy(), tries) for tries in (1, 4, 30))
    ]
    assert worth == sorted(worth)
    better += worth[2] > worth[0]
    assert better


def test_what_is_drawn_agrees_with_what_the_seat_saw() -> None:
    state = played_on(new_game(3, seed=6), 4, weights.PRICES, 1)
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
