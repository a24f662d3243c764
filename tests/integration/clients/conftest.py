"""A running platform for the clients, and what it knows of their games."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from boardgamesbot.client import BlockingClient
from boardgamesbot.v1 import games_pb2, tables_pb2
from tests.support.platform import Serve, Supervised

ROOT = Path(__file__).parents[3]
PYTHON = sys.executable
GAME_SECONDS = 90.0
TURNS = {3: 15, 4: 12}
"""How many turns each player has in a game of Agora, by the number of players."""


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Supervised]:
    with Serve(tmp_path_factory.mktemp("serve")) as supervised:
        yield supervised


@pytest.fixture
def witness(served: Supervised) -> Iterator[BlockingClient]:
    """Somebody else, who sees what everybody may."""
    with BlockingClient(served.rules, bots=served.bots, matchmaking=served.matchmaking) as client:
        client.sign_in("Witness")
        yield client


def environment(served: Supervised, **more: str) -> dict[str, str]:
    """This process's environment, in which the platform is the usual one."""
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT / "services"), os.environ.get("PYTHONPATH", "")])),
        "BGB_RULES_ADDRESS": served.rules,
        "BGB_BOTS_ADDRESS": served.bots,
        "BGB_MATCHMAKING_ADDRESS": served.matchmaking,
        **more,
    }


def start(command: Sequence[str], env: Mapping[str, str], folder: Path = ROOT) -> subprocess.Popen[str]:
    """A client as a process."""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, env=dict(env), cwd=folder, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True
    )


def end_of(process: subprocess.Popen[str]) -> list[str]:
    """What a client said to its end, which must be a good one."""
    try:
        out, err = process.communicate(timeout=GAME_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        raise AssertionError(f"not at its end after {GAME_SECONDS:g} s: {out[-500:]}\n{err[-2000:]}") from None
    assert process.returncode == 0, err[-2000:]
    return out.splitlines()


@dataclass(frozen=True)
class Game:
    """A finished game, as the platform has it."""

    table: tables_pb2.Table
    record: games_pb2.GameRecord
    seat: int

    @property
    def moves(self) -> int:
        """How many moves the player made."""
        return sum(move.seat == self.seat for move in self.record.moves)


def finished(witness: BlockingClient, table_id: str, name: str) -> Game:
    """The finished game of a table, for the player of that name."""
    table = witness.table(table_id)
    assert table.status == tables_pb2.TABLE_STATUS_FINISHED
    (seat,) = (one.seat for one in table.seats if one.player.name == name)
    return Game(table, witness.record(table_id), seat)


def want_whole_game(said: Sequence[str], game: Game) -> None:
    """What a client said is the game that was played: each of its moves once, then the points."""
    *moves, points = said
    assert points == f"Points: {' '.join(map(str, game.table.summary.points))}"
    assert len(moves) == game.moves > 12
    assert sum(line.startswith(("Play ", "Discard ")) for line in moves) == TURNS[len(game.table.seats)]
    assert all(re.match(r"(Take|Play|Discard|Walk|Draw|Hand|Put|Choose) ", line) for line in moves), moves
