"""Writes Grafana's dashboards: python tools/dashboards.py [FOLDER]. What they show is said here once, row by row."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "deploy" / "grafana" / "dashboards"
SOURCE = {"type": "prometheus", "uid": "prometheus"}
WIDTH, HEIGHT = 24, 8
RATE = "[$__rate_interval]"


@dataclass(frozen=True)
class Panel:
    """A picture of some queries: (query, legend)."""

    title: str
    queries: Sequence[tuple[str, str]]
    unit: str = "short"
    what: str = ""
    kind: str = "timeseries"
    width: int = 8


def by_quantile(name: str, condition: str = "", by: str = "") -> list[tuple[str, str]]:
    """The median, p99 and p99.9 of a histogram."""
    group = f"le, {by}" if by else "le"
    legend = f" {{{{{by}}}}}" if by else ""
    return [
        (f"histogram_quantile({q}, sum by ({group}) (rate({name}_bucket{condition}{RATE})))", f"{word}{legend}")
        for q, word in ((0.5, "p50"), (0.99, "p99"), (0.999, "p99.9"))
    ]


def rate(name: str, by: str, condition: str = "") -> list[tuple[str, str]]:
    """How much a second, by labels."""
    legend = " ".join(f"{{{{{label.strip()}}}}}" for label in by.split(","))
    return [(f"sum by ({by}) (rate({name}{condition}{RATE}))", legend)]


def p99(name: str, by: str) -> list[tuple[str, str]]:
    """The p99 of a histogram by a label."""
    return [(f"histogram_quantile(0.99, sum by (le, {by}) (rate({name}_bucket{RATE})))", f"{{{{{by}}}}}")]


def stat(title: str, query: str, unit: str = "short") -> Panel:
    """One number."""
    return Panel(title, [(query, "")], unit, kind="stat", width=4)


ANSWERED = f"sum by (bot, answered) (rate(bgb_bot_decisions_total{RATE}))"
ITSELF = f'label_replace(sum by (bot) (rate(bgb_bot_decisions_total{RATE})), "answered", "$1", "bot", "(.*)")'
ANSWERED_BY_OTHERS = [(f"{ANSWERED} unless on (bot, answered) {ITSELF}", "{{bot}} by {{answered}}")]
SUBMIT = '{method="TableService/SubmitMove"}'
FAILED = '{code=~"INTERNAL|UNKNOWN|UNAVAILABLE|DEADLINE_EXCEEDED|DATA_LOSS"}'

DASHBOARDS: dict[str, tuple[str, Sequence[Panel]]] = {
    "overview": (
        "Overview",
        (
            stat("Tables under way", 'sum(max by (game, status) (bgb_tables{status="playing"}))'),
            stat("Moves a second", f"sum(rate(bgb_moves_total{RATE}))"),
            stat("Streams open", "sum(bgb_streams_open)"),
            stat("Players waiting for a match", "sum(max by (game) (bgb_tickets_waiting))"),
            stat("Programs that answer", "sum(up)"),
            stat("Redis answers", "max(bgb_redis_up)"),
            Panel("A move, as the server sees it", by_quantile("bgb_call_seconds", SUBMIT), "s"),
            Panel(
                "Calls that fail",
                [
                    (
                        f"sum by (job) (rate(bgb_calls_total{FAILED}{RATE}))"
                        f" / sum by (job) (rate(bgb_calls_total{RATE}))",
                        "{{job}}",
                    )
                ],
                "percentunit",
                "Through no fault of the caller.",
            ),
            Panel("From a commit to the worker that takes the turn up", by_quantile("bgb_task_wait_seconds"), "s"),
            Panel("Requests to the gateway by status", rate("bgb_gateway_requests_total", "status"), "reqps"),
            Panel("Calls by method", rate("bgb_calls_total", "method"), "reqps"),
            Panel(
                "What waits",
                [
                    ("max(bgb_outbox_oldest_seconds)", "outbox"),
                    ("max by (queue) (bgb_queue_oldest_seconds)", "{{queue}}"),
                ],
                "s",
            ),
            Panel(
                "Processor time",
                rate("process_cpu_seconds_total", "job"),
                "percentunit",
                "Of main processes; a worker's bots think in processes of their own.",
            ),
            Panel(
                "Memory",
                [
                    ("sum by (job) (process_resident_memory_bytes)", "{{job}}"),
                    ("sum by (job) (bgb_worker_memory_bytes)", "{{job}} with its processes"),
                ],
                "bytes",
            ),
            Panel("Starts of programs", [("changes(process_start_time_seconds[15m])", "{{job}} {{instance}}")]),
        ),
    ),
    "tables": (
        "Tables and moves",
        (
            Panel("Tables by game and status", [("max by (game, status) (bgb_tables)", "{{game}} {{status}}")]),
            Panel("Moves accepted by who made them", rate("bgb_moves_total", "game, by"), "ops"),
            Panel("Moves accepted by kind", rate("bgb_moves_total", "game, kind"), "ops"),
            Panel("What happens to tables beside moves", rate("bgb_table_changes_total", "game, change"), "ops"),
            Panel(
                "Moves refused by rule",
                [(f"topk(15, sum by (rule) (rate(bgb_rule_refusals_total{RATE})))", "{{rule}}")],
                "ops",
            ),
            Panel("Calls refused by reason", rate("bgb_refusals_total", "reason"), "ops"),
            Panel("Changes by outcome", rate("bgb_commits_total", "outcome"), "ops"),
            Panel("A change in Redis", by_quantile("bgb_commit_seconds"), "s"),
            Panel("Calls, p99 by method", p99("bgb_call_seconds", "method"), "s"),
            Panel("Tables archived", [(f"sum(rate(bgb_tables_archived_total{RATE}))", "tables")], "ops"),
            Panel("Archive failures", [(f"sum(rate(bgb_archive_failures_total{RATE}))", "failures")], "ops"),
            Panel("Streams by method", [("sum by (method) (bgb_streams_open)", "{{method}}")]),
            Panel("HTTP streams by method", [("sum by (method) (bgb_gateway_streams_open)", "{{method}}")]),
            Panel("Requests, p99 by method", p99("bgb_gateway_request_seconds", "method"), "s"),
        ),
    ),
    "bots": (
        "Bots",
        (
            Panel("Decisions by bot", rate("bgb_bot_decisions_total", "bot"), "ops"),
            Panel("Decisions answered by another bot", ANSWERED_BY_OTHERS, "ops", "A bot failed, or was not asked."),
            Panel("Failures by bot and kind", rate("bgb_bot_failures_total", "bot, kind"), "ops"),
            Panel(
                "A decision, p50 and p99 by bot",
                [
                    (
                        f"histogram_quantile({q}, sum by (le, bot) (rate(bgb_bot_decision_seconds_bucket{RATE})))",
                        f"{word} {{{{bot}}}}",
                    )
                    for q, word in ((0.5, "p50"), (0.99, "p99"))
                ],
                "s",
            ),
            Panel("Turns by outcome", rate("bgb_bot_turns_total", "outcome"), "ops"),
            Panel("Turns given out again", [(f"sum(rate(bgb_turns_woken_again_total{RATE}))", "again")], "ops"),
            Panel("Age of the oldest task", [("max by (queue) (bgb_queue_oldest_seconds)", "{{queue}}")], "s"),
            Panel("Tasks that wait", [("max by (queue) (bgb_queue_tasks)", "{{queue}}")]),
            Panel("Handed over", rate("bgb_dispatched_total", "kind"), "ops"),
            Panel("From commit to broker", by_quantile("bgb_handoff_seconds"), "s"),
            Panel("From commit or question to worker, p99", p99("bgb_task_wait_seconds", "task"), "s"),
            Panel("Outbox", [("max(bgb_outbox_entries)", "entries")]),
            Panel(
                "Deadlines overdue",
                [
                    ("max(bgb_deadlines_overdue)", "tables"),
                    ("max(bgb_deadlines_overdue_seconds)", "seconds, the oldest"),
                ],
            ),
            Panel("Clocks called", rate("bgb_clocks_called_total", "acted"), "ops"),
            Panel(
                "Processes of workers",
                [
                    ("sum by (job, instance) (bgb_worker_processes)", "{{job}} {{instance}}"),
                    ("sum by (job) (increase(bgb_worker_processes_started_total[15m]))", "{{job}} started in 15 min"),
                ],
            ),
            Panel("Values lost", [("sum by (instance) (increase(bgb_metrics_lost_total[15m]))", "{{instance}}")]),
        ),
    ),
    "matchmaking": (
        "Matchmaking",
        (
            Panel("Players waiting", [("max by (game, players) (bgb_tickets_waiting)", "{{game}} for {{players}}")]),
            Panel("Tickets created", rate("bgb_tickets_created_total", "game"), "ops"),
            Panel(
                "Tickets expired, matches not accepted", [(f"sum(rate(bgb_tickets_swept_total{RATE}))", "swept")], "ops"
            ),
            Panel("Matches by outcome", rate("bgb_matches_total", "game, outcome"), "ops"),
            Panel(
                "Wait of those matched lately, median",
                [("max by (game, players) (bgb_match_recent_wait_seconds)", "{{game}} for {{players}}")],
                "s",
            ),
            Panel(
                "Difference in rating within recent matches",
                [("max by (game, players) (bgb_match_difference_points)", "{{game}} for {{players}}")],
            ),
            Panel("Behind with looking at tickets", [("max(bgb_matching_behind_seconds)", "behind")], "s"),
            Panel("Tables rated", rate("bgb_tables_rated_total", "outcome"), "ops"),
        ),
    ),
    "redis": (
        "Redis",
        (
            stat("Answers", "max(bgb_redis_up)"),
            stat("Replicas", "max(bgb_redis_replicas)"),
            stat("Memory", "max(bgb_redis_memory_bytes)", "bytes"),
            stat(
                "Of what it may use", "max(bgb_redis_memory_bytes) / max(bgb_redis_memory_max_bytes > 0)", "percentunit"
            ),
            stat("Clients", "max(bgb_redis_clients)"),
            stat("Could not save", "max(bgb_redis_persistence_failed)"),
            Panel("Calls", rate("bgb_redis_call_seconds_count", "call"), "ops"),
            Panel("Calls, p99", p99("bgb_redis_call_seconds", "call"), "s"),
            Panel("Calls that failed", rate("bgb_redis_errors_total", "call, error"), "ops"),
            Panel(
                "Calls for each move accepted",
                [(f"sum(rate(bgb_redis_call_seconds_count{RATE})) / sum(rate(bgb_moves_total{RATE}))", "calls")],
            ),
            Panel(
                "Connections by use",
                [
                    ("sum by (job, use) (bgb_redis_connections)", "{{job}} {{use}}"),
                    ("sum by (job) (bgb_redis_connections_max)", "{{job}} at most"),
                ],
            ),
            Panel(
                "Memory",
                [("max(bgb_redis_memory_bytes)", "used"), ("max(bgb_redis_memory_max_bytes)", "at most")],
                "bytes",
            ),
        ),
    ),
}


def dashboard(uid: str) -> dict[str, Any]:
    """A dashboard as Grafana reads it."""
    title, panels = DASHBOARDS[uid]
    return {
        "uid": f"bgb-{uid}",
        "title": f"BoardGamesBot: {title}",
        "tags": ["boardgamesbot"],
        "timezone": "browser",
        "schemaVersion": 39,
        "version": 1,
        "editable": True,
        "graphTooltip": 1,
        "refresh": "10s",
        "time": {"from": "now-1h", "to": "now"},
        "templating": {"list": []},
        "annotations": {"list": []},
        "links": [
            {"type": "dashboards", "tags": ["boardgamesbot"], "title": "More", "asDropdown": True, "keepTime": True}
        ],
        "panels": [_panel(number, panel, *at) for number, (panel, at) in enumerate(_placed(panels), 1)],
    }


def _placed(panels: Sequence[Panel]) -> Iterator[tuple[Panel, tuple[int, int]]]:
    """Panels with their x and y: side by side as far as there is room."""
    x = y = lowest = 0
    for panel in panels:
        height = 4 if panel.kind == "stat" else HEIGHT
        if x + panel.width > WIDTH:
            x, y = 0, lowest
        yield panel, (x, y)
        x, lowest = x + panel.width, max(lowest, y + height)


def _panel(number: int, panel: Panel, x: int, y: int) -> dict[str, Any]:
    is_stat = panel.kind == "stat"
    options: dict[str, Any] = (
        {"reduceOptions": {"calcs": ["lastNotNull"]}, "colorMode": "value", "graphMode": "area"}
        if is_stat
        else {"legend": {"displayMode": "table", "placement": "bottom", "calcs": ["lastNotNull", "max"]},
              "tooltip": {"mode": "multi", "sort": "desc"}}
    )  # fmt: skip
    return {
        "id": number,
        "type": panel.kind,
        "title": panel.title,
        "description": panel.what,
        "datasource": SOURCE,
        "gridPos": {"x": x, "y": y, "w": panel.width, "h": 4 if is_stat else HEIGHT},
        "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0}, "overrides": []},
        "options": options,
        "targets": [
            {"refId": chr(ord("A") + at), "datasource": SOURCE, "expr": query, "legendFormat": legend or "__auto"}
            for at, (query, legend) in enumerate(panel.queries)
        ],
    }


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for uid in DASHBOARDS:
        (folder / f"{uid}.json").write_text(json.dumps(dashboard(uid), indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
