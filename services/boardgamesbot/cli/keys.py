"""`bgb keys`: the keys that sign tokens, where they are kept in Redis. Never shows a key."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import click
from rich.table import Table

from boardgamesbot.cli import options
from boardgamesbot.cli.console import Console
from boardgamesbot.cli.explaining import no_redis
from boardgamesbot.runtime.keys import LEAD_SECONDS
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.store import UNAVAILABLE
from boardgamesbot.store.client import connect
from boardgamesbot.store.clock import StoreClock
from boardgamesbot.store.secrets import SharedKey, SharedKeys, Unfit

HOUR_MS = 3_600_000


@click.group(invoke_without_command=True)
@options.redis_url
@options.data
@click.pass_context
def keys(context: click.Context, redis_url: str | None) -> None:
    """List the keys that sign tokens, with their ages; a key itself is never shown.

    Only keys kept in Redis: those of BGB_TOKEN_KEYS and BGB_TOKEN_KEY are changed where they are set.
    """
    context.obj = settings = options.settings(redis_url=redis_url)
    if settings.token_keys or settings.token_key:
        raise click.ClickException(
            "the keys are those of BGB_TOKEN_KEYS or BGB_TOKEN_KEY: change them there, and restart"
        )
    if context.invoked_subcommand is None:
        _run(settings, _list)


@keys.command()
@click.pass_obj
def rotate(settings: Settings) -> None:
    """Make a new key. Within seconds it signs; older ones are believed until their last token expires."""
    _run(settings, lambda store, _: _rotate(store, settings))


@keys.command()
@click.argument("key_id", metavar="ID")
@click.confirmation_option(prompt="Everybody whose token this key has signed must sign in anew. Go on?")
@click.pass_obj
def drop(settings: Settings, key_id: str) -> None:
    """Believe a key no more: for one that has become known to others. Rotate first."""
    _run(settings, lambda store, _: _drop(store, key_id))


async def _list(store: SharedKeys, now_ms: float) -> None:
    signing, *others = await store.load()
    table = Table(box=None, header_style="bold")
    for column in ("id", "age", "is"):
        table.add_column(column)
    for key in (signing, *others):
        table.add_row(key.id, _age(now_ms - key.created_ms), _state(key, signing, now_ms))
    Console().print(table)


def _state(key: SharedKey, signing: SharedKey, now_ms: float) -> str:
    if key is signing:
        return "signing"
    if key.signs_from_ms > now_ms:
        return f"signing in {(key.signs_from_ms - now_ms) / 1000:.0f} s"
    return "believed"


async def _rotate(store: SharedKeys, settings: Settings) -> None:
    longest_ms = int(max(settings.token_days, settings.bot_token_days) * 24 * HOUR_MS)
    made = await store.rotate(int(LEAD_SECONDS * 1000), longest_ms)
    click.echo(f"key {made.id} signs in {LEAD_SECONDS:.0f} s; tokens signed by older ones stay good")


async def _drop(store: SharedKeys, key_id: str) -> None:
    try:
        await store.drop(key_id)
    except KeyError:
        raise click.ClickException(f"there is no key {key_id!r}; `bgb keys` lists them") from None
    click.echo(f"key {key_id} is believed no more, from the next seconds on")


def _age(milliseconds: float) -> str:
    hours = milliseconds / HOUR_MS
    return f"{hours / 24:.1f} days" if hours >= 48 else f"{hours:.1f} h"


def _run(settings: Settings, work: Callable[[SharedKeys, float], Awaitable[Any]]) -> None:
    async def connected() -> None:
        redis = connect(settings.redis_url)
        try:
            clock = StoreClock(redis)
            await clock.ask()
            await work(SharedKeys(redis), clock.now_ms())
        finally:
            await redis.aclose()

    try:
        asyncio.run(connected())
    except Unfit as error:
        raise click.ClickException(str(error)) from None
    except UNAVAILABLE as error:
        raise no_redis(settings.redis_url, error) from None
