"""The clients of `clients/`: each plays a whole game, and one goes on when the servers were gone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from boardgamesbot.client import BlockingClient
from boardgamesbot.v1 import tables_pb2
from tests.integration.clients.conftest import ROOT, end_of, environment, finished, start, want_whole_game
from tests.support.platform import Supervised, until

CLIENTS = ROOT / "clients"
BUILD_SECONDS = 300
GO = Path(sys.executable).with_name("go")

pytestmark = [pytest.mark.xdist_group("clients"), pytest.mark.timeout(BUILD_SECONDS + 120)]

Command = Callable[[Supervised], list[str]]


@pytest.fixture(scope="module")
def go_bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Go client, built by the Go of the developers' tools with nothing from anywhere."""
    program = tmp_path_factory.mktemp("go") / "bot"
    cache = Path(sys.prefix) / "go-build"
    env = {
        "HOME": str(cache),
        "PATH": os.defpath,
        "GOCACHE": str(cache),
        "GOTOOLCHAIN": "local",
        "GOPROXY": "off",
        "GOFLAGS": "-buildvcs=false",
        "CGO_ENABLED": "0",
    }
    built = subprocess.run(
        [str(GO), "build", "-o", str(program), "."],
        cwd=CLIENTS / "go",
        env=env,
        capture_output=True,
        text=True,
        timeout=BUILD_SECONDS,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    return program


def node(served: Supervised) -> list[str]:
    return [str(ROOT / "web" / "with-node"), "node", str(CLIENTS / "node" / "bot.mjs"), served.page]


def shell(served: Supervised) -> list[str]:
    return ["sh", str(CLIENTS / "shell" / "play.sh"), served.page]


def only_table_of(witness: BlockingClient, name: str, known: set[str]) -> str:
    """The table that a newcomer of that name has opened, once the game is on."""
    found: list[str] = []

    def is_there() -> bool:
        found[:] = [
            table.id
            for table in witness.tables("agora")
            if table.id not in known
            and table.status == tables_pb2.TABLE_STATUS_PLAYING
            and any(seat.player.name == name for seat in table.seats)
        ]
        return len(found) == 1

    until(is_there, f"{name}'s game is on")
    return found[0]


@pytest.fixture
def known(witness: BlockingClient) -> set[str]:
    """The tables that there are already."""
    return {table.id for table in witness.tables()}


@pytest.mark.parametrize(("name", "command"), [("Node", node), ("Shell", shell)])
def test_a_whole_game_over_http(
    name: str, command: Command, served: Supervised, witness: BlockingClient, known: set[str]
) -> None:
    process = start(command(served), environment(served))
    table_id = only_table_of(witness, name, known)
    want_whole_game(end_of(process), finished(witness, table_id, name))


def test_a_whole_game_in_go_from_the_protos_alone(
    go_bot: Path, served: Supervised, witness: BlockingClient, known: set[str]
) -> None:
    process = start([str(go_bot), served.rules, served.bots], environment(served))
    table_id = only_table_of(witness, "Go", known)
    want_whole_game(end_of(process), finished(witness, table_id, "Go"))


def test_go_ends_with_the_words_of_the_server(go_bot: Path, served: Supervised) -> None:
    """A server that does not know the method refuses for good: nothing is sent again."""
    process = start([str(go_bot), served.bots, served.rules], environment(served))
    _, said = process.communicate(timeout=30)
    assert process.returncode == 1
    assert "gRPC status 12" in said


@pytest.mark.parametrize(
    ("name", "killed"), [("Node", "gateway"), ("Node", "rules"), ("Shell", "gateway"), ("Go", "rules")]
)
def test_it_goes_on_when_a_server_was_gone(
    name: str, killed: str, request: pytest.FixtureRequest, served: Supervised, witness: BlockingClient, known: set[str]
) -> None:
    if name == "Go":
        bot = [str(request.getfixturevalue("go_bot")), served.rules, served.bots]
    else:
        bot = {"Node": node, "Shell": shell}[name](served)
    process = start(bot, environment(served))
    table_id = only_table_of(witness, name, known)
    served.kill(killed)
    want_whole_game(end_of(process), finished(witness, table_id, name))


def test_the_node_bot_is_there_for_others(served: Supervised, witness: BlockingClient) -> None:
    made = witness.create_bot_account("Knight")
    bot = start(node(served), environment(served, BGB_TOKEN=made.token))
    try:
        until(lambda: "Knight" in {one.player.name for one in witness.outside_bots("agora")}, "the bot is online")
        table = witness.start_against("agora", made.account.player.id, "greedy")
        for turn in witness.turns(table.id):
            assert turn.moves[0].play()
        assert finished(witness, table.id, "Knight").moves > 12
    finally:
        bot.terminate()
        out, _ = bot.communicate(timeout=10)
    assert f"Knight is there: seat {made.account.player.id}" in out


def test_the_shell_says_what_it_lacks(tmp_path: Path) -> None:
    for program in ("sh", "sed", "awk", "od"):
        (tmp_path / program).symlink_to(str(shutil.which(program)))
    script = str(CLIENTS / "shell" / "play.sh")
    ran = subprocess.run(
        ["/bin/sh", script], env={"PATH": str(tmp_path)}, capture_output=True, text=True, timeout=30, check=False
    )
    assert ran.returncode == 1
    assert "needs curl" in ran.stderr


def test_the_shell_says_where_no_platform_is(served: Supervised) -> None:
    host = f"{served.page}/nowhere"
    process = start(["sh", str(CLIENTS / "shell" / "play.sh"), host], environment(served))
    _, said = process.communicate(timeout=30)
    assert process.returncode == 1
    assert f"no platform answers at {host}" in said
