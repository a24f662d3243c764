"""The files of a deployment say what the programs know: settings, commands and ports; and they hold together."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from boardgamesbot.cli import main
from boardgamesbot.runtime.settings import Settings

COMPOSE = Path("docker-compose.yml")
OVERRIDES = sorted(Path("deploy").glob("compose.*.yml"))
MANIFESTS = sorted(file for file in Path("deploy/kubernetes").rglob("*.yaml") if file.name != "kustomization.yaml")
SETTINGS = {f"BGB_{setting.name.upper()}" for setting in fields(Settings)}
KNOWN = SETTINGS | {f"{name}_FILE" for name in SETTINGS} | {"BGB_COMPILE", "BGB_IMAGE", "BGB_PUBLISH", "BGB_SECRETS"}
"""Settings, and the variables of the build and of the compose files themselves."""
PASSWORD = "BGB_REDIS_PASSWORD"


def compose(file: Path = COMPOSE) -> dict[str, Any]:
    """A compose file, anchors resolved."""
    read: dict[str, Any] = yaml.safe_load(file.read_text("utf-8"))
    return read


def resources(file: Path) -> Iterator[dict[str, Any]]:
    yield from (document for document in yaml.safe_load_all(file.read_text("utf-8")) if document)


def workloads() -> Iterator[dict[str, Any]]:
    """Deployments and stateful sets of programs of ours."""
    for file in MANIFESTS:
        for resource in resources(file):
            if resource["kind"] in ("Deployment", "StatefulSet") and resource["metadata"]["name"] != "redis":
                yield resource


WORKLOADS = [pytest.param(one, id=one["metadata"]["name"]) for one in workloads()]
OURS = {name: one for name, one in compose()["services"].items() if "build" in one}


def started_from(words: list[str]) -> None:
    """Parse a command line of `bgb` as the program would, without running it."""
    name, *rest = words
    command = main.get_command(click.Context(main), name)
    assert command is not None, f"bgb has no {name}"
    command.make_context(name, list(rest))


@pytest.mark.parametrize(
    "file",
    ["deploy/Dockerfile", "deploy/kubernetes/base/settings.env", str(COMPOSE), *map(str, OVERRIDES), "docs/deploy.md"],
)
def test_every_variable_named_is_a_setting(file: str) -> None:
    named = set(re.findall(r"\bBGB_[A-Z0-9_]+\b", Path(file).read_text("utf-8")))
    assert named - KNOWN <= {PASSWORD}


@pytest.mark.parametrize("name", sorted(OURS))
def test_a_service_of_compose_is_a_program(name: str) -> None:
    started_from(OURS[name]["command"])


@pytest.mark.parametrize("workload", WORKLOADS)
def test_a_workload_is_a_program(workload: dict[str, Any]) -> None:
    (container,) = workload["spec"]["template"]["spec"]["containers"]
    started_from(container["args"])


def test_every_program_of_a_platform_is_deployed() -> None:
    programs = {"rules", "bots", "matchmaking", "gateway", "dispatcher", "archivist", "worker-quick", "worker-deep"}
    assert set(OURS) == programs
    assert {one["metadata"]["name"] for one in workloads()} == programs


@pytest.mark.parametrize("environment", [OURS["rules"]["environment"], None], ids=["compose", "kubernetes"])
def test_the_settings_of_a_deployment_make_sense(environment: dict[str, str] | None, tmp_path: Path) -> None:
    if environment is None:
        lines = Path("deploy/kubernetes/base/settings.env").read_text("utf-8").splitlines()
        environment = dict(line.split("=", 1) for line in lines)
        (tmp_path / "redis-url").write_text("redis://:secret@redis:6379/0\n")
        (tmp_path / "token-key").write_text("k" * 40)
    plain = {
        name: re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value).replace("/run/secrets/boardgamesbot", str(tmp_path))
        for name, value in environment.items()
    }
    settings = Settings.from_environment(plain)
    for server, port in (("rules", 7410), ("bots", 7411), ("matchmaking", 7412)):
        assert getattr(settings, f"{server}_address") == f"dns:///{server}:{port}"
        assert getattr(settings, f"{server}_listen") == f"0.0.0.0:{port}"


def test_only_the_gateway_is_published_and_it_on_this_host_unless_said_otherwise() -> None:
    published = {name: one["ports"] for name, one in compose()["services"].items() if "ports" in one}
    assert published.pop("gateway") == ["${BGB_PUBLISH:-127.0.0.1:8080}:8080"]
    assert set(published) == {"prometheus", "grafana"}
    assert all(port.startswith("127.0.0.1:") for ports in published.values() for port in ports)
    assert compose()["networks"]["inside"]["internal"]


@pytest.mark.parametrize("name", sorted(OURS))
def test_a_container_can_do_no_more_than_it_must(name: str) -> None:
    service = OURS[name]
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert service["restart"] == "unless-stopped"
    assert service["healthcheck"]["test"][-1] == "boardgamesbot.probe"
    assert set(service["depends_on"]) >= {"redis"}
    assert all(wanted["condition"] == "service_healthy" for wanted in service["depends_on"].values())
    assert service["deploy"]["resources"]["limits"].keys() == {"cpus", "memory", "pids"}


@pytest.mark.parametrize("file", OVERRIDES, ids=lambda file: file.name)
def test_an_override_speaks_of_services_there_are(file: Path) -> None:
    assert set(compose(file)["services"]) <= set(compose()["services"])


def test_with_secret_files_every_program_gets_them() -> None:
    override = compose(Path("deploy/compose.secrets.yml"))
    for name in OURS:
        assert override["services"][name]["secrets"] == ["redis_url", "token_key"]
    written = subprocess.run(["bash", "-n", "deploy/make-secrets.sh"], check=False)
    assert written.returncode == 0


def test_secrets_are_made_once_and_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "secrets"
    made = []
    for _ in range(2):
        subprocess.run(["deploy/make-secrets.sh", str(folder)], check=True, capture_output=True)
        made.append({file.name: file.read_text() for file in folder.iterdir()})
    assert made[0] == made[1]
    assert set(made[0]) == {"redis.conf", "redis_url", "token_key"}
    settings = Settings.from_environment(
        {"BGB_REDIS_URL_FILE": str(folder / "redis_url"), "BGB_TOKEN_KEY_FILE": str(folder / "token_key")}
    )
    password = made[0]["redis.conf"].splitlines()[0].removeprefix("requirepass ")
    assert len(password) == len(settings.token_key) == 64
    assert f":{password}@" in settings.redis_url
    assert folder.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("workload", WORKLOADS)
def test_a_pod_is_restricted_and_ends_in_peace(workload: dict[str, Any]) -> None:
    pod = workload["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"]
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert not pod["enableServiceLinks"]
    assert {"startupProbe", "readinessProbe", "livenessProbe"} <= container.keys()
    waits = container.get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0)
    assert pod["terminationGracePeriodSeconds"] >= waits + 25
    if len(container["ports"]) > 1:  # others come to it: first they must have learned that it goes
        assert waits >= 5
    name = workload["metadata"]["name"]
    assert workload["spec"]["selector"]["matchLabels"] == {"app.kubernetes.io/name": name}
    assert workload["spec"]["template"]["metadata"]["labels"]["app.kubernetes.io/name"] == name


def test_every_workload_has_a_budget_for_disruptions() -> None:
    budgets = {
        resource["spec"]["selector"]["matchLabels"]["app.kubernetes.io/name"]
        for file in MANIFESTS
        for resource in resources(file)
        if resource["kind"] == "PodDisruptionBudget"
    }
    assert budgets == {one["metadata"]["name"] for one in workloads()}


def test_a_field_kubernetes_does_not_know_is_found(tmp_path: Path) -> None:
    import importlib.util

    spec = importlib.util.spec_from_file_location("check_deployment", "tools/check_deployment.py")
    assert spec is not None
    assert spec.loader is not None
    check = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(check)
    text = Path("deploy/kubernetes/base/rules.yaml").read_text("utf-8")
    assert not list(check.problems("rules", text))
    assert list(check.problems("rules", text.replace("readinessProbe:", "readynessProbe:")))


def test_the_image_says_whether_its_program_is_well() -> None:
    asked = subprocess.run(
        [sys.executable, "-m", "boardgamesbot.probe"],
        env={"PATH": "", "PYTHONPATH": ":".join(sys.path), "BGB_METRICS_LISTEN": "0.0.0.0:1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert asked.returncode == 1
    assert "does not answer" in asked.stderr
