"""What is so in every game of Agora, whatever the options, the players and their moves."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boardgamesbot.games.agora import moves
from boardgamesbot.games.agora.movements import Log, Moved
from boardgamesbot.games.agora.ruleset import DISTRICTS, SQUARES
from boardgamesbot.games.agora.state import AgoraState, Phase
from boardgamesbot.games.agora.view import AgoraView
from boardgamesbot.games.base import Event, IllegalMove, Malformed, Move, State, View
from boardgamesbot.v1 import games_pb2
from tests.properties.slow_agora import SlowAgora, tied_districts
from tests.support.agora import (
    ALL_OPTIONS,
    CODEC,
    GAME,
    after_moves,
    game_by_chance,
    position,
)

PLAYERS = st.integers(3, 5)
OPTIONS = st.sampled_from(ALL_OPTIONS)
SEEDS = st.integers(0, 2**32 - 1)
MOVES_MADE = st.integers(0, 235)
GAMES = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
POSITIONS = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def state_bytes(state: State) -> bytes:
    return CODEC.state_to(state).SerializeToString(deterministic=True)


def view_bytes(view: View) -> bytes:
    return CODEC.view_to(view).SerializeToString(deterministic=True)


def event_bytes(events: list[Event], seat: int | None) -> list[bytes]:
    return [CODEC.event_to(event.seen_by(seat)).SerializeToString(deterministic=True) for event in events]


def insides(state: AgoraState) -> dict[str, str]:
    """What a state holds, that which is not written down because it follows from the rest included."""
    core = state.core
    core.legal()
    return {name: repr(value) for name in dir(core) if name[:2] != "__" and not callable(value := getattr(core, name))}


def readers(state: AgoraState) -> list[int | None]:
    return [None, *range(state.players)]


def whole(state: AgoraState) -> AgoraState:
    """The state with chance that can be written down; a determinized one has none."""
    twin = state.copy()
    twin.chance = position(Phase.PLAY).chance
    return twin


class TestEveryPosition:
    @GAMES
    @given(PLAYERS, OPTIONS, SEEDS)
    def test_keeps_its_books(self, players: int, options: dict[str, str], seed: int) -> None:
        setup = GAME.ruleset.setup(players)
        for state in game_by_chance(players, options, seed):
            spent = [m.square for m in state.movements if m.kind in (Moved.PLAYED, Moved.DISCARDED)]
            held = [number for hand in state.hands for number in hand]
            everywhere = [*state.removed, *spent, *held, *state.piles[0], *state.piles[1]]
            assert sorted(everywhere) == list(range(1, SQUARES + 1))
            assert len(state.removed) == setup.removed
            assert state.total == [up + down for up, down in zip(state.upright, state.lying, strict=True)]
            assert min(state.upright) >= 0
            assert min(state.lying) >= 0
            for seat in range(players):
                assert state.supply[seat] + sum(state.total[seat::players]) == setup.walkers
                assert state.supply[seat] >= 0
            if state.phase != Phase.SECOND_WALK:
                assert tied_districts(state.total, players) == []
            assert state.is_over == (state.actor is None)
        assert len(spent) == setup.turns * players
        assert state.turn == setup.turns

    @GAMES
    @given(PLAYERS, OPTIONS, SEEDS)
    def test_survives_being_written_down(self, players: int, options: dict[str, str], seed: int) -> None:
        for number, state in enumerate(game_by_chance(players, options, seed)):
            if number % 7 and not state.is_over:
                continue
            written = state_bytes(state)
            read = CODEC.state_from(games_pb2.GameState.FromString(written))
            assert state_bytes(read) == written
            assert read.legal_moves() == state.legal_moves()

    @POSITIONS
    @given(PLAYERS, OPTIONS, SEEDS, MOVES_MADE)
    def test_goes_on_the_same_after_being_written_down(
        self, players: int, options: dict[str, str], seed: int, made: int
    ) -> None:
        state = after_moves(players, options, seed, made)
        read = CODEC.state_from(games_pb2.GameState.FromString(state_bytes(state)))
        rng = Random(seed)
        for _ in range(12):
            if state.is_over:
                break
            move = rng.choice(state.legal_moves())
            assert read.apply(move) == state.apply(move)
        assert state_bytes(read) == state_bytes(state)

    @POSITIONS
    @given(PLAYERS, OPTIONS, SEEDS, MOVES_MADE)
    def test_is_written_down_as_if_nothing_of_it_had_been_before(
        self, players: int, options: dict[str, str], seed: int, made: int
    ) -> None:
        state = after_moves(players, options, seed, made)
        state_bytes(state)
        for move in state.legal_moves()[:10]:
            twin = state.copy()
            twin.apply(move)
            anew = twin.copy()
            anew.movements = Log(twin.movements)
            assert state_bytes(twin) == state_bytes(anew)

    @POSITIONS
    @given(PLAYERS, OPTIONS, SEEDS, MOVES_MADE)
    def test_is_not_changed_by_what_is_done_to_its_message(
        self, players: int, options: dict[str, str], seed: int, made: int
    ) -> None:
        state = after_moves(players, options, seed, made)
        before = state_bytes(state)
        message = CODEC.state_to(state)
        message.agora.options.Clear()
        message.agora.upright[0] += 1
        message.agora.movements[0].Clear()
        CODEC.options_to(state.options).agora.Clear()
        assert state_bytes(state) == before

    @POSITIONS
    @given(PLAYERS, OPTIONS, SEEDS, MOVES_MADE)
    def test_is_not_changed_by_what_is_done_to_a_copy(
        self, players: int, options: dict[str, str], seed: int, made: int
    ) -> None:
        state = after_moves(players, options, seed, made)
        before, inside = state_bytes(state), insides(state)
        for move in state.legal_moves()[:30]:
            twin = state.copy()
            assert state_bytes(twin) == before
            twin.apply(move)
            assert state_bytes(twin) != before
            while not twin.is_over and twin.turn == state.turn:
                twin.apply(twin.legal_moves()[0])
            assert state_bytes(state) == before
            assert insides(state) == inside

    @POSITIONS
    @given(PLAYERS, OPTIONS, SEEDS, MOVES_MADE)
    def test_is_not_changed_by_questions(self, players: int, options: dict[str, str], seed: int, made: int) -> None:
        state = after_moves(players, options, seed, made)
        before = state_bytes(state)
        state.legal_moves()
        state.scores()
        state.winners()
        state.view(0).determinize(Random(1))
        for move in range(0, 905, 3):
            refusal_of(state, move)
        assert state_bytes(state) == before


def refusal_of(state: State, move: Move) -> IllegalMove | Malformed | None:
    try:
        state.check(move)
    except (IllegalMove, Malformed) as refusal:
        return refusal
    return None


class TestLegality:
    @POSITIONS
    @given(PLAYERS, OPTIONS, SEEDS, MOVES_MADE)
    def test_is_what_trying_everything_shows(self, players: int, options: dict[str, str], seed: int, made: int) -> None:
        state = after_moves(players, options, seed, made)
        assert state.legal_moves() == SlowAgora.like(state.core).legal()

    @POSITIONS
    @given(PLAYERS, OPTIONS, SEEDS, MOVES_MADE)
    def test_is_the_same_asked_either_way(self, players: int, options: dict[str, str], seed: int, made: int) -> None:
        state = after_moves(players, options, seed, made)
        legal = state.legal_moves()
        assert legal == sorted(set(legal))
        assert bool(legal) != state.is_over
        for move in range(-1, 910):
            refused = refusal_of(state, move)
            assert (refused is None) == (move in legal), move
            if isinstance(refused, IllegalMove):
                assert refused.rule.id in GAME.rules
                assert refused.reason

    @settings(max_examples=250, deadline=None)
    @given(st.data(), PLAYERS, st.booleans())
    def test_of_walks_on_any_board_without_a_shared_lead(self, data: st.DataObject, players: int, last: bool) -> None:
        """Boards that random games seldom reach: few walkers, many of them lying, leads of one."""
        counts = st.integers(0, 3)
        rows = st.lists(counts, min_size=players, max_size=players).filter(
            lambda row: max(row) == 0 or row.count(max(row)) == 1
        )
        used = data.draw(st.sets(st.integers(0, DISTRICTS - 1), min_size=1, max_size=5))
        board = {district: dict(enumerate(data.draw(rows))) for district in sorted(used)}
        lying = {
            district: {seat: data.draw(st.integers(0, walkers)) for seat, walkers in row.items()}
            for district, row in board.items()
        }
        upright = {d: {seat: board[d][seat] - lying[d][seat] for seat in board[d]} for d in board}
        turn = GAME.ruleset.setup(players).turns if last else 1
        state = position(Phase.FIRST_WALK, players=players, turn=turn, upright=upright, lying=lying)
        legal = state.legal_moves()
        assert legal == SlowAgora.like(state.core).legal()
        for move in legal:
            twin = state.copy()
            twin.apply(move)
            assert twin.legal_moves() == SlowAgora.like(twin.core).legal() != []


class TestViews:
    @GAMES
    @given(PLAYERS, OPTIONS, SEEDS)
    def test_agree_with_what_is_dealt_from_them(self, players: int, options: dict[str, str], seed: int) -> None:
        rng = Random(seed)
        for number, state in enumerate(game_by_chance(players, options, seed)):
            if number % 5 and not state.is_over:
                continue
            for seat in readers(state):
                view = state.view(seat)
                dealt = view.determinize(rng)
                assert view_bytes(dealt.view(seat)) == view_bytes(view)
                assert dealt.view(seat) == view
                # And it is a position that could be: one that a server would take.
                assert isinstance(dealt, AgoraState)
                CODEC.state_from(CODEC.state_to(whole(dealt)))

    @POSITIONS
    @given(PLAYERS, OPTIONS, SEEDS, MOVES_MADE)
    def test_survive_being_written_down(self, players: int, options: dict[str, str], seed: int, made: int) -> None:
        state = after_moves(players, options, seed, made)
        for seat in readers(state):
            view = state.view(seat)
            read = CODEC.view_from(games_pb2.GameView.FromString(view_bytes(view)))
            assert read == view
            assert view_bytes(read.determinize(Random(1)).view(seat)) == view_bytes(view)

    @POSITIONS
    @given(PLAYERS, OPTIONS, SEEDS, MOVES_MADE)
    def test_know_the_legal_moves(self, players: int, options: dict[str, str], seed: int, made: int) -> None:
        state = after_moves(players, options, seed, made)
        for seat in readers(state):
            assert state.view(seat).legal_moves() == (state.legal_moves() if seat == state.actor else [])

    @POSITIONS
    @given(PLAYERS, OPTIONS, SEEDS, MOVES_MADE)
    def test_claim_only_what_is_so(self, players: int, options: dict[str, str], seed: int, made: int) -> None:
        state = after_moves(players, options, seed, made)
        for seat in readers(state):
            memory = state.view(seat).memory
            for other in range(players):
                held = state.hands[other]
                assert sorted(k.back for k in memory.hands[other]) == sorted(state.back(n) for n in held)
                assert {k.square for k in memory.hands[other]} <= {0, *held}
                spent = [m for m in state.movements if m.seat == other]
                assert memory.played[other] == [m.square for m in spent if m.kind == Moved.PLAYED]
                discarded = [m.square for m in spent if m.kind == Moved.DISCARDED]
                assert [k.back for k in memory.discarded[other]] == [state.back(n) for n in discarded]
                assert all(k.square in (0, n) for k, n in zip(memory.discarded[other], discarded, strict=True))

    @POSITIONS
    @given(PLAYERS, OPTIONS, SEEDS, MOVES_MADE)
    def test_and_events_do_not_depend_on_what_a_seat_can_not_know(
        self, players: int, options: dict[str, str], seed: int, made: int
    ) -> None:
        """Swap two hidden squares and play on: all that reaches the seat stays the same, until it sees one of them."""
        state, rng = after_moves(players, options, seed, made), Random(seed)
        for seat in readers(state):
            pair = hidden_pair(state, seat, rng)
            if pair is None:
                continue
            truth, other = state.copy(), swapped(state, pair)
            assert view_bytes(other.view(seat)) == view_bytes(truth.view(seat))
            for _ in range(30):
                theirs = {swapped_move(move, pair): move for move in other.legal_moves()}
                shared = [move for move in truth.legal_moves() if move in theirs]
                if truth.actor == seat:
                    assert truth.legal_moves() == other.legal_moves()
                if truth.is_over or not shared:
                    break
                move = rng.choice(shared)
                seen = [event.seen_by(seat) for event in truth.apply(move)]
                seen_there = [event.seen_by(seat) for event in other.apply(swapped_move(move, pair))]
                if any(getattr(event, "square", 0) in pair for event in seen):
                    break
                assert event_bytes(seen, seat) == event_bytes(seen_there, seat)
                assert view_bytes(truth.view(seat)) == view_bytes(other.view(seat))


def hidden_pair(state: AgoraState, seat: int | None, rng: Random) -> tuple[int, int] | None:
    """Two squares that the seat never saw and can't tell apart; None if there are none."""
    seen = {seen.square for seen in state.view(seat).sightings}
    alike: dict[int, list[int]] = {}
    for number in range(1, SQUARES + 1):
        if number not in seen:
            alike.setdefault(state.back(number), []).append(number)
    groups = [numbers for numbers in alike.values() if len(numbers) > 1]
    if not groups:
        return None
    first, second = rng.sample(rng.choice(groups), 2)
    return first, second


def swapped(state: AgoraState, pair: tuple[int, int]) -> AgoraState:
    """The state in which two squares have changed places from the beginning."""
    twin = state.copy()
    other = {pair[0]: pair[1], pair[1]: pair[0]}
    twin.core.hands = [[other.get(n, n) for n in hand] for hand in state.hands]
    twin.core.piles = [[other.get(n, n) for n in pile] for pile in state.piles]
    twin.core.removed = [other.get(n, n) for n in state.removed]
    twin.movements = Log(moved._replace(square=other.get(moved.square, moved.square)) for moved in state.movements)
    return twin


def swapped_move(move: Move, pair: tuple[int, int]) -> Move:
    """The same move where two squares have changed places."""
    made = moves.parts(move)
    if made.kind in (moves.Kind.PLAY, moves.Kind.DISCARD) and made.what in pair:
        return made.kind + sum(pair) - made.what - 1
    return move


@pytest.mark.parametrize("options", ALL_OPTIONS)
def test_dealing_reaches_the_truth(options: dict[str, str]) -> None:
    """No deal that agrees with a view is ruled out: the hand that is really there comes up, too."""
    state = after_moves(3, options, 5, 170)
    seat = 0
    view = state.view(seat)
    assert isinstance(view, AgoraView)
    rng = Random(1)
    dealt = [view.determinize(rng) for _ in range(1500)]
    target = [sorted(hand) for hand in state.hands]
    for other in range(1, 3):
        assert any(sorted(d.hands[other]) == target[other] for d in dealt)
