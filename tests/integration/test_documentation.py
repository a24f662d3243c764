"""What the documentation says is so: its programs run as they are written, its tables are complete."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardgamesbot.client import Client
from boardgamesbot.v1 import tables_pb2
from tests.support.platform import Serve, Supervised

GUIDE = Path("docs/write-a-client.md")
HTTP_GUIDE = Path("docs/http.md")
SECONDS = 90

pytestmark = pytest.mark.xdist_group("serve")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Supervised]:
    with Serve(tmp_path_factory.mktemp("serve")) as supervised:
        yield supervised


def program(says: str, served: Supervised, folder: Path) -> list[str]:
    """The Python program of the guide that has these words, as a command, with nothing changed but the addresses."""
    (text,) = (one for one in re.findall(r"```python\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL) if says in one)
    file = folder / "program.py"
    for shown, real in (("7410", served.rules), ("7411", served.bots), ("7412", served.matchmaking)):
        text = text.replace(f"127.0.0.1:{shown}", real)
    file.write_text(text)
    return [sys.executable, str(file)]


def test_the_plain_client_plays_a_whole_game(served: Supervised, tmp_path: Path) -> None:
    played = subprocess.run(
        program("Plays a game of Agora", served, tmp_path), capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert played.returncode == 0, played.stderr
    assert re.search(r"Ada: \d+ points", played.stdout)
    assert re.search(r"Won: \w+", played.stdout)
    assert len(re.findall(r"^(?:Play|Discard) ", played.stdout, re.MULTILINE)) == 12


def test_the_bot_takes_an_open_seat_and_plays_a_whole_game(served: Supervised, tmp_path: Path) -> None:
    async def game() -> tables_pb2.Table:
        async with Client(served.rules, bots=served.bots) as host:
            await host.sign_in("Host")
            table = await host.create_table("agora", 3)
            for _ in range(2):
                await host.seat_bot(table.id, "random")
            bot = subprocess.Popen([*program("take_seat", served, tmp_path), table.id])
            try:
                async for change in host.watch(table.id):
                    if change.HasField("table"):
                        table = change.table
                        seated = all(seat.HasField("player") for seat in table.seats)
                        if seated and table.status == tables_pb2.TABLE_STATUS_OPEN:
                            await host.start(table.id)
            finally:
                bot.terminate()
                bot.wait()
            return table

    table = asyncio.run(asyncio.wait_for(game(), SECONDS))
    assert table.status == tables_pb2.TABLE_STATUS_FINISHED
    assert "My bot" in {seat.player.name for seat in table.seats}


def test_the_platform_of_its_own_has_a_whole_solo_game_played(served: Supervised, tmp_path: Path) -> None:
    played = subprocess.run(
        program("NewState", served, tmp_path), capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert played.returncode == 0, played.stderr
    who = [line.partition(":")[0] for line in played.stdout.splitlines()]
    assert who[-1] == "Points"
    assert set(who[:-1]) == {"greedy", "gaudi"}
    assert who.count("gaudi") > 8
    assert re.search(r"^Points: \d+ \d+$", played.stdout, re.MULTILINE)


def test_the_search_finds_a_table(served: Supervised, tmp_path: Path) -> None:
    found = subprocess.run(
        program("client.find", served, tmp_path), capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert found.returncode == 0, found.stderr
    assert re.search(r"^1 waiting$", found.stdout, re.MULTILINE)
    assert re.search(r"^seat \d at \w{14} with .*Ada", found.stdout, re.MULTILINE)


def test_the_examples_with_curl_work(served: Supervised, tmp_path: Path) -> None:
    blocks = re.findall(r"```sh\n(.*?)```", HTTP_GUIDE.read_text("utf-8"), re.DOTALL)
    script = "set -euo pipefail\n" + "echo\n".join(blocks).replace("http://localhost:8080", served.page)
    played = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert played.returncode == 0, played.stderr + played.stdout
    said = played.stdout
    assert '"name":"Ada","kind":"PLAYER_KIND_GUEST"' in said
    assert '{"result":{"version":"1"' in said
    assert '"reason":"TABLE_NOT_FOUND"' in said
    assert '"name":"Rook"' in said
    versions = [
        json.loads(line)["result"]["version"] for line in (tmp_path / "versions.jsonl").read_text().splitlines() if line
    ]
    assert versions == [str(number + 1) for number in range(len(versions))]
    if "moves" in (tmp_path / "legal.json").read_text():
        assert re.search(r'^\{"version":"\d+","summary":', said, re.MULTILINE)


def test_every_reason_of_a_refusal_is_in_the_guide() -> None:
    listed = set(re.findall(r"`([A-Z]+(?:_[A-Z]+)*)`", GUIDE.read_text("utf-8")))
    raised = set()
    for file in Path("services/boardgamesbot").rglob("*.py"):
        if file.parent.name != "v1":
            raised |= set(
                re.findall(
                    r"(?:precondition|denied|unauthenticated|unavailable|_exhausted|ApiError)\(\s*(?:grpc\.StatusCode\.\w+,\s*)?"
                    r'"([A-Z_]+)"',
                    file.read_text("utf-8"),
                )
            )
    assert len(raised) > 12
    assert raised <= listed, raised - listed


@pytest.mark.parametrize("file", ["README.md", "CONTRIBUTING.md", *map(str, Path("docs").rglob("*.md"))])
def test_links_lead_somewhere(file: str) -> None:
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", Path(file).read_text("utf-8")):
        if "://" not in target:
            assert (Path(file).parent / target).exists(), target
