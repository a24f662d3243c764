"""Checks the files of a deployment without deploying: Kubernetes manifests by their schemas, compose files together.

Each manifest is checked as it stands. Where kubectl is at hand, the overlays are put together and checked as well;
where Docker Compose is, it reads the compose files in every combination that is documented. What is left out is said.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import yaml

ROOT = Path(__file__).parents[1]
MANIFESTS = ROOT / "deploy" / "kubernetes"
OVERLAYS = ("small", "production")
VERSIONS = ("1.31", "1.34")
"""The oldest there may be, and a newer one."""
NOT_OURS = ("kustomize.config.k8s.io/", "keda.sh/", "monitoring.coreos.com/")
"""API groups that extensions bring: there is no schema of theirs here."""
COMPOSE = "docker-compose.yml"
COMBINATIONS = ((COMPOSE,), (COMPOSE, "deploy/compose.grpc.yml"), (COMPOSE, "deploy/compose.secrets.yml"))


def documents(text: str) -> Iterator[dict[str, Any]]:
    """The resources of a file."""
    yield from (document for document in yaml.safe_load_all(text) if document)


def problems(where: str, text: str) -> Iterator[str]:
    """What the schemas say against the resources of a text."""
    for resource in documents(text):
        if resource["apiVersion"].startswith(NOT_OURS):
            continue
        for version in VERSIONS:
            try:
                kubernetes_validate.validate(resource, version, strict=True)
            except kubernetes_validate.ValidationError as error:
                place = ".".join(str(step) for step in error.path)
                name = f"{resource['kind']}/{resource['metadata']['name']}"
                yield f"{where}: {name}: {place}: {error.message} ({version})"


def rendered(overlay: str, kubectl: str) -> str:
    """An overlay put together. Raises SystemExit where it does not fit."""
    made = subprocess.run([kubectl, "kustomize", str(MANIFESTS / overlay)], capture_output=True, text=True, check=False)
    if made.returncode:
        raise SystemExit(f"deploy/kubernetes/{overlay}: {made.stderr.strip()}")
    return made.stdout


def check_kubernetes() -> list[str]:
    """What is wrong with the manifests; says what was looked at."""
    texts = {str(file.relative_to(MANIFESTS)): file.read_text("utf-8") for file in sorted(MANIFESTS.rglob("*.yaml"))}
    left_out = {
        f"{resource['kind']} of {resource['apiVersion'].partition('/')[0]}"
        for name, text in texts.items()
        if Path(name).name != "kustomization.yaml"
        for resource in documents(text)
        if resource["apiVersion"].startswith(NOT_OURS)
    }
    kubectl = shutil.which("kubectl")
    if kubectl:
        texts |= {overlay: rendered(overlay, kubectl) for overlay in OVERLAYS}
    found = [problem for name, text in texts.items() for problem in problems(name, text)]
    together = "overlays put together" if kubectl else "overlays not put together: there is no kubectl"
    print(f"Kubernetes: {len(texts)} texts, {together}; without a schema here: {', '.join(sorted(left_out))}")
    return found


def compose_command() -> list[str] | None:
    """Docker Compose as it is installed here."""
    for command in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(command[0]) and not subprocess.run([*command, "version"], capture_output=True).returncode:
            return command
    return None


def check_compose() -> list[str]:
    """What is wrong with the compose files; says what was looked at."""
    command = compose_command()
    if command is None:
        print("Compose: not put together: there is no Docker Compose; the schema has been checked")
        return []
    found = []
    with tempfile.TemporaryDirectory() as secrets:
        for name in ("redis.conf", "redis_url", "token_key"):
            (Path(secrets) / name).touch()
        for files in COMBINATIONS:
            named = [word for file in files for word in ("--file", file)]
            read = subprocess.run(
                [*command, *named, "--profile", "watch", "config", "--quiet"],
                cwd=ROOT,
                env={**os.environ, "BGB_SECRETS": secrets},
                capture_output=True,
                text=True,
                check=False,
            )
            found += [f"{' + '.join(files)}: {read.stderr.strip()}"] if read.returncode else []
    print(f"Compose: {len(COMBINATIONS)} combinations of files put together by {' '.join(command)}")
    return found


def main() -> int:
    """Say what is wrong; gives the exit status."""
    found = [*check_kubernetes(), *check_compose()]
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
