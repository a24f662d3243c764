"""`bgb table`: its options stand wherever one looks for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from boardgamesbot.cli import main, table
from boardgamesbot.cli.local import keep_redis_url

ID = "04hgqvxddt53sl"


@pytest.mark.parametrize(
    "words",
    [
        "{id} --data {data} seat 0 bot greedy --reason {reason}",
        "{id} seat 0 bot greedy --reason {reason} --data {data}",
        "{id} seat 0 bot greedy --data={data} --reason {reason}",
        "{id} seat 0 --data {data} bot greedy --reason {reason} --log-level info",
        "--data {data} {id} seat 0 bot greedy --reason {reason}",
    ],
)
@pytest.mark.parametrize("reason", ["stuck", "--json"])
def test_data_is_taken_before_and_after_what_is_to_be_done(
    words: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("BGB_DATA", "BGB_REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
    asked: list[tuple[str, str]] = []
    monkeypatch.setattr(table, "_act", lambda on, *_: asked.append((on.table_id, on.settings.redis_url)))
    url = keep_redis_url(tmp_path / "redis", 7777)
    given = [word.format(id=ID, data=tmp_path, reason=reason) for word in words.split()]
    done = CliRunner().invoke(main, ["table", *given])
    assert done.exit_code == 0, done.output
    assert asked == [(ID, url)]


def test_a_command_without_what_it_needs_is_still_refused() -> None:
    refused = CliRunner().invoke(main, ["table", ID, "end", "--json"])
    assert refused.exit_code == 2
    assert "--reason" in refused.output
