"""Figures of one's own from the command line: printed, checked, played with, and refused where they are bad."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from boardgamesbot.client import Client
from boardgamesbot.games import registry
from boardgamesbot.v1 import tables_pb2
from tests.support.platform import Serve, Supervised, until

BGB = [sys.executable, "-m", "boardgamesbot"]
GUIDE = Path("docs/rulesets.md")
SECONDS = 90

pytestmark = pytest.mark.xdist_group("serve")


def bgb(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **environment}
    return subprocess.run([*BGB, *words], capture_output=True, text=True, env=env, check=False, timeout=SECONDS)


def edited(file: Path, **figures: object) -> Path:
    """The ruleset of Barcelona as printed, with other figures for what each begins with."""
    document: dict[str, Any] = json.loads(bgb("ruleset", "barcelona", "--part", "players").stdout)
    document["players"]["start"] |= figures
    file.write_text(json.dumps(document, ensure_ascii=False))
    return file


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return edited(tmp_path / "mine.json", coins=2, source="own")


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    return edited(tmp_path / "bad.json", coins=-2)


@pytest.mark.parametrize("game_id", registry.KINDS)
def test_what_is_printed_is_sound_and_changes_nothing(game_id: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(bgb("ruleset", game_id).stdout)
    checked = bgb("ruleset", "check", str(file))
    assert checked.returncode == 0
    assert f"a ruleset of {game_id}, hash {registry.CODECS.load(game_id).hash}" in checked.stdout
    assert "no values other than shipped" in checked.stdout


def test_check_says_what_a_file_changes(mine: Path) -> None:
    checked = bgb("ruleset", "check", str(mine))
    assert checked.returncode == 0
    assert "  players.start.coins: 2, shipped: 1\n" in checked.stdout
    assert "2 values other than shipped" in checked.stdout


def test_the_ruleset_in_use_is_the_one_named(mine: Path) -> None:
    for shown in (
        bgb("ruleset", "barcelona", "--part", "players", "--ruleset", str(mine)),
        bgb("ruleset", "barcelona", "--part", "players", BGB_RULESET=str(mine)),
    ):
        assert json.loads(shown.stdout)["players"]["start"]["coins"] == 2
    assert bgb("ruleset", "barcelona", "--part", "player").returncode == 2


def test_the_guide_lists_what_is_reconstructed() -> None:
    listed = bgb("ruleset", "barcelona", "--source", "reconstructed").stdout
    assert f"```text\n{listed}```" in GUIDE.read_text("utf-8"), "put what the command prints into the guide"


@pytest.mark.parametrize(
    "words",
    [
        ["ruleset", "check"],
        ["ruleset", "barcelona", "--ruleset"],
        ["serve", "--ruleset"],
        ["play", "barcelona", "--ruleset"],
        ["simulate", "barcelona", "--ruleset"],
        ["rules", "--ruleset"],
        ["bots", "--ruleset"],
        ["dispatcher", "--ruleset"],
        ["worker", "--ruleset"],
    ],
    ids=lambda words: " ".join(words),
)
def test_a_bad_file_is_refused_in_one_line_before_anything_starts(words: list[str], bad: Path, tmp_path: Path) -> None:
    refused = bgb(*words, str(bad), BGB_DATA=str(tmp_path / "data"))
    assert refused.returncode == 2
    assert refused.stderr == f"Error: {bad}: players.start.coins: must be at least 0, not -2\n"
    assert not refused.stdout
    assert not (tmp_path / "data").exists()


def test_a_bad_file_in_the_environment_is_refused_too(bad: Path) -> None:
    refused = bgb("rules", BGB_RULESET=str(bad))
    assert refused.returncode == 2
    assert f"{bad}: players.start.coins: " in refused.stderr


def test_simulate_plays_with_the_figures(tmp_path: Path) -> None:
    """Far more points for a row of blocks, in every process that plays."""
    document: dict[str, Any] = json.loads(bgb("ruleset", "barcelona", "--part", "board").stdout)
    document["board"]["row_bonus"]["vp"] = 99
    file = tmp_path / "rich.json"
    file.write_text(json.dumps(document))
    words = ["simulate", "barcelona", "--seats", "random", "--games", "4", "--jobs", "2"]

    def points(*more: str) -> float:
        row = re.search(r"random .* all .*", bgb(*words, *more).stdout)
        assert row
        return float(row.group().split("│")[5])

    assert points("--ruleset", str(file)) > points() + 100


async def _game_of_bots(served: Supervised) -> tables_pb2.Table:
    async with Client(served.rules, bots=served.bots) as client:
        await client.sign_in("Host")
        table = await client.create_table("barcelona", 2)
        for seat in range(2):
            await client.seat_bot(table.id, "random", seat)
        await client.start(table.id)
        first = await client.view(table.id)
        async with asyncio.timeout(SECONDS):
            async for change in client.watch(table.id):
                if change.HasField("table"):
                    table = change.table
        assert first.table.ruleset_hash == table.ruleset_hash
        return table


def test_serve_plays_with_the_figures_and_keeps_them_for_its_tables(mine: Path, tmp_path: Path) -> None:
    checked = bgb("ruleset", "check", str(mine)).stdout
    own = checked.partition("hash ")[2].split()[0]
    with Serve(tmp_path, "--ruleset", str(mine)) as served:
        assert f"barcelona with ruleset {own[:12]}, not the one shipped" in (tmp_path / "out").read_text()
        kept = served.data / "rulesets" / f"barcelona-{own[:12]}.json"
        assert json.loads(kept.read_text())["players"]["start"]["coins"] == 2
        mine.write_text("no longer a ruleset")
        _kill_and_wait(served, "worker-quick")
        table = asyncio.run(_game_of_bots(served))
        assert table.status == tables_pb2.TABLE_STATUS_FINISHED
        assert table.ruleset_hash == own
        record = tmp_path / "game.json"
        fetched = bgb("record", table.id, "--out", str(record), "--rules-address", served.rules)
        assert fetched.returncode == 0, fetched.stderr

    found = bgb("replay", str(record), "--verify")
    assert found.returncode == 1
    assert f"played with ruleset {own[:12]}, not with the one in use here" in re.sub(r"\s+", " ", found.stdout)
    assert "--ruleset FILE" in found.stdout
    sound = bgb("replay", str(record), "--verify", "--ruleset", str(kept))
    assert sound.returncode == 0, sound.stdout

    with Serve(tmp_path) as served:
        elsewhere = bgb("record", table.id, "--out", str(tmp_path / "there.json"), "--rules-address", served.rules)
        assert elsewhere.returncode == 0, "a record is what was written down, whoever reads it"
        assert (tmp_path / "there.json").read_text() == record.read_text()
        other = _play(served, tmp_path, "--ruleset", str(kept))
        assert other.returncode == 1
        assert f"--ruleset names {own[:12]}" in other.stderr

    with Serve(tmp_path, "--ruleset", str(kept)) as served:
        again = bgb("record", table.id, "--out", str(tmp_path / "again.json"), "--rules-address", served.rules)
        assert again.returncode == 0, again.stderr
        assert (tmp_path / "again.json").read_text() == record.read_text()
        taken = _play(served, tmp_path)
        assert taken.returncode == 0, taken.stderr
        assert "The table waits for you" in taken.stdout


def _kill_and_wait(served: Supervised, name: str) -> None:
    pid = served.kill(name)
    until(lambda: served.pids()[name] != pid, f"{name} is started again")


def _play(served: Supervised, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """`bgb play` by somebody who leaves at the first question."""
    addresses = ["--rules-address", served.rules, "--bots-address", served.bots]
    return subprocess.run(
        [*BGB, "play", "barcelona", "--seats", "me,random", *addresses, *words],
        input="q\n", capture_output=True, text=True, check=False, timeout=SECONDS,
        env={**os.environ, "HOME": str(home)},
    )  # fmt: skip
