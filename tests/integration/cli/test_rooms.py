"""`bgb play --room` and `--clock`, as two people see them."""

from __future__ import annotations

import asyncio
import re
import subprocess
from pathlib import Path

import pytest

from boardgamesbot.client import Client
from tests.integration.cli.test_play import BGB, Person
from tests.support.platform import Supervised
from tests.support.waiting import eventually

pytestmark = pytest.mark.xdist_group("serve")


def test_a_friend_joins_by_the_code_and_both_see_the_time_that_is_left(served: Supervised, tmp_path: Path) -> None:
    host_home, friend_home = tmp_path / "host", tmp_path / "friend"
    host = Person(served, host_home, "agora", "--room", "--seats", "me,open,greedy", "--clock", "10m+5s")
    code = host.expect(r"bgb play --room ([A-Z0-9]{6})")
    friend = Person(served, friend_home, "--room", code.lower())
    for person in (host, friend):
        assert "10:00 for the whole game" in person.expect(r"Time: ([^\r\n]*)")
    asked = host if host.is_asked() else friend
    assert asked is host or friend.is_asked()
    assert re.search(r"(9:5\d|10:0[0-5]) left, until \d\d:\d\d:\d\d · $", asked.screen)
    host.hang_up()
    friend.hang_up()


def test_the_host_changes_bots_while_it_waits_and_begins(served: Supervised, tmp_path: Path) -> None:
    host = Person(served, tmp_path / "host", "agora", "--room", "--seats", "me,open,open,greedy", "--name", "Host")
    code = host.expect(r"bgb play --room ([A-Z0-9]{6})")
    host.expect("Blue you · Red nobody yet · Yellow nobody yet · Green Greedy")
    friend = Person(served, tmp_path / "friend", "--room", code, "--name", "Friend")
    host.expect("Friend sat down as Red")
    friend.expect("Red you")
    friend.type("b")
    friend.expect("The game has not begun")
    for typed, answer in (
        ("b red", "Red is not free: Friend has it"),
        ("b 5", "Seats go by their colours: Blue, Red, Yellow, Green"),
        ("b nobody", "There is no bot 'nobody' here, but random, greedy, agora"),
        ("f red", "Red is no bot's"),
        ("f g", "Greedy left"),
        ("b green random", "Random sat down as Green"),
        ("m", "Yellow nobody yet · Green Random"),
        ("s", "Greedy sat down as Yellow"),
    ):
        host.type(typed)
        host.expect(answer)
    for person in (host, friend):
        person.expect("The game begins")
        person.hang_up()


async def _until_a_bot_plays_on(served: Supervised, table_id: str) -> None:
    async with Client(served.rules) as client:
        await client.sign_in()

        async def is_somebody_away() -> bool:
            return any(seat.HasField("away") for seat in (await client.table(table_id)).seats)

        await eventually(is_somebody_away)


def test_who_is_late_is_told_and_has_the_seat_again(served: Supervised, tmp_path: Path) -> None:
    person = Person(served, tmp_path, "agora", "--seats", "me,greedy,greedy", "--clock", "0.3", "--name", "Late")
    assert person.read()
    choice = str(person.choices()[0])
    table = re.search(r"Table (\w+)", person.screen)
    assert table is not None
    person.expect("Your time is up; a bot plays on until you are back")
    person.expect("plays in your seat now")
    person.expect("Press Enter, and it is yours again; q leaves")
    asyncio.run(_until_a_bot_plays_on(served, table[1]))
    person.type(choice)
    person.expect("You are back")
    person.hang_up()


def test_whose_seat_is_given_to_a_bot_is_told_at_once_and_has_it_again_by_a_key(
    served: Supervised, tmp_path: Path
) -> None:
    person = Person(served, tmp_path, "barcelona", "--seats", "me,greedy", "--name", "Slow")
    assert person.read()
    table = re.search(r"Table (\w+)", person.screen)
    assert table is not None
    operator = [*BGB, "table", table[1], "--data", str(served.data), "seat", "0", "bot", "greedy", "--reason", "asleep"]
    subprocess.run(operator, check=True, capture_output=True)
    person.expect("has been given the seat: asleep")
    person.expect("plays in your seat now")
    person.expect("Press Enter, and it is yours again; q leaves")
    person.expect(r"\(Purple\) placed citizens")
    person.type("")
    person.expect("You are back")
    assert person.read(), "and is asked again"
    assert person.choices()
    person.hang_up()


def test_a_code_nobody_has(served: Supervised, tmp_path: Path) -> None:
    person = Person(served, tmp_path, "--room", "ACDEFG")
    person.expect("no table has the code 'ACDEFG'")
    assert person.close() == 1
