"""Barcelona on a terminal of 80 by 24: board, supply and choices are in sight when a decision is asked for."""

from __future__ import annotations

import random
import re

import pytest
from rich.text import Text

from boardgamesbot.games import registry
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.barcelona.view import BarcelonaView
from tests.support.barcelona import give, position
from tests.unit.cli.test_lean import COLUMNS, LINES, TALL, Screen, choices, is_refused, offered, play

GAME = registry.game("barcelona")
EXPANSION = {"expansion": "PASSEIG_DE_GRACIA"}
GAMES = [(2, {}), (4, EXPANSION), (2, {"solo": "HARD", "expansion": "PASSEIG_DE_GRACIA"})]
MOST = 40
"""After so many screens it is enough."""
ABOUT = ("Sidewalk", "Public Services", "Modernisme display", "projects", "Passeig de Gràcia", "Hexagons")
STREETS = [rf"^ {number}  .\(|^ {number}  .<" for number in range(1, 6)]


class Reader(Screen):
    """Looks at all pages of a list before picking something."""

    seen: frozenset[int] = frozenset()
    turned = 0
    """How many times there was more than had room."""

    def pick(self, rows: list[str]) -> str:
        self.seen |= choices(rows)
        if self.seen != offered(rows):
            assert self.seen < offered(rows), "numbers are those that may be typed"
            assert re.search(r"n shows \d+", "\n".join(rows)), "what is not in sight is announced"
            self.turned += 1
            return "n"
        self.seen = frozenset()
        return super().pick(rows)


@pytest.mark.parametrize(("players", "options"), GAMES)
def test_board_supply_and_a_page_of_choices_are_in_sight(players: int, options: dict[str, str]) -> None:
    screen = Reader(LINES, players, random.Random(players), GAME)
    play(screen, players, seed=players, options=options, most=MOST)
    assert len(screen.screens) >= MOST
    maps = 0
    for rows in screen.screens:
        shown = "\n".join(rows)
        assert choices(rows), shown
        if is_refused(rows):
            continue
        assert re.search(r"^Round \d+!? .▶?P .*★ \d+●\d+■", shown, re.MULTILINE), shown
        assert re.search(r"^Cerdà \d+ ×\d.*storage \d", shown, re.MULTILINE), shown
        city = all(re.search(street, shown, re.MULTILINE) for street in STREETS)
        assert city or any(part in shown for part in ABOUT), shown
        maps += city
    assert maps > len(screen.screens) / 3


class Asking(Screen):
    """A terminal at which these lines are typed."""

    def __init__(self, lines: int, *typed: str) -> None:
        super().__init__(lines, 2, random.Random(1), GAME)
        self._typed = list(typed)

    def pick(self, rows: list[str]) -> str:
        return self._typed.pop(0)


def at(*tasks: tuple[int, ...], expansion: bool = False) -> BarcelonaView:
    """What seat 0 sees where this is to be done."""
    state = position(2, expansion=expansion)
    give(state, coins=4)
    state.push(*tasks)
    state.settle()
    return state.view(0)


def test_a_low_terminal_shows_the_whole_board_by_request_and_comes_back_to_the_question() -> None:
    view = at((Do.PLACE,))
    screen = Asking(LINES, "w", "", "", "", "m", "1", "1", "1")
    screen.show(view)
    assert screen.ask(view) == min(view.legal_moves()), "street A, A1, Working on top"
    whole = "\n".join("\n".join(rows) for rows in screen.screens[1:4])
    for part in ("Public Services", "Citizen track", "Cerdà 3", "Sidewalk"):
        assert part in whole, part
    for rows in screen.screens[4:6]:
        assert any("Round 1" in row for row in rows), "the question is below the position, after w and after m"
        assert choices(rows) == {1, 2, 3, 4, 5}


def test_a_low_terminal_shows_the_rules_by_screens_and_comes_back_to_the_question() -> None:
    view = at((Do.PLACE,))
    screen = Asking(LINES, "r", "", "b", "1", "1", "1")
    screen.show(view)
    assert screen.ask(view) in view.legal_moves()
    first, second, question = screen.screens[1:4]
    first_rule, *_ = GAME.rules
    assert any(row.startswith(f"{first_rule}  ") for row in first), "nothing has run off the top"
    assert first[:-1] != second[:-1]
    assert any("Round 1" in row for row in question)
    assert choices(question) == {1, 2, 3, 4, 5}


@pytest.mark.parametrize("lines", [LINES, TALL])
def test_what_is_refused_is_explained_at_once_and_the_list_stays(lines: int) -> None:
    view = at((Do.COBBLESTONE, 1))
    screen = Asking(lines, "1", "2", "3")
    screen.show(view)
    assert screen.ask(view) in view.legal_moves()
    refused = "\n".join(screen.screens[1])
    assert refused.count("Not allowed.") == 1
    assert refused.count("BA-C1, ") == 1, "the rule is quoted once, whatever it forbids"
    assert re.search(r"BA-C1: space 1 of .* 4 other ways are forbidden, too", " ".join(refused.split()))
    assert "row 1 of the Sidewalk" in refused
    assert "space 1 of the Sidewalk:" not in refused, "no list of forbidden ways"
    assert "space 8" in "\n".join(screen.screens[2]), "the second row is what was picked then"


def test_a_rule_is_quoted_in_full_once_and_then_named() -> None:
    screen = Asking(LINES, "1", "1", "r ba-c1", "r ba-x9", "2", "3")
    view = at((Do.COBBLESTONE, 1))
    screen.show(view)
    assert screen.ask(view) in view.legal_moves()
    (rule,) = (rule for rule in GAME.rules.values() if rule.id == "BA-C1")
    opening, closing = rule.text[:40], rule.text[-20:]
    once, again, asked, unknown = (" ".join(" ".join(rows).split()) for rows in screen.screens[1:5])
    assert opening in once
    assert closing in once
    assert opening not in again
    assert f"({rule.title}: r BA-C1 shows the rule)" in again
    assert opening in asked
    assert closing in asked
    assert "There is no rule 'ba-x9'" in unknown
    for rows in screen.screens[2:5]:
        assert any(row.startswith("Round 1") for row in rows), "the position is in sight, too"
        assert choices(rows)


@pytest.mark.parametrize("lines", [LINES, TALL])
def test_where_there_is_no_next_page_that_is_said(lines: int) -> None:
    view = at((Do.PLACE,))
    screen = Asking(lines, "n", "1", "1", "1")
    screen.show(view)
    assert screen.ask(view) in view.legal_moves()
    assert any("There are no more choices than these." in row for row in screen.screens[1])


def test_signs_are_explained_where_they_are_first_seen_and_by_request() -> None:
    view = at((Do.PLACE,))
    screen = Asking(LINES, "1", "m", "1", "1")
    screen.show(view)
    assert screen.ask(view) in view.legal_moves()
    first, second, asked = ("\n".join(rows) for rows in screen.screens[:3])
    for sign in ("★ point", "● coin", "■ cloth", "▲ Cerdà step", "<> costs 1●"):
        assert sign in first
        assert sign not in second
        assert sign in asked
    assert "♙" not in first, "what is not to be seen is not explained"
    for rows in screen.screens[:3]:
        assert any(row.startswith("Round 1") for row in rows)
        assert choices(rows) == {1, 2, 3, 4, 5}


def test_the_whole_board_is_broken_between_pictures() -> None:
    view = at((Do.PLACE,), expansion=True)
    screen = Asking(LINES, "w", *[""] * 5, "1", "1", "1")
    screen.show(view)
    assert screen.ask(view) in view.legal_moves()
    shown = [Text("\n".join(rows)).plain for rows in screen.screens[1:7]]
    pictures = [Text.from_markup(picture).plain for picture in GAME.words.pictures(view, ["you", "P1"])]
    for picture in pictures:
        assert any(picture in text for text in shown), picture
    assert "\n".join(pictures) == Text.from_markup(GAME.words.board(view, ["you", "P1"])).plain


def test_the_rules_are_those_of_the_table() -> None:
    screen = Asking(LINES)
    assert not any(rule.id.startswith(("BA-G", "BA-PG")) for rule in screen.rules())
    screen.table.options.CopyFrom(screen.codec.options_to(GAME.complete_options({"solo": "EASY"})))
    assert any(rule.id.startswith("BA-G") for rule in screen.rules())


@pytest.mark.parametrize("expansion", [False, True])
def test_no_heading_is_cut_off(expansion: bool) -> None:
    state = position(2, expansion=expansion)
    for turn in range(len(state.slots)):
        state.slots = [*state.slots[1:], state.slots[0]]
        lines = Text.from_markup(GAME.words.lean(state.view(0), ["you", "Ada"])).plain.split("\n")
        assert not any("…" in line for line in lines), (turn, lines)
        assert max(map(len, lines)) <= COLUMNS


def test_the_map_comes_with_the_choices_on_a_tall_terminal_too() -> None:
    view = at((Do.PLACE,))
    screen = Asking(TALL, "m", "1", "1", "1")
    screen.show(view)
    assert screen.ask(view) in view.legal_moves()
    rows = screen.screens[1]
    below = rows[next(at for at, row in reversed(list(enumerate(rows))) if "Your hand" in row) :]
    assert sum("street " in row for row in below) == 5


def test_hexagons_fit_too() -> None:
    view = at((Do.HEXAGON,), expansion=True)
    lines = Text.from_markup(GAME.words.lean(view, ["you", "Ada"])).plain.split("\n")
    assert any("Hexagons" in line for line in lines)
    assert len(lines) <= 15
    assert max(map(len, lines)) <= COLUMNS


def test_each_question_says_what_it_is_about() -> None:
    words = {
        (Do.SERVICE,): "Public Services",
        (Do.MODERNISME, 1): "Modernisme display",
        (Do.COBBLESTONE, 1): "Sidewalk",
        (Do.PLACE,): "╱",
    }
    for task, word in words.items():
        assert word in GAME.words.lean(at(task), ["you", "Ada"]), task
