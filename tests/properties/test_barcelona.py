"""What is so in every game of Barcelona, whatever the options, the players and their moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.events import (
    Criterion,
    DeckShuffled,
    Drew,
    GaudiChose,
    Matter,
    ModernismeShown,
    NowhereToPlace,
    Placed,
    TurnBegan,
)
from boardgamesbot.games.barcelona.moves import RANGE, Kind
from boardgamesbot.games.barcelona.play import ASKED
from boardgamesbot.games.barcelona.proto import BarcelonaCodec
from boardgamesbot.games.barcelona.state import FIELDS, BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.barcelona.view import BarcelonaView
from boardgamesbot.games.base import Event, IllegalMove, Malformed, Move, State, View
from boardgamesbot.games.chance import SEED_BYTES, ChanceStream
from boardgamesbot.v1 import games_pb2
from tests.support.barcelona import GAME, GAUDI, new_game, new_game_told
from tests.support.barcelona_books import Ledger, check_books

CODEC = BarcelonaCodec(GAME)


@dataclass(frozen=True)
class Played:
    """A game in which everybody moves by chance; `eager` players decline nothing that they need not."""

    players: int
    expansion: bool
    eager: bool
    seed: int
    solo: str = "NONE"
    solo_actions: str = "FIRST"

    def begin(self) -> tuple[BarcelonaState, list[Event]]:
        """The game before its first decision, and what happened until then."""
        options = {"solo": self.solo, "solo_actions": self.solo_actions}
        return new_game_told(self.players, seed=self.seed, expansion=self.expansion, options=options)

    def choose(self, state: BarcelonaState, rng: Random) -> Move:
        """One of the legal moves."""
        return rng.choice([move for move in state.legal_moves() if move != moves.STOP or not self.eager])

    def positions(self) -> Iterator[BarcelonaState]:
        """From the first decision to the end: one state that goes on changing."""
        state, rng = self.begin()[0], Random(self.seed)
        yield state
        while not state.is_over:
            state.apply(self.choose(state, rng))
            yield state

    def after(self, made: int) -> BarcelonaState:
        """The position after so many moves, or the last one of the game."""
        state, rng = self.begin()[0], Random(self.seed)
        for _ in range(made):
            if state.is_over:
                break
            state.apply(self.choose(state, rng))
        return state

    def events(self) -> list[Event]:
        """All that happens."""
        (state, events), rng = self.begin(), Random(self.seed)
        while not state.is_over:
            events += state.apply(self.choose(state, rng))
        return events


SEEDS = st.integers(0, 2**32 - 1)
DIFFICULTIES = ("EASY", "NORMAL", "HARD")
SOLO = st.builds(
    Played,
    st.just(2),
    st.booleans(),
    st.booleans(),
    SEEDS,
    st.sampled_from(DIFFICULTIES),
    st.sampled_from(("FIRST", "BOTH")),
)
PLAYED = st.one_of(st.builds(Played, st.integers(2, 4), st.booleans(), st.booleans(), SEEDS), SOLO)
MOVES_MADE = st.integers(0, 260)
GAMES = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
POSITIONS = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
LAST_ROUNDS = {2: 15, 3: 11, 4: 9}
"""When the bag has run out of citizens at the latest; see `test_ba_d2_ends_before_the_bag_could_give_more`."""
LAST_ROUND_ALONE = 16
"""The same against Gaudí; see `test_ba_g16_ends_before_the_bag_could_give_more_against_gaudi`."""


def is_a_move(number: int) -> bool:
    try:
        moves.parts(number)
    except Malformed:
        return False
    return True


ALL_MOVES = [number for number in range((max(Kind) + 1) * RANGE) if is_a_move(number)]


def insides(state: BarcelonaState) -> dict[str, str]:
    """What a state holds, that which is not written down because it follows from the rest included."""
    return {name: repr(getattr(state, name)) for name in FIELDS if name not in ("chance", "game")}


def seen(state: BarcelonaState, seat: int | None) -> tuple[dict[str, str], int | None, bool, list[Move]]:
    """All that a view of the state tells a seat."""
    view = state.view(seat)
    return insides(view.position), view.actor, view.undoable, view.legal_moves()


def state_bytes(state: State) -> bytes:
    return CODEC.state_to(state).SerializeToString(deterministic=True)


def view_bytes(view: View) -> bytes:
    return CODEC.view_to(view).SerializeToString(deterministic=True)


def event_bytes(events: list[Event]) -> list[bytes]:
    return [CODEC.event_to(event).SerializeToString(deterministic=True) for event in events]


def his_joy(state: BarcelonaState) -> int | None:
    """What the dice of Gaudí show, if he plays."""
    return state.joy[2 * GAUDI] if state.solo else None


def whole(state: BarcelonaState) -> BarcelonaState:
    """The state with chance that can be written down; a determinized one has none."""
    twin = state.copy()
    twin.chance = ChanceStream(bytes(SEED_BYTES))
    return twin


def readers(state: BarcelonaState) -> list[int | None]:
    return [None, *range(state.players)]


def received(state: BarcelonaState, seat: int | None) -> tuple[bytes, list[Move]]:
    """All that a seat is given of a position."""
    view = state.view(seat)
    return view_bytes(view), view.legal_moves()


def refusal_of(state: BarcelonaState, move: Move) -> IllegalMove | Malformed | None:
    try:
        state.check(move)
    except (IllegalMove, Malformed) as refusal:
        return refusal
    return None


class TestEveryPosition:
    @GAMES
    @given(PLAYED)
    def test_keeps_its_books(self, game: Played) -> None:
        for state in game.positions():
            check_books(state)

    @GAMES
    @given(PLAYED)
    def test_is_what_the_events_told(self, game: Played) -> None:
        state, events = game.begin()
        ledger, rng = Ledger(game.players, his_joy=his_joy(state)), Random(game.seed)
        ledger.read(events)
        ledger.check(state)
        while not state.is_over:
            ledger.read(state.apply(game.choose(state, rng)))
            ledger.check(state)
        assert len(set(ledger.turns)) == 1, "everybody had as many turns"
        ended = ledger.ended
        assert ended is not None
        for seat in range(game.players):
            final = ended.cobblestones[seat] + ended.passengers[seat] + ended.modernisme[seat] + ended.joy[seat]
            assert ended.points[seat] == ledger.vp[seat] + final
        assert list(ended.points) == state.scores()
        assert list(ended.winners) == state.winners()

    @POSITIONS
    @given(PLAYED, MOVES_MADE)
    def test_is_not_changed_by_what_is_done_to_a_copy(self, game: Played, made: int) -> None:
        state = game.after(made)
        before = insides(state)
        for move in state.legal_moves()[:30]:
            twin = state.copy()
            assert insides(twin) == before
            twin.apply(move)
            assert insides(twin) != before
            for _ in range(20):
                if twin.is_over:
                    break
                twin.apply(twin.legal_moves()[-1])
            assert insides(state) == before

    @GAMES
    @given(PLAYED)
    def test_stays_as_it_was_while_the_game_goes_on(self, game: Played) -> None:
        kept = [(state.copy(), insides(state)) for made, state in enumerate(game.positions()) if made % 15 == 0]
        for copy, inside in kept:
            assert insides(copy) == inside

    @POSITIONS
    @given(PLAYED, MOVES_MADE)
    def test_goes_on_the_same_as_its_copy(self, game: Played, made: int) -> None:
        state = game.after(made)
        twin, rng = state.copy(), Random(game.seed)
        for _ in range(40):
            if state.is_over:
                break
            move = game.choose(state, rng)
            assert twin.apply(move) == state.apply(move)
            assert insides(twin) == insides(state)

    @POSITIONS
    @given(PLAYED, MOVES_MADE)
    def test_is_reached_telling_nobody_too(self, game: Played, made: int) -> None:
        state = game.after(made)
        for move in state.legal_moves():
            told, untold = state.copy(), state.copy()
            told.apply(move)
            untold.advance(move)
            assert insides(told) == insides(untold)

    @POSITIONS
    @given(PLAYED, MOVES_MADE)
    def test_is_not_changed_by_questions(self, game: Played, made: int) -> None:
        state = game.after(made)
        before = insides(state)
        state.legal_moves().clear()
        state.scores()
        state.winners()
        for seat in readers(state):
            view = state.view(seat)
            view.legal_moves().clear()
            view.determinize(Random(1)).apply(state.legal_moves()[0]) if state.legal_moves() else None
        for move in ALL_MOVES[::7]:
            refusal_of(state, move)
        assert insides(state) == before


class TestWriting:
    @GAMES
    @given(PLAYED)
    def test_a_position_gives_the_same_bytes_at_every_decision(self, game: Played) -> None:
        for state in game.positions():
            written = state_bytes(state)
            read = CODEC.state_from(games_pb2.GameState.FromString(written))
            assert isinstance(read, BarcelonaState)
            assert state_bytes(read) == written
            assert insides(read) == insides(state)

    @POSITIONS
    @given(PLAYED, MOVES_MADE)
    def test_a_position_goes_on_the_same_after_being_written_down(self, game: Played, made: int) -> None:
        state = game.after(made)
        read = CODEC.state_from(games_pb2.GameState.FromString(state_bytes(state)))
        rng = Random(game.seed)
        for _ in range(40):
            if state.is_over:
                break
            move = game.choose(state, rng)
            assert read.apply(move) == state.apply(move)
        assert state_bytes(read) == state_bytes(state)

    @POSITIONS
    @given(PLAYED, MOVES_MADE)
    def test_a_view_is_read_as_it_was_written(self, game: Played, made: int) -> None:
        state = game.after(made)
        for seat in readers(state):
            view = state.view(seat)
            read = CODEC.view_from(games_pb2.GameView.FromString(view_bytes(view)))
            assert isinstance(read, BarcelonaView)
            assert view_bytes(read) == view_bytes(view)
            assert read.legal_moves() == view.legal_moves()
            assert view_bytes(read.determinize(Random(1)).view(seat)) == view_bytes(view)

    @GAMES
    @given(PLAYED)
    def test_moves_and_events_are_read_as_they_were_written(self, game: Played) -> None:
        state, events = game.begin()
        rng = Random(game.seed)
        while not state.is_over:
            for move in state.legal_moves():
                assert CODEC.move_from(CODEC.move_to(move)) == move
            events += state.apply(game.choose(state, rng))
        for event in events:
            for seat in readers(state):
                seen_by = event.seen_by(seat)
                assert CODEC.event_from(CODEC.event_to(seen_by)) == seen_by


class TestGames:
    @GAMES
    @given(PLAYED)
    def test_are_the_same_from_the_same_seed_and_moves(self, game: Played) -> None:
        first, told = game.begin()
        second, told_again = game.begin()
        assert told == told_again
        rng = Random(game.seed)
        while not first.is_over:
            move = game.choose(first, rng)
            assert first.apply(move) == second.apply(move)
        assert insides(first) == insides(second)

    @pytest.mark.parametrize("players", [2, 3, 4])
    @pytest.mark.parametrize("expansion", [False, True])
    def test_ba_d2_ends_before_the_bag_could_give_more(self, players: int, expansion: bool) -> None:
        """Every turn takes two citizens of the bag, and the first that finds fewer ends the game with its round."""
        bag = len(new_game(players, expansion=expansion).bag)
        assert bag == {2: 59, 3: 63, 4: 64}[players]
        turns = bag // 2 + 1
        assert -(-turns // players) == LAST_ROUNDS[players]
        for seed in range(60):
            assert Played(players, expansion, False, seed).after(1000).round <= LAST_ROUNDS[players]

    def test_reach_every_kind_of_decision(self) -> None:
        """What is said here of games by chance is said of all that can be asked."""
        games = [Played(3, True, True, seed) for seed in range(20)] + [Played(2, True, True, 1, solo="EASY")]
        asked = Counter(state.task[0] for game in games for state in game.positions() if state.tasks)
        assert set(asked) == set(ASKED)
        assert min(asked.values()) > 5

    @GAMES
    @given(PLAYED)
    def test_end_with_their_round_when_nobody_builds_either(self, game: Played) -> None:
        """The first of the legal moves: everything that may be declined is, and the bag runs out."""
        state = game.begin()[0]
        rounds = 1
        while not state.is_over:
            for event in state.apply(state.legal_moves()[0]):
                rounds = event.round if isinstance(event, TurnBegan) else rounds
            check_books(state)
        assert rounds <= (LAST_ROUNDS[game.players] if game.solo == "NONE" else LAST_ROUND_ALONE)

    @pytest.mark.parametrize("expansion", [False, True])
    def test_ba_g16_ends_before_the_bag_could_give_more_against_gaudi(self, expansion: bool) -> None:
        """A round takes four citizens of the bag, but for a last one that finds fewer."""
        bag = len(new_game(expansion=expansion, options={"solo": "EASY"}).bag)
        assert bag == 61
        assert bag // 4 + 1 == LAST_ROUND_ALONE
        for seed in range(60):
            assert Played(2, expansion, False, seed, "HARD").after(1000).round <= LAST_ROUND_ALONE


class TestLegality:
    @POSITIONS
    @given(PLAYED, MOVES_MADE)
    def test_is_the_same_asked_either_way(self, game: Played, made: int) -> None:
        state = game.after(made)
        legal = set(state.legal_moves())
        for move in ALL_MOVES:
            refused = refusal_of(state, move)
            assert (refused is None) == (move in legal), moves.parts(move)
            if refused is not None:
                assert isinstance(refused, IllegalMove)
                assert GAME.rules[refused.rule.id] is refused.rule
                assert refused.reason

    @settings(max_examples=300, deadline=None)
    @given(st.one_of(st.integers(-5000, 100_000), st.integers()))
    def test_of_numbers_that_mean_nothing(self, number: int) -> None:
        refused = refusal_of(new_game(), number)
        assert isinstance(refused, Malformed) == (not is_a_move(number))

    @GAMES
    @given(PLAYED)
    def test_every_legal_move_can_be_made(self, game: Played) -> None:
        """Whatever is on the list is taken by `check` and leads to a position that keeps its books."""
        for number, state in enumerate(game.positions()):
            for move in state.legal_moves()[number % 5 :: 5]:
                twin = state.copy()
                twin.play(move)
                check_books(twin)


REVEALING = (Placed, NowhereToPlace, Drew, ModernismeShown)


class TestUndo:
    @GAMES
    @given(PLAYED)
    def test_takes_back_what_revealed_nothing_while_the_seat_decides(self, game: Played) -> None:
        state, rng = game.begin()[0], Random(game.seed)
        assert not state.undoable
        while not state.is_over:
            seat = state.actor
            events = state.apply(game.choose(state, rng))
            revealed = any(isinstance(event, REVEALING) for event in events)
            assert state.undoable == (not revealed and state.actor == seat)
            assert all(state.view(reader).undoable == state.undoable for reader in readers(state))


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


MOST_TILES_A_TURN = 4
"""More Modernisme tiles than Gaudí can come to take in a turn: by his card, a Public Service, a Sagrada tile."""


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


class TestGaudi:
    @GAMES
    @given(SOLO)
    def test_is_the_same_to_the_byte_from_the_same_seed_and_moves(self, game: Played) -> None:
        (first, _), (second, _) = game.begin(), game.begin()
        rng = Random(game.seed)
        while not first.is_over:
            move = game.choose(first, rng)
            assert event_bytes(first.apply(move)) == event_bytes(second.apply(move))
            assert state_bytes(first) == state_bytes(second)

    @GAMES
    @given(SOLO)
    def test_draws_on_nothing_but_his_deck_the_bag_the_stack_and_chance(self, game: Played) -> None:
        """Whatever is hidden and not drawn in his turn may be anything: all that happens stays the same."""
        rng = Random(game.seed)
        for state in game.positions():
            if state.is_over or state.task[0] != Do.GAUDI:
                continue
            truth, other = state.copy(), state.copy()
            other.bag = [*shuffled(state.bag[:-2], rng), *state.bag[-2:]]
            if state.bag[:-2] and state.hands[0]:
                other.bag[0], other.hands[0][0] = other.hands[0][0], other.bag[0]
            other.deck[:-2] = shuffled(state.deck[:-2], rng)
            other.modernisme_stack[:-MOST_TILES_A_TURN] = shuffled(state.modernisme_stack[:-MOST_TILES_A_TURN], rng)
            if len(state.deck) > 1:
                other.chance = ChanceStream(rng.randbytes(SEED_BYTES))
            (move,) = state.legal_moves()
            assert event_bytes(truth.apply(move)) == event_bytes(other.apply(move))
            for seat in (None, GAUDI):
                assert received(truth, seat)[0] == received(other, seat)[0]

    @GAMES
    @given(SOLO)
    def test_uses_chance_for_nothing_but_a_used_up_deck(self, game: Played) -> None:
        state, rng = game.begin()[0], Random(game.seed)
        while not state.is_over:
            before, last = drawn_from(state), state.task[0] == Do.GAUDI and len(state.deck) == 1
            events = state.apply(game.choose(state, rng))
            assert any(isinstance(event, DeckShuffled) for event in events) == last
            assert (drawn_from(state) > before) == last

    @GAMES
    @given(SOLO)
    def test_has_one_move_a_turn_and_explains_each_choice(self, game: Played) -> None:
        """A choice is one of its candidates under the arrow in sight; one of a single candidate needed no priority."""
        state, rng = game.begin()[0], Random(game.seed)
        turns = 0
        while not state.is_over:
            his = state.actor == GAUDI
            if his:
                assert state.legal_moves() == [moves.GAUDI]
            events = state.apply(game.choose(state, rng))
            choices = [event for event in events if isinstance(event, GaudiChose)]
            assert his or not choices
            if not his:
                continue
            turns += 1
            arrow = GAME.ruleset.gaudi.cards[state.deck[-1]].arrow
            for chosen in choices:
                assert chosen.seat == GAUDI
                assert chosen.chosen in chosen.candidates
                assert len(set(chosen.candidates)) == len(chosen.candidates)
                assert chosen.arrow == arrow
                assert (chosen.criterion is Criterion.ONLY_ONE) == (len(chosen.candidates) == 1)
        assert turns == state.round, "as many turns as the person"

    def test_chooses_in_every_matter_and_by_every_priority(self) -> None:
        """What is said here of his choices is said of all of them."""
        seen = Counter[Matter | Criterion]()
        for seed in range(40):
            for event in Played(2, True, True, seed, "NORMAL", "BOTH").events():
                if isinstance(event, GaudiChose):
                    seen.update([event.matter, event.criterion])
        assert {*seen} == {*Matter, *Criterion}


def drawn_from(state: BarcelonaState) -> int:
    """How many numbers of the stream of chance were used."""
    assert isinstance(state.chance, ChanceStream)
    return state.chance.position


def shuffled(pile: list[int], rng: Random) -> list[int]:
    return rng.sample(pile, len(pile))
