"""`bgb settings`, and the table of settings in the documentation."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from boardgamesbot.cli import main
from boardgamesbot.cli.settings import effective
from boardgamesbot.runtime.settings import BadSetting, Settings


@pytest.fixture(autouse=True)
def only_what_a_test_sets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.startswith("BGB_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "nothing"))


def test_it_shows_values_and_whence_they_come_but_no_secret(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("k" * 40 + "\n")
    monkeypatch.setenv("BGB_TOKEN_KEY_FILE", str(key))
    monkeypatch.setenv("BGB_REDIS_URL", "redis://:hunter2@redis:6379/0")
    result = CliRunner().invoke(main, ["settings", "--json"])
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["BGB_TOKEN_KEY"] == {"value": "***", "from": "file"}
    assert found["BGB_REDIS_URL"] == {"value": "redis://:***@redis:6379/0", "from": "environment"}
    assert found["BGB_SLOTS"] == {"value": "16", "from": "default"}
    assert "hunter2" not in result.output
    assert "kkkk" not in result.output


def test_only_what_was_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BGB_SLOTS", "4")
    result = CliRunner().invoke(main, ["settings", "--changed"])
    assert result.stdout.split() == ["BGB_SLOTS", "environment", "4"]


def test_where_a_server_would_listen_is_not_taken_for_where_one_does() -> None:
    found = Settings(rules_address="127.0.0.1:28000")
    lines = {one.name: one for one in effective(found, {}, {"rules_address", "bots_address"})}
    assert lines["BGB_RULES_ADDRESS"].source == "bgb serve"
    assert "not in use" in lines["BGB_RULES_LISTEN"].remark
    assert "127.0.0.1:28000" in lines["BGB_RULES_LISTEN"].remark
    assert not lines["BGB_BOTS_LISTEN"].remark, "that is where it is"
    assert not lines["BGB_MATCHMAKING_LISTEN"].remark, "nothing is known of one that runs"
    asked_for = {one.name: one for one in effective(found, {"BGB_RULES_LISTEN": "x"}, {"rules_address"})}
    assert not asked_for["BGB_RULES_LISTEN"].remark


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("BGB_REDIS_URI", "redis://redis", "is BGB_REDIS_URL meant?"),
        ("BGB_SLOTS", "0", "BGB_SLOTS"),
        ("BGB_PAGE", "no/such/folder", "BGB_PAGE"),
        ("BGB_TOKEN_KEY_FILE", "no/such/file", "BGB_TOKEN_KEY_FILE"),
    ],
)
def test_the_check_fails_on_what_is_wrong_and_names_it(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str
) -> None:
    assert CliRunner().invoke(main, ["settings", "--check"]).exit_code == 0
    monkeypatch.setenv(name, value)
    result = CliRunner().invoke(main, ["settings", "--check"])
    assert result.exit_code == 1
    assert said in result.output


def test_a_program_says_at_its_start_what_is_no_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BGB_ARCHIV", "/somewhere")
    began = subprocess.run([sys.executable, "-m", "boardgamesbot", "archivist"], capture_output=True, text=True)
    assert began.returncode == 1
    assert "BGB_ARCHIV is no setting: is BGB_ARCHIVE meant?" in began.stderr


def test_a_setting_and_its_file_are_not_both_given(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("k" * 40 + "\n")
    assert Settings.from_environment({"BGB_TOKEN_KEY_FILE": str(key)}).token_key == "k" * 40
    with pytest.raises(BadSetting, match="both"):
        Settings.from_environment({"BGB_TOKEN_KEY_FILE": str(key), "BGB_TOKEN_KEY": "x" * 40})


def test_the_table_in_the_documentation_is_fresh(tmp_path: Path) -> None:
    fresh = tmp_path / "settings.md"
    subprocess.run([sys.executable, "tools/settings_table.py", str(fresh)], check=True)
    assert Path("docs/settings.md").read_text("utf-8") == fresh.read_text("utf-8"), "it is stale: make docs"
