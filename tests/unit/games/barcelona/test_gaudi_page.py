"""docs/gaudi.md tells a turn of Gaudí's and what his cards are: as the game has it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.markup import render

from boardgamesbot.games.barcelona import gaudi, moves
from boardgamesbot.games.barcelona.game import Barcelona
from boardgamesbot.games.barcelona.gaudi.arrows import ARROWS
from boardgamesbot.games.barcelona.geometry import at
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.chance import SEED_BYTES, ChanceStream

PAGE = (Path(__file__).parents[4] / "docs" / "gaudi.md").read_text("utf-8")
SEED = b"\x01" * SEED_BYTES
MIDDLE = 2
NAMES = ("You", "Gaudí (Grey)")


def before_his_turn() -> BarcelonaState:
    """The person has put a Middle citizen on B3, and done nothing else."""
    game = Barcelona()
    options = game.complete_options({"solo": "NORMAL", "actions": "FIRST_GAME"})
    state, _ = game.new(2, options, ChanceStream(SEED))
    state.play(moves.place(at(1, 2), MIDDLE))
    state.play(moves.STOP)
    assert state.actor == gaudi.SEAT
    return state


def rows(header: str) -> list[list[str]]:
    """The cells of the table whose header begins so."""
    table = PAGE[PAGE.index(header) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def test_the_page_tells_his_turn_as_the_game_does() -> None:
    state = before_his_turn()
    quoted = [line for block in re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]
    assert quoted == state.game.words.account(state.play(moves.GAUDI), NAMES)


def test_the_page_quotes_the_line_of_his_cards() -> None:
    state = before_his_turn()
    state.play(moves.GAUDI)
    board = render(state.game.words.board(state.view(0), ("you", "Gaudí"))).plain
    (quoted,) = re.findall(r"`(♚ C2 .*?)`", PAGE, re.DOTALL)
    assert f"    {quoted}\n" in board
    assert "a resource is 2★" in board


def test_the_page_has_the_cards_of_the_ruleset() -> None:
    ruleset = Barcelona().ruleset
    assert rows("| card |") == [
        [str(number), ARROWS[card.arrow], *(ruleset.actions[action].name for action in card.actions)]
        for number, card in enumerate(ruleset.gaudi.cards, 1)
    ]


def test_the_page_has_the_difficulties_of_the_ruleset() -> None:
    told = Barcelona().ruleset.gaudi
    assert [row[:3] for row in rows("| | a resource |")] == [
        [name.lower(), f"{worth} point{'s' if worth > 1 else ''}", str(die)]
        for name, worth, die in zip(gaudi.DIFFICULTIES, told.worth, told.dice, strict=True)
    ]


@pytest.mark.parametrize("said", ["econstructed", "rulesets.md", "rules/barcelona.md", "barcelona.md"])
def test_the_page_says_where_things_come_from(said: str) -> None:
    assert said in PAGE


@pytest.mark.parametrize("page", ["README.md", "docs/play.md", "docs/barcelona.md"])
def test_others_lead_to_the_page(page: str) -> None:
    text = (Path(__file__).parents[4] / page).read_text("utf-8")
    assert "gaudi.md" in text
