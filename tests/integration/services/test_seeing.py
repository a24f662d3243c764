"""What those who run the platform see of it: metrics, traces and logs of every program, and nothing that is secret."""

from __future__ import annotations

import json
import os
import re
import secrets
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from boardgamesbot.bots.queues import ALL
from boardgamesbot.runtime import metrics
from boardgamesbot.store.embedded import HOST, EmbeddedServer, free_port
from tests.support.bots import TOKEN_KEY
from tests.support.collector import Collector, Seen, collecting
from tests.support.platform import Platform, until

pytestmark = pytest.mark.xdist_group("seeing")

PROGRAMS = ("rules", "bots", "matchmaking", "dispatcher", "worker", "gateway")
STRANGE = "tests.support.strange_bots"
CLICK = "4bf92f3577b34da6a3ce929d0e0e4736"
"""The trace that the player's browser is in."""
SECONDS = 60.0


@dataclass
class Player:
    """A person at the gateway, with a seat at a table."""

    address: str
    token: str = ""
    table_id: str = ""
    moves: int = 0
    """How many moves of theirs were accepted."""

    def call(self, method: str, message: dict[str, Any], **headers: str) -> dict[str, Any]:
        """Call a method; a refusal is given as what Connect makes of it."""
        request = Request(
            f"{self.address}/boardgamesbot.v1.{method}",
            json.dumps(message).encode(),
            {"content-type": "application/json", "authorization": f"Bearer {self.token}", **headers},
        )
        try:
            with urlopen(request, timeout=30) as answer:
                return dict(json.load(answer))
        except HTTPError as error:
            return dict(json.load(error))

    def view(self) -> dict[str, Any]:
        """The position as it may be known."""
        return self.call("TableService/GetView", {"tableId": self.table_id})

    def submit(self, version: int, move: dict[str, Any], **headers: str) -> dict[str, Any]:
        """Play a move on seat 0."""
        asked = {"tableId": self.table_id, "seat": 0, "version": version, "move": move}
        answer = self.call("TableService/SubmitMove", asked | {"requestId": secrets.token_hex(8)}, **headers)
        self.moves += "version" in answer
        return answer

    def play(self, **headers: str) -> int:
        """Wait for one's turn and play the first legal move; gives the version it led to."""
        now = self.my_turn()
        legal = self.call("TableService/ListLegalMoves", {"tableId": self.table_id})["moves"]
        answer = self.submit(int(now["version"]), legal[0]["move"], **headers)
        assert "version" in answer, answer
        return int(answer["version"])

    def my_turn(self) -> dict[str, Any]:
        """The position, once the decision is seat 0's."""
        now: dict[str, Any] = {}

        def is_mine() -> bool:
            nonlocal now
            now = self.view()
            return int(now["summary"].get("actor", 0)) == 0

        until(is_mine, "the bots have played", SECONDS)
        return now


@dataclass
class Running:
    """The platform, its player, and where each program answers those who run it."""

    platform: Platform
    player: Player
    collector: Collector
    ports: dict[str, int]

    def page(self, program: str, path: str = "/metrics") -> tuple[int, str]:
        """Status and text of a program's page for those who run it; 0 where nobody answers."""
        try:
            with urlopen(f"http://{HOST}:{self.ports[program]}{path}", timeout=10) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as error:
            return error.code, error.read().decode()
        except URLError:
            return 0, ""

    def value(self, program: str, name: str, **labels: str) -> float:
        """The sum of a metric's values with these labels, among others; 0 where there is none."""
        return sum(
            sample.value
            for family in text_string_to_metric_families(self.page(program)[1])
            for sample in family.samples
            if sample.name == name and labels.items() <= sample.labels.items()
        )


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A person's game against a bot and one whose process breaks down at every decision, and a move refused."""
    folder = tmp_path_factory.mktemp("seeing")
    ports = {program: free_port() for program in PROGRAMS}
    with (
        collecting() as (collector, address),
        EmbeddedServer(folder / "redis", appendfsync="everysec") as redis,
        Platform(
            redis.url,
            folder,
            token_key=TOKEN_KEY,
            log_format="json",
            log_level="debug",
            traces=f"grpc://{address}",
            worker_processes=1,
            bot_think_seconds=1.0,
        ) as platform,
    ):
        for program in PROGRAMS:
            module = STRANGE if program in ("bots", "dispatcher", "worker") else "boardgamesbot"
            platform.start(program, module=module, BGB_METRICS_LISTEN=f"{HOST}:{ports[program]}")
        player = Player(f"http://{platform.settings.gateway_address}")
        running = Running(platform, player, collector, ports)
        until(lambda: running.page("worker", "/readyz")[0] == 200, "the worker is ready")
        _play(player)
        yield running


def _play(player: Player) -> None:
    player.token = player.call("PlayerService/CreateGuest", {"name": "Núria"})["token"]
    table = player.call("TableService/CreateTable", {"gameId": "agora", "players": 3, "requestId": "one"})["table"]
    player.table_id = table["id"]
    player.call("TableService/TakeSeat", {"tableId": table["id"], "seat": 0})
    for seat, bot in ((1, "greedy"), (2, "breaking")):
        answer = player.call("BotService/SeatBot", {"tableId": table["id"], "seat": seat, "bot": bot, "requestId": bot})
        assert answer.get("seat") == seat, answer
    started = player.call("TableService/StartTable", {"tableId": table["id"]})
    assert started["table"]["status"] == "TABLE_STATUS_PLAYING", started
    refused = player.submit(int(player.my_turn()["version"]), {"agora": {"discard": {"square": 60}}})
    assert refused["code"] == "failed_precondition", refused
    have_answered = 0
    while have_answered < 3:
        headers = {} if have_answered else {"traceparent": f"00-{CLICK}-00f067aa0ba902b7-01"}
        played = player.play(**headers)
        have_answered += int(player.my_turn()["version"]) > played


def test_every_program_answers_those_who_run_it(running: Running) -> None:
    for program in PROGRAMS:
        assert running.page(program, "/healthz") == (200, "ok\n"), program
        assert running.page(program, "/readyz") == (200, "ok\n"), program
        assert running.page(program, "/nothing")[0] == 404
        status, text = running.page(program)
        assert status == 200
        assert "process_cpu_seconds_total" in text, program
    with urlopen(f"{running.player.address}/metrics", timeout=10) as public:
        assert b"bgb_" not in public.read(), "players are not told"


def test_metrics_tell_what_was_played(running: Running) -> None:
    value = running.value
    assert value("rules", "bgb_moves_total", game="agora", by="person") == running.player.moves
    assert value("rules", "bgb_moves_total", game="agora", by="bot") >= 4
    assert value("rules", "bgb_table_changes_total", game="agora", change="started") == 1
    assert value("rules", "bgb_refusals_total", reason="ILLEGAL_MOVE") == 1
    assert value("rules", "bgb_rule_refusals_total") == 1
    assert value("rules", "bgb_calls_total", method="TableService/SubmitMove", code="FAILED_PRECONDITION") == 1
    moves = value("rules", "bgb_moves_total")
    assert value("rules", "bgb_call_seconds_count", method="TableService/SubmitMove") >= moves + 1
    assert value("rules", "bgb_commits_total", outcome="made") >= moves + 4
    assert value("rules", "bgb_redis_call_seconds_count") > 0
    submitted = {"method": "TableService/SubmitMove", "status": "200"}
    assert value("gateway", "bgb_gateway_requests_total", **submitted) == running.player.moves
    assert value("bots", "bgb_calls_total", method="BotService/SeatBot", code="OK") == 2


def test_metrics_of_a_worker_come_from_the_processes_it_forked(running: Running) -> None:
    value = running.value
    assert value("worker", "bgb_bot_turns_total", outcome="played") >= 4
    decided = "bgb_bot_decisions_total"
    told = [
        line for line in running.page("worker")[1].splitlines() if re.match("bgb_(bot_(turns|dec|fail)|metr)", line)
    ]
    assert value("worker", decided, bot="greedy") >= 2, told
    assert value("worker", decided, bot="greedy", answered="greedy") >= 1
    assert value("worker", "bgb_bot_failures_total", bot="breaking", kind="died") >= 1, "a thinker that died"
    assert value("worker", decided, bot="breaking") >= 2
    assert value("worker", decided, bot="breaking", answered="greedy") >= 1
    assert value("worker", "bgb_bot_decision_seconds_count") >= 4
    assert value("worker", "bgb_task_wait_seconds_count", task="turn") >= 4
    assert value("worker", "bgb_worker_processes") >= 3, "the worker, its process, a nursery"
    assert value("worker", "bgb_metrics_lost_total") == 0


def test_the_dispatcher_tells_of_the_whole_platform(running: Running) -> None:
    until(lambda: running.value("dispatcher", "bgb_tables", game="agora", status="playing") == 1, "the table counts")
    value = running.value
    assert value("dispatcher", "bgb_tables", game="agora", status="open") == 0, "a table counts once"
    assert value("dispatcher", "bgb_dispatched_total", kind="bot_turn") >= 4
    assert value("dispatcher", "bgb_handoff_seconds_count") >= 4
    assert value("dispatcher", "bgb_redis_up") == 1
    assert value("dispatcher", "bgb_redis_memory_bytes") > 100_000
    assert value("dispatcher", "bgb_redis_replicas") == 0
    queues = re.findall(r'^bgb_queue_tasks\{queue="([^"]+)"', running.page("dispatcher")[1], re.MULTILINE)
    assert sorted(queues) == list(ALL)


def test_one_trace_goes_from_the_click_to_the_bots_move(running: Running) -> None:
    wanted = {
        ("gateway", "HTTP TableService/SubmitMove"),
        ("rules", "TableService/SubmitMove"),
        ("rules", "commit"),
        ("dispatcher", "hand over"),
        ("worker", "turn"),
        ("worker", "decide"),
    }
    collector = running.collector
    until(lambda: wanted <= {(s.program, s.name) for s in collector.spans(CLICK)}, "the click's trace", SECONDS)
    chains: list[list[Seen]] = []

    def has_come() -> bool:
        by_id = {span.id: span for span in collector.spans(CLICK)}
        chains[:] = [_up(by_id, span) for span in _named(collector, "commit")]
        return any(chain[-1].name == "HTTP TableService/SubmitMove" and len(chain) > 3 for chain in chains)

    until(has_come, "the bot's move in the click's trace", SECONDS)
    by_id = {span.id: span for span in collector.spans(CLICK)}
    chain = [(span.program, span.name) for span in max(chains, key=len)]
    assert chain == [
        ("rules", "commit"),
        ("rules", "TableService/SubmitMove"),
        ("worker", "turn"),
        ("dispatcher", "hand over"),
        ("rules", "TableService/SubmitMove"),
        ("gateway", "HTTP TableService/SubmitMove"),
    ]
    turn = next(span for span in by_id.values() if span.name == "turn")
    assert turn.attributes["bgb.table"] == running.player.table_id
    assert turn.attributes["bgb.outcome"] == "played"


def test_the_next_bots_turn_begins_a_trace_that_points_back(running: Running) -> None:
    collector = running.collector
    until(lambda: any(CLICK in span.links for span in collector.spans()), "a trace that points back", SECONDS)
    assert len(_named(collector, "turn")) == 1, "one bot's turn belongs to the click"
    onward = next(span for span in collector.spans() if CLICK in span.links)
    assert (onward.program, onward.name) == ("dispatcher", "hand over")
    assert onward.trace != CLICK


def test_a_refusal_is_named_in_its_span(running: Running) -> None:
    refused = [span for span in running.collector.spans() if span.failed]
    assert {"ILLEGAL_MOVE"} <= {span.failed for span in refused}


def _named(collector: Collector, name: str) -> list[Seen]:
    return [span for span in collector.spans(CLICK) if span.name == name]


def _up(by_id: dict[str, Seen], span: Seen) -> list[Seen]:
    found = [span]
    while found[-1].parent in by_id:
        found.append(by_id[found[-1].parent])
    return found


def test_logs_of_every_program_are_json_with_tables_and_calls(running: Running) -> None:
    about: dict[str, list[dict[str, Any]]] = {}
    for program in PROGRAMS:
        lines = running.platform.log(program).splitlines()
        assert lines, program
        about[program] = [json.loads(line) for line in lines]
        for line in about[program]:
            assert line["program"] == program, line
            assert {"event", "level", "timestamp", "logger"} <= line.keys(), line
    table_id = running.player.table_id
    refused = [line for line in about["rules"] if line["event"] == "call refused" and line["reason"] == "ILLEGAL_MOVE"]
    assert len(refused) == 1
    for line in refused:
        assert line["table"] == table_id
        assert line["method"] == "TableService/SubmitMove"
        assert len(line["trace"]) == 32
        passed_on = [one for one in about["gateway"] if one["event"] == "request" and one["call"] == line["call"]]
        assert [one["path"] for one in passed_on] == ["/boardgamesbot.v1.TableService/SubmitMove"]
    turns = [line for line in about["worker"] if line["event"] == "turn"]
    assert turns
    assert all(line["table"] == table_id and line["task"] and line["bot"] for line in turns)
    assert any(line.get("trace") == CLICK for line in turns)


def test_nothing_secret_is_seen(running: Running) -> None:
    player = running.player
    everything = b"\n".join(
        [
            *running.collector.bytes,
            *(running.page(program)[1].encode() for program in PROGRAMS),
            *(running.platform.log(program).encode() for program in PROGRAMS),
        ]
    )
    for secret in (player.token, TOKEN_KEY, player.token.rpartition(".")[2]):
        assert secret.encode() not in everything
    told = b"".join(running.page(program)[1].encode() for program in PROGRAMS)
    assert player.table_id.encode() not in told, "labels name no table"
    assert b"guest-" not in told, "nor a player"
    bodies = b"".join(running.collector.bytes)
    assert b"guest-" not in bodies, "spans name no player"
    assert b"square" not in bodies, "nor what was played"


def test_every_metric_is_kept_by_the_programs_that_say_so(running: Running) -> None:
    told = {program: running.page(program)[1] for program in PROGRAMS}
    for metric in metrics.ALL.values():
        assert all(f"# HELP {metric.name.removesuffix('_total')}" in text for text in told.values()), metric.name


def test_a_killed_process_of_a_worker_loses_no_count(running: Running) -> None:
    before = running.value("worker", "bgb_bot_turns_total")
    assert running.page("worker")[0] == 200
    children = _children(running.platform.pid("worker"))
    os.kill(next(child for child in children if _children(child)), signal.SIGKILL)  # the one that plays turns
    played = running.player.play()
    while int(running.player.my_turn()["version"]) == played:
        played = running.player.play()
    assert running.value("worker", "bgb_bot_turns_total") > before, "the next process counts on"
    assert running.page("worker", "/healthz")[0] == 200


def _children(pid: int) -> list[int]:
    return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))
