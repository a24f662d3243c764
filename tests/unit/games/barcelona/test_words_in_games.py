"""Boards, prompts, steps and candidates at every decision of games by chance."""

from __future__ import annotations

from random import Random

import pytest
from rich.cells import cell_len
from rich.markup import render

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.moves import Kind, parts
from boardgamesbot.games.base import IllegalMove
from tests.unit.games.barcelona.support_words import EXPANSION, SHOWN, SOLO, WORDS, at_decisions, new, plain_board

GAMES = [
    pytest.param(
        players, {**options, "expansion": expansion}, id="-".join([str(players), *options.values(), expansion])
    )
    for players, options in (
        (2, {"actions": "FIRST_GAME"}),
        (3, {}),
        (4, {}),
        (2, {"solo": "EASY"}),
        (2, {"solo": "HARD", "solo_actions": "BOTH"}),
    )
    for expansion in ("NONE", "PASSEIG_DE_GRACIA")
]


@pytest.mark.parametrize(("players", "options"), GAMES)
def test_boards_fit_80_columns_with_balanced_markup(players: int, options: dict[str, str]) -> None:
    for state in at_decisions(new(players, 11, **options), 5):
        view = state.view(state.actor)
        lean = WORDS.lean(view, SHOWN[:players]).split("\n")
        assert len(lean) <= 15, "there is room for the question on a terminal of 24 lines"
        for line in [*WORDS.board(view, SHOWN[:players]).split("\n"), *lean]:
            seen = render(line)
            assert cell_len(seen.plain) <= 80, seen.plain
            assert "[/" not in seen.plain.replace("[/] Puig", "")
            assert line.count("[/") - line.count("\\[/") == len(seen.spans), line
    assert any("the game is over" in line for line in plain_board(state))


@pytest.mark.parametrize(("players", "options"), GAMES)
def test_every_decision_has_a_prompt_and_moves_that_differ(players: int, options: dict[str, str]) -> None:
    for seed in range(3):
        for state in at_decisions(new(players, seed, **options), seed):
            view = state.view(state.actor)
            prompt = render(WORDS.prompt(view)).plain
            assert 0 < len(prompt) <= 200
            assert "\n" not in prompt
            said = [WORDS.move(view, move) for move in state.legal]
            assert len(set(said)) == len(said), said
            assert all(text and "\n" not in text for text in said)


@pytest.mark.parametrize(("players", "options"), GAMES)
def test_steps_lead_from_the_candidates_to_every_move(players: int, options: dict[str, str]) -> None:
    """No two candidates have the same steps, and none stops where another goes on."""
    for state in at_decisions(new(players, 3, **options), 3):
        view = state.view(state.actor)
        candidates = WORDS.candidates(view)
        paths = {WORDS.steps(view, move) for move in candidates}
        assert len(paths) == len(candidates)
        begun = {path[:i] for path in paths for i in range(1, len(path))}
        assert paths.isdisjoint(begun)
        lists: dict[tuple[str, ...], set[str]] = {}
        for path in paths:
            for i, step in enumerate(path):
                lists.setdefault(path[:i], set()).add(step)
        assert max(map(len, lists.values())) <= 20, "a list to pick from stays short"


@pytest.mark.parametrize(("players", "options"), GAMES)
def test_candidates_are_the_legal_moves_and_some_that_a_rule_forbids(players: int, options: dict[str, str]) -> None:
    forbidden = set()
    for state in at_decisions(new(players, 4, **options), 4):
        view = state.view(state.actor)
        candidates = WORDS.candidates(view)
        assert candidates == sorted(set(candidates), key=lambda move: (move == moves.STOP, move)), "ending is last"
        assert set(state.legal) <= set(candidates)
        kinds = {parts(move).kind for move in state.legal} | {Kind.STOP}
        for move in set(candidates) - set(state.legal):
            assert parts(move).kind in kinds
            assert WORDS.move(view, move)
            with pytest.raises(IllegalMove):
                state.check(move)
            forbidden.add(parts(move).kind)
    assert {Kind.PLACE, Kind.ACTION, Kind.SECTION, Kind.BUILD, Kind.STACK, Kind.TRAM} <= forbidden


def test_others_have_no_candidates() -> None:
    state = new()
    assert state.actor is not None
    assert WORDS.candidates(state.view(1 - state.actor)) == []
    assert WORDS.candidates(state.view(None)) == []


@pytest.mark.parametrize("options", [{}, EXPANSION], ids=["base", "expansion"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_others_hold_and_what_is_in_the_bag_shows_nowhere(players: int, options: dict[str, str]) -> None:
    rng = Random(6)
    told = 0
    for number, state in enumerate(at_decisions(new(players, 6, **options), 6)):
        if number % 15:
            continue
        actor = state.actor
        assert actor is not None
        unseen = [citizen for hand in state.hands for citizen in hand] + state.bag
        rng.shuffle(unseen)
        other = state.copy()
        other.hands = [[unseen.pop() for _ in hand] for hand in state.hands]
        other.bag = unseen
        other.modernisme_stack = list(reversed(state.modernisme_stack))
        assert WORDS.board(state.view(None), SHOWN) == WORDS.board(other.view(None), SHOWN)
        assert WORDS.prompt(state.view(None)) == WORDS.prompt(other.view(None))
        for seat in range(players):
            other.hands[seat], hidden = state.hands[seat], other.hands[seat]
            assert WORDS.board(state.view(seat), SHOWN) == WORDS.board(other.view(seat), SHOWN)
            if seat != actor:
                assert WORDS.prompt(state.view(seat)) == WORDS.prompt(other.view(seat))
            other.hands[seat] = hidden
            told += WORDS.board(state.view(seat), SHOWN) != WORDS.board(other.view(seat), SHOWN)
    assert told, "one's own hand is shown"


@pytest.mark.parametrize("options", [{}, EXPANSION], ids=["base", "expansion"])
def test_the_order_of_gaudis_deck_shows_nowhere(options: dict[str, str]) -> None:
    told = compared = 0
    for number, state in enumerate(at_decisions(new(2, 6, **SOLO, **options), 6)):
        if number % 7 or len(state.deck) < 3:
            continue
        other, swapped = state.copy(), state.copy()
        other.deck = [*reversed(state.deck[:-1]), state.deck[-1]]
        swapped.deck = [state.deck[-1], *state.deck[1:-1], state.deck[0]]
        for seat in (None, 0, 1):
            view, same = state.view(seat), other.view(seat)
            for words in (WORDS.board, WORDS.glance):
                assert words(view, SHOWN) == words(same, SHOWN)
            assert WORDS.prompt(view) == WORDS.prompt(same)
            compared += 1
            told += WORDS.board(view, SHOWN) != WORDS.board(swapped.view(seat), SHOWN)
    assert told == compared > 0, "the arrow on top is in sight"
