"""The other commands: record and replay, doctor and health, and serve itself."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import click
import pytest
from click.testing import CliRunner

from boardgamesbot import __version__, compiled
from boardgamesbot.cli import main
from boardgamesbot.client import Client
from boardgamesbot.store.embedded import password_of
from tests.support.platform import Serve, Supervised, free_port_base, until

BGB = [sys.executable, "-m", "boardgamesbot"]

pytestmark = pytest.mark.xdist_group("serve")


def bgb(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **environment}
    return subprocess.run([*BGB, *words], capture_output=True, text=True, env=env, check=False)


def test_leaderboard_shows_where_the_bots_stand(served: Supervised) -> None:
    where = ["--rules-address", served.rules, "--matchmaking-address", served.matchmaking]
    shown = bgb("leaderboard", "agora", *where)
    assert shown.returncode == 0, shown.stderr
    for players in (3, 4, 5):
        assert f"Agora Barcelona, {players} players" in shown.stdout
    assert len(re.findall(r"\d │ Greedy \(bot\) +│ +2028", shown.stdout)) == 3
    assert len(re.findall(r"1 │ Agora", shown.stdout)) == 3
    one = bgb("leaderboard", "agora", "--players", "4", "--top", "1", *where)
    assert "4 players" in one.stdout
    assert "1 │ Agora" in one.stdout
    assert "3 players" not in one.stdout
    assert "Greedy" not in one.stdout


def test_leaderboard_refuses_a_number_of_players_the_game_is_not_for() -> None:
    refused = CliRunner().invoke(main, ["leaderboard", "agora", "--players", "2"])
    assert refused.exit_code == 2
    assert "must be 3 to 5" in refused.output


def test_record_fetches_a_finished_game_and_replay_finds_what_was_bent(served: Supervised, tmp_path: Path) -> None:
    table_id = asyncio.run(_game_of_bots(served))
    file = tmp_path / "game.json"
    fetched = bgb("record", table_id, "--out", str(file), "--rules-address", served.rules)
    assert fetched.returncode == 0, fetched.stderr
    assert bgb("replay", str(file), "--verify").returncode == 0
    piped = bgb("record", table_id, "--rules-address", served.rules)
    assert piped.stdout == file.read_text(), "nothing but the record"
    assert re.search(r"^\d+ moves$", piped.stderr, re.MULTILINE)

    record = json.loads(file.read_text())
    record["result"]["points"][0] += 1
    bent = tmp_path / "bent.json"
    bent.write_text(json.dumps(record))
    found = bgb("replay", str(bent), "--verify")
    assert found.returncode == 1
    assert "result.points" in found.stdout

    bent.write_text("not a record")
    refused = bgb("replay", str(bent))
    assert refused.returncode == 1
    assert "is not a record" in refused.stderr


async def _game_of_bots(served: Supervised) -> str:
    async with Client(served.rules, bots=served.bots) as client:
        await client.sign_in("Host")
        table = await client.create_table("agora", 3)
        for seat in range(3):
            await client.seat_bot(table.id, "random", seat)
        await client.start(table.id)
        async for _ in client.watch(table.id):
            pass
        return table.id


def test_record_of_a_game_that_is_not_over_is_refused(served: Supervised) -> None:
    async def open_table() -> str:
        async with Client(served.rules) as client:
            await client.sign_in("Host")
            return (await client.create_table("agora", 3)).id

    refused = bgb("record", asyncio.run(open_table()), "--rules-address", served.rules)
    assert refused.returncode == 1
    assert "once the game is over" in refused.stderr


def test_doctor_and_health_tell_the_well_from_the_ill(served: Supervised, tmp_path: Path) -> None:
    addresses = [
        *("--rules-address", served.rules),
        *("--bots-address", served.bots),
        *("--matchmaking-address", served.matchmaking),
        *("--gateway-address", served.page.removeprefix("http://")),
        *("--page", str(tmp_path)),
    ]
    (tmp_path / "index.html").write_text("a page")
    well = bgb("doctor", *addresses, HOME=str(tmp_path), BGB_DATA=str(served.data))
    assert well.returncode == 0, well.stdout
    assert "Redis in use: redis://:***@127.0.0.1:" in well.stdout
    assert password_of(served.data / "redis") not in well.stdout + well.stderr
    assert f"engines: {compiled.describe()}" in well.stdout
    ill = bgb("doctor", *addresses, "--redis-url", "redis://127.0.0.1:1/0", HOME=str(tmp_path))
    assert ill.returncode == 1
    assert re.search(r"no\s+Redis in use: redis://127.0.0.1:1/0 does not answer", ill.stdout)
    (tmp_path / "index.html").unlink()
    ill = bgb("doctor", *addresses, "--gateway-address", "127.0.0.1:1", HOME=str(tmp_path))
    assert re.search(r"no\s+gateway: 127.0.0.1:1 does not answer", ill.stdout)
    assert re.search(r"no\s+page: .* holds no built page: `make web`", " ".join(ill.stdout.split()))
    assert bgb("health", served.rules).returncode == 0
    assert bgb("health", served.page).returncode == 0
    for nobody in ("127.0.0.1:1", "http://127.0.0.1:1"):
        assert bgb("health", nobody).returncode == 1


def test_serve_says_where_the_page_is_and_serves_it(served: Supervised) -> None:
    said = (served.data.parent / "out").read_text().splitlines()
    first = next(line for line in said if not line.startswith("not ready yet"))
    assert served.page.replace("127.0.0.1", "localhost") in first
    with urlopen(f"{served.page}/readyz", timeout=5) as answer:
        servers = json.load(answer)["servers"]
    assert servers == {"rules": "serving", "bots": "serving", "matchmaking": "serving"}


def test_the_version_says_whether_the_engines_are_compiled() -> None:
    assert bgb("--version").stdout == f"bgb, version {__version__}, {compiled.describe()}\n"


def test_a_second_serve_on_the_same_data_is_refused(served: Supervised) -> None:
    refused = bgb("serve", "--data", str(served.data), "--port-base", str(free_port_base()))
    assert refused.returncode == 1
    assert "another `bgb serve` is using" in refused.stderr


def test_serve_says_which_port_is_taken(tmp_path: Path) -> None:
    base = free_port_base()
    with socket.create_server(("127.0.0.1", base)):
        refused = bgb("serve", "--data", str(tmp_path / "data"), "--port-base", str(base))
    assert refused.returncode == 1
    assert "cannot listen" in refused.stderr
    assert str(base) in refused.stderr


def test_serve_stops_cleanly_and_leaves_nothing_behind(tmp_path: Path) -> None:
    serve = Serve(tmp_path)
    with serve as supervised:
        pids = supervised.pids()
        programs = {"redis", "rules", "bots", "matchmaking", "dispatcher", "worker-quick", "worker-deep", "gateway"}
        assert set(pids) == programs
    assert serve._process is not None
    assert serve._process.returncode == 0
    until(lambda: not any(_lives(pid) for pid in pids.values()), "every program has ended", seconds=5)
    assert not (supervised.data / "processes.json").exists()
    assert not (supervised.data / "servers.json").exists()
    assert (tmp_path / "out").read_text().splitlines()[-2:] == ["stopping …", "stopped"]
    log = (tmp_path / "log").read_text()
    assert "shutdown" not in log, "Celery says so itself, if it is let"
    assert "Restoring" not in log


def test_other_commands_find_the_servers_of_a_serve_on_other_ports(served: Supervised) -> None:
    out = (served.data.parent / "out").read_text()
    assert f"play agora --seats me,greedy,greedy,greedy --data {served.data}" in out
    shown = bgb("leaderboard", "agora", "--players", "4", "--data", str(served.data))
    assert shown.returncode == 0, shown.stderr
    said = bgb("record", "no-such-table", BGB_DATA=str(served.data))
    assert "there is no table" in said.stderr
    doctor = bgb("doctor", "--data", str(served.data), "--page", str(served.data))
    assert f"rules server: {served.rules} is serving" in doctor.stdout
    assert f"gateway: {served.page} is serving" in doctor.stdout


def test_nothing_outlives_a_serve_that_was_killed(tmp_path: Path) -> None:
    serve = Serve(tmp_path)
    supervised = serve.__enter__()
    pids = supervised.pids()
    assert serve._process is not None
    serve._process.send_signal(signal.SIGKILL)
    serve._process.wait()
    until(lambda: not any(_lives(pid) for pid in pids.values()), "every program has ended", seconds=10)


def _lives(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_a_bad_setting_stops_a_program_at_once() -> None:
    refused = bgb("rules", BGB_SLOTS="many")
    assert refused.returncode == 1
    assert "BGB_SLOTS must be a number" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_every_command_has_a_help_text() -> None:
    names = main.list_commands(click.Context(main))
    assert {"play", "serve", "rules", "record", "health"} <= set(names)
    for name in names:
        command = main.get_command(click.Context(main), name)
        assert command is not None
        assert command.name == name
        result = CliRunner().invoke(main, [name, "--help"])
        assert result.exit_code == 0
        assert command.help, name


def test_a_command_brings_in_nothing_but_what_it_needs() -> None:
    """Whoever asks for the version does not wait for servers, games and Celery."""
    told = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "boardgamesbot", "--version"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    for heavy in ("grpc", "celery", "redis", "boardgamesbot.games"):
        assert f" {heavy}\n" not in told.stderr
    assert " click\n" in told.stderr
