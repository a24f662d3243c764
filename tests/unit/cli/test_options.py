"""The flags of the games' options: what they stand for, and what can't be said together."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from boardgamesbot.cli import main
from boardgamesbot.cli.options import flags_of, options_meant, spelled
from boardgamesbot.cli.seating import check_bots, seating
from boardgamesbot.games import registry
from boardgamesbot.games.base import Malformed
from boardgamesbot.v1 import bots_pb2

FLAGS = flags_of(registry.KINDS)
BARCELONA = registry.game("barcelona")
SOLO = BARCELONA.complete_options({"solo": "HARD"})
TOGETHER = BARCELONA.complete_options({})
BOTS = [bots_pb2.BotInfo(id="random"), bots_pb2.BotInfo(id="greedy"), bots_pb2.BotInfo(id="gaudi", by_rule=True)]


def test_every_flag_stands_for_a_value_of_its_option() -> None:
    for game in registry.KINDS.values():
        for option in game.options:
            values = {value.name for value in option.values}
            for flag in option.flags:
                assert {flag.value} - {""} | set(flag.choices) <= values
                assert bool(flag.value) != bool(flag.choices), "it has a value, or is followed by one"
                assert not flag.needs or flag.needs in FLAGS


@pytest.mark.parametrize(
    ("typed", "pairs", "meant"),
    [
        ({}, [], {}),
        ({"expansion": True}, [], {"expansion": "PASSEIG_DE_GRACIA"}),
        ({"solo": True}, [], {"solo": "NORMAL"}),
        ({"solo": True, "difficulty": "easy"}, [], {"solo": "EASY"}),
        ({"solo": True, "update": True}, [], {"solo": "NORMAL", "solo_actions": "BOTH"}),
        ({"update": True}, [("solo", "HARD")], {"solo": "HARD", "solo_actions": "BOTH"}),
        ({"expansion": True}, [("actions", "FIRST_GAME")], {"expansion": "PASSEIG_DE_GRACIA", "actions": "FIRST_GAME"}),
    ],
)
def test_flags_and_options_say_what_is_meant(
    typed: dict[str, str | bool], pairs: list[tuple[str, str]], meant: dict[str, str]
) -> None:
    assert dict(options_meant(FLAGS, typed, pairs, "barcelona")) == meant


@pytest.mark.parametrize(
    ("typed", "pairs", "game_id", "says"),
    [
        ({"difficulty": "hard"}, [], "barcelona", "--difficulty goes with --solo"),
        ({"update": True}, [], "barcelona", "--update goes with --solo"),
        ({"update": True}, [("solo", "NONE")], "barcelona", "--update goes with --solo"),
        ({"solo": True}, [("solo", "EASY")], "barcelona", "--solo and --option solo=EASY are for the same"),
        ({"difficulty": "hard"}, [("solo", "EASY")], "barcelona", "--difficulty and --option solo=EASY"),
        ({"solo": True}, [], "agora", "--solo is for barcelona, not for agora"),
    ],
)
def test_what_can_not_be_said_together_is_refused(
    typed: dict[str, str | bool], pairs: list[tuple[str, str]], game_id: str, says: str
) -> None:
    with pytest.raises(click.UsageError, match=says):
        options_meant(FLAGS, typed, pairs, game_id)


@pytest.mark.parametrize(
    ("game_id", "typed", "meant"),
    [
        ("barcelona", ("solo", "hard"), ("solo", "HARD")),
        ("barcelona", ("Expansion", "Passeig_de_Gracia"), ("expansion", "PASSEIG_DE_GRACIA")),
        ("barcelona", ("solo", "harder"), ("solo", "harder")),
        ("barcelona", ("colour", "Red"), ("colour", "Red")),
        (None, ("solo", "hard"), ("solo", "hard")),
    ],
)
def test_options_are_taken_in_any_case(game_id: str | None, typed: tuple[str, str], meant: tuple[str, str]) -> None:
    assert spelled(game_id, *typed) == meant


def test_an_option_typed_in_small_letters_is_played_with() -> None:
    words = ["simulate", "barcelona", "--option", "solo=easy", "--seats", "greedy", "--players", "3"]
    refused = CliRunner().invoke(main, words)
    assert "solo play has 2 seats" in refused.output, "it is known that it is solo"


def test_without_a_game_it_is_known_that_something_was_typed() -> None:
    assert options_meant(FLAGS, {"solo": True}, [], None)
    assert options_meant(FLAGS, {}, [("solo", "EASY")], None)
    assert not options_meant(FLAGS, {}, [], None)


def test_seats_left_out_are_oneself_and_whom_the_game_wants() -> None:
    assert seating(BARCELONA, SOLO, None) == ["me", "gaudi"]
    assert seating(BARCELONA, TOGETHER, None) == ["me", "greedy"]
    assert seating(registry.game("agora"), registry.game("agora").complete_options({}), None) == [
        "me",
        "greedy",
        "greedy",
    ]


def test_seats_may_name_whom_the_rules_seat() -> None:
    assert seating(BARCELONA, SOLO, "me, gaudi") == ["me", "gaudi"]


@pytest.mark.parametrize("seats", ["me,greedy", "me,open", "gaudi,me", "greedy,me"])
def test_a_seat_of_the_rules_is_given_to_nobody_else(seats: str) -> None:
    with pytest.raises(click.ClickException, match=r"--seats: the rules seat .*leave --seats out"):
        seating(BARCELONA, SOLO, seats)


@pytest.mark.parametrize("seats", ["me", "me,greedy,gaudi"])
def test_solo_has_two_seats(seats: str) -> None:
    with pytest.raises(Malformed, match="solo play has 2 seats"):
        seating(BARCELONA, SOLO, seats)


@pytest.mark.parametrize(
    ("seats", "says"), [(["me", "gaudi"], "only where the rules"), (["me", "deep"], r"nor a bot \(random, greedy\)")]
)
def test_a_bot_that_can_not_sit_there_is_refused(seats: list[str], says: str) -> None:
    check_bots(["me", "open", "random"], (), BOTS)
    with pytest.raises(click.ClickException, match=says):
        check_bots(seats, (), BOTS)
    check_bots(["me", "gaudi"], ("gaudi",), BOTS)
