"""What is so in every position of Barcelona: its books, its copies, and what is written down of it."""

from __future__ import annotations

from random import Random

from hypothesis import given

from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.view import BarcelonaView
from boardgamesbot.v1 import games_pb2
from tests.properties.support_barcelona import (
    CODEC,
    GAMES,
    MOVES_MADE,
    PLAYED,
    POSITIONS,
    Played,
    insides,
    readers,
    refusal_of,
    state_bytes,
    view_bytes,
)
from tests.support.barcelona import GAUDI, all_moves
from tests.support.barcelona_books import Ledger, check_books


def his_joy(state: BarcelonaState) -> int | None:
    """What the dice of Gaudí show, if he plays."""
    return state.joy[2 * GAUDI] if state.solo else None


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
        for move in all_moves()[::7]:
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
    def test_a_position_is_not_changed_by_what_is_done_to_its_message(self, game: Played, made: int) -> None:
        state = game.after(made)
        before = state_bytes(state)
        position = CODEC.state_to(state).barcelona.position
        position.options.Clear()
        for pieces in (
            position.board.intersections,
            position.board.sections,
            position.board.sites,
            position.display.sidewalk,
            position.passeig.hexagons,
        ):
            for piece in pieces:
                piece.Clear()
        CODEC.options_to(state.options).barcelona.Clear()
        assert state_bytes(state) == before

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
