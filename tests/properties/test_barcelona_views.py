"""What is so in every view of Barcelona: what it tells, what it hides, and what is dealt from it."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import pytest
from hypothesis import given

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.events import Drew
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.barcelona.view import BarcelonaView
from boardgamesbot.games.base import Move
from boardgamesbot.games.chance import SEED_BYTES, ChanceStream
from tests.properties.support_barcelona import (
    CODEC,
    GAMES,
    MOST_TILES_A_TURN,
    MOVES_MADE,
    PLAYED,
    POSITIONS,
    Played,
    event_bytes,
    insides,
    readers,
    received,
    seen,
    view_bytes,
)
from tests.support.barcelona import GAUDI, new_game
from tests.support.barcelona_books import check_books


@dataclass
class Hidden:
    """A place where a piece lies that a seat does not see: a list of the state, and where in it."""

    what: str
    index: int
    seat: int = 0

    def pile(self, state: BarcelonaState) -> list[int]:
        match self.what:
            case "hand":
                return state.hands[self.seat]
            case "bag":
                return state.bag
            case "deck":
                return state.deck
        return state.modernisme_stack


def hidden_places(state: BarcelonaState, seat: int | None) -> tuple[list[Hidden], list[Hidden], list[Hidden]]:
    """Where the citizens, the Modernisme tiles and the cards of Gaudí lie that a seat does not know."""
    citizens = [
        Hidden("hand", i, other)
        for other in range(state.players)
        if other != seat
        for i in range(len(state.hands[other]))
    ]
    citizens += [Hidden("bag", i) for i in range(len(state.bag))]
    tiles = [Hidden("stack", i) for i in range(len(state.modernisme_stack))]
    return citizens, tiles, [Hidden("deck", i) for i in range(len(state.deck) - 1)]


def hidden(state: BarcelonaState) -> list[object]:
    """All that somebody does not see."""
    return [state.hands, state.bag, state.modernisme_stack, state.deck]


def swapped(state: BarcelonaState, seat: int | None, rng: Random) -> BarcelonaState | None:
    """A state that the seat can't tell from this one: two different pieces it does not see have changed places."""
    citizens, tiles, cards = hidden_places(state, seat)
    near = [place for place in citizens if place.what == "hand" or place.index >= len(state.bag) - 6]
    for _ in range(20):
        places = rng.choice([citizens, citizens, tiles, cards or citizens])
        if len(places) < 2:
            continue
        first = rng.choice(near if places is citizens and near else places)
        second = rng.choice(places)
        twin = state.copy()
        one, two = first.pile(twin), second.pile(twin)
        one[first.index], two[second.index] = two[second.index], one[first.index]
        if hidden(twin) != hidden(state):
            twin.legal = []
            twin.settle()
            return twin
    return None


def drawn_by_gaudi(state: BarcelonaState) -> list[list[int]]:
    """What a turn of Gaudí's may turn up: his card and the arrow below, his citizens, the next Modernisme tiles."""
    return [state.deck[-2:], state.bag[-2:], state.modernisme_stack[-MOST_TILES_A_TURN:]]


def reveals(truth: BarcelonaState, other: BarcelonaState, move: Move) -> bool:
    """Whether a move turns up, for everybody, something in which two states differ."""
    match truth.task[0]:
        case Do.PLACE:
            return truth.hands[truth.seat] != other.hands[other.seat]
        case Do.MODERNISME:
            return move != moves.STOP and truth.modernisme_stack[-1:] != other.modernisme_stack[-1:]
        case Do.GAUDI:
            return drawn_by_gaudi(truth) != drawn_by_gaudi(other)
    return False


def whole(state: BarcelonaState) -> BarcelonaState:
    """The state with chance that can be written down; a determinized one has none."""
    twin = state.copy()
    twin.chance = ChanceStream(bytes(SEED_BYTES))
    return twin


class TestViews:
    @POSITIONS
    @given(PLAYED, MOVES_MADE)
    def test_and_events_do_not_depend_on_what_a_seat_can_not_know(self, game: Played, made: int) -> None:
        """Swap two hidden pieces and play on: all that reaches the seat stays the same, until it sees one of them."""
        state, rng = game.after(made), Random(game.seed)
        for seat in readers(state):
            other = swapped(state, seat, rng)
            if other is None:
                continue
            truth = state.copy()
            assert seen(truth, seat) == seen(other, seat)
            assert received(truth, seat) == received(other, seat)
            for _ in range(60):
                if truth.is_over:
                    break
                move = game.choose(truth, rng)
                if reveals(truth, other, move):
                    break
                assert truth.legal_moves() == other.legal_moves()
                events = [event.seen_by(seat) for event in truth.apply(move)]
                events_there = [event.seen_by(seat) for event in other.apply(move)]
                if seat is not None and truth.hands[seat] != other.hands[seat]:
                    break
                assert event_bytes(events) == event_bytes(events_there)
                assert received(truth, seat) == received(other, seat)
            assert truth.is_over == other.is_over

    @POSITIONS
    @given(PLAYED, MOVES_MADE)
    def test_hide_the_other_hands_the_bag_and_the_stack(self, game: Played, made: int) -> None:
        state = game.after(made)
        for seat in readers(state):
            position = state.view(seat).position
            assert position.hands == [hand if own == seat else [0] * len(hand) for own, hand in enumerate(state.hands)]
            assert position.bag == [0] * len(state.bag)
            assert position.modernisme_stack == [-1] * len(state.modernisme_stack)
            assert position.deck == [-1] * (len(state.deck) - 1) + state.deck[-1:], "but the arrow on top is in sight"
            assert position.discards == state.discards
            with pytest.raises(LookupError):
                position.chance.below(2)

    @POSITIONS
    @given(PLAYED, MOVES_MADE)
    def test_know_the_legal_moves(self, game: Played, made: int) -> None:
        state = game.after(made)
        for seat in readers(state):
            assert state.view(seat).legal_moves() == (state.legal_moves() if seat == state.actor else [])

    @POSITIONS
    @given(PLAYED, MOVES_MADE)
    def test_name_what_is_unseen_and_nothing_else(self, game: Played, made: int) -> None:
        state = game.after(made)
        for seat in readers(state):
            view = state.view(seat)
            others = [citizen for own, hand in enumerate(state.hands) if own != seat for citizen in hand]
            assert view.unseen_citizens() == sorted([*state.bag, *others])
            assert view.unseen_modernisme() == sorted(state.modernisme_stack)
            assert view.unseen_cards() == sorted(state.deck[:-1])

    @GAMES
    @given(PLAYED)
    def test_agree_with_what_is_dealt_from_them(self, game: Played) -> None:
        rng = Random(game.seed)
        for number, state in enumerate(game.positions()):
            if number % 9 and not state.is_over:
                continue
            for seat in readers(state):
                view = state.view(seat)
                before = insides(view.position)
                dealt = view.determinize(rng)
                assert seen(dealt, seat) == seen(state, seat)
                assert view_bytes(dealt.view(seat)) == view_bytes(view)
                # And it is a position that could be: one that a server would take.
                CODEC.state_from(CODEC.state_to(whole(dealt)))
                assert insides(view.position) == before
                check_books(dealt)
                if seat == state.actor:
                    assert dealt.legal_moves() == state.legal_moves()

    @GAMES
    @given(PLAYED, MOVES_MADE)
    def test_what_is_dealt_can_be_played_to_the_end(self, game: Played, made: int) -> None:
        state, rng = game.after(made), Random(game.seed)
        dealt = state.view(rng.choice(readers(state))).determinize(rng)
        while not dealt.is_over:
            dealt.advance(game.choose(dealt, rng))
        check_books(dealt)

    @POSITIONS
    @given(PLAYED)
    def test_of_events_hide_the_citizens_that_others_draw(self, game: Played) -> None:
        drawn = [event for event in game.events() if isinstance(event, Drew)]
        for event in drawn:
            assert event.seen_by(event.seat) == event
            for seat in {None, *range(game.players)} - {event.seat}:
                assert event.seen_by(seat) == Drew(event.seat, (0,) * len(event.citizens))
        assert len(drawn) > game.players
        his = [event for event in drawn if game.solo != "NONE" and event.seat == GAUDI]
        assert all(event.citizens == () for event in his), "he places what he draws, so only too empty a bag is told"


@pytest.mark.parametrize("expansion", [False, True])
def test_dealing_reaches_the_truth(expansion: bool) -> None:
    """No deal that agrees with a view is ruled out: the hands that are really there come up, too."""
    state = new_game(3, seed=5, expansion=expansion)
    view, rng = state.view(0), Random(1)
    assert isinstance(view, BarcelonaView)
    dealt = [view.determinize(rng) for _ in range(300)]
    for other in (1, 2):
        assert any(sorted(d.hands[other]) == sorted(state.hands[other]) for d in dealt)
        assert len({tuple(sorted(d.hands[other])) for d in dealt}) > 3
    assert len({tuple(d.modernisme_stack) for d in dealt}) > 100
    assert len({tuple(d.bag) for d in dealt}) > 100
    assert dealt[0].deck == []


def test_dealing_reaches_gaudis_cards() -> None:
    """Below the arrow in sight they may come in any order."""
    state = new_game(seed=5, options={"solo": "EASY"})
    view, rng = state.view(0), Random(1)
    assert isinstance(view, BarcelonaView)
    dealt = [view.determinize(rng) for _ in range(300)]
    assert {d.deck[-1] for d in dealt} == {state.deck[-1]}
    assert len({tuple(d.deck) for d in dealt}) > 250
    assert {d.deck[-2] for d in dealt} == set(range(8)) - {state.deck[-1]}
