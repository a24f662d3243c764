"""`bgb audit`: what was done to tables by hand."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import click

from boardgamesbot.cli import options
from boardgamesbot.cli.asking_store import ask
from boardgamesbot.cli.columns import Column, table
from boardgamesbot.cli.console import Console
from boardgamesbot.store.audit import Act, AuditTrail

COLUMNS = (
    Column("when, UTC"),
    Column("who", least=6),
    Column("table"),
    Column("what", least=8),
    Column("why", least=12),
    Column("version", drop=1),
    Column("outcome", least=7),
)


@click.command()
@click.option("--table", "table_id", default="", metavar="TABLE", help="Only what was done to this one.")
@click.option("--limit", type=click.IntRange(1, 20_000), default=50, show_default=True, help="At most so many.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@options.redis_url
@options.data
def audit(table_id: str, limit: int, as_json: bool, **given: Any) -> None:
    """Show what was done to tables with `bgb table`, the newest first: who, when, what, why, and what came of it."""
    settings = options.settings(**given)
    acts = ask(settings, lambda redis: AuditTrail(redis).newest(limit, table_id))
    if as_json:
        click.echo(json.dumps([asdict(act) for act in acts], indent=1, ensure_ascii=False))
        return
    if not acts:
        click.echo("Nothing has been done by hand.")
        return
    console = Console(highlight=False)
    console.print(table(COLUMNS, [_cells(act) for act in acts], console.width))


def _cells(act: Act) -> tuple[str, ...]:
    """What stands in COLUMNS."""
    when = datetime.fromtimestamp(act.time_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
    return when, act.who, act.table_id, act.what, act.why, _versions(act), act.outcome or "not known: it died"


def _versions(act: Act) -> str:
    changed = act.version_after not in (0, act.version)
    return f"{act.version} → {act.version_after}" if changed else str(act.version)
