"""`bgb queues`: what waits for the workers, and for how long."""

from __future__ import annotations

import asyncio
from typing import Any

import click
from kombu.exceptions import OperationalError
from rich.table import Table

from boardgamesbot.bots.app import make_app
from boardgamesbot.bots.queues import Backlog, backlogs
from boardgamesbot.cli import options
from boardgamesbot.cli.console import Console
from boardgamesbot.cli.explaining import no_redis
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.store import UNAVAILABLE
from boardgamesbot.store.client import connect
from boardgamesbot.store.clock import StoreClock


@click.command()
@options.redis_url
@options.data
@options.broker_url
def queues(**given: Any) -> None:
    """Show what waits for the workers: how many tasks in each queue, and the age of the oldest."""
    settings = options.settings(**given)
    try:
        found, now_ms = asyncio.run(_look(settings))
    except (OperationalError, *UNAVAILABLE) as error:
        raise no_redis(settings.celery_broker_url, error) from None
    table = Table("queue", "waiting", "oldest, s", box=None)
    for column in table.columns[1:]:
        column.justify = "right"
    for backlog in found:
        table.add_row(backlog.queue, str(backlog.waiting), f"{backlog.age(now_ms):.2f}" if backlog.waiting else "–")
    Console(highlight=False).print(table)


async def _look(settings: Settings) -> tuple[list[Backlog], float]:
    redis, app = connect(settings.redis_url), make_app(settings)
    try:
        return await asyncio.to_thread(backlogs, app), await StoreClock(redis).read_ms()
    finally:
        app.close()
        await redis.aclose()
