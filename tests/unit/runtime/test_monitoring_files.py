"""Dashboards, alerts and their page speak of metrics that there are, in queries that Prometheus can read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml

from boardgamesbot.runtime import metrics
from tools import dashboards, metrics_table

ROOT = Path(__file__).parents[3]
ALERTS = ROOT / "deploy" / "prometheus" / "alerts.yml"
OF_PROMETHEUS = {"up", "process_cpu_seconds_total", "process_resident_memory_bytes", "process_start_time_seconds"}
OF_TARGETS = {"job", "instance"}
SUFFIXES = {"counter": ("",), "gauge": ("",), "histogram": ("_bucket", "_count", "_sum")}

SERIES = {metric.name + suffix: metric for metric in metrics.ALL.values() for suffix in SUFFIXES[metric.kind]}


def _alerts() -> list[dict[str, Any]]:
    return [rule for group in yaml.safe_load(ALERTS.read_text())["groups"] for rule in group["rules"]]


def _parts(query: Any) -> Iterator[Any]:
    """A query and everything it is made of."""
    yield query
    inside = [getattr(query, name, None) for name in ("lhs", "rhs", "expr", "param", "vector_selector")]
    for part in (*inside, *getattr(query, "args", ())):
        if part is not None:
            yield from _parts(part)


def _by(part: Any) -> set[str]:
    """The labels that an aggregation keeps."""
    is_aggregation = isinstance(part, promql_parser.AggregateExpr) and part.modifier is not None
    return set(part.modifier.labels) if is_aggregation else set()


def _check(query: str) -> None:
    """Raise AssertionError unless the query can be read and asks for what there is."""
    parsed = promql_parser.parse(query.replace("$__rate_interval", "1m"))
    parts = list(_parts(parsed))
    selectors = [part for part in parts if isinstance(part, promql_parser.VectorSelector)]
    assert selectors, query
    labels = set(OF_TARGETS)
    for selector in selectors:
        assert selector.name in OF_PROMETHEUS or selector.name in SERIES, f"no such metric: {selector.name}"
        if selector.name in SERIES:
            own = {*SERIES[selector.name].labels, *OF_TARGETS}
            own |= {"le"} if selector.name.endswith("_bucket") else set()
            labels |= own
            for matcher in selector.matchers.matchers:
                assert matcher.name in own, f"{selector.name} has no label {matcher.name}"
    for part in parts:
        assert _by(part) <= labels, query
        if isinstance(part, promql_parser.Call) and part.func.name == "histogram_quantile":
            assert any("le" in _by(one) for one in parts), query
        if isinstance(part, promql_parser.Call) and part.func.name in ("rate", "increase"):
            (counted,) = (one for one in _parts(part) if isinstance(one, promql_parser.VectorSelector))
            is_gauge = counted.name in SERIES and SERIES[counted.name].kind == "gauge"
            assert not is_gauge, f"a rate of a gauge says nothing: {query}"


@pytest.mark.parametrize("uid", dashboards.DASHBOARDS)
def test_a_dashboard_is_fresh_and_shows_what_there_is(uid: str) -> None:
    shipped = json.loads((dashboards.FOLDER / f"{uid}.json").read_text())
    assert shipped == dashboards.dashboard(uid), "write it anew: make docs"
    taken: set[tuple[int, int]] = set()
    for panel in shipped["panels"]:
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"])
                 for y in range(place["y"], place["y"] + place["h"])}  # fmt: skip
        assert not cells & taken, f"{panel['title']} lies on another"
        assert place["x"] + place["w"] <= dashboards.WIDTH
        taken |= cells
        for target in panel["targets"]:
            _check(target["expr"])


def test_every_metric_is_looked_at_somewhere() -> None:
    shown = "".join(path.read_text() for path in dashboards.FOLDER.glob("*.json")) + ALERTS.read_text()
    unseen = [name for name in metrics.ALL if name not in shown]
    assert not unseen


@pytest.mark.parametrize("alert", _alerts(), ids=lambda alert: str(alert["alert"]))
def test_an_alert_can_be_read_and_says_what_to_do(alert: dict[str, Any]) -> None:
    _check(alert["expr"])
    parsed = promql_parser.parse(alert["expr"])
    is_absent = isinstance(parsed, promql_parser.Call) and parsed.func.name == "absent"
    assert is_absent or isinstance(parsed, promql_parser.BinaryExpr), "it is always there, or never"
    assert alert["labels"]["severity"] in ("page", "ticket")
    assert re.fullmatch(r"\d+[smh]", alert.get("for", "0s"))
    assert set(alert["annotations"]) == {"summary", "description"}
    by = {label for part in _parts(parsed) for label in _by(part)}
    aggregated = any(isinstance(part, promql_parser.AggregateExpr) for part in _parts(parsed))
    told = set(re.findall(r"\$labels\.(\w+)", " ".join(alert["annotations"].values())))
    assert told <= (by if aggregated else OF_TARGETS), "it tells a label that is aggregated away"
    page = (ROOT / "docs" / "metrics.md").read_text()
    section = page.partition(f"\n### {alert['alert']}\n")[2].partition("\n### ")[0]
    assert len(section.split()) > 10, f"docs/metrics.md does not say what to do about {alert['alert']}"


def test_the_page_knows_every_metric_and_no_alert_that_is_gone() -> None:
    page = metrics_table.PAGE.read_text()
    assert metrics_table.page(page) == page, "write it anew: make docs"
    assert all(f"`{name}`" in page for name in metrics.ALL)
    headings = re.findall(r"^### (\w+)$", page, re.MULTILINE)
    assert headings == [alert["alert"] for alert in _alerts()]


def test_prometheus_and_grafana_find_what_the_compose_file_starts() -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    prometheus = yaml.safe_load((ROOT / "deploy" / "prometheus" / "prometheus.yml").read_text())
    assert [(ALERTS.parent / name).exists() for name in prometheus["rule_files"]] == [True]
    found = {name for job in prometheus["scrape_configs"] for sd in job["dns_sd_configs"] for name in sd["names"]}
    ours = {name for name, service in services.items() if "BGB_METRICS_LISTEN" in service.get("environment", {})}
    assert found == ours
    port = services["rules"]["environment"]["BGB_METRICS_LISTEN"].rpartition(":")[2]
    assert {str(sd["port"]) for job in prometheus["scrape_configs"] for sd in job["dns_sd_configs"]} == {port}
    folder = ROOT / "deploy" / "grafana" / "provisioning"
    (source,) = yaml.safe_load((folder / "datasources" / "prometheus.yml").read_text())["datasources"]
    assert source["uid"] == dashboards.SOURCE["uid"]
    assert source["url"] == "http://prometheus:9090"
    (provider,) = yaml.safe_load((folder / "dashboards" / "boardgamesbot.yml").read_text())["providers"]
    mounted = [volume for volume in services["grafana"]["volumes"] if provider["options"]["path"] in volume]
    assert mounted == [f"./deploy/grafana/dashboards:{provider['options']['path']}:ro"]
