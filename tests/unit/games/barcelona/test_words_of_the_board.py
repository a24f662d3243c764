"""The board as a person at a terminal sees it, drawn from a position made by hand."""

from __future__ import annotations

import json
from random import Random

from rich.markup import render

from boardgamesbot.games.barcelona.game import Barcelona
from boardgamesbot.games.barcelona.ruleset import load, shipped
from boardgamesbot.games.chance import FastChance
from tests.support.barcelona import RULESET
from tests.unit.games.barcelona.support_words import EXPANSION, SHOWN, WORDS, line_with, made, new, plain_board


def test_the_city_shows_streets_citizens_trams_and_owners() -> None:
    lines = plain_board(made())
    street = line_with(lines, " 1   (")
    assert street == " 1   (··)───P────G(MW)═G♙P▣P══ (··)┄┄┄1■┄┄┄ (··)┄┄┄2★┄┄┄ <U·> Cloth"
    above = lines.index(street)
    assert lines[above - 1].split() == ["A", "B", "C", "D", "E", "╱", "the", "Diagonal"]
    assert [lines[above + i][:18] for i in (1, 2, 3)] == [
        "      ║   ╭─────╮ ",
        "5★    P   │2 GP │ ",
        "      ║▣G ╰─────╯ ",
    ]
    assert lines[above + 1].endswith("┆  ◤P    ╱   ┆   3★+1■")
    assert "╱     ◢G" in lines[above + 3]
    assert not lines[above + 6].startswith("5★"), "the Building Bonus of the second row is taken"
    assert lines[above + 10].startswith("5★")


def test_action_tiles_stand_at_the_ends_of_their_streets() -> None:
    lines = plain_board(made())
    letters = next(i for i, line in enumerate(lines) if line.endswith("╱ the Diagonal"))
    header = lines[letters - 3 : letters]
    for column, word in enumerate(("Coins", "streets", "Modernisme", "Cobblestone", "Intersection")):
        cells = [line[column * 13 : column * 13 + 13] for line in header]
        assert any(word in cell for cell in cells), cells
        assert lines[letters][column * 13 + 6] == "ABCDE"[column]
    assert header[-1].endswith("Tram")
    for number, word in enumerate(("Cloth", "Public Service", "Wide street", "Improve a project", "Cerdà")):
        assert line_with(lines, f" {number + 1}  ").endswith(word)


def test_the_letter_of_a_street_stands_over_its_line() -> None:
    lines = plain_board(made())
    letters = next(i for i, line in enumerate(lines) if line.endswith("╱ the Diagonal"))
    under = lines[letters + 2]
    assert [lines[letters].index(letter) for letter in "BCDE"] == [under.index("┆") + 13 * i for i in range(4)]


def test_colours_are_those_of_the_seats() -> None:
    board = render(WORDS.board(made().view(0), SHOWN[:2]))
    styles = {(board.plain[span.start : span.end], str(span.style)) for span in board.spans}
    assert ("───", "magenta") in styles
    assert ("╭─────╮", "magenta") in styles, "a building has the colour of its topmost marker"
    assert ("◢", "grey70") in styles
    assert {("W", "green"), ("M", "bright_red"), ("U", "dodger_blue1")} <= styles


def test_the_citizen_track_shows_what_a_building_would_score() -> None:
    lines = plain_board(made())
    assert line_with(lines, "Citizen track").startswith("Citizen track  lowest in sight 1★")
    assert line_with(lines, "  Working").split()[1:4] == ["▒", "W", "·"]
    assert line_with(lines, "  Upper").split()[1:11] == ["▒", "U", "U", "U", "U", "U", "│", "▒", "U", "U"]
    for section in (1, 2, 3):
        scoring = RULESET.scorings[made().cerda_tiles[section - 1]]
        assert f"{scoring.vp} × {scoring.name}" in line_with(lines, f"  Cerdà {section}")
    assert "P4" not in line_with(lines, "  Cerdà 3") or "×2" in line_with(lines, "  Cerdà 3")


def test_the_side_boards_show_prices_and_what_is_taken() -> None:
    lines = plain_board(made())
    services = next(i for i, line in enumerate(lines) if line.startswith("Public Services"))
    top, taken = lines[services + 1], lines[services + 4]
    assert "3● → 10★+2▲" in top
    assert top.endswith("2 left")
    assert "2● → 6★+2▲" in taken
    assert taken.endswith("1 left  G")
    display = next(i for i, line in enumerate(lines) if line.startswith("Modernisme display"))
    assert lines[display + 1] == "  1 empty"
    tile = RULESET.scorings[made().shown[1]]
    assert lines[display + 2].startswith(f"  2 {tile.vp} × {tile.name}")
    assert any(" 8 ▦G" in line for line in lines), "a cobblestone covers its icon"
    assert any("11 1†  12 1▲     ◆   14 1▲  15 1†" in line for line in lines)


def test_a_players_lines_show_what_their_decisions_need() -> None:
    lines = plain_board(made())
    first = next(i for i, line in enumerate(lines) if line.startswith("▶ P Purple"))
    mine = " ".join(lines[first : first + 6])
    end = made().scores()[0]
    for said in (
        f"42★ ({end}★ if it ended now)",
        "3● 1■ (storage 4)",
        "Cerdà 6 ×2 (×3 at 9)",
        "Sagrada 3 (tile at 4)",
        "markers 2·2·3·3",
        "narrow 1·2·3·3",
        "Intersections 0 (next 1■)",
        "passengers 0 = 0★ (next 1■)",
        "projects (improve 1■)",
        "#1 free ×1",
        "#3 2 × wide streets ×2 = 0★",
    ):
        assert said in mine, said
    theirs = line_with(lines, "  G Grey")
    assert "Ada" in theirs
    assert f"built {RULESET.services[made().service_types[3]].name}" in " ".join(lines)


def test_the_hand_stands_last_and_only_in_ones_own_view() -> None:
    assert plain_board(made(), 0)[-1] == "Your hand  W Working  ·  U Upper"
    assert not any(line.startswith("Your hand") and "Working" in line for line in plain_board(made(), None))
    assert not any("Working  ·  U" in line for line in plain_board(made(), 1))


def test_the_passeig_shows_amenities_dice_and_hexagons() -> None:
    state = new(2, 3, **EXPANSION)
    state.amenities = [0, 1, 2, 3, 4, 5]
    state.path, state.joy = [0, 2, 1, 0], [1, 3, 4, 1]
    state.hexagons[4] = 1
    state.violet = [0, 3, 4]
    lines = plain_board(state)
    right = next(i for i, line in enumerate(lines) if line.startswith("  Barcelona →"))
    assert lines[right].split("  ")[-1] == "3 improved spaces"
    assert lines[right + 2].split() == ["P☻1", "G☻4"]
    left = next(i for i, line in enumerate(lines) if line.startswith("  Gràcia →"))
    names = lines[left]
    assert names.index("1 cobblestone") < names.index("2 Intersections") < names.index("3 passengers"), (
        "in the order in which the Gràcia Pedestrian walks"
    )
    assert lines[left + 2].split() == ["G☻1", "P☻3"]
    assert lines[left + 2].index("P☻3") == names.index("2 Intersections")
    assert any("5 ⬢G" in line for line in lines)
    assert any("13 left" in line for line in lines)
    assert not any(line.startswith("Passeig") for line in plain_board(new(2, 3)))


def test_a_diagonal_may_fall() -> None:
    board = shipped()["board"]
    board["diagonal"]["rising"] = False
    game = Barcelona(load(json.dumps({"board": board})))
    state, _ = game.new(2, game.complete_options({}), FastChance(Random(1)))
    state.buildings[0], state.markers[0] = 3, (0,)
    lines = render(game.words.board(state.view(0), SHOWN[:2])).plain.split("\n")
    street = next(i for i, line in enumerate(lines) if line.startswith(" 1   <"))
    assert lines[street + 1].startswith("      ┆  ╲     ◥P  ┆")
    assert any(line.startswith(" 5   (··)") and "<··>" in line for line in lines)
