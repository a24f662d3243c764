"""docs/barcelona.md walks through a first turn: what it quotes is what the game says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.game import Barcelona
from boardgamesbot.games.barcelona.geometry import at, horizontal
from boardgamesbot.games.barcelona.moves import Kind, simple
from boardgamesbot.games.chance import SEED_BYTES, ChanceStream

PAGE = (Path(__file__).parents[4] / "docs" / "barcelona.md").read_text("utf-8")
SEED = b"\x07" * SEED_BYTES
UPPER = 3
TURN = (
    moves.place(at(1, 2), UPPER),
    simple(Kind.ACTION, 1),
    simple(Kind.SECTION, horizontal(0, 2)),
    simple(Kind.STACK, 0),
    simple(Kind.SECTION, horizontal(1, 2)),
    simple(Kind.STACK, 0),
    simple(Kind.KEEP, 2),
    simple(Kind.ACTION, 7),
    simple(Kind.SECTION, horizontal(2, 2)),
    simple(Kind.STACK, 1),
)


def transcript() -> list[str]:
    """The turn as the terminal tells it: questions, picks, and what happened."""
    game = Barcelona()
    state, _ = game.new(2, game.complete_options({"actions": "FIRST_GAME"}), ChanceStream(SEED))
    me = state.seat
    names = ["Greedy (Purple)", "You"]
    told = []
    for move in TURN:
        view = state.view(me)
        told.append(game.words.prompt(view))
        told += [f"> {picked}" for picked in game.words.steps(view, move)]
        told += [f"  {game.words.event(event.seen_by(me), names)}" for event in state.play(move)]
    assert state.seat != me, "the turn is over"
    return told


def test_the_page_tells_the_turn_as_the_game_does() -> None:
    quoted = [line for block in re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]
    assert [line for line in quoted if line] == transcript()


@pytest.mark.parametrize("figure", ["2 coins", "reconstructed", "rulesets.md", "BA-"])
def test_the_page_says_where_its_figures_come_from(figure: str) -> None:
    assert figure in PAGE
