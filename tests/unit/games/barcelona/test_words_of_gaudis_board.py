"""What the board and the prompts of a game against Gaudí show: his meeple, his cards, his worth, his turn."""

from __future__ import annotations

import re
from random import Random

from rich.markup import render

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.geometry import at
from boardgamesbot.games.barcelona.state import BarcelonaState
from tests.support.barcelona import RULESET, UPPER, WORKING
from tests.unit.games.barcelona.support_words import EXPANSION, NAMES, SOLO, WORDS, line_with, made, new, plain_board


def solo(**options: str) -> BarcelonaState:
    """Gaudí on D2, his second card face up, the arrow of the fourth on top of six."""
    state = new(2, 1, **{"actions": "FIRST_GAME", **SOLO, **options})
    state.deck, state.discards = [0, 2, 5, 7, 6, 3], [4, 1]
    state.meeple = at(3, 1)
    state.citizens[at(3, 1)] = UPPER + 4 * WORKING
    state.vp[1] = 30
    return state


def test_the_board_shows_gaudis_meeple_cards_and_worth() -> None:
    lines = plain_board(solo())
    assert lines[0].startswith("Round 1  solo: normal, first action  ")
    his = next(i for i, line in enumerate(lines) if line.startswith("  G Grey"))
    assert "30★ (30★ if it ended now)  a resource is 2★" in lines[his]
    assert lines[his + 1] == "    ♚ D2  deck 6, arrow SE  face up 2: Modernisme (not Tram)  below it 5"
    assert " <UW♚" in line_with(lines, " 2   ")
    assert sum(line.count("♚") for line in lines) == 2, "on the map once, and with his cards"
    updated = plain_board(solo(solo_actions="BOTH", solo="HARD"))
    assert updated[0].startswith("Round 1  solo: hard, both actions  ")
    assert any("face up 2: Modernisme, Tram  below it 5" in line for line in updated)
    assert any("a resource is 3★" in line for line in updated)


def test_before_his_first_turn_no_card_is_face_up() -> None:
    lines = plain_board(new(2, 1, **SOLO))
    cards = next(line for line in lines if "deck 8" in line)
    assert cards.startswith("    ♚ C3  deck 8, arrow ")
    assert "face up" not in cards
    assert "<··♚" in line_with(lines, " 3   ")


def test_gaudi_has_no_storage_and_pays_nothing() -> None:
    lines = plain_board(solo())
    mine = next(i for i, line in enumerate(lines) if line.startswith("▶ P Purple"))
    his = next(i for i, line in enumerate(lines) if line.startswith("  G Grey"))
    end = next(i for i, line in enumerate(lines) if line.startswith("Emptied stacks"))
    person, gaudi = " ".join(lines[mine:his]), " ".join(lines[his:end])
    for said in ("1● 1■ (storage 4)", "Intersections 0 (next 1■)", "(improve 1■)"):
        assert said in person
    assert "storage" not in gaudi
    assert "next" not in gaudi
    assert "improve" not in gaudi
    assert "Intersections 0 (5 left)" in gaudi
    assert "passengers 0 = 0★ (4 left)" in gaudi


def test_several_players_have_no_meeple_and_no_cards() -> None:
    board = "\n".join(plain_board(made()))
    assert "♚" not in board
    assert "deck" not in board
    assert "Gaudí" not in board


def test_ba_g1_the_set_up_shown_is_that_of_two() -> None:
    two, alone = plain_board(new(2, 1)), plain_board(new(2, 1, **SOLO))
    for start in ("  Working ", "  Middle ", "  Upper "):
        assert line_with(alone, start).count("▒") == 3, "one in each section is covered"
        assert line_with(alone, start) == line_with(two, start)
    services = next(i for i, line in enumerate(alone) if line.startswith("Public Services"))
    assert all(line.endswith("2 left") for line in alone[services + 1 : services + 6])


def test_ba_g12_the_passeig_shows_the_actions_that_move_his_pedestrians() -> None:
    lines = plain_board(new(2, 3, **SOLO, **EXPANSION))
    state = new(2, 3, **SOLO, **EXPANSION)
    right = next(i for i, line in enumerate(lines) if line.startswith("  Barcelona →"))
    shown = [RULESET.actions[RULESET.amenities[amenity].action].name for amenity in state.amenities[:3]]
    assert lines[right + 1].split() == ["P0"] * 3, "Amenities do not concern Gaudí"
    assert lines[right + 2].startswith("  Gaudí by  ")
    assert re.split(r" {2,}", lines[right + 2].strip())[1:] == shown
    assert lines[right + 3].split() == ["P☻1", "G☻5"]
    assert not any("Gaudí by" in line for line in plain_board(new(2, 3, **EXPANSION)))


def test_gaudis_turn_is_asked_and_played_as_one_move() -> None:
    state = solo()
    rng = Random(1)
    while state.actor == 0:
        state.apply(rng.choice(state.legal_moves()))
    for seat in (None, 0, 1):
        assert WORDS.prompt(state.view(seat)) == "It is Gaudí's turn: his cards and priorities leave him no choice."
    view = state.view(1)
    assert WORDS.candidates(view) == [moves.GAUDI]
    assert WORDS.steps(view, moves.GAUDI) == ("Play Gaudí's turn",)
    assert WORDS.move(view, moves.GAUDI) == "Play Gaudí's turn"
    assert render(WORDS.glance(view, NAMES)).plain.startswith("▶ G Grey")
