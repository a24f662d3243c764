"""The fast rules of Agora against the plain ones, and what is kept up to date against what is worked out anew."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boardgamesbot.games.agora.core import OVER, Core, Phase
from boardgamesbot.games.agora.ruleset import DISTRICTS
from boardgamesbot.games.chance import SEED_BYTES, ChanceStream, FastChance
from tests.properties.slow_agora import SlowAgora
from tests.support.agora import ALL_OPTIONS, GAME, after_moves, position

PLAYERS = st.integers(3, 5)
OPTIONS = st.sampled_from(ALL_OPTIONS)
SEEDS = st.integers(0, 2**32 - 1)
POSITION = (
    "turn",
    "turns",
    "phase",
    "done",
    "fountain",
    "first_walk",
    "upright",
    "total",
    "supply",
    "hands",
    "piles",
    "removed",
)
KEPT = ("_most", "_leaders", "_runners", "_ties", "_up", "_leave", "_enter")


def inside(core: Core | SlowAgora, names: tuple[str, ...] = POSITION) -> dict[str, object]:
    return {name: getattr(core, name) for name in names}


def kept_anew(core: Core) -> dict[str, object]:
    twin = core.copy()
    twin.settle()
    return inside(twin, KEPT)


def chance_of(seed: int) -> ChanceStream:
    return ChanceStream(Random(seed).randbytes(SEED_BYTES))


@settings(max_examples=24, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(PLAYERS, OPTIONS, SEEDS)
def test_a_game_goes_as_by_the_plain_rules(players: int, options: dict[str, str], seed: int) -> None:
    core, chance = Core(GAME.board, players, options), chance_of(seed)
    slow, slow_chance = SlowAgora(players, options), chance_of(seed)
    core.deal(chance)
    slow.deal(slow_chance)
    rng = Random(seed)
    while not core.is_over:
        assert inside(core) == inside(slow)
        assert inside(core, KEPT) == kept_anew(core)
        legal = core.legal()
        assert legal == slow.legal()
        assert core.actor == slow.seat
        move = rng.choice(legal)
        core.advance(move, chance)
        slow.advance(move, slow_chance)
        assert core.scores() == slow.scores()
        assert core.winners() == slow.winners()
        assert chance.position == slow_chance.position
    assert inside(core) == inside(slow)
    assert (slow.phase, core.actor, core.legal()) == (Phase.OVER, -1, [])


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("is_last", [False, True])
@pytest.mark.parametrize("most", [1, 2, 4])
def test_walks_on_boards_of_all_kinds(players: int, is_last: bool, most: int) -> None:
    """Boards that games seldom reach: few walkers, narrow leads, many lying. Second walks of some first ones, too."""
    rng, chance = Random(players * 10 + most), FastChance(Random(0))
    for number in range(45):
        core = Core(GAME.board, players, ALL_OPTIONS[0])
        core.phase, core.done, core.turn = Phase.FIRST_WALK, rng.randrange(players), core.turns if is_last else 1
        for district in rng.sample(range(DISTRICTS), rng.randint(1, 4 + number % 7)):
            row = [0, 0]
            while (max(row) and row.count(max(row)) > 1) or len(row) < players:
                row = [rng.randint(0, most) for _ in range(players)]
            for seat, walkers in enumerate(row):
                core.total[district * players + seat] = walkers
                core.upright[district * players + seat] = rng.choice((walkers, rng.randint(0, walkers)))
        core.settle()
        legal = core.legal()
        assert legal == SlowAgora.like(core).legal()
        assert inside(core, KEPT) == kept_anew(core)
        for move in rng.sample(legal, min(6, len(legal))):
            after = core.copy()
            after.advance(move, chance)
            assert after.legal() == SlowAgora.like(after).legal() != []


@settings(max_examples=40, deadline=None)
@given(PLAYERS, OPTIONS, SEEDS, st.integers(0, 235))
def test_copies_and_assigned_positions_are_of_their_own(
    players: int, options: dict[str, str], seed: int, made: int
) -> None:
    core = after_moves(players, options, seed, made).core
    before, legal = repr(inside(core, POSITION + KEPT)), core.legal()
    assigned = Core(GAME.board, 3, ALL_OPTIONS[0])
    assigned.deal(FastChance(Random(1)))
    assigned.assign(core)
    for twin in (core.copy(), assigned):
        assert repr(inside(twin, POSITION + KEPT)) == before
        assert (twin.legal(), twin.players, twin.options) == (legal, players, options)
        twin.play_out(FastChance(Random(seed)))
        assert twin.is_over
        assert repr(inside(core, POSITION + KEPT)) == before
        assert core.legal() == legal


@settings(max_examples=40, deadline=None)
@given(PLAYERS, OPTIONS, SEEDS, st.integers(0, 235))
def test_legality_is_the_same_asked_either_way(players: int, options: dict[str, str], seed: int, made: int) -> None:
    core = after_moves(players, options, seed, made).core
    assert [move for move in range(-200, 1100) if core.is_legal(move)] == core.legal()


@pytest.mark.parametrize("phase", [Phase.PLAY, Phase.FIRST_WALK, Phase.DRAW])
def test_moves_by_chance_are_all_as_likely(phase: Phase) -> None:
    made = next(n for n in range(235) if after_moves(4, ALL_OPTIONS[0], 3, n).phase == phase and n > 20)
    core, chance = after_moves(4, ALL_OPTIONS[0], 3, made).core, FastChance(Random(1))
    legal = core.legal()
    picked = Counter(core.pick(chance) for _ in range(200 * len(legal)))
    assert sorted(picked) == legal
    assert min(picked.values()) > 120
    assert max(picked.values()) < 280


@settings(max_examples=40, deadline=None)
@given(PLAYERS, OPTIONS, SEEDS, st.integers(0, 235))
def test_a_sample_is_a_determinization_without_its_past(
    players: int, options: dict[str, str], seed: int, made: int
) -> None:
    state = after_moves(players, options, seed, made)
    for seat in range(players):
        view = state.view(seat)
        sampled, dealt = view.sample(Random(seed)), view.determinize(Random(seed)).core
        assert inside(sampled, POSITION + KEPT) == inside(dealt, POSITION + KEPT)
        known = inside(state.core, tuple(name for name in POSITION + KEPT if name not in ("hands", "piles", "removed")))
        assert inside(sampled, tuple(known)) == known
        assert sorted(sampled.hands[seat]) == sorted(state.hands[seat])
        again = view.sample(Random(seed))
        again.play_out(FastChance(Random(2)))
        assert inside(view.sample(Random(seed))) == inside(sampled)


def test_a_game_over_stays_over() -> None:
    core = position(Phase.OVER, turn=12).core
    assert core.phase == OVER
    core.play_out(FastChance(Random(1)))
    assert core.legal() == []
    assert not core.is_legal(300)
