"""Barcelona in words and drawn: what a person at a terminal plays from."""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from rich.cells import cell_len
from rich.markup import escape, render

from boardgamesbot.games.barcelona import events as ev
from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.game import Barcelona
from boardgamesbot.games.barcelona.gaudi import actions, construct, effects, walks
from boardgamesbot.games.barcelona.gaudi import turn as gaudi_turn
from boardgamesbot.games.barcelona.gaudi.choosing import choose
from boardgamesbot.games.barcelona.gaudi.sentences import CHOICES
from boardgamesbot.games.barcelona.geometry import at, horizontal, vertical
from boardgamesbot.games.barcelona.moves import Kind, parts, simple
from boardgamesbot.games.barcelona.ruleset import load, shipped
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.barcelona.words import places
from boardgamesbot.games.barcelona.words.wording import effect_in_words, effect_sign, goods, joined, many
from boardgamesbot.games.base import Event, IllegalMove, Malformed
from boardgamesbot.games.chance import FastChance

GAME = Barcelona()
WORDS = GAME.words
RULESET = GAME.ruleset
EXPANSION = {"expansion": "PASSEIG_DE_GRACIA"}
NAMES = ("You", "Ada (Grey)", "Bernat (Blue)", "Cinta (Orange)")
LONG = escape("[red]Maria del Roser i [/] Puigdollers")
SHOWN = ("you", "Ada", LONG, "Cinta")
WORKING, MIDDLE, UPPER = 1, 2, 3


def new(players: int = 2, seed: int = 1, **options: str) -> BarcelonaState:
    state, _ = GAME.new(players, GAME.complete_options(options), FastChance(Random(seed)))
    return state


def at_decisions(state: BarcelonaState, seed: int) -> Iterator[BarcelonaState]:
    """The same state at every decision of a random game."""
    rng = Random(seed)
    while not state.is_over:
        yield state
        state.apply(rng.choice(state.legal_moves()))


def plain_board(state: BarcelonaState, seat: int | None = 0) -> list[str]:
    """The lines of a board as a person sees them."""
    return render(WORDS.board(state.view(seat), SHOWN[: state.players])).plain.split("\n")


def line_with(lines: list[str], start: str) -> str:
    """The one line that begins so."""
    (line,) = [line for line in lines if line.startswith(start)]
    return line


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


# Random games


@pytest.mark.parametrize(("players", "options"), GAMES)
def test_boards_fit_80_columns_with_balanced_markup(players: int, options: dict[str, str]) -> None:
    for state in at_decisions(new(players, 11, **options), 5):
        for line in WORDS.board(state.view(state.actor), SHOWN[:players]).split("\n"):
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
        assert candidates == sorted(set(candidates))
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


# Events

EVENTS: tuple[Event, ...] = (
    ev.TurnBegan(1, 3),
    ev.Placed(1, at(2, 1), WORKING, UPPER),
    ev.NowhereToPlace(1, (WORKING, UPPER)),
    ev.ActionTaken(1, 2, 0, ridden=False),
    ev.Scored(1, 1, ev.Reason.RUN),
    ev.Gained(1, 2, 1, ev.Reason.SIDEWALK),
    ev.Paid(1, 0, 2),
    ev.Kept(1, 3, 1),
    ev.Advanced(1, ev.Track.CERDA, -2, 3, ev.Reason.BUILDING),
    ev.StreetBuilt(1, horizontal(1, 1), 2, 0),
    ev.StackEmptied(1, ev.Pieces.WIDE, 0),
    ev.IntersectionBuilt(1, at(2, 1)),
    ev.TramMoved(1, vertical(0, 3), entered=True),
    ev.PassengerPlaced(1, vertical(0, 3)),
    ev.CobblestonePlaced(1, 7),
    ev.ServiceBuilt(1, 2, 0, 1),
    ev.ModernismeTaken(1, 5, 0, 3),
    ev.ModernismeShown(5, 0),
    ev.ProjectImproved(1, 3),
    ev.SagradaTaken(1, 0, 0),
    ev.Built(1, 0, 1, (at(0, 0), at(1, 1)), (MIDDLE, WORKING)),
    ev.MarkerPlaced(1, 0, 3),
    ev.RowBonusTaken(1, 0),
    ev.CitizenTracked(1, MIDDLE, 6),
    ev.CerdaScored(0, 5, (4, 2), (1, 3)),
    ev.EndBegan(bag_empty=True),
    ev.Stepped(1, 0, 2),
    ev.JoyGained(1, 1, 4, ev.Reason.MEETING),
    ev.Arrived(1, 0, 5),
    ev.WentBack(1, 0),
    ev.HexagonPlaced(1, 4, 1, 3),
    ev.Declined(1, Kind.PASSENGER),
    ev.CardRevealed(1, 2, 1),
    ev.DeckShuffled(1),
    ev.GaudiActed(1, 9),
    ev.GaudiGained(1, 2, 4, ev.Reason.ICON),
    ev.GaudiChose(1, ev.Matter.MEEPLE, at(2, 1), (at(1, 1), at(2, 1)), ev.Criterion.BEST_BUILDING, 1),
    ev.Drew(1, (0, 0)),
    ev.Ended((90, 80), (1, 2), (0, 2), (10, 0), (0, 3), (0,)),
)
SAID = {
    ev.TurnBegan: "Ada began a turn (round 3)",
    ev.Placed: "Ada placed citizens on C2: Upper on top of Working",
    ev.NowhereToPlace: "Ada found no empty intersection: Working and Upper left the game",
    ev.ActionTaken: "Ada took Coins at street C",
    ev.Scored: "Ada scored 1 point for the run of streets",
    ev.Gained: "Ada gained 2 coins and 1 cloth from the Sidewalk",
    ev.Paid: "Ada paid 2 cloth",
    ev.Kept: "Ada had no room for everything and kept 3 coins and 1 cloth",
    ev.Advanced: "Ada went back 2 steps on the Cerdà track to 3 for the building",
    ev.StreetBuilt: "Ada built a wide street on B2-C2 from stack 1",
    ev.StackEmptied: "Ada emptied stack 1 of wide streets",
    ev.TramMoved: "Ada brought the tram into the city, to A4-A5",
    ev.Built: "Ada built a level 2 building on the block A1-B2, with Middle from A1 and Working from B2",
    ev.CerdaScored: "The Cerdà tile of the first section scored, 2 × wide streets: You 4 × 1 = 4, Ada 2 × 3 = 6",
    ev.Drew: "Ada drew 2 citizens",
    ev.HexagonPlaced: "Ada placed a hexagonal cobblestone on hexagonal space 5 (4 points): "
    "the middle violet one counted 3 times",
    ev.CardRevealed: "Ada turned up card 3: Improve a project, Wide street; the arrow points NE",
    ev.DeckShuffled: "Ada used up the deck and shuffled the 7 other cards into a new one",
    ev.GaudiActed: "Ada took the action Improve a project",
    ev.GaudiGained: "Ada gained 2 resources from the printed icons, worth 4 points",
    ev.GaudiChose: "Ada moved the meeple to C2: of 2 empty intersections in reach, "
    "it alone allows the best building (BA-G5)",
    ev.Ended: "The game is over. You won. Points: You 90 (at the end 1 point for cobblestones, 0 for passengers, "
    "10 for Modernisme, 0 for Joy); Ada 80 (at the end 2 points for cobblestones, 2 for passengers, "
    "0 for Modernisme, 3 for Joy)",
}
NOBODYS = (ev.ModernismeShown, ev.EndBegan)
"""Events that concern no player by name."""


def test_every_class_of_events_is_tried() -> None:
    classes = {kind for _, kind in inspect.getmembers(ev, inspect.isclass) if issubclass(kind, Event)} - {Event}
    assert {type(event) for event in EVENTS} == classes


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_every_event_is_a_sentence_that_names_its_player(event: Event) -> None:
    said = WORDS.event(event, ("You", "Ada"))
    assert render(said).plain == said
    if hasattr(event, "seat"):
        assert said.startswith("Ada ")
        changes: dict[str, Any] = {"seat": 0}
        mine = WORDS.event(dataclasses.replace(event, **changes), ("You", "Ada"))
        assert mine == "You" + said.removeprefix("Ada")
    elif not isinstance(event, NOBODYS):
        assert "You" in said
        assert "Ada" in said
    if type(event) in SAID:
        assert said == SAID[type(event)]


@pytest.mark.parametrize("options", [{}, EXPANSION], ids=["base", "expansion"])
def test_events_of_whole_games_are_said(options: dict[str, str]) -> None:
    rng = Random(2)
    for players in (2, 3, 4):
        state = new(players, 8, **options)
        while not state.is_over:
            for event in state.apply(rng.choice(state.legal_moves())):
                for seat in (None, *range(players)):
                    said = WORDS.event(event.seen_by(seat), NAMES[:players])
                    named = getattr(event, "seat", None)
                    assert named is None or said.startswith(NAMES[named])


def test_citizens_drawn_are_told_to_their_player_alone() -> None:
    drew = ev.Drew(0, (MIDDLE, UPPER))
    assert WORDS.event(drew.seen_by(0), NAMES) == "You drew Middle and Upper"
    assert WORDS.event(drew.seen_by(1), NAMES) == "You drew 2 citizens"
    assert WORDS.event(ev.Drew(0, ()), NAMES) == "You drew no citizens: the bag had too few"


def test_what_is_no_event_of_barcelona_is_not_said() -> None:
    with pytest.raises(TypeError, match="no event of Barcelona"):
        WORDS.event(Event(), NAMES)


# Effects


@pytest.mark.parametrize(
    ("effect", "words", "sign"),
    [
        (RULESET.actions[0].effect, "2 coins", "2●"),
        (RULESET.actions[1].effect, "3 points and 1 cloth", "3★+1■"),
        (RULESET.buildings[2].effect, "7 points, 2 Cerdà steps back and 2 Sagrada Família steps", "7★-2▲+2†"),
        (RULESET.buildings[3].effect, "3 points, then 1 coin or 1 cloth", "3★+1●/■"),
        (RULESET.services[0].effect, "up to 2 narrow streets or a wide street", "2─/1═"),
        (
            RULESET.services[8].effect,
            "2 Joy for the Barcelona Pedestrian and a step of the Barcelona Pedestrian, in either order",
            "2☻B+1→B",
        ),
    ],
)
def test_effects_in_words_and_signs(effect: int, words: str, sign: str) -> None:
    assert effect_in_words(RULESET, effect) == words
    assert effect_sign(RULESET, effect) == sign


def test_numbers_agree_with_their_nouns() -> None:
    assert [many(1, "point"), many(2, "point"), many(2, "cloth"), many(2, "Joy")] == [
        "1 point",
        "2 points",
        "2 cloth",
        "2 Joy",
    ]
    assert goods(1, 0) == "1 coin"
    assert goods(0, 0) == "nothing"
    assert joined(["a", "b", "c"]) == "a, b and c"
    assert joined(["a"]) == "a"


# A position made by hand


@cache
def _made() -> BarcelonaState:
    state = new(2, 1, actions="FIRST_GAME")
    state.seat = 0
    state.tasks = [(Do.BUILD,)]
    state.bonus_left = [True, False, True, True]
    state.citizens[at(1, 0)] = MIDDLE + 4 * WORKING
    state.citizens[at(2, 1)] = WORKING
    state.citizens[at(4, 0)] = UPPER
    state.intersection_owners[at(1, 0)] = 1
    state.intersections_built[1] = 1
    state.streets[horizontal(0, 0)], state.street_owners[horizontal(0, 0)] = 1, 0
    state.streets[horizontal(1, 0)], state.street_owners[horizontal(1, 0)] = 2, 1
    state.passengers[horizontal(1, 0)] = 0
    state.trams = [horizontal(1, 0), vertical(0, 0)]
    state.streets[vertical(0, 0)], state.street_owners[vertical(0, 0)] = 2, 0
    state.narrow[0][0] -= 1
    first_block = next(i for i, site in enumerate(RULESET.city.sites) if site.block == 0)
    state.buildings[first_block], state.markers[first_block] = 1, (1, 0)
    upper = next(i for i, site in enumerate(RULESET.city.sites) if site.block == 3)
    state.buildings[upper], state.markers[upper] = 3, (0,)
    state.buildings[upper + 1], state.markers[upper + 1] = 3, (1,)
    state.track = [1, 0, 7]
    state.coins[0], state.cloth[0], state.vp[0] = 3, 1, 42
    state.cerda[0], state.sagrada[0] = 6, 3
    state.shown[0], state.projects[0][2] = -1, 5
    state.improved[0][2] = 1
    state.services_of[1].append(state.service_types[3])
    state.services_taken[3] = 1
    state.sidewalk[7] = 1
    state.hands[0] = [WORKING, UPPER]
    state.settle()
    return state


def made() -> BarcelonaState:
    return _made().copy()


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


# Moves and prompts at hand-made decisions


def said(state: BarcelonaState, task: tuple[int, ...], move: int) -> str:
    state.tasks.append(task)
    return WORDS.move(state.view(state.seat), move)


def led(state: BarcelonaState, task: tuple[int, ...], move: int) -> tuple[str, ...]:
    state.tasks.append(task)
    return WORDS.steps(state.view(state.seat), move)


def asked(state: BarcelonaState, task: tuple[int, ...]) -> str:
    state.tasks.append(task)
    return WORDS.prompt(state.view(state.seat))


def test_placing_says_which_actions_follow() -> None:
    place = moves.place(at(2, 2), UPPER)
    text = said(made(), (Do.PLACE,), place)
    assert text == "Place Upper on Working on C3, for 1 coin: Modernisme, Wide street and Tram"
    prompt = asked(made(), (Do.PLACE,))
    assert prompt.startswith("Place both citizens (Working, Upper) on an empty intersection")
    assert led(made(), (Do.PLACE,), place) == (
        "street C: Modernisme",
        "C3, for 1 coin: Modernisme, Wide street and Tram",
        "Upper on top",
    )


def test_actions_say_what_they_do() -> None:
    task = (Do.ACTIONS, at(0, 0), 1 | 1 << 5)
    assert said(made(), task, simple(Kind.ACTION, 0)) == "Take Coins (street A): 2 coins"
    assert said(made(), task, moves.STOP) == "Take no more actions"
    assert asked(made(), task) == "Take an action of A1, or no more: Coins (street A) or Cloth (street 1)."
    assert led(made(), task, simple(Kind.ACTION, 0)) == ("Take Coins (street A): 2 coins",)


def test_ba_st2_a_street_says_its_icon_and_run() -> None:
    move = simple(Kind.SECTION, horizontal(2, 0))
    assert said(made(), (Do.STREET, 2, 1, 1), move) == "Build a wide street on C1-D1: 1 cloth, run of 3 = 6 points"
    assert said(made(), (Do.STREET, 1, 2, 1), move) == "Build a narrow street on C1-D1: 1 cloth, run of 3 = 3 points"
    assert said(made(), (Do.STREET, 1, 1, 0), moves.STOP) == "Build no more streets"


def test_ba_st3_a_stack_says_its_reward() -> None:
    task = (Do.STREET_STACK, 1, horizontal(2, 0))
    assert said(made(), task, simple(Kind.STACK, 0)) == "Take the tile from stack 1 and empty it: 1 coin"
    assert (
        said(made(), task, simple(Kind.STACK, 3))
        == "Take the tile from stack 4 (2 left then; emptying it gives 4 points)"
    )
    assert said(made(), (Do.MARKER, 0), simple(Kind.STACK, 2)) == (
        "Take the marker from stack 3 (2 left then; emptying it gives 2 Cerdà steps)"
    )


def test_ba_i2_an_intersection_says_the_icons_in_sight() -> None:
    move = simple(Kind.INTERSECTION, at(1, 0))
    assert said(made(), (Do.INTERSECTION, 0, 1), move) == "Build an Intersection on B1 for 1 cloth: 1 coin"
    assert said(made(), (Do.INTERSECTION, 1, 1), move) == "Build an Intersection on B1: 1 coin"


def test_a_tram_says_where_it_goes_and_what_a_passenger_scores() -> None:
    state = made()
    own = horizontal(0, 0)
    assert said(made(), (Do.TRAM, 0, 1), simple(Kind.TRAM, own)) == "Move the tram to A1-B1 (street 1: Cloth)"
    assert said(made(), (Do.TRAM, 0, 1), simple(Kind.TRAM, state.trams[0])) == "Leave the tram on B1-C1"
    passenger = said(made(), (Do.PASSENGER, own, 0), moves.PASSENGER)
    assert passenger == "Place a passenger on A1-B1 for 1 cloth: run of 2 = 2 points"
    assert said(made(), (Do.PASSENGER, own, 1), moves.PASSENGER) == ("Place a passenger on A1-B1: run of 2 = 2 points")
    assert said(made(), (Do.RIDE, own), moves.RIDE) == (
        "Through the passenger, take Cloth (street 1): 3 points and 1 cloth"
    )


def test_a_building_says_whose_citizens_it_takes() -> None:
    site = next(i for i, place in enumerate(RULESET.city.sites) if place.block == 1)
    move = moves.build(site, 1, 0b1001)
    assert said(made(), (Do.BUILD,), move) == (
        "Build a level 2 building on the block B1-C2, with the citizens of B1 (Middle) and C2 (Working)"
    )
    assert led(made(), (Do.BUILD,), move) == (
        "the block B1-C2",
        "a level 2 building",
        "with B1 (Middle) and C2 (Working)",
    )


def test_side_board_moves_say_cost_and_gain() -> None:
    state = made()
    service = RULESET.services[state.service_types[3]]
    assert said(made(), (Do.SERVICE,), simple(Kind.SERVICE, 3)) == (
        f"Build {service.name} for 2 coins: 6 points and 2 Cerdà steps, then {effect_in_words(RULESET, service.effect)}"
    )
    assert said(made(), (Do.COBBLESTONE, 1), simple(Kind.COBBLESTONE, 3)) == (
        "Place a cobblestone on space 4 of the Sidewalk: 2 coins"
    )
    assert said(made(), (Do.IMPROVE, 1, 0, 1), simple(Kind.IMPROVE, 0)) == (
        "Improve project space 1 (empty) for 1 cloth"
    )
    assert said(made(), (Do.IMPROVE, 1, 1, 1), simple(Kind.IMPROVE, 2)) == "Improve project space 3 (2 × wide streets)"
    assert said(made(), (Do.SAGRADA, 0), simple(Kind.SAGRADA, 0)) == "Take the Sagrada Família tile S1A: 5 points"
    assert said(made(), (Do.KEEP,), simple(Kind.KEEP, 3)) == "Keep 3 coins and 1 cloth"
    assert said(made(), (Do.RESOURCE, 1, ev.Reason.BUILDING), simple(Kind.RESOURCE, 1)) == "Gain 1 cloth"


def test_ba_pg4_a_step_says_the_amenity_and_whether_it_gives_joy() -> None:
    state = new(2, 3, **EXPANSION)
    state.amenities = [5, 1, 2, 3, 4, 0]
    task = (Do.WALK, 0, 2)
    first = "Walk the Barcelona Pedestrian to its first space, Cobblestones:"
    assert said(state.copy(), task, moves.STEP) == f"{first} no Joy (1 cobblestone wanted)"
    state.cobblestones_placed[state.seat] = 1
    assert said(state.copy(), task, moves.STEP) == f"{first} 1 Joy (1 cobblestone wanted)"
    state.path[2 * state.seat], state.joy[2 * state.seat] = 3, 5
    assert said(state.copy(), task, moves.STEP) == "Walk the Barcelona Pedestrian into Gràcia with Joy 5: 12 points"
    assert asked(state.copy(), task).endswith("It is on its third space with Joy 5, and may walk 2 more steps.")


def test_ba_pg10_a_hexagon_says_reward_and_multiplier() -> None:
    state = new(2, 3, **EXPANSION)
    state.violet = [0, 3, 4]
    state.sagrada_of[state.seat] = [0, 5]
    assert said(state, (Do.HEXAGON,), moves.hexagon(4, 1)) == (
        "Place a hexagonal cobblestone on hexagonal space 5: 4 points × 2, "
        "counting the middle violet one (your Sagrada Família tiles)"
    )
    assert led(state, (Do.HEXAGON,), moves.hexagon(4, 1)) == (
        "hexagonal space 5: 4 points",
        "counting the middle violet one",
    )


def test_every_well_formed_move_has_steps_and_words() -> None:
    """Whatever is asked for at the time: refusals and bots may name any move."""
    view = made().view(0)
    seen = set()
    for move in range((max(Kind) + 1) * moves.RANGE):
        try:
            kind = parts(move).kind
        except Malformed:
            continue
        seen.add(kind)
        assert all(WORDS.steps(view, move))
        assert WORDS.move(view, move)
    assert seen == set(Kind)
    assert places.section(0) == "A1-B1"


def test_a_glance_shows_what_the_decision_is_about_and_the_own_board() -> None:
    about = {
        (Do.STREET, 1, 1, 1): "City",
        (Do.COBBLESTONE, 1): "Sidewalk",
        (Do.MODERNISME, 1): "Modernisme display",
        (Do.SERVICE,): "Public Services",
        (Do.KEEP,): None,
    }
    for task, part in about.items():
        state = made()
        state.tasks.append(task)
        drawn = render(WORDS.glance(state.view(state.seat), NAMES)).plain
        assert f"{state.vp[state.seat]}★" in drawn
        assert {name for name in ("City", "Sidewalk", "Modernisme display", "Public Services") if name in drawn} == (
            {part} if part else set()
        )


# Gaudí

SOLO = {"solo": "NORMAL"}
CHOSEN = {
    ev.Matter.STREET: horizontal(1, 1),
    ev.Matter.PASSENGER: vertical(2, 3),
    ev.Matter.SITE: 3,
    ev.Matter.PEDESTRIAN: 1,
    ev.Matter.SERVICE: 3,
    ev.Matter.MODERNISME: 3,
    ev.Matter.PROJECT: 3,
}


def chose(matter: ev.Matter, criterion: ev.Criterion, number: int = 5, arrow: int = 7) -> str:
    chosen = CHOSEN.get(matter, 4)
    candidates = (chosen, *(range(chosen + 1, chosen + number)))
    return WORDS.event(ev.GaudiChose(1, matter, chosen, candidates, criterion, arrow), ("You", "Gaudí"))


def gaudi_plays(state: BarcelonaState) -> list[Event]:
    """Play on at random till Gaudí has had a turn."""
    rng = Random(1)
    while state.actor != 1:
        state.apply(rng.choice(state.legal_moves()))
    return state.apply(moves.GAUDI)


@pytest.mark.parametrize("matter", ev.Matter)
def test_every_choice_of_gaudis_tells_its_reason_whatever_decided(matter: ev.Matter) -> None:
    said = {criterion: chose(matter, criterion) for criterion in ev.Criterion}
    assert len(set(said.values())) == len(said), "each reason is another"
    for criterion, text in said.items():
        assert text.startswith("Gaudí ")
        assert re.fullmatch(r"[^{}]+ \(BA-GA?\d+\)", text), text
        assert f"of 5 {CHOICES[matter].several}" in text or criterion is ev.Criterion.ONLY_ONE
        assert ("NW" in text) == (criterion is ev.Criterion.ARROW), "the arrow is named where it decides"
    assert "the only " in said[ev.Criterion.ONLY_ONE]


@pytest.mark.parametrize(
    ("matter", "criterion", "said"),
    [
        (
            ev.Matter.MEEPLE,
            ev.Criterion.ARROW,
            "moved the meeple to E1: of 5 empty intersections in reach, none is better, and it is first by the arrow "
            "NW, clockwise (BA-G5)",
        ),
        (
            ev.Matter.MEEPLE,
            ev.Criterion.NEAREST,
            "moved the meeple to E1: of 5 empty intersections in reach, none is beside the meeple, and it is nearest "
            "(BA-G5)",
        ),
        (
            ev.Matter.STREET,
            ev.Criterion.ARROW,
            "chose B2-C2 for a street: of 5 free sections, with points, icon and nearness equal, it is first by the "
            "arrow NW, clockwise (BA-GA4)",
        ),
        (
            ev.Matter.STREET,
            ev.Criterion.MOST_POINTS,
            "chose B2-C2 for a street: of 5 free sections, its run gives most points (BA-GA4)",
        ),
        (
            ev.Matter.SERVICE,
            ev.Criterion.LEFTMOST,
            "chose stack 4 of the Public Services: of 5 types not built yet, with points equal, it is leftmost "
            "(BA-GA1)",
        ),
        (
            ev.Matter.COBBLESTONE,
            ev.Criterion.ONLY_ONE,
            "chose space 5 of the Sidewalk, the only open space (BA-GA7)",
        ),
        (
            ev.Matter.SITE,
            ev.Criterion.COVERS_MARKER,
            "chose the upper corner of the block D1-E2 to build on: of 5 sites for the best building possible, with "
            "Building Bonus equal, it alone covers a marker of the other player (BA-G10)",
        ),
        (
            ev.Matter.CITIZEN,
            ev.Criterion.CLASS,
            "chose the citizen on E1: of 5 citizens that fit, with room on the track equal, it is of the lower class "
            "(BA-G11)",
        ),
        (
            ev.Matter.HEXAGON,
            ev.Criterion.ARROW,
            "chose hexagonal space 5 (4 points): of 5 free spaces, with points equal, it is first round the middle "
            "violet stone, then the left and the right one, from the arrow NW, clockwise (BA-G15)",
        ),
    ],
)
def test_a_choice_of_gaudis_says_what_was_equal_and_what_decided(
    matter: ev.Matter, criterion: ev.Criterion, said: str
) -> None:
    assert chose(matter, criterion) == f"Gaudí {said}"


def test_it_is_told_how_many_places_allow_the_best_building() -> None:
    chosen = ev.GaudiChose(1, ev.Matter.MEEPLE, 4, (4, 5, 6, 7), ev.Criterion.ARROW, 7, 3)
    assert WORDS.event(chosen, NAMES) == (
        f"{NAMES[1]} moved the meeple to E1: of 4 empty intersections in reach, 3 allow the best building, and it is "
        "first of these by the arrow NW, clockwise (BA-G5)"
    )
    alone = dataclasses.replace(chosen, criterion=ev.Criterion.BEST_BUILDING, allowing=1)
    assert "it alone allows the best building (BA-G5)" in WORDS.event(alone, NAMES)


def test_a_wide_street_names_its_own_rule() -> None:
    assert chose(ev.Matter.STREET, ev.Criterion.MOST_POINTS).endswith("(BA-GA4)")
    assert chose(ev.Matter.WIDE_STREET, ev.Criterion.MOST_POINTS).endswith("its run gives most points (BA-GA5)")


@pytest.mark.parametrize("expansion", ["NONE", "PASSEIG_DE_GRACIA"])
def test_the_priorities_that_are_told_are_those_he_goes_by(expansion: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the words call equal before the deciding one, and in which order, is what the engine looks at."""
    used: dict[ev.Matter, set[tuple[ev.Criterion, ...]]] = {}

    def spied(state: BarcelonaState, matter: ev.Matter, here: Any, priorities: Any, allowing: int = 0) -> int:
        priorities = list(priorities)
        used.setdefault(matter, set()).add(tuple(criterion for criterion, _ in priorities))
        return choose(state, matter, here, priorities, allowing)

    for module in (actions, construct, effects, gaudi_turn, walks):
        monkeypatch.setattr(module, "choose", spied)
    for seed in range(4):
        for _ in at_decisions(new(2, seed, expansion=expansion, solo="NORMAL", solo_actions="BOTH"), seed):
            pass
    meeple = used.pop(ev.Matter.MEEPLE)
    assert meeple <= {
        (ev.Criterion.BEST_BUILDING, ev.Criterion.ARROW),
        (ev.Criterion.NEAREST, ev.Criterion.ARROW),
    }
    for matter, orders in used.items():
        told = CHOICES[matter].order
        assert orders == {tuple(criterion for criterion in told if criterion is not ev.Criterion.LEFTMOST)}, matter
    expected = set(ev.Matter) - {ev.Matter.MEEPLE}
    if expansion == "NONE":
        expected -= {ev.Matter.HEXAGON, ev.Matter.PEDESTRIAN}
    assert expected - {ev.Matter.PEDESTRIAN} <= set(used)


def test_every_reason_for_points_has_words() -> None:
    for reason in ev.Reason:
        assert WORDS.event(ev.GaudiGained(1, 1, 3, reason), NAMES).endswith(", worth 3 points")
        assert WORDS.event(ev.Scored(1, 1, reason), NAMES)


def test_every_arrow_is_a_point_of_the_compass() -> None:
    arrows = [WORDS.event(ev.CardRevealed(1, 0, arrow), NAMES).split()[-1] for arrow in range(8)]
    assert arrows == ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]


def test_ba_g15_a_stone_of_gaudis_counts_no_violet_one() -> None:
    assert WORDS.event(ev.HexagonPlaced(1, 4, -1, 0), ("You", "Gaudí")) == (
        "Gaudí placed a hexagonal cobblestone on hexagonal space 5, for a resource instead of 4 points"
    )


@pytest.mark.parametrize("expansion", ["NONE", "PASSEIG_DE_GRACIA"])
def test_his_turn_is_told_as_a_list_of_steps(expansion: str) -> None:
    names = ("You", "Gaudí (Grey)")
    depths = set()
    for seed in range(3):
        state = new(2, seed, expansion=expansion, solo_actions="BOTH", **SOLO)
        while not state.is_over:
            his = state.actor == 1
            events = state.apply(moves.GAUDI) if his else state.apply(Random(seed).choice(state.legal_moves()))
            lines = WORDS.account(events, names)
            if not his:
                assert lines == [WORDS.event(event, names) for event in events]
                continue
            assert len(lines) == len(events)
            assert lines[0].startswith("Gaudí (Grey) turned up card ")
            for line, event in zip(lines, events, strict=True):
                depth = (len(line) - len(line.lstrip())) // 2
                depths.add(depth)
                told = WORDS.event(event, names)
                kept = told if not depth or told.startswith(("You ", "No ")) else told.removeprefix(f"{names[1]} ")
                assert line.startswith("  " * depth + kept), line
                if isinstance(event, ev.Placed | ev.Built | ev.GaudiActed):
                    assert depth == 1
                if isinstance(event, ev.StreetBuilt | ev.MarkerPlaced | ev.CitizenTracked):
                    assert depth == 2, "below the action, or below the building"
                if isinstance(event, ev.TurnBegan | ev.Ended):
                    assert depth == 0
    assert depths == {0, 1, 2}


def test_ba_g12_a_walk_by_his_card_says_why() -> None:
    names = ("You", "Gaudí")
    walked, acted = ev.Stepped(1, 0, 1), ev.GaudiActed(1, 6)
    lines = WORDS.account([ev.CardRevealed(1, 5, 0), ev.Placed(1, 0, 1, 3), walked, acted, walked], names)
    assert lines[2] == (
        "  walked the Barcelona Pedestrian to its first space: "
        "an action of the card is on Amenities of its side (BA-G12)"
    )
    assert lines[4] == "    walked the Barcelona Pedestrian to its first space"


def test_ba_g16_scorings_for_an_empty_bag_come_within_his_turn() -> None:
    names = ("You", "Gaudí")
    scored, ended = ev.CerdaScored(2, 5, (4, 2), (1, 3)), ev.EndBegan(bag_empty=True)
    chosen = ev.GaudiChose(1, ev.Matter.SITE, 3, (3,), ev.Criterion.ONLY_ONE, 0)
    built = ev.Built(1, 3, 3, (4, 8), (1, 3))
    card = ev.CardRevealed(1, 5, 0)
    within = WORDS.account([card, scored, ended, chosen, built], names)
    assert [len(line) - len(line.lstrip()) for line in within] == [0, 2, 2, 2, 2]
    after = WORDS.account([card, chosen, built, scored, ended], names)
    assert [len(line) - len(line.lstrip()) for line in after] == [0, 2, 2, 0, 0]


def test_the_points_of_an_owner_keep_the_name_in_his_turn() -> None:
    owner = ev.Scored(0, 2, ev.Reason.OWNER)
    lines = WORDS.account([ev.CardRevealed(1, 5, 0), ev.Placed(1, 0, 1, 3), owner], ("You", "Gaudí"))
    assert lines[-1] == "  You scored 2 points as owner of the Intersection"


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


def test_events_of_solo_games_are_said() -> None:
    matters = set()
    for options in ({}, EXPANSION):
        state = new(2, 8, **options, solo="HARD", solo_actions="BOTH")
        while not state.is_over:
            for event in state.apply(Random(2).choice(state.legal_moves())):
                said = WORDS.event(event, NAMES[:2])
                named = getattr(event, "seat", None)
                assert named is None or said.startswith(NAMES[named])
                assert render(said).plain == said
                if isinstance(event, ev.GaudiChose):
                    matters.add(event.matter)
    assert {ev.Matter.MEEPLE, ev.Matter.SITE, ev.Matter.CITIZEN, ev.Matter.STREET} <= matters
