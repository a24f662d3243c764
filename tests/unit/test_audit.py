"""What the audit of dependencies makes of the reports it gets."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

CLEAN: dict[str, Any] = {"dependencies": [{"name": "redis", "version": "8.1.0", "vulns": []}], "fixes": []}
WEAK: dict[str, Any] = {
    "dependencies": [
        {"name": "redis", "version": "8.1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["8.1.1"]}]},
        {"name": "ours", "skip_reason": "Dependency not found on PyPI and could not be audited: ours (1)"},
    ]
}
PAGE_CLEAN: dict[str, Any] = {"vulnerabilities": {}, "metadata": {"dependencies": {"prod": 4}}}
PAGE_WEAK: dict[str, Any] = {
    "vulnerabilities": {"a": {"range": "<2", "via": [{"url": "https://example.org/GHSA-1"}]}},
    "metadata": {"dependencies": {"prod": 4}},
}


@pytest.fixture
def audit(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("audit", Path("tools/audit.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "audit", module)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("python", "page", "status", "strict"),
    [
        (CLEAN, PAGE_CLEAN, 0, 0),
        (WEAK, PAGE_CLEAN, 1, 1),
        (CLEAN, PAGE_WEAK, 1, 1),
        (CLEAN, {"error": {"code": "ENOAUDIT"}}, 0, 1),
        (None, PAGE_CLEAN, 0, 1),
    ],
)
def test_only_findings_fail_and_silence_is_said(
    audit: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    python: dict[str, Any] | None,
    page: dict[str, Any],
    status: int,
    strict: int,
) -> None:
    monkeypatch.setattr(audit, "_reported", lambda command, _: page if "npm" in command else python)
    assert audit.main(False) == status
    said = capsys.readouterr()
    assert ("NOBODY TO ASK" in said.err) == (python in (None, WEAK) or "error" in page)
    assert audit.main(True) == strict


def test_a_finding_names_package_advisory_and_remedy_and_may_be_accepted(
    audit: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(audit, "_reported", lambda command, _: PAGE_CLEAN if "npm" in command else WEAK)
    audit.main(False)
    assert "redis 8.1.0: PYSEC-1 (fixed in 8.1.1)" in capsys.readouterr().out
    monkeypatch.setattr(audit, "ACCEPTED", {"PYSEC-1": "we never call it"})
    assert audit.main(False) == 0
