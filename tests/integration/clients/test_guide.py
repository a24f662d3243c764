"""The guide's bot that others can seat, as it is written."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from boardgamesbot.client import BlockingClient
from tests.integration.clients.conftest import PYTHON, ROOT, environment, finished, start
from tests.support.platform import Supervised, until

GUIDE = ROOT / "docs" / "write-a-client.md"

pytestmark = pytest.mark.xdist_group("clients")


def rook(served: Supervised, folder: Path) -> subprocess.Popen[str]:
    (text,) = (
        one for one in re.findall(r"```python\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL) if "turns_as_bot" in one
    )
    (folder / "rook.py").write_text(text.replace("127.0.0.1:7410", served.rules))
    return start([PYTHON, "rook.py"], environment(served), folder)


def id_said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    said = re.fullmatch(r"Rook is there: seat ([\w-]+)\n", process.stdout.readline())
    assert said
    return said[1]


def test_it_is_seated_and_plays_and_comes_back_as_itself(
    served: Supervised, witness: BlockingClient, tmp_path: Path
) -> None:
    first = rook(served, tmp_path)
    try:
        account_id = id_said(first)
    finally:
        first.kill()
        first.communicate()
    again = rook(served, tmp_path)
    try:
        assert id_said(again) == account_id
        until(lambda: account_id in {one.player.id for one in witness.outside_bots("barcelona")}, "the bot is online")
        table = witness.start_against("agora", account_id, "random")
        for turn in witness.turns(table.id):
            turn.moves[0].play()
        assert finished(witness, table.id, "Rook").moves > 12
    finally:
        again.kill()
        again.communicate()
