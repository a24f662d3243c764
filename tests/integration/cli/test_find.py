"""`bgb play --find` as people see it: at real terminals they find one another, change their mind, or get a bot."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner

from boardgamesbot.cli import main
from boardgamesbot.client import Client
from tests.integration.cli.test_play import Person
from tests.support.platform import Supervised, until

Terminals = Callable[..., Person]

pytestmark = pytest.mark.xdist_group("serve")


@pytest.fixture
def terminals(served: Supervised, tmp_path: Path) -> Iterator[Terminals]:
    """Makes people by name, each at a terminal in a home of their own; all are gone in the end."""
    with ExitStack() as stack:

        def sit_down(name: str, *words: str) -> Person:
            person = Person(served, tmp_path / name, *words, "--name", name)
            stack.callback(person.hang_up)
            return person

        yield sit_down


def _waiting(served: Supervised, players: int) -> int:
    async def ask() -> int:
        async with Client(served.rules, matchmaking=served.matchmaking) as client:
            await client.sign_in("Onlooker")
            return next(queue.waiting for queue in await client.queues("agora") if queue.players == players)

    return asyncio.run(ask())


def test_four_people_find_one_another_and_play(terminals: Terminals) -> None:
    people = [terminals(name, "agora", "--find", "--players", "4") for name in ("Ann", "Bob", "Cleo", "Dan")]
    tables = set()
    for person in people:
        names = person.expect(r"Found: ([^·]+)·")
        assert sorted(re.sub(r"\x1b\[[0-9;]*m", "", names).strip().split(", ")) == ["Ann", "Bob", "Cleo", "Dan"]
        tables.add(person.expect(r"table (?:\x1b\[[0-9;]*m)*(\w{14})"))
    assert len(tables) == 1
    for person in people:
        person.expect("The game begins")
    # Whoever is first to move is asked; the others see what was played.
    first = next(person for person in people if person.is_asked())
    asked = True
    while asked:
        first.type(str(first.choices()[0]))
        asked = first.is_asked()
    for person in people:
        if person is not first:
            person.expect(r" played |walked")
        person.interrupt()
        person.expect("The table waits for you")
        assert person.close() == 0


def test_who_stops_looking_waits_no_longer(served: Supervised, terminals: Terminals) -> None:
    person = terminals("Ann", "agora", "--find", "--players", "5")
    person.expect("Looking for players: .*nobody else yet")
    until(lambda: _waiting(served, 5) == 1, "one waits")
    person.interrupt()
    person.expect("You no longer look for a game")
    assert person.close() == 0
    assert _waiting(served, 5) == 0


def test_bots_come_when_nobody_else_does(terminals: Terminals) -> None:
    person = terminals("Ann", "agora", "--find", "--players", "3-5", "--bots-after", "0.5", "--bot", "random")
    person.expect("Looking for players")
    person.expect("Found:")
    person.expect("The game begins")
    assert person.read()
    assert "Random 2" in person.screen


def test_a_party_comes_to_the_same_table(terminals: Terminals) -> None:
    ann = terminals("Ann", "agora", "--find", "--players", "3", "--party", "2", "--bots-after", "0")
    code = ann.expect(r"--join ([A-Z2-9]{8})")
    ann.expect("Waiting for your party: 1 of 2")
    bob = terminals("Bob", "--join", code)
    tables = {person.expect(r"table (?:\x1b\[[0-9;]*m)*(\w{14})") for person in (ann, bob)}
    assert len(tables) == 1
    for person in (ann, bob):
        person.expect("The game begins")


def test_a_match_is_accepted_or_declined(terminals: Terminals) -> None:
    ann = terminals("Ann", "agora", "--find", "--players", "3", "--bots-after", "0", "--accept")
    ann.expect("Enter to accept within")
    ann.type("n")
    ann.expect("the match was declined")
    assert ann.close() == 1
    again = terminals("Ann", "agora", "--find", "--players", "3", "--bots-after", "0", "--accept")
    again.expect("Enter to accept within")
    again.type("")
    again.expect("The game begins")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["agora", "--players", "3"], "add --find"),
        (["agora", "--find", "--seats", "me,greedy,greedy"], "neither for --seats"),
        (["agora", "--find", "--players", "many"], "neither a number"),
        (["agora", "--find", "--bot", "greedy"], "goes with --bots-after"),
        (["agora", "--join", "ABCDEFGH"], "name a game"),
        (["--join", "ABCDEFGH", "--party", "2"], "has said all"),
        (["--find"], "name a game"),
    ],
)
def test_words_that_make_no_sense_together_are_refused(words: list[str], says: str) -> None:
    result = CliRunner().invoke(main, ["play", *words])
    assert result.exit_code == 2
    assert says in re.sub(r"\s+", " ", result.output)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["agora", "--find", "--players", "2"], "for 3 to 5 players, not 2"),
        (["agora", "--find", "--bots-after", "0", "--bot", "nobody"], "is no bot for this"),
        (["--join", "ABCDEFGH"], "there is no ticket"),
    ],
)
def test_what_the_server_refuses_is_said_in_a_line(terminals: Terminals, words: list[str], says: str) -> None:
    person = terminals("Ann", *words)
    assert not person.read()
    assert says in re.sub(r"\s+", " ", person.screen)
    assert "Traceback" not in person.screen
    assert person.close() != 0


def test_without_a_server_it_says_how_to_start_one(tmp_path: Path, served: Supervised) -> None:
    nowhere = Supervised(tmp_path, served.rules, served.bots, "127.0.0.1:1", served.page)
    person = Person(nowhere, tmp_path, "agora", "--find")
    assert not person.read()
    assert "bgb serve" in person.screen
    assert person.close() == 1
