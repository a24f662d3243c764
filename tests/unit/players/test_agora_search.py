"""The Agora AI: what it sees in positions that a person can judge, its tree, its budget, its thoughts."""

from __future__ import annotations

from random import Random

import pytest

from boardgamesbot.games.agora import moves
from boardgamesbot.games.agora.movements import Moved, Sighting
from boardgamesbot.games.agora.state import AgoraState, Phase
from boardgamesbot.games.base import Move
from boardgamesbot.players.agora_search.brain import AgoraSearch
from boardgamesbot.players.agora_search.evaluation import Eye
from boardgamesbot.players.agora_search.levels import ALL, FULL, Level
from boardgamesbot.players.agora_search.tree import Tree, key_of
from boardgamesbot.players.base import Budget, Notes, Thought
from boardgamesbot.players.registry import BOTS
from tests.support.agora import (
    BLUE,
    CIUTAT_VELLA,
    EIXAMPLE,
    GAME,
    GRACIA,
    GREEN,
    HORTA,
    LES_CORTS,
    NOU_BARRIS,
    RED,
    SANT_ANDREU,
    SANT_MARTI,
    SANTS,
    SARRIA,
    YELLOW,
    after_moves,
    position,
    square,
)

BRAIN = AgoraSearch(FULL)


def thoughts(state: AgoraState, iterations: int, notes: Notes | None = None, seed: int = 1) -> list[Thought]:
    assert state.actor is not None
    budget = Budget(iterations=iterations)
    return list(BRAIN.think(state.view(state.actor), Random(seed), budget, {} if notes is None else notes))


def last_walk() -> AgoraState:
    """Blue is the last to walk in the last turn, and wins only by bringing two walkers to Eixample.

    Without that Red has 27 points and Blue 20; with it Blue has Eixample's 10 on top, and Red them no more.
    """
    return position(
        Phase.FIRST_WALK,
        turn=12,
        fountain=RED,
        done=3,
        upright={
            EIXAMPLE: {RED: 4, BLUE: 3},
            GRACIA: {BLUE: 9, RED: 1},
            HORTA: {RED: 9},
            SANT_MARTI: {RED: 9},
            SARRIA: {YELLOW: 9},
            LES_CORTS: {GREEN: 9},
            NOU_BARRIS: {BLUE: 9, GREEN: 2},
            SANT_ANDREU: {BLUE: 9, YELLOW: 2},
            CIUTAT_VELLA: {YELLOW: 9},
            SANTS: {YELLOW: 7, BLUE: 4},
        },
    )


@pytest.mark.parametrize("level", [level for _, _, level in ALL if not level.overlooks])
def test_takes_the_walks_that_win_the_game(level: Level) -> None:
    state = last_walk()
    notes: Notes = {}
    for _ in range(2):
        assert state.actor == BLUE
        *_, thought = AgoraSearch(level).think(state.view(BLUE), Random(1), Budget(iterations=200), notes)
        state.play(thought.move)
    assert state.is_over
    assert state.winners() == [BLUE]
    assert state.scores()[BLUE] == 30


def test_knows_what_its_moves_lead_to_where_nothing_is_hidden() -> None:
    state = last_walk()
    best = thoughts(state, 300)[-1].candidates[0]
    state.play(best.move)
    second = thoughts(state, 300)[-1].candidates[0]
    state.play(second.move)
    assert second.win == 1.0
    assert second.points == state.scores()[BLUE]


def test_plays_the_square_that_wins_the_district() -> None:
    """Blue is last to play in the last turn and can have Eixample or strengthen what nobody contests."""
    to_win, for_nothing = square(EIXAMPLE, 5), square(NOU_BARRIS, 5)
    state = position(
        Phase.PLAY,
        turn=12,
        fountain=RED,
        done=3,
        upright={EIXAMPLE: {RED: 8, BLUE: 7}, NOU_BARRIS: {BLUE: 15}, HORTA: {YELLOW: 15}, SARRIA: {GREEN: 15}},
        hands=[[to_win, for_nothing], [], [], []],
    )
    legal = state.legal_moves()
    assert legal == sorted([moves.play(to_win), moves.play(for_nothing)])
    core = state.core
    eye = Eye(state.game.ruleset, 4)
    eye.look(core)
    worth = dict(zip(legal, eye.gauge(core, BLUE, legal), strict=True))
    assert worth[moves.play(to_win)] > worth[moves.play(for_nothing)] + 2


def test_hands_the_fountain_on_so_as_to_be_last_in_the_last_turn() -> None:
    """By habit it goes round to the left; whoever has it in the last turn but one will be last in the last."""
    state = after_moves(4, {}, seed=3, count=0)
    rng = Random(3)
    to: dict[int, int] = {}
    while not state.is_over:
        if state.phase == Phase.PASS_FOUNTAIN:
            left, legal = state.turns - state.turn, state.legal_moves()
            eye = Eye(state.game.ruleset, 4)
            eye.look(state.core)
            eye.win = [0.0] * 4
            worth = eye.gauge(state.core, state.fountain, legal)
            to[left] = (legal[worth.index(max(worth))] - moves.Kind.PASS_FOUNTAIN - state.fountain) % 4
        state.play(rng.choice(state.legal_moves()))
    assert to[1] == 1, "to the left: last in the last turn"
    assert to[3] == 3, "to the right, who will hand it back"


def test_a_look_sees_more_where_there_is_more() -> None:
    state = position(Phase.PLAY, turn=6, upright={EIXAMPLE: {BLUE: 5, RED: 2}, GRACIA: {GREEN: 1}})
    eye = Eye(state.game.ruleset, 4)
    eye.look(state.core)
    assert eye.expected[BLUE] > eye.expected[RED] > eye.expected[YELLOW]
    assert eye.win[BLUE] > eye.win[RED] > eye.win[YELLOW]
    assert sum(eye.expected) == pytest.approx(sum(state.game.ruleset.points))
    assert sum(eye.win) == pytest.approx(1)
    early = eye.expected[BLUE]
    late = position(Phase.PLAY, turn=12, upright={EIXAMPLE: {BLUE: 5, RED: 2}, GRACIA: {GREEN: 1}})
    eye.look(late.core)
    assert eye.expected[BLUE] > early, "a lead is worth more when there is less time to contest it"


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_look_is_kept_up_to_date_as_if_taken_anew(players: int) -> None:
    state = after_moves(players, {}, seed=5, count=40)
    rng, kept, anew = Random(1), Eye(state.game.ruleset, players), Eye(state.game.ruleset, players)
    checked = 0
    kept.look(state.core)
    while not state.is_over:
        seat, move = state.core.actor, rng.choice(state.legal_moves())
        turn = state.turn
        state.play(move)
        if moves.Kind.PLAY <= move < moves.Kind.DISCARD:
            kept.played(seat, move - moves.Kind.PLAY + 1)
        elif moves.Kind.WALK <= move < moves.Kind.DRAW:
            kept.walked(move - moves.Kind.WALK)
        else:
            kept.look(state.core)
        if state.turn != turn or state.is_over:
            kept.look(state.core)
            continue
        anew.look(state.core)
        kept.weigh()
        assert kept.expected == pytest.approx(anew.expected, rel=1e-6)
        assert kept.sums == pytest.approx(anew.sums, rel=1e-6)
        checked += 1
    assert checked > 20


def test_the_gauge_of_a_walk_is_what_the_walk_brings() -> None:
    state = after_moves(4, {}, seed=8, count=60)
    while state.phase != Phase.FIRST_WALK:
        state.play(state.legal_moves()[0])
    seat, eye = state.core.actor, Eye(state.game.ruleset, 4)
    eye.look(state.core)
    eye.win = [0.0] * 4
    legal = state.legal_moves()
    gauged = eye.gauge(state.core, seat, legal)
    before = eye.expected[seat]
    for move, worth in zip(legal, gauged, strict=True):
        after = Eye(state.game.ruleset, 4)
        core = state.core.copy()
        core.advance(move, state.chance)
        after.look(core)
        assert worth == pytest.approx(after.expected[seat] - before, abs=1e-6)


def test_orders_of_the_same_walks_lead_to_one_position() -> None:
    state = after_moves(4, {}, seed=8, count=60)
    while state.phase != Phase.FIRST_WALK:
        state.play(state.legal_moves()[0])
    first = state.legal_moves()[0]
    once = state.copy()
    once.play(first)
    second = next(move for move in once.legal_moves() if move in state.legal_moves())
    other = state.copy()
    other.play(second)
    assert key_of(once.core) != key_of(other.core)
    once.play(second)
    other.play(first)
    assert key_of(once.core) == key_of(other.core)


def test_the_same_again_for_the_same_seed_notes_and_iterations() -> None:
    state = after_moves(4, {}, seed=4, count=70)
    assert thoughts(state, 150) == thoughts(state, 150)
    assert thoughts(state, 150)[-1] != thoughts(state, 150, seed=2)[-1]


def test_thoughts_improve_and_the_last_is_the_answer() -> None:
    state = after_moves(4, {}, seed=4, count=70)
    found = thoughts(state, 600)
    assert [thought.iterations for thought in found] == sorted({thought.iterations for thought in found})
    assert 3 <= len(found) <= 6
    assert found[-1].iterations == 600
    for thought in found:
        assert thought.move == thought.candidates[0].move
        assert sum(candidate.visits for candidate in thought.candidates) == thought.iterations
        visits = [candidate.visits for candidate in thought.candidates]
        assert visits == sorted(visits, reverse=True)
        for candidate in thought.candidates:
            assert 0.0 <= candidate.win <= 1.0
            assert 0.0 <= candidate.points <= sum(state.game.ruleset.points)


class Clock:
    """Says that time is up after so many looks."""

    def __init__(self, looks: int) -> None:
        self.left = looks

    def over(self) -> bool:
        self.left -= 1
        return self.left < 0


def test_stops_when_time_is_up() -> None:
    state = after_moves(4, {}, seed=4, count=70)
    assert state.actor is not None
    view = state.view(state.actor)
    for looks in (0, 1, 20):
        clock = Clock(looks)
        *_, last = BRAIN.think(view, Random(1), Budget(over=clock.over), {})
        assert clock.left == -1, "it has not looked again after that"
        assert 1 <= last.iterations <= 1 + 16 * looks
        assert last.move in state.legal_moves()


def test_a_level_does_no_more_than_it_may_whatever_the_budget() -> None:
    state = after_moves(4, {}, seed=4, count=70)
    assert state.actor is not None
    for _, _, level in ALL[:3]:
        *_, last = AgoraSearch(level).think(state.view(state.actor), Random(1), Budget(iterations=5_000), {})
        assert last.iterations == level.iterations


def test_a_beginner_overlooks_most_moves() -> None:
    state = after_moves(4, {}, seed=8, count=60)
    while state.phase != Phase.FIRST_WALK:
        state.play(state.legal_moves()[0])
    assert state.actor is not None
    view, best, chosen = state.view(state.actor), thoughts(state, 300)[-1].move, set[Move]()
    for seed in range(20):
        chosen.add(BOTS["agora-beginner"].brains["agora"].choose(view, Random(seed)))
    assert len(chosen) > 8
    assert chosen != {best}


# The tree kept between decisions


def test_the_tree_is_kept_between_the_walks_of_a_turn() -> None:
    state = after_moves(4, {}, seed=8, count=60)
    while state.phase != Phase.FIRST_WALK:
        state.play(state.legal_moves()[0])
    notes: Notes = {}
    state.play(thoughts(state, 400, notes)[-1].move)
    with_notes, without = thoughts(state, 100, notes)[-1], thoughts(state, 100)[-1]
    visits = sum(candidate.visits for candidate in with_notes.candidates)
    assert visits > 150, "what was thought at the first walk counts at the second"
    assert sum(candidate.visits for candidate in without.candidates) == 100
    assert with_notes.iterations == without.iterations == 100


def test_the_tree_is_found_again_after_the_moves_of_others() -> None:
    """In the end of the game little else can happen than what was thought of."""
    state = after_moves(3, {}, seed=2, count=0)
    rng = Random(2)
    while state.turn < state.turns or state.phase != Phase.FIRST_WALK:
        state.play(rng.choice(state.legal_moves()))
    seat = state.core.actor
    notes: Notes = {}
    for _ in range(2):
        state.play(thoughts(state, 100, notes)[-1].move)
    tree = next(iter(notes.values()))
    assert isinstance(tree, Tree)
    assert state.core.actor != seat
    assert tree.node(state.core) is not None
    before = len(tree)
    tree.begin(state.core)
    assert 0 < len(tree) < before, "what can't come up any more is forgotten"


def test_notes_of_another_seat_or_none_do_no_harm() -> None:
    state = after_moves(4, {}, seed=4, count=70)
    notes: Notes = {}
    first = thoughts(state, 60, notes)[-1]
    seat = state.actor
    state.play(first.move)
    while state.actor == seat:
        state.play(state.legal_moves()[0])
    other = thoughts(state, 60, notes)[-1]
    assert other == thoughts(state, 60)[-1]
    notes.clear()
    assert thoughts(state, 60, notes)[-1] == other


def test_squares_held_only_in_the_worlds_of_an_earlier_thought_are_not_played() -> None:
    """Before a turn begins a seat can't know what it will hold then, and what it thinks of is kept."""
    hands = [[square(EIXAMPLE, value) for value in (2, 4, 5)], [square(GRACIA, value) for value in (2, 4, 5)]]
    notes: Notes = {}
    for hand in hands:
        state = position(Phase.PLAY, turn=12, done=3, fountain=RED, hands=[hand, [], [], []])
        view, budget = state.view(BLUE), Budget(iterations=30)
        object.__setattr__(view, "sightings", tuple(_dealt(number) for number in hand))
        *_, thought = BRAIN.think(view, Random(1), budget, notes)
        assert {candidate.move for candidate in thought.candidates} <= {moves.play(number) for number in hand}
        assert thought.move in view.legal_moves()


def _dealt(number: int) -> Sighting:
    return Sighting(Moved.DEALT, BLUE, -1, GAME.ruleset.district_of[number], number)


def test_levels_of_the_registry_are_in_order() -> None:
    levels = [bot for bot in BOTS.values() if bot.id.partition("-")[0] == "agora"]
    assert [bot.id for bot in levels] == ["agora-beginner", "agora-easy", "agora-medium", "agora-hard", "agora"]
    assert [bot.level for bot in levels] == ["beginner", "easy", "medium", "hard", "full"]
    assert levels[-1].seconds == 0.25
    iterations = [level.iterations for _, _, level in ALL]
    assert iterations == sorted(set(iterations))
